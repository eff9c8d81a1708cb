package vm

import (
	"strconv"
	"strings"
)

// SetDebug takes the settings that the machine itself looks at from a list as
// $GODEBUG has it. What comes last counts.
func (m *Machine) SetDebug(list string) {
	var async, panicNil int64
	for kv := range strings.SplitSeq(list, ",") {
		k, v, _ := strings.Cut(kv, "=")
		switch k {
		case "asynctimerchan":
			async, _ = strconv.ParseInt(v, 10, 64)
		case "panicnil":
			panicNil, _ = strconv.ParseInt(v, 10, 64)
		}
	}
	m.SetSetting(AsyncTimerChan, async, 0)
	m.SetSetting(PanicNil, panicNil, 0)
}
