//go:build linux

package peer

import (
	"fmt"
	"os"
	"sync"
)

// maxOutput bounds each half of what is kept of the output of one run.
const maxOutput = 32 << 10

// An output keeps the beginning and the end of what a peer writes to its
// standard streams. All of it is read, so that the peer never waits for us.
type output struct {
	mu    sync.Mutex
	head  []byte
	tail  []byte // the last bytes after head, at most twice maxOutput
	lost  int64
	ended chan struct{}
}

// capture reads a pipe until its end.
func capture(f *os.File) *output {
	o := &output{ended: make(chan struct{})}
	go func() {
		defer close(o.ended)
		defer f.Close()
		buf := make([]byte, 8<<10)
		for {
			n, err := f.Read(buf)
			o.add(buf[:n])
			if err != nil {
				return
			}
		}
	}()
	return o
}

func (o *output) add(data []byte) {
	o.mu.Lock()
	defer o.mu.Unlock()
	n := min(maxOutput-len(o.head), len(data))
	o.head = append(o.head, data[:n]...)
	o.tail = append(o.tail, data[n:]...)
	if len(o.tail) > 2*maxOutput {
		cut := len(o.tail) - maxOutput
		o.lost += int64(cut)
		o.tail = append(o.tail[:0], o.tail[cut:]...)
	}
}

// String returns what was kept.
func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.lost > 0 {
		return fmt.Sprintf("%s\n[%d bytes left out]\n%s", o.head, o.lost, o.tail)
	}
	return string(o.head) + string(o.tail)
}
