package httpmap

import (
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
)

func TestHits(t *testing.T) {
	server := httptest.NewServer(&Hits{count: map[string]int{}})
	defer server.Close()
	var wg sync.WaitGroup
	for _, page := range []string{"/a", "/b"} {
		wg.Go(func() {
			resp, err := http.Get(server.URL + page)
			if err != nil {
				t.Error(err)
				return
			}
			resp.Body.Close()
		})
	}
	wg.Wait()
}
