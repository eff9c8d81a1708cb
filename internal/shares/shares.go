// Package shares says where the CPU time of a search goes.
//
// It has the Go runtime look a hundred times a second at what each thread is doing, which costs nearly nothing, and sorts what it has
// seen by what a search asks a system for:
//
//	explore.Run ─► System.Take ─► ...        executing
//	            ─► System.AppendKey ─► ...   keys
//	            ─► stateset ...              store
//
// It knows names of functions and nothing else. There can be one profile at a time in a process.
package shares

import (
	"bytes"
	"fmt"
	"runtime/pprof"
	"strings"
)

// A Profile is a time in which the process is looked at.
type Profile struct{ data bytes.Buffer }

// Start begins to look. It returns nil if somebody else does already.
func Start() *Profile {
	p := new(Profile)
	if pprof.StartCPUProfile(&p.data) != nil {
		return nil
	}
	return p
}

// fewest is how often something has to be seen for shares to mean something.
const fewest = 50

// Stop ends that, and says what was seen in words; "" if that was too little. It may be called for nil.
func (p *Profile) Stop() string {
	if p == nil {
		return ""
	}
	pprof.StopCPUProfile()
	stacks, err := decode(p.data.Bytes())
	if err != nil {
		return "" // it is not what anybody has asked for
	}
	return words(stacks)
}

// kinds are what time may go to, in the order in which it is told.
var kinds = []string{"executing", "keys", "reduction", "store", "going back", "checks", "peers", "hunt", "telling", "loading", "garbage", "other"}

func words(stacks []stack) string {
	count, all := map[string]int64{}, int64(0)
	for _, s := range stacks {
		count[kindOf(s.names)] += s.count
		all += s.count
	}
	if all < fewest {
		return ""
	}
	var list []string
	for _, k := range kinds {
		if percent := (100*count[k] + all/2) / all; percent > 0 {
			list = append(list, fmt.Sprintf("%s %d %%", k, percent))
		}
	}
	return strings.Join(list, ", ")
}

const internal = "github.com/heddle-mc/heddle/internal/"

// packages are those whose functions are always of a kind, whoever calls them. The first one goes before the others.
var packages = []struct{ name, kind string }{
	{"hunt", "hunt"}, {"peer", "peers"}, {"iocache", "peers"}, {"intercept", "peers"}, {"trace", "telling"},
	{"stateset", "store"}, {"load", "loading"}, {"compile", "loading"}, {"progcache", "loading"},
}

// methods are those of an lts.System.
var methods = map[string]string{
	"Take": "executing", "Reset": "executing", "AppendKey": "keys", "AppendNextKey": "keys", "Reduced": "reduction", "Enabled": "reduction",
	"Save": "going back", "Restore": "going back", "CheckState": "checks", "CheckStep": "checks",
}

// kindOf sorts a stack, whose innermost function comes first.
func kindOf(names []string) string {
	for _, p := range packages {
		for _, name := range names {
			if strings.HasPrefix(name, internal+p.name+".") || strings.HasPrefix(name, internal+p.name+"/") {
				return p.kind
			}
		}
	}
	for i := len(names) - 1; i >= 0; i-- { // what the search itself has asked for
		if name := names[i]; strings.HasPrefix(name, internal) && !strings.HasPrefix(name, internal+"explore.") {
			if kind := methods[name[strings.LastIndex(name, ".")+1:]]; kind != "" {
				return kind
			}
		}
		if strings.HasSuffix(names[i], "execute.NewSystem") { // up to the first state
			return "executing"
		}
	}
	for _, name := range names {
		if strings.HasPrefix(name, "runtime.gcBgMarkWorker") || name == "runtime.bgsweep" || name == "runtime.bgscavenge" {
			return "garbage"
		}
	}
	return "other"
}
