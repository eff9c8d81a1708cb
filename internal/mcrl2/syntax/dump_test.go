package syntax

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/heddle-mc/heddle/internal/diag"
)

// dump prints a tree without its positions, so that trees can be compared.
func dump(x any) string {
	var b strings.Builder
	dumpValue(&b, reflect.ValueOf(x))
	return b.String()
}

func dumpValue(b *strings.Builder, v reflect.Value) {
	switch v.Kind() {
	case reflect.Interface, reflect.Pointer:
		if v.IsNil() {
			b.WriteString("nil")
			return
		}
		dumpValue(b, v.Elem())
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[diag.Pos]() || v.Type() == reflect.TypeFor[Place]() {
			return
		}
		b.WriteString(v.Type().Name() + "(")
		for i := range v.NumField() {
			dumpValue(b, v.Field(i))
			b.WriteString(" ")
		}
		b.WriteString(")")
	case reflect.Slice:
		b.WriteString("[")
		for i := range v.Len() {
			dumpValue(b, v.Index(i))
			b.WriteString(" ")
		}
		b.WriteString("]")
	default:
		fmt.Fprintf(b, "%v", v.Interface())
	}
}

// full prints an expression with parentheses around each operator.
func full(e Expr) string {
	all := func(list []Expr) string {
		var s []string
		for _, x := range list {
			s = append(s, full(x))
		}
		return strings.Join(s, ",")
	}
	switch e := e.(type) {
	case *Unary:
		return "(" + e.Op + full(e.X) + ")"
	case *Binary:
		return "(" + full(e.X) + " " + e.Op + " " + full(e.Y) + ")"
	case *Quant:
		return "(" + e.Kind + " " + e.Vars[0].Name.Text + "." + full(e.Body) + ")"
	case *Where:
		return "(" + full(e.Body) + " whr " + e.Defs[0].Name.Text + "=" + full(e.Defs[0].Value) + ")"
	case *Apply:
		return full(e.Fun) + "(" + all(e.Args) + ")"
	case *Update:
		return full(e.Fun) + "[" + full(e.Arg) + "->" + full(e.Value) + "]"
	case *ListLit:
		return "[" + all(e.Elems) + "]"
	case *SetLit:
		return "{" + all(e.Elems) + "}"
	case *BagLit:
		return "{" + all(e.Elems) + ":" + all(e.Counts) + "}"
	case *Comprehension:
		return "{" + e.Var.Name.Text + ":" + PrintSort(e.Var.Sort) + "|" + full(e.Body) + "}"
	}
	return PrintExpr(e)
}

// fullProc does the same for processes.
func fullProc(x Proc) string {
	switch x := x.(type) {
	case *BinaryProc:
		return "(" + fullProc(x.X) + " " + x.Op + " " + fullProc(x.Y) + ")"
	case *Sum:
		return "(sum " + x.Vars[0].Name.Text + "." + fullProc(x.Body) + ")"
	case *Dist:
		return "(dist " + x.Vars[0].Name.Text + "[" + full(x.Weight) + "]." + fullProc(x.Body) + ")"
	case *Cond:
		s := "(" + full(x.If) + "->" + fullProc(x.Then)
		if x.Else != nil {
			s += "<>" + fullProc(x.Else)
		}
		return s + ")"
	case *At:
		return "(" + fullProc(x.Body) + "@" + full(x.Time) + ")"
	}
	return PrintProc(x)
}
