package program_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/program"
	"github.com/turnproof/turnproof/model/topo"
)

// seesNeighbours tells by its outputs what it sees at cur, and by their VCs what it sees around cur.
const seesNeighbours = `family = FAMILY(n, m)
vcs = 3
def route(cur, dst, inp):
    out = []
    for a in (E, W, N, S):
        if works(cur, a):
            out.append((a, 0))
            if works((cur.x + 1, cur.y), a):
                out.append((a, 1))
            if works((cur.x - 2, cur.y // 2), a):
                out.append((a, 2))
    return out
`

// TestWorks compares what a program sees with the links that are left of a grid, which the test computes itself.
func TestWorks(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 1))
	for range 60 {
		kind := []string{"mesh", "torus"}[random.IntN(2)]
		sides := []int{3 + random.IntN(3), 3 + random.IntN(3)}
		broken := map[string]bool{}
		var words []string
		channel := func(x, y int, a program.Dir) (string, string) { // and the way back
			to := []int{x, y}
			if to[a.Dim()]++; a.Minus() {
				to[a.Dim()] -= 2
			}
			if side := sides[a.Dim()]; kind == "torus" {
				to[a.Dim()] = (to[a.Dim()] + side) % side
			}
			return fmt.Sprint(x, y, " ", to), fmt.Sprint(to[0], to[1], " ", []int{x, y})
		}
		for range random.IntN(4) {
			x, y, a := random.IntN(sides[0]-1), random.IntN(sides[1]-1), program.Dir(2*random.IntN(2))
			next := x + 1 + y*sides[0]
			if a.Dim() == 1 {
				next = x + (y+1)*sides[0]
			}
			there, back := channel(x, y, a)
			broken[there], broken[back] = true, true
			words = append(words, fmt.Sprintf("%d-%d", x+y*sides[0], next))
		}
		gone := -1
		if random.IntN(3) == 0 && words == nil {
			gone = random.IntN(sides[0] * sides[1])
			words = append(words, fmt.Sprint(gone))
		}
		works := func(x, y int, a program.Dir) bool {
			to := []int{x, y}
			if to[a.Dim()]++; a.Minus() {
				to[a.Dim()] -= 2
			}
			for d, side := range sides {
				if kind == "torus" && d == a.Dim() {
					to[d] = (to[d] + side) % side
				}
				if to[d] < 0 || to[d] >= side || []int{x, y}[d] < 0 || []int{x, y}[d] >= side {
					return false
				}
			}
			there, _ := channel(x, y, a)
			return !broken[there] && gone != x+y*sides[0] && gone != to[0]+to[1]*sides[0]
		}
		spec := fmt.Sprintf("%s:%dx%d,vcs=3", kind, sides[0], sides[1])
		if len(words) > 0 {
			spec += ",fail=" + strings.Join(words, "+")
		}
		n, err := topo.Parse(spec)
		if err != nil {
			t.Fatal(err)
		}
		p, err := program.Parse("sees.star", strings.Replace(seesNeighbours, "FAMILY", kind, 1))
		if err != nil {
			t.Fatal(err)
		}
		r, _, err := p.Relation(t.Context(), n)
		if err != nil {
			t.Fatal(err)
		}
		for h := range model.HostID(n.NumHosts()) {
			at := n.Grid().Coords(n.Host(h).Switch, nil)
			var want, got []string
			for a := range program.Dir(4) {
				if works(at[0], at[1], a) {
					want = append(want, fmt.Sprint(a, 0))
					if works(at[0]+1, at[1], a) {
						want = append(want, fmt.Sprint(a, 1))
					}
					if works(at[0]-2, at[1]/2, a) {
						want = append(want, fmt.Sprint(a, 2))
					}
				}
			}
			d := model.DestID((int(h) + 1) % n.NumHosts())
			for _, hop := range r.Next(model.State{VC: n.VC(n.InjectChannel(h), 0), Dest: d}, nil) {
				c, vc := n.Channel(hop.VC)
				got = append(got, fmt.Sprint(program.Dir(n.TailPort(c)-1), vc))
			}
			slices.Sort(want)
			slices.Sort(got)
			if !slices.Equal(got, want) {
				t.Fatalf("%s at %v: %v, want %v", spec, at, got, want)
			}
		}
	}
}

func TestWorksErrors(t *testing.T) {
	n, err := topo.Parse("mesh:3x3")
	if err != nil {
		t.Fatal(err)
	}
	for call, want := range map[string]string{
		"works(cur, 3)": "want a direction", "works(cur, U)": "want a direction", "works((1, 2, 3), E)": "tuple of 2 coordinates",
		"works(E, E)": "want a place", "works((None, 1), E)": "coordinate None", "works(cur)": "takes 2 arguments",
	} {
		p, err := program.Parse("p.star", "family = mesh(n, m)\ndef route(cur, dst, inp):\n    return [E] if "+call+" else [W]\n")
		if err != nil {
			t.Fatal(err)
		}
		if _, _, err := p.Relation(t.Context(), n); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "p.star:3:") {
			t.Errorf("%s: %v, want %s", call, err, want)
		}
	}
}
