package udp

import (
	"net"
	"testing"
)

func TestAdd(t *testing.T) {
	conn, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan bool)
	go func() {
		Serve(conn)
		close(done)
	}()
	sum, err := Add(conn.LocalAddr().String())
	conn.Close()
	<-done
	if err == nil && sum != 1 {
		t.Errorf("the counter has counted %d times", sum)
	}
}
