package linux

// Flags of open(2), and what fcntl(2) and lseek(2) take.
const (
	O_ACCMODE       = 0x3
	O_APPEND        = 0x400
	O_ASYNC         = 0x2000
	O_CLOEXEC       = 0x80000
	O_CREAT         = 0x40
	O_DIRECTORY     = 0x10000
	O_EXCL          = 0x80
	O_NOATIME       = 0x40000
	O_NOCTTY        = 0x100
	O_NOFOLLOW      = 0x20000
	O_NONBLOCK      = 0x800
	O_RDONLY        = 0x0
	O_RDWR          = 0x2
	O_TRUNC         = 0x200
	O_WRONLY        = 0x1
	O_SYNC          = 0x101000
	F_DUPFD         = 0
	F_DUPFD_CLOEXEC = 1030
	F_GETFD         = 1
	F_GETFL         = 3
	F_SETFD         = 2
	F_SETFL         = 4
	F_SETLK         = 6
	F_SETLKW        = 7
	FD_CLOEXEC      = 0x1
)

// Types and bits of modes of files, and flags of changes to them.
const (
	S_IFCHR  = 0x2000
	S_IFBLK  = 0x6000
	S_IFDIR  = 0x4000
	S_IFIFO  = 0x1000
	S_IFLNK  = 0xa000
	S_IFMT   = 0xf000
	S_IFREG  = 0x8000
	S_IFSOCK = 0xc000
	S_ISVTX  = 0x200
)

// Ways to use and to map memory.
const (
	PROT_NONE  = 0x0
	PROT_READ  = 0x1
	PROT_WRITE = 0x2
	MAP_ANON   = 0x20
	MAP_FIXED  = 0x10
	MAP_SHARED = 0x1
)

// Requests of ioctl(2).
const (
	TCGETS     = 0x5401
	TCSETS     = 0x5402
	TCSETSF    = 0x5404
	TCSETSW    = 0x5403
	TIOCGPGRP  = 0x540f
	TIOCGWINSZ = 0x5413
)

// Limits of processes.
const (
	RLIMIT_NOFILE = 7
)

// Events and timers that processes wait for.
const (
	EPOLLET           = 0x80000000
	EPOLLONESHOT      = 0x40000000
	EPOLL_CTL_ADD     = 0x1
	EPOLL_CTL_DEL     = 0x2
	EPOLL_CTL_MOD     = 0x3
	TFD_TIMER_ABSTIME = 0x1
)

// Families and types of sockets.
const (
	AF_INET        = 2
	AF_INET6       = 10
	AF_NETLINK     = 16
	AF_UNIX        = 1
	AF_UNSPEC      = 0
	SOCK_CLOEXEC   = 0x80000
	SOCK_DGRAM     = 0x2
	SOCK_NONBLOCK  = 0x800
	SOCK_SEQPACKET = 0x5
	SOCK_STREAM    = 0x1
	SHUT_WR        = 1
)

// Flags of what is sent and received.
const (
	MSG_CMSG_CLOEXEC = 0x40000000
	MSG_CTRUNC       = 0x8
	MSG_DONTWAIT     = 0x40
	MSG_NOSIGNAL     = 0x4000
	MSG_PEEK         = 0x2
	MSG_TRUNC        = 0x20
)

// Options of sockets, and their levels.
const (
	SOL_SOCKET          = 1
	SO_ACCEPTCONN       = 30
	SO_BROADCAST        = 6
	SO_DOMAIN           = 39
	SO_ERROR            = 4
	SO_KEEPALIVE        = 9
	SO_LINGER           = 13
	SO_OOBINLINE        = 10
	SO_PEERCRED         = 17
	SO_PRIORITY         = 12
	SO_PROTOCOL         = 38
	SO_RCVBUF           = 8
	SO_RCVTIMEO         = 20
	SO_REUSEADDR        = 2
	SO_REUSEPORT        = 15
	SO_SNDBUF           = 7
	SO_SNDTIMEO         = 21
	SO_TYPE             = 3
	IPPROTO_IP          = 0
	IPPROTO_IPV6        = 41
	IPPROTO_TCP         = 6
	IPPROTO_UDP         = 17
	TCP_CORK            = 3
	TCP_INFO            = 11
	TCP_KEEPCNT         = 6
	TCP_KEEPIDLE        = 4
	TCP_KEEPINTVL       = 5
	TCP_NODELAY         = 1
	TCP_QUICKACK        = 12
	IP_ADD_MEMBERSHIP   = 35
	IP_DROP_MEMBERSHIP  = 36
	IP_MTU_DISCOVER     = 10
	IP_MULTICAST_IF     = 32
	IP_MULTICAST_LOOP   = 34
	IP_MULTICAST_TTL    = 33
	IP_PKTINFO          = 8
	IP_TOS              = 1
	IP_TTL              = 2
	IPV6_JOIN_GROUP     = 20
	IPV6_LEAVE_GROUP    = 21
	IPV6_MTU_DISCOVER   = 23
	IPV6_MULTICAST_HOPS = 18
	IPV6_MULTICAST_IF   = 17
	IPV6_MULTICAST_LOOP = 19
	IPV6_PKTINFO        = 50
	IPV6_RECVPKTINFO    = 49
	IPV6_TCLASS         = 67
	IPV6_UNICAST_HOPS   = 16
	IPV6_V6ONLY         = 26
)

// What netlink sockets are asked and tell.
const (
	NETLINK_ROUTE   = 0x0
	NLMSG_DONE      = 0x3
	NLMSG_HDRLEN    = 0x10
	NLM_F_MULTI     = 0x2
	RTM_GETADDR     = 22
	RTM_GETLINK     = 18
	RTM_NEWADDR     = 20
	RTM_NEWLINK     = 16
	IFLA_ADDRESS    = 0x1
	IFLA_IFNAME     = 0x3
	IFLA_MTU        = 0x4
	IFA_ADDRESS     = 0x1
	IFA_LABEL       = 0x3
	IFA_LOCAL       = 0x2
	IFF_LOOPBACK    = 0x8
	IFF_RUNNING     = 0x40
	IFF_UP          = 0x1
	ARPHRD_LOOPBACK = 0x304
)
