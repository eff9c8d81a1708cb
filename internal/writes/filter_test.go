package writes

import (
	"testing"

	"golang.org/x/sys/unix"
)

// run executes a filter on a call, as the kernel does.
func run(prog []unix.SockFilter, arch, call uint32) uint32 {
	data := map[uint32]uint32{atArch: arch, atCall: call}
	var a uint32
	for pc := 0; ; pc++ {
		in := prog[pc]
		jump := func(yes bool) {
			if yes {
				pc += int(in.Jt)
			} else {
				pc += int(in.Jf)
			}
		}
		switch in.Code {
		case unix.BPF_LD | unix.BPF_W | unix.BPF_ABS:
			a = data[in.K]
		case unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K:
			jump(a == in.K)
		case unix.BPF_RET | unix.BPF_K:
			return in.K
		default:
			return 0
		}
	}
}

func TestFilter(t *testing.T) {
	const arch = 7
	prog := filter(arch)
	watched := make(map[uint32]bool)
	for _, call := range calls {
		watched[call] = true
	}
	for call := range uint32(500) {
		want := uint32(unix.SECCOMP_RET_ALLOW)
		if watched[call] {
			want = unix.SECCOMP_RET_USER_NOTIF
		}
		if got := run(prog, arch, call); got != want {
			t.Errorf("call %d: got %#x, want %#x", call, got, want)
		}
		if got := run(prog, arch+1, call); got != unix.SECCOMP_RET_ALLOW {
			t.Errorf("call %d of another architecture: got %#x, want that it is allowed", call, got)
		}
	}
}
