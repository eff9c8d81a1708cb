package certify

import (
	"crypto/ed25519"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"slices"

	"github.com/heddle-mc/heddle/internal/cert"
	"github.com/heddle-mc/heddle/internal/check"
	"github.com/heddle-mc/heddle/internal/diag"
)

// The types of a statement, as in-toto has them, and of what it states.
const (
	statementType = "https://in-toto.io/Statement/v1"
	predicateType = "https://github.com/heddle-mc/heddle/certified/v1"
	testsType     = "https://github.com/heddle-mc/heddle/certified-tests/v1"
	payloadType   = "application/vnd.in-toto+json"
)

// A Statement says what was certified of what, for those who believe whoever certified
// it: an in-toto statement. Its predicate is a Certified, or a CertifiedTests.
type Statement struct {
	Type          string    `json:"_type"`
	Subject       []Subject `json:"subject"`
	PredicateType string    `json:"predicateType"`
	Predicate     any       `json:"predicate"`
}

// A Subject is what a statement is about.
type Subject struct {
	Name   string            `json:"name"`
	Digest map[string]string `json:"digest"`
}

// Certified is what was claimed, and how it turned out.
type Certified struct {
	Heddle       string            `json:"heddle"` // the version that examined it
	Properties   []string          `json:"properties"`
	NotLookedFor []string          `json:"notLookedFor"`
	Settings     map[string]string `json:"settings"` // of the program, where they are not the usual ones
	Arguments    []string          `json:"arguments"`
	Environment  []string          `json:"environment"`
	Test         string            `json:"test,omitempty"`
	Skipped      bool              `json:"skipped,omitempty"` // the test skips itself
	Allowed      []string          `json:"allowed"`           // what the certificate was allowed to have otherwise
	Trusted      bool              `json:"trusted"`           // it was believed that there are no other states
	Others       string            `json:"others,omitempty"`  // what was examined by others, and how sure it is that they have not lied
	Result       string            `json:"result"`
	States       uint32            `json:"states"`
	Transitions  uint64            `json:"transitions"`
	Bounds       []string          `json:"bounds,omitempty"` // as heddle check states them
}

// CertifiedTests is what was certified of the tests of a package, by one file with a certificate of each.
type CertifiedTests struct {
	Heddle string      `json:"heddle"` // the version that examined them
	Result string      `json:"result"`
	Tests  []Certified `json:"tests"`
}

// StateTests makes one statement of those about the tests of a package, of which there is at least one.
func StateTests(list []*Statement) *Statement {
	s := &Statement{Type: statementType, PredicateType: testsType}
	var all CertifiedTests
	for _, one := range list {
		s.Subject = append(s.Subject, one.Subject...)
		c := one.Predicate.(Certified)
		all.Heddle, all.Result, all.Tests = c.Heddle, c.Result, append(all.Tests, c)
	}
	s.Predicate = all
	return s
}

// NewStatement returns a statement about a program or a model of an identity, with its certificate.
func NewStatement(name, identity, file string, r *cert.Reader, c Certified) *Statement {
	c.Result = "certified"
	return &Statement{
		Type: statementType, PredicateType: predicateType, Predicate: c,
		Subject: []Subject{
			{Name: name, Digest: map[string]string{"heddleIdentity": identity}},
			{Name: file, Digest: map[string]string{"heddleCertificate": hex.EncodeToString(r.Digest[:])}},
		},
	}
}

// Claimed returns what a statement says of the settings of a program.
func Claimed(s *check.Spec, allowed []Exception) Certified {
	c := Certified{Properties: s.Model.Properties(), NotLookedFor: s.Model.NotLookedFor(), Settings: map[string]string{}, Arguments: append([]string{}, s.Program.Args...),
		Environment: append([]string{}, s.Program.OwnEnv()...), Test: s.Program.Test, Allowed: []string{}}
	for _, e := range allowed {
		c.Allowed = append(c.Allowed, e.String())
	}
	for i := range check.Settings {
		if x := &check.Settings[i]; x.Recipe != "" && x.Reported && x.Text(s) != x.Default {
			c.Settings[x.Name] = x.Text(s)
		}
	}
	return c
}

// An envelope is a signed statement: DSSE.
type envelope struct {
	PayloadType string              `json:"payloadType"`
	Payload     []byte              `json:"payload"`
	Signatures  []envelopeSignature `json:"signatures"`
}

type envelopeSignature struct {
	KeyID string `json:"keyid"`
	Sig   []byte `json:"sig"`
}

// preAuth is what the signature of an envelope signs.
func preAuth(payload []byte) []byte {
	return fmt.Appendf(nil, "DSSEv1 %d %s %d %s", len(payloadType), payloadType, len(payload), payload)
}

// Write writes a statement to a file, in an envelope that a key has signed unless that is nil.
func (s *Statement) Write(name string, key ed25519.PrivateKey) error {
	data, err := json.MarshalIndent(s, "", "  ")
	if err == nil && key != nil {
		data, err = json.MarshalIndent(envelope{
			PayloadType: payloadType, Payload: data,
			Signatures: []envelopeSignature{{KeyID: hex.EncodeToString(key.Public().(ed25519.PublicKey)), Sig: ed25519.Sign(key, preAuth(data))}},
		}, "", "  ")
	}
	if err == nil {
		err = os.WriteFile(name, append(data, '\n'), 0o644)
	}
	if err != nil {
		return diag.Usagef("-statement: %v", err)
	}
	return nil
}

// StatementSignedBy reports whether the owner of a key has signed the statement in an envelope.
func StatementSignedBy(data []byte, key ed25519.PublicKey) (bool, error) {
	var e envelope
	if err := json.Unmarshal(data, &e); err != nil || e.PayloadType != payloadType {
		return false, diag.Usagef("it is no signed statement: certify writes one with -statement and -sign")
	}
	return slices.ContainsFunc(e.Signatures, func(s envelopeSignature) bool { return ed25519.Verify(key, preAuth(e.Payload), s.Sig) }), nil
}
