package cron

import (
	"testing"
	"time"
)

// Stop's context ends when jobs that have begun are done.
func TestPlanted(t *testing.T) {
	c := New()
	begun := make(chan bool)
	done := false
	c.startJob(FuncJob(func() { done = true }))
	go func() {
		<-c.Stop().Done()
		begun <- done
	}()
	select {
	case ok := <-begun:
		if !ok {
			t.Error("the job is not done")
		}
	case <-time.After(time.Hour):
		t.Error("Stop does not come to its end")
	}
}
