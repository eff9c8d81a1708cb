package explore

import (
	"bufio"
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/heddle-mc/heddle/internal/lts"
	"github.com/heddle-mc/heddle/internal/lts/ltstest"
	"github.com/heddle-mc/heddle/internal/stateset"
	"github.com/zeebo/xxh3"
	"pgregory.net/rapid"
)

// resumable are the searches with checkpoints.
func resumable() map[string]Options {
	all := complete()
	for name, o := range all {
		if o.Strategy > BreadthFirst || o.Strategy == DepthFirst && o.Workers > 1 {
			delete(all, name)
		}
	}
	return all
}

// TestResume interrupts searches again and again, and compares the end with that
// of searches that were not interrupted.
func TestResume(t *testing.T) {
	file := filepath.Join(t.TempDir(), "checkpoint")
	rapid.Check(t, func(t *rapid.T) {
		g := ltstest.DrawGraph(t, 120)
		m := g.Model(2, rapid.SampledFrom([]int{0, 11}).Draw(t, "wrong"))
		stride := rapid.Int64Range(1, 40).Draw(t, "stride")
		for name, o := range resumable() {
			o.All = true
			want := runToy(t, m, o)
			o.Checkpoint, o.Identity = file, "graph"
			o.Limits.States = 1
			got := runToy(t, m, o)
			stops := 0
			for ; len(got.Left) > 0; stops++ {
				o.Resume = file
				o.Limits.States += stride
				got = runToy(t, m, o)
			}
			if got.String() != want.String() {
				t.Fatalf("%s: after %d stops got\n%v\nwant\n%v", name, stops, got, want)
			}
		}
	})
}

// TestResumeOnDisk goes from a set in memory to one on disk.
func TestResumeOnDisk(t *testing.T) {
	dir := t.TempDir()
	m := ltstest.Grid(4, 5) // 6^4 states
	o := Options{Strategy: BreadthFirst, Limits: Limits{States: 700}, Checkpoint: filepath.Join(dir, "c")}
	runToy(t, m, o)
	o.Resume, o.Limits = o.Checkpoint, Limits{}
	o.NewSet = func() stateset.Set { return stateset.NewDisk(dir, 0) }
	if r := runToy(t, m, o); r.Verdict != Verified || r.States != 1296 || r.Transitions != 4320 {
		t.Errorf("got %v, want 1296 states verified", r)
	}
}

// TestCheckpointEvery resumes from checkpoints that were written on the way.
func TestCheckpointEvery(t *testing.T) {
	for name, o := range resumable() {
		file := filepath.Join(t.TempDir(), "c")
		o.Checkpoint, o.CheckpointEvery = file, 300
		want := runToy(t, ltstest.Ring(7), o)
		o.Resume = file
		if got := runToy(t, ltstest.Ring(7), o); got.String() != want.String() || got.Verdict != Verified {
			t.Errorf("%s: got\n%v\nwant\n%v", name, got, want)
		}
	}
}

func TestBadCheckpoints(t *testing.T) {
	for name, o := range resumable() {
		file := filepath.Join(t.TempDir(), "c")
		o.Checkpoint, o.Identity, o.Limits.States = file, "jugs", 9
		m := ltstest.Jugs()
		m.Wrong = nil
		runToy(t, m, o)
		good, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		resume := func(change func(*Options), data []byte) error {
			bad := filepath.Join(t.TempDir(), "bad")
			if err := os.WriteFile(bad, data, 0o600); err != nil {
				t.Fatal(err)
			}
			o := o
			o.Resume, o.Checkpoint = bad, ""
			change(&o)
			_, err := Run(func() (lts.System, error) { return ltstest.New(m), nil }, o)
			return err
		}
		same := func(*Options) {}
		if err := resume(same, good); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		for i := 0; i < len(good); i += 7 {
			bad := bytes.Clone(good)
			bad[i] ^= 4
			want := "checksum"
			if i >= len(good)-sealSize {
				want = "not sealed"
			}
			if err := resume(same, bad); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: byte %d changed: got error %v, want %q", name, i, err, want)
			}
		}
		for want, err := range map[string]error{
			"too short":     resume(same, good[:20]),
			"checksum":      resume(same, good[:len(good)-1]),
			"not sealed":    resume(func(o *Options) { o.Key = []byte("another") }, good),
			`want "rings"`:  resume(func(o *Options) { o.Identity = "rings" }, good),
			`search "\x00"`: resume(same, edited(good, `"Strategy":"`+fmt.Sprint(o.Strategy)+`"`, "\"Strategy\":\"\\u0000\"")),
			"reduction":     resume(func(o *Options) { o.Reduce = true }, good),
			"want " + fmt.Sprint(BreadthFirst-o.Strategy): resume(func(o *Options) { o.Strategy, o.Workers = BreadthFirst-o.Strategy, 1 }, good),
		} {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: got error %v, want %q", name, err, want)
			}
		}
	}
}

// edited returns a checkpoint with another text in its head, of which sum and seal are right.
func edited(data []byte, old, new string) []byte {
	at := len(checkpointMagic)
	length, n := binary.Uvarint(data[at:])
	body := at + n + int(length)
	head := strings.Replace(string(data[at+n:body]), old, new, 1)
	out := append([]byte(checkpointMagic), binary.AppendUvarint(nil, uint64(len(head)))...)
	out = append(append(out, head...), data[body:len(data)-checksumSize-sealSize]...)
	sum, seal := xxh3.Hash128(out).Bytes(), hmac.New(sha256.New, nil)
	seal.Write(out)
	return append(append(out, sum[:]...), seal.Sum(nil)...)
}

// FuzzCheckpoint reads what is behind a right checksum.
func FuzzCheckpoint(f *testing.F) {
	m := ltstest.Jugs()
	for _, s := range []Strategy{DepthFirst, BreadthFirst} {
		file := filepath.Join(f.TempDir(), "c")
		m.Wrong = nil
		runToy(f, m, Options{Strategy: s, Checkpoint: file, Limits: Limits{States: 9},
			NewSet: func() stateset.Set { return stateset.NewExact() }})
		data, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(s == BreadthFirst, data[:len(data)-checksumSize-sealSize])
	}
	f.Fuzz(func(t *testing.T, wide bool, data []byte) {
		o := Options{NewSet: func() stateset.Set { return stateset.NewExact() }}
		r := bufio.NewReader(bytes.NewReader(data))
		c := newCursor(ltstest.New(m), false)
		if wide {
			o.Strategy = BreadthFirst
			s := newSearch(o)
			s.read(r, c, (&breadthFirst{search: s, f: newForest()}).readForest)
		} else {
			s := newSearch(o)
			s.read(r, c, newDepthFirst(s, c).readStack)
		}
	})
}
