package xid

import "testing"

func TestPlanted(t *testing.T) {
	ids := make(chan ID)
	go func() { ids <- New() }()
	mine := New()
	if other := <-ids; other == mine {
		t.Errorf("%v was made twice", mine)
	}
}
