package kernel

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/heddle-mc/heddle/internal/kernel/files"
	"github.com/heddle-mc/heddle/internal/kernel/host"
	"github.com/heddle-mc/heddle/internal/kernel/linux"
	"github.com/heddle-mc/heddle/internal/kernel/process"
)

// TestOpenLinks opens and creates files by links whose targets end in a slash, and holds
// both kinds of kernel against the host.
func TestOpenLinks(t *testing.T) {
	links := map[string]string{
		"self": "self", "selfslash": "selfslash/", "file": "f/", "nothing": "no/", "directory": "d/", "deep": "no/x/", "below": "f/x/",
		"two": "selfslash", "twoslash": "file/", "dot": "d/./",
	}
	var roots [3]string
	for i := range roots {
		roots[i] = t.TempDir()
		for _, err := range []error{os.Mkdir(filepath.Join(roots[i], "d"), 0o755), os.WriteFile(filepath.Join(roots[i], "f"), nil, 0o644)} {
			if err != nil {
				t.Fatal(err)
			}
		}
		for name, target := range links {
			if err := os.Symlink(target, filepath.Join(roots[i], name)); err != nil {
				t.Fatal(err)
			}
		}
	}
	t.Chdir(roots[0])
	real := &realHost{map[int]int{}}
	opt := Options{Identity: process.Identity{UID: os.Getuid(), GID: os.Getgid()}, Dir: roots[1], Through: true}
	kernels := map[string]*Kernel{"through": New(&host.Real{}, opt)}
	opt.Dir, opt.Through = roots[2], false
	kernels["overlay"] = New(&host.Real{}, opt)
	open := func(c calls, name string, flags int) linux.Errno {
		fd, e := c.Openat(files.AtCwd, name, flags, 0o640)
		if e == 0 {
			c.Close(fd)
		}
		return e
	}
	for name := range links {
		for _, name := range []string{name, name + "/"} {
			for _, flags := range []int{
				linux.O_RDWR, linux.O_RDONLY, linux.O_RDONLY | linux.O_NOFOLLOW, linux.O_RDWR | linux.O_CREAT,
				linux.O_RDWR | linux.O_CREAT | linux.O_EXCL, linux.O_RDONLY | linux.O_CREAT,
				linux.O_RDONLY | linux.O_CREAT | linux.O_NOFOLLOW,
			} {
				want := open(real, name, flags)
				for kind, k := range kernels {
					if got := open(k, name, flags); got != want {
						t.Errorf("%s: open %s with flags %#x: got %v, want %v", kind, name, flags, got, want)
					}
				}
			}
		}
	}
}
