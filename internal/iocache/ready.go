package iocache

import (
	"strings"

	"github.com/heddle-mc/heddle/internal/diag"
)

// A ReadyMade is a rule, or several, for what is known to vary in a protocol. It is used by its name.
type ReadyMade struct {
	Name string
	What string // what it leaves out, for lists
	// Bound, if it is not empty, says why the rule alone is not enough: what the program says next
	// depends on the bytes that are left out, so that a server which is told it again refuses it.
	Bound string
	Rules []string // as for ParseRule
}

// ReadyMades are sorted by name. No pattern begins at the start of the data: where answers to several requests
// are compared at once, what it is for may be anywhere.
var ReadyMades = []ReadyMade{
	{Name: "http-date", What: "HTTP/1: the headers Date and Expires",
		Rules: []string{`response: (?im)^(Date|Expires):[^\r\n]* => ${1}:`}},
	{Name: "mqtt-id", What: "MQTT 5: the client id that mosquitto makes up",
		Rules: []string{`response: auto-[0-9A-F]{8}(?:-[0-9A-F]{4}){3}-[0-9A-F]{12} => auto-`}},
	{Name: "mysql-greeting", What: "MySQL, MariaDB: the number of the connection and the salt in the greeting",
		Bound: "with a password the program's answer depends on the salt: use an account without one",
		Rules: []string{`response: (?s)(\x00\x0a[0-9][^\x00]{1,80}\x00).{12}(\x00.{18}).{12}\x00 => $1$2`}},
	{Name: "nats-info", What: "NATS: the ids, the nonce and the port in INFO", Rules: inInfo("server_id", "server_name", "client_id", "nonce", "xkey", "port")},
	{Name: "postgres-key", What: "PostgreSQL: the process id and the secret with which a query can be cancelled (BackendKeyData)",
		Rules: []string{`response: (?s)K\x00\x00\x00\x0c.{8}(Z\x00\x00\x00\x05) => K$1`}},
	{Name: "redis-id", What: "Redis: the number of the connection in the answer to HELLO",
		Rules: []string{`response: (\$2\r\nid\r\n:)[0-9]+ => $1`}},
	{Name: "rfc3339", What: "times as 2006-01-02T15:04:05Z, in any protocol",
		Rules: []string{`response: [0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]+)?(?:Z|[+-][0-9]{2}:[0-9]{2}) => time`}},
	{Name: "smtp-id", What: "SMTP: the date in the greeting, and the id under which a message is queued",
		Rules: []string{
			`response: (?m)^(220[ -][^\r\n]*?)(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), [0-9][^\r\n]* => $1`,
			`response: (?m)^(250[ -][^\r\n]*?(?:queued as |id=))[^\r\n ]+ => $1`,
		}},
	{Name: "tls-hello", What: "TLS: all that a server says with its hello",
		Bound: "what the program says next is made with keys that depend on the hello, so that no server but the first understands it",
		Rules: []string{`response: (?s)\x16\x03[\x00-\x04]..\x02\x00.* => hello`}},
	{Name: "uuid", What: "UUIDs, in any protocol",
		Rules: []string{`response: (?i)\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b => uuid`}},
}

// inInfo returns rules for members of the object that a NATS server sends first.
func inInfo(names ...string) (list []string) {
	for _, name := range names {
		list = append(list, `response: (INFO \{[^\r\n]*?"`+name+`":)(?:"[^"]*"|[0-9]+) => $1`)
	}
	return list
}

// parse returns the rules.
func (m *ReadyMade) parse() (Rules, error) {
	var list Rules
	for _, text := range m.Rules {
		r, err := ParseRule(text)
		if err != nil {
			return nil, err
		}
		list = append(list, r)
	}
	return list, nil
}

// ParseRules reads a rule as ParseRule does, or finds the ready-made ones of a name:
//
//	[peer PEER ]NAME
func ParseRules(text string) (Rules, error) {
	words := strings.Fields(text)
	peer := ""
	if len(words) == 3 && words[0] == "peer" {
		peer, words = words[1], words[2:]
	}
	if len(words) != 1 || strings.ContainsAny(words[0], ":=") {
		r, err := ParseRule(text)
		return Rules{r}, err
	}
	for i := range ReadyMades {
		if ReadyMades[i].Name != words[0] {
			continue
		}
		list, err := ReadyMades[i].parse()
		for k := range list {
			list[k].Peer = peer
		}
		return list, err
	}
	return nil, diag.Usagef("rule %q: want a name that heddle rules lists, or [peer PEER ](request|response|message): PATTERN => REPLACEMENT", text)
}
