package distribute

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"

	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/queue"
)

// The kinds of jobs.
const (
	kindCertify = "certify"
	kindSwarm   = "swarm"
)

// A Job is what workers have to know of the work. The program itself they have: its
// identity says which one it has to be.
type Job struct {
	Heddle   string   `json:"heddle"` // version of the coordinator
	Kind     string   `json:"kind"`
	Identity string   `json:"identity"`
	Packages []string `json:"packages,omitempty"` // as the coordinator was told
	Tags     []string `json:"tags,omitempty"`
	Model    string   `json:"model,omitempty"`
	All      bool     `json:"all"`

	Seed uint64 `json:"seed,omitempty"` // of fingerprints, and of the name of the job

	// Of certification.
	Digest     string   `json:"digest,omitempty"` // of the certificate
	Properties []string `json:"properties,omitempty"`
	Invariants []string `json:"invariants,omitempty"`
	Actions    []string `json:"actions,omitempty"`
	Trustful   bool     `json:"trustful,omitempty"`
	Slice      uint64   `json:"slice,omitempty"` // transitions of a part

	// Of a swarm.
	Spec     json.RawMessage   `json:"spec,omitempty"`     // how it is checked: a check.Spec
	Settings map[string]string `json:"settings,omitempty"` // of a model: those of a trace
	Members  int               `json:"members,omitempty"`
}

// key names the job. A coordinator that begins the same work again finds it by this, since
// it has kept the seed, and nobody else can know the name before.
func (t Job) key() string {
	sum := sha256.Sum256(t.bytes())
	return hex.EncodeToString(sum[:16])
}

func (t Job) bytes() []byte {
	data, _ := json.Marshal(t) // texts and numbers can be written
	return data
}

// readJob reads the description of a job.
func readJob(j queue.Job) (t Job, err error) {
	if err = json.Unmarshal(j.Description(), &t); err != nil {
		err = diag.Usagef("the description of job %s is damaged: %v", j.Key(), err)
	}
	return t, err
}

// Same refuses a program that is not the coordinator's.
func (t *Job) Same(name, identity string) error {
	if identity != t.Identity {
		return diag.Usagef("%s is another program here, or another heddle has compiled it: %s, and not %s", name, identity, t.Identity)
	}
	return nil
}
