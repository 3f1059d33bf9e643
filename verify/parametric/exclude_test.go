package parametric

import (
	"bytes"
	"fmt"
	"os"
	"testing"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/program"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/cert"
)

// aside is x first on two rows. At a failed link in x a packet changes the row, at one in y it passes the column and comes back. After a
// change of the row no link in x has failed, which the last hop alone does not show.
const aside = `family = mesh(n, 2)
def route(cur, dst, inp):
    over = N if cur.y == 0 else S
    if cur.x == dst.x:
        if works(cur, over):
            return [over]
        return [E] if cur.x < n - 1 else [W]
    ahead = E if cur.x < dst.x else W
    if inp.dir == -ahead:
        return [over]
    if works(cur, ahead):
        return [ahead]
    return [over] if inp.dim != 1 else []
`

// claimPaths proves the claims about paths of a program with one failed link.
func claimPaths(t *testing.T, p *program.Program, dims int) *Report {
	t.Helper()
	r, err := Prove(t.Context(), p, Options{Claims: PathClaims[:2], Faults: oneLink, Dims: dims})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestExcluded proves programs that need sets of conditions that no packet satisfies. All packets of small networks satisfy the invariants.
func TestExcluded(t *testing.T) {
	needZ3(t)
	for _, c := range []struct {
		p     *program.Program
		dims  int
		sizes [][]int
		long  bool
	}{
		{parsed(t, "aside.star", aside), 2, [][]int{{2, 2}, {3, 2}, {4, 2}, {5, 2}, {6, 2}}, false},
		{example(t, "other-way.star"), 1, [][]int{{3}, {4}, {5}, {6}, {7}, {8}, {9}}, true},
		{example(t, "other-way.star"), 2, [][]int{{3, 3}, {4, 3}, {3, 4}, {5, 3}, {4, 4}, {5, 4}}, true},
		{example(t, "link-fault-corrected.star"), 2, [][]int{{2, 2}, {3, 2}, {2, 3}, {3, 3}, {4, 3}, {3, 5}, {4, 4}, {5, 5}}, true},
	} {
		if c.long && !long() {
			continue
		}
		r := claimPaths(t, c.p, c.dims)
		if r.Verdict != verify.Proved {
			t.Fatalf("%s: %s, %+v", c.p.Name, r.Verdict, r.Claims)
		}
		sets, states := 0, 0
		for _, one := range r.cases {
			for _, list := range one.made.preserved {
				for _, a := range list {
					if a.none != nil {
						sets++
					}
				}
			}
			for i, sides := range c.sizes {
				if i > 2 && !long() {
					break
				}
				for _, setting := range one.family.settings(sides) {
					states += judgeInvariants(t, c.p, one, setting)
				}
			}
		}
		if states == 0 || sets == 0 && c.p.Name != "aside.star" {
			t.Errorf("%s: %d states, %d sets", c.p.Name, states, sets)
		}
		var file bytes.Buffer
		if err := cert.Write(&file, certified(t, r)); err != nil {
			t.Fatal(err)
		}
		if *update && c.dims == 1 {
			if err := os.WriteFile("../cert/everysize/testdata/faults/excluded/other-way.cert", file.Bytes(), 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// judgeInvariants walks all packets of a network. Each is in a listed class and satisfies its invariants, and has a next hop. The test
// finds the direction and the class of channels itself. It returns the number of states.
func judgeInvariants(t *testing.T, p *program.Program, r *Report, setting []int) int {
	t.Helper()
	f, dims := r.family, r.family.dims
	spec := f.spec(setting)
	net, err := f.network(setting)
	if err != nil {
		t.Fatal(err)
	}
	rel, _, err := p.Relation(t.Context(), net)
	if err != nil {
		t.Fatal(err)
	}
	net = rel.Network()
	place := func(u model.SwitchID) []int { return net.Grid().Coords(u, nil) }
	classOf := func(s model.State) class {
		c, vc := net.Channel(s.VC)
		from, to := place(net.Tail(c)), place(net.Head(c))
		for d := range dims {
			switch to[d] - from[d] {
			case 0:
			case 1:
				return class{dir: program.Dir(2 * d), vc: vc, state: int(s.Class)}
			case -1:
				return class{dir: program.Dir(2*d + 1), vc: vc, state: int(s.Class)}
			case 1 - setting[d]:
				return class{dir: program.Dir(2 * d), vc: vc, state: int(s.Class), wrap: true}
			case setting[d] - 1:
				return class{dir: program.Dir(2*d + 1), vc: vc, state: int(s.Class), wrap: true}
			}
		}
		t.Fatalf("%s: a channel from %v to %v", spec, from, to)
		return class{}
	}
	count := 0
	for d := range model.DestID(rel.Destinations()) {
		to := net.Host(rel.DestinationHost(d)).Switch
		seen := map[model.State]bool{}
		var walk func(s model.State)
		walk = func(s model.State) {
			if seen[s] {
				return
			}
			seen[s] = true
			c, _ := net.Channel(s.VC)
			if net.IsLinkVC(s.VC) {
				a := classOf(s)
				point := f.point(place(net.Head(c)), place(to), setting)
				if net.Head(c) == to {
					return
				}
				count++
				if !allHold(r.made.preserved[a], point) {
					t.Fatalf("%s: a packet at %v violates the invariants of %s", spec, point, a)
				}
			}
			hops := rel.Next(s, nil)
			if len(hops) == 0 {
				t.Fatalf("%s: a packet to %v has no next hop at %v", spec, place(to), place(net.Head(c)))
			}
			for _, h := range hops {
				if net.IsLinkVC(h.VC) {
					walk(model.State{VC: h.VC, Class: h.Class, Dest: d})
				}
			}
		}
		for h := range model.HostID(net.NumHosts()) {
			for _, k := range rel.Inject(h, d, nil) {
				if net.Host(h).Switch != to {
					walk(model.State{VC: net.VC(net.InjectChannel(h), 0), Class: k, Dest: d})
				}
			}
		}
	}
	return count
}

// TestExcludedWrong: the search fails for programs that drop packets which reach the place, on large networks only.
func TestExcludedWrong(t *testing.T) {
	needZ3(t)
	if !long() {
		t.Skip("takes seconds")
	}
	for _, when := range []string{"cur.x == 7 and inp.dim == 1", "n > 8 and inp.dim == 1 and dst.x == 0", "inp.dir == N and dst.x - cur.x > 6"} {
		p := parsed(t, "wrong.star", aside[:len(aside)-len("    if works(cur, ahead):\n        return [ahead]\n    return [over] if inp.dim != 1 else []\n")]+
			fmt.Sprintf("    if %s:\n        return []\n    return [ahead] if works(cur, ahead) else [over]\n", when))
		if r := claimPaths(t, p, 2); r.Verdict == verify.Proved {
			t.Errorf("%s: proved", when)
		}
	}
}
