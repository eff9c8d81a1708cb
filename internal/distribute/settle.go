package distribute

import (
	"bytes"
	"errors"
	"fmt"
	"slices"

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
		believed := d.believed()
		size := d.Assurance.size(len(believed), liars, round)
		if size > 0 {
			d.view.Say(fmt.Sprintf("all results are there: %d parts are examined here, too", size))
		}
		var sample []int
		for _, i := range draw(len(believed), size, d.below) {
			sample = append(sample, believed[i])
		}
		honest, err := d.compare(sample)
		if err != nil {
			return err
		}
		if honest {
			d.res.Others = d.assured(liars)
			return nil
		}
	}
}

// assured says what is known of the results that were not examined here, "" if there are none.
func (d *certCoordinator) assured(liars int) string {
	n := len(d.believed())
	if n == 0 {
		return ""
	}
	text := fmt.Sprintf("by workers: %d of %d parts were examined here, too", d.total-n, d.total)
	if d.Assurance.Confidence <= 0 {
		return text + ", and the results of the others are believed"
	}
	return fmt.Sprintf("%s, drawn when all results were there, so that %d forged results or more are noticed with probability %v", text, liars, d.Assurance.Confidence)
}

// believed returns the parts that were not examined here.
func (d *certCoordinator) believed() (list []int) {
	for n := 1; n <= d.total; n++ {
		if by := d.by[n]; by != "" && by != here {
			list = append(list, n)
		}
	}
	return list
}

// fit puts the results together. Where they do not fit it is found out who was wrong, and
// then they are put together anew.
func (d *certCoordinator) fit() error {
	for {
		doubted := slices.DeleteFunc(d.believed(), func(n int) bool { return !d.out[d.by[n]] && !d.suspect[d.by[n]] })
		if _, err := d.compare(doubted); err != nil {
			return err
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

// compare examines parts here, as many at a time as Check.Workers says, and reports whether
// their workers were honest. One that was not is out. It ends with the first finding, unless
// all are wanted.
func (d *certCoordinator) compare(list []int) (honest bool, err error) {
	honest = true
	for some := range slices.Chunk(list, max(1, d.Check.Workers)) {
		results, err := d.examine(some)
		if err != nil {
			return false, err
		}
		for i, n := range some {
			said, err := d.results.get(n)
			if err != nil {
				return false, err
			}
			worker, own := d.by[n], results[i]
			if err := d.keepOwn(n, own); err != nil {
				return false, err
			}
			if bytes.Equal(own.Append(nil), said) {
				continue
			}
			honest = false
			if len(own.Findings) > 0 {
				d.expel(worker, n, "it does not say %q", own.Findings[0].Error())
			} else {
				d.expel(worker, n, "it came to other states than this process does")
			}
		}
		if d.found && !d.check.All {
			break
		}
	}
	return honest, nil
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
		var list []int
		for _, n := range d.believed() {
			p, err := d.part(n)
			if err != nil {
				return false, err
			}
			if all || certcheck.Knows(p, dev.States) {
				list = append(list, n)
			}
		}
		if honest, err := d.compare(list); err != nil || !honest {
			return !honest, err
		}
	}
	return false, why
}
