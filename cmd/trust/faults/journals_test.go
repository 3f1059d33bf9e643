//go:build unix

package faults

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"strconv"
	"time"
)

// This file defines the commands with a journal, and reads journals as an outsider.

// sweep is an experiment of 80 points, which take a second together.
type sweep struct {
	csv    []byte
	size   int64 // of its journal
	points int
	time   time.Duration
	whole  []byte // complete lines of the journal before a run
}

const (
	experimentFile = "e.yaml"
	sweepJournal   = "e.yaml.journal"
	experiment     = `networks: ["mesh:4x4,vcs=2", "ring:6"]
routings: [updown, "lturn-alpha,root=1"]
traffics: [uniform, tornado]
loads: {from: 0.05, to: 0.25, step: 0.05}
seeds: 2
clocks: 6000
`
)

var sweepLine = []string{"sweep", experimentFile, "--csv", "out.csv"}

func newSweep(x *trial) *sweep {
	s, p := &sweep{}, x.place()
	s.ready(x, p)
	r := x.run(p, nil, sweepLine...)
	if r.code != 0 {
		x.Fatalf("sweep: %s", r)
	}
	var err error
	s.csv, err = os.ReadFile(p.path("out.csv"))
	x.must(err)
	s.time, s.size, s.points = r.took, size(p.path(sweepJournal)), len(x.points(p.path(sweepJournal)))
	return s
}

func (s *sweep) name() string         { return "sweep" }
func (s *sweep) line(*trial) []string { return sweepLine }
func (s *sweep) took() time.Duration  { return s.time }

func (s *sweep) ready(x *trial, p *place) {
	if _, err := os.Stat(p.path(experimentFile)); err != nil {
		x.must(os.WriteFile(p.path(experimentFile), []byte(experiment), 0o644))
	}
	s.whole = x.whole(p.path(sweepJournal))
}

// growing becomes true when the journal has grown by a random number of bytes.
func (s *sweep) growing(x *trial, p *place) func() bool {
	enough := int64(len(s.whole)) + x.random.Int64N(s.size/4)
	return func() bool { return size(p.path(sweepJournal)) > enough }
}

func (s *sweep) judge(x *trial, p *place, killed bool) {
	if !bytes.HasPrefix(x.whole(p.path(sweepJournal)), s.whole) {
		x.wrong("lines of the journal are lost")
	}
	x.points(p.path(sweepJournal))
	if text, err := os.ReadFile(p.path("out.csv")); err == nil && !bytes.Equal(text, s.csv) {
		x.wrong("out.csv is torn: %d bytes of %d", len(text), len(s.csv))
	}
	if !killed {
		x.only(p, sweepJournal, "out.csv")
	}
}

func (s *sweep) finish(x *trial, p *place) { s.finishBy(x, p, sweepLine...) }

// finishBy completes a sweep by a command.
func (s *sweep) finishBy(x *trial, p *place, line ...string) {
	s.ready(x, p)
	if r := x.run(p, nil, line...); r.code != 0 || len(r.err) > 0 {
		x.wrong("again: %s", r)
		return
	}
	s.judge(x, p, false)
	if n := len(x.points(p.path(sweepJournal))); n != s.points {
		x.wrong("%d points in the journal, want %d", n, s.points)
	}
	if text, err := os.ReadFile(p.path("out.csv")); err != nil || !bytes.Equal(text, s.csv) {
		x.wrong("the results differ: %v", err)
	}
}

// search is a search for the fewest prohibited turns.
type search struct {
	whole  []byte
	before progress
}

// searchLine returns a search of some seconds. Runs have different seeds, so that each can find
// something new.
func searchLine(seed int, seconds string) []string {
	return []string{"turns", "random:switches=24,degree=4,seed=5", "--method", "minimum",
		"--seconds", seconds, "--seed", strconv.Itoa(seed), "--journal", "j", "--json"}
}

func (s *search) name() string           { return "turns --method minimum --journal" }
func (s *search) line(x *trial) []string { return searchLine(1+x.random.IntN(9), "1") }
func (s *search) took() time.Duration    { return 1200 * time.Millisecond }

func (s *search) ready(x *trial, p *place) {
	s.whole, s.before = x.whole(p.path("j")), x.progress(p.path("j"))
}

func (s *search) growing(_ *trial, p *place) func() bool {
	return func() bool { return size(p.path("j")) > int64(len(s.whole)) }
}

func (s *search) judge(x *trial, p *place, killed bool) {
	if !bytes.HasPrefix(x.whole(p.path("j")), s.whole) {
		x.wrong("lines of the journal are lost")
	}
	if now := x.progress(p.path("j")); now.idle > 0 {
		x.wrong("%d lines of the journal improve nothing", now.idle)
	}
	if !killed {
		x.only(p, "j")
	}
}

// finish checks that the result is not worse than the journal.
func (s *search) finish(x *trial, p *place) {
	s.ready(x, p)
	r := x.run(p, nil, searchLine(1, "0.2")...)
	var v struct {
		Prohibited int
		Bound      int `json:"lower_bound"`
	}
	if err := json.Unmarshal(r.out, &v); r.code != 0 || err != nil {
		x.wrong("again: %s", r)
	} else if b := s.before; b.lines > 0 && v.Prohibited > b.least || v.Bound < b.bound {
		x.wrong("%d prohibited and at least %d; the journal had %d and %d", v.Prohibited, v.Bound, b.least, b.bound)
	}
	s.judge(x, p, false)
}

// whole returns the complete lines of a file; nothing if there is no file.
func (x *trial) whole(file string) []byte {
	text, err := os.ReadFile(file)
	if !errors.Is(err, fs.ErrNotExist) {
		x.must(err)
	}
	return text[:bytes.LastIndexByte(text, '\n')+1]
}

// entries calls f for each complete line of a journal after the first.
func (x *trial) entries(file string, f func(line []byte) error) {
	n := 0
	for line := range bytes.Lines(x.whole(file)) {
		if n++; n == 1 {
			continue
		}
		if err := f(line); err != nil {
			x.wrong("line %d of %s is %.80q: %v", n, file, line, err)
		}
	}
}

// points returns the points in the journal of a sweep. None may be there twice.
func (x *trial) points(file string) map[int]bool {
	all := map[int]bool{}
	x.entries(file, func(line []byte) error {
		var e struct{ Index *int }
		err := json.Unmarshal(line, &e)
		switch {
		case err != nil:
			return err
		case e.Index == nil:
			return errors.New("no index")
		case all[*e.Index]:
			return errors.New("a point for the second time")
		}
		all[*e.Index] = true
		return nil
	})
	return all
}

// progress is the content of the journal of a search: the best set and bound, and the number of
// lines that improve neither.
type progress struct{ least, bound, idle, lines int }

func (x *trial) progress(file string) progress {
	p := progress{least: 1 << 30}
	x.entries(file, func(line []byte) error {
		var e struct {
			Prohibited, Bound int
			Ranks             []int
		}
		p.lines++
		err := json.Unmarshal(line, &e)
		switch {
		case e.Ranks != nil && e.Prohibited < p.least:
			p.least = e.Prohibited
		case e.Ranks == nil && e.Bound > p.bound:
			p.bound = e.Bound
		default:
			p.idle++
		}
		return err
	})
	return p
}

// size returns the size of a file; 0 if there is none.
func size(file string) int64 {
	st, err := os.Stat(file)
	if err != nil {
		return 0
	}
	return st.Size()
}
