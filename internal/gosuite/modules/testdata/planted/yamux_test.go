package yamux

import (
	"io"
	"testing"
)

// One end says a word, the other hears it.
func TestPlanted(t *testing.T) {
	conf := DefaultConfig()
	conf.EnableKeepAlive = false
	conf.LogOutput = io.Discard
	a, b := testConnPipe(t)
	client, err := Client(a, conf)
	if err != nil {
		t.Fatal(err)
	}
	server, err := Server(b, conf)
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	defer server.Close()
	said := make(chan bool)
	go func() {
		defer close(said)
		out, err := client.Open()
		if err != nil {
			t.Error(err)
			return
		}
		if _, err := out.Write([]byte("hello")); err != nil {
			t.Error(err)
		}
	}()
	in, err := server.Accept()
	if err != nil {
		t.Fatal(err)
	}
	word := make([]byte, 5)
	if _, err := io.ReadFull(in, word); err != nil || string(word) != "hello" {
		t.Errorf("got %q, %v", word, err)
	}
	<-said
}
