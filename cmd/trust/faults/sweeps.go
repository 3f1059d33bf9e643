//go:build unix

package faults

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"time"
)

// This file strikes sweeps.

// experiment is of 80 points, a second's work in all.
const experiment = `networks: ["mesh:4x4,vcs=2", "ring:6"]
routings: [updown, "lturn-alpha,root=1"]
traffics: [uniform, tornado]
loads: {from: 0.05, to: 0.25, step: 0.05}
seeds: 2
clocks: 6000
`

// swept is what a sweep that nothing happened to leaves.
type swept struct {
	csv     []byte
	journal int64 // bytes
	points  int
	took    time.Duration
}

// sweepFolder is a folder with the experiment, in which "sweep e.yaml" can be run.
func (t *trial) sweepFolder(name string) (dir string, err error) {
	if dir, err = t.folder(name); err != nil {
		return "", err
	}
	return dir, os.WriteFile(filepath.Join(dir, "e.yaml"), []byte(experiment), 0o644)
}

var sweepLine = []string{"sweep", "e.yaml", "--csv", "out.csv"}

// sweepReference runs it undisturbed.
func (t *trial) sweepReference() (*swept, error) {
	dir, err := t.sweepFolder("sweep-reference")
	if err != nil {
		return nil, err
	}
	r := t.run(dir, nil, sweepLine...)
	if r.code != 0 {
		return nil, fmt.Errorf("sweep: %s", r)
	}
	s := &swept{took: r.took, journal: size(filepath.Join(dir, "e.yaml.journal"))}
	if s.csv, err = os.ReadFile(filepath.Join(dir, "out.csv")); err != nil {
		return nil, err
	}
	in, err := points(filepath.Join(dir, "e.yaml.journal"))
	s.points = len(in)
	return s, err
}

// killSweeps strikes sweeps in all ways.
func (t *trial) killSweeps() error { return t.strikeSweeps(blows) }

// strikeSweeps strikes a sweep again and again; when it is through, it begins anew.
func (t *trial) strikeSweeps(blows []blow) error {
	ref, err := t.sweepReference()
	if err != nil {
		return err
	}
	for _, b := range blows {
		row := t.row(b.name, "sweep")
		share := 0.1
		if b.name == "kill -9" {
			share = 1
		}
		for times := t.part(share); row.times < times; {
			dir, err := t.sweepFolder("sweep")
			if err != nil {
				return err
			}
			for through := false; !through && row.times < times; {
				if through, err = t.strikeSweep(row, b, dir, ref); err != nil {
					return err
				}
			}
			t.sweepThrough(row, dir, ref, sweepLine...)
			if err := t.ctx.Err(); err != nil {
				return err
			}
		}
	}
	return nil
}

// strikeSweep runs it once and strikes: at any time, or when so much is in the journal.
func (t *trial) strikeSweep(row *row, b blow, dir string, ref *swept) (through bool, err error) {
	journal := filepath.Join(dir, "e.yaml.journal")
	before, whole, err := lines(journal)
	if err != nil {
		return false, err
	}
	strike := b.after(time.Duration(t.random.Float64() * float64(ref.took)))
	if t.random.IntN(2) == 0 {
		enough := int64(len(whole)) + t.random.Int64N(ref.journal/4)
		strike = b.when(func() bool { return size(journal) > enough }, time.Duration(t.random.IntN(1000))*time.Microsecond)
	}
	r := t.run(dir, strike, sweepLine...)
	row.times++
	if r.struck && r.code != 0 {
		row.midst++
	}
	if said := b.ended(r, 0); said != "" {
		row.found(other, "%s", said)
	}
	_, now, err := lines(journal)
	if err != nil {
		return false, err
	}
	if !bytes.HasPrefix(now, whole) {
		row.found(lost, "of %d whole lines not all are there", len(before))
	}
	t.once(row, journal)
	t.wholeFile(row, filepath.Join(dir, "out.csv"), ref.csv)
	return r.code == 0, nil
}

// once looks whether a point is twice in a journal.
func (t *trial) once(row *row, journal string) map[int]int {
	in, err := points(journal)
	if err != nil {
		row.found(torn, "%v", err)
	}
	for i, n := range in {
		if n > 1 {
			row.found(doubled, "point %d is there %d times", i, n)
		}
	}
	return in
}

// wholeFile looks whether a file is not there, or is as it is to be.
func (t *trial) wholeFile(row *row, file string, want []byte) {
	if text, err := os.ReadFile(file); err == nil && !bytes.Equal(text, want) {
		row.found(torn, "%s holds %d bytes, %d were expected", filepath.Base(file), len(text), len(want))
	}
}

// sweepThrough runs a sweep to its end and holds what there is then against the reference.
func (t *trial) sweepThrough(row *row, dir string, ref *swept, line ...string) {
	if r := t.run(dir, nil, line...); r.code != 0 || len(r.err) > 0 {
		row.found(other, "gone on with: %s", r)
		return
	}
	if in := t.once(row, filepath.Join(dir, "e.yaml.journal")); len(in) != ref.points {
		row.found(lost, "%d points in the journal, there are %d", len(in), ref.points)
	}
	text, err := os.ReadFile(filepath.Join(dir, "out.csv"))
	if err != nil || !bytes.Equal(text, ref.csv) {
		row.found(lost, "the results differ: %v", err)
	}
	t.nothingLeft(row, dir, "e.yaml", "e.yaml.journal", "out.csv")
}

// nothingLeft looks whether only these names are in a folder.
func (t *trial) nothingLeft(row *row, dir string, names ...string) {
	list, err := os.ReadDir(dir)
	if err != nil {
		row.found(lost, "%v", err)
		return
	}
	known := map[string]bool{}
	for _, n := range names {
		known[n] = true
	}
	for _, f := range list {
		if !known[f.Name()] {
			row.found(other, "%s is left", f.Name())
		}
	}
}
