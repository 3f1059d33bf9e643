package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/internal/longtest"
)

// This file compares check with a judge of its own on random InfiniBand fabrics: random tables,
// service levels, SL-to-VL tables, path records, multicast trees and further LIDs of hosts. The
// judge walks packet by packet and shares no code with the program. The environment variable
// JUDGED_PROGRAM names another program to judge.

// plugAt is a port of a switch.
type plugAt struct{ sw, port int }

// judgedFabric is a fabric as its files state it. Ends are hosts, then switches.
type judgedFabric struct {
	switches, hosts int
	to              map[plugAt]plugAt // the other end of a cable between switches
	host            map[plugAt]int    // the host at a port; a switch is at its port 0
	at              []plugAt          // by end
	lids            []int             // by destination; destination e < ends is the base LID of end e
	owner           []int             // by destination: its end
	out             []map[int]int     // by switch: port by destination
	vl              map[[3]int][16]int
	levels          map[[2]int]int // by the destinations of the two LIDs; nil without records
	isLMC           bool           // whether hosts have two LIDs each
	isByNode        bool           // whether levels are written by node, not by LID, of the source
	group           map[int][]int  // ports by switch
}

func (f *judgedFabric) ends() int { return f.hosts + f.switches }

// drawFabric returns a random fabric.
func drawFabric(r *rand.Rand) *judgedFabric {
	f := &judgedFabric{switches: 3 + r.IntN(3), to: map[plugAt]plugAt{}, host: map[plugAt]int{}}
	join := func(a, b, port int) {
		f.to[plugAt{a, port}], f.to[plugAt{b, port + 1}] = plugAt{b, port + 1}, plugAt{a, port}
	}
	for s := range f.switches {
		join(s, (s+1)%f.switches, 1)
	}
	if r.IntN(2) == 0 {
		join(0, 2, 4)
	}
	for s := range f.switches {
		f.host[plugAt{s, 3}] = f.hosts
		f.at, f.hosts = append(f.at, plugAt{s, 3}), f.hosts+1
	}
	for s := range f.switches {
		f.host[plugAt{s, 0}] = f.hosts + s
		f.at = append(f.at, plugAt{s, 0})
	}
	for e := range f.ends() {
		f.lids, f.owner = append(f.lids, 2*e+2), append(f.owner, e)
	}
	switch r.IntN(4) {
	case 0:
		f.lids, f.owner = append(f.lids, 50), append(f.owner, r.IntN(f.hosts))
	case 1:
		f.isLMC = true
		for h := range f.hosts {
			f.lids, f.owner = append(f.lids, 2*h+3), append(f.owner, h)
		}
	}
	f.drawTables(r)
	if r.IntN(2) == 0 {
		f.drawVLs(r)
	}
	if r.IntN(3) > 0 {
		f.drawLevels(r)
	}
	if r.IntN(3) == 0 {
		f.drawGroup(r)
	}
	return f
}

// drawTables draws a tree to each destination, and sometimes breaks an entry.
func (f *judgedFabric) drawTables(r *rand.Rand) {
	f.out = make([]map[int]int, f.switches)
	for s := range f.out {
		f.out[s] = map[int]int{}
	}
	isShort := r.IntN(2) == 0
	for d, e := range f.owner {
		home := f.at[e]
		f.out[home.sw][d] = home.port
		for list := []int{home.sw}; len(list) > 0; {
			i := 0
			if !isShort {
				i = r.IntN(len(list))
			}
			from := list[i]
			list = append(list[:i:i], list[i+1:]...)
			for _, port := range r.Perm(6) {
				end, ok := f.to[plugAt{from, port}]
				if _, done := f.out[end.sw][d]; ok && !done {
					f.out[end.sw][d] = end.port
					list = append(list, end.sw)
				}
			}
		}
	}
	if r.IntN(6) == 0 { // a wrong port between switches
		f.out[r.IntN(f.switches)][r.IntN(f.ends())] = 1 + r.IntN(2)
	}
}

// drawVLs draws SL-to-VL rows: VL 0 to 2, rarely 15.
func (f *judgedFabric) drawVLs(r *rand.Rand) {
	f.vl = map[[3]int][16]int{}
	vls, drops := 1+r.IntN(3), r.IntN(8) == 0
	for s := range f.switches {
		for in := range 6 {
			for out := range 6 {
				var row [16]int
				for k := range row {
					row[k] = (k + r.IntN(5)/4) % vls
				}
				if drops && r.IntN(40) == 0 {
					row[r.IntN(2)] = 15
				}
				f.vl[[3]int{s, in, out}] = row
			}
		}
	}
}

// drawLevels draws service levels 0 to 2 of all pairs. Levels of switch LIDs and of a further LID may be missing.
func (f *judgedFabric) drawLevels(r *rand.Rand) {
	f.levels = map[[2]int]int{}
	sls, missing := 1+r.IntN(3), r.IntN(3)
	for d, e := range f.owner {
		for from, source := range f.owner {
			isHosts := from < f.hosts && (d < f.hosts || f.isLMC && e < f.hosts)
			if source != e && (isHosts || missing == 0 || missing == 1 && r.IntN(20) > 0) {
				f.levels[[2]int{from, d}] = r.IntN(sls)
			}
		}
	}
}

// drawGroup draws a multicast tree over all switches.
func (f *judgedFabric) drawGroup(r *rand.Rand) {
	f.group = map[int][]int{r.IntN(f.switches): {3}}
	for len(f.group) < f.switches {
		s, port := r.IntN(f.switches), r.IntN(6)
		end, ok := f.to[plugAt{s, port}]
		if ok && f.group[s] != nil && f.group[end.sw] == nil {
			f.group[s], f.group[end.sw] = append(f.group[s], port), append([]int{3}, end.port)
		}
	}
}

// hop returns the VL of a packet at a switch, or 15.
func (f *judgedFabric) hop(s, in, out, level int) int {
	if f.vl == nil {
		return level
	}
	return f.vl[[3]int{s, in, out}][level]
}

// buffer is a VL of a cable, at the switch that sends.
type buffer struct{ sw, port, vl int }

// truth is what the judge finds.
type truth struct {
	edges         map[buffer]map[buffer]bool
	used          map[buffer]bool
	lost, loops   bool
	unknown       bool // whether a path has a service level that no file states
	isStated      bool // whether packets of unknown level are left out
	copiesGoRound bool
}

func (t *truth) add(from *buffer, to buffer) {
	t.used[to] = true
	if from != nil {
		if t.edges[*from] == nil {
			t.edges[*from] = map[buffer]bool{}
		}
		t.edges[*from][to] = true
	}
}

// walk follows one packet. It reports whether the packet was dropped because of its level, and does
// not count its buffers then if isTrial is set.
func (f *judgedFabric) walk(t *truth, from, d, level int, isTrial bool) (dropped bool) {
	at, visited := f.at[from], map[[3]int]bool{}
	var last *buffer
	for {
		place := [3]int{at.sw, at.port}
		if last != nil {
			place[2] = last.vl
		}
		if visited[place] {
			t.lost, t.loops = t.lost || !isTrial, t.loops || !isTrial
			return false
		}
		visited[place] = true
		port, ok := f.out[at.sw][d]
		if !ok {
			t.lost = t.lost || !isTrial
			return false
		}
		vl := f.hop(at.sw, at.port, port, level)
		if vl == 15 {
			t.lost = t.lost || !isTrial
			return true
		}
		if end, isHost := f.host[plugAt{at.sw, port}]; isHost {
			t.lost = t.lost || !isTrial && end != f.owner[d]
			return false
		}
		b := buffer{at.sw, port, vl}
		if !isTrial {
			t.add(last, b)
		}
		last, at = &b, f.to[plugAt{at.sw, port}]
	}
}

// possible returns the levels of packets from an end to a destination, from all LIDs of the end.
func (f *judgedFabric) possible(t *truth, from, d int, mode string) (list []int) {
	if f.levels == nil && f.vl == nil {
		return []int{0}
	}
	for source, e := range f.owner {
		switch level, ok := f.levels[[2]int{source, d}]; {
		case e != from || f.isByNode && source != from:
		case ok:
			list = append(list, level)
		case t.isStated && (f.levels != nil || f.owner[d] >= f.hosts || from >= f.hosts || !f.areSame(15, false)):
		default:
			list = append(list, f.unknown(t, from, d, mode)...)
		}
	}
	return list
}

// unknown returns the levels that a packet of unknown level can have.
func (f *judgedFabric) unknown(t *truth, from, d int, mode string) (list []int) {
	most := 15
	if f.vl == nil {
		most = 0
		for _, level := range f.levels {
			most = max(most, level)
		}
	}
	for level := range most + 1 {
		if !f.walk(&truth{}, from, d, level, true) {
			list = append(list, level)
		}
	}
	t.unknown = t.unknown || f.vl == nil || !f.areSame(most, f.levels != nil || mode != "none")
	return list
}

// areSame reports whether all levels up to most have the same VLs at all ports with a cable, and at
// the ports 0 if withSwitches is set.
func (f *judgedFabric) areSame(most int, withSwitches bool) bool {
	first := 1
	if withSwitches {
		first = 0
	}
	for s := range f.switches {
		for in := first; in < 6; in++ {
			for out := first; out < 6; out++ {
				_, a := f.to[plugAt{s, in}]
				_, b := f.host[plugAt{s, in}]
				_, c := f.to[plugAt{s, out}]
				_, h := f.host[plugAt{s, out}]
				for k := range most + 1 {
					x, y := f.hop(s, in, out, k), f.hop(s, in, out, 0)
					if (a || b) && (c && x != y || h && (x == 15) != (y == 15)) {
						return false
					}
				}
			}
		}
	}
	return true
}

// judge walks all packets. mode is none, hosts or all. The packets of unknown level are left out if isStated is set.
func (f *judgedFabric) judge(mode string, isStated bool) *truth {
	t := &truth{edges: map[buffer]map[buffer]bool{}, used: map[buffer]bool{}, isStated: isStated}
	for from := range f.ends() {
		for d, e := range f.owner {
			switches := 0
			if from >= f.hosts {
				switches++
			}
			if e >= f.hosts {
				switches++
			}
			if from == e || switches > map[string]int{"none": 0, "hosts": 1, "all": 2}[mode] {
				continue
			}
			levels := f.possible(t, from, d, mode)
			t.lost = t.lost || len(levels) == 0
			for _, level := range levels {
				f.walk(t, from, d, level, false)
			}
		}
	}
	f.copies(t, mode)
	return t
}

// copies follows multicast packets of service level 0.
func (f *judgedFabric) copies(t *truth, mode string) {
	alone := &truth{edges: map[buffer]map[buffer]bool{}, used: map[buffer]bool{}}
	seen := map[buffer]bool{}
	var follow func(at plugAt, last *buffer)
	follow = func(at plugAt, last *buffer) {
		for _, port := range f.group[at.sw] {
			end, ok := f.to[plugAt{at.sw, port}]
			vl := f.hop(at.sw, at.port, port, 0)
			if port == at.port || !ok || vl == 15 {
				continue
			}
			b := buffer{at.sw, port, vl}
			t.add(last, b)
			alone.add(last, b)
			if !seen[b] {
				seen[b] = true
				follow(end, &b)
			}
		}
	}
	for e := range f.ends() {
		if f.group != nil && (e < f.hosts || mode != "none") {
			follow(f.at[e], nil)
		}
	}
	t.copiesGoRound = alone.isCyclic()
}

// isCyclic removes buffers without successors until none is left.
func (t *truth) isCyclic() bool {
	left := map[buffer]map[buffer]bool{}
	for b, next := range t.edges {
		left[b] = next
	}
	for changed := true; changed; {
		changed = false
		for b, next := range left {
			isFree := true
			for to := range next {
				isFree = isFree && left[to] == nil
			}
			if isFree {
				delete(left, b)
				changed = true
			}
		}
	}
	return len(left) > 0
}

// verdicts returns the verdicts on deadlock-free, connected and livelock-free.
func (f *judgedFabric) verdicts(mode string) [3]string {
	t := f.judge(mode, false)
	v := [3]string{"proved", "proved", "proved"}
	if t.isCyclic() {
		v[0] = "refuted"
		if t.unknown && !f.judge(mode, true).isCyclic() {
			v[0] = "undecided"
		}
	}
	if t.lost {
		v[1] = "refuted"
	}
	if t.loops || t.copiesGoRound {
		v[2] = "refuted"
	}
	return v
}

// answer is the output of check.
type answer struct {
	Claims []struct {
		Claim, Verdict string
	}
	UsedVCs      int `json:"used_vcs"`
	Dependencies int
	Management   []struct{ Traffic, Verdict string }
}

func (a *answer) verdicts() (v [3]string) {
	for i, name := range []string{"deadlock-free", "connected", "livelock-free"} {
		for _, c := range a.Claims {
			if c.Claim == name {
				v[i] = c.Verdict
			}
		}
	}
	return v
}

// ask runs check on a folder.
func ask(t *testing.T, dir string, flags ...string) (a answer) {
	t.Helper()
	line := append([]string{"check", dir, "--json"}, flags...)
	var stdout, stderr string
	if program := os.Getenv("JUDGED_PROGRAM"); program != "" {
		var out, errors strings.Builder
		cmd := exec.CommandContext(t.Context(), program, line...)
		cmd.Stdout, cmd.Stderr = &out, &errors
		_ = cmd.Run() // the exit status is the verdict
		stdout, stderr = out.String(), errors.String()
	} else {
		stdout, stderr, _ = turnproof(t, line...)
	}
	if err := json.Unmarshal([]byte(stdout), &a); err != nil {
		t.Errorf("%v: %s%s", err, stdout, stderr)
	}
	return a
}

// TestRandomFabrics compares the verdicts and, without unknown service levels, the numbers of
// virtual channels and dependencies.
func TestRandomFabrics(t *testing.T) {
	t.Parallel()
	count := longtest.Cases(30, 1000)
	seen := map[string]int{}
	for seed := range uint64(count) {
		f := drawFabric(rand.New(rand.NewPCG(seed, 7)))
		f.isByNode = seed%2 == 1
		dir := t.TempDir()
		f.write(t, dir)
		base := f.verdicts("none") == [3]string{"proved", "proved", "proved"}
		for _, mode := range []string{"none", "hosts", "all"} {
			want, got := f.judge(mode, false), ask(t, dir, "--management="+mode)
			v := f.verdicts(mode)
			seen[mode+" "+v[0]]++
			if got.verdicts() != v || !want.unknown && (got.UsedVCs != len(want.used) || got.Dependencies != want.count()) {
				t.Errorf("seed %d, management %s: %v, %d VCs, %d dependencies; want %v, %d, %d", seed, mode, got.verdicts(), got.UsedVCs,
					got.Dependencies, v, len(want.used), want.count())
			}
		}
		for _, x := range ask(t, dir).Management {
			if want := weakest(f.verdicts(x.Traffic)); base && x.Verdict != want {
				t.Errorf("seed %d: with management %s: %s, want %s", seed, x.Traffic, x.Verdict, want)
			}
		}
	}
	for _, verdict := range []string{"proved", "refuted", "undecided"} {
		if seen["all "+verdict] == 0 || seen["none "+verdict] == 0 {
			t.Errorf("verdicts %v", seen)
		}
	}
	t.Log(seen)
}

// weakest returns refuted if a verdict is refuted, else undecided if one is undecided.
func weakest(v [3]string) string {
	all := fmt.Sprint(v)
	for _, word := range []string{"refuted", "undecided"} {
		if strings.Contains(all, word) {
			return word
		}
	}
	return "proved"
}

// count returns the number of dependencies.
func (t *truth) count() (k int) {
	for _, next := range t.edges {
		k += len(next)
	}
	return k
}

// write writes the files of the fabric.
func (f *judgedFabric) write(t *testing.T, dir string) {
	t.Helper()
	for name, text := range map[string]string{"topology.ibnetdiscover": f.topologyText(), "lfts.dump": f.tablesText(), "sl2vl.dump": f.vlText(),
		"path-records.txt": f.levelsText(), "opensm.mcfdbs": f.groupText()} {
		if text == "" {
			continue
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}
