package iocache

import (
	"bytes"
	"testing"
)

func TestDatagramFrames(t *testing.T) {
	var stream []byte
	want := []Datagram{
		{Data: []byte("a")}, {Data: []byte{}}, {Data: bytes.Repeat([]byte("x"), 65507)}, {Unreachable: true},
		{Data: []byte("b"), Port: 25600}, {Data: []byte{}, Port: 1}, {Unreachable: true, Port: 65535}, {Data: []byte("end")},
	}
	for _, d := range want {
		stream = AppendDatagram(stream, d)
	}
	rest := stream
	for i, d := range want {
		got, r, ok := CutDatagram(rest)
		if !ok || !bytes.Equal(got.Data, d.Data) || got.Port != d.Port || got.Unreachable != d.Unreachable {
			t.Fatalf("frame %d: got %.10q, %v, want %.10q", i, got.Data, ok, d.Data)
		}
		size := len(rest) - len(r)
		for cut := range min(size, 9) {
			if _, left, ok := CutDatagram(rest[:size-1-cut]); ok || len(left) != size-1-cut {
				t.Errorf("frame %d: got one without its last %d bytes", i, cut+1)
			}
		}
		rest = r
	}
	if len(rest) != 0 {
		t.Errorf("got %d bytes left, want none", len(rest))
	}
}
