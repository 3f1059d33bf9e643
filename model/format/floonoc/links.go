package floonoc

import (
	"strconv"
	"strings"

	"github.com/turnproof/turnproof/model/format/textfile"
)

// This file reads the connections of a floogen file.

// endpointRange is one side of a connection, with the keys that begin with its prefix.
type endpointRange struct {
	nodes []int32
	dir   int
}

// connect adds the cables of a connection.
func (g *connections) connect(m *object) error {
	var ends [2]endpointRange
	for i, side := range []string{"src", "dst"} {
		var err error
		if ends[i].nodes, err = g.sideOf(m, side); err != nil {
			return err
		}
		if ends[i].dir, err = m.direction(side + "_dir"); err != nil {
			return err
		}
	}
	both, err := m.flag("bidirectional", true)
	if err != nil {
		return err
	}
	if !both {
		return m.fault("bidirectional", "links of one direction are not known to floogen, want true")
	}
	multi, err := m.flag("allow_multi", false)
	if err != nil {
		return err
	}
	a, b := len(ends[0].nodes), len(ends[1].nodes)
	switch {
	case a == b:
	case multi && a > b && a%b == 0:
		ends[1].nodes = repeated(ends[1].nodes, a/b)
	case multi && b > a && b%a == 0:
		ends[0].nodes = repeated(ends[0].nodes, b/a)
	default:
		return m.src.ErrorAt(m.line, "connects %d nodes to %d: want equal numbers, or allow_multi and a multiple", a, b)
	}
	for i, u := range ends[0].nodes {
		if err := g.join(u, ends[1].nodes[i], ends[0].dir, ends[1].dir, m.line); err != nil {
			return err
		}
	}
	return nil
}

// repeated returns each node k times.
func repeated(list []int32, k int) (out []int32) {
	for _, u := range list {
		for range k {
			out = append(out, u)
		}
	}
	return out
}

// sideOf returns the nodes of one side. Endpoints stand for their interfaces.
func (g *connections) sideOf(m *object, side string) (list []int32, err error) {
	name, err := m.word(side)
	if err != nil {
		return nil, err
	}
	given := 0
	for _, key := range []string{side + "_idx", side + "_range", side + "_lvl"} {
		if m.has(key) {
			given++
		}
	}
	switch {
	case given > 1:
		return nil, m.fault(side, "%s_idx, %s_range and %s_lvl exclude each other", side, side, side)
	case m.has(side + "_idx"):
		index, err := m.numbers(side+"_idx", 0, maxNodes)
		if err != nil {
			return nil, err
		}
		list, err = g.named(m, side, []string{indexed(name, index)})
		if err != nil {
			return nil, err
		}
	case m.has(side + "_range"):
		list, err = g.rangeOf(m, side, name)
	case m.has(side + "_lvl"):
		list, err = g.levelOf(m, side, name)
	default:
		list, err = g.named(m, side, []string{name})
	}
	for i, u := range list {
		if g.nodes[u].kind == endpointNode {
			list[i] = g.nodes[u].twin
		}
	}
	return list, err
}

// named returns nodes by their names.
func (g *connections) named(m *object, side string, names []string) (list []int32, err error) {
	for _, name := range names {
		u, ok := g.at[name]
		if !ok {
			hint := ""
			if _, ok := g.at[name+"_0"]; ok {
				hint = "; " + name + " is an array: want " + side + "_range, " + side + "_idx or " + side + "_lvl"
			}
			return nil, m.fault(side, "no router or endpoint %s%s", textfile.Clip(name), hint)
		}
		list = append(list, u)
	}
	return list, nil
}

// rangeOf returns the nodes of a range, [first, last] for each dimension. first may be the greater one.
func (g *connections) rangeOf(m *object, side, name string) ([]int32, error) {
	key := side + "_range"
	values, ok := m.at[key].Value.List()
	if !ok || len(values) == 0 || len(values) > maxDepth {
		return nil, m.fault(key, "want a list of [FIRST, LAST]")
	}
	names := []string{name}
	for _, v := range values {
		ends, ok := v.List()
		if !ok || len(ends) != 2 {
			return nil, m.fault(key, "want a list of [FIRST, LAST]")
		}
		var span [2]int
		for i := range span {
			var err error
			if span[i], err = m.number(key, ends[i], 0, maxNodes); err != nil {
				return nil, err
			}
		}
		step := 1
		if span[1] < span[0] {
			step = -1
		}
		var longer []string
		for _, head := range names {
			for i := span[0]; i != span[1]+step; i += step {
				if longer = append(longer, head+"_"+strconv.Itoa(i)); len(longer) > maxNodes {
					return nil, m.fault(key, "more than %d nodes", maxNodes)
				}
			}
		}
		names = longer
	}
	return g.named(m, side, names)
}

// levelOf returns the nodes of a level of trees whose names begin with name.
func (g *connections) levelOf(m *object, side, name string) (list []int32, err error) {
	level, err := m.numberOf(side+"_lvl", 0, maxDepth)
	if err != nil {
		return nil, err
	}
	for i := range g.nodes {
		n := &g.nodes[i]
		if !strings.HasPrefix(n.name, name) {
			continue
		}
		if n.level < 0 {
			return nil, m.fault(side+"_lvl", "%s is in no tree", n.name)
		}
		if n.level == level {
			list = append(list, int32(i))
		}
	}
	if len(list) == 0 {
		return nil, m.fault(side+"_lvl", "no node of %s at level %d", textfile.Clip(name), level)
	}
	return list, nil
}
