//go:build unix

package faults

import (
	"fmt"
	"path/filepath"
	"sync"
	"time"
)

// This file kills commands at random moments.

// kill strikes each command in every way. kill -9 is tried most.
func (x *trial) kill() {
	for _, v := range x.victims() {
		for i, b := range blows {
			share := 0.1
			if i == 0 {
				share = 0.5
			}
			x.killed(v, b, b.name, share)
		}
	}
}

// killed strikes a command again and again in the same folder, so that each run continues what the
// runs before have left. When a run gets to its end, the result is judged and a new folder begins.
func (x *trial) killed(v victim, b blow, fault string, share float64) {
	var p *place
	rounds := 0
	x.try(fault, v.name(), share, func(x *trial) bool {
		if p == nil {
			p, rounds = x.place(), 0
		}
		v.ready(x, p)
		strike := b.after(time.Duration(x.random.Float64() * float64(v.took())))
		if x.random.IntN(2) == 0 {
			strike = b.when(v.growing(x, p), time.Duration(x.random.IntN(1000))*time.Microsecond)
		}
		r := x.run(p, strike, v.line(x)...)
		x.ask("struck", b.ended(r, 0))
		v.judge(x, p, true)
		if rounds++; r.code == 0 || rounds == 12 {
			v.finish(x, p)
			p = nil
		}
		return r.struck && r.code != 0
	})
}

const shards = 3

func shardLine(i int) []string {
	return []string{"sweep", experimentFile, "--shard", fmt.Sprintf("%d/%d", i+1, shards)}
}

var mergeLine = []string{"sweep", experimentFile, "--merge", "--csv", "out.csv"}

// killShards kills shards and merges of a sweep in any order until all points are there.
func (x *trial) killShards() {
	s := newSweep(x)
	var p *place
	x.try("kill -9", "sweep --shard and --merge", 1, func(x *trial) (during bool) {
		if p == nil {
			p = x.place()
			s.ready(x, p)
		}
		before, complete := x.union(p), false
		if x.random.IntN(3) > 0 {
			during = x.killOneOf(s, p)
		} else {
			r := x.run(p, blows[0].after(time.Duration(x.random.Float64()*0.3*float64(s.time))), mergeLine...)
			x.ask("merge", blows[0].ended(r, 0, 3))
			during, complete = r.struck && r.code < 0, r.code == 0
		}
		after := x.union(p)
		for i := range before {
			if !after[i] {
				x.wrong("point %d is lost", i)
			}
		}
		if complete || x.random.IntN(10) == 0 {
			for i := range shards {
				if r := x.run(p, nil, shardLine(i)...); r.code != 0 {
					x.wrong("again: %s", r)
				}
			}
			s.finishBy(x, p, mergeLine...)
			p = nil
		}
		return during
	})
}

// killOneOf runs all shards at once, one of them twice, and kills one.
func (x *trial) killOneOf(s *sweep, p *place) bool {
	var wait sync.WaitGroup
	var results [shards + 1]*result
	victim, twin := x.random.IntN(shards), x.random.IntN(shards)
	for i := range results {
		number, strike := i, striker(nil)
		if i == shards {
			number = twin
		}
		if i == victim {
			strike = blows[0].after(time.Duration(x.random.Float64() * float64(s.time)))
		}
		wait.Go(func() { results[i] = x.run(p, strike, shardLine(number)...) })
	}
	wait.Wait()
	for i, r := range results {
		switch {
		case i == victim && blows[0].ended(r, 0, 2) == "", r.code == 0 && len(r.err) == 0:
		default: // its twin was first
			x.ask("shard", r.refused("another sweep is at work on it"))
		}
	}
	return results[victim].struck && results[victim].code < 0
}

// union returns the points in all journals of a place.
func (x *trial) union(p *place) map[int]bool {
	files, err := filepath.Glob(p.path(sweepJournal + "*"))
	x.must(err)
	all := map[int]bool{}
	for _, f := range files {
		for i := range x.points(f) {
			all[i] = true
		}
	}
	return all
}
