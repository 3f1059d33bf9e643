//go:build unix

package faults

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"time"
)

// This file strikes searches for the fewest prohibited turns.

// searchLine takes two seconds, in which the bounds come near to each other. Seeds differ
// from run to run, so that there is always something to find.
func searchLine(seed, seconds string) []string {
	return []string{"turns", "random:switches=24,degree=4,seed=5", "--method", "minimum", "--seconds", seconds, "--seed", seed, "--journal", "j", "--json"}
}

// killMinimum strikes a search again and again.
func (t *trial) killMinimum() error {
	for _, b := range blows {
		row := t.row(b.name, "turns --method minimum --journal")
		share := 0.05
		if b.name == "kill -9" {
			share = 1
		}
		for times := t.part(share); row.times < times && t.ctx.Err() == nil; {
			dir, err := t.folder("minimum")
			if err != nil {
				return err
			}
			for rounds := 0; rounds < 12 && row.times < times; rounds++ {
				if err := t.strikeSearch(row, b, dir); err != nil {
					return err
				}
			}
			if err := t.searchThrough(row, dir); err != nil {
				return err
			}
		}
	}
	return nil
}

// strikeSearch runs it once and strikes.
func (t *trial) strikeSearch(row *row, b blow, dir string) error {
	journal := filepath.Join(dir, "j")
	_, whole, err := lines(journal)
	if err != nil {
		return err
	}
	seed := string(rune('1' + t.random.IntN(9)))
	r := t.run(dir, b.after(time.Duration(t.random.Float64()*float64(1200*time.Millisecond))), searchLine(seed, "1")...)
	row.times++
	if r.struck && r.code != 0 || b.name == "SIGINT" && r.struck {
		row.midst++
	}
	if said := b.ended(r, 0); said != "" {
		row.found(other, "%s", said)
	}
	_, now, err := lines(journal)
	if err != nil {
		return err
	}
	if !bytes.HasPrefix(now, whole) {
		row.found(lost, "of %d bytes in the journal not all are there", len(whole))
	}
	c, err := curveOf(journal)
	if err != nil {
		row.found(torn, "%v", err)
	}
	if c.idle > 0 {
		row.found(doubled, "%d lines are no better than those before", c.idle)
	}
	return nil
}

// searchThrough goes on to the end: what comes out is no worse than what was in the journal.
func (t *trial) searchThrough(row *row, dir string) error {
	before, err := curveOf(filepath.Join(dir, "j"))
	if err != nil {
		return err
	}
	r := t.run(dir, nil, searchLine("1", "0.2")...)
	var v struct {
		Prohibited int
		Bound      int `json:"lower_bound"`
	}
	if err := json.Unmarshal(r.out, &v); r.code != 0 || err != nil {
		row.found(other, "gone on with: %s", r)
		return nil
	}
	if before.least > 0 && v.Prohibited > before.least || v.Bound < before.bound {
		row.found(lost, "%d prohibited and at least %d, in the journal are %d and %d", v.Prohibited, v.Bound, before.least, before.bound)
	}
	t.nothingLeft(row, dir, "j")
	return nil
}
