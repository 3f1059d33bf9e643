package frr_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/turnproof/turnproof/internal/longtest"
	"github.com/turnproof/turnproof/model/format"
	"github.com/turnproof/turnproof/model/format/ethernet"
	"github.com/turnproof/turnproof/model/format/ethernet/frr"
)

// This file compares the models of control planes with FRR: random fabrics run in network namespaces, before and after 0 to 3 failures of
// cables. It needs root, namespaces and FRR.

// draw returns a random fabric: two or three tiers, or any graph. Up to three cables are down.
func draw(r *rand.Rand) *frr.Lab {
	l := &frr.Lab{Protocol: []string{"bgp", "bgp", "ospf", "updown"}[r.IntN(4)]}
	add := func(name string, level int) int {
		l.Switches = append(l.Switches, frr.Switch{Name: fmt.Sprint(name, len(l.Switches)), Level: level})
		return len(l.Switches) - 1
	}
	join := func(a, b int) {
		for range 1 + r.IntN(8)/7 {
			l.Cables = append(l.Cables, frr.Cable{A: a, B: b})
		}
	}
	shape := r.IntN(3)
	if l.Protocol == "updown" {
		shape = r.IntN(2)
	}
	var leaves []int
	switch shape {
	case 0:
		for range 3 + r.IntN(3) {
			leaves = append(leaves, add("leaf", 0))
		}
		for range 2 + r.IntN(2) {
			for s, k := add("spine", 1), 0; k < len(leaves); k++ {
				join(leaves[k], s)
			}
		}
	case 1:
		planes := make([][]int, 2)
		for range 2 {
			var pod []int
			for range 2 + r.IntN(2) {
				pod = append(pod, add("leaf", 0))
			}
			for plane := range planes {
				a := add("agg", 1)
				planes[plane] = append(planes[plane], a)
				for _, leaf := range pod {
					join(leaf, a)
				}
			}
			leaves = append(leaves, pod...)
		}
		for plane := range planes {
			for range 1 + r.IntN(2) {
				s := add("spine", 2)
				for _, a := range planes[plane] {
					join(a, s)
				}
			}
		}
	default:
		for u := range 4 + r.IntN(4) {
			if add("router", 0); u > 0 {
				join(r.IntN(u), u)
			}
			if r.IntN(3) > 0 {
				leaves = append(leaves, u)
			}
		}
		for range 1 + r.IntN(5) {
			if a, b := r.IntN(len(l.Switches)), r.IntN(len(l.Switches)); a != b {
				join(a, b)
			}
		}
		if len(leaves) < 2 {
			leaves = []int{0, len(l.Switches) - 1}
		}
	}
	for k, u := range leaves {
		l.Switches[u].Prefixes = append(l.Switches[u].Prefixes, netip.MustParsePrefix(fmt.Sprintf("10.0.%d.0/24", k)))
	}
	if r.IntN(4) == 0 { // hosts at two switches
		p := netip.MustParsePrefix("10.1.0.0/24")
		l.Switches[leaves[0]].Prefixes, l.Switches[leaves[1]].Prefixes = append(l.Switches[leaves[0]].Prefixes, p), append(l.Switches[leaves[1]].Prefixes, p)
	}
	drawNumbers(r, l)
	for range r.IntN(4) {
		l.Cables[r.IntN(len(l.Cables))].IsDown = true
	}
	return l
}

// drawNumbers draws AS numbers: one for each switch, one for each tier above the leaves, or few. Neighbours have different ones.
func drawNumbers(r *rand.Rand, l *frr.Lab) {
	kind := r.IntN(5) // more often all different
	for u := range l.Switches {
		as := uint32(65001 + u)
		switch {
		case l.Protocol == "updown":
		case kind == 1 && l.Switches[u].Level > 0:
			as = uint32(65500 + l.Switches[u].Level)
		case kind == 2:
			as = uint32(65001 + r.IntN(5))
		}
		isTaken := func() bool {
			return slices.ContainsFunc(l.Cables, func(c frr.Cable) bool {
				return c.A == u && c.B < u && l.Switches[c.B].AS == as || c.B == u && c.A < u && l.Switches[c.A].AS == as
			})
		}
		for isTaken() {
			as = uint32(65001 + r.IntN(8))
		}
		l.Switches[u].AS = as
	}
}

// lab runs a command of lab.sh.
func lab(t *testing.T, dir string, args ...string) {
	t.Helper()
	cmd := exec.Command("sh", append([]string{filepath.Join(dir, "lab.sh")}, args...)...)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Run(); err != nil {
		t.Fatalf("lab.sh %v: %v\n%s", args, err, &out)
	}
}

// read reads the dumps of a lab.
func read(t *testing.T, dir string) *ethernet.Fabric {
	t.Helper()
	f := format.FolderOf(dir)
	if f == nil {
		t.Fatalf("%s is no folder of dumps", dir)
	}
	r, err := f.Read(dir, format.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return r.Source.(*ethernet.Found).Fabric()
}

// routesOf returns the next hops to all host prefixes.
func routesOf(f *ethernet.Fabric) map[string]map[string][]string {
	all := map[string]map[string][]string{}
	for _, p := range f.HostPrefixes() {
		all[p.String()] = f.NextHops(p)
	}
	return all
}

// tally counts what the labs had.
type tally struct {
	sync.Mutex
	seen map[string]int
}

func (c *tally) add(text string) {
	c.Lock()
	defer c.Unlock()
	c.seen[text]++
}

// TestModelsAndFRR compares the models with FRR: without failures, and after those that are drawn.
func TestModelsAndFRR(t *testing.T) {
	longtest.Only(t, "the models are compared with message passing in cmd/turnproof")
	if out, err := exec.Command("ip", "netns", "add", "turnproof-test").CombinedOutput(); err != nil {
		t.Skipf("no network namespaces: %s", out)
	}
	_ = exec.Command("ip", "netns", "del", "turnproof-test").Run()
	if _, err := os.Stat("/usr/lib/frr/bgpd"); err != nil {
		t.Skip("FRR is not installed")
	}
	count := &tally{seen: map[string]int{}}
	t.Run("labs", func(t *testing.T) {
		for seed := range uint64(longtest.Cases(1, 240)) {
			t.Run(fmt.Sprint(seed), func(t *testing.T) {
				t.Parallel()
				compare(t, seed, count)
			})
		}
	})
	t.Log(count.seen)
}

// compare runs one fabric.
func compare(t *testing.T, seed uint64, count *tally) {
	l := draw(rand.New(rand.NewPCG(seed, 8)))
	dir := t.TempDir()
	if err := l.Write(dir); err != nil {
		t.Fatal(err)
	}
	defer lab(t, dir, "down")
	lab(t, dir, "up")
	var whole *ethernet.Fabric
	var how *ethernet.Rerouting
	text := settled(t, dir, func() string {
		whole = read(t, filepath.Join(dir, "dumps"))
		as, err := whole.ASNumbers("")
		if l.Protocol != "bgp" {
			as = nil
		} else if err != nil {
			return err.Error()
		}
		if how, err = whole.NewRerouting(l.Protocol, as); err != nil {
			return err.Error()
		}
		return how.Judged()
	})
	switch {
	case strings.Contains(text, "announces one of them"):
		count.add(l.Protocol + " unsure without failures")
		return
	case text != "":
		t.Fatalf("seed %d: %s\n%+v", seed, text, l)
	}
	down, failed := ethernet.Down{}, 0
	for _, c := range whole.Cables() {
		for _, x := range l.Cables {
			name := fmt.Sprintf("%s:%s - %s:%s", l.Switches[x.A].Name, x.APort, l.Switches[x.B].Name, x.BPort)
			back := fmt.Sprintf("%s:%s - %s:%s", l.Switches[x.B].Name, x.BPort, l.Switches[x.A].Name, x.APort)
			if text := whole.CableName(c); x.IsDown && (text == name || text == back) {
				down.Cables = append(down.Cables, c)
				failed++
			}
		}
	}
	state, err := whole.After(down, how)
	if err != nil {
		t.Fatal(err)
	}
	lab(t, dir, "fail")
	if len(state.Doubts) > 0 {
		count.add(fmt.Sprintf("%s, %d failures, unsure", l.Protocol, failed))
		return
	}
	count.add(fmt.Sprintf("%s, %d failures", l.Protocol, failed))
	if d := settled(t, dir, func() string {
		return cmp.Diff(routesOf(read(t, filepath.Join(dir, "dumps"))), routesOf(state.Found.Fabric()))
	}); d != "" {
		t.Errorf("seed %d, %s, down %v: FRR and the model:\n%s\n%+v", seed, l.Protocol, l.Cables, d, l)
	}
}

// settled collects the dumps of a lab when no routes change, until compare finds no difference. On a busy machine routes may seem settled too
// early: it tries up to five times. It returns the last difference.
func settled(t *testing.T, dir string, compare func() string) (text string) {
	for range 5 {
		lab(t, dir, "settle")
		lab(t, dir, "collect")
		if text = compare(); text == "" || strings.Contains(text, "announces one of them") {
			break
		}
	}
	return text
}
