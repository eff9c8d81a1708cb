// Calls, method values, made functions, maps, channels and types through package
// reflect.
package main

import (
	"errors"
	"fmt"
	"reflect"
	"runtime"
)

type T struct {
	A int8
	B string
	c []float32
}

func (t T) Hello(n int8, s string) (string, int16) { return fmt.Sprint(t.A, s, n), int16(n) * 2 }
func (t *T) Set(a int8)                            { t.A = a }

type I interface {
	Hello(int8, string) (string, int16)
}

func add(a int, b ...float64) (r float64, err error) {
	r = float64(a)
	for _, x := range b {
		r += x
	}
	return r, errors.New("e")
}

type E struct {
	x [3]int
	p *int
}

func big(e E, b bool, s string, i any) (bool, E, any) {
	e.x[1]++
	return !b, e, s
}

func values(xs ...any) (vs []reflect.Value) {
	for _, x := range xs {
		vs = append(vs, reflect.ValueOf(x))
	}
	return vs
}

func main() {
	calls()
	made()
	containers()
	types()
}

func calls() {
	v := reflect.ValueOf(T{1, "x", nil})
	fmt.Println(v.Type(), v.NumField(), v.NumMethod(), v.Field(1))
	out := v.MethodByName("Hello").Call(values(int8(-3), "q"))
	fmt.Println(out[0], out[1])
	pt := &T{5, "y", nil}
	reflect.ValueOf(pt).MethodByName("Set").Call(values(int8(9)))
	fmt.Println(pt.A)
	out = reflect.ValueOf(add).Call(values(1, 2.5, 3.0))
	fmt.Println(out[0], out[1])
	n := 7
	out = reflect.ValueOf(big).Call(values(E{p: &n}, true, "s", 4))
	fmt.Println(out[0], out[1].Field(0), out[2])
	f := v.Method(0).Interface().(func(int8, string) (string, int16))
	fmt.Println(f(3, "value"))
	var i I = T{2, "z", nil}
	g := reflect.ValueOf(&i).Elem().Method(0)
	fmt.Println(g.Call(values(int8(1), "interface"))[0])
	h := g.Interface().(func(int8, string) (string, int16))
	fmt.Println(h(8, "both"))
	fmt.Println(runtime.FuncForPC(reflect.ValueOf(add).Pointer()).Name())
}

func made() {
	var swap func(int8, string) (string, int8)
	reflect.ValueOf(&swap).Elem().Set(reflect.MakeFunc(reflect.TypeOf(swap), func(in []reflect.Value) []reflect.Value {
		runtime.GC()
		return []reflect.Value{in[1], in[0]}
	}))
	fmt.Println(swap(-5, "five"))
	out := reflect.ValueOf(swap).Call(values(int8(1), "a"))
	fmt.Println(out[0], out[1])
	done := make(chan bool)
	go func() {
		defer close(done)
		defer swap(1, "x")
		fmt.Println(swap(2, "g"))
	}()
	<-done
	func() {
		defer func() { fmt.Println("recovered", recover()) }()
		reflect.MakeFunc(reflect.TypeOf(func() {}), func([]reflect.Value) []reflect.Value { panic("inside") }).Call(nil)
	}()
}

func containers() {
	m := map[string]int{"a": 1, "b": 2}
	mv := reflect.ValueOf(m)
	sum := 0
	for it := mv.MapRange(); it.Next(); {
		sum += int(it.Value().Int()) * len(it.Key().String())
	}
	mv.SetMapIndex(reflect.ValueOf("c"), reflect.ValueOf(3))
	fmt.Println(sum, len(m), mv.MapIndex(reflect.ValueOf("c")), len(mv.MapKeys()))
	mm := reflect.MakeMap(reflect.MapOf(reflect.TypeOf(E{}.x), reflect.TypeOf("")))
	mm.SetMapIndex(reflect.ValueOf([3]int{1, 2, 3}), reflect.ValueOf("arr"))
	fmt.Println(mm, mm.Type())
	ch := reflect.MakeChan(reflect.TypeOf(make(chan int)), 2)
	ch.Send(reflect.ValueOf(3))
	x, ok := ch.Recv()
	fmt.Println(x, ok, ch.Len(), ch.Cap())
	_, ok = ch.TryRecv()
	fmt.Println(ok)
	go ch.Send(reflect.ValueOf(8))
	chosen, got, ok := reflect.Select([]reflect.SelectCase{{Dir: reflect.SelectRecv, Chan: ch}})
	fmt.Println(chosen, got, ok)
}

func types() {
	st := reflect.StructOf([]reflect.StructField{
		{Name: "X", Type: reflect.TypeOf(0), Tag: `json:"x"`}, {Name: "Y", Type: reflect.TypeOf("")},
	})
	sv := reflect.New(st).Elem()
	sv.Field(0).SetInt(5)
	fmt.Printf("%v %+v %T\n", sv, sv, sv.Interface())
	fmt.Println(reflect.SliceOf(reflect.TypeOf(0)) == reflect.TypeOf([]int{}), reflect.PointerTo(st))
	sl := reflect.Append(reflect.MakeSlice(reflect.SliceOf(st), 1, 1), sv)
	runtime.GC()
	fmt.Println(sl, sl.Len())
	fmt.Println(reflect.FuncOf([]reflect.Type{st}, nil, false), reflect.ArrayOf(2, st).Size())
	fmt.Println(reflect.TypeOf(T{}).Implements(reflect.TypeOf((*I)(nil)).Elem()))
}
