package iocache

import (
	"bytes"
	"testing"
)

func TestDatagramFrames(t *testing.T) {
	var stream []byte
	want := [][]byte{[]byte("a"), {}, bytes.Repeat([]byte("x"), 65507), nil, []byte("end")}
	for _, d := range want {
		if d == nil {
			stream = AppendUnreachable(stream)
		} else {
			stream = AppendDatagram(stream, d)
		}
	}
	for cut := 1; cut < 2; cut++ {
		if _, _, ok := CutDatagram(stream[:cut]); ok {
			t.Errorf("%d bytes: got a frame, want none", cut)
		}
	}
	rest := stream
	for i, d := range want {
		got, r, ok := CutDatagram(rest)
		if !ok || !bytes.Equal(got, d) || (got == nil) != (d == nil) {
			t.Fatalf("frame %d: got %.10q, %v, want %.10q", i, got, ok, d)
		}
		if _, _, ok := CutDatagram(rest[:len(rest)-len(r)-1]); ok {
			t.Errorf("frame %d: got one without its last byte", i)
		}
		rest = r
	}
	if len(rest) != 0 {
		t.Errorf("got %d bytes left, want none", len(rest))
	}
}
