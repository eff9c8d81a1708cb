// Refuse does one of the things that the modelled operating system has not.
package main

import (
	"net"
	"os"
	"os/exec"
	"os/signal"
	"syscall"
	"unsafe"
)

func main() {
	switch os.Args[1] {
	case "lookup":
		net.Dial("tcp", "www.example.org:80")
	case "outside":
		net.Dial("tcp", "192.0.2.1:80")
	case "datagrams":
		net.Dial("udp", "192.0.2.1:7")
	case "raw":
		net.ListenPacket("ip4:icmp", "127.0.0.1")
	case "exclusive":
		var p [2]int
		syscall.Pipe(p[:])
		ep, _ := syscall.EpollCreate1(0)
		syscall.EpollCtl(ep, syscall.EPOLL_CTL_ADD, p[0], &syscall.EpollEvent{Events: syscall.EPOLLIN | 1<<28})
	case "mask":
		set := [1]uint64{1}
		syscall.Syscall6(syscall.SYS_PPOLL, 0, 0, 0, uintptr(unsafe.Pointer(&set)), 8, 0)
	case "netlink":
		syscall.NetlinkRIB(syscall.RTM_GETROUTE, syscall.AF_UNSPEC)
	case "ancillary":
		pair, _ := syscall.Socketpair(syscall.AF_UNIX, syscall.SOCK_STREAM, 0)
		syscall.Sendmsg(pair[0], []byte("x"), syscall.UnixRights(0), nil, 0)
	case "ioctl":
		pair, _ := syscall.Socketpair(syscall.AF_UNIX, syscall.SOCK_STREAM, 0)
		syscall.Syscall(syscall.SYS_IOCTL, uintptr(pair[0]), 0x541b, 0) // FIONREAD
	case "sockopt":
		pair, _ := syscall.Socketpair(syscall.AF_UNIX, syscall.SOCK_STREAM, 0)
		syscall.SetsockoptInt(pair[0], syscall.SOL_SOCKET, syscall.SO_RCVLOWAT, 2)
	case "timelimit":
		pair, _ := syscall.Socketpair(syscall.AF_UNIX, syscall.SOCK_STREAM, 0)
		syscall.SetsockoptTimeval(pair[0], syscall.SOL_SOCKET, syscall.SO_RCVTIMEO, &syscall.Timeval{Sec: 1})
		syscall.Write(pair[1], []byte("x"))
		b := make([]byte, 9)
		if n, err := syscall.Read(pair[0], b); n != 1 || err != nil { // it need not wait
			panic(err)
		}
		syscall.Read(pair[0], b)
	case "hostsock":
		net.Dial("unix", os.TempDir()+"/sock")
	case "process":
		exec.Command("/bin/true").Run()
	case "exec":
		syscall.Exec("/bin/true", nil, nil)
	case "signal":
		c := make(chan os.Signal, 1)
		signal.Notify(c, os.Interrupt)
		<-c
	case "kill":
		syscall.Kill(syscall.Getpid(), syscall.SIGTERM)
	case "fifo":
		syscall.Mkfifo("fifo", 0o600)
	case "mapping":
		f, _ := os.CreateTemp("", "")
		f.Truncate(10)
		syscall.Mmap(int(f.Fd()), 0, 10, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_SHARED)
	case "mapped":
		f, _ := os.CreateTemp("", "")
		f.Truncate(10)
		b, _ := syscall.Mmap(int(f.Fd()), 0, 10, syscall.PROT_READ, syscall.MAP_SHARED)
		f.WriteAt([]byte("x"), 0)
		println(b[0])
	case "unknown":
		syscall.Syscall(syscall.SYS_PTRACE, 0, 0, 0)
	}
}
