package everysize

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/verify/cert"
)

// grid is a small network with at most two failures; works answers from its list of links.
type grid struct {
	sides []int
	ring  []bool
	fails []failure
	at    [][]int // by failure
}

// links returns the links that work, each as two places.
func (g *grid) links() (list [][2]string) {
	var places [][]int
	for x := range g.sides[0] {
		for y := range g.sides[1] {
			places = append(places, []int{x, y})
		}
	}
	for _, p := range places {
		for d := range 2 {
			q := slices.Clone(p)
			if q[d]++; q[d] == g.sides[d] {
				if !g.ring[d] {
					continue
				}
				q[d] = 0
			}
			broken := false
			for k, what := range g.fails {
				broken = broken || int(what) == d && slices.Equal(p, g.at[k]) ||
					what == switchFailed && (slices.Equal(p, g.at[k]) || slices.Equal(q, g.at[k]))
			}
			if !broken {
				list = append(list, [2]string{fmt.Sprint(p), fmt.Sprint(q)})
			}
		}
	}
	return list
}

// works reports whether one of the links leads from p in a direction.
func (g *grid) works(links [][2]string, p []int, dir direction) bool {
	q, d := slices.Clone(p), dir.dim()
	if q[d]++; !dir.plus() {
		q[d] -= 2
	}
	if g.ring[d] && p[d] >= 0 && p[d] < g.sides[d] {
		q[d] = (q[d] + g.sides[d]) % g.sides[d]
	}
	return slices.ContainsFunc(links, func(l [2]string) bool {
		return l == [2]string{fmt.Sprint(p), fmt.Sprint(q)} && dir.plus() || l == [2]string{fmt.Sprint(q), fmt.Sprint(p)} && !dir.plus()
	})
}

// TestWorksFormula compares the formulas works, leaves and domain with lists of links, at all places of small networks.
func TestWorksFormula(t *testing.T) {
	for _, name := range []string{"mesh(n, m)", "torus(n, m)", `torus(n, m, wrap = "y")`} {
		p, err := read("family = "+name+"\ndef route(cur, dst, inp):\n    return [E]\n", 2)
		if err != nil {
			t.Fatal(err)
		}
		for _, faults := range []string{"links:1", "switches:1", "links:2", "switches:2"} {
			list, err := newFamily(p).cases(faults)
			if err != nil {
				t.Fatal(err)
			}
			for _, fails := range list {
				f := newFamily(p).in(fails)
				least := 2
				if f.rings(0) {
					least = 3
				}
				for _, sides := range [][]int{{least, 3}} {
					compareWorks(t, f, &grid{sides, []bool{f.rings(0), f.rings(1)}, fails, nil})
				}
			}
		}
	}
}

func compareWorks(t *testing.T, f *family, g *grid) {
	t.Helper()
	th := &theorem{family: f}
	domain := f.domain()
	var works, leaves []*Formula
	for dir := range direction(4) {
		works, leaves = append(works, f.works(f.here, dir)), append(leaves, th.leaves(dir))
	}
	var places [][]int
	for x := -1; x <= g.sides[0]; x++ {
		for y := -1; y <= g.sides[1]; y++ {
			places = append(places, []int{x, y})
		}
	}
	failures := [][][]int{nil}
	for range g.fails {
		var longer [][][]int
		for _, before := range failures {
			for _, p := range places {
				longer = append(longer, append(slices.Clone(before), p))
			}
		}
		failures = longer
	}
	step := 1 // of pairs, some
	if len(g.fails) == 2 {
		step = 17
	}
	for i := 0; i < len(failures); i += step {
		g.at = failures[i]
		links := g.links()
		for x := -1; x <= g.sides[0]; x++ {
			for y := -1; y <= g.sides[1]; y++ {
				point := []int64{int64(x), int64(y), 0, 0, 0, 0, int64(g.sides[0]), int64(g.sides[1])}
				for _, p := range g.at {
					point = append(point, int64(p[0]), int64(p[1]))
				}
				if x == 0 && y == 0 {
					point[2] = 1 // away from the destination
				}
				on := func(p []int) bool { return p[0] >= 0 && p[0] < g.sides[0] && p[1] >= 0 && p[1] < g.sides[1] }
				exists, lost := true, false
				for k, what := range g.fails {
					at := g.at[k]
					exists = exists && on(at) && (what < 0 || g.ring[what] || at[what]+1 < g.sides[what])
					lost = lost || what == switchFailed && (slices.Equal(at, []int{x, y}) || at[0] == int(point[2]) && at[1] == 0)
				}
				if got, want := domain.Holds(point), on([]int{x, y}) && exists && !lost; got != want {
					t.Fatalf("%v %v: domain is %v at %v", f.networks(), g, got, point)
				}
				for dir := range direction(4) {
					want := exists && g.works(links, []int{x, y}, dir)
					if got := works[dir].Holds(point); exists && got != want {
						t.Fatalf("%v %v: works %d is %v at %v", f.networks(), g, dir, got, point)
					}
					if got := leaves[dir].Holds(point); domain.Holds(point) && got != want {
						t.Fatalf("%v %v: leaves %d is %v at %v", f.networks(), g, dir, got, point)
					}
				}
			}
		}
	}
}

// TestFaultCertificates accepts the certificates of testdata/faults. Without a case, with the cases exchanged, with other
// failures, or for a program that sends into the failure, it rejects them; and of changed numbers nearly all.
func TestFaultCertificates(t *testing.T) {
	files, err := filepath.Glob("testdata/faults/*.cert")
	if err != nil || len(files) != 2 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		fresh := func() *cert.Certificate {
			c, err := cert.Read(bytes.NewReader(text))
			if err != nil {
				t.Fatal(err)
			}
			c.Subject.Inputs = []cert.Input{}
			return c
		}
		judge := func(c *cert.Certificate) error {
			o, err := open(c)
			if err != nil {
				return err
			}
			return o.judge(c.Claim(cert.ClaimDeadlockFree))
		}
		if err := judge(fresh()); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		if got := Theorem(fresh()); !strings.Contains(got, "with at most one failed ") {
			t.Errorf("%s: %s", file, got)
		}
		for name, change := range map[string]func(p *cert.Program, e *cert.EverySize){
			"no case":      func(_ *cert.Program, e *cert.EverySize) { e.Cases = nil },
			"a case less":  func(_ *cert.Program, e *cert.EverySize) { e.Cases = e.Cases[1:] },
			"a case more":  func(_ *cert.Program, e *cert.EverySize) { e.Cases = append(e.Cases, e.Cases[0]) },
			"no failure":   func(p *cert.Program, _ *cert.EverySize) { p.Faults = "" },
			"two failures": func(p *cert.Program, _ *cert.EverySize) { p.Faults = "links:2" },
			"other failures": func(p *cert.Program, _ *cert.EverySize) {
				p.Faults = map[string]string{"links:1": "switches:1", "switches:1": "links:1"}[p.Faults]
			},
			"the first case for all": func(_ *cert.Program, e *cert.EverySize) {
				for i := range e.Cases {
					e.Cases[i].Classes, e.Cases[i].Ranks = e.Classes, e.Ranks
				}
			},
			"a blind program": func(p *cert.Program, _ *cert.EverySize) {
				p.Text = strings.ReplaceAll(p.Text, "works(cur, a)", "(a != None)")
			},
		} {
			c := fresh()
			if change(c.Subject.Program, c.Claim(cert.ClaimDeadlockFree).Sizes); judge(c) == nil {
				t.Errorf("%s: accepted with %s", file, name)
			}
		}
		random, accepted := rand.New(rand.NewPCG(5, 9)), 0
		const tries = 16
		for range tries {
			c := fresh()
			e := c.Claim(cert.ClaimDeadlockFree).Sizes
			list := e.Proofs
			if i := random.IntN(len(e.Cases)); random.IntN(3) == 0 && len(e.Cases[i].Ranks) > 0 {
				list = e.Cases[i].Ranks[random.IntN(len(e.Cases[i].Ranks))].Rank
			}
			list[random.IntN(len(list))] += int32(1 - 2*random.IntN(2))
			if judge(c) == nil {
				accepted++
			}
		}
		if accepted > tries/4 { // a constant of a rank may change without harm
			t.Errorf("%s: %d of %d changed certificates accepted", file, accepted, tries)
		}
	}
}
