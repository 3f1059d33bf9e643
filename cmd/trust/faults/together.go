//go:build unix

package faults

import (
	"bytes"
	"os"
	"path/filepath"
	"syscall"
	"time"
)

// This file starts two at once.

// together tries all of it.
func (t *trial) together() error {
	if err := t.sweepsTogether(pairs); err != nil {
		return err
	}
	if err := t.searchesTogether(); err != nil {
		return err
	}
	return t.twoWriters()
}

// pair are two runs on one journal.
type pair struct {
	name          string
	first, second []string
	journal       string // that of the first
	status        int    // of the second
	says          string
}

var (
	shardLine = []string{"sweep", "e.yaml", "--shard", "1/3"}
	mergeLine = []string{"sweep", "e.yaml", "--merge"}
	pairs     = []pair{
		{"sweep, sweep", sweepLine, sweepLine, "e.yaml.journal", 2, "another sweep is at work on it, or a shard of it"},
		{"sweep --shard 1/3, the same", shardLine, shardLine, "e.yaml.journal.1-of-3", 2, "another sweep is at work on it, or a shard of it"},
		{"sweep --shard 1/3, sweep", shardLine, sweepLine, "e.yaml.journal.1-of-3", 2, "another sweep is at work on it, or a shard of it"},
		{"sweep, sweep --shard 1/3", sweepLine, shardLine, "e.yaml.journal", 2, "another sweep is at work on it"},
		{"sweep --shard 1/3, sweep --merge", shardLine, mergeLine, "e.yaml.journal.1-of-3", 3, "somebody is at work on them"},
		{"sweep, sweep --merge", sweepLine, mergeLine, "e.yaml.journal", 3, "somebody is at work on them"},
	}
)

// sweepsTogether tries pairs: the first is held at work by SIGSTOP, as soon as its journal has
// a few lines, until the second has ended.
func (t *trial) sweepsTogether(pairs []pair) error {
	ref, err := t.sweepReference()
	if err != nil {
		return err
	}
	for _, pair := range pairs {
		row := t.row("two at once, then kill -9 of the first", "%s", pair.name)
		times := t.part(0.05)
		if pair.says == "another sweep is at work on it" {
			times = min(times, 2) // a shard waits ten seconds for a merge in passing
		}
		for row.times < times && t.ctx.Err() == nil {
			dir, err := t.sweepFolder("together")
			if err != nil {
				return err
			}
			t.beside(row, dir, pair.journal, pair.first, pair.second, func(r *result) string {
				if pair.status == 2 {
					return r.refused(pair.says)
				}
				if r.code == pair.status && len(r.out) == 0 && bytes.Contains(r.err, []byte(pair.says)) {
					return ""
				}
				return r.String()
			})
			t.sweepThrough(row, dir, ref, sweepLine...)
		}
	}
	return nil
}

// searchesTogether is the same for searches.
func (t *trial) searchesTogether() error {
	row := t.row("two at once, then kill -9 of the first", "turns --method minimum --journal")
	for row.times < t.part(0.05) && t.ctx.Err() == nil {
		dir, err := t.folder("together")
		if err != nil {
			return err
		}
		t.beside(row, dir, "j", searchLine("1", "30"), searchLine("2", "1"), func(r *result) string { return r.refused("another search is at work on it") })
		if err := t.searchThrough(row, dir); err != nil {
			return err
		}
	}
	return nil
}

// beside runs the second while the first is held, then kills that.
func (t *trial) beside(row *row, dir, journal string, first, second []string, wrong func(*result) string) {
	file := filepath.Join(dir, journal)
	row.times++
	t.run(dir, func(pid int, done <-chan struct{}) bool {
		for list, _, _ := lines(file); len(list) < 4; list, _, _ = lines(file) {
			select {
			case <-done:
				return false
			case <-time.After(time.Millisecond):
			}
		}
		if syscall.Kill(pid, syscall.SIGSTOP) != nil {
			return false
		}
		row.midst++
		before := settled(file)
		if said := wrong(t.run(dir, nil, second...)); said != "" {
			row.found(other, "the second: %s", said)
		}
		if after, err := os.ReadFile(file); err != nil || string(after) != before {
			row.found(doubled, "the second has changed the journal of the first, %v", err)
		}
		return blows[0].strike(pid)
	}, first...)
}

// settled is what is in a file once it does not grow any more: a process that is stopped ends
// the calls that it is in.
func settled(file string) string {
	for before := ""; ; {
		text, err := os.ReadFile(file)
		if err == nil && len(text) > 0 && string(text) == before {
			return before
		}
		before = string(text)
		time.Sleep(50 * time.Millisecond)
	}
}

// twoWriters write the same outputs at once: what is there is of one of them, and whole.
func (t *trial) twoWriters() error {
	row := t.row("two writers of one file at once", "%s", allWriters())
	for i := range writers {
		w := &writers[i]
		row.now = w.name
		ref, err := t.writerReference(w)
		if err != nil {
			return err
		}
		for range t.part(0.03) {
			dir, err := t.folder("two")
			if err != nil {
				return err
			}
			twin := make(chan *result)
			go func() { twin <- t.run(dir, nil, w.line...) }()
			one, two := t.run(dir, nil, w.line...), <-twin
			row.times++
			row.midst++
			for _, r := range []*result{one, two} {
				// A folder that is there already is refused.
				if r.code != w.status && r.refused("is not empty", "file exists", "not empty") != "" {
					row.found(other, "%s", r)
				}
			}
			t.eitherOr(row, dir, ref.files, ref.files)
			t.nothingLeft(row, dir, w.outputs()...)
		}
	}
	return nil
}
