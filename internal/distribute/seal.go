package distribute

import (
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"

	"github.com/heddle-mc/heddle/internal/plain"
	"github.com/heddle-mc/heddle/internal/queue"
)

// A seal says who has made a result, of which task of which job. The key is the worker's
// own, made when it starts, and its name is that of the key: nobody else can lie in its name.
type seal struct {
	Key  []byte `json:"key"`
	Sign []byte `json:"sign"`
	Job  []byte `json:"job"` // hash of the description of the job, as the worker has read it
}

// sealed returns a result under a seal: a line of JSON, and the result.
func sealed(key ed25519.PrivateKey, t *queue.Task, result []byte) []byte {
	job := sha256.Sum256(t.Job.Description())
	s := seal{Key: key.Public().(ed25519.PublicKey), Job: job[:]}
	s.Sign = ed25519.Sign(key, s.text(t.Name, t.Ticket, result))
	line, _ := json.Marshal(s) // bytes can be written
	return append(append(line, '\n'), result...)
}

// text is what is signed.
func (s *seal) text(task, ticket string, result []byte) []byte {
	sum := sha256.Sum256(result)
	return fmt.Appendf(nil, "heddle result\n%x\n%s\n%s\n%x", s.Job, task, ticket, sum)
}

// unsealed returns the result, and the name of who has made it.
func unsealed(r queue.Result, job [sha256.Size]byte) (worker string, result []byte, err error) {
	var s seal
	line, result, ok := bytes.Cut(r.Data, []byte("\n"))
	if !ok || json.Unmarshal(line, &s) != nil || len(s.Key) != ed25519.PublicKeySize {
		return "", nil, fmt.Errorf("it cannot be read")
	}
	if !ed25519.Verify(s.Key, s.text(r.Task, r.Ticket, result), s.Sign) {
		return "", nil, fmt.Errorf("it is not signed by who sent it")
	}
	if !bytes.Equal(s.Job, job[:]) {
		return "", nil, fmt.Errorf("it is about another job: somebody has changed what workers are told")
	}
	return plain.Short(r.Worker, longestName) + "#" + hex.EncodeToString(s.Key[:4]), result, nil
}

// How long texts of others may be that are printed.
const (
	longestName = 64
	longestText = 2000
)
