//go:build linux

package host

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/heddle-mc/heddle/internal/kernel/linux"
)

// A door over package os answers as the one over system calls does, here where there are both.
func TestPortable(t *testing.T) {
	real, portable := tree(t), tree(t)
	want, got := answers(t, &Real{}, real), answers(t, streamless{}, portable)
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("got %s\nwant %s", got[i], want[i])
		}
	}
	if len(want) < 60 {
		t.Errorf("%d answers, want more", len(want))
	}
}

// A streamless is a whole door.
type streamless struct{ Portable }

func (streamless) Std(int) File { return nil }

// tree makes some files.
func tree(t *testing.T) string {
	dir := t.TempDir()
	for _, err := range []error{
		os.WriteFile(filepath.Join(dir, "file"), []byte("hello"), 0o640),
		os.Mkdir(filepath.Join(dir, "dir"), 0o755),
		os.WriteFile(filepath.Join(dir, "dir", "inner"), nil, 0o600),
		os.Symlink("file", filepath.Join(dir, "link")),
		os.Symlink("nothing", filepath.Join(dir, "dangling")),
		os.Chmod(filepath.Join(dir, "dir"), 0o755|os.ModeSticky),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// answers are what a door says to many questions.
func answers(t *testing.T, door Door, dir string) (list []string) {
	say := func(format string, args ...any) { list = append(list, fmt.Sprintf(format, args...)) }
	stat := func(what string, st linux.Stat, e linux.Errno) {
		if e == 0 && st.Mode&linux.S_IFMT == linux.S_IFDIR {
			st.Size = 0 // depends on what was in it
		}
		say("%s: mode %o, size %d, links %d, of %d and %d: %s", what, st.Mode, st.Size, st.Nlink, st.Uid, st.Gid, e.Name())
	}
	top, e := door.Open(nil, dir, linux.O_RDONLY|linux.O_DIRECTORY, 0)
	if e != 0 {
		t.Fatal(e)
	}
	names := func(what string) {
		d, e := door.Open(nil, dir+"/dir", linux.O_RDONLY|linux.O_DIRECTORY, 0)
		if e != 0 {
			say("%s: %s", what, e.Name())
			return
		}
		all, e := Names(d)
		slices.Sort(all)
		say("%s: %q %s", what, all, e.Name())
		d.Close()
	}
	for _, name := range []string{"file", "dir", "dir/", "link", "dangling", "nothing", "file/x", "dir/../file", "dir/inner", ".", ""} {
		for _, follow := range []bool{true, false} {
			st, e := door.Stat(top, name, follow)
			stat(fmt.Sprint("stat ", name, " ", follow), st, e)
		}
		target, e := door.Readlink(top, name)
		say("readlink %s: %q %s", name, target, e.Name())
		say("access %s: %s", name, door.Access(top, name, 4, 0).Name())
		for _, flags := range []int{linux.O_RDONLY, linux.O_DIRECTORY, linux.O_NOFOLLOW, linux.O_RDWR, linux.O_WRONLY | linux.O_CREAT | linux.O_EXCL} {
			f, e := door.Open(top, name, flags, 0o644)
			say("open %s %#x: %s", name, flags, e.Name())
			if e == 0 {
				st, e := f.Stat()
				stat("fstat", st, e)
				f.Close()
			}
		}
		if name == "nothing" || name == "dangling" {
			os.Remove(filepath.Join(dir, "nothing"))
		}
	}
	names("names")

	f, e := door.Open(top, "new", linux.O_RDWR|linux.O_CREAT, 0o600)
	say("create: %s", e.Name())
	buf := make([]byte, 8)
	for _, do := range []func() (int64, linux.Errno){
		func() (int64, linux.Errno) { n, e := f.Write([]byte("abcdef")); return int64(n), e },
		func() (int64, linux.Errno) { n, e := f.Read(buf); return int64(n), e },
		func() (int64, linux.Errno) { return f.Lseek(2, 0) },
		func() (int64, linux.Errno) { return f.Lseek(-9, 1) },
		func() (int64, linux.Errno) { return f.Lseek(0, 9) },
		func() (int64, linux.Errno) { n, e := f.Read(buf); return int64(n), e },
		func() (int64, linux.Errno) { n, e := f.ReadAt(buf, 1); return int64(n), e },
		func() (int64, linux.Errno) { n, e := f.ReadAt(buf, 100); return int64(n), e },
		func() (int64, linux.Errno) { n, e := f.ReadAt(buf, -1); return int64(n), e },
		func() (int64, linux.Errno) { n, e := f.WriteAt([]byte("xyz"), 4); return int64(n), e },
		func() (int64, linux.Errno) { n, e := f.Getdents(buf); return int64(n), e },
		func() (int64, linux.Errno) { return 0, f.Change(Change{Op: Truncate, Size: 3}) },
		func() (int64, linux.Errno) { return 0, f.Change(Change{Op: Chmod, Mode: 0o444}) },
		func() (int64, linux.Errno) { return 0, f.Change(Change{Op: Sync}) },
		func() (int64, linux.Errno) { return 0, f.Close() },
	} {
		n, e := do()
		say("%d %s %q", n, e.Name(), strings.TrimRight(string(buf), "\x00"))
	}
	st, e := door.Stat(top, "new", true)
	stat("new", st, e)

	for _, c := range []Change{
		{Op: Mkdir, Path: "made", Mode: 0o700}, {Op: Mkdir, Path: "made", Mode: 0o700}, {Op: Mkdir, Path: "no/where"}, {Op: Unlink, Path: "made"},
		{Op: Rmdir, Path: "file"}, {Op: Rmdir, Path: "dir"}, {Op: Rename, Path: "made", To: "moved"}, {Op: Rename, Path: "made", To: "moved"},
		{Op: Link, Path: "file", To: "second"}, {Op: Link, Path: "file", To: "second"}, {Op: Symlink, Path: "anything", To: "soft"},
		{Op: Chmod, Path: "file", Mode: 0o600}, {Op: Chmod, Path: "nothing", Mode: 0o600}, {Op: Chown, Path: "file", UID: -1, GID: -1},
		{Op: Truncate, Path: "file", Size: 2}, {Op: Truncate, Path: "nothing"}, {Op: Times, Path: "file", Atime: OmitTime, Mtime: 123456789},
		{Op: Rmdir, Path: "moved"}, {Op: Unlink, Path: "soft"}, {Op: Unlink, Path: "soft"}, {Op: Unlink, Path: "dir/inner"},
	} {
		c.Dir, c.ToDir = top, top
		say("change %d %s %s: %s", c.Op, c.Path, c.To, door.Change(c).Name())
	}
	st, e = door.Stat(top, "file", true)
	stat("file", st, e)
	say("changed at %d: %s", st.Mtim.Nano(), e.Name())
	names("names")
	top.Close()
	return list
}

// Small buffers get directories in several calls.
func TestPortableGetdents(t *testing.T) {
	f, e := Portable{}.Open(nil, tree(t), linux.O_RDONLY, 0)
	if e != 0 {
		t.Fatal(e)
	}
	if _, e := f.Getdents(make([]byte, 8)); e != linux.EINVAL {
		t.Errorf("a buffer of 8 bytes: got %v, want %v", e, linux.EINVAL)
	}
	calls := 0
	for ; ; calls++ {
		n, e := f.Getdents(make([]byte, 40))
		if e != 0 {
			t.Fatal(e)
		}
		if n == 0 {
			break
		}
	}
	if calls != 6 { // ".", "..", dangling, dir, file, link: one fits at a time
		t.Errorf("%d calls, want 6", calls)
	}
}

func TestDrives(t *testing.T) {
	for _, test := range []struct {
		path, want string
		e          linux.Errno
	}{
		{"/", "", 0}, {"/C:", `C:\`, 0}, {"/c:/", `c:\`, 0}, {"/C:/a/b", `C:\a\b`, 0}, {"/C:/a/../b", `C:\b`, 0}, {"/tmp", `T:\temp\`, 0},
		{"/tmp/x", `T:\temp\x`, 0}, {"/etc/passwd", "", linux.ENOENT}, {"/C:/a:b", "", linux.ENOENT}, {`/C:/a\b`, "", linux.ENOENT},
		{"/..", "", 0}, {"/tmp/../C:/x", `C:\x`, 0},
	} {
		if got, e := drivePath(test.path, `T:\temp`); got != test.want || e != test.e {
			t.Errorf("%s: got %q %v, want %q %v", test.path, got, e, test.want, test.e)
		}
	}
	for path, want := range map[string]string{`C:\a\b`: "/C:/a/b", `\\?\C:\a`: "/C:/a", `a\b`: "a/b", `D:`: "/D:", "": ""} {
		if got := fromDrive(path); got != want {
			t.Errorf("%s: got %q, want %q", path, got, want)
		}
	}
}

// Flags of other processors have other numbers.
func TestHostFlags(t *testing.T) {
	dir := tree(t)
	if _, e := (&Real{}).Open(nil, dir+"/file", linux.O_DIRECTORY, 0); e != linux.ENOTDIR {
		t.Errorf("a file as a directory: got %v, want %v", e, linux.ENOTDIR)
	}
	if _, e := (&Real{}).Open(nil, dir+"/link", linux.O_NOFOLLOW, 0); e != linux.ELOOP {
		t.Errorf("a link that is not followed: got %v, want %v", e, linux.ELOOP)
	}
	if f, e := (&Real{}).Open(nil, dir+"/file", linux.OLargeFile, 0); e != 0 {
		t.Errorf("a large file: got %v", e)
	} else {
		f.Close()
	}
}
