package main

import (
	"archive/zip"
	"bytes"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/heddle-mc/heddle/internal/cert"
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
	for name, data := range unpacked(t, "p.zip") {
		write(t, "zip-"+name, data)
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

// TestArchives: both checkers say the same of an archive with the certificates of a package's tests: all are shown, or the one that is asked for, and none may be missing.
func TestArchives(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, "go.mod", []byte("module m\n\ngo 1.26\n"))
	for _, dir := range []string{"p", "cmd"} {
		if err := os.Mkdir(dir, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	write(t, "p/p_test.go", []byte(`package p

import (
	"os"
	"testing"
)

type T struct{}

func (T) TestMethod(t *testing.T) {}

func Testify() {}

func TestMain(m *testing.M) { os.Exit(m.Run()) }

func Test(t *testing.T) { func() { Testify(); T{}.TestMethod(t) }() }

func TestBoth(t *testing.T) {}

func TestSkips(t *testing.T) { t.Skip() }

func Test_leaks(t *testing.T) {
	if !testing.Short() {
		go func() { select {} }()
	}
}

func TestEnds(t *testing.T) {
	c := make(chan int)
	go func() {
		for testing.Short() == false {
			c <- 1
		}
		close(c)
	}()
	for range c {
	}
}
`))
	write(t, "p/x_test.go", []byte("package p_test\n\nimport \"testing\"\n\nfunc TestBoth(t *testing.T) {}\n\nfunc TestÜber(t *testing.T) {}\n"))
	write(t, "cmd/main.go", []byte("package main\n\nfunc main() {}\n"))
	write(t, "cmd/main_test.go", []byte("package main\n\nimport \"testing\"\n\nfunc TestMine(t *testing.T) { main() }\n"))
	for name, args := range map[string][]string{
		"right.zip": {"-skip", "leaks|Ends", "./p"}, "short.zip": {"-short", "./p"}, "cmd.zip": {"./cmd"}, "fewer.zip": {"-property", "race,fatal", "-run", "Both|leaks", "./p"},
	} {
		heddle(append([]string{"test", "-o", "out", "-cert", name}, args...)...)
	}
	both := func(name string, args []string, one, two int, want string) {
		t.Helper()
		is, also, said, text := opinions(args...)
		if is != one || also != two || !strings.Contains(text, want) {
			t.Errorf("%s: heddle certify: exit %d, %s; certcheck: exit %d, %s; want %d and %d, %s", name, is, said, also, text, one, two, want)
		}
	}
	both("a package main", []string{"cmd.zip", "./cmd"}, 0, 0, "certified: 1 tests of ./cmd")
	both("tests are missing", []string{"right.zip", "./p"}, 1, 1, "refused: it has no certificate of Test_leaks")
	for _, name := range []string{"TestBoth", "TestÜber"} {
		both(name, []string{"-run", name, "right.zip", "./p"}, 0, 0, "certified: 1 tests of ./p")
	}
	both("a test that skips itself", []string{"-run", "TestSkips", "right.zip", "./p"}, 0, 0, "is skipped somewhere")
	both("one that was left out", []string{"-run", "Test_leaks", "right.zip", "./p"}, 1, 1, "refused: it has no certificate of Test_leaks")
	both("one that is wrong", []string{"-run", "Test_leaks", "fewer.zip", "./p"}, 1, 1, "violation: ./p.Test_leaks: ")
	both("with other arguments", []string{"-run", "TestEnds", "short.zip", "./p"}, 1, 1, `setting "test-args"`)
	both("of another package", []string{"cmd.zip", "./p"}, 1, 1, "refused: ")
	both("none", []string{"-run", "TestNone", "right.zip", "./p"}, 1, 1, "no test TestNone")
	// Without -short it never ends: that is not what was shown.
	files := unpacked(t, "short.zip")
	files["TestEnds.heddle"] = withSettings(t, files["TestEnds.heddle"], func(list []cert.Pair) []cert.Pair {
		for i := range list {
			list[i].Value = strings.Replace(list[i].Value, `,"-test.short=true"`, "", 1)
		}
		return list
	})
	pack(t, "forged.zip", zip.Store, files)
	both("a test that never ends", []string{"-run", "TestEnds", "forged.zip", "./p"}, 1, 3, "no path came to the end")
	both("one of several is refused", []string{"forged.zip", "./p"}, 1, 1, "refused: ")
	files = unpacked(t, "right.zip")
	pack(t, "packed.zip", zip.Deflate, files)
	both("what is packed twice", []string{"-run", "TestBoth", "packed.zip", "./p"}, 0, 1, "not stored as it is")
	files["other"] = nil
	pack(t, "other.zip", zip.Store, files)
	both("something else is in it", []string{"-run", "TestBoth", "other.zip", "./p"}, 1, 1, `it has "other"`)
	write(t, "none.zip", nil)
	both("an empty file", []string{"-run", "TestBoth", "none.zip", "./p"}, 1, 1, "refused: ")
	for _, args := range [][]string{{"right.zip", "m.mcrl2"}, {"right.zip", "./p", "./cmd"}, {"-server-package", "./cmd", "right.zip", "./p"}} {
		if code, out := certcheck(args...); code != 2 {
			t.Errorf("%v: got exit %d, %s", args, code, out)
		}
	}
}

// unpacked returns the files of an archive.
func unpacked(t *testing.T, name string) map[string][]byte {
	t.Helper()
	z, err := zip.OpenReader(name)
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	files := map[string][]byte{}
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		if files[f.Name], err = io.ReadAll(r); err != nil {
			t.Fatal(err)
		}
	}
	return files
}

// pack writes an archive.
func pack(t *testing.T, name string, method uint16, files map[string][]byte) {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, file := range slices.Sorted(maps.Keys(files)) {
		w, err := z.CreateHeader(&zip.FileHeader{Name: file, Method: method})
		if err == nil {
			_, err = w.Write(files[file])
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	write(t, name, b.Bytes())
}

// withSettings returns a certificate with other settings, and sums that are right.
func withSettings(t *testing.T, data []byte, edit func([]cert.Pair) []cert.Pair) []byte {
	t.Helper()
	c := opened(t, data)
	c.Header.Settings = edit(c.Header.Settings)
	traffic, err := c.Traffic()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cert.Reseal(data, c.Header, traffic)
	if err != nil {
		t.Fatal(err)
	}
	return out
}
