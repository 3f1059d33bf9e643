//go:build unix

package faults

import (
	"bytes"
	"os"
	"syscall"
	"time"
)

// This file starts two commands on the same files.

// pairs are two runs on one journal.
var pairs = []struct {
	name          string
	first, second []string
	journal       string // of the first
	says          string // the second
}{
	{"sweep, sweep", sweepLine, sweepLine, sweepJournal, "another sweep is at work on it, or a shard of it"},
	{"sweep --shard 1/3, the same", shardLine(0), shardLine(0), sweepJournal + ".1-of-3", "another sweep is at work on it, or a shard of it"},
	{"sweep --shard 1/3, sweep", shardLine(0), sweepLine, sweepJournal + ".1-of-3", "another sweep is at work on it, or a shard of it"},
	{"sweep, sweep --shard 1/3", sweepLine, shardLine(0), sweepJournal, "another sweep is at work on it"},
	{"sweep --shard 1/3, sweep --merge", shardLine(0), mergeLine[:3], sweepJournal + ".1-of-3", ""},
	{"sweep, sweep --merge", sweepLine, mergeLine[:3], sweepJournal, ""},
}

// together runs pairs of sweeps, of searches, and of writers.
func (x *trial) together() {
	const fault = "two at once, then kill -9 of the first"
	s := newSweep(x)
	for _, pair := range pairs {
		share := 0.05
		if pair.name == "sweep, sweep --shard 1/3" {
			share = 0.01 // a shard waits ten seconds, since a merge would be short
		}
		x.try(fault, pair.name, share, func(x *trial) bool {
			p := x.place()
			s.ready(x, p)
			during := x.beside(p, pair.journal, pair.first, pair.second, func(r *result) string {
				if pair.says != "" {
					return r.refused(pair.says)
				}
				if r.code == 3 && len(r.out) == 0 && bytes.Contains(r.err, []byte("at work on")) {
					return ""
				}
				return r.String()
			})
			s.finish(x, p)
			return during
		})
	}
	x.try(fault, "turns --method minimum --journal", 0.05, func(x *trial) bool {
		p := x.place()
		during := x.beside(p, "j", searchLine(1, "30"), searchLine(2, "1"), func(r *result) string { return r.refused("another search is at work on it") })
		(&search{}).finish(x, p)
		return during
	})
	for _, v := range x.writers() {
		x.try("two writers of one file at once", v.name(), 0.03, func(x *trial) bool { return x.twoWriters(v.(*writer)) })
	}
}

// beside stops the first command by SIGSTOP when its journal has a few lines, runs the second, and
// then kills the first. It reports whether the first was at work.
func (x *trial) beside(p *place, journal string, first, second []string, wrong func(*result) string) bool {
	file := p.path(journal)
	return x.run(p, func(pid int, done <-chan struct{}) bool {
		if !until(done, func() bool { return bytes.Count(x.whole(file), []byte("\n")) >= 4 }) || syscall.Kill(pid, syscall.SIGSTOP) != nil {
			return false
		}
		before := settled(file)
		x.ask("the second", wrong(x.run(p, nil, second...)))
		if after, err := os.ReadFile(file); err != nil || string(after) != before {
			x.wrong("the second changes the journal of the first: %v", err)
		}
		return blows[0].strike(pid)
	}, first...).struck
}

// settled returns the content of a file when it does not grow any more: a stopped process ends the
// system calls that it has begun.
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

// twoWriters lets two processes write the same outputs: each output must be complete.
func (x *trial) twoWriters(w *writer) bool {
	p, twin := x.place(), make(chan *result)
	go func() { twin <- x.run(p, nil, w.line(x)...) }()
	one, two := x.run(p, nil, w.line(x)...), <-twin
	for _, r := range []*result{one, two} {
		if r.code != 0 { // the other's folder is there already
			x.ask("one of two", r.refused("is not empty", "file exists", "not empty"))
		}
	}
	w.compare(x, p, w.want)
	x.only(p, w.outputs()...)
	return true
}
