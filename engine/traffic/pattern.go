package traffic

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"turnproof/model"
)

// This file is the table of the patterns.
//
// Sources: W. Dally and B. Towles, Principles and Practices of Interconnection
// Networks, 2004, section 3.2; BookSim 2 (Jiang et al., ISPASS 2013), where it
// differs. Patterns on addresses need a power of two of hosts.

// Pattern says where the packets of a host go. NoHost: it sends none. Hosts
// may be told to send to themselves; that is for the caller to refuse or allow.
type Pattern interface {
	Dest(h model.HostID, random *rand.Rand) model.HostID
}

type fixed []model.HostID

// Dest implements Pattern.
func (f fixed) Dest(h model.HostID, _ *rand.Rand) model.HostID { return f[h] }

type drawn func(h model.HostID, random *rand.Rand) model.HostID

// Dest implements Pattern.
func (d drawn) Dest(h model.HostID, random *rand.Rand) model.HostID { return d(h, random) }

// Kind is an entry of the table.
type Kind struct {
	Name, Syntax, Text string
	make               func(n *model.Network, argument string, seed uint64) (Pattern, error)
}

var kinds = []Kind{
	{"uniform", "uniform", "to all other hosts alike", uniform},
	{"uniform-self", "uniform-self", "to all hosts alike, the sender among them (BookSim 2)", uniformSelf},
	{"transpose", "transpose", "the halves of the address swapped; on a square grid x and y", address(func(a, b int) int {
		return a>>(b/2) | a&(1<<(b/2)-1)<<(b-b/2)
	})},
	{"shuffle", "shuffle", "the address rotated left by a bit", address(func(a, b int) int { return a<<1&(1<<b-1) | a>>(b-1) })},
	{"bit-rotation", "bit-rotation", "the address rotated right by a bit", address(func(a, b int) int { return a>>1 | a&1<<(b-1) })},
	{"bit-complement", "bit-complement", "the address with all bits turned", address(func(a, b int) int { return a ^ (1<<b - 1) })},
	{"bit-reversal", "bit-reversal", "the address read backwards", address(func(a, b int) int { return int(bits.Reverse64(uint64(a)) >> (64 - b)) })},
	{"tornado", "tornado", "almost half way round every ring of a grid; else half of the hosts further", tornado},
	{"neighbour", "neighbour", "one further in every dimension of a grid; else the next host", neighbour},
	{"hotspot", "hotspot:SHARE@HOST[+HOST...]", "that share to the hosts named, the rest uniform", hotspot},
	{"random-pair", "random-pair", "hosts paired at random", randomPair},
	{"permutation", "permutation", "a random permutation without a host that sends to itself", permutation},
}

// Kinds returns the table.
func Kinds() []Kind { return slices.Clone(kinds) }

// NewPattern makes the pattern of a spec, NAME or NAME:ARGUMENT. It fails for an
// unknown name and for a network that the pattern does not fit.
func NewPattern(spec string, n *model.Network, seed uint64) (Pattern, error) {
	name, argument, given := strings.Cut(spec, ":")
	for _, k := range kinds {
		if k.Name != name {
			continue
		}
		if given && !strings.Contains(k.Syntax, ":") {
			return nil, fmt.Errorf("traffic: %s takes no argument", name)
		}
		if n.NumHosts() < 2 {
			return nil, fmt.Errorf("traffic: %s on %d hosts, at least two are wanted", name, n.NumHosts())
		}
		return k.make(n, argument, seed)
	}
	var names []string
	for _, k := range kinds {
		names = append(names, k.Name)
	}
	return nil, fmt.Errorf("traffic: no pattern %q, known are %s", name, strings.Join(names, ", "))
}

func uniform(n *model.Network, _ string, _ uint64) (Pattern, error) {
	k := uint64(n.NumHosts() - 1)
	return drawn(func(h model.HostID, random *rand.Rand) model.HostID {
		d := model.HostID(random.Uint64N(k))
		if d >= h {
			d++
		}
		return d
	}), nil
}

func uniformSelf(n *model.Network, _ string, _ uint64) (Pattern, error) {
	k := uint64(n.NumHosts())
	return drawn(func(_ model.HostID, random *rand.Rand) model.HostID { return model.HostID(random.Uint64N(k)) }), nil
}

// address makes a pattern of a function of an address of b bits.
func address(f func(a, b int) int) func(*model.Network, string, uint64) (Pattern, error) {
	return func(n *model.Network, _ string, _ uint64) (Pattern, error) {
		k := n.NumHosts()
		if k&(k-1) != 0 {
			return nil, fmt.Errorf("traffic: a pattern on addresses needs a power of two of hosts, there are %d", k)
		}
		list := make(fixed, k)
		for a := range list {
			list[a] = model.HostID(f(a, bits.Len(uint(k))-1))
		}
		return list, nil
	}
}

// further makes the permutation that goes so many steps on in every dimension
// of a grid with one host at each switch, else plain steps on host numbers.
func further(n *model.Network, steps func(side int) int) fixed {
	list := make(fixed, n.NumHosts())
	g := n.Grid()
	if g == nil || n.NumHosts() != n.NumSwitches() {
		for h := range list {
			list[h] = model.HostID((h + steps(len(list))) % len(list))
		}
		return list
	}
	at := map[model.SwitchID]model.HostID{}
	for h := range model.HostID(n.NumHosts()) {
		at[n.Host(h).Switch] = h
	}
	for h := range list {
		u, scale := 0, 1
		for d, x := range g.Coords(n.Host(model.HostID(h)).Switch, nil) {
			u += (x + steps(g.Sides[d])) % g.Sides[d] * scale
			scale *= g.Sides[d]
		}
		to, ok := at[model.SwitchID(u)]
		if !ok {
			to = model.NoHost
		}
		list[h] = to
	}
	return list
}

func tornado(n *model.Network, _ string, _ uint64) (Pattern, error) {
	if g := n.Grid(); g != nil && n.NumHosts() == n.NumSwitches() {
		return further(n, func(side int) int { return (side+1)/2 - 1 }), nil
	}
	return further(n, func(side int) int { return side / 2 }), nil
}

func neighbour(n *model.Network, _ string, _ uint64) (Pattern, error) {
	return further(n, func(int) int { return 1 }), nil
}

func hotspot(n *model.Network, argument string, seed uint64) (Pattern, error) {
	share, names, ok := strings.Cut(argument, "@")
	p, err := strconv.ParseFloat(share, 64)
	if !ok || err != nil || !(p >= 0 && p <= 1) {
		return nil, fmt.Errorf("traffic: hotspot:%s, hotspot:SHARE@HOST[+HOST...] with a share from 0 to 1 was expected", argument)
	}
	var hot []model.HostID
	for _, name := range strings.Split(names, "+") {
		h, err := strconv.Atoi(name)
		if err != nil || h < 0 || h >= n.NumHosts() {
			return nil, fmt.Errorf("traffic: no host %q, hosts are 0 to %d", name, n.NumHosts()-1)
		}
		hot = append(hot, model.HostID(h))
	}
	rest, err := uniform(n, "", seed)
	if err != nil {
		return nil, err
	}
	return drawn(func(h model.HostID, random *rand.Rand) model.HostID {
		if random.Float64() < p {
			return hot[random.IntN(len(hot))]
		}
		return rest.Dest(h, random)
	}), nil
}

func randomPair(n *model.Network, _ string, seed uint64) (Pattern, error) {
	order := rand.New(rand.NewPCG(seed, 1<<32)).Perm(n.NumHosts())
	list := make(fixed, n.NumHosts())
	for h := range list {
		list[h] = model.NoHost
	}
	for i := 0; i+1 < len(order); i += 2 {
		a, b := order[i], order[i+1]
		list[a], list[b] = model.HostID(b), model.HostID(a)
	}
	return list, nil
}

// permutation shifts a random order by one, so that nobody sends to itself.
func permutation(n *model.Network, _ string, seed uint64) (Pattern, error) {
	order := rand.New(rand.NewPCG(seed, 1<<33)).Perm(n.NumHosts())
	list := make(fixed, n.NumHosts())
	for i, h := range order {
		list[h] = model.HostID(order[(i+1)%len(order)])
	}
	return list, nil
}
