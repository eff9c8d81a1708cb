// Server tells by gRPC how services are, and counts how often it was asked for each of them, without a
// lock, although each request has a goroutine.
package main

import (
	"context"
	"log"
	"net"

	"google.golang.org/grpc"
	"google.golang.org/grpc/health/grpc_health_v1"
)

// health is the service.
type health struct {
	grpc_health_v1.UnimplementedHealthServer
	asked map[string]int
}

func (h *health) Check(_ context.Context, r *grpc_health_v1.HealthCheckRequest) (*grpc_health_v1.HealthCheckResponse, error) {
	h.asked[r.Service]++ // BUG: another request may be counted at the same time
	return &grpc_health_v1.HealthCheckResponse{Status: grpc_health_v1.HealthCheckResponse_SERVING}, nil
}

func main() {
	l, err := net.Listen("tcp", "127.0.0.1:9000")
	if err != nil {
		log.Fatal(err)
	}
	s := grpc.NewServer()
	grpc_health_v1.RegisterHealthServer(s, &health{asked: make(map[string]int)})
	if err := s.Serve(l); err != nil {
		log.Fatal(err)
	}
}
