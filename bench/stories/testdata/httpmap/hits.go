// Package httpmap counts visits of pages.
package httpmap

import (
	"fmt"
	"net/http"
)

// Hits counts how often each page was asked for.
type Hits struct {
	count map[string]int
}

func (h *Hits) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h.count[r.URL.Path]++
	fmt.Fprintln(w, h.count[r.URL.Path])
}
