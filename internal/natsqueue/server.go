package natsqueue

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"

	"github.com/heddle-mc/heddle/internal/queue"
)

// A Server is a JetStream server in this process. What it keeps is in a folder,
// and is on the disk before it is acknowledged.
type Server struct {
	ns   *server.Server
	c    Credentials
	own  string // the token of this process
	lock *os.File
}

// Serve starts a server. Without an address it listens where the server that had
// the folder before it did, so that who was connected finds it again, or else on
// any port of the loopback interface. An address that others can reach needs
// credentials.
func Serve(store, listen string, c Credentials) (*Server, error) {
	if err := os.MkdirAll(store, 0o700); err != nil {
		return nil, err
	}
	lock, err := lockStore(store)
	if err != nil {
		return nil, err
	}
	s := &Server{c: c, own: c.Token, lock: lock}
	if c.Make {
		if s.c, err = made(store, c); err != nil {
			lock.Close()
			return nil, err
		}
		s.own = drawn()
	}
	if err := s.start(store, listen); err != nil {
		lock.Close()
		return nil, err
	}
	return s, nil
}

// lockStore keeps a second server away from a folder. The lock ends with the
// process, however that ends.
func lockStore(store string) (*os.File, error) {
	f, err := os.OpenFile(filepath.Join(store, "lock"), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	if err := lock(f); err != nil {
		f.Close()
		if errors.Is(err, errLocked) {
			return nil, fmt.Errorf("%s: another process has this store open", store)
		}
		return nil, err
	}
	return f, nil
}

func (s *Server) start(store, listen string) error {
	note := filepath.Join(store, "address")
	remembered := false
	if listen == "" {
		listen = "127.0.0.1:0"
		if text, err := os.ReadFile(note); err == nil {
			listen, remembered = strings.TrimSpace(string(text)), true
		}
	}
	host, port, err := splitAddress(listen)
	if err != nil {
		return err
	}
	if !loopback(host) && !protects(s.c) {
		return fmt.Errorf("%s can be reached by others: a TLS certificate is needed, and a token or a CA for those of the workers", listen)
	}
	t, err := serverTLS(s.c)
	if err != nil {
		return err
	}
	if err := free(host, port); err != nil {
		if remembered {
			return fmt.Errorf("the store was served at %s, where its workers look for it: %w", listen, err)
		}
		return err
	}
	o := &server.Options{
		ServerName: "heddle", Host: host, Port: port, NoSigs: true, NoLog: true, DisableShortFirstPing: true,
		Authorization: s.c.Token, JetStream: true, StoreDir: store, SyncAlways: true,
		MaxPayload: 1 << 20, PingInterval: 10 * time.Second,
		JetStreamMaxMemory: 64 << 20, JetStreamMaxStore: 1 << 40,
	}
	if s.c.Make {
		o.Authorization, o.CustomClientAuthentication = "", &doorkeeper{s.own, s.c.Token}
	}
	if port == 0 {
		o.Port = server.RANDOM_PORT
	}
	if t != nil {
		o.TLS, o.TLSConfig, o.TLSVerify, o.TLSTimeout = true, t, t.ClientCAs != nil, 5
	}
	if s.ns, err = server.NewServer(o); err != nil {
		return err
	}
	s.ns.Start()
	if !s.ns.ReadyForConnections(30*time.Second) || !s.ns.JetStreamEnabled() {
		s.ns.Shutdown()
		return fmt.Errorf("the server at %s with its store in %s does not start", listen, store)
	}
	return os.WriteFile(note, []byte(s.Addr()+"\n"), 0o600)
}

func splitAddress(listen string) (host string, port int, err error) {
	host, text, err := net.SplitHostPort(listen)
	if err != nil {
		return "", 0, fmt.Errorf("%q is no address to listen on: say 127.0.0.1:4222", listen)
	}
	if host == "" {
		host = "0.0.0.0"
	}
	if port, err = strconv.Atoi(text); err != nil || port < 0 || port > 65535 {
		return "", 0, fmt.Errorf("%q is no address to listen on: %s is no port", listen, text)
	}
	return host, port, nil
}

// free reports that an address cannot be had. The server itself would not say why.
func free(host string, port int) error {
	if port == 0 {
		return nil
	}
	l, err := net.Listen("tcp", net.JoinHostPort(host, strconv.Itoa(port)))
	if err != nil {
		return err
	}
	return l.Close()
}

// Addr returns where the server listens.
func (s *Server) Addr() string { return s.ns.Addr().String() }

// URL returns the address for workers.
func (s *Server) URL() string {
	if s.c.Cert != "" {
		return "tls://" + s.Addr()
	}
	return "nats://" + s.Addr()
}

// Join returns what workers have to know, "" if they need a certificate of their own.
func (s *Server) Join() string {
	own, err := pair(s.c)
	if err != nil || own == nil || s.c.Token == "" || s.c.CA != "" {
		return ""
	}
	host, port, err := net.SplitHostPort(s.Addr())
	if ip := net.ParseIP(host); err == nil && ip != nil && ip.IsUnspecified() {
		if name, err := os.Hostname(); err == nil {
			host = name
		}
	}
	return queue.Join{Addr: net.JoinHostPort(host, port), Token: s.c.Token, Pin: pin(own[0].Certificate[0])}.String()
}

// Connect connects within the process.
func (s *Server) Connect(ctx context.Context, o Options) (queue.Queue, error) {
	opts := []nats.Option{nats.InProcessServer(s.ns)}
	if s.own != "" {
		opts = append(opts, nats.Token(s.own))
	}
	q, err := connect(ctx, "nats://in-process", opts, o)
	if err != nil {
		return nil, err
	}
	return q, nil
}

// Close ends the server. The store stays.
func (s *Server) Close() {
	s.ns.Shutdown()
	s.ns.WaitForShutdown()
	s.lock.Close()
}
