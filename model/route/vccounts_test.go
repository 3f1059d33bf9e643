package route_test

import (
	"cmp"
	"fmt"
	"testing"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/route"
	"github.com/turnproof/turnproof/verify"
)

// vcCount is how many VCs a routing needs: with fewer it has a deadlock, and with fewest-1 on a network of this spec in a cycle of
// this length. 0: it has one with any number of VCs.
type vcCount struct {
	name   string
	o      route.Options
	spec   string
	fewest int
	cycle  int
	source string
}

var vcCounts = []vcCount{
	{"dragonfly-minimal", route.Options{Beyond: "last"}, "dragonfly:a=2,h=1", 2, 6, "Kim 2008, section 4.1: 2 VCs"},
	{"dragonfly-minimal", route.Options{VCsBy: "hops", Beyond: "wrap"}, "dragonfly:a=2,h=1", 3, 6, ""},
	{"dragonfly-valiant", route.Options{Beyond: "last"}, "dragonfly:a=2,h=1", 3, 6, "Kim 2008, section 4.1: 3 VCs"},
	{"dragonfly-valiant", route.Options{VCsBy: "hops", Beyond: "wrap"}, "dragonfly:a=2,h=1", 5, 12, "a VC for each link of lglgl"},
	{"dragonfly-ugal", route.Options{Via: "intra"}, "dragonfly:a=3,h=1", 0, 3, "sst-macro, issue 325: three packets that go round a group"},
	{"dragonfly-ugal", route.Options{Via: "intra", VCsBy: "stages", Beyond: "last"}, "dragonfly:a=2,h=1", 3, 6, "the second link of a group has the VC of the next stage"},
	{"dragonfly-ugal", route.Options{Via: "intra", VCsBy: "hops", Beyond: "last"}, "dragonfly:a=3,h=1", 4, 6, "sst-macro, issue 325: a VC for each link, the last for two"},
	{"dragonfly-ugal", route.Options{Via: "switch"}, "dragonfly:a=2,h=1", 0, 2, "two packets that turn back at their intermediate switches"},
	{"dragonfly-ugal", route.Options{Via: "switch", VCsBy: "stages", Beyond: "last"}, "dragonfly:a=2,h=1", 4, 6, ""},
	{"dragonfly-par", route.Options{Beyond: "last"}, "dragonfly:a=2,h=1", 4, 6, "Jiang 2009, section 4: 4 VCs"},
	{"dragonfly-par", route.Options{Via: "intra", VCsBy: "global-hops"}, "dragonfly:a=3,h=1", 0, 2, ""},
	{"dragonfly-par", route.Options{Via: "switch", VCsBy: "hops", Beyond: "wrap"}, "dragonfly:a=3,h=1", 7, 6, "sst-macro, issue 493: 7 VCs, not 6, if the VC begins with 0 again"},
	{"dragonfly-par", route.Options{Via: "switch", VCsBy: "hops", Beyond: "last"}, "dragonfly:a=3,h=1", 6, 6, "the last two links may share a VC"},
	{"o1turn", route.Options{Beyond: "last"}, "mesh:2x2", 2, 4, "Seo 2005: a VC for each order"},
	{"romm", route.Options{Beyond: "last"}, "mesh:2x2", 2, 4, "Nesson 1995: a VC for each phase"},
	{"planar-adaptive", route.Options{Beyond: "last"}, "mesh:2x2", 2, 4, "Chien 1992 has 3 VCs; VCs 1 and 2 of a link may be one here"},
	{"planar-adaptive", route.Options{Beyond: "last"}, "mesh:3x3x3", 2, 4, ""},
	{"hyperx-dal", route.Options{Beyond: "last"}, "hyperx:3", 2, 3, "three packets that deroute round three switches; an escape ends that"},
	{"hyperx-dimwar", route.Options{Beyond: "last"}, "hyperx:3", 2, 3, "McDonald 2019: 2 VCs"},
	{"hyperx-omniwar", route.Options{Misroutes: 1, Beyond: "last"}, "hyperx:3x2", 3, 3, "McDonald 2019: N + M VCs, here 2 + 1"},
	{"hyperx-omniwar", route.Options{Misroutes: 2, Beyond: "last"}, "hyperx:3x3", 4, 3, "2 + 2"},
	{"positive-hop", route.Options{Beyond: "last"}, "ring:4", 2, 4, "Günther 1981: the diameter"},
	{"positive-hop", route.Options{Beyond: "wrap"}, "ring:6", 3, 6, ""},
	{"positive-hop", route.Options{Beyond: "last"}, "torus:4x4", 4, 4, ""},
	{"negative-hop", route.Options{Beyond: "last"}, "ring:6", 2, 6, "Boppana 1993: half of that on bipartite networks"},
	{"negative-hop", route.Options{Beyond: "last"}, "torus:4x4", 3, 4, "one VC more than two negative hops"},
	{"slimfly-minimal", route.Options{Beyond: "last"}, "slimfly:3", 2, 4, "Besta 2014, section IV-D: 2 VCs"},
	{"slimfly-minimal", route.Options{Beyond: "last"}, "slimfly:5", 2, 5, "the girth of Hoffman-Singleton"},
	{"slimfly-valiant", route.Options{Beyond: "last"}, "slimfly:3", 4, 4, "Besta 2014, section IV-D: 4 VCs"},
	{"slimfly-valiant", route.Options{Beyond: "wrap"}, "slimfly:3", 4, 6, ""},
	{"valiant", route.Options{Beyond: "last"}, "ring:5", 4, 5, "twice the diameter"},
	{"valiant", route.Options{Beyond: "last"}, "mesh:3x3", 7, 8, "8 are enough by the rule; the last link of the longest paths leads to a corner"},
	{"dragonfly-par", route.Options{Via: "switch", VCsBy: "stages", Beyond: "last"}, "dragonfly:a=2,h=1", 5, 6, "llgllgl has five local links"},
}

// TestVCCounts checks each count from one VC to two more than are enough.
func TestVCCounts(t *testing.T) {
	for _, c := range vcCounts {
		most := c.fewest + 2
		if c.fewest == 0 {
			most = 8
		}
		for vcs := 1; vcs <= most; vcs++ {
			if c.o.Beyond == "" && vcs < 4 { // the routing asks for more
				continue
			}
			rep, err := verify.Check(t.Context(), build(t, c.name, parsed(t, fmt.Sprintf("%s,vcs=%d", c.spec, vcs)), c.o), verify.Options{})
			if err != nil {
				t.Fatal(err)
			}
			want := verify.Refuted
			if c.fewest > 0 && vcs >= c.fewest {
				want = verify.Proved
			}
			if rep.DeadlockFree.Verdict != want || rep.Acyclic.Verdict != want && c.name != "hyperx-dal" || rep.Connected.Verdict != verify.Proved {
				t.Errorf("%s %+v on %s with %d VCs: deadlock-free %s, acyclic %s, connected %s; want %s (%s)", c.name, c.o, c.spec, vcs,
					rep.DeadlockFree.Verdict, rep.Acyclic.Verdict, rep.Connected.Verdict, want, c.source)
			}
			if (c.fewest == 0 || vcs == c.fewest-1) && len(rep.Cycle) != c.cycle {
				t.Errorf("%s %+v on %s with %d VCs: shortest cycle %d, want %d (%s)", c.name, c.o, c.spec, vcs, len(rep.Cycle), c.cycle, c.source)
			}
		}
	}
}

// TestDragonflyTable checks the table of docs/routings.md: the fewest VCs on the two networks, and one less. 0: none up to eight.
func TestDragonflyTable(t *testing.T) {
	rules := [4]route.Options{{VCsBy: "global-hops"}, {VCsBy: "stages"}, {VCsBy: "hops"}, {VCsBy: "hops", Beyond: "wrap"}}
	for _, row := range []struct {
		name, via string
		fewest    [4]int
	}{
		{"dragonfly-minimal", "", [4]int{2, 2, 2, 3}},
		{"dragonfly-valiant", "group", [4]int{3, 3, 4, 5}},
		{"dragonfly-ugal", "intra", [4]int{0, 3, 4, 5}},
		{"dragonfly-valiant", "switch", [4]int{0, 4, 5, 6}},
		{"dragonfly-par", "group", [4]int{3, 4, 5, 6}},
		{"dragonfly-par", "intra", [4]int{0, 4, 5, 6}},
		{"dragonfly-par", "switch", [4]int{0, 5, 6, 7}},
	} {
		for i, o := range rules {
			o.Via, o.Beyond = row.via, cmp.Or(o.Beyond, "last")
			isProved := func(vcs int) bool {
				for _, spec := range []string{"dragonfly:a=3,h=1", "dragonfly:a=4,h=2"} {
					r := build(t, row.name, parsed(t, fmt.Sprintf("%s,vcs=%d", spec, vcs)), o)
					rep, err := verify.Check(t.Context(), r, verify.Options{Switching: model.CutThrough})
					if err != nil {
						t.Fatal(err)
					}
					if rep.DeadlockFree.Verdict != verify.Proved {
						return false
					}
				}
				return true
			}
			if k := row.fewest[i]; k > 0 && (!isProved(k) || isProved(k-1)) || k == 0 && isProved(8) {
				t.Errorf("%s via %s by %s, %s: %d VCs are not the fewest", row.name, row.via, o.VCsBy, o.Beyond, k)
			}
		}
	}
}
