//go:build linux

package intercept

import (
	"testing"

	"golang.org/x/sys/unix"
)

// run executes a filter on a call, as the kernel does.
func run(prog []unix.SockFilter, data map[uint32]uint32) uint32 {
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
		case unix.BPF_JMP | unix.BPF_JSET | unix.BPF_K:
			jump(a&in.K != 0)
		case unix.BPF_RET | unix.BPF_K:
			return in.K
		default:
			return 0
		}
	}
}

func TestFilter(t *testing.T) {
	const arch = 7
	wants := []Want{{Call: 3}, {Call: 5, Arg: 1, Values: []uint32{0, 11}}, {Call: 0}, {Call: 9, Arg: 2, Bits: 256}, {Call: 200},
		{Call: 11, Arg: 1, Except: []uint32{0, 11}}, {Call: 12, Given: 3}, {Call: 13, Arg: 1, Values: []uint32{1, 256}, Given: 3}}
	prog := filter(arch, wants)
	wanted := func(call, first, second, third uint32) bool {
		switch call {
		case 0, 3, 200:
			return true
		case 5:
			return second == 0 || second == 11
		case 9:
			return third&256 != 0
		case 11:
			return second != 0 && second != 11
		case 12:
			return third != 0
		case 13:
			return (second == 1 || second == 256) && third != 0
		}
		return false
	}
	for call := range uint32(300) {
		for _, arg := range []uint32{0, 1, 11, 256, 257, 1<<32 - 2} {
			args := [3]uint32{arg + 1, arg, arg + 2} // the last of them has 0 for its third
			data := map[uint32]uint32{atArch: arch, atCall: call, atArgs: args[0], atArgs + 8: args[1], atArgs + 16: args[2]}
			want := uint32(unix.SECCOMP_RET_ALLOW)
			if wanted(call, args[0], args[1], args[2]) {
				want = unix.SECCOMP_RET_USER_NOTIF
			}
			if got := run(prog, data); got != want {
				t.Errorf("call %d%v: got %#x, want %#x", call, args, got, want)
			}
			data[atArch]++
			if got := run(prog, data); got != unix.SECCOMP_RET_ALLOW {
				t.Errorf("call %d of another architecture: got %#x, want that it is allowed", call, got)
			}
		}
	}
}
