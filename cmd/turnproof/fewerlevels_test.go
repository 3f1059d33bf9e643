package main

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/internal/longtest"
)

// This file compares check with the judge of fabricjudge_test.go on folders with two files of service levels, of which the second states more
// levels for some pairs. A proof is one for the levels of both files.

// moreLevels draws further levels of some pairs, and returns all levels of each pair.
func (f *judgedFabric) moreLevels(r *rand.Rand) map[[2]int][]int {
	all, most, few := map[[2]int][]int{}, 1+r.IntN(3), 1+r.IntN(8)
	for d, e := range f.owner {
		for from := range f.owner {
			if level, ok := f.levels[[2]int{from, d}]; ok && from != e {
				all[[2]int{from, d}] = []int{level}
				if more := r.IntN(most); more != level && r.IntN(few) == 0 {
					all[[2]int{from, d}] = []int{min(more, level), max(more, level)}
				}
			}
		}
	}
	return all
}

// levelSets returns levels in the format of ibdmchk.
func (f *judgedFabric) levelSets(all map[[2]int][]int) string {
	var b strings.Builder
	for d := range f.lids {
		for from := range f.ends() {
			guid := fmt.Sprintf("0x000000000010000%d", from)
			if from >= f.hosts {
				guid = fmt.Sprintf("0x000000000020000%d", from-f.hosts)
			}
			if list := all[[2]int{from, d}]; list != nil {
				fmt.Fprintf(&b, "%s %d %s\n", guid, f.lids[d], strings.ReplaceAll(strings.Trim(fmt.Sprint(list), "[]"), " ", ","))
			}
		}
	}
	return b.String()
}

// walkAll walks the packets of some pairs of ends.
func (f *judgedFabric) walkAll(all map[[2]int][]int, pairs [][2]int) *truth {
	t := &truth{edges: map[buffer]map[buffer]bool{}, used: map[buffer]bool{}}
	for _, pair := range pairs {
		for _, level := range all[pair] {
			f.walk(t, pair[0], pair[1], level, false)
		}
	}
	return t
}

// drawFlows returns some pairs of hosts, and all pairs of ends.
func (f *judgedFabric) drawFlows(r *rand.Rand) (flows, all [][2]int) {
	few := 1 + r.IntN(3)
	for from := range f.ends() {
		for to := range f.ends() {
			if from == to {
				continue
			}
			all = append(all, [2]int{from, to})
			if from < f.hosts && to < f.hosts && r.IntN(few) == 0 {
				flows = append(flows, [2]int{from, to})
			}
		}
	}
	return flows, all
}

// TestFewerLevels asks for all pairs of hosts, for some of them, and for all pairs with the ports of switches.
func TestFewerLevels(t *testing.T) {
	t.Parallel()
	seen := map[string]int{}
	seeds := []uint64{28, 94, 251, 6850, 7156, 11372, 11373, 986, 2517} // with doubts that the short run meets seldom
	for seed := range uint64(longtest.Cases(10, 1000)) {
		seeds = append(seeds, seed)
	}
	for _, seed := range seeds {
		r := rand.New(rand.NewPCG(seed, 11))
		f := drawFabric(r)
		f.isLMC, f.isByNode, f.levels = false, true, map[[2]int]int{}
		f.lids, f.owner = f.lids[:f.ends()], f.owner[:f.ends()]
		for _, row := range f.out {
			maps.DeleteFunc(row, func(d, _ int) bool { return d >= f.ends() })
		}
		if seed%4 > 0 {
			f.group = nil
		}
		levels := 1 + r.IntN(3)
		flows, pairs := f.drawFlows(r)
		for _, pair := range pairs {
			f.levels[pair] = r.IntN(levels)
		}
		first, all := map[[2]int][]int{}, f.moreLevels(r)
		for pair, level := range f.levels {
			first[pair] = []int{level}
		}
		dir := t.TempDir()
		f.write(t, dir)
		name := []string{"path-slset.txt", "path-all.txt"}[seed%2] // after or before path-sl.txt
		if err := os.WriteFile(filepath.Join(dir, name), []byte(f.levelSets(all)), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(filepath.Join(dir, "path-records.txt"), filepath.Join(dir, "path-sl.txt")); err != nil {
			t.Fatal(err)
		}
		var hosts [][2]int
		for _, p := range pairs {
			if p[0] < f.hosts && p[1] < f.hosts {
				hosts = append(hosts, p)
			}
		}
		for kind, list := range map[string][][2]int{"all": pairs, "flows": flows, "none": hosts} {
			flag := "--management=" + kind
			if kind == "flows" {
				var words []string
				for _, p := range list {
					words = append(words, fmt.Sprintf("h%d:h%d", p[0], p[1]))
				}
				flag = "--flows=" + strings.Join(words, ",")
			}
			if len(list) == 0 {
				continue
			}
			a, want := ask(t, dir, flag), f.wanted(first, all, list, kind == "all")
			got := a.verdicts()
			seen[kind+" "+want[0]]++
			if isOpen := want[1] == "refuted" && got[1] == "undecided"; got[0] != want[0] || got[1] != want[1] && !isOpen {
				t.Errorf("seed %d, %s: %v, want %v", seed, kind, got, want)
			}
		}
	}
	t.Log(seen)
	for _, key := range []string{"all proved", "all undecided", "all refuted", "flows proved", "flows undecided", "none undecided"} {
		if seen[key] == 0 {
			t.Errorf("no case of %s: %v", key, seen)
		}
	}
}

// wanted returns the verdicts on deadlock-free and connected of some pairs. A proof holds for all levels, and a refutation of deadlock-free for
// the first ones. Where all levels add a packet that is dropped, connected is undecided.
func (f *judgedFabric) wanted(first, all map[[2]int][]int, pairs [][2]int, isManaged bool) [2]string {
	few, more := f.walkAll(first, pairs), f.walkAll(all, pairs)
	for _, t := range []*truth{few, more} {
		f.copies(t, map[bool]string{true: "all", false: "none"}[isManaged])
	}
	word := func(isRefuted, isDoubted bool) string {
		switch {
		case isRefuted:
			return "refuted"
		case isDoubted:
			return "undecided"
		}
		return "proved"
	}
	return [2]string{word(few.isCyclic(), more.isCyclic()), word(few.lost, more.lost)}
}
