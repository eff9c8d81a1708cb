package view

import (
	"fmt"
	"strings"

	"github.com/heddle-mc/heddle/internal/cert"
	"github.com/heddle-mc/heddle/internal/plain"
)

// certificateParts is into how many parts a certificate is cut to be shown.
const certificateParts = 10

// CertificateSheet makes a sheet of a certificate: what its file shows by itself, what it only claims, and its parts.
func CertificateSheet(name string, c *cert.Reader, size int64) (*Sheet, error) {
	s := &Sheet{Title: plain.Line(name), Kind: "certificate", Headline: "of " + plain.Line(c.Header.Target),
		Notes: []string{"Nothing here has been examined but that the file is whole and that its signatures are right: heddle certify and certcheck go along each transition, and find out whether the claims are so."}}
	kinds := map[cert.Kind]string{cert.Full: "full: every transition", cert.Tree: "trustful: the way to each state"}
	rows := [][2]string{{"kind", kinds[c.Header.Kind]}, {"bytes", fmt.Sprint(size)}, {"digest", fmt.Sprintf("%x", c.Digest)}}
	if len(c.Signatures) == 0 {
		rows = append(rows, [2]string{"signed by", "nobody"})
	}
	for _, sig := range c.Signatures {
		rows = append(rows, [2]string{"signed by", fmt.Sprintf("%x", []byte(sig.Key))})
	}
	proofs, _, err := c.Evidences()
	if err != nil {
		return nil, err
	}
	if len(proofs) > 0 {
		rows = append(rows, [2]string{"evidence", fmt.Sprintf("of %d formulas", len(proofs))})
	}
	s.add(Section{Title: "What the file shows", Rows: rows})
	claims := [][2]string{
		{"certificate of", c.Header.Target}, {"written by", c.Header.Tool},
		{"states", fmt.Sprint(c.Counts.States)}, {"transitions", fmt.Sprint(c.Counts.Transitions)}, {"depth", fmt.Sprint(c.Counts.Depth)},
		{"nothing wrong of these kinds", strings.Join(c.Header.Properties, ", ")}, {"reduced", fmt.Sprint(c.Header.Reduce)},
	}
	for _, p := range c.Header.Program {
		claims = append(claims, [2]string{p.Name, p.Value})
	}
	s.add(Section{Title: "What is only claimed", Note: "It is as the certificate says until somebody examines it.", Rows: claims})
	var settings [][2]string
	for _, p := range c.Header.Settings {
		if p.Name != "properties" && p.Value != "" {
			settings = append(settings, [2]string{p.Name, p.Value})
		}
	}
	s.add(Section{Title: "Settings that it was made with", Rows: settings})
	parts := Section{Title: "Its partition", Note: fmt.Sprintf("As heddle certify -distribute would hand it out to %d workers: transitions of each part, and how many steps lead to where it begins.", certificateParts)}
	err = c.Cut(certificateParts, func(p *cert.Part) error {
		parts.Bars = append(parts.Bars, Bar{Name: fmt.Sprintf("part %d", p.Number), Value: float64(p.Transitions),
			Text: fmt.Sprintf("%d transitions, from state %d on, %d steps to its beginning", p.Transitions, p.First, p.Steps())})
		return nil
	})
	if err != nil {
		return nil, err
	}
	s.add(parts)
	return s, nil
}
