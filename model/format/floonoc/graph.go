package floonoc

import (
	"strconv"
	"strings"

	"github.com/turnproof/turnproof/model/format/textfile"
)

// This file builds the graph of a floogen file as floogen does: nodes and edges in the order in which floogen adds them, because
// the paths that it chooses depend on this order.

// Limits of a floogen file.
const (
	maxNodes = 1 << 14
	maxDepth = 16  // of trees
	maxPorts = 256 // of a router
)

type nodeKind uint8

const (
	routerNode nodeKind = iota
	endpointNode
	interfaceNode // the network interface between an endpoint and its router
)

// node is a node of the graph.
type node struct {
	name   string
	kind   nodeKind
	line   int
	of     *object // the mapping that describes it
	twin   int32   // of an endpoint: its interface; of an interface: its endpoint
	level  int     // of a router in a tree; -1 for others
	index  []int   // in its array
	degree int     // the number of ports of a router that the file states, or 0

	manages, serves bool // of an endpoint and its interface
}

// edge is an edge out of a node: to another one, through a port of the first if dir is not noDirection.
type edge struct {
	to   int32
	dir  int
	line int
}

// connections is the graph.
type connections struct {
	src   *textfile.File
	nodes []node
	at    map[string]int32
	out   [][]edge
	in    [][]int32
	has   map[[2]int32]bool
}

func (g *connections) node(n node) (int32, error) {
	if _, twice := g.at[n.name]; twice {
		return 0, g.src.ErrorAt(n.line, "two nodes have the name %s", textfile.Clip(n.name))
	}
	if len(g.nodes) == maxNodes {
		return 0, g.src.ErrorAt(n.line, "more than %d nodes", maxNodes)
	}
	i := int32(len(g.nodes))
	g.at[n.name] = i
	g.nodes, g.out, g.in = append(g.nodes, n), append(g.out, nil), append(g.in, nil)
	return i, nil
}

func (g *connections) edge(u, v int32, dir, line int) error {
	if g.has[[2]int32{u, v}] {
		return g.src.ErrorAt(line, "a second connection of %s and %s", g.nodes[u].name, g.nodes[v].name)
	}
	g.has[[2]int32{u, v}] = true
	g.out[u] = append(g.out[u], edge{v, dir, line})
	g.in[v] = append(g.in[v], u)
	return nil
}

// join adds an edge in each direction, first the one out of u.
func (g *connections) join(u, v int32, uDir, vDir, line int) error {
	if u == v {
		return g.src.ErrorAt(line, "connects %s to itself", g.nodes[u].name)
	}
	if err := g.edge(u, v, uDir, line); err != nil {
		return err
	}
	return g.edge(v, u, vDir, line)
}

// addRouters adds the routers of a mapping.
func (g *connections) addRouters(m *object) error {
	name, err := m.word("name")
	if err != nil {
		return err
	}
	n := node{name: name, kind: routerNode, line: m.line, of: m, level: -1}
	if m.has("degree") {
		if n.degree, err = m.numberOf("degree", 1, maxPorts); err != nil {
			return err
		}
	}
	connect, err := m.flag("auto_connect", true)
	if err != nil {
		return err
	}
	array, err := m.numbers("array", 1, maxNodes)
	if err != nil {
		return err
	}
	tree, err := m.numbers("tree", 1, maxNodes)
	switch {
	case err != nil:
		return err
	case array != nil && tree != nil:
		return m.fault("tree", "router %s has an array as well", name)
	case tree != nil:
		if len(tree) > maxDepth {
			return m.fault("tree", "%d levels, want at most %d", len(tree), maxDepth)
		}
		return g.addTree(n, -1, tree, 0, connect)
	case len(array) > 2:
		return m.fault("array", "%d dimensions, want 1 or 2", len(array))
	}
	return g.addArray(n, array, connect)
}

func (g *connections) addTree(n node, parent int32, tree []int, level int, connect bool) error {
	if level == len(tree) {
		return nil
	}
	name := n.name
	for i := range tree[level] {
		n.name, n.level = name+"_"+strconv.Itoa(i), level
		child, err := g.node(n)
		if err == nil && connect && level > 0 {
			err = g.join(parent, child, noDirection, noDirection, n.line)
		}
		if err == nil {
			err = g.addTree(n, child, tree, level+1, connect)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// addArray adds an array of at most two dimensions, or one node. Each node is connected to those before it in both dimensions.
func (g *connections) addArray(n node, array []int, connect bool) error {
	name := n.name
	if array == nil {
		_, err := g.node(n)
		return err
	}
	return eachIndex(array, func(index []int) error {
		n.name, n.index = indexed(name, index), index
		u, err := g.node(n)
		for d := range index {
			if err != nil || !connect || index[d] == 0 {
				continue
			}
			before := append([]int(nil), index...)
			before[d]--
			uDir, vDir := noDirection, noDirection
			if len(array) == 2 {
				uDir, vDir = 3-d, 1-d // West and East, or South and North
			}
			err = g.join(u, g.at[indexed(name, before)], uDir, vDir, n.line)
		}
		return err
	})
}

// eachIndex calls f for each index of an array, the last dimension first.
func eachIndex(array []int, f func(index []int) error) error {
	index := make([]int, len(array))
	for {
		if err := f(append([]int(nil), index...)); err != nil {
			return err
		}
		d := len(index) - 1
		for ; d >= 0 && index[d] == array[d]-1; d-- {
			index[d] = 0
		}
		if d < 0 {
			return nil
		}
		index[d]++
	}
}

// indexed returns the name of a node of an array.
func indexed(name string, index []int) string {
	var b strings.Builder
	b.WriteString(name)
	for _, i := range index {
		b.WriteString("_" + strconv.Itoa(i))
	}
	return b.String()
}

// addEndpoints adds the endpoints of a mapping and their interfaces.
func (g *connections) addEndpoints(m *object) error {
	name, err := m.word("name")
	if err != nil {
		return err
	}
	n := node{name: name, kind: endpointNode, line: m.line, of: m, level: -1, manages: m.has("mgr_port_protocol"), serves: m.has("sbr_port_protocol")}
	array, err := m.numbers("array", 1, maxNodes)
	if err != nil {
		return err
	}
	if len(array) > 2 {
		return m.fault("array", "%d dimensions, want 1 or 2", len(array))
	}
	first := int32(len(g.nodes))
	if err := g.addArray(n, array, false); err != nil {
		return err
	}
	count := int32(len(g.nodes)) - first
	n.name, n.kind = name+"_ni", interfaceNode
	if err := g.addArray(n, array, false); err != nil {
		return err
	}
	for i := range count {
		e, x := first+i, first+count+i
		g.nodes[e].twin, g.nodes[x].twin = x, e
		if n.serves {
			err = g.edge(x, e, noDirection, n.line)
		}
		if err == nil && n.manages {
			err = g.edge(e, x, noDirection, n.line)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
