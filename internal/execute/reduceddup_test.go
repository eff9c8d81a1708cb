package execute_test

// twin makes another object, with another number, of a connection.
const twin = `
func twin(c interface{ File() (*os.File, error) }) net.Conn {
	f, err := c.File()
	if err != nil {
		panic(err)
	}
	defer f.Close()
	t, err := net.FileConn(f)
	if err != nil {
		panic(err)
	}
	return t
}
`

// duplicates are arguments about connections that are behind several numbers, each of
// which is kept in an object of its own (kernel.Own).
var duplicates = []argument{
	{"each of two readers reads by a number of its own", "panic", ends + `
func main() {
	near, far := ends()
	f, err := near.File()
	if err != nil {
		panic(err)
	}
	got := make(chan bool)
	go func() {
		f.Read(make([]byte, 1))
		got <- true
	}()
	go func() {
		near.Read(make([]byte, 1))
		got <- false
	}()
	far.Write([]byte("x"))
	if !<-got {
		panic("the second one")
	}
	far.Close()
	<-got
}`},
	{"a connection is shut down by another number", "panic", ends + twin + `
func main() {
	near, far := ends()
	other := twin(near).(*net.TCPConn)
	go func() {
		if n, _ := near.Read(make([]byte, 1)); n == 0 {
			panic("the end")
		}
	}()
	go other.CloseRead()
	far.Write([]byte("x"))
}`},
	{"who shuts it down by another number lets the reader go on", "", ends + twin + `
func main() {
	near, _ := ends()
	other := twin(near).(*net.TCPConn)
	mu := new(sync.Mutex)
	mu.Lock()
	go near.Read(make([]byte, 1))
	go func() {
		mu.Lock()
		other.CloseRead()
	}()
	mu.Unlock()
}`},
	{"the number that it was made with is closed", "panic", `
func end(fd int) *net.UnixConn {
	f := os.NewFile(uintptr(fd), "end")
	defer f.Close()
	c, err := net.FileConn(f)
	if err != nil {
		panic(err)
	}
	return c.(*net.UnixConn)
}

func main() {
	p, err := syscall.Socketpair(syscall.AF_UNIX, syscall.SOCK_STREAM|syscall.SOCK_NONBLOCK, 0)
	if err != nil {
		panic(err)
	}
	near, far := end(p[0]), end(p[1])
	go near.CloseRead()
	if _, err := far.Write([]byte("x")); err != nil {
		panic("too late")
	}
}`},
}
