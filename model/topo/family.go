package topo

import (
	"errors"
	"fmt"
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

// Key is a key of a spec.
type Key struct {
	Name     string
	Value    string // format of the value
	Default  string // "" if Required
	Required bool
	Help     string // description in one line

	read func(text string) (any, error)
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

// commonKeys returns the keys that all families have.
func commonKeys(family string) []Key {
	hosts := Key{Name: "hosts", Value: "N", Default: "1", Help: "hosts per switch", read: readWholeNumber(0)}
	switch family {
	case "fattree", "fattree-pair":
		hosts.Default, hosts.Help = "k/2", "hosts per leaf"
	case "xgft":
		hosts.Help = "hosts per leaf"
	case "chiplet":
		hosts.Help = "hosts per switch of a chiplet"
	case "dragonfly":
		hosts.Help = "hosts per switch, the same as p"
	}
	return []Key{
		hosts,
		{Name: "vcs", Value: "N", Default: "1", Help: "virtual channels per channel, 1 to 256", read: readWholeNumber(1)},
		{Name: "fail", Value: "U-V+W...", Default: "none",
			Help: "failed links (between switches U and V) and switches (W), numbered as without failures", read: readFailures},
	}
}

// Keys that several families share.
var (
	gridSides = Key{Name: "sides", Value: "X[xY...]", Required: true, Help: "sides, x first", read: readSides(0)}
	count     = Key{Name: "switches", Value: "N", Required: true, Help: "switches in all", read: readWholeNumber(1)}
	holes     = Key{Name: "holes", Value: "X.Y+X.Y...", Default: "none", Help: "places without a switch, by coordinates", read: readPlaces}
	wraps     = Key{Name: "wrap", Value: "DIMENSIONS", Default: "all", Help: "dimensions with wraparound, as xz or 02, or none", read: readDimensions}
	ports     = Key{Name: "k", Value: "K", Required: true, Help: "ports per switch, even", read: readWholeNumber(1)}
)

// families is the table of all families.
var families = []Family{
	{
		Name: "mesh", About: "mesh of any number of dimensions, also with holes", Example: "mesh:8x8,holes=1.1+2.3",
		size: gridSides, Keys: []Key{holes},
		build: func(v values) (*model.Network, error) { return buildGrid(v, Mesh) },
	}, {
		Name: "torus", About: "torus of any number of dimensions; a side of 2 makes two parallel links", Example: "torus:8x8,vcs=2",
		size: gridSides, Keys: []Key{holes, wraps},
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
			{Name: "seed", Value: "N", Default: "1", Help: "number that the network is drawn from", read: readSeed},
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
			{Name: "arrangement", Value: "absolute|relative", Default: "absolute",
				Help: "of the global links: port t of a group leads to group t (t+1 from its own number on), or t+1 groups further",
				read: readOneOf("absolute", "relative")},
		},
		build: buildDragonfly,
	}, {
		Name: "hyperx", About: "grid whose switches are linked where one coordinate differs", Example: "hyperx:4x4", size: gridSides,
		build: func(v values) (*model.Network, error) { return HyperX(v.list("sides", nil), v.options()) },
	}, {
		Name: "slimfly", About: "McKay-Miller-Širáň graph of diameter 2, 2Q² switches, Q an odd prime", Example: "slimfly:5",
		size:  Key{Name: "q", Value: "Q", Required: true, Help: "an odd prime", read: readWholeNumber(1)},
		build: func(v values) (*model.Network, error) { return SlimFly(v.num("q", 0), v.options()) },
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

// buildTorus returns a torus, or a grid with wraparound in the dimensions of key wrap.
func buildTorus(v values, sides []int, o Options) (*model.Network, error) {
	list, given := v.of["wrap"]
	if !given {
		return Torus(sides, o)
	}
	wrap := make([]bool, len(sides))
	for _, d := range list.([]int) {
		if d >= len(sides) {
			return nil, fmt.Errorf("wraparound in dimension %d, the grid has dimensions 0 to %d", d, len(sides)-1)
		}
		wrap[d] = true
	}
	return Wrapped(sides, wrap, o)
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
	return Dragonfly(DragonflySize{A: v.num("a", 0), H: v.num("h", 0), G: v.num("g", 0), Relative: v.word("arrangement", "") == "relative"}, v.options())
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
