package distribute

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/heddle-mc/heddle/internal/certcheck"
)

// finishParts finds out which results count, and puts them together.
func (d *certCoordinator) finishParts(err error) error {
	if err != nil {
		return err
	}
	liars := d.Assurance.Liars.of(d.total)
	for round := 1; ; round++ {
		if err := d.fit(); err != nil {
			return err
		}
		if d.found && !d.check.All {
			return nil
		}
		believed := d.believed("")
		size := d.Assurance.size(len(believed), liars, round)
		if size > 0 {
			d.view.Say(fmt.Sprintf("all results are there: %d parts are examined here, too", size))
		}
		caught := false
		for _, i := range draw(len(believed), size, d.below) {
			honest, err := d.compare(believed[i])
			if err != nil {
				return err
			}
			caught = caught || !honest
		}
		if !caught {
			d.res.Others = d.assured(liars)
			return nil
		}
	}
}

// assured says what is known of the results that were not examined here, "" if there are none.
func (d *certCoordinator) assured(liars int) string {
	n := len(d.believed(""))
	if n == 0 {
		return ""
	}
	text := fmt.Sprintf("by workers: %d of %d parts were examined here, too", d.total-n, d.total)
	if d.Assurance.Confidence <= 0 {
		return text + ", and the results of the others are believed"
	}
	return fmt.Sprintf("%s, drawn when all results were there, so that %d forged results or more are noticed with probability %v", text, liars, d.Assurance.Confidence)
}

// believed returns the parts that were not examined here: those of a worker, or all.
func (d *certCoordinator) believed(worker string) (list []int) {
	for n := 1; n <= d.total; n++ {
		if by := d.by[n]; by != "" && by != here && (worker == "" || by == worker) {
			list = append(list, n)
		}
	}
	return list
}

// fit puts the results together. Where they do not fit it is found out who was wrong, and
// then they are put together anew.
func (d *certCoordinator) fit() error {
	for {
		for _, n := range d.believed("") {
			if worker := d.by[n]; d.out[worker] || d.suspect[worker] {
				if _, err := d.compare(n); err != nil {
					return err
				}
			}
		}
		err := d.together()
		if err == nil {
			return nil
		}
		lied, err := d.blame(err)
		if err != nil || !lied {
			return err
		}
	}
}

// together puts together the results as they are.
func (d *certCoordinator) together() error {
	all := certcheck.NewCollector(d.text.Trustful)
	for n := 1; n <= d.total; n++ {
		if d.by[n] == "" || d.found && d.by[n] != here {
			continue // what is known here is wrong counts, whatever others say
		}
		data, err := d.results.get(n)
		if err != nil {
			return err
		}
		res, err := certcheck.ReadPartResult(data, d.r.Counts.States)
		if err != nil {
			return err
		}
		if err := all.Add(res); err != nil {
			return err
		}
	}
	var err error
	d.res, err = all.Result(d.r)
	return err
}

// compare examines a part here and reports whether its worker was honest. One that was
// not is out.
func (d *certCoordinator) compare(n int) (honest bool, err error) {
	worker := d.by[n]
	if worker == here {
		return true, nil
	}
	said, err := d.results.get(n)
	if err != nil {
		return false, err
	}
	own, err := d.own(n)
	if err != nil {
		return false, err
	}
	switch {
	case bytes.Equal(own.Append(nil), said):
		return true, nil
	case len(own.Findings) > 0:
		d.expel(worker, n, "it does not say %q", own.Findings[0].Error())
	default:
		d.expel(worker, n, "it came to other states than this process does")
	}
	return false, nil
}

// blame finds out why parts do not fit together: because a worker was wrong about a part,
// first among those that have one of the states, or because of the certificate, which is
// then refused for it.
func (d *certCoordinator) blame(why error) (lied bool, err error) {
	var dev *certcheck.Deviation
	if !errors.As(why, &dev) {
		return false, why
	}
	for _, all := range []bool{false, true} {
		for _, n := range d.believed("") {
			p, err := d.part(n)
			if err != nil {
				return false, err
			}
			if !all && !certcheck.Knows(p, dev.States) {
				continue
			}
			honest, err := d.compare(n)
			if err != nil {
				return false, err
			}
			lied = lied || !honest
		}
		if lied {
			return true, nil
		}
	}
	return false, why
}
