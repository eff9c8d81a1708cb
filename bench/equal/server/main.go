// Command server is a server that gives trouble: it becomes a daemon, dies, floods, or stays silent.
//
//	server ADDR daemon | early | late | flood | silent
package main

import (
	"bufio"
	"fmt"
	"net"
	"os"
	"os/exec"
	"strings"
	"syscall"
)

func main() {
	addr, kind := os.Args[1], os.Args[2]
	switch kind {
	case "early":
		fmt.Println("no configuration")
		os.Exit(3)
	case "daemon":
		leave()
	}
	l, err := net.Listen("tcp", addr)
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	for {
		c, err := l.Accept()
		if err != nil {
			os.Exit(1)
		}
		go serve(c, kind)
	}
}

// leave leaves a child behind, in a session of its own, which does the same once more.
func leave() {
	n := os.Getenv("GENERATION")
	if len(n) == 2 {
		return
	}
	cmd := exec.Command(os.Args[0], os.Args[1:]...)
	cmd.Env = append(os.Environ(), "GENERATION="+n+"x")
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := cmd.Start(); err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	os.Exit(0)
}

func serve(c net.Conn, kind string) {
	for in := bufio.NewScanner(c); in.Scan(); {
		switch kind {
		case "late":
			fmt.Println("out of memory")
			os.Exit(3)
		case "flood":
			for {
				if _, err := c.Write(make([]byte, 1<<16)); err != nil {
					return
				}
			}
		case "silent":
			continue
		}
		fmt.Fprintf(c, "%s\n", strings.ToUpper(in.Text()))
	}
}
