package graph

import (
	"bufio"
	"bytes"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format"
	"github.com/turnproof/turnproof/model/format/textfile"
	"github.com/turnproof/turnproof/model/format/wiring"
)

// This file reads and writes networks as Graphviz DOT:
//
//	graph network {
//	  vcs=2;                                  // virtual channels, default 1
//	  node [kind=switch shape=box];
//	  a; b;
//	  node [kind=host shape=ellipse];
//	  h0;
//	  a -- b [a_port=1 b_port=1];
//	  h0 -- a [b_port=2];
//	}
//
// The syntax is all of DOT (https://graphviz.org/doc/info/lang.html): strict
// graphs, subgraphs, chains of edges, default attributes, quoted and HTML
// strings, comments. The parser is our own: gonum's formats/dot refuses "a" + "b",
// Latin-1, keywords such as StRict, and a comment that ends the file, all of which
// Graphviz reads; its tree has no lines for errors; and for 5,000 switches and 100,000
// links it takes 72 MB for the tree alone, this file 25 MB with the network.
//
// Attributes with a meaning; all others are ignored:
//
//   - kind of a node: switch or host. Without it, a node with shape point,
//     plaintext, plain or none is a host, and any other node is a switch;
//   - name of a node, if it differs from the id. It has &#92; for a backslash, which
//     DOT cannot have before a quote, and &amp; for &;
//   - ports of a node: the number of ports of a switch;
//   - a_port and b_port of an edge: port numbers or names at its first and second end;
//   - a DOT port, a:swp1, names the port at that end, unless it is a compass point;
//   - vcs of the graph: virtual channels; hosts=none of the graph: no hosts.
//
// In a digraph each edge needs an edge back, and both are one link; an edge with
// dir=both or dir=none is a link alone. Rules of names, ports and hosts: package wiring.
//
// Not kept: GUIDs, LIDs, management endpoints, the grid.

func isDOT(head []byte) bool {
	s := &dotScanner{src: &textfile.File{Reader: bufio.NewReader(bytes.NewReader(head))}, line: 1}
	t := s.next()
	if t.word("strict") {
		t = s.next()
	}
	if !t.word("graph") && !t.word("digraph") {
		return false
	}
	if t = s.next(); t.kind == dotID {
		t = s.next()
	}
	return s.err == nil && (t.kind == dotEnd || t.punct("{"))
}

// dotReader turns statements into a wiring. After an error, the next token is the end.
type dotReader struct {
	*dotScanner
	w        *wiring.Draft
	directed bool
	strict   bool
	kinds    []dotKind // by node: its attributes kind and shape
	pairs    wiring.Pairing
	seen     map[[2]int32]bool // pairs of nodes that have an edge, in a strict graph
	product  int               // number of edges between two subgraphs
	token    dotToken          // the next token
	depth    int
}

// dotKind has the attributes that decide the kind of a node.
type dotKind struct{ kind, shape string }

// dotScope holds the default attributes and the nodes of a graph or subgraph.
type dotScope struct {
	node, edge map[string]string
	members    []int32
	in         map[int32]bool // nodes of a subgraph; nil for the graph itself, where they are not needed
}

// dotOperand is an end of an edge: the nodes of a subgraph or one node, and its port.
type dotOperand struct {
	nodes []int32
	port  string
}

// A short text in DOT can describe a huge network, so these numbers have limits.
const (
	maxDOTDepth   = 100
	maxDOTProduct = 1 << 22
)

func readDOT(src *textfile.File, o format.Options) (*model.Network, []string, error) {
	d := &dotReader{dotScanner: &dotScanner{src: src, line: 1}, w: wiring.New(src), seen: map[[2]int32]bool{}}
	if d.graph(); d.err != nil {
		return nil, nil, src.Wrap(d.line, d.err)
	}
	if err := src.Finish(); err != nil {
		return nil, nil, err
	}
	if err := d.pairs.Finish(d.w); err != nil {
		return nil, nil, err
	}
	for i, k := range d.kinds {
		switch {
		case k.kind == "host":
			d.w.Nodes[i].IsHost = true
		case k.kind == "":
			d.w.Nodes[i].IsHost = k.shape == "point" || k.shape == "plaintext" || k.shape == "plain" || k.shape == "none"
		}
	}
	d.w.Options = o
	n, err := d.w.Network()
	return n, d.w.Notes, err
}

func (d *dotReader) advance() { d.token = d.next() }

// got reports whether the next token is punct. If it is, got skips it.
func (d *dotReader) got(punct string) bool {
	if !d.token.punct(punct) {
		return false
	}
	d.advance()
	return true
}

// stop ends reading with err, if err is not nil.
func (d *dotReader) stop(err error) {
	if d.err == nil {
		d.err = err
	}
	if d.err != nil {
		d.token = dotToken{line: d.line}
	}
}

// want ends reading with an error: what was expected, not the next token.
func (d *dotReader) want(what string) {
	if d.token.kind == dotEnd {
		d.fail("want %s, but the file ends: is it truncated?", what)
	} else {
		d.fail("want %s, got %q", what, textfile.Clip(d.token.text))
	}
	d.stop(d.err)
}

func (d *dotReader) graph() {
	if d.advance(); d.token.word("strict") {
		d.strict = true
		d.advance()
	}
	if d.directed = d.token.word("digraph"); !d.directed && !d.token.word("graph") {
		d.want("graph or digraph")
	}
	if d.advance(); d.token.kind == dotID {
		d.advance()
	}
	if d.block(&dotScope{}); d.err == nil && d.token.kind != dotEnd {
		d.want("the end of the file (one graph is read)")
	}
}

// block reads { statements }.
func (d *dotReader) block(s *dotScope) {
	if !d.got("{") {
		d.want("{")
	}
	if d.depth++; d.depth > maxDOTDepth {
		d.fail("subgraphs nest more than %d deep", maxDOTDepth)
	}
	for d.err == nil && !d.got("}") {
		d.statement(s)
		for d.got(";") || d.got(",") {
		}
	}
	d.depth--
}

func (d *dotReader) statement(s *dotScope) {
	line := d.token.line
	switch t := d.token; {
	case t.word("graph"):
		d.advance()
		d.graphAttributes(d.attributes(nil), line)
	case t.word("node"):
		d.advance()
		s.node = d.attributes(s.node)
	case t.word("edge"):
		d.advance()
		s.edge = d.attributes(s.edge)
	case t.kind == dotID && !t.word("subgraph"):
		if d.advance(); d.got("=") {
			d.graphAttributes(map[string]string{t.text: d.value()}, line)
			return
		}
		d.edges(s, []int32{d.node(s, t.text, line)}, line, true)
	default:
		d.edges(s, d.subgraph(s), line, false)
	}
}

// value reads the value of an attribute.
func (d *dotReader) value() string {
	text := d.token.text
	if d.token.kind != dotID {
		d.want("a value")
		return ""
	}
	d.advance()
	return text
}

// operand reads a node or subgraph at an end of an edge.
func (d *dotReader) operand(s *dotScope) []int32 {
	if t := d.token; t.kind == dotID && !t.word("subgraph") {
		d.advance()
		return []int32{d.node(s, t.text, t.line)}
	}
	return d.subgraph(s)
}

// subgraph reads "subgraph id { ... }" and returns the nodes named in it.
func (d *dotReader) subgraph(s *dotScope) []int32 {
	if d.token.word("subgraph") {
		if d.advance(); d.token.kind == dotID {
			d.advance()
		}
	}
	if !d.token.punct("{") {
		d.want("a node, a subgraph, node, edge or graph")
		return nil
	}
	inner := &dotScope{node: s.node, edge: s.edge, in: map[int32]bool{}}
	d.block(inner)
	for _, i := range inner.members {
		s.add(i)
	}
	return inner.members
}

func (s *dotScope) add(i int32) {
	if s.in != nil && !s.in[i] {
		s.in[i] = true
		s.members = append(s.members, i)
	}
}

// node returns the node with this id. A new node gets the default attributes.
func (d *dotReader) node(s *dotScope, id string, line int) int32 {
	i := d.w.Node(id, line)
	if int(i) == len(d.kinds) {
		d.kinds = append(d.kinds, dotKind{kind: s.node["kind"], shape: s.node["shape"]})
		d.w.Nodes[i].Ports = max(textfile.Decimal(s.node["ports"]), 0)
	}
	s.add(i)
	return i
}

// edges reads "-- b -- c [attributes]" after the first operand, or the attributes of a node.
func (d *dotReader) edges(s *dotScope, first []int32, line int, isNode bool) {
	chain := []dotOperand{{first, d.port()}}
	for d.operator() {
		nodes := d.operand(s)
		chain = append(chain, dotOperand{nodes, d.port()})
	}
	if len(chain) == 1 {
		if attrs := d.attributes(nil); isNode {
			d.nodeAttributes(first[0], attrs, line)
		}
		return
	}
	attrs := d.attributes(s.edge)
	for k, to := range chain[1:] {
		d.stop(d.join(chain[k], to, line, attrs))
	}
}

// operator reads -- in a graph or -> in a digraph, and reports whether it was there.
func (d *dotReader) operator() bool {
	want, other, kind := "--", "->", "graph"
	if d.directed {
		want, other, kind = "->", "--", "digraph"
	}
	if d.token.punct(other) {
		d.fail("want %s in a %s", want, kind)
		d.stop(d.err)
	}
	return d.got(want)
}

// port reads the port of a node, ":p" or ":p:n", and returns its name. A compass point
// is not a name.
func (d *dotReader) port() (name string) {
	for i := 0; i < 2 && d.got(":"); i++ {
		if d.token.kind != dotID {
			d.want("a port of a node")
			return ""
		}
		if i == 0 && !wiring.CompassPoints[d.token.text] {
			name = d.token.text
		}
		d.advance()
	}
	return name
}

// join adds the edges between two operands.
func (d *dotReader) join(from, to dotOperand, line int, attrs map[string]string) error {
	if edges := len(from.nodes) * len(to.nodes); edges > 1 {
		if d.product += edges; d.product > maxDOTProduct {
			return d.w.Fault(line, "subgraphs are joined by more than %d edges", maxDOTProduct)
		}
	}
	e := wiring.Cable{AName: from.port, BName: to.port, APort: wiring.NoPort, BPort: wiring.NoPort, Line: line}
	for _, end := range []struct {
		key  string
		port *model.Port
		name *string
	}{{"a_port", &e.APort, &e.AName}, {"b_port", &e.BPort, &e.BName}} {
		if word, ok := attrs[end.key]; ok {
			p, name, err := d.w.NamedPort(word, line)
			if err != nil {
				return err
			}
			if *end.port = p; name != "" {
				*end.name = name
			}
		}
	}
	twoWay := !d.directed || attrs["dir"] == "both" || attrs["dir"] == "none"
	back := &d.pairs
	if twoWay {
		back = nil
	}
	for _, e.A = range from.nodes {
		for _, e.B = range to.nodes {
			if d.strict && d.again(e.A, e.B, twoWay) {
				continue
			}
			if err := d.w.Join(e, back); err != nil {
				return err
			}
		}
	}
	return nil
}

// again reports whether a strict graph already has the edge, and records it.
func (d *dotReader) again(a, b int32, twoWay bool) bool {
	had := d.seen[[2]int32{a, b}] || twoWay && d.seen[[2]int32{b, a}]
	d.seen[[2]int32{a, b}] = true
	return had
}

func init() {
	format.RegisterNetwork(format.NetworkFormat{Name: "dot", About: "Graphviz DOT", Rank: 60, Is: isDOT, Read: readDOT, Write: writeDOT, OneWay: true})
}
