package format

import (
	"bufio"
	"bytes"
	"fmt"
	"html"
	"io"
	"maps"
	"strconv"
	"strings"

	"github.com/turnproof/turnproof/model"
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
// strings, comments. Attributes that mean something here, all others are left out:
//
//   - kind of a node: switch or host. Without it a node with shape point,
//     plaintext, plain or none is a host, any other a switch;
//   - name of a node: its name where that is not its id, with &#92; for a
//     backslash (which DOT cannot have before a quote) and &amp; for &;
//   - ports of a node: how many a switch has;
//   - a_port and b_port of an edge, at its first and second end: port numbers
//     at switches;
//   - a DOT port, a:swp1, names the port at that end, unless it is a compass point;
//   - vcs of the graph; hosts=none of the graph: there are no hosts.
//
// A digraph is read where each edge has one back; both are one link. With
// dir=both or dir=none an edge is a link by itself. Rules of names, ports and
// hosts: wiring.go.
//
// Not kept: GUIDs, LIDs, management endpoints, the grid.

func isDOT(head []byte) bool {
	s := &dotScanner{src: &lines{r: bufio.NewReader(bytes.NewReader(head))}, line: 1}
	t, err := s.next()
	if err == nil && t.word("strict") {
		t, err = s.next()
	}
	if err != nil || !t.word("graph") && !t.word("digraph") {
		return false
	}
	if t, err = s.next(); err == nil && t.kind == dotID {
		t, err = s.next()
	}
	return err == nil && (t.kind == dotEnd || t.kind == dotPunct && t.text == "{")
}

// dotReader turns statements into a wiring.
type dotReader struct {
	*dotScanner
	w        *wiring
	directed bool
	strict   bool
	kinds    []dotKind // by node
	pairs    pairing
	seen     map[[2]int32]bool // pairs of a strict graph
	product  int               // edges made by subgraphs at both ends
	token    dotToken          // the next one
	depth    int
}

// dotKind is what the attributes say of a node.
type dotKind struct{ kind, shape string }

// dotScope holds the default attributes and the nodes of a (sub)graph.
type dotScope struct {
	node, edge map[string]string
	members    []int32
	in         map[int32]bool
	collect    bool // members are asked for
}

// What a file may spell out in few words is bounded.
const (
	maxDOTDepth   = 100
	maxDOTProduct = 1 << 22
)

func readDOT(src *lines, o Options) (*model.Network, []string, error) {
	d := &dotReader{dotScanner: &dotScanner{src: src, line: 1}, w: newWiring(src), seen: map[[2]int32]bool{}}
	if err := d.graph(); err != nil {
		return nil, nil, src.wrap(d.line, err)
	}
	src.err = io.EOF
	if err := src.end(); err != nil {
		return nil, nil, err
	}
	if err := d.pairs.unpaired(d.w); err != nil {
		return nil, nil, err
	}
	for i, k := range d.kinds {
		switch {
		case k.kind == "host":
			d.w.nodes[i].host = true
		case k.kind == "":
			d.w.nodes[i].host = k.shape == "point" || k.shape == "plaintext" || k.shape == "plain" || k.shape == "none"
		}
	}
	d.w.choose = o
	n, err := d.w.network()
	return n, d.w.notes, err
}

func (d *dotReader) advance() (err error) {
	d.token, err = d.next()
	return err
}

// got reports whether the next token is this one, and passes over it.
func (d *dotReader) got(punct string) (bool, error) {
	if d.token.kind != dotPunct || d.token.text != punct {
		return false, nil
	}
	return true, d.advance()
}

func (d *dotReader) want(what string) error {
	if d.token.kind == dotEnd {
		return d.faultAt("want %s, but the file ends: is it cut off?", what)
	}
	return d.faultAt("want %s, got %q", what, clip([]byte(d.token.text)))
}

func (d *dotReader) graph() error {
	if err := d.advance(); err != nil {
		return err
	}
	if d.token.word("strict") {
		d.strict = true
		if err := d.advance(); err != nil {
			return err
		}
	}
	switch {
	case d.token.word("digraph"):
		d.directed = true
	case !d.token.word("graph"):
		return d.want("graph or digraph")
	}
	if err := d.advance(); err != nil {
		return err
	}
	if d.token.kind == dotID {
		if err := d.advance(); err != nil {
			return err
		}
	}
	top := &dotScope{}
	if err := d.block(top); err != nil {
		return err
	}
	if d.token.kind != dotEnd {
		return d.want("the end of the file (one graph is read)")
	}
	return nil
}

// block reads { statements }.
func (d *dotReader) block(s *dotScope) error {
	if ok, err := d.got("{"); err != nil {
		return err
	} else if !ok {
		return d.want("{")
	}
	if d.depth++; d.depth > maxDOTDepth {
		return d.faultAt("subgraphs nest more than %d deep", maxDOTDepth)
	}
	for {
		if ok, err := d.got("}"); ok || err != nil {
			d.depth--
			return err
		}
		if err := d.statement(s); err != nil {
			return err
		}
		for more := true; more; {
			semicolon, err := d.got(";")
			if err != nil {
				return err
			}
			comma, err := d.got(",")
			if err != nil {
				return err
			}
			more = semicolon || comma
		}
	}
}

func (d *dotReader) statement(s *dotScope) error {
	for word, into := range map[string]*map[string]string{"node": &s.node, "edge": &s.edge, "graph": nil} {
		if !d.token.word(word) {
			continue
		}
		if err := d.advance(); err != nil {
			return err
		}
		attrs, err := d.attributes(nil)
		if err != nil {
			return err
		}
		if into == nil {
			return d.graphAttributes(attrs)
		}
		merged := maps.Clone(*into)
		if merged == nil {
			merged = map[string]string{}
		}
		maps.Copy(merged, attrs)
		*into = merged
		return nil
	}
	line := d.token.line
	if d.token.kind == dotID && !d.token.word("subgraph") {
		id := d.token.text
		if err := d.advance(); err != nil {
			return err
		}
		if ok, err := d.got("="); err != nil || ok {
			if err == nil && d.token.kind != dotID {
				err = d.want("a value")
			}
			if err != nil {
				return err
			}
			if err := d.graphAttributes(map[string]string{id: d.token.text}); err != nil {
				return err
			}
			return d.advance()
		}
		return d.edges(s, []int32{d.node(s, id, line)}, line, true)
	}
	ends, err := d.subgraph(s)
	if err != nil {
		return err
	}
	return d.edges(s, ends, line, false)
}

// operand reads what an edge operator joins.
func (d *dotReader) operand(s *dotScope) ([]int32, error) {
	if d.token.kind == dotID && !d.token.word("subgraph") {
		i := d.node(s, d.token.text, d.token.line)
		return []int32{i}, d.advance()
	}
	return d.subgraph(s)
}

// subgraph reads "subgraph id { ... }" and returns the nodes named in it.
func (d *dotReader) subgraph(s *dotScope) ([]int32, error) {
	if d.token.word("subgraph") {
		if err := d.advance(); err != nil {
			return nil, err
		}
		if d.token.kind == dotID {
			if err := d.advance(); err != nil {
				return nil, err
			}
		}
	}
	if d.token.kind != dotPunct || d.token.text != "{" {
		return nil, d.want("a node, a subgraph, node, edge or graph")
	}
	inner := &dotScope{node: s.node, edge: s.edge, in: map[int32]bool{}, collect: true}
	if err := d.block(inner); err != nil {
		return nil, err
	}
	for _, i := range inner.members {
		s.add(i)
	}
	return inner.members, nil
}

func (s *dotScope) add(i int32) {
	if s.collect && !s.in[i] {
		s.in[i] = true
		s.members = append(s.members, i)
	}
}

// node returns the node with this id. Made here, it gets the defaults.
func (d *dotReader) node(s *dotScope, id string, line int) int32 {
	i := d.w.node(id, line)
	if int(i) == len(d.kinds) {
		d.kinds = append(d.kinds, dotKind{kind: s.node["kind"], shape: s.node["shape"]})
		d.w.nodes[i].ports = max(decimal(s.node["ports"]), 0)
	}
	s.add(i)
	return i
}

// edges reads "-- b -- c [attributes]" behind the first operand, or the
// attributes of a node.
func (d *dotReader) edges(s *dotScope, ends []int32, line int, isNode bool) error {
	port, err := d.dotPort()
	if err != nil {
		return err
	}
	chain, ports := [][]int32{ends}, []string{port}
	for {
		undirected, err := d.got("--")
		if err != nil {
			return err
		}
		directed, err := d.got("->")
		if err != nil {
			return err
		}
		if !undirected && !directed {
			break
		}
		if directed != d.directed {
			return d.faultAt("want %s in a %s", map[bool]string{true: "->", false: "--"}[d.directed], map[bool]string{true: "digraph", false: "graph"}[d.directed])
		}
		next, err := d.operand(s)
		if err != nil {
			return err
		}
		port, err := d.dotPort()
		if err != nil {
			return err
		}
		chain, ports = append(chain, next), append(ports, port)
	}
	if len(chain) == 1 {
		attrs, err := d.attributes(nil)
		if err != nil || !isNode {
			return err
		}
		return d.nodeAttributes(ends[0], attrs, line)
	}
	attrs, err := d.attributes(s.edge)
	if err != nil {
		return err
	}
	for k := range len(chain) - 1 {
		if err := d.join(chain[k], chain[k+1], wire{aName: ports[k], bName: ports[k+1], line: line}, attrs); err != nil {
			return err
		}
	}
	return nil
}

// dotPort reads the port of a node, ":p" or ":p:n", and returns its name. A compass point
// names no port.
func (d *dotReader) dotPort() (name string, err error) {
	for i := range 2 {
		ok, err := d.got(":")
		if err != nil || !ok {
			return name, err
		}
		if d.token.kind != dotID {
			return "", d.want("a port of a node")
		}
		if i == 0 && !compassPoints[d.token.text] {
			name = d.token.text
		}
		if err := d.advance(); err != nil {
			return "", err
		}
	}
	return name, nil
}

// join adds the edges between two sets of nodes; e has the line and the names of ports.
func (d *dotReader) join(from, to []int32, e wire, attrs map[string]string) error {
	line := e.line
	if len(from)*len(to) > 1 {
		if d.product += len(from) * len(to); d.product > maxDOTProduct {
			return d.w.fault(line, "subgraphs are joined by more than %d edges", maxDOTProduct)
		}
	}
	e.aPort, e.bPort = noPort, noPort
	for key, p := range map[string]*model.Port{"a_port": &e.aPort, "b_port": &e.bPort} {
		if word, ok := attrs[key]; ok {
			var err error
			if *p, err = d.w.port(word, line); err != nil {
				return err
			}
		}
	}
	twoWay := !d.directed || attrs["dir"] == "both" || attrs["dir"] == "none"
	for _, a := range from {
		for _, b := range to {
			e.a, e.b = a, b
			if d.strict {
				if d.seen[[2]int32{a, b}] || twoWay && d.seen[[2]int32{b, a}] {
					continue
				}
				d.seen[[2]int32{a, b}] = true
			}
			back := &d.pairs
			if twoWay {
				back = nil
			}
			if err := d.w.join(e, back); err != nil {
				return err
			}
		}
	}
	return nil
}

// attributes reads any number of [a=b, c=d; ...] and adds them to defaults.
func (d *dotReader) attributes(defaults map[string]string) (map[string]string, error) {
	attrs := defaults
	for {
		if ok, err := d.got("["); err != nil || !ok {
			return attrs, err
		}
		if attrs = maps.Clone(attrs); attrs == nil {
			attrs = map[string]string{}
		}
		for {
			if ok, err := d.got("]"); err != nil {
				return nil, err
			} else if ok {
				break
			}
			if d.token.kind != dotID {
				return nil, d.want("an attribute or ]")
			}
			key, value := d.token.text, "true"
			if err := d.advance(); err != nil {
				return nil, err
			}
			if ok, err := d.got("="); err != nil {
				return nil, err
			} else if ok {
				if d.token.kind != dotID {
					return nil, d.want("a value")
				}
				value = d.token.text
				if err := d.advance(); err != nil {
					return nil, err
				}
			}
			if dotUsed[key] {
				attrs[key] = value
			}
			for _, separator := range []string{",", ";"} {
				if _, err := d.got(separator); err != nil {
					return nil, err
				}
			}
		}
	}
}

// dotUsed are the attributes that mean something here.
var dotUsed = map[string]bool{"kind": true, "shape": true, "name": true, "ports": true, "a_port": true, "b_port": true, "dir": true, "vcs": true, "hosts": true}

// graphAttributes reads those of the graph.
func (d *dotReader) graphAttributes(attrs map[string]string) error {
	if attrs["hosts"] == "none" {
		d.w.noHost = true
	}
	if word, ok := attrs["vcs"]; ok {
		return d.w.setVCs(word, d.token.line)
	}
	return nil
}

// nodeAttributes reads those of a node.
func (d *dotReader) nodeAttributes(i int32, attrs map[string]string, line int) error {
	n := &d.w.nodes[i]
	if kind, ok := attrs["kind"]; ok {
		if kind != "host" && kind != "switch" {
			return d.w.fault(line, "node %s has kind %q, want host or switch", n.id, clip([]byte(kind)))
		}
		d.kinds[i].kind = kind
	}
	if shape, ok := attrs["shape"]; ok {
		d.kinds[i].shape = shape
	}
	if name, ok := attrs["name"]; ok {
		n.name, n.named = html.UnescapeString(name), true
	}
	if ports, ok := attrs["ports"]; ok {
		p, err := d.w.port(ports, line)
		n.ports = int(p)
		return err
	}
	return nil
}

// writeDOT writes the network as an undirected graph.
func writeDOT(w io.Writer, n *model.Network) error {
	p, words := newPrinter(w), newWording(n)
	p.f("graph network {\n")
	if n.VCs() > 1 {
		p.f("  vcs=%d;\n", n.VCs())
	}
	node := func(id, name string, named bool, ports int) {
		var attrs []string
		if named {
			attrs = append(attrs, "name="+dotQuote(dotName.Replace(name)), "label="+dotQuote(dotName.Replace(name)))
		}
		if ports > 0 {
			attrs = append(attrs, fmt.Sprintf("ports=%d", ports))
		}
		if len(attrs) > 0 {
			p.f("  %s [%s];\n", dotQuote(id), strings.Join(attrs, " "))
		} else {
			p.f("  %s;\n", dotQuote(id))
		}
	}
	p.f("  node [kind=switch shape=box];\n")
	for u := range model.SwitchID(n.NumSwitches()) {
		id, named := words.switchID(u)
		node(id, n.Switch(u).Name, named, n.Switch(u).Ports)
	}
	if n.NumHosts() == 0 {
		p.f("  hosts=none;\n")
	} else {
		p.f("  node [kind=host shape=ellipse];\n")
	}
	for h := range model.HostID(n.NumHosts()) {
		id, named := words.hostID(h)
		node(id, n.Host(h).Name, named, 0)
	}
	for l := range model.LinkID(n.NumLinks()) {
		k := n.Link(l)
		a, _ := words.switchID(k.A)
		b, _ := words.switchID(k.B)
		p.f("  %s -- %s [a_port=%d b_port=%d];\n", dotQuote(a), dotQuote(b), k.APort, k.BPort)
	}
	for h := range model.HostID(n.NumHosts()) {
		id, _ := words.hostID(h)
		u, _ := words.switchID(n.Host(h).Switch)
		p.f("  %s -- %s [b_port=%d];\n", dotQuote(id), dotQuote(u), n.Host(h).Port)
	}
	p.f("}\n")
	return p.done()
}

// dotName writes a name as the attributes name and label have it.
var dotName = strings.NewReplacer("&", "&amp;", `\`, "&#92;")

// dotQuote writes an id without backslashes: as it is where it is a word or a number.
func dotQuote(s string) string {
	plain := s != ""
	for i, c := range []byte(s) {
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_'
		plain = plain && (letter || i > 0 && c >= '0' && c <= '9')
	}
	if _, err := strconv.ParseUint(s, 10, 63); err == nil {
		plain = true
	}
	if plain && !dotKeywords[strings.ToLower(s)] {
		return s
	}
	var b strings.Builder
	b.WriteByte('"')
	for _, c := range []byte(s) {
		if c == '"' {
			b.WriteByte('\\')
		}
		b.WriteByte(c)
	}
	b.WriteByte('"')
	return b.String()
}

var dotKeywords = map[string]bool{"strict": true, "graph": true, "digraph": true, "node": true, "edge": true, "subgraph": true}
