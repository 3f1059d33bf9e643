package everysize

import (
	"math/rand/v2"
	"testing"

	"github.com/turnproof/turnproof/internal/longtest"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/netprograms"
	starlark "github.com/turnproof/turnproof/model/program"
)

// This file judges runs of programs with loops that return in several cases, and with lists whose elements come from several cases.

// worldOf returns a graph as a concrete network.
func worldOf(g netprograms.Graph, vcs int) (*world, error) {
	w := &world{n: g.Switches, attr: map[string][]int64{}, linked: make([][]bool, g.Switches)}
	for u := range w.n {
		w.linked[u] = make([]bool, w.n)
	}
	for _, l := range g.Links {
		w.linked[l[0]][l[1]], w.linked[l[1]][l[0]] = true, true
	}
	var err error
	if w.net, err = g.Network(vcs); err != nil {
		return nil, err
	}
	w.measure()
	w.tree = w.span(nil)
	return w, nil
}

// smallGraphs returns all connected graphs of up to 6 switches.
func smallGraphs() (list []netprograms.Graph) {
	for n := 2; n <= 6; n++ {
		list = append(list, netprograms.Graphs(n)...)
	}
	return list
}

// TestRandomLoops: for packets on all connected graphs of up to 6 switches and on random ones of up to 12, some run has the outputs of the
// interpreter. It compares all packets of networks of up to 4 switches, and some packets of the others.
func TestRandomLoops(t *testing.T) {
	small := smallGraphs()
	wrong, compared, refusedPrograms, programs := 0, 0, 0, longtest.Share(5000, 250)
	for k := range programs {
		rng := rand.New(rand.NewPCG(46, uint64(k)))
		shape := []netprograms.Shape{netprograms.Free, netprograms.Free, netprograms.Free, netprograms.Complete, netprograms.Descent}[k%5]
		text := netprograms.Random(rng, netprograms.Options{VCs: 1 + k%2, Tree: k%3 == 0, Shape: shape})
		th, i := openBoth(t, text)
		refused = 0
		lost := false
		for at := range len(small) + 3 {
			var g netprograms.Graph
			if at < len(small) {
				g = small[at].Renumbered(rng)
			} else {
				g = netprograms.RandomGraph(rng, 7+rng.IntN(6)).Renumbered(rng)
			}
			w, err := worldOf(g, th.vcs)
			if err != nil {
				t.Fatal(err)
			}
			on, err := i.OnNetwork(w.net)
			if err != nil {
				t.Fatal(err)
			}
			some := 0
			if w.n > 4 {
				some = 6
			}
			c, bad := w.compareSome(th, on, rng, some)
			if compared += c; bad != "" && !lost {
				lost = true
				if wrong++; wrong <= 3 {
					t.Errorf("program %d: %s\n%s", k, bad, text)
				}
			}
		}
		if refused > 0 {
			refusedPrograms++
		}
	}
	t.Logf("%d of %d programs have runs that lack outputs; %d packets compared; %d programs have packets that are refused", wrong, programs, compared, refusedPrograms)
	if wrong > 0 {
		t.Errorf("%d of %d programs have runs that lack outputs", wrong, programs)
	}
}

func openBoth(t *testing.T, text string) (*netTheorem, *starlark.Program) {
	t.Helper()
	p, err := read(text, 0)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	th, err := newNetTheorem(p)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	i, err := starlark.Parse("random.star", text)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return th, i
}

// compareSome compares some packets, or all of them.
func (w *world) compareSome(th *netTheorem, i *starlark.Instance, rng *rand.Rand, some int) (compared int, bad string) {
	var list []arrival
	for cur := range w.n {
		for dst := range w.n {
			if cur != dst {
				list = append(list, w.arrivals(cur, dst, th.vcs)...)
			}
		}
	}
	rng.Shuffle(len(list), func(a, b int) { list[a], list[b] = list[b], list[a] })
	if some > 0 {
		list = list[:min(some, len(list))]
	}
	for _, a := range list {
		if bad = w.compareOne(th, i, a); bad != "" {
			return compared, bad
		}
		compared++
	}
	return compared, ""
}

// arrival is a packet at a switch.
type arrival struct {
	cur, dst int
	in       model.ChannelID
	vc       int
}

func (w *world) arrivals(cur, dst, vcs int) []arrival {
	list := []arrival{{cur, dst, model.NoChannel, 0}}
	for _, c := range w.net.Out(model.SwitchID(cur)) {
		for vc := range vcs {
			if w.net.Kind(c) == model.SwitchToSwitch {
				list = append(list, arrival{cur, dst, w.net.Reverse(c), vc})
			}
		}
	}
	return list
}
