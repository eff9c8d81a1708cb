package uuid

import "testing"

func TestPlanted(t *testing.T) {
	ids := make(chan UUID)
	go func() {
		id, err := NewUUID()
		if err != nil {
			t.Error(err)
		}
		ids <- id
	}()
	mine, err := NewUUID()
	if err != nil {
		t.Error(err)
	}
	if other := <-ids; other == mine {
		t.Errorf("%v was made twice", mine)
	}
}
