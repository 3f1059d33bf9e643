package traffic

import (
	"math/rand/v2"
	"slices"

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

// Kind is an entry of the table. It has a function make or permute.
type Kind struct {
	Name, Syntax, About string
	make                func(n *model.Network, argument string, seed uint64) (Pattern, error)
	// permute returns the destination of each place, or noPlace.
	permute func(p *places, argument string, seed uint64) ([]int, error)
}

// Permutes reports whether k gives each host one destination, and permits :switches.
func (k Kind) Permutes() bool { return k.permute != nil }
