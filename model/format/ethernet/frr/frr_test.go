package frr_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
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

// drawAggregates draws a fabric of two or three tiers whose switches aggregate the prefixes of a pod, or of all: with and without summary-only.
func drawAggregates(r *rand.Rand) *frr.Lab {
	l := &frr.Lab{Protocol: []string{"bgp", "bgp", "bgp", "updown"}[r.IntN(4)]}
	add := func(name string, level int) int {
		l.Switches = append(l.Switches, frr.Switch{Name: fmt.Sprint(name, len(l.Switches)), Level: level})
		return len(l.Switches) - 1
	}
	aggregate := func(u int, prefix string, isSummary bool) {
		l.Switches[u].Aggregates = append(l.Switches[u].Aggregates, frr.Aggregate{Prefix: netip.MustParsePrefix(prefix), SummaryOnly: isSummary})
	}
	isSummary, isWide, isLow := r.IntN(4) > 0, r.IntN(4) == 0, r.IntN(4) == 0
	planes := make([][]int, 2)
	for pod := range 2 + r.IntN(2) {
		var leaves []int
		for k := range 2 + r.IntN(2) {
			u := add("leaf", 0)
			leaves = append(leaves, u)
			for n := range 1 + r.IntN(2) {
				l.Switches[u].Prefixes = append(l.Switches[u].Prefixes, netip.MustParsePrefix(fmt.Sprintf("10.%d.%d.0/24", pod, 4*k+n)))
			}
			if isLow && r.IntN(3) > 0 {
				aggregate(u, fmt.Sprintf("10.%d.%d.0/22", pod, 4*k), r.IntN(2) == 0)
			}
		}
		for plane := range planes {
			a := add("agg", 1)
			planes[plane] = append(planes[plane], a)
			for _, leaf := range leaves {
				l.Cables = append(l.Cables, frr.Cable{A: leaf, B: a})
			}
			if r.IntN(5) > 0 {
				aggregate(a, fmt.Sprintf("10.%d.0.0/16", pod), isSummary != (r.IntN(8) == 0))
			}
		}
	}
	for plane := range planes {
		for range 1 + r.IntN(2) {
			s := add("spine", 2)
			for _, a := range planes[plane] {
				l.Cables = append(l.Cables, frr.Cable{A: a, B: s})
			}
			if isWide {
				aggregate(s, "10.0.0.0/8", isSummary)
			}
		}
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

// errSlow is that the routers of a lab did not become ready in time.
var errSlow = errors.New("the routers are not ready in time")

// lab runs a command of lab.sh.
func lab(dir string, args ...string) error {
	cmd := exec.Command("sh", append([]string{filepath.Join(dir, "lab.sh")}, args...)...)
	cmd.Env = append(os.Environ(), "MOST=300")
	out, err := cmd.CombinedOutput()
	switch {
	case err != nil && cmd.ProcessState != nil && cmd.ProcessState.ExitCode() == 3:
		return fmt.Errorf("%w: %s", errSlow, out)
	case err != nil:
		return fmt.Errorf("lab.sh %v: %w\n%s", args, err, out)
	}
	return nil
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

// TestModelsAndFRR compares the models with FRR: without failures, and after those that are drawn. A lab whose routers are not ready in time is
// not counted.
func TestModelsAndFRR(t *testing.T) { compareAll(t, draw, *journalFile, longtest.Cases(1, 200)) }

// TestAggregatesAndFRR does the same for fabrics with aggregates.
func TestAggregatesAndFRR(t *testing.T) {
	want := 2
	if longtest.IsFull() {
		want = 40
	}
	compareAll(t, drawAggregates, *aggregatesFile, want)
}

// compareAll compares as many fabrics that are drawn as want.
func compareAll(t *testing.T, draw func(*rand.Rand) *frr.Lab, file string, want int) {
	t.Helper()
	longtest.Only(t, "the models are compared with message passing in cmd/turnproof")
	if out, err := exec.Command("ip", "netns", "add", "turnproof-test").CombinedOutput(); err != nil {
		t.Skipf("no network namespaces: %s", out)
	}
	_ = exec.Command("ip", "netns", "del", "turnproof-test").Run()
	if _, err := os.Stat("/usr/lib/frr/bgpd"); err != nil {
		t.Skip("FRR is not installed")
	}
	j := openJournal(t, file, want)
	t.Run("labs", func(t *testing.T) {
		for seed := range uint64(2 * want) {
			t.Run(fmt.Sprint(seed), func(t *testing.T) {
				t.Parallel()
				if !j.wants(seed) {
					t.Skip("done, or not needed")
				}
				text, err := compare(t, draw(rand.New(rand.NewPCG(seed, 8))))
				switch {
				case errors.Is(err, errSlow):
					t.Skip(err)
				case err != nil:
					t.Errorf("seed %d: %v", seed, err)
				default:
					j.add(t, seed, text)
				}
			})
		}
	})
	t.Log(j)
	if !t.Failed() && j.compared() < want {
		t.Errorf("%d fabrics compared; want %d", j.compared(), want)
	}
}

// compare runs one fabric. It returns what the fabric was if the routes are equal.
func compare(t *testing.T, l *frr.Lab) (text string, err error) {
	dir := t.TempDir()
	if err := l.Write(dir); err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, lab(dir, "down")) }()
	if err := lab(dir, "up"); err != nil {
		return "", err
	}
	var whole *ethernet.Fabric
	var how *ethernet.Rerouting
	diff, err := settled(dir, func() string {
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
	case err != nil:
		return "", err
	case strings.Contains(diff, oneOfThem) || strings.Contains(diff, notShown):
		return l.Protocol + " " + unsure + " without failures", nil
	case diff != "":
		return "", fmt.Errorf("%s\n%+v", diff, l)
	}
	state, err := whole.After(downIn(whole, l), how)
	if err != nil {
		return "", err
	}
	text = fmt.Sprintf("%s, %d failures", l.Protocol, len(downIn(whole, l).Cables))
	if len(state.Doubts) > 0 {
		return text + ", " + unsure, nil
	}
	if err := lab(dir, "fail"); err != nil {
		return "", err
	}
	diff, err = settled(dir, func() string {
		return cmp.Diff(routesOf(read(t, filepath.Join(dir, "dumps"))), routesOf(state.Found.Fabric()))
	})
	if err == nil && diff != "" {
		err = fmt.Errorf("%s: FRR and the model:\n%s\n%+v", text, diff, l)
	}
	return text, err
}

// unsure marks fabrics whose routes BGP or the dumps do not determine; oneOfThem or notShown is in the doubt about them.
const unsure, oneOfThem, notShown = "unsure", "announces one of them", "the dumps do not show whether"

// downIn returns the cables of a fabric that are down in a lab.
func downIn(f *ethernet.Fabric, l *frr.Lab) (down ethernet.Down) {
	for _, c := range f.Cables() {
		for _, x := range l.Cables {
			name := fmt.Sprintf("%s:%s - %s:%s", l.Switches[x.A].Name, x.APort, l.Switches[x.B].Name, x.BPort)
			back := fmt.Sprintf("%s:%s - %s:%s", l.Switches[x.B].Name, x.BPort, l.Switches[x.A].Name, x.APort)
			if text := f.CableName(c); x.IsDown && (text == name || text == back) {
				down.Cables = append(down.Cables, c)
			}
		}
	}
	return down
}

// settled collects the dumps of a lab when each cable has its session and no routes change, until compare finds no difference. On a busy machine
// routes may seem settled too early: it tries up to five times. It returns the last difference.
func settled(dir string, compare func() string) (text string, err error) {
	for range 5 {
		for _, command := range []string{"settle", "collect"} {
			if err := lab(dir, command); err != nil {
				return "", err
			}
		}
		if text = compare(); text == "" || strings.Contains(text, oneOfThem) || strings.Contains(text, notShown) {
			break
		}
	}
	return text, nil
}
