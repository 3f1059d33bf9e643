package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/internal/longtest"
)

// This file judges check --fail on dumps of Ethernet switches by brute force. It takes each failure alone, without symmetries. After
// the failure its control planes exchange messages until nothing changes, and the judge of folders walks all pairs.

// planned is a random fabric whose routes a control plane has computed.
type planned struct {
	*drawnEthernet
	word    string // of --reroute
	as      []int
	level   []int
	origins map[netip.Prefix][]int // of the prefixes that are announced
}

// drawPlanned draws a fabric: tiers with some cables missing, or any graph.
func drawPlanned(r *rand.Rand) *planned {
	f := &planned{drawnEthernet: &drawnEthernet{homes: map[netip.Prefix][]int{}}, origins: map[netip.Prefix][]int{},
		word: []string{"none", "bgp", "ospf", "updown"}[r.IntN(4)]}
	if f.word == "ospf" {
		f.by = "ospf"
	}
	isTiered := f.word == "updown" || r.IntN(2) == 0
	f.drawCables(r, isTiered)
	for range f.n {
		f.routes = append(f.routes, map[netip.Prefix][]int{})
	}
	f.drawHosts(r)
	f.drawAS(r)
	f.level = f.levels()
	f.drawAggregates(r)
	for p, next := range f.converge(f.left(nil, nil), nil) {
		for u := range f.n {
			if next[u] != nil {
				f.routes[u][p] = next[u]
			}
		}
	}
	return f
}

// drawCables draws the cables and which switches are leaves: those below n are switches, in tiers the first ones are leaves.
func (f *planned) drawCables(r *rand.Rand, isTiered bool) {
	var ports []int
	join := func(a, b int) {
		ports[a]++
		ports[b]++
		f.cables = append(f.cables, [4]int{a, ports[a], b, ports[b]})
	}
	if !isTiered {
		f.n = 3 + r.IntN(4)
		ports = make([]int, f.n)
		for u := 1; u < f.n; u++ {
			join(u, r.IntN(u))
		}
		for range r.IntN(f.n + 1) {
			if a, b := r.IntN(f.n), r.IntN(f.n); a != b {
				join(a, b)
			}
		}
		return
	}
	leaves, spines := 2+r.IntN(3), 2+r.IntN(2)
	f.n = leaves + spines
	ports = make([]int, f.n)
	for l := range leaves {
		for s := range spines {
			for range 1 + r.IntN(5)/4 {
				if r.IntN(8) > 0 {
					join(l, leaves+s)
				}
			}
		}
	}
}

// drawHosts draws the host prefixes and what is announced: they, or an aggregate of each leaf.
func (f *planned) drawHosts(r *rand.Rand) {
	isAggregated := r.IntN(4) == 0
	for u := range f.n {
		isLeaf := u < 2 || !slices.ContainsFunc(f.cables, func(c [4]int) bool { return c[2] == u }) || r.IntN(3) == 0
		if f.word == "updown" {
			isLeaf = !slices.ContainsFunc(f.cables, func(c [4]int) bool { return c[2] == u })
		}
		if !isLeaf {
			continue
		}
		for k := range 1 + r.IntN(2) {
			p := netip.PrefixFrom(netip.AddrFrom4([4]byte{10, byte(u), byte(2*u + k), 0}), 24)
			f.homes[p] = []int{u}
			if !isAggregated {
				f.origins[p] = []int{u}
			}
		}
		if isAggregated {
			p := netip.PrefixFrom(netip.AddrFrom4([4]byte{10, byte(u), 0, 0}), 16)
			f.origins[p] = []int{u}
			if r.IntN(2) == 0 {
				f.routes[u][p] = []int{-1}
			}
		}
	}
	if v := r.IntN(f.n - 1); f.word != "updown" && r.IntN(4) == 0 {
		p := netip.PrefixFrom(netip.AddrFrom4([4]byte{10, 200, 200, 0}), 24)
		f.homes[p], f.origins[p], f.multihomed = []int{v, v + 1}, []int{v, v + 1}, true
	}
}

// drawAS draws AS numbers. Neighbours have different ones.
func (f *planned) drawAS(r *rand.Rand) {
	most := []int{1000, f.n, 4}[r.IntN(3)]
	for u := range f.n {
		as := 1 + r.IntN(most)
		if most == 1000 {
			as = 1 + u
		}
		for tries := 0; slices.ContainsFunc(f.cables, func(c [4]int) bool {
			return c[0] == u && c[2] < u && f.as[c[2]] == as || c[2] == u && c[0] < u && f.as[c[0]] == as
		}); tries++ {
			as = 1 + r.IntN(most+tries)
		}
		f.as = append(f.as, as)
	}
}

// levels returns the distance of each switch from the nearest switch with hosts.
func (f *planned) levels() []int {
	level := slices.Repeat([]int{1000}, f.n)
	for _, homes := range f.homes {
		for _, u := range homes {
			level[u] = 0
		}
	}
	for range f.n {
		for _, c := range f.cables {
			level[c[0]], level[c[2]] = min(level[c[0]], level[c[2]]+1), min(level[c[2]], level[c[0]]+1)
		}
	}
	return level
}

// left returns the cables that are left.
func (f *planned) left(cables, switches map[int]bool) (list [][4]int) {
	for i, c := range f.cables {
		if !cables[i] && !switches[c[0]] && !switches[c[2]] {
			list = append(list, c)
		}
	}
	return list
}

// message is what a switch announces: the AS numbers, or nil as its own prefix. isFromAbove is a mark for updown.
type message struct {
	path        []int
	isFromAbove bool
}

// listen chooses the shortest paths of what a switch hears. Of equal ones it announces the smallest.
func (f *planned) listen(u int, cables [][4]int, said []*message) (best *message, ports []int) {
	for _, c := range cables {
		for _, side := range [][3]int{{c[0], c[1], c[2]}, {c[2], c[3], c[0]}} {
			v := side[2]
			if side[0] != u || said[v] == nil {
				continue
			}
			m := message{append([]int{f.as[v]}, said[v].path...), f.level[v] > f.level[u]}
			switch {
			case f.word == "bgp" && slices.Contains(m.path, f.as[u]), f.word == "updown" && f.level[u] > f.level[v] && said[v].isFromAbove:
				continue
			case f.word == "updown":
				m.path = append([]int{v}, said[v].path...)
			}
			if best == nil || len(m.path) < len(best.path) {
				best, ports = &m, nil
			}
			if len(m.path) == len(best.path) {
				ports = append(ports, side[1])
				if slices.Compare(m.path, best.path) < 0 {
					best = &m
				}
			}
		}
	}
	return best, ports
}

// floyd returns the shortest paths.
func (f *planned) floyd(cables [][4]int, origins []int) [][]int {
	far := make([][]int, f.n)
	for u := range far {
		far[u] = slices.Repeat([]int{1000}, f.n)
		far[u][u] = 0
	}
	for _, c := range cables {
		far[c[0]][c[2]], far[c[2]][c[0]] = 1, 1
	}
	for k := range f.n {
		for i := range f.n {
			for j := range f.n {
				far[i][j] = min(far[i][j], far[i][k]+far[k][j])
			}
		}
	}
	nearest := func(u int) int {
		d := 1000
		for _, o := range origins {
			d = min(d, far[u][o])
		}
		return d
	}
	next := make([][]int, f.n)
	for _, c := range cables {
		if nearest(c[0]) == nearest(c[2])+1 {
			next[c[0]] = append(next[c[0]], c[1])
		}
		if nearest(c[2]) == nearest(c[0])+1 {
			next[c[2]] = append(next[c[2]], c[3])
		}
	}
	return next
}

// after judges what is left of a folder after a failure.
func (f *planned) after(whole *etherTruth, cables, switches map[int]bool) *etherTruth {
	e := &etherTruth{switches: map[string]*judgedSwitch{}, channels: map[string]bool{}, dependencies: map[string]bool{}, next: map[string][]string{}}
	left := f.left(cables, switches)
	isUp := map[string]bool{}
	for _, c := range left {
		isUp[fmt.Sprintf("sw%d swp%d", c[0], c[1])], isUp[fmt.Sprintf("sw%d swp%d", c[2], c[3])] = true, true
	}
	for u := range f.n {
		if switches[u] {
			continue
		}
		name := fmt.Sprint("sw", u)
		old := whole.switches[name]
		sw := &judgedSwitch{name, map[netip.Prefix][]string{}, old.homes, maps.Clone(old.drops), old.peer}
		for p, devs := range old.routes {
			alive := slices.DeleteFunc(slices.Clone(devs), func(dev string) bool { return !isUp[name+" "+dev] })
			if len(alive) > 0 || len(devs) == 0 {
				sw.routes[p] = alive
			}
		}
		e.switches[name] = sw
	}
	if f.word != "none" {
		f.announce(e, left, switches)
	}
	e.walkAll()
	return e
}

// announce replaces the routes to announced prefixes by those that the control plane computes.
func (f *planned) announce(e *etherTruth, left [][4]int, switches map[int]bool) {
	for p, next := range f.converge(left, switches) {
		for u := range f.n {
			if switches[u] || slices.Contains(f.origins[p], u) {
				continue
			}
			sw := e.switches[fmt.Sprint("sw", u)]
			delete(sw.routes, p)
			delete(sw.drops, p)
			for _, port := range next[u] {
				if port < 0 {
					sw.routes[p], sw.drops[p] = nil, true
				} else {
					sw.routes[p] = append(sw.routes[p], fmt.Sprint("swp", port))
				}
			}
		}
	}
}

// TestRandomFailures compares the verdicts after all failures of random fabrics with those of the judge.
func TestRandomFailures(t *testing.T) {
	t.Parallel()
	seen := map[string]int{}
	for seed := range uint64(longtest.Cases(30, 2000)) {
		r := rand.New(rand.NewPCG(seed, 51))
		f := drawPlanned(r)
		if len(f.homes) < 2 {
			continue
		}
		dir := t.TempDir()
		f.writeKinds(t, dir, []string{"zebra lldp", "kernel lldp addresses", "zebra addresses"}[r.IntN(3)])
		compareFailures(t, f, dir, []string{"links:1", "links:2", "switches:1", "switches:2"}[r.IntN(4)], seen)
		if t.Failed() {
			t.Fatalf("seed %d: %+v, %+v", seed, f, f.drawnEthernet)
		}
	}
	t.Log(seen)
	for _, word := range []string{"none", "bgp", "ospf", "updown"} {
		if seen[word] == 0 || seen[word+" lost"] == 0 {
			t.Errorf("%v: too few of %s to tell", seen, word)
		}
	}
	if seen["cyclic"] == 0 || seen["unsure"] == 0 || seen["symmetric"] == 0 || seen["aggregates"] == 0 {
		t.Errorf("%v: too few to tell", seen)
	}
}

// compareFailures compares all failures of a kind.
func compareFailures(t *testing.T, f *planned, dir, what string, seen map[string]int) {
	t.Helper()
	args := []string{"check", dir, "--fail", what, "--reroute", f.word, "--json", "--assume", "outside,dumps"}
	if f.word == "bgp" {
		file, text := filepath.Join(t.TempDir(), "as.txt"), ""
		for u, as := range f.as {
			text += fmt.Sprintf("sw%d %d\n", u, as)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		args = append(args, "--as", file)
	}
	stdout, stderr, code := turnproof(t, args...)
	if stdout == "" {
		if !strings.Contains(stderr, "want levels that differ") && !strings.Contains(stderr, "all switches have hosts") {
			t.Errorf("exit status %d, %s", code, stderr)
		}
		seen["refused"]++
		return
	}
	valid(t, "check.json", stdout)
	var got struct {
		Failures struct {
			Tried, Judged int
			List          []struct {
				Verdict, Failed, Reason string
				Like                    int
				DeadlockFree            *bool `json:"deadlock_free"`
				Unreachable             int   `json:"unreachable_pairs"`
				Pairs                   int
			}
		}
	}
	if err := json.Unmarshal([]byte(stdout), &got); err != nil {
		t.Fatal(err)
	}
	found, total := map[string]int{}, 0
	for _, x := range got.Failures.List {
		total += max(1, x.Like)
		switch {
		case strings.Contains(x.Reason, "announces one of them") || strings.Contains(x.Reason, "different equal paths"):
			found["unsure"] += max(1, x.Like)
		case strings.Contains(x.Reason, "the dumps do not show whether"):
			found["unsure"] += max(1, x.Like)
			seen["hidden"]++
		case strings.Contains(x.Reason, "nothing to judge"):
			found["no pairs"] += max(1, x.Like)
		case x.DeadlockFree == nil:
			t.Errorf("%s: %+v", what, x)
		default:
			found[fmt.Sprintf("deadlock-free %v, lost %d of %d", *x.DeadlockFree, x.Unreachable, x.Pairs)] += max(1, x.Like)
		}
	}
	if got.Failures.Judged > 0 {
		seen["symmetric"]++
	}
	want, wantTotal := f.judgeAll(t, dir, what, seen)
	if total != wantTotal || total != got.Failures.Tried {
		t.Errorf("%s: %d failures, tried %d, want %d", what, total, got.Failures.Tried, wantTotal)
	}
	for text, n := range found {
		if text != "unsure" && n > want[text] || found["unsure"] == 0 && n != want[text] {
			t.Errorf("%s --reroute %s: %d times %s, by the judge %d times\n%v\n%v", what, f.word, n, text, want[text], found, want)
		}
	}
	seen["unsure"] += found["unsure"]
	if len(f.aggregates) > 0 {
		seen["aggregates"] += total - found["unsure"]
	}
}

// judgeAll judges all failures of a kind.
func (f *planned) judgeAll(t *testing.T, dir, what string, seen map[string]int) (want map[string]int, total int) {
	whole := judgeEthernet(t, dir)
	want = map[string]int{}
	kind, count, _ := strings.Cut(what, ":")
	n := len(f.cables)
	if kind == "switches" {
		n = f.n
	}
	var failed [][]int
	for i := range n {
		if count == "1" {
			failed = append(failed, []int{i})
		}
		for j := i + 1; j < n && count == "2"; j++ {
			failed = append(failed, []int{i, j})
		}
	}
	for _, list := range failed {
		down := map[int]bool{}
		for _, i := range list {
			down[i] = true
		}
		var e *etherTruth
		if kind == "links" {
			e = f.after(whole, down, nil)
		} else {
			e = f.after(whole, nil, down)
		}
		text := fmt.Sprintf("deadlock-free %v, lost %d of %d", e.shortestCycle() == 0, e.lost, e.pairs)
		if e.pairs == 0 {
			text = "no pairs"
		}
		want[text]++
		seen[f.word]++
		if e.lost > 0 {
			seen[f.word+" lost"]++
		}
		if e.shortestCycle() > 0 {
			seen["cyclic"]++
		}
	}
	return want, len(failed)
}

// TestFallback checks that frames go by the longest prefix that is left when the only next hop of a route fails, as the kernel does it.
func TestFallback(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS("../../examples/day-roce/monday")); err != nil {
		t.Fatal(err)
	}
	lost := func() string {
		t.Helper()
		stdout, stderr, code := turnproof(t, "check", dir, "--fail", "links:1", "--reroute", "none", "--json")
		if code != cli.ExitRefuted {
			t.Fatalf("exit status %d\n%s%s", code, stdout, stderr)
		}
		for _, x := range listAt(valid(t, "check.json", stdout), "failures", "list") {
			if at(x, "failed") == "l1:swp1 - s1:swp1" {
				return fmt.Sprint(at(x, "unreachable_pairs"))
			}
		}
		t.Fatal("no failure of l1:swp1")
		return ""
	}
	path := filepath.Join(dir, "l1/show_ip_route.json")
	var doc map[string][]map[string]any
	text, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(text, &doc)
	}
	if err != nil {
		t.Fatal(err)
	}
	save := func() {
		t.Helper()
		if text, err = json.Marshal(doc); err == nil {
			err = os.WriteFile(path, text, 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	route := doc["10.0.3.0/24"][0]
	both := route["nexthops"].([]any)
	route["nexthops"] = both[:1] // by swp1
	save()
	if n := lost(); n != "4" { // of l1 to 10.0.3.0/24, and of the others to l1, whose hash may choose s1
		t.Errorf("%s pairs lost, want 4", n)
	}
	wide := maps.Clone(route)
	wide["prefix"], wide["nexthops"] = "10.0.0.0/16", both[1:]
	doc["10.0.0.0/16"] = []map[string]any{wide}
	save()
	if n := lost(); n != "3" {
		t.Errorf("with a wider route by swp2: %s pairs lost, want 3", n)
	}
}
