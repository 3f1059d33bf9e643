package traffic

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/turnproof/turnproof/internal/registry"
	"github.com/turnproof/turnproof/model"
)

// This file is the table of the patterns.
//
// Sources: W. Dally and B. Towles, Principles and Practices of Interconnection Networks, 2004,
// section 3.2; BookSim 2 (Jiang et al., ISPASS 2013), where the two differ.

// Pattern returns the destinations of a host's packets, one for each call. NoHost means that the
// host never sends. A destination may be the host itself. A pattern may keep the position of each
// host, so it belongs to one source.
type Pattern interface {
	Dest(h model.HostID, random *rand.Rand) model.HostID
}

// Sharer is a Pattern in which some hosts send less than others.
type Sharer interface {
	Pattern
	// Share returns the traffic of host h relative to that of the busiest host: from 0, it sends
	// nothing, to 1.
	Share(h model.HostID) float64
}

// Share returns the share of host h, or 1 if the pattern is no Sharer.
func Share(p Pattern, h model.HostID) float64 {
	if s, ok := p.(Sharer); ok {
		return s.Share(h)
	}
	return 1
}

// forkPattern returns a pattern that gives the same destinations as p from now on, and does not
// affect p. It returns nil if p cannot be copied.
func forkPattern(p Pattern) Pattern {
	switch p := p.(type) {
	case fixed, drawn, *matrix:
		return p // they keep no position
	case turns:
		return slices.Clone(p)
	case inOrder:
		return slices.Clone(p)
	case *roles:
		if inner := forkPattern(p.Pattern); inner != nil {
			c := *p
			c.Pattern = inner
			return &c
		}
	case toOthers:
		if inner := forkPattern(p.Pattern); inner != nil {
			return toOthers{inner}
		}
	}
	return nil
}

// fixed gives each host one destination.
type fixed []model.HostID

// Dest implements Pattern.
func (f fixed) Dest(h model.HostID, _ *rand.Rand) model.HostID { return f[h] }

// Share implements Sharer.
func (f fixed) Share(h model.HostID) float64 {
	if f[h] == model.NoHost {
		return 0
	}
	return 1
}

// drawn draws a destination for each packet.
type drawn func(h model.HostID, random *rand.Rand) model.HostID

// Dest implements Pattern.
func (d drawn) Dest(h model.HostID, random *rand.Rand) model.HostID { return d(h, random) }

// Kind is an entry of the table.
type Kind struct {
	Name, Syntax, About string
	make                func(n *model.Network, argument string, seed uint64) (Pattern, error)
}

var kinds = []Kind{
	{"uniform", "uniform", "to all other hosts with equal probability", uniform},
	{"uniform-self", "uniform-self", "to all hosts with equal probability, including the sender (BookSim 2)", uniformSelf},
	{"transpose", "transpose", "on a square grid x and y swapped; else the halves of the address", transpose},
	{"anti-transpose", "anti-transpose", "on a square grid mirrored at the other diagonal", antiTranspose},
	{"shuffle", "shuffle", "the address rotated left by a bit", address("shuffle", shuffle)},
	{"bit-rotation", "bit-rotation", "the address rotated right by a bit", address("bit-rotation", rotation)},
	{"bit-complement", "bit-complement", "the address with all bits turned", address("bit-complement", complement)},
	{"bit-reversal", "bit-reversal", "the address read backwards", address("bit-reversal", reversal)},
	{"tornado", "tornado", "almost half way round in every dimension of a grid; else half of the hosts further", tornado},
	{"shift", "shift:HOSTS", "a number of hosts further, cyclically", shift},
	{"neighbour", "neighbour", "one further in every dimension of a grid; else the next host", neighbour},
	{"hotspot", "hotspot:SHARE@HOST[+HOST...]", "that share to the hosts named, themselves not left out, the rest uniform", hotspot},
	{"random-pair", "random-pair", "hosts paired at random; of an odd number one sends none", randomPair},
	{"permutation", "permutation[:FILE]", "a random permutation without a host that sends to itself; or that of a file, lines SOURCE DESTINATION", permutation},
	{"all-to-all", "all-to-all[:first]", "to all other hosts in turn, beginning with the next; with :first all begin with the first host", allToAll},
	{"matrix", "matrix:FILE", "as a file says, lines SOURCE DESTINATION AMOUNT; hosts that send less than the busiest have less load", matrixFile},
}

// Kinds returns the table.
func Kinds() []Kind { return slices.Clone(kinds) }

// NewPattern makes the pattern of a spec, NAME or NAME:ARGUMENT. It fails for an
// unknown name, for a network that the pattern does not fit and for a file that
// cannot be read.
func NewPattern(spec string, n *model.Network, seed uint64) (Pattern, error) {
	name, argument, given := strings.Cut(spec, ":")
	k, err := Find(name)
	if err != nil {
		return nil, fmt.Errorf("traffic: %w", err)
	}
	takes, may := strings.Contains(k.Syntax, ":"), strings.Contains(k.Syntax, "[:")
	switch {
	case given && !takes:
		return nil, fmt.Errorf("traffic: %s takes no argument, got %q", name, argument)
	case given && argument == "", !given && takes && !may:
		return nil, fmt.Errorf("traffic: %s: %s was expected", spec, k.Syntax)
	case n.NumHosts() < 2:
		return nil, fmt.Errorf("traffic: %s on a network with %d hosts, at least 2 are needed", name, n.NumHosts())
	}
	return k.make(n, argument, seed)
}

// Find returns the kind of a name.
func Find(name string) (Kind, error) {
	return registry.Find("pattern", name, kinds, func(k Kind) string { return k.Name })
}
