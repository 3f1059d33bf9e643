package hv

import (
	"errors"
	"fmt"
	"strings"

	"github.com/turnproof/turnproof/model"
)

// Dir is the direction of a channel on an H/V graph.
type Dir uint8

// The four directions. Left is to a smaller spread, up is to a smaller depth. At the same depth
// a channel to the right is up and a channel to the left is down.
const (
	LU Dir = iota
	LD
	RU
	RD
)

// Dirs returns the four directions.
func Dirs() []Dir {
	return []Dir{LU, LD, RU, RD}
}

// String returns LU, LD, RU or RD.
func (d Dir) String() string { return [...]string{"LU", "LD", "RU", "RD"}[d] }

// Graph is an H/V graph: a network whose switches have coordinates (spread, depth) on a
// breadth-first tree. Memory: one byte per channel.
type Graph struct {
	*Tree
	dir []Dir // by channel between switches
}

// New returns the H/V graph of a breadth-first tree. It fails for a depth-first tree.
func New(t *Tree) (*Graph, error) {
	if t.Options.Search != BFS {
		return nil, errors.New("hv: an H/V graph needs a breadth-first tree")
	}
	g := &Graph{Tree: t, dir: make([]Dir, t.Net.NumLinkChannels())}
	for c := range g.dir {
		u, v := t.Net.Tail(model.ChannelID(c)), t.Net.Head(model.ChannelID(c))
		g.dir[c] = DirBetween(t.Spread[u], t.Depth[u], t.Spread[v], t.Depth[v])
	}
	return g, nil
}

// DirBetween returns the direction of a channel from (h1, d1) to (h2, d2) by table 1 of the
// paper. h1 and h2 must differ.
func DirBetween(h1, d1, h2, d2 int32) Dir {
	switch left := h1 > h2; {
	case left && d1 > d2:
		return LU
	case left:
		return LD
	case d1 < d2:
		return RD
	}
	return RU
}

// Dir returns the direction of channel c, which must be between switches.
func (g *Graph) Dir(c model.ChannelID) Dir { return g.dir[c] }

// ClassTurn returns the class turn of a turn between two channels, or false if both have the
// same direction.
func (g *Graph) ClassTurn(in, out model.ChannelID) (ClassTurn, bool) {
	return ClassTurn{g.dir[in], g.dir[out]}, g.dir[in] != g.dir[out]
}

// ClassTurn is an ordered pair of different directions.
type ClassTurn struct{ In, Out Dir }

// String returns the name of the class turn, such as LD>RU.
func (t ClassTurn) String() string { return t.In.String() + ">" + t.Out.String() }

// ParseClassTurn parses the name of a class turn.
func ParseClassTurn(text string) (ClassTurn, error) {
	in, out, ok := strings.Cut(text, ">")
	a, aok := parseDir(in)
	b, bok := parseDir(out)
	if !ok || !aok || !bok || a == b {
		return ClassTurn{}, fmt.Errorf("hv: cannot read class turn %q; want two different directions of LU, LD, RU, RD, as in LD>RU", text)
	}
	return ClassTurn{a, b}, nil
}

func parseDir(text string) (Dir, bool) {
	for _, d := range Dirs() {
		if d.String() == text {
			return d, true
		}
	}
	return 0, false
}

// ClassTurns is a set of class turns.
type ClassTurns uint16

// Classes returns the set of the given class turns.
func Classes(turns ...ClassTurn) (s ClassTurns) {
	for _, t := range turns {
		s |= t.bit()
	}
	return s
}

func (t ClassTurn) bit() ClassTurns { return 1 << (4*uint(t.In) + uint(t.Out)) }

// Has reports whether t is in the set.
func (s ClassTurns) Has(t ClassTurn) bool { return s&t.bit() != 0 }

// List returns the class turns of the set by direction in, then by direction out.
func (s ClassTurns) List() (list []ClassTurn) {
	for _, in := range Dirs() {
		for _, out := range Dirs() {
			if t := (ClassTurn{in, out}); in != out && s.Has(t) {
				list = append(list, t)
			}
		}
	}
	return list
}

// String returns the names of the class turns, such as {LD>LU, RU>LU}.
func (s ClassTurns) String() string {
	var names []string
	for _, t := range s.List() {
		names = append(names, t.String())
	}
	return "{" + strings.Join(names, ", ") + "}"
}

// AllClassTurns returns the set of all twelve class turns (figure 5 of the paper).
func AllClassTurns() (s ClassTurns) {
	for _, in := range Dirs() {
		for _, out := range Dirs() {
			if in != out {
				s |= ClassTurn{in, out}.bit()
			}
		}
	}
	return s
}

// BasicCycle is one of the cycles L1 to L7 of the paper, given by its class turns in order.
type BasicCycle struct {
	Name  string
	Turns []ClassTurn
}

// BasicCycles returns the basic cycles L1 to L7 (section 3.2.3, figures 6 and 9).
func BasicCycles() []BasicCycle {
	return []BasicCycle{
		{"L1", []ClassTurn{{LU, RD}, {RD, RU}, {RU, LU}}},
		{"L2", []ClassTurn{{LU, RD}, {RD, LD}, {LD, LU}}},
		{"L3", []ClassTurn{{LU, RD}, {RD, LU}}},
		{"L4", []ClassTurn{{RU, RD}, {RD, LD}, {LD, RU}}},
		{"L5", []ClassTurn{{RD, RU}, {RU, LD}, {LD, RD}}},
		{"L6", []ClassTurn{{LD, RU}, {RU, LD}}},
		{"L7", []ClassTurn{{RD, RU}, {RU, RD}, {RD, LD}, {LD, RD}}},
	}
}
