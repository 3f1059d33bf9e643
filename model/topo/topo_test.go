package topo

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/internal/modeltest"
	"github.com/turnproof/turnproof/model"
)

// figures are the published properties of a network.
type figures struct {
	spec                   string
	switches, links, hosts int
	degree                 int // links per switch; 0 if they differ
	diameter               int
	source                 string
}

var known = []figures{
	{"mesh:8x8", 64, 112, 64, 0, 14, "2*8*7 links, corner to corner 7+7"},
	{"mesh:4x4x4", 64, 144, 64, 0, 9, "3*16*3 links"},
	{"mesh:3x5x1", 15, 22, 15, 0, 6, "2*5 + 3*4"},
	{"mesh:1", 1, 0, 1, 0, 0, ""},
	{"mesh:4x4,holes=1.1+2.1", 14, 17, 14, 0, 6, "24 less the 7 links of two neighbours"},
	{"torus:8x8", 64, 128, 64, 4, 8, "2d-turn-model, table 3: 64 switches of 4 links"},
	{"torus:4x4x4,hosts=2", 64, 192, 128, 6, 6, "Dally, Towles 2004, chapter 5: n*k^n channels a direction"},
	{"torus:8x8,folded=xy", 64, 128, 64, 4, 8, "Dally, Towles 2004, section 5.3: the same graph, other places"},
	{"torus:2x2", 4, 8, 4, 4, 2, "design.md: two parallel links per dimension"},
	{"torus:1x5", 5, 5, 5, 2, 2, "a ring"},
	{"ring:5", 5, 5, 5, 2, 2, ""},
	{"ring:2", 2, 2, 2, 2, 1, ""},
	{"ring:1", 1, 0, 1, 0, 0, ""},
	{"line:7", 7, 6, 7, 0, 6, ""},
	{"hypercube:3", 8, 12, 8, 3, 3, "the cube"},
	{"hypercube:10,hosts=0", 1024, 5120, 0, 10, 10, "n*2^(n-1)"},
	{"hypercube:0", 1, 0, 1, 0, 0, ""},
	{"complete:5", 5, 10, 5, 4, 1, "n(n-1)/2"},
	{"star:6", 6, 5, 6, 0, 2, "5 links of a hub"},
	{"fattree:k=8,levels=3", 80, 256, 128, 0, 4, "turn-addition, 5.3: 5k²/4 switches, k³/4 servers; k³/2 links"},
	{"fattree:k=4", 20, 32, 16, 0, 4, "Al-Fares 2008: 20 switches, 16 hosts"},
	{"fattree:k=32,levels=3", 1280, 16384, 8192, 0, 4, "turn-addition, 5.3: 8,192 servers"},
	{"fattree:k=36,levels=2", 54, 648, 648, 0, 2, "the 648-port director: 36 leaves, 18 spines"},
	{"fattree:k=4,levels=4", 56, 96, 32, 0, 6, "Lin 2004: (2n-1)(m/2)^(n-1) switches, 2(m/2)^n nodes"},
	{"fattree:k=6,levels=1", 1, 0, 6, 0, 0, "one switch"},
	{"xgft:4x4,up=1x2", 16 + 4 + 2, 16 + 8, 16, 0, 4, "Öhring 1995: level l has m(l+1)..mh w1..wl nodes: 16, 4, 2"},
	{"xgft:2x2,up=2x2,hosts=2", 12, 16, 8, 0, 4, "2-ary 3-tree: 3*2^2 switches, 2^3 nodes (Petrini, Vanneschi 1997)"},
	{"xgft:4x8,up=4x4", 80, 256, 32, 0, 4, "fattree:k=8 by another name"},
	{"fattree-pair:k=8,join=top", 160, 528, 256, 0, 5, "turn-addition, 5.3: 2*256 + 16 links"},
	{"fattree-pair:k=8,join=middle,links=16", 160, 528, 256, 0, 7, "with links at the first 4 subtrees only"},
	{"fattree-pair:k=8,join=middle,links=16,spread=even", 160, 528, 256, 0, 7, "with links in every subtree"},
	{"fattree-pair:k=4,join=bottom,links=20", 40, 84, 32, 0, 5, "more links than the 8 leaves"},
	{"dragonfly:a=4,h=2,p=2", 36, 90, 72, 5, 3, "Kim 2008, figure 5: 9 groups of 4, 72 terminals"},
	{"dragonfly:a=8,h=4,p=4", 264, 264*7/2 + 33*32/2, 1056, 11, 3, "Kim 2008: 33 groups, 1K nodes"},
	{"dragonfly:a=4,h=2,p=2,arrangement=relative", 36, 90, 72, 5, 3, "Hastings 2015"},
	{"dragonfly:a=4,h=2,g=5,arrangement=relative", 20, 30 + 20, 20, 5, 3, "8 global ports go twice round 4 groups"},
	{"dragonfly:a=4,h=2,g=5", 20, 30 + 20, 20, 5, 3, "8 global ports go twice round 4 groups"},
	{"dragonfly:a=3,h=0", 3, 3, 3, 2, 1, ""},
	{"hyperx:4x4", 16, 48, 16, 6, 2, "Ahn 2009: (S-1)L ports, diameter L"},
	{"hyperx:2x2x2", 8, 12, 8, 3, 3, "the cube"},
	{"slimfly:5", 50, 175, 50, 7, 2, "Hoffman-Singleton; Besta 2014, figure 4"},
	{"slimfly:3", 18, 45, 18, 5, 2, "McKay 1998: 2q² of degree (3q+1)/2"},
	{"slimfly:7", 98, 539, 98, 11, 2, "degree (3*7+1)/2"},
	{"slimfly:11", 242, 2057, 242, 17, 2, "degree (3*11+1)/2"},
	{"slimfly:13", 338, 3211, 338, 19, 2, "degree (3*13-1)/2"},
	{"slimfly:19,hosts=15", 722, 10469, 10830, 29, 2, "Besta 2014, table III: 722 routers, 10,830 endpoints, k' = 29"},
	{"dragonfly:a=4,h=2,p=2,arrangement=palmtree", 36, 90, 72, 5, 3, "Camarero 2014"},
	{"dragonfly:a=4,h=2,p=2,arrangement=circulant", 36, 90, 72, 5, 3, "Hastings 2015"},
	{"dragonfly:a=3,h=1,g=4,arrangement=circulant", 12, 12 + 6, 12, 3, 3, "an even number of groups"},
	{"dragonfly:a=4,h=2,g=4,arrangement=circulant", 16, 24 + 12, 16, 0, 3, "8 global ports go twice round 3 groups"},
	{"dragonfly-plus:leaves=4,spines=4,h=2,hosts=4", 72, 9*16 + 36, 144, 0, 5, "Shpiner 2017; 3 hops between leaves, 5 between spines"},
	{"dragonfly-plus:leaves=2,spines=3,h=2,g=4,arrangement=circulant", 20, 4*6 + 12, 8, 0, 0, "6 global ports go twice round 3 groups"},
	{"dragonfly-plus:leaves=8,spines=8,h=8,hosts=8", 65 * 16, 65*64 + 65*64/2, 65 * 64, 0, 3, "Flajslik 2018: (k/2)^2+1 groups of k-port switches, k = 16"},
	{"hyperx:4x4,links=2x1", 16, 48 + 24, 16, 9, 2, "Ahn 2009: K = (2, 1)"},
	{"hyperx:3x2,links=3", 6, 3 * (6 + 3), 6, 9, 2, "Ahn 2009: K = 3"},
	{"slimfly:4", 32, 96, 32, 6, 2, "Besta 2014: q = 4w: 2q² of degree 3q/2"},
	{"slimfly:8", 128, 768, 128, 12, 2, "degree 3*8/2"},
	{"slimfly:9", 162, 1053, 162, 13, 2, "degree (3*9-1)/2"},
	{"slimfly:16,hosts=0", 512, 6144, 0, 24, 2, "degree 3*16/2"},
	{"slimfly:25,hosts=0", 1250, 23125, 0, 37, 2, "degree (3*25-1)/2"},
	{"slimfly:27,hosts=0", 1458, 29889, 0, 41, 2, "degree (3*27+1)/2"},
	{"polarfly:2", 7, 9, 7, 0, 2, "Lakhotia 2022: q²+q+1 switches, q(q+1)²/2 links"},
	{"polarfly:3", 13, 24, 13, 0, 2, ""},
	{"polarfly:4", 21, 50, 21, 0, 2, ""},
	{"polarfly:8", 73, 324, 73, 0, 2, ""},
	{"polarfly:9", 91, 450, 91, 0, 2, ""},
	{"polarfly:31,hosts=16", 993, 15872, 15888, 0, 2, "Lakhotia 2022, table V: 993 routers of network radix 32"},
	{"jellyfish:switches=20,ports=6,degree=4,seed=1", 20, 40, 40, 4, 0, "Singla 2012: N(k-r) servers"},
	{"jellyfish:switches=8,ports=3,degree=3", 8, 12, 0, 3, 0, "no ports are left"},
	{"xpander:degree=4,lift=5,seed=1", 25, 50, 25, 4, 0, "Valadarsky 2016: (d+1)k switches"},
	{"xpander:degree=18,lift=16,seed=2", 304, 2736, 304, 18, 0, ""},
	{"xpander:degree=3,lift=1", 4, 6, 4, 3, 1, "the complete network"},
	{"kautz:d=2,n=1", 3, 3, 3, 2, 1, "the triangle"},
	{"kautz:d=2,n=2", 6, 9, 6, 3, 2, "12 arcs, 3 pairs of opposite ones"},
	{"kautz:d=2,n=3", 12, 24 - 3, 12, 0, 3, "(d+1)d^n arcs, (d+1)d/2 pairs of opposite ones"},
	{"kautz:d=3,n=3", 36, 108 - 6, 36, 0, 3, ""},
	{"kautz:d=3,n=4,hosts=0", 108, 324 - 6, 0, 0, 4, ""},
	{"debruijn:d=2,n=3", 8, 16 - 2 - 1, 8, 0, 3, "d^(n+1) arcs, d loops, d(d-1)/2 pairs of opposite ones"},
	{"debruijn:d=2,n=6", 64, 128 - 2 - 1, 64, 0, 6, ""},
	{"debruijn:d=3,n=3", 27, 81 - 3 - 3, 27, 0, 3, ""},
	{"debruijn:d=5,n=1", 5, 10, 5, 4, 1, "the complete network"},
	{"hexmesh:1", 1, 0, 1, 0, 0, ""},
	{"hexmesh:3", 19, 42, 19, 0, 4, "Chen 1990: 3e(e-1)+1 nodes; 9e²-15e+6 links"},
	{"hexmesh:5", 61, 156, 61, 0, 8, "diameter 2(e-1)"},
	{"hexmesh:2,wrap=true", 7, 21, 7, 6, 1, "the complete network"},
	{"hexmesh:5,wrap=true", 61, 183, 61, 6, 4, "Chen 1990: diameter e-1"},
	{"hexgrid:4x3", 12, 9 + 8 + 6, 12, 0, 5, "3 rows of 3 links, 2 times 4 in y, 2 times 3 aslant; 3+2 hops from corner to corner"},
	{"hexgrid:2x2", 4, 5, 4, 0, 2, "two triangles"},
	{"hexgrid:5x1,hosts=0", 5, 4, 0, 0, 4, "a line"},
	{"brickwall:6x4", 24, 20 + 9, 24, 0, 8, "4 rows of 5 links, 3 links between two rows; counted"},
	{"brickwall:3x2", 6, 4 + 2, 6, 2, 3, "the hexagon"},
	{"brickwall:2x4", 8, 4 + 3, 8, 0, 7, "a path"},
	{"honeycomb:1", 6, 6, 6, 2, 3, "the hexagon"},
	{"honeycomb:3", 54, 72, 54, 0, 11, "Stojmenović 1997: 6t² nodes, 9t²-3t links, diameter 4t-1"},
	{"honeycomb:5", 150, 210, 150, 0, 19, ""},
	{"honeycomb:1,wrap=true", 6, 9, 6, 3, 2, "Stojmenović 1997: 9t² links, diameter 2t"},
	{"honeycomb:4,wrap=true", 96, 144, 96, 3, 8, ""},
	{"express:9x9,interval=4", 81, 144 + 18*2, 81, 0, 8, "Dally 1991: 3 interchanges a line; 2 hops between them, at most 2 to the next and 2 from the last"},
	{"express:8,interval=2,hosts=0", 8, 7 + 3, 0, 0, 4, "0-2-4-6 and 6-7"},
	{"cmesh:4x4", 16, 24, 64, 0, 6, "Balfour 2006: 64 nodes on 4x4"},
	{"cmesh:4x4,express=true", 16, 24 + 8, 64, 4, 4, "Balfour 2006: two more links on each border, so that all switches have 4"},
	{"twisted-torus:8x4,twist=4", 32, 64, 32, 4, 4, "Cámara 2010: diameter a; the torus has 6"},
	{"twisted-torus:12x6,twist=6", 72, 144, 72, 4, 6, "the torus has 9"},
	{"twisted-torus:5x3,twist=0", 15, 30, 15, 4, 3, "a torus"},
	{"butterfly:k=2,n=3", 12, 16, 16, 0, 4, "Dally, Towles 2004, figure 4.1: 8 sources, 8 destinations"},
	{"butterfly:k=4,n=2,hosts=1", 8, 16, 8, 4, 2, "a complete bipartite network"},
	{"butterfly:k=3,n=1", 1, 0, 6, 0, 0, ""},
	{"ccc:3", 24, 36, 24, 3, 6, "Preparata 1981: n*2^n nodes of degree 3"},
	{"ccc:4", 64, 96, 64, 3, 8, "Friš 1997: diameter 2n+⌊n/2⌋-2"},
	{"ccc:5", 160, 240, 160, 3, 10, ""},
	{"ccc:6,hosts=0", 384, 576, 0, 3, 13, ""},
	{"chiplet:2x2,of=4x4,interposer=4x4", 80, 4*24 + 24 + 16, 64, 0, 12, "DeFT 2022: 64 cores, 16 interposer routers, 16 vertical links"},
	{"chiplet:2x2,of=4x4", 80, 136, 64, 0, 12, "the default interposer"},
	{"chiplet:1x1,of=4x4,interposer=4x4", 32, 24 + 24 + 12, 16, 0, 7, "12 of 16 places are on the edge"},
	{"chiplet:3x1,of=1x4", 12 + 6, 9 + 7 + 6, 12, 0, 7, "chiplets that are lines"},
	{"random:switches=64,degree=4,hosts=4,seed=1", 64, 128, 256, 4, 0, "2d-turn-model, table 2"},
	{"random:switches=10,degree=10,hosts=10,parallel=true", 10, 50, 100, 10, 0, "turn-addition, 5.2"},
	{"random:switches=7,degree=6", 7, 21, 7, 6, 1, "the complete network"},
	{"random:switches=40,degree=2", 40, 40, 40, 2, 20, "a ring"},
	{"torus:8x8,fail=3-4+7", 63, 128 - 1 - 4, 63, 0, 0, ""},
	{"ring:2,fail=0", 1, 0, 1, 0, 0, ""},
}

func TestKnownFigures(t *testing.T) {
	for _, want := range known {
		t.Run(want.spec, func(t *testing.T) {
			modeltest.Topology(t, func() (*model.Network, error) { return Parse(want.spec) })
			n, err := Parse(want.spec)
			if err != nil {
				t.Fatal(err)
			}
			got := figures{want.spec, n.NumSwitches(), n.NumLinks(), n.NumHosts(), degree(n), want.diameter, want.source}
			if want.diameter > 0 && n.NumSwitches() < 1000 {
				got.diameter = modeltest.Diameter(n)
			}
			if got != want {
				t.Errorf("got %+v\nwant %+v", got, want)
			}
		})
	}
}

// degree returns the number of links that each switch has, 0 if they differ.
func degree(n *model.Network) int {
	links := make([]int, n.NumSwitches())
	for c := range model.ChannelID(n.NumLinkChannels()) {
		links[n.Tail(c)]++
	}
	for _, k := range links {
		if k != links[0] {
			return 0
		}
	}
	return links[0]
}

func TestExamplesBuild(t *testing.T) {
	for _, f := range Families() {
		if _, err := Parse(f.Example); err != nil {
			t.Error(err)
		}
		if !IsSpec(f.Example) || !strings.HasPrefix(f.Syntax, f.Name+":") || f.About == "" {
			t.Errorf("%+v", f)
		}
		for _, k := range f.Keys {
			if k.Help == "" || k.Value == "" || k.Required != (k.Default == "") {
				t.Errorf("%s: key %+v", f.Name, k)
			}
		}
	}
}

func TestSyntax(t *testing.T) {
	want := map[string]string{
		"torus":     "torus:X[xY...][,holes=X.Y+X.Y...][,wrap=DIMENSIONS][,folded=DIMENSIONS][,hosts=N][,vcs=N][,latency=N][,fail=U-V+W...]",
		"dragonfly": "dragonfly:a=A,h=H[,p=P][,g=G][,arrangement=absolute|relative|palmtree|circulant][,hosts=N][,vcs=N][,latency=N][,fail=U-V+W...]",
		"xgft":      "xgft:M1[xM2...],up=W1[xW2...][,hosts=N][,vcs=N][,latency=N][,fail=U-V+W...]",
	}
	for _, f := range Families() {
		if w := want[f.Name]; w != "" && w != f.Syntax {
			t.Errorf("got %s, want %s", f.Syntax, w)
		}
	}
}

func TestIsSpec(t *testing.T) {
	for arg, want := range map[string]bool{
		"torus:8x8": true, "tours:8x8": true, "fat-tree:k=4": true, "dragon-fly:a=4": true, "hyper:4": true, "ring:": true, "Mesh:4x4": true,
		"torus": false, "fabric.ibnetdiscover": false, `C:\nets\mesh.net`: false, "C:mesh.net": false, "": false, ":": false,
		"./ring:4": false, "nets/torus:8": false, "file:///x": false, "-": false, "line:/etc/x": false, "notes:2": false,
	} {
		if got := IsSpec(arg); got != want {
			t.Errorf("%q: %v", arg, got)
		}
	}
}

// TestGrid checks numbers, coordinates, names and directions of a grid.
func TestGrid(t *testing.T) {
	n := parsed(t, "mesh:4x3x2,holes=1.0.0+3.2.1,vcs=3")
	g := n.Grid()
	if n.NumSwitches() != 22 || n.VCs() != 3 || g == nil {
		t.Fatalf("%d switches, %d VCs", n.NumSwitches(), n.VCs())
	}
	if u := g.At([]int{2, 1, 1}); u != 2+4*(1+3*1)-1 || n.SwitchName(u) != "(2,1,1)" || n.Switch(u).Name != "" {
		t.Errorf("(2,1,1) is switch %d, called %s", u, n.SwitchName(u))
	}
	if g.At([]int{1, 0, 0}) != model.NoSwitch {
		t.Error("there is a switch in a hole")
	}
	if n.OutAt(0, model.PlusPort(0)) != model.NoChannel {
		t.Error("a link leads into a hole")
	}
	if h := n.Host(5); h.Name != "h5" || h.Switch != 5 || h.Port != 7 {
		t.Errorf("host 5: %+v", h)
	}
	whole := parsed(t, "torus:4x3x2")
	if c := whole.OutAt(3, model.PlusPort(0)); whole.Head(c) != 0 || c%2 != 0 {
		t.Errorf("E of (3,0,0) is switch %d by channel %d", whole.Head(c), c)
	}
	if c := whole.OutAt(0, model.PlusPort(1)); whole.Head(c) != 4 {
		t.Errorf("N of (0,0,0) is switch %d", whole.Head(c))
	}
	if g := parsed(t, "torus:1x4").Grid(); g.Wrap[0] || !g.Wrap[1] {
		t.Errorf("wraps %v", g.Wrap)
	}
}

// TestFailures checks that switches are renumbered and that ports and names do not change.
func TestFailures(t *testing.T) {
	n := parsed(t, "torus:2x2,fail=0-1")
	if n.NumLinks() != 6 {
		t.Errorf("%d links left, want 6: both parallel links fail", n.NumLinks())
	}
	n, whole := parsed(t, "fattree:k=4,fail=0+8-16+8-16"), parsed(t, "fattree:k=4")
	if n.NumSwitches() != 19 || n.NumHosts() != 14 || n.NumLinks() != 32-2-1 {
		t.Fatalf("%d switches, %d hosts, %d links", n.NumSwitches(), n.NumHosts(), n.NumLinks())
	}
	for u := range model.SwitchID(19) {
		if n.SwitchName(u) != whole.SwitchName(u+1) {
			t.Errorf("switch %d is called %s", u, n.SwitchName(u))
		}
		for _, c := range n.Out(u) {
			d := whole.OutAt(u+1, n.TailPort(c))
			if whole.Kind(d) != n.Kind(c) || n.Kind(c) == model.SwitchToSwitch && (whole.Head(d) != n.Head(c)+1 || whole.HeadPort(d) != n.HeadPort(c)) {
				t.Errorf("port %d of %s leads elsewhere", n.TailPort(c), n.SwitchName(u))
			}
		}
	}
	if n.Host(0).Name != "h0" || n.SwitchName(n.Host(0).Switch) != "leaf1" {
		t.Errorf("host 0: %+v", n.Host(0))
	}
}

// TestTrees checks numbers, names and the order of ports of trees.
func TestTrees(t *testing.T) {
	n := parsed(t, "fattree-pair:k=8,join=middle")
	names := map[model.SwitchID]string{0: "a.leaf0", 31: "a.leaf31", 32: "a.middle0", 64: "a.top0", 79: "a.top15", 80: "b.leaf0", 159: "b.top15"}
	for u, want := range names {
		if got := n.SwitchName(u); got != want {
			t.Errorf("switch %d is %s, want %s", u, got, want)
		}
	}
	if h := n.Host(128); h.Switch != 80 || h.Port != 1 {
		t.Errorf("first host of b: %+v", h)
	}
	for i := range model.SwitchID(32) {
		c := n.OutAt(32+i, 9)
		if (c != model.NoChannel) != (i < 16) || i < 16 && (n.Head(c) != 112+i || n.HeadPort(c) != 9) {
			t.Errorf("port 9 of middle switch %d: channel %d", i, c)
		}
	}
	// Middle switch j of every subtree is below tops 4j to 4j+3; leaf's up ports are 5 to 8.
	for i := range model.SwitchID(32) {
		for y := range model.Port(4) {
			if top := n.Head(n.OutAt(32+i, 5+y)); top != 64+i%4*4+model.SwitchID(y) {
				t.Errorf("parent %d of middle switch %d is %d", y, i, top)
			}
			if m := n.Head(n.OutAt(i, 5+y)); m != 32+i/4*4+model.SwitchID(y) {
				t.Errorf("parent %d of leaf %d is %d", y, i, m)
			}
		}
	}
	if name := parsed(t, "fattree:k=4,levels=2").SwitchName(5); name != "spine1" {
		t.Error(name)
	}
	if name := parsed(t, "fattree:k=4,levels=4").SwitchName(17); name != "level1.1" {
		t.Error(name)
	}
	if err := modeltest.Different(parsed(t, "xgft:4x8,up=4x4,hosts=4"), parsed(t, "fattree:k=8")); err != nil {
		t.Error(err)
	}
}

// TestDragonflyArrangement checks where global ports lead and the order of ports: local,
// global, hosts.
func TestDragonflyArrangement(t *testing.T) {
	n := parsed(t, "dragonfly:a=4,h=2,p=2")
	for g := range 9 {
		for p := range 8 {
			to := p
			if p >= g {
				to++
			}
			u := model.SwitchID(g*4 + p/2)
			if c := n.OutAt(u, model.Port(4+p%2)); int(n.Head(c))/4 != to {
				t.Errorf("global port %d of group %d leads to group %d", p, g, n.Head(c)/4)
			}
		}
	}
	if n.SwitchName(10) != "g2s2" || n.Host(21).Switch != 10 || n.Host(21).Port != 7 {
		t.Errorf("%s %+v", n.SwitchName(10), n.Host(21))
	}
}

func TestOtherNamesAndPorts(t *testing.T) {
	for spec, want := range map[string]string{
		"star:4": "hub s1 s2 s3", "complete:3": "s0 s1 s2", "hyperx:2x2": "s0.0 s1.0 s0.1 s1.1",
		"random:switches=2,degree=3,parallel=true": "s0 s1", "chiplet:2x1,of=1x1": "c0.0s0.0 c1.0s0.0 i0.0 i1.0",
	} {
		n := parsed(t, spec)
		var names []string
		for u := range model.SwitchID(n.NumSwitches()) {
			names = append(names, n.SwitchName(u))
		}
		if got := strings.Join(names, " "); got != want {
			t.Errorf("%s: %s, want %s", spec, got, want)
		}
	}
	n := parsed(t, "chiplet:2x2,of=4x4")
	if c := n.OutAt(3*16+3, 5); n.SwitchName(n.Head(c)) != "i3.2" { // chiplet (1,1), switch (3,0)
		t.Errorf("below its corner is %s", n.SwitchName(n.Head(c)))
	}
	if s := n.SwitchName(3*16 + 3); s != "c1.1s3.0" {
		t.Error(s)
	}
}

// TestRandomIsSimple draws many seeds and sizes, including dense networks.
func TestRandomIsSimple(t *testing.T) {
	distinct := map[string]bool{}
	for seed := range uint64(200) {
		r := RandomNetwork{Switches: 6 + int(seed%9), Degree: 1, MaxDegree: 4, Seed: seed}
		if seed%3 == 0 { // dense
			r.Degree, r.MaxDegree = r.Switches-3, r.Switches-2+int(seed%2)
		} else if seed%3 == 1 {
			r.Degree, r.MaxDegree = 2, 2
		}
		n, err := Random(r, Options{})
		if err != nil {
			t.Fatalf("%+v: %v", r, err)
		}
		if len(modeltest.Distances(n, 0)) != n.NumSwitches() {
			t.Errorf("%+v: not connected", r)
		}
		seen := map[[2]model.SwitchID]bool{}
		links := make([]int, n.NumSwitches())
		text := ""
		for l := range model.LinkID(n.NumLinks()) {
			k := n.Link(l)
			if seen[pair(k.A, k.B)] {
				t.Errorf("%+v: two links %d-%d", r, k.A, k.B)
			}
			seen[pair(k.A, k.B)] = true
			links[k.A]++
			links[k.B]++
			text += fmt.Sprint(k)
		}
		for u, k := range links {
			if k < r.Degree || k > r.MaxDegree {
				t.Errorf("%+v: switch %d has %d links", r, u, k)
			}
		}
		distinct[text] = true
	}
	if len(distinct) < 190 {
		t.Errorf("only %d networks of 200 seeds differ", len(distinct))
	}
}

// TestConnectJoinsTrees checks that trees are connected with links of cycles elsewhere.
func TestConnectJoinsTrees(t *testing.T) {
	// K4 with 3 spare links, a triangle with 1, and four single links.
	edges := []edge{{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}, {4, 5}, {5, 6}, {6, 4}, {7, 8}, {9, 10}, {11, 12}}
	for seed := range uint64(50) {
		e := append([]edge(nil), edges...)
		connect(e, 13, rand.New(rand.NewPCG(seed, 0)))
		if p := newComponents(e, 13); len(p) != 1 {
			t.Fatalf("seed %d: %d parts: %v", seed, len(p), e)
		}
	}
}

func TestSpecErrors(t *testing.T) {
	for spec, want := range map[string]string{
		"torus":                                    "a spec is NAME:SIZES[,key=value...], as in torus:8x8,vcs=2",
		"tours:8x8":                                `topo: tours:8x8: no family "tours" (did you mean torus?), known are mesh, `,
		"foo:8":                                    `no family "foo", known are mesh, torus, ring`,
		"torus:":                                   `sides is "", expected 1 to 32 whole numbers joined by x, as in 4x4`,
		"torus:8x":                                 `sides is "8x", expected`,
		"torus:8xx8":                               `sides is "8xx8", expected`,
		"torus:-8":                                 `sides is "-8", expected`,
		"torus:8 x8":                               `sides is "8 x8", expected`,
		"torus:8x0":                                "a grid with side 0, allowed are 1 to 4194304",
		"torus:vcs=2":                              "sides is missing: sides, x first, as in torus:8x8,vcs=2",
		"torus:sides=8":                            "sides comes first and without a key, as in torus:8x8",
		"torus:8x8,":                               `"" where key=value was expected`,
		"torus:8x8,4":                              `"4" where key=value was expected`,
		"torus:8x8,vsc=2":                          `no key "vsc" for torus (did you mean vcs?); there are`,
		"torus:8x8,seed=1":                         `no key "seed" for torus; there are holes, wrap, folded, hosts, vcs, latency, fail`,
		"torus:8x8,vcs=2,vcs=2":                    "vcs is given twice",
		"torus:8x8,vcs=0":                          `vcs is "0", expected a whole number from 1 to 999999999`,
		"torus:8x8,vcs=257":                        "vcs is 257, allowed are 1 to 256",
		"torus:8x8,latency=0":                      `latency is "0", expected a whole number from 1 to 16777216`,
		"torus:8x8,latency=16777217":               `latency is "16777217", expected a whole number from 1 to 16777216`,
		"torus:8x8,hosts=-1":                       `hosts is "-1", expected a whole number from 0`,
		"torus:8x8,hosts=70000":                    "a switch with 70004 ports, allowed are 65536",
		"torus:8x8,fail=3-":                        `expected links (3-4) and switches (7) joined by +, as in 3-4+7, not "3-"`,
		"torus:8x8,fail=64":                        "switch 64 cannot fail: switches are 0 to 63",
		"torus:8x8,fail=1-99":                      "switch 99 cannot fail: switches are 0 to 63",
		"torus:8x8,fail=0-9":                       "link 0-9 cannot fail: switch 0 is linked to 1, 8, 7, 56",
		"torus:8x8,fail=5-5":                       "link 5-5 cannot fail: switch 5 is linked to",
		"complete:20,fail=5-5":                     "switch 5 is linked to 0, 1, 2, 3, 4, 6, 7, 8, 9, 10 and 9 more",
		"ring:2,fail=0+1":                          "all 2 switches have failed",
		"mesh:8x8,holes=1.2.3":                     "place 1.2.3 has 3 coordinates, the grid has 2 dimensions",
		"mesh:8x8,holes=8.1":                       "place 8.1: coordinate 1 is 8, allowed are 0 to 7",
		"mesh:8x8,holes=(1,1)":                     `expected coordinates joined by dots and places joined by +, as in 1.1+2.3, not "(1"`,
		"ring:5,holes=1":                           `no key "holes" for ring`,
		"ring:5x5":                                 `switches is "5x5", expected a whole number from 1`,
		"ring:0":                                   `switches is "0"`,
		"hypercube:40":                             "a hypercube of 40 dimensions, allowed are 0 to 32",
		"hypercube:32":                             "4294967296 switches, allowed are 4194304",
		"mesh:4194304x4194304":                     "more than 1099511627776 switches, allowed are 4194304",
		"mesh:4194304x4194304,holes=1.1":           "more than 1099511627776 switches, allowed are 4194304",
		"mesh:2048x2048,hosts=2":                   "33546240 channels (two for each link and each host), allowed are 16777216",
		"mesh:1024x1024,hosts=1,vcs=256":           "1609564160 virtual channels in all, allowed are 1073741824",
		"complete:5000":                            "25005000 channels",
		"complete:999999999":                       "a complete network of 999999999 switches, allowed are 1 to 4194304",
		"star:70000":                               "a switch with 70000 ports, allowed are 65536",
		"random:switches=64":                       "degree is missing: links per switch, as in 4 or 3-5, as in random:switches=64",
		"random:64":                                `"64" where key=value was expected, as in random:switches=64,degree=4`,
		"random:switches=5,degree=3":               "5 switches with 3 links each: one of the two must be even",
		"random:switches=5,degree=5":               "5 switches and degree 5, allowed are 1 to 4 (more with parallel=true)",
		"random:switches=6,degree=1":               "a random network of 6 switches and degree 1 has too few links to be connected",
		"random:switches=1,degree=1":               "a random network of 1 switches, allowed are 2 to",
		"random:switches=8,degree=5-3":             "degree 5-3; want the smaller number first",
		"random:switches=8,degree=x":               "expected a whole number from 1 on or two, as in 4 or 3-5",
		"random:switches=999,degree=1-2":           "no connected network found of 999 switches and degrees drawn from 1-2; want a larger minimum degree",
		"random:switches=8,degree=3,parallel=yes":  `parallel is "yes", expected true or false`,
		"random:switches=8,degree=3,seed=-1":       "expected a whole number up to 18446744073709551615",
		"random:switches=8,degre=3":                "did you mean degree?",
		"fattree:8":                                `"8" where key=value was expected`,
		"fattree:k=7":                              "a fat tree of switches with k=7 ports, allowed are even numbers from 2",
		"fattree:k=8,levels=99":                    "a fat tree of 99 levels, allowed are 1 to 32",
		"fattree:k=8,levels=32":                    "more than 1099511627776 switches",
		"fattree:levels=3":                         "k is missing: ports per switch, even",
		"xgft:4x4,up=2":                            "a fat tree with 2 numbers of children and 1 of parents",
		"xgft:4x4":                                 "up is missing",
		"xgft:4x0,up=1x1":                          "a fat tree with side 0",
		"fattree-pair:k=8,join=midle":              `join is "midle", expected one of top, middle, bottom (did you mean middle?)`,
		"fattree-pair:k=8,links=0":                 "expected a whole number from 1",
		"fattree-pair:k=8,links=999999999":         "999999999 joining links, allowed are 1 to 8388608",
		"fattree-pair:k=8,links=2000000":           "a switch with 125008 ports, allowed are 65536",
		"dragonfly:a=4,h=2,g=10":                   "a dragonfly with 10 groups, allowed are 1 to a*h+1 = 9",
		"dragonfly:a=4,h=2,p=2,hosts=2":            "p and hosts are the same, give one of them",
		"dragonfly:a=70000,h=2":                    "a=70000 and h=2, allowed are 1 to 65536",
		"hyperx:4000x4":                            "allowed are 16777216",
		"slimfly:6":                                "a Slim Fly with q=6, allowed are prime powers from 3 to 1024; the nearest are 5 and 7",
		"slimfly:10":                               "the nearest are 9 and 11",
		"slimfly:2":                                "a Slim Fly with q=2, allowed are prime powers from 3 to 1024",
		"polarfly:1":                               "a PolarFly with q=1, allowed are prime powers from 2 to 1024",
		"polarfly:1024":                            "channels (two for each link and each host), allowed are 16777216",
		"dragonfly-plus:leaves=1,spines=2,h=2,g=6": "a dragonfly+ of 6 groups, allowed are 1 to spines*h+1 = 5",
		"dragonfly-plus:leaves=1,spines=99999,h=2": "a dragonfly+ of 1 leaves and 99999 spines per group and h=2, allowed are 1 to",
		"hyperx:4x4,links=2x2x2":                   "parallel links of 3 dimensions; want one number, or one for each of 2 dimensions",
		"hyperx:4x4,links=0":                       "0 parallel links, allowed are 1 to",
		"jellyfish:switches=8,ports=2,degree=3":    "a Jellyfish of switches with 2 ports and 3 links, allowed are 3 to",
		"xpander:degree=2,lift=2":                  "want a degree of 3 or more",
		"kautz:d=2,n=33":                           "a Kautz network with d=2 and length 33, allowed are 1 to",
		"kautz:d=9,n=32":                           "switches, allowed are 4194304",
		"debruijn:d=1,n=3":                         "a de Bruijn network with d=1 and length 3, allowed are 2 to",
		"hexmesh:99999":                            "a hexagonal mesh of size 99999, allowed are 1 to 2048",
		"honeycomb:2000":                           "a honeycomb of size 2000, allowed are 1 to 1024",
		"express:8x8,interval=1":                   `interval is "1", expected a whole number from 2`,
		"cmesh:4x5,express=true":                   "want two even sides from 4 on",
		"twisted-torus:4x4,twist=4":                "want two sides from 2 on and a twist less than the first side",
		"butterfly:k=1,n=3":                        "a 1-ary 3-fly, allowed are 2 to",
		"ccc:2":                                    `order is "2", expected a whole number from 3`,
		"ccc:31":                                   "switches, allowed are 4194304",
		"torus:4x4,folded=z":                       "a fold in dimension 2, the grid has dimensions 0 to 1",
		"slimfly:1021":                             "allowed are 16777216",
		"chiplet:2x2":                              "of is missing: switches of each chiplet",
		"chiplet:2,of=4x4":                         `chiplets is "2", expected 2 whole numbers joined by x, as in 4x4`,
		"chiplet:2x2,of=4x4,interposer=3x4":        "an interposer with 3 switches in x under 2 chiplets of 4, allowed are multiples of 2 up to 8",
		"chiplet:2x2,of=4x4,interposer=4x10":       "an interposer with 10 switches in y",
		"chiplet:2x2,of=4x4,interposer=4x0":        "an interposer with a side of 0",
		"chiplet:4194304x4194304,of=4x4":           "a chiplet package with side 8388608 in x",
		"torus:" + strings.Repeat("9", 100):        "...",
		"torus:" + strings.Repeat("1x", 40) + "1":  "expected 1 to 32 whole numbers",
		"torus:" + strings.Repeat("9", 1<<17):      "a spec of 131078 bytes, allowed are 65536",
		"torus:\xff":                               `sides is "\xff"`,
	} {
		_, err := Parse(spec)
		switch {
		case err == nil:
			t.Errorf("%.80s: no error, want %q", spec, want)
		case !strings.Contains(err.Error(), want) || !strings.HasPrefix(err.Error(), "topo: ") || len(err.Error()) > 500:
			t.Errorf("%.80s:\ngot  %v\nwant %s", spec, err, want)
		}
	}
}

// TestConstructorErrors checks arguments that no spec can express.
func TestConstructorErrors(t *testing.T) {
	for want, build := range map[string]func() (*model.Network, error){
		"a mesh of 0 dimensions":       func() (*model.Network, error) { return Mesh(nil, Options{}) },
		"a torus with side -1":         func() (*model.Network, error) { return Torus([]int{4, -1}, Options{}) },
		"vcs is -1":                    func() (*model.Network, error) { return Ring(4, Options{VCs: -1}) },
		"hosts is -2":                  func() (*model.Network, error) { return Line(4, Options{Hosts: -2}) },
		"a hypercube of -1 dimensions": func() (*model.Network, error) { return Hypercube(-1, Options{}) },
		"switch -5 cannot fail":        func() (*model.Network, error) { return Ring(4, Options{Fail: []Failure{FailSwitch(-5)}}) },
		"switch -7 cannot fail":        func() (*model.Network, error) { return Ring(4, Options{Fail: []Failure{FailLink(1, -7)}}) },
		"joined at \"side\"":           func() (*model.Network, error) { return FatTreePair(4, FatTreePairOptions{Join: "side"}, Options{}) },
		"spread \"odd\"":               func() (*model.Network, error) { return FatTreePair(4, FatTreePairOptions{Spread: "odd"}, Options{}) },
		"a=0 and h=1":                  func() (*model.Network, error) { return Dragonfly(DragonflySize{H: 1}, Options{}) },
		"side 0 in x":                  func() (*model.Network, error) { return Chiplet(ChipletSize{}, Options{}) },
	} {
		if _, err := build(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
}

// BenchmarkParse covers three decades of size.
func BenchmarkParse(b *testing.B) {
	for _, spec := range []string{
		"torus:32x32,vcs=2", "torus:100x100,vcs=2", "torus:320x320,vcs=2", "torus:1024x1024,vcs=2",
		"random:switches=100,degree=8", "random:switches=1000,degree=8", "random:switches=10000,degree=8", "random:switches=100000,degree=8",
		"random:switches=1000,degree=600",
		"fattree:k=8", "fattree:k=16", "fattree:k=32", "fattree:k=64",
		"dragonfly:a=4,h=2,p=2", "dragonfly:a=16,h=8,p=8", "dragonfly:a=32,h=16,p=16", "slimfly:37", "hyperx:32x32", "complete:1000",
	} {
		name, size, _ := strings.Cut(spec, ":")
		b.Run(name+"/"+size, func(b *testing.B) {
			b.ReportAllocs()
			channels := 0
			for b.Loop() {
				n, err := Parse(spec)
				if err != nil {
					b.Fatal(err)
				}
				channels = n.NumChannels()
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(channels), "ns/channel")
		})
	}
}
