package execute_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/heddle-mc/heddle/internal/execute"
	"github.com/heddle-mc/heddle/internal/kernel"
)

// TestReducedNet attacks what reduction says of connections and descriptors, as
// TestReducedArguments does for the rest.
func TestReducedNet(t *testing.T) {
	for _, p := range netArguments {
		t.Run(p.name, func(t *testing.T) {
			a, complaint := agreeEvents(compileText(t, program(p.body)), execute.Settings{Delays: kernel.DelayAll})
			if complaint != "" {
				t.Error(complaint)
			}
			if got, want := a.reduced.kinds(), strings.Fields(p.want); !slices.Equal(got, want) || !a.whole() {
				t.Errorf("got %v, want %v: %s", got, want, a.reduced.Result)
			}
		})
	}
}

var netArguments = []argument{
	// A read concerns its own end of a connection alone only if what the far end
	// sends does not change how much it gets (kernel.ReadsNear).
	{"two writes may come in one read", "panic", `
func main() {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	done := make(chan bool)
	go func() {
		c, err := l.Accept()
		if err != nil {
			panic(err)
		}
		var b [10]byte
		if n, _ := c.Read(b[:]); n == 2 {
			panic("both")
		}
		done <- true
	}()
	c, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		panic(err)
	}
	c.Write([]byte("a"))
	c.Write([]byte("b"))
	<-done
}`},
}
