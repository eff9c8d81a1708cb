package middleware

import (
	"net/http"
	"net/http/httptest"
	"testing"
	"time"
)

// One request is served at a time, and the others after it.
func TestPlanted(t *testing.T) {
	h := ThrottleBacklog(1, 2, time.Hour)(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	codes := make(chan int)
	for i := 0; i < 3; i++ {
		go func() {
			w := httptest.NewRecorder()
			h.ServeHTTP(w, httptest.NewRequest("GET", "/", nil))
			codes <- w.Code
		}()
	}
	for i := 0; i < 3; i++ {
		if code := <-codes; code != http.StatusOK {
			t.Errorf("got %d", code)
		}
	}
}
