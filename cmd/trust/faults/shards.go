//go:build unix

package faults

import (
	"fmt"
	"path/filepath"
	"sync"
	"time"
)

// This file strikes shards and merges.

const shards = 3

// killShards strikes shards and merges, in any order, until all points are there.
func (t *trial) killShards() error {
	ref, err := t.sweepReference()
	if err != nil {
		return err
	}
	b := blows[0]
	shard, merge := t.row(b.name, "sweep --shard"), t.row(b.name, "sweep --merge")
	for times := t.part(1); shard.times+merge.times < times && t.ctx.Err() == nil; {
		dir, err := t.sweepFolder("shards")
		if err != nil {
			return err
		}
		for through := false; !through; {
			before := t.union(shard, dir)
			if t.random.IntN(3) > 0 {
				t.strikeShards(shard, b, dir, ref)
			} else {
				through = t.strikeMerge(merge, b, dir, ref)
			}
			after := t.union(shard, dir)
			for i := range before {
				if !after[i] {
					shard.found(lost, "point %d was there", i)
				}
			}
			if shard.times+merge.times >= times {
				break
			}
		}
		for i := 1; i <= shards; i++ {
			if r := t.run(dir, nil, "sweep", "e.yaml", "--shard", fmt.Sprintf("%d/%d", i, shards)); r.code != 0 {
				shard.found(other, "gone on with: %s", r)
			}
		}
		t.sweepThrough(merge, dir, ref, "sweep", "e.yaml", "--merge", "--csv", "out.csv")
	}
	return nil
}

// strikeShards runs all shards at once and strikes one; sometimes one is started twice.
func (t *trial) strikeShards(row *row, b blow, dir string, ref *swept) {
	var wait sync.WaitGroup
	victim, twin := t.random.IntN(shards), t.random.IntN(shards)
	var results [shards + 1]*result
	for i := range results {
		number := i
		if i == shards {
			number = twin
		}
		var strike func(int, <-chan struct{}) bool
		if i == victim {
			strike = b.after(time.Duration(t.random.Float64() * float64(ref.took)))
		}
		wait.Go(func() {
			results[i] = t.run(dir, strike, "sweep", "e.yaml", "--shard", fmt.Sprintf("%d/%d", number+1, shards))
		})
	}
	wait.Wait()
	row.times++
	if results[victim].struck && results[victim].code < 0 {
		row.midst++
	}
	for i, r := range results {
		switch {
		case i == victim && b.ended(r, 0, 2) == "", r.code == 0 && len(r.err) == 0:
		case r.refused("another sweep is at work") != "": // else its twin was there first
			row.found(other, "%s", r)
		}
	}
}

// strikeMerge strikes a merge and reports whether it came through with all points.
func (t *trial) strikeMerge(row *row, b blow, dir string, ref *swept) bool {
	r := t.run(dir, b.after(time.Duration(t.random.Float64()*0.3*float64(ref.took))), "sweep", "e.yaml", "--merge", "--csv", "out.csv")
	row.times++
	if r.struck && r.code < 0 {
		row.midst++
	}
	if said := b.ended(r, 0, 3); said != "" {
		row.found(other, "%s", said)
	}
	t.wholeFile(row, filepath.Join(dir, "out.csv"), ref.csv)
	return r.code == 0
}

// union are the points in all journals; none of them has one twice.
func (t *trial) union(row *row, dir string) map[int]bool {
	files, err := filepath.Glob(filepath.Join(dir, "e.yaml.journal*"))
	if err != nil {
		row.found(other, "%v", err)
	}
	all := map[int]bool{}
	for _, f := range files {
		for i := range t.once(row, f) {
			all[i] = true
		}
	}
	return all
}
