package main

import (
	"fmt"
	"reflect"
)

type T struct{ n int }

func (T) String() string { return "T" }

func main() {
	t := reflect.StructOf([]reflect.StructField{{Name: "T", Type: reflect.TypeFor[*T](), Anonymous: true}})
	v := reflect.Zero(t)
	_, ok := v.Interface().(error) // has no such method
	fmt.Println(t.NumMethod(), ok)
	_, ok = v.Interface().(fmt.Stringer)
	fmt.Println(ok)
}
