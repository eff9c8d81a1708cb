// Package zoo has one type of every shape. The test that uses it has these types
// twice: from the native compiler, by reflection, and from source.
package zoo

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"reflect"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"

	"github.com/heddle-mc/heddle/internal/compile/testdata/zoo/other"
	dotted "github.com/heddle-mc/heddle/internal/compile/testdata/zoo/v2.x"
)

type (
	Int   int
	small uint8
	Str   string
	Fn    func(int, ...string) error
	Ch    <-chan int
	Map   map[string]*bytes.Buffer
	Slice []Slice
	Ptr   *Int
	Arr   [3]string
	Iface interface{ M(int) string }
	Both  interface {
		Iface
		fmt.Stringer
		hidden()
	}
	Empty struct{}
	Node  struct {
		Next  *Node
		Kids  []Node
		Index map[string]Node
	}
	Direct     struct{ p *int }
	Direct1    [1]Direct
	DirectZero struct {
		_ [0]func()
		f func()
	}
	Padded struct {
		A int8
		B int64
		C int8
	}
	Trailing struct {
		A int32
		_ struct{}
	}
	Blank struct {
		A int32
		_ int32
	}
	Floats struct{ X, Y float64 }
	Plain  struct {
		A, B int32
		P    *int
		C    chan int
	}
	Tagged struct {
		A int    `json:"a,omitempty" xml:"\"q\""`
		b string "x:\"plain\""
		*Node
		other.T
		fmt.Stringer
		small
	}
	Recv                      struct{ n int }
	Pair[K comparable, V any] struct {
		Key K
		Val V
	}
	List[T any] struct {
		head *List[T]
		val  T
	}
	Renamed      = Int
	Alias[T any] = map[string]Pair[string, T]
	Embeds       struct {
		Renamed
		other.Box[int]
	}
	Huge  [1 << 20]*int
	Cast  *[1 << 28]*int
	ÉCole interface {
		été()
		Ünder()
		Abc()
		_x()
	}
)

func (Int) String() string                     { return "" }
func (*Int) Set(string) error                  { return nil }
func (small) lower()                           {}
func (Direct) Value() int                      { return 0 }
func (*Direct) Pointer(x ...int) (a, b int)    { return }
func (Fn) Call(r io.Reader) (n int, err error) { return }
func (r Recv) Zeta()                           {}
func (r *Recv) Alpha(Pair[int, Recv]) Recv     { return *r }
func (r Recv) beta(context.Context)            {}
func (r *Recv) M(int) string                   { return "" }
func (Pair[K, V]) Swap() Pair[string, K]       { return Pair[string, K]{} }
func (p *Pair[K, V]) Set(k K, v V)             { p.Key, p.Val = k, v }
func (l *List[T]) All(yield func(T) bool)      {}
func (Empty) Nothing()                         {}

// Zoo has all of them as fields.
type Zoo struct {
	Basics struct {
		A bool
		B int
		C int8
		D int16
		E int32
		F int64
		G uint
		H uint8
		I uint16
		J uint32
		K uint64
		L uintptr
		M float32
		N float64
		O complex64
		P complex128
		Q string
		R unsafe.Pointer
		S error
		T any
		U byte
		V rune
	}
	Int        Int
	small      small
	Str        Str
	Fn         Fn
	Ch         Ch
	Map        Map
	Slice      Slice
	Ptr        Ptr
	Arr        Arr
	Iface      Iface
	Both       Both
	Empty      Empty
	Node       Node
	Direct     Direct
	Direct1    Direct1
	DirectZero DirectZero
	Padded     Padded
	Trailing   Trailing
	Blank      Blank
	Floats     Floats
	Plain      Plain
	Tagged     Tagged
	Recv       Recv
	Embeds     Embeds
	Huge       *Huge
	Cast       Cast
	ECole      ÉCole
	Pairs      struct {
		A Pair[int, string]
		B *Pair[other.T, *other.T]
		C Pair[Pair[int, Str], []map[string]small]
		D Pair[dotted.T, struct{ a, B int }]
		E Pair[chan<- int, func(...error) interface{ hidden() }]
		F Pair[interface{ M(int) string }, any]
		G Pair[unsafe.Pointer, struct {
			Renamed
			*other.Box[int]
			X int `tag:"x"`
		}]
	}
	List  List[List[int]]
	Alias Alias[bool]
	Chans struct {
		A chan (<-chan int)
		B chan<- (chan int)
		C <-chan (<-chan error)
		D chan Ch
	}
	Anon struct {
		A struct {
			Recv
			*Direct
		}
		B *struct{ *Recv }
		C interface {
			Zeta()
			beta(context.Context)
		}
		D struct{ other.T }
		E struct {
			a int
			_ string
		}
		F interface {
			other.Hidden
			own()
		}
		G map[[20]string][200]byte
		H map[float64]struct{}
		I map[struct{ A any }]int32
		J map[struct{}]struct{}
		K map[int8]int64
	}
	Unexported other.Unexported
	Hidden     other.Hidden
	Std        struct {
		A sync.Mutex
		B atomic.Int64
		C atomic.Pointer[Recv]
		D time.Time
		E *http.Request
		F json.Decoder
		G reflect.Value
		H sync.Map
		I atomic.Value
		J http.Handler
	}
	Locals Pair[string, any]
}

// Local returns values of types that functions declare: two have one name, and
// one is a type argument.
func Local() (any, any, any) {
	type T struct{ a int }
	x := T{}
	return x, func() any {
		type T struct{ b string }
		return T{}
	}(), Pair[string, T]{}
}

// Generic returns a value of a type that depends on the type argument without
// naming it.
func Generic[T any]() any {
	type Inner struct{ v T }
	return Inner{}
}

// Instances calls it twice.
func Instances() (any, any) { return Generic[int](), Generic[string]() }
