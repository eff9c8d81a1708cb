// Package doubleclose has a server that can be stopped by two.
package doubleclose

// Server handles jobs until it is stopped.
type Server struct {
	jobs chan int
	quit chan struct{}
}

// Start returns a server that runs.
func Start() *Server {
	s := &Server{jobs: make(chan int), quit: make(chan struct{})}
	go s.loop()
	return s
}

func (s *Server) loop() {
	for {
		select {
		case n := <-s.jobs:
			if n < 0 {
				s.Stop()
			}
		case <-s.quit:
			return
		}
	}
}

// Stop ends the server, if it has not ended.
func (s *Server) Stop() {
	select {
	case <-s.quit:
	default:
		close(s.quit)
	}
}
