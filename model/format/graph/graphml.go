package graph

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format"
	"github.com/turnproof/turnproof/model/format/textfile"
	"github.com/turnproof/turnproof/model/format/wiring"
)

// This file reads and writes networks as GraphML:
//
//	<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
//	  <key id="kind" for="node" attr.name="kind" attr.type="string"><default>switch</default></key>
//	  <key id="name" for="node" attr.name="name" attr.type="string"/>
//	  <graph edgedefault="undirected">
//	    <node id="s0"><data key="name">A</data></node>
//	    <node id="h0"><data key="kind">host</data></node>
//	    <edge source="h0" target="s0" targetport="5"/>
//	  </graph>
//	</graphml>
//
// Source: http://graphml.graphdrawing.org/specification.html. Data with a meaning, by
// attr.name; all others are ignored:
//
//   - kind of a node: switch (the default) or host;
//   - name of a node, or its label (Internet Topology Zoo, yEd), if the name
//     differs from the id;
//   - ports of a node: the number of ports of a switch;
//   - vcs of the graph: virtual channels, default 1; hosts of the graph: "none".
//
// sourceport and targetport of an edge are port numbers at switches, or names of
// ports. Each directed edge needs an edge back. Rules of names, ports and hosts:
// package wiring. Namespaces are ignored. Errors are hyperedges, a nested or second graph,
// entities that the document declares, elements nested more than 64 deep, and tags or
// texts of more than four megabytes.
//
// Not kept: GUIDs, LIDs, management endpoints, the grid. A name with a character
// that XML does not allow cannot be written.

const maxXMLDepth = 64

func isGraphML(head []byte) bool {
	text := bytes.TrimPrefix(head, []byte("\xef\xbb\xbf"))
	return bytes.HasPrefix(bytes.TrimSpace(text), []byte("<")) && (bytes.Contains(head, []byte("<graphml")) || bytes.Contains(head, []byte(":graphml")))
}

// graphMLKey is a declared kind of data.
type graphMLKey struct{ domain, name, value string }

type graphMLReader struct {
	dec      *xml.Decoder
	src      *textfile.File
	w        *wiring.Draft
	keys     map[string]graphMLKey
	path     []string // the open elements
	graphs   int
	directed bool // default direction of edges
	pairs    wiring.Pairing
	declared []bool // by node: whether the file declares it

	node    int32 // the node of the open <node>
	label   string
	key     string // the key of the open <data> or <key>
	text    []byte // the text of the open <data> or <default>
	hasName bool
}

func readGraphML(src *textfile.File, o format.Options) (*model.Network, []string, error) {
	m := textfile.NewMeter(src)
	g := &graphMLReader{dec: xml.NewDecoder(m), src: src, w: wiring.New(src), keys: map[string]graphMLKey{}}
	g.dec.CharsetReader = func(label string, _ io.Reader) (io.Reader, error) {
		return nil, fmt.Errorf("encoding %q, want UTF-8", textfile.Clip(label))
	}
	for {
		t, err := g.dec.Token()
		if err == io.EOF && len(g.path) == 0 && g.graphs > 0 {
			break
		}
		if err == nil {
			m.LineOf(g.dec.InputOffset())
			err = g.take(t)
		}
		if err != nil {
			return nil, nil, src.Wrap(g.at(), err)
		}
	}
	if err := src.Finish(); err != nil {
		return nil, nil, err
	}
	for i, n := range g.w.Nodes {
		if i >= len(g.declared) || !g.declared[i] {
			return nil, nil, g.w.Fault(n.Line, "node %q is the end of an edge but is not in the file", textfile.Clip(n.ID))
		}
	}
	if err := g.pairs.Finish(g.w); err != nil {
		return nil, nil, err
	}
	g.w.Options = o
	n, err := g.w.Network()
	return n, g.w.Notes, err
}

// at returns the line that the reader has reached.
func (g *graphMLReader) at() int {
	line, _ := g.dec.InputPos()
	return line
}

func (g *graphMLReader) fault(format string, a ...any) error { return g.w.Fault(g.at(), format, a...) }

func (g *graphMLReader) take(t xml.Token) error {
	switch t := t.(type) {
	case xml.StartElement:
		if len(g.path) >= maxXMLDepth {
			return g.fault("elements nest more than %d deep", maxXMLDepth)
		}
		parent := ""
		if len(g.path) > 0 {
			parent = g.path[len(g.path)-1]
		}
		g.path = append(g.path, t.Name.Local)
		return g.start(t, parent)
	case xml.EndElement:
		parent := ""
		if len(g.path) > 1 {
			parent = g.path[len(g.path)-2]
		}
		g.path = g.path[:len(g.path)-1]
		return g.end(t.Name.Local, parent)
	case xml.CharData:
		if k := len(g.path); k > 0 && (g.path[k-1] == "data" || g.path[k-1] == "default") {
			if len(g.text)+len(t) > textfile.MaxToken {
				return textfile.ErrToken
			}
			g.text = append(g.text, t...)
		}
	case xml.Directive:
		if bytes.Contains(bytes.ToUpper(t), []byte("ENTITY")) {
			return g.fault("the document declares entities of its own, which are not read")
		}
	}
	return nil
}

// start handles the begin of an element.
func (g *graphMLReader) start(t xml.StartElement, parent string) error {
	attr := map[string]string{}
	for _, a := range t.Attr {
		attr[a.Name.Local] = a.Value
	}
	switch t.Name.Local {
	case "graphml":
		if parent != "" {
			return g.fault("graphml inside %s", parent)
		}
	case "key":
		g.key = attr["id"]
		domain := attr["for"]
		if domain == "" {
			domain = "all"
		}
		g.keys[g.key] = graphMLKey{domain: domain, name: strings.ToLower(attr["attr.name"])}
	case "default", "data":
		g.text = g.text[:0]
		if t.Name.Local == "data" {
			g.key = attr["key"]
		}
	case "graph":
		if g.graphs++; g.graphs == 2 && strings.HasSuffix(attr["id"], "::") {
			return g.fault("the modules of a design by rocket-chip, and no links of a network: Constellation writes these to noc.adjlist")
		}
		if g.graphs > 1 {
			return g.fault("a second or nested graph, one is read")
		}
		g.directed = attr["edgedefault"] == "directed"
	case "node":
		return g.startNode(attr, parent)
	case "edge":
		return g.startEdge(attr, parent)
	case "hyperedge":
		return g.fault("a hyperedge: a cable has two ends")
	}
	return nil
}

func (g *graphMLReader) startNode(attr map[string]string, parent string) error {
	id, ok := attr["id"]
	if !ok || parent != "graph" {
		return g.fault("a node without an id, or not in a graph")
	}
	i := g.w.Node(id, g.at())
	for len(g.declared) < len(g.w.Nodes) {
		g.declared = append(g.declared, false)
	}
	if g.declared[i] {
		return g.fault("node %q is declared twice (first in line %d)", textfile.Clip(id), g.w.Nodes[i].Line)
	}
	g.declared[i], g.node, g.label, g.hasName = true, i, "", false
	g.w.Nodes[i].Line = g.at()
	for _, k := range g.keys { // the order does not matter, since a key has one default
		if k.value != "" && k.isFor("node") && (k.name == "kind" || k.name == "ports") {
			if err := g.nodeData(k.name, k.value); err != nil {
				return err
			}
		}
	}
	return nil
}

func (k graphMLKey) isFor(domain string) bool { return k.domain == domain || k.domain == "all" }

func (g *graphMLReader) startEdge(attr map[string]string, parent string) error {
	source, ok := attr["source"]
	target, ok2 := attr["target"]
	if !ok || !ok2 || parent != "graph" {
		return g.fault("an edge without source or target, or not in a graph")
	}
	e := wiring.Cable{A: g.w.Node(source, g.at()), B: g.w.Node(target, g.at()), APort: g.port(attr["sourceport"]), BPort: g.port(attr["targetport"]),
		Line: g.at()}
	e.AName, e.BName = wiring.PortName(attr["sourceport"]), wiring.PortName(attr["targetport"])
	directed := g.directed
	switch attr["directed"] {
	case "true", "1":
		directed = true
	case "false", "0":
		directed = false
	}
	back := &g.pairs
	if !directed {
		back = nil
	}
	return g.w.Join(e, back)
}

// port reads a port number, or the name of a port.
func (g *graphMLReader) port(word string) model.Port {
	if p := textfile.Decimal(word); p >= 0 && p <= model.MaxPort {
		return model.Port(p)
	}
	return wiring.NoPort
}

// end handles the end of an element.
func (g *graphMLReader) end(name, parent string) error {
	switch {
	case name == "default" && parent == "key":
		k := g.keys[g.key]
		k.value = strings.TrimSpace(string(g.text))
		g.keys[g.key] = k
	case name == "data" && parent == "node":
		if k, ok := g.keys[g.key]; ok && k.isFor("node") {
			return g.nodeData(k.name, string(g.text))
		}
	case name == "data" && parent == "graph":
		k, value := g.keys[g.key], strings.TrimSpace(string(g.text))
		switch {
		case !k.isFor("graph"):
		case k.name == "hosts" && value == "none":
			g.w.NoHosts = true
		case k.name == "vcs":
			return g.w.SetVCs(value, g.at())
		}
	case name == "node":
		if n := &g.w.Nodes[g.node]; !g.hasName && g.label != "" {
			n.Name, n.Named = g.label, true
		}
	}
	return nil
}

func (g *graphMLReader) nodeData(key, value string) error {
	n := &g.w.Nodes[g.node]
	switch key {
	case "kind":
		value = strings.TrimSpace(value)
		if value != "host" && value != "switch" {
			return g.fault("node %q has kind %q, want host or switch", textfile.Clip(n.ID), textfile.Clip(value))
		}
		n.IsHost = value == "host"
	case "name":
		n.Name, n.Named, g.hasName = value, true, true
	case "label":
		g.label = strings.TrimSpace(value)
	case "ports":
		p, err := g.w.Port(strings.TrimSpace(value), g.at())
		n.Ports = int(p)
		return err
	}
	return nil
}

// writeGraphML writes the network as an undirected graph, or as a directed one if some link has one direction.
func writeGraphML(w io.Writer, n *model.Network) error {
	p, words := textfile.NewPrinter(w), newIDs(n)
	words.own = false
	for u := range model.SwitchID(n.NumSwitches()) {
		if !isXMLText(n.Switch(u).Name) {
			return format.Refuse("graphml", "cannot hold the name %q of a switch, which has characters that XML does not allow",
				textfile.Clip(n.Switch(u).Name))
		}
	}
	for h := range model.HostID(n.NumHosts()) {
		if !isXMLText(n.Host(h).Name) {
			return format.Refuse("graphml", "cannot hold the name %q of a host, which has characters that XML does not allow",
				textfile.Clip(n.Host(h).Name))
		}
	}
	p.Printf("%s<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n", xml.Header)
	for _, k := range []string{"kind", "name"} {
		end := "/>"
		if k == "kind" {
			end = "><default>switch</default></key>"
		}
		p.Printf("  <key id=\"%s\" for=\"node\" attr.name=\"%[1]s\" attr.type=\"string\"%s\n", k, end)
	}
	p.Printf("  <key id=\"ports\" for=\"node\" attr.name=\"ports\" attr.type=\"int\"/>\n")
	p.Printf("  <key id=\"vcs\" for=\"graph\" attr.name=\"vcs\" attr.type=\"int\"/>\n")
	p.Printf("  <key id=\"hosts\" for=\"graph\" attr.name=\"hosts\" attr.type=\"string\"/>\n")
	directed := map[bool]string{false: "undirected", true: "directed"}[n.OneWayLinks() > 0]
	p.Printf("  <graph edgedefault=\"%s\">\n    <data key=\"vcs\">%d</data>\n", directed, n.VCs())
	if n.NumHosts() == 0 {
		p.Printf("    <data key=\"hosts\">none</data>\n")
	}
	for u := range model.SwitchID(n.NumSwitches()) {
		writeGraphMLSwitch(p, n, words, u)
	}
	for h := range model.HostID(n.NumHosts()) {
		id, named := words.hostID(h)
		p.Printf("    <node id=\"%s\"><data key=\"kind\">host</data>%s</node>\n", id, graphMLName(n.Host(h).Name, named))
	}
	for l := range model.LinkID(n.NumLinks()) {
		k := n.Link(l)
		a, _ := words.switchID(k.A)
		b, _ := words.switchID(k.B)
		p.Printf("    <edge source=\"%s\" target=\"%s\" sourceport=\"%d\" targetport=\"%d\"%s/>\n", a, b, k.APort, k.BPort,
			undirected(n.OneWayLinks() > 0 && !n.IsOneWay(l)))
	}
	for h := range model.HostID(n.NumHosts()) {
		id, _ := words.hostID(h)
		u, _ := words.switchID(n.Host(h).Switch)
		p.Printf("    <edge source=\"%s\" target=\"%s\" targetport=\"%d\"%s/>\n", id, u, n.Host(h).Port, undirected(n.OneWayLinks() > 0))
	}
	p.Printf("  </graph>\n</graphml>\n")
	return p.Flush()
}

// undirected returns the attribute of an edge that has both directions in a directed graph, or "".
func undirected(is bool) string {
	if is {
		return ` directed="false"`
	}
	return ""
}

func writeGraphMLSwitch(p *textfile.Printer, n *model.Network, words ids, u model.SwitchID) {
	id, named := words.switchID(u)
	p.Printf("    <node id=\"%s\">%s", id, graphMLName(n.Switch(u).Name, named))
	if k := n.Switch(u).Ports; k > 0 {
		p.Printf("<data key=\"ports\">%d</data>", k)
	}
	for _, c := range n.Out(u) {
		if h := n.HostOf(c); h == model.NoHost || !n.Host(h).Management {
			p.Printf("<port name=\"%s\"/>", strconv.Itoa(int(n.TailPort(c))))
		}
	}
	p.Printf("</node>\n")
}

func graphMLName(name string, named bool) string {
	if !named {
		return ""
	}
	var b bytes.Buffer
	_ = xml.EscapeText(&b, []byte(name)) // writing to a buffer does not fail
	return `<data key="name">` + b.String() + "</data>"
}

// isXMLText reports whether XML allows all characters of s.
func isXMLText(s string) bool {
	if !utf8.ValidString(s) {
		return false
	}
	for _, r := range s {
		if r < ' ' && r != '\t' && r != '\n' && r != '\r' || r == 0xfffe || r == 0xffff {
			return false
		}
	}
	return true
}

func init() {
	format.RegisterNetwork(format.NetworkFormat{Name: "graphml", About: "GraphML", Rank: 50, Is: isGraphML, Read: readGraphML, Write: writeGraphML,
		OneWay: true})
}
