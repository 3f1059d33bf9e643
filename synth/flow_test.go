package synth

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/route"
	"github.com/turnproof/turnproof/model/topo"
)

// TestFlowAgreesWithPaths: for all shortest paths of a turn set two measurements that share
// no code say the same, channel by channel.
func TestFlowAgreesWithPaths(t *testing.T) {
	for _, spec := range []string{"random:switches=24,degree=4,hosts=2,seed=3", "random:switches=12,degree=3,parallel=true,seed=5", "torus:4x4", "fattree:k=4,levels=2"} {
		n := network(t, spec)
		for _, method := range []string{"updown", "lturn-beta", "turn-addition"} {
			t.Run(spec+" "+method, func(t *testing.T) {
				r, err := New(t.Context(), method, n, Options{})
				if err != nil {
					t.Fatal(err)
				}
				traffic := model.UniformTraffic(n)
				ways, err := MeasurePaths(t.Context(), r.Allowed, model.NewDemand(n, traffic))
				if err != nil {
					t.Fatal(err)
				}
				flow, err := MeasureFlow(t.Context(), route.FromTurns(r.Allowed, false), traffic)
				if err != nil {
					t.Fatal(err)
				}
				for c := range ways.Load {
					if math.Abs(ways.Load[c]-flow.Load[c]) > 1e-9 {
						t.Fatalf("channel %d: %v by ways, %v by flow", c, ways.Load[c], flow.Load[c])
					}
				}
				if math.Abs(ways.MeanPath-flow.MeanPath) > 1e-9 || ways.MaxPath != flow.MaxPath || flow.Lost != 0 {
					t.Errorf("ways: mean %v, longest %d; flow: %v, %d, lost %v", ways.MeanPath, ways.MaxPath, flow.MeanPath, flow.MaxPath, flow.Lost)
				}
			})
		}
	}
}

func network(t *testing.T, spec string) *model.Network {
	t.Helper()
	n, err := topo.Parse(spec)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// onward is a routing of a ring that delivers half of what arrives at the destination's
// switch and sends it on otherwise, or drops it one switch before.
type onward struct {
	model.Relation
	drops bool
}

func (o onward) Next(s model.State, buf []model.Hop) []model.Hop {
	n, to := o.Network(), o.DestinationHost(s.Dest)
	in, _ := n.Channel(s.VC)
	u := n.Head(in)
	next := (u + 1) % model.SwitchID(n.NumSwitches())
	at := n.Host(to).Switch
	if u == at {
		buf = append(buf, model.Hop{VC: n.VC(n.EjectChannel(to), 0)})
	}
	if o.drops && (u == at || next == at) {
		return buf
	}
	for _, c := range n.Out(u) {
		if n.Kind(c) == model.SwitchToSwitch && n.Head(c) == next {
			buf = append(buf, model.Hop{VC: n.VC(c, 0)})
		}
	}
	return buf
}

func TestFlowReturnsAndLost(t *testing.T) {
	n := network(t, "ring:5")
	minimal, err := route.New("minimal", n, route.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := MeasureFlow(context.Background(), onward{minimal, false}, model.UniformTraffic(n)); !errors.Is(err, ErrReturns) {
		t.Errorf("packets that go round for ever: %v", err)
	}
	f, err := MeasureFlow(context.Background(), onward{minimal, true}, model.UniformTraffic(n))
	if err != nil {
		t.Fatal(err)
	}
	// Every pair's packet goes on up to the switch before its destination: 0 to 3 links.
	if got := fmt.Sprint(f.Lost, f.MeanPath, f.MaxPath); got != "1 1.5 3" {
		t.Errorf("lost, mean, longest: %s", got)
	}
}

// weighted gives the classes of a pair the weights 3, 1.
type weighted struct{ model.Relation }

func (w weighted) Weights(_ model.HostID, _ model.DestID, buf []uint32) []uint32 {
	return append(buf, 3, 1)
}

// heavier is a routing that weighs the first of its hops 3, the others 1.
type heavier struct{ model.Relation }

func (h heavier) HopWeights(s model.State, buf []uint32) []uint32 {
	for i := range h.Next(s, nil) {
		buf = append(buf, []uint32{3, 1}[min(i, 1)])
	}
	return buf
}

// TestFlowOfWeightedHops: a switch splits traffic by the weights of the hops.
func TestFlowOfWeightedHops(t *testing.T) {
	n := network(t, "ring:4")
	r, err := route.New("minimal", n, route.Options{})
	if err != nil {
		t.Fatal(err)
	}
	traffic, err := model.GroupTraffic(n, make([]int32, 4), [][]float64{{0}})
	if err != nil {
		t.Fatal(err)
	}
	if err := traffic.Set(0, 2, 1); err != nil {
		t.Fatal(err)
	}
	flow, err := MeasureFlow(t.Context(), heavier{r}, traffic)
	if err != nil {
		t.Fatal(err)
	}
	var got []float64
	for _, c := range n.Out(0) {
		if n.Kind(c) == model.SwitchToSwitch {
			got = append(got, flow.Load[c])
		}
	}
	if slices.Sort(got); !slices.Equal(got, []float64{0.25, 0.75}) {
		t.Errorf("shares %v on the two paths, want 0.25 and 0.75", got)
	}
}

// TestFlowOfDrawnClasses: the load of a channel is that of the classes by their weights.
func TestFlowOfDrawnClasses(t *testing.T) {
	n := network(t, "ring:4")
	first, paths := [2]model.ChannelID{}, []route.Path{}
	for i, middle := range []model.SwitchID{1, 3} {
		path := route.Path{Source: 0, Dest: 2}
		for _, hop := range [][2]model.SwitchID{{0, middle}, {middle, 2}} {
			for _, c := range n.Out(hop[0]) {
				if n.Head(c) == hop[1] {
					path.VCs = append(path.VCs, n.VC(c, 0))
				}
			}
		}
		first[i], _ = n.Channel(path.VCs[0])
		paths = append(paths, path)
	}
	r, err := route.Paths(n, paths)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		r    model.Relation
		want [2]float64
	}{{r, [2]float64{0.5, 0.5}}, {weighted{r}, [2]float64{0.75, 0.25}}} {
		flow, err := MeasureFlow(t.Context(), c.r, model.UniformTraffic(n))
		if err != nil {
			t.Fatal(err)
		}
		all := flow.Load[first[0]] + flow.Load[first[1]]
		if got := [2]float64{flow.Load[first[0]] / all, flow.Load[first[1]] / all}; math.Abs(got[0]-c.want[0]) > 1e-12 || math.Abs(got[1]-c.want[1]) > 1e-12 {
			t.Errorf("shares %v on the two paths, want %v", got, c.want)
		}
	}
}
