package nuid

import "testing"

func TestPlanted(t *testing.T) {
	ids := make(chan string)
	go func() { ids <- Next() }()
	mine := Next()
	if other := <-ids; other == mine {
		t.Errorf("%s was made twice", mine)
	}
}
