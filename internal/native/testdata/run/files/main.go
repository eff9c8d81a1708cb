// Files is a program whose output depends on everything that package os does
// with files.
package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

func check(err error) {
	if err != nil {
		fmt.Println("error:", err)
		os.Exit(1)
	}
}

func main() {
	dir, err := os.MkdirTemp("", "heddle")
	check(err)
	dir, err = filepath.EvalSymlinks(dir)
	check(err)
	write(dir)
	change(dir)
	root(dir)
	check(os.Chdir("/"))
	check(os.RemoveAll(dir))
	_, err = os.Stat(dir)
	fmt.Println(errors.Is(err, fs.ErrNotExist))

	in, err := io.ReadAll(os.Stdin)
	fmt.Printf("%q %v\n", in, err)
	fmt.Println(len(os.Args), os.Args[1:], os.Getenv("HEDDLE_TEST"), os.Getpid() > 0)
	defer fmt.Println("not printed")
	os.Exit(7)
}

func write(dir string) {
	name := filepath.Join(dir, "x.txt")
	check(os.WriteFile(name, []byte("hello\nworld\n"), 0o644))
	data, err := os.ReadFile(name)
	fmt.Printf("%q %v\n", data, err)
	st, err := os.Stat(name)
	check(err)
	fmt.Println(st.Name(), st.Size(), st.Mode())
	check(os.MkdirAll(filepath.Join(dir, "a/b/c"), 0o755))
	check(os.Rename(name, filepath.Join(dir, "a/y.txt")))

	f, err := os.OpenFile(filepath.Join(dir, "a/y.txt"), os.O_APPEND|os.O_RDWR, 0)
	check(err)
	fmt.Fprintf(f, "more %d\n", 42)
	_, err = f.Seek(0, io.SeekStart)
	check(err)
	for sc := bufio.NewScanner(f); sc.Scan(); {
		fmt.Println("line", sc.Text())
	}
	check(f.Truncate(3))
	check(f.Close())
	_, err = f.Read(nil)
	fmt.Println(errors.Is(err, fs.ErrClosed))
}

func change(dir string) {
	check(os.Chdir(dir))
	wd, err := os.Getwd()
	fmt.Println(wd == dir, err)
	check(os.Symlink("a/y.txt", "link"))
	target, err := os.Readlink("link")
	fmt.Println(target, err)
	check(os.Link("a/y.txt", "hard"))
	check(os.Chtimes("hard", time.Unix(1, 0), time.Unix(2, 0)))
	check(os.Chmod("hard", 0o600))
	st, err := os.Stat("link")
	check(err)
	fmt.Println(st.ModTime().Unix(), st.Mode(), st.Size())
	fmt.Println(os.Remove("a")) // it is not empty
	fmt.Println(os.Mkdir("a", 0o700))
	fmt.Println(os.ReadFile("a"))
	filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		fmt.Println("walk", path, d.Type(), err)
		return nil
	})
}

func root(dir string) {
	r, err := os.OpenRoot(dir)
	check(err)
	defer r.Close()
	f, err := r.Create("inside")
	check(err)
	fmt.Println(f.WriteString("x"))
	check(f.Close())
	_, err = r.Open("../outside")
	fmt.Println(err)
	check(r.Remove("inside"))
}
