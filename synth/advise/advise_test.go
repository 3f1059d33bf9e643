package advise_test

import (
	"context"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format"
	_ "github.com/turnproof/turnproof/model/format/all" // tests read files
	"github.com/turnproof/turnproof/model/format/infiniband/lft"
	"github.com/turnproof/turnproof/synth/advise"
	_ "github.com/turnproof/turnproof/synth/makers" // tests read routings by name
	"github.com/turnproof/turnproof/synth/resolve"
)

// read returns the tables of an engine on a bundled fabric.
func read(t *testing.T, fabric, engine string) *model.Table {
	t.Helper()
	dir := filepath.Join("..", "..", "examples", "fabrics", fabric)
	n, _, err := format.ReadNetwork(filepath.Join(dir, "topology.ibnetdiscover"), format.Options{})
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, engine, "opensm-lfts.dump.gz")
	if _, err := os.Stat(file); err != nil {
		t.Fatal(err)
	}
	tab, _, err := lft.Read(file, n, format.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return tab
}

// packets walks each packet between hosts, and calls visit with each channel between switches and the one before.
func packets(tab *model.Table, visit func(in, out model.ChannelID)) {
	n := tab.Network()
	for h := range model.HostID(n.NumHosts()) {
		for d := range model.DestID(tab.Destinations()) {
			if int(tab.DestinationHost(d)) >= n.NumHosts() || tab.DestinationHost(d) == h {
				continue
			}
			s, last := model.InjectState(tab, h, d, 0), model.NoChannel
			for range 100 {
				hops := tab.Next(s, nil)
				if len(hops) == 0 {
					break
				}
				c, _ := n.Channel(hops[0].VC)
				if n.Kind(c) != model.SwitchToSwitch {
					break
				}
				if last != model.NoChannel {
					visit(last, c)
				}
				last, s.VC = c, hops[0].VC
			}
		}
	}
}

// hasCycle removes channels that no other one leads to until none is left, or until only cycles are left.
func hasCycle(edges map[[2]model.ChannelID]bool) bool {
	for {
		into := map[model.ChannelID]bool{}
		for e := range edges {
			into[e[1]] = true
		}
		removed := false
		for e := range edges {
			if !into[e[0]] {
				delete(edges, e)
				removed = true
			}
		}
		if !removed {
			return len(edges) > 0
		}
	}
}

// TestRank: the tables of OpenSM's updn have a loop on an irregular network; without the turns that Rank names they have none, and each of
// these turns is made by a packet.
func TestRank(t *testing.T) {
	tab := read(t, "random16-d4-s2", "updn")
	r, err := advise.Rank(context.Background(), tab)
	if err != nil || r == nil {
		t.Fatal(r, err)
	}
	edges := map[[2]model.ChannelID]bool{}
	packets(tab, func(in, out model.ChannelID) { edges[[2]model.ChannelID{in, out}] = true })
	if len(edges) != r.Dependencies {
		t.Errorf("%d dependencies, want %d", r.Dependencies, len(edges))
	}
	wrong := map[[2]model.ChannelID]bool{}
	for _, x := range r.Wrong {
		key := [2]model.ChannelID{x.In, x.Out}
		if !edges[key] || wrong[key] {
			t.Errorf("no packet makes the turn %v, or it is listed twice", x)
		}
		wrong[key] = true
	}
	left := map[[2]model.ChannelID]bool{}
	for e := range edges {
		left[e] = !wrong[e]
		if wrong[e] {
			delete(left, e)
		}
	}
	if !hasCycle(edges) || hasCycle(left) {
		t.Error("the turns that are named are not those of the loop")
	}
	if guid := tab.Network().Switch(r.Root).GUID; guid != 0x20000d { // as root_guids.txt of the fabric says
		t.Errorf("root %#x", guid)
	}
}

// TestNoRank: tables that ignore up*/down*, or obey it, have no ranking.
func TestNoRank(t *testing.T) {
	for _, engine := range [][2]string{{"random16-d4-s2", "file-synth-updown"}} {
		r, err := advise.Rank(context.Background(), read(t, engine[0], engine[1]))
		if err != nil || r != nil {
			t.Errorf("%v: %+v %v", engine, r, err)
		}
	}
}

// TestRankRandom: on damaged tables, all dependencies without those that Rank names have no cycle.
func TestRankRandom(t *testing.T) {
	rng, found := rand.New(rand.NewPCG(3, 3)), 0
	for range 30 {
		tab := read(t, "random16-d4-s2", "updn").Clone()
		n := tab.Network()
		for range 1 + rng.IntN(8) {
			u, d := model.SwitchID(rng.IntN(n.NumSwitches())), model.DestID(rng.IntN(64))
			tab.SetPort(u, d, n.TailPort(n.Out(u)[rng.IntN(4)]))
		}
		r, err := advise.Rank(context.Background(), tab)
		if err != nil {
			t.Fatal(err)
		}
		if r == nil {
			continue
		}
		found++
		left := map[[2]model.ChannelID]bool{}
		packets(tab, func(in, out model.ChannelID) { left[[2]model.ChannelID{in, out}] = true })
		for _, x := range r.Wrong {
			delete(left, [2]model.ChannelID{x.In, x.Out})
		}
		if hasCycle(left) {
			t.Error("a cycle obeys up*/down*")
		}
	}
	if found < 10 {
		t.Errorf("only %d rankings", found)
	}
}

// byName makes a routing with one path for each destination.
func byName(name string) func(context.Context, *model.Network) (model.Relation, error) {
	return func(ctx context.Context, n *model.Network) (model.Relation, error) {
		paths := "table"
		if name == "minimal" {
			paths = "" // it has no turn set
		}
		r, err := resolve.Routing(ctx, name, paths, n, format.Options{})
		if err != nil {
			return nil, err
		}
		return r.Relation, nil
	}
}

// TestFind: layers and a routing are proved for tables with a loop.
func TestFind(t *testing.T) {
	a, err := advise.Find(context.Background(), read(t, "random16-d4-s2", "updn"), advise.Options{Route: byName("updown")})
	if err != nil || a.Layers != 2 || !a.IsProved || a.Longest != 6 || a.Ranking == nil {
		t.Errorf("%+v %v", a, err)
	}
	a, err = advise.Find(context.Background(), read(t, "random16-d4-s2", "updn"), advise.Options{Switches: 4, Route: byName("updown")})
	if err != nil || *a != (advise.Advice{}) {
		t.Errorf("%+v %v", a, err)
	}
	if a, err = advise.Find(context.Background(), read(t, "random16-d4-s2", "updn"), advise.Options{Route: byName("minimal")}); err != nil || a.IsProved {
		t.Errorf("minimal is not proved: %+v %v", a, err)
	}
}
