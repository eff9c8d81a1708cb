package natsqueue

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/heddle-mc/heddle/internal/natsqueue/queuetest"
)

// TestReplicas: in a cluster without three servers things are kept on one, which is said,
// or on as many as is asked for, also where jobs were kept on fewer before.
func TestReplicas(t *testing.T) {
	c := queuetest.Start(t, 2)
	for _, test := range []struct{ asked, want int }{{0, 1}, {2, 2}} {
		var said []string
		q, err := Connect(t.Context(), c.URL(), Credentials{}, Options{Replicas: test.asked, Log: func(text string) { said = append(said, text) }})
		if err != nil {
			t.Fatal(err)
		}
		defer q.Close()
		j := open(t, q, 1)
		checkReplicas(t, q, j, test.want)
		if told := strings.Contains(strings.Join(said, "\n"), "kept on one server"); told != (test.want < 2) {
			t.Errorf("%d asked for: got %q, want that it is said if one server has the work", test.asked, said)
		}
		if err := j.End(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
}

func checkReplicas(t *testing.T, q *Queue, j *Job, want int) {
	t.Helper()
	for _, name := range []string{"KV_" + jobsBucket, j.tasks(), j.results(), "OBJ_" + j.objects()} {
		s, err := q.js.Stream(t.Context(), name)
		if err != nil {
			t.Fatal(err)
		}
		c := s.CachedInfo().Config
		if c.Replicas != want {
			t.Errorf("%s: got %d replicas, want %d", name, c.Replicas, want)
		}
		if c.AllowDirect && name != j.results() {
			t.Errorf("%s: others than the leader may be asked", name)
		}
	}
}

// TestLostServer: a cluster that loses the server that leads the tasks keeps all tasks,
// blobs and results, and takes new ones.
func TestLostServer(t *testing.T) {
	c := queuetest.Start(t, 3)
	q, err := Connect(t.Context(), c.URL(), Credentials{}, Options{Stall: time.Second})
	if err != nil {
		t.Fatal(err)
	}
	defer q.Close()
	j := open(t, q, 6)
	checkReplicas(t, q, j, 3)
	if err := j.Put(t.Context(), "blob", strings.NewReader("blob of j")); err != nil {
		t.Fatal(err)
	}
	var some sync.WaitGroup
	some.Add(3)
	var begun [3]sync.Once // a busy server may give out a task twice
	lost := make(chan struct{})
	for i := range 2 {
		w, err := Connect(t.Context(), c.URL(), Credentials{}, Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer w.Close()
		hire(t, w, fmt.Sprintf("w%d", i), func(ctx context.Context, task *Task) ([]byte, error) {
			switch {
			case task.Data[0] < 3:
				begun[task.Data[0]].Do(some.Done)
			case task.Data[0] < 6:
				<-lost
			}
			blob, err := task.Job.Bytes(ctx, "blob", 1<<20)
			if err != nil || string(blob) != "blob of j" {
				return nil, fmt.Errorf("got blob %q, %v", blob, err)
			}
			return double(ctx, task)
		})
	}
	some.Wait()
	c.Stop(c.Leader(j.tasks()))
	close(lost)
	for i := 6; i < 9; i++ {
		if err := j.Add(t.Context(), fmt.Sprintf("t%d", i), "k", []byte{byte(i)}); err != nil {
			t.Fatal(err)
		}
	}
	got := collect(t, j, 9)
	for i := range 9 {
		if r := got[fmt.Sprintf("t%d", i)]; !bytes.Equal(r.Data, []byte{byte(2 * i)}) || r.Failed != "" {
			t.Errorf("task %d: got %v", i, r)
		}
	}
	if err := j.End(t.Context()); err != nil {
		t.Error(err)
	}
}
