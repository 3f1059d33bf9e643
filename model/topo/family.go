package topo

import (
	"errors"
	"slices"
	"strings"

	"github.com/turnproof/turnproof/internal/registry"
	"github.com/turnproof/turnproof/model"
)

// Family is a kind of network that a spec can name.
type Family struct {
	Name    string
	Syntax  string // torus:X[xY...][,vcs=V]...
	About   string // description in one line
	Example string
	Keys    []Key // the keys of this family, then the keys of all families

	size  Key // the key whose value follows the colon; without a name, there is none
	build func(v values) (*model.Network, error)
}

// Families returns the families in the order of the documentation.
func Families() []Family {
	list := make([]Family, len(families))
	for i, f := range families {
		f.Keys = append(append([]Key(nil), f.Keys...), commonKeys(f.Name)...)
		f.Syntax = f.syntax()
		list[i] = f
	}
	return list
}

// Names returns the names of the families in the same order.
func Names() []string { return registry.Names(families, nameOf) }

// Find returns the family of a name.
func Find(name string) (Family, error) { return registry.Find("family", name, Families(), nameOf) }

func nameOf(f Family) string { return f.Name }

func (f *Family) key(name string) *Key {
	if name == f.size.Name {
		return &f.size
	}
	for i := range f.Keys {
		if f.Keys[i].Name == name {
			return &f.Keys[i]
		}
	}
	return nil
}

func (f *Family) keyNames() []string {
	var names []string
	for _, k := range f.Keys {
		names = append(names, k.Name)
	}
	return names
}

func (f *Family) syntax() string {
	required, optional := []string(nil), ""
	if f.size.Name != "" {
		required = append(required, f.size.Value)
	}
	for _, k := range f.Keys {
		item := k.Name + "=" + k.Value
		if k.Required {
			required = append(required, item)
		} else {
			optional += "[," + item + "]"
		}
	}
	return f.Name + ":" + strings.Join(required, ",") + optional
}

// families is the table of all families.
var families = []Family{
	{
		Name: "mesh", About: "mesh of any number of dimensions, also with holes", Example: "mesh:8x8,holes=1.1+2.3",
		size: gridSides, Keys: []Key{holes},
		build: func(v values) (*model.Network, error) { return buildGrid(v, Mesh) },
	}, {
		Name: "torus", About: "torus of any number of dimensions; a side of 2 makes two parallel links", Example: "torus:8x8,vcs=2",
		size: gridSides, Keys: []Key{holes, wraps, folds},
		build: func(v values) (*model.Network, error) {
			return buildGrid(v, func(sides []int, o Options) (*model.Network, error) { return buildTorus(v, sides, o) })
		},
	}, {
		Name: "ring", About: "torus of one dimension", Example: "ring:5", size: count,
		build: func(v values) (*model.Network, error) { return Ring(v.num("switches", 0), v.options()) },
	}, {
		Name: "line", About: "mesh of one dimension", Example: "line:7", size: count,
		build: func(v values) (*model.Network, error) { return Line(v.num("switches", 0), v.options()) },
	}, {
		Name: "hypercube", About: "2^N switches, linked where their numbers differ in one bit", Example: "hypercube:4",
		size:  Key{Name: "dimensions", Value: "N", Required: true, Help: "how many dimensions", read: readWholeNumber(0)},
		build: func(v values) (*model.Network, error) { return Hypercube(v.num("dimensions", 0), v.options()) },
	}, {
		Name: "complete", About: "each switch linked to each other one", Example: "complete:5", size: count,
		build: func(v values) (*model.Network, error) { return Complete(v.num("switches", 0), v.options()) },
	}, {
		Name: "star", About: "switch 0 linked to all others; N counts it", Example: "star:6", size: count,
		build: func(v values) (*model.Network, error) { return Star(v.num("switches", 0), v.options()) },
	}, {
		Name: "random", About: "connected random network, regular or with degrees from a range", Example: "random:switches=64,degree=4,hosts=4,seed=1",
		Keys: []Key{
			count,
			{Name: "degree", Value: "N[-M]", Required: true, Help: "links per switch, as in 4 or 3-5", read: readInterval},
			{Name: "parallel", Value: "true|false", Default: "false", Help: "ports are paired at random, so that parallel links arise", read: readBool},
			seed,
		},
		build: buildRandom,
	}, {
		Name: "fattree", About: "folded Clos of K-port switches: (2L-1)(K/2)^(L-1) switches, 2(K/2)^L hosts", Example: "fattree:k=8,levels=3",
		Keys:  []Key{ports, {Name: "levels", Value: "L", Default: "3", Help: "levels of switches", read: readWholeNumber(1)}},
		build: func(v values) (*model.Network, error) { return FatTree(v.num("k", 0), v.num("levels", 3), v.options()) },
	}, {
		Name: "xgft", About: "generalised fat tree XGFT(h; m1..mh; w1..wh) above leaf switches", Example: "xgft:4x4,up=1x2",
		size: Key{Name: "down", Value: "M1[xM2...]", Required: true, Help: "children of a switch of level 1, 2, ...", read: readSides(0)},
		Keys: []Key{{Name: "up", Value: "W1[xW2...]", Required: true, Help: "parents of a switch of level 0, 1, ...", read: readSides(0)}},
		build: func(v values) (*model.Network, error) {
			return XGFT(v.list("down", nil), v.list("up", nil), v.options())
		},
	}, {
		Name: "fattree-pair", About: "two fat trees of 3 levels, joined at switches of one level", Example: "fattree-pair:k=8,join=middle,links=16",
		Keys: []Key{
			ports,
			{Name: "join", Value: "top|middle|bottom", Default: "top", Help: "which switches are joined", read: readOneOf("top", "middle", "bottom")},
			{Name: "links", Value: "N", Default: "(k/2)^2", Help: "joining links", read: readWholeNumber(1)},
			{Name: "spread", Value: "first|even", Default: "first",
				Help: "if there are fewer links than switches: the first ones, or evenly spaced ones", read: readOneOf(SpreadFirst, SpreadEven)},
			{Name: "wires", Value: "straight|crossed", Default: "straight",
				Help: "links join corresponding switches, or number x*(k/2)+y and y*(k/2)+x", read: readOneOf(WiresStraight, WiresCrossed)},
		},
		build: func(v values) (*model.Network, error) {
			p := FatTreePairOptions{Join: v.word("join", ""), Links: v.num("links", 0), Spread: v.word("spread", ""), Wires: v.word("wires", "")}
			return FatTreePair(v.num("k", 0), p, v.options())
		},
	}, {
		Name: "dragonfly", About: "groups of A switches, each complete, with H global links a switch", Example: "dragonfly:a=4,h=2,p=2",
		Keys: []Key{
			{Name: "a", Value: "A", Required: true, Help: "switches per group", read: readWholeNumber(1)},
			{Name: "h", Value: "H", Required: true, Help: "global links per switch", read: readWholeNumber(0)},
			{Name: "p", Value: "P", Default: "1", Help: "hosts per switch", read: readWholeNumber(0)},
			{Name: "g", Value: "G", Default: "a*h+1", Help: "groups", read: readWholeNumber(1)},
			arrangement,
		},
		build: buildDragonfly,
	}, {
		Name: "dragonfly-plus", About: "groups of leaf and spine switches, each two linked, with H global links a spine (Megafly)",
		Example: "dragonfly-plus:leaves=4,spines=4,h=2,hosts=4",
		Keys: []Key{
			{Name: "leaves", Value: "L", Required: true, Help: "leaf switches per group", read: readWholeNumber(1)},
			{Name: "spines", Value: "S", Required: true, Help: "spine switches per group", read: readWholeNumber(1)},
			{Name: "h", Value: "H", Required: true, Help: "global links per spine", read: readWholeNumber(0)},
			{Name: "g", Value: "G", Default: "S*H+1", Help: "groups", read: readWholeNumber(1)},
			arrangement,
		},
		build: func(v values) (*model.Network, error) {
			z := DragonflyPlusSize{Leaves: v.num("leaves", 0), Spines: v.num("spines", 0), H: v.num("h", 0), G: v.num("g", 0)}
			z.Arrangement = v.word("arrangement", "")
			return DragonflyPlus(z, v.options())
		},
	}, {
		Name: "hyperx", About: "grid whose switches are linked where one coordinate differs", Example: "hyperx:4x4,links=2x1", size: gridSides,
		Keys: []Key{{Name: "links", Value: "K[xK...]", Default: "1", Help: "parallel links, of all dimensions or of each", read: readSides(0)}},
		build: func(v values) (*model.Network, error) {
			return HyperX(v.list("sides", nil), v.list("links", nil), v.options())
		},
	}, {
		Name: "slimfly", About: "McKay-Miller-Širáň graph of diameter 2, 2Q² switches, Q a prime power", Example: "slimfly:5",
		size:  Key{Name: "q", Value: "Q", Required: true, Help: "a prime power from 3 on", read: readWholeNumber(1)},
		build: func(v values) (*model.Network, error) { return SlimFly(v.num("q", 0), v.options()) },
	}, {
		Name: "polarfly", About: "polarity graph of diameter 2, Q²+Q+1 switches of degree Q or Q+1, Q a prime power", Example: "polarfly:7",
		size:  Key{Name: "q", Value: "Q", Required: true, Help: "a prime power", read: readWholeNumber(1)},
		build: func(v values) (*model.Network, error) { return PolarFly(v.num("q", 0), v.options()) },
	}, {
		Name: "jellyfish", About: "random regular network of N switches with K ports and R links", Example: "jellyfish:switches=20,ports=6,degree=4,seed=1",
		Keys: []Key{
			count,
			{Name: "ports", Value: "K", Required: true, Help: "ports per switch", read: readWholeNumber(1)},
			{Name: "degree", Value: "R", Required: true, Help: "links per switch", read: readWholeNumber(1)},
			seed,
		},
		build: func(v values) (*model.Network, error) {
			z := JellyfishSize{Switches: v.num("switches", 0), Ports: v.num("ports", 0), Degree: v.num("degree", 0), Seed: get(v, "seed", uint64(1))}
			return Jellyfish(z, v.options())
		},
	}, {
		Name: "xpander", About: "random lift of a complete network: D+1 meta-nodes of K switches of degree D", Example: "xpander:degree=4,lift=5,seed=1",
		Keys: []Key{
			{Name: "degree", Value: "D", Required: true, Help: "links per switch", read: readWholeNumber(1)},
			{Name: "lift", Value: "K", Required: true, Help: "switches per meta-node", read: readWholeNumber(1)},
			seed,
		},
		build: func(v values) (*model.Network, error) {
			return Xpander(XpanderSize{Degree: v.num("degree", 0), Lift: v.num("lift", 0), Seed: get(v, "seed", uint64(1))}, v.options())
		},
	}, {
		Name: "kautz", About: "undirected Kautz network: words of N letters out of D+1 without equal neighbours", Example: "kautz:d=2,n=3",
		Keys:  wordKeys("one less than the letters"),
		build: func(v values) (*model.Network, error) { return Kautz(v.num("d", 0), v.num("n", 0), v.options()) },
	}, {
		Name: "debruijn", About: "undirected de Bruijn network: words of N letters out of D", Example: "debruijn:d=2,n=4",
		Keys:  wordKeys("letters"),
		build: func(v values) (*model.Network, error) { return DeBruijn(v.num("d", 0), v.num("n", 0), v.options()) },
	}, {
		Name: "hexmesh", About: "hexagonal mesh of size E: 3E(E-1)+1 switches with up to 6 neighbours", Example: "hexmesh:3",
		size: Key{Name: "size", Value: "E", Required: true, Help: "switches of a border", read: readWholeNumber(1)}, Keys: []Key{borders},
		build: func(v values) (*model.Network, error) {
			return HexMesh(v.num("size", 0), get(v, "wrap", false), v.options())
		},
	}, {
		Name: "honeycomb", About: "honeycomb of T rings of hexagons: 6T² switches with up to 3 neighbours", Example: "honeycomb:2",
		size: Key{Name: "size", Value: "T", Required: true, Help: "rings of hexagons", read: readWholeNumber(1)}, Keys: []Key{borders},
		build: func(v values) (*model.Network, error) {
			return Honeycomb(v.num("size", 0), get(v, "wrap", false), v.options())
		},
	}, {
		Name: "hexgrid", About: "hexagonal grid in the shape of a parallelogram: switches with up to 6 neighbours", Example: "hexgrid:4x3",
		size:  Key{Name: "sides", Value: "XxY", Required: true, Help: "sides, x first", read: readSides(2)},
		build: func(v values) (*model.Network, error) { return HexGrid(v.list("sides", nil), v.options()) },
	}, {
		Name: "brickwall", About: "honeycomb in the shape of a rectangle: a mesh with every second link of y", Example: "brickwall:6x4",
		size:  Key{Name: "sides", Value: "XxY", Required: true, Help: "sides, x first", read: readSides(2)},
		build: func(v values) (*model.Network, error) { return BrickWall(v.list("sides", nil), v.options()) },
	}, {
		Name: "express", About: "mesh with express links between switches at multiples of I", Example: "express:9x9,interval=4", size: gridSides,
		Keys: []Key{{Name: "interval", Value: "I", Required: true, Help: "length of an express link", read: readWholeNumber(2)}},
		build: func(v values) (*model.Network, error) {
			return ExpressMesh(v.list("sides", nil), v.num("interval", 0), v.options())
		},
	}, {
		Name: "cmesh", About: "concentrated mesh: four hosts a switch, also with express links along the borders", Example: "cmesh:4x4,express=true",
		size: Key{Name: "sides", Value: "XxY", Required: true, Help: "sides, x first", read: readSides(2)},
		Keys: []Key{{Name: "express", Value: "true|false", Default: "false", Help: "express links along the borders, half a side long", read: readBool}},
		build: func(v values) (*model.Network, error) {
			return ConcentratedMesh(v.list("sides", nil), get(v, "express", false), v.options())
		},
	}, {
		Name: "twisted-torus", About: "torus whose wraparound of y shifts x by T", Example: "twisted-torus:8x4,twist=4",
		size: Key{Name: "sides", Value: "XxY", Required: true, Help: "sides, x first", read: readSides(2)},
		Keys: []Key{{Name: "twist", Value: "T", Required: true, Help: "shift, less than X", read: readWholeNumber(0)}},
		build: func(v values) (*model.Network, error) {
			return TwistedTorus(v.list("sides", nil), v.num("twist", 0), v.options())
		},
	}, {
		Name: "butterfly", About: "K-ary N-fly with bidirectional links: N stages of K^(N-1) switches", Example: "butterfly:k=2,n=3",
		Keys: []Key{
			{Name: "k", Value: "K", Required: true, Help: "links to the next stage", read: readWholeNumber(1)},
			{Name: "n", Value: "N", Required: true, Help: "stages", read: readWholeNumber(1)},
		},
		build: func(v values) (*model.Network, error) { return Butterfly(v.num("k", 0), v.num("n", 0), v.options()) },
	}, {
		Name: "ccc", About: "cube-connected cycles: each corner of a hypercube is a ring of N switches", Example: "ccc:3",
		size:  Key{Name: "order", Value: "N", Required: true, Help: "dimensions of the hypercube, 3 or more", read: readWholeNumber(3)},
		build: func(v values) (*model.Network, error) { return CubeConnectedCycles(v.num("order", 0), v.options()) },
	}, {
		Name: "chiplet", About: "XxY chiplets, each a mesh, linked at their edges to an interposer mesh below", Example: "chiplet:2x2,of=4x4,interposer=4x4",
		size: Key{Name: "chiplets", Value: "XxY", Required: true, Help: "how many chiplets", read: readSides(2)},
		Keys: []Key{
			{Name: "of", Value: "MxN", Required: true, Help: "switches of each chiplet", read: readSides(2)},
			{Name: "interposer", Value: "PxQ", Default: "2Xx2Y", Help: "switches of the interposer, multiples of XxY", read: readSides(2)},
		},
		build: buildChiplet,
	},
}

func buildGrid(v values, family func([]int, Options) (*model.Network, error)) (*model.Network, error) {
	s, o := v.list("sides", nil), v.options()
	if err := checkSides("grid", s); err != nil {
		return nil, err
	}
	for _, at := range get[[][]int](v, "holes", nil) {
		u, err := PlaceOf(s, at)
		if err != nil {
			return nil, err
		}
		o.Fail = append(o.Fail, FailSwitch(u))
	}
	return family(s, o)
}

// buildTorus returns a torus, with wraparound in the dimensions of key wrap and folds in those of key folded.
func buildTorus(v values, sides []int, o Options) (*model.Network, error) {
	wrap, err := v.dimensions("wrap", "wraparound", len(sides))
	if err != nil {
		return nil, err
	}
	if wrap == nil {
		wrap = slices.Repeat([]bool{true}, len(sides))
	}
	folded, err := v.dimensions("folded", "a fold", len(sides))
	switch {
	case err != nil:
		return nil, err
	case !slices.Contains(folded, true):
		return Wrapped(sides, wrap, o)
	}
	return FoldedTorus(sides, wrap, folded, o)
}

func buildRandom(v values) (*model.Network, error) {
	degree := v.list("degree", nil)
	r := RandomNetwork{
		Switches: v.num("switches", 0), Degree: degree[0], MaxDegree: degree[len(degree)-1],
		Parallel: get(v, "parallel", false), Seed: get(v, "seed", uint64(1)),
	}
	return Random(r, v.options())
}

func buildDragonfly(v values) (*model.Network, error) {
	if p, ok := v.of["p"]; ok {
		if _, both := v.of["hosts"]; both {
			return nil, errors.New("p and hosts are the same, give one of them")
		}
		v.of["hosts"] = p
	}
	return Dragonfly(DragonflySize{A: v.num("a", 0), H: v.num("h", 0), G: v.num("g", 0), Arrangement: v.word("arrangement", "")}, v.options())
}

func buildChiplet(v values) (*model.Network, error) {
	z := ChipletSize{Chiplets: [2]int(v.list("chiplets", nil)), Of: [2]int(v.list("of", nil))}
	if i := v.list("interposer", nil); i != nil {
		z.Interposer = [2]int(i)
		if i[0] == 0 || i[1] == 0 {
			return nil, errors.New("an interposer with a side of 0")
		}
	}
	return Chiplet(z, v.options())
}
