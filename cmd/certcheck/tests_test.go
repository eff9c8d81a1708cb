package main

import (
	"archive/zip"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestAgreeTests: both checkers say the same of the certificates of a package's tests, one by one and in an archive.
func TestAgreeTests(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, "go.mod", []byte("module m\n\ngo 1.26\n"))
	if err := os.Mkdir("p", 0o777); err != nil {
		t.Fatal(err)
	}
	write(t, "p/p_test.go", []byte(`package p

import "testing"

func TestMeet(t *testing.T) {
	c := make(chan int)
	go func() { c <- 1 }()
	<-c
}

func TestLeaks(t *testing.T) {
	go func() { select {} }()
}

func TestParts(t *testing.T) {
	t.Run("one", func(t *testing.T) { t.Parallel() })
	t.Run("two", func(t *testing.T) { t.Parallel() })
}

func TestSkips(t *testing.T) { t.Skip("not here") }
`))
	heddle("test", "-o", "out", "-cert", "certs", "./p")
	heddle("test", "-o", "out", "-cert", "p.zip", "-run", "Meet|Parts|Skips", "./p")
	z, err := zip.OpenReader("p.zip")
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	if code, out := certcheck("-run", "TestMeet", "p.zip", "./p"); code != 1 || !strings.Contains(out, "not a certificate") {
		t.Errorf("an archive: got exit %d, %s", code, out)
	}
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		write(t, "zip-"+filepath.Base(f.Name), data)
	}
	var done []string
	for _, pattern := range []string{"certs/p/*.heddle", "zip-*.heddle"} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			name := strings.TrimPrefix(strings.TrimSuffix(filepath.Base(file), ".heddle"), "zip-")
			if one, two, said, also := opinions("-run", name, file, "./p"); one != 0 || two != 0 {
				t.Errorf("%s: heddle certify: exit %d, %s; certcheck: exit %d, %s", file, one, said, two, also)
			}
			done = append(done, name)
		}
	}
	if one, two, said, also := opinions("-run", "TestLeaks", "certs/p/TestMeet.heddle", "./p"); one != 1 || two != 1 {
		t.Errorf("TestMeet as TestLeaks: heddle certify: exit %d, %s; certcheck: exit %d, %s", one, said, two, also)
	}
	if want := []string{"TestMeet", "TestParts", "TestSkips", "TestMeet", "TestParts", "TestSkips"}; !slices.Equal(done, want) {
		t.Errorf("got certificates of %v, want %v", done, want)
	}
}
