package cli

import (
	"strconv"
	"strings"

	"github.com/heddle-mc/heddle/internal/datagram"
	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/settings"
)

// udpYAML is what heddle.yaml says of datagrams. What it says for one direction
// comes before what it says for both.
type udpYAML struct {
	udpDirection `yaml:",inline"`
	Send         udpDirection
	Receive      udpDirection
	Truncate     bool
	Unreachable  bool
}

type udpDirection struct {
	Multiply []int
	Window   int
}

func (d udpDirection) fields(prefix string) (list []string) {
	if d.Multiply != nil {
		var times []string
		for _, n := range d.Multiply {
			times = append(times, strconv.Itoa(n))
		}
		list = append(list, prefix+"multiply="+strings.Join(times, ","))
	}
	if d.Window != 0 {
		list = append(list, prefix+"window="+strconv.Itoa(d.Window))
	}
	return list
}

// udpOf returns the settings of an entry as the flag -udp has them.
func udpOf(e settings.Entry) (string, error) {
	var y udpYAML
	if err := e.Decode(&y); err != nil {
		return "", err
	}
	list := append(y.fields(""), y.Send.fields("send.")...)
	list = append(list, y.Receive.fields("receive.")...)
	if y.Truncate {
		list = append(list, "truncate")
	}
	if y.Unreachable {
		list = append(list, "unreachable")
	}
	text := strings.Join(list, " ")
	if _, err := datagram.Parse(text); err != nil {
		return "", diag.Sourcef(e.At, "%s: %v", e.Name, err)
	}
	return text, nil
}
