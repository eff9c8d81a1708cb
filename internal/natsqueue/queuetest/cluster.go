// Package queuetest has a cluster of NATS servers in this process, for tests of what
// uses one. Its ports are chosen by the system, on the loopback interface.
package queuetest

import (
	"fmt"
	"net"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
)

// A Cluster is some servers with JetStream that know each other.
type Cluster struct {
	t       testing.TB
	servers []*server.Server
}

// patience is how long servers may take to find each other.
const patience = 30 * time.Second

// Start starts a cluster of n servers, which ends with the test.
func Start(t testing.TB, n int) *Cluster {
	t.Helper()
	c := &Cluster{t: t}
	t.TempDir() // so that folders are removed after the servers have ended, and not before
	t.Cleanup(c.stopAll)
	for tries := 3; !c.start(n); tries-- { // somebody else may get a port in between
		c.stopAll()
		if c.servers = nil; tries == 1 {
			t.Fatalf("%d servers have not become a cluster", n)
		}
	}
	return c
}

func (c *Cluster) stopAll() {
	for i := range c.servers {
		c.Stop(i)
	}
}

// start starts n servers, and reports whether they have found each other.
func (c *Cluster) start(n int) bool {
	t := c.t
	t.Helper()
	routes, ports := addresses(t, n)
	for i, port := range ports {
		s, err := server.NewServer(&server.Options{
			ServerName: fmt.Sprintf("s%d", i), Host: "127.0.0.1", Port: server.RANDOM_PORT, NoSigs: true, NoLog: true,
			JetStream: true, StoreDir: t.TempDir(), DisableShortFirstPing: true,
			Cluster: server.ClusterOpts{Name: "test", Host: "127.0.0.1", Port: port, PoolSize: -1, NoAdvertise: true},
			Routes:  routes,
		})
		if err != nil {
			t.Fatal(err)
		}
		s.Start()
		c.servers = append(c.servers, s)
	}
	return c.ready()
}

// addresses returns where so many servers can listen for each other.
func addresses(t testing.TB, n int) (routes []*url.URL, ports []int) {
	t.Helper()
	for range n {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close() // when all have one, so that they are different ones
		ports = append(ports, l.Addr().(*net.TCPAddr).Port)
		routes = append(routes, &url.URL{Scheme: "nats-route", Host: l.Addr().String()})
	}
	return routes, ports
}

// ready waits until all servers know who leads, and reports whether they do.
func (c *Cluster) ready() bool {
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for end := time.Now().Add(patience); !c.led(); <-tick.C {
		if time.Now().After(end) {
			return false
		}
	}
	return true
}

// led reports whether one of the servers leads, and all are known to it.
func (c *Cluster) led() bool {
	led := false
	for _, s := range c.servers {
		if !s.ReadyForConnections(patience/3) || !s.JetStreamIsCurrent() {
			return false
		}
		led = led || s.JetStreamIsLeader() && len(s.JetStreamClusterPeers()) == len(c.servers)
	}
	return led
}

// URL returns the addresses of all servers, with commas between.
func (c *Cluster) URL() string {
	var list []string
	for _, s := range c.servers {
		list = append(list, s.ClientURL())
	}
	return strings.Join(list, ",")
}

// Stop ends a server. Nothing happens if it has ended before.
func (c *Cluster) Stop(i int) {
	c.servers[i].Shutdown()
	c.servers[i].WaitForShutdown()
}

// Leader returns the number of the server that leads a stream.
func (c *Cluster) Leader(stream string) int {
	c.t.Helper()
	for i, s := range c.servers {
		if s.JetStreamIsStreamLeader(server.DEFAULT_GLOBAL_ACCOUNT, stream) {
			return i
		}
	}
	c.t.Fatalf("nobody leads stream %s", stream)
	return 0
}
