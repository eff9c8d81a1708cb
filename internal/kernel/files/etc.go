package files

import (
	"path"
	"strings"

	"github.com/heddle-mc/heddle/internal/kernel/keys"
	"github.com/heddle-mc/heddle/internal/kernel/linux"
	"github.com/heddle-mc/heddle/internal/kernel/process"
)

// nameServer is the address of the name server that /etc/resolv.conf tells of.
const nameServer = "127.0.0.53"

// systemFile returns the content of a file that describes the modelled machine's
// network, whatever the host has under that name. Package net reads them.
// Missing tells that there is no such file.
func (k *System) systemFile(name string) (content string, missing, ok bool) {
	switch name {
	case "/etc/hosts":
		// As Ubuntu has it: localhost has one address only, so that connecting to
		// it is no race between two.
		hosts := "127.0.0.1\tlocalhost\n::1\tip6-localhost ip6-loopback\n"
		if k.Hostname != "localhost" {
			hosts += "127.0.0.1\t" + k.Hostname + "\n"
		}
		return hosts + k.opt.Hosts, false, true
	case "/etc/resolv.conf":
		return "nameserver " + nameServer + "\nsearch .\n", false, true
	case "/etc/nsswitch.conf":
		return "hosts: files dns\nservices: files\nprotocols: files\n", false, true
	case "/etc/services":
		return services, false, true
	case "/etc/protocols":
		return protocols, false, true
	case "/proc/sys/net/core/somaxconn":
		return "4096\n", false, true
	case "/etc/mdns.allow":
		return "", true, true
	}
	return "", false, false
}

const protocols = `ip	0	IP
icmp	1	ICMP
igmp	2	IGMP
tcp	6	TCP
udp	17	UDP
ipv6	41	IPv6
ipv6-icmp	58	IPv6-ICMP
`

const services = `echo	7/tcp
echo	7/udp
discard	9/tcp
discard	9/udp
daytime	13/tcp
daytime	13/udp
ftp-data	20/tcp
ftp	21/tcp
ssh	22/tcp
telnet	23/tcp
smtp	25/tcp
time	37/tcp
time	37/udp
domain	53/tcp
domain	53/udp
tftp	69/udp
finger	79/tcp
http	80/tcp	www
pop3	110/tcp
ntp	123/udp
imap2	143/tcp	imap
snmp	161/udp
ldap	389/tcp
https	443/tcp
https	443/udp
submission	587/tcp
ldaps	636/tcp
imaps	993/tcp
pop3s	995/tcp
`

// isSystem returns the file if a place names one. Links that lead to it do not
// count.
func (k *System) isSystem(at place) (f *systemFile, e linux.Errno, ok bool) {
	if at.dir != nil || !strings.HasPrefix(at.path, "/etc/") && !strings.HasPrefix(at.path, "/proc/") {
		return nil, 0, false
	}
	name := path.Clean(at.path)
	content, missing, ok := k.systemFile(name)
	if missing {
		e = linux.ENOENT
	}
	return &systemFile{k: k, name: name, content: content}, e, ok
}

// A systemFile is an open file of the modelled machine. It can only be read.
type systemFile struct {
	process.Plain
	k             *System
	name, content string
}

func (f *systemFile) Read(d *process.Desc, p []byte) (int, linux.Errno) {
	n, e := f.Pread(p, d.Off)
	if n > 0 {
		f.k.Touch(d)
		d.Off += int64(n)
	}
	return n, e
}

func (f *systemFile) Pread(p []byte, off int64) (int, linux.Errno) {
	if off >= int64(len(f.content)) {
		return 0, 0
	}
	return copy(p, f.content[off:]), 0
}

func (f *systemFile) Seek(d *process.Desc, off int64, whence int) (int64, linux.Errno) {
	switch whence {
	case 1:
		off += d.Off
	case 2:
		off += int64(len(f.content))
	}
	if off < 0 || whence < 0 || whence > 2 {
		return 0, linux.EINVAL
	}
	f.k.Touch(d)
	d.Off = off
	return off, 0
}

func (f *systemFile) Stat() (linux.Stat, linux.Errno) {
	return linux.Stat{
		Dev: 2, Mode: linux.S_IFREG | 0o444, Nlink: 1, Ino: uint64(len(f.name)), Blksize: 4096, Size: int64(len(f.content)),
	}, 0
}

func (f *systemFile) AppendKey(w *keys.Writer) { w.Str(f.name) }
