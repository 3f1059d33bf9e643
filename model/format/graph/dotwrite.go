package graph

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format/textfile"
)

// This file writes networks as Graphviz DOT (dot.go).

// writeDOT writes the network as an undirected graph, or as a directed one if some link has one direction.
func writeDOT(w io.Writer, n *model.Network) error {
	p, words := textfile.NewPrinter(w), newIDs(n)
	head, edge, both := "graph", "--", ""
	if n.OneWayLinks() > 0 {
		head, edge, both = "digraph", "->", " dir=both"
	}
	p.Printf("%s network {\n", head)
	if n.VCs() > 1 {
		p.Printf("  vcs=%d;\n", n.VCs())
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
			p.Printf("  %s [%s];\n", dotQuote(id), strings.Join(attrs, " "))
		} else {
			p.Printf("  %s;\n", dotQuote(id))
		}
	}
	p.Printf("  node [kind=switch shape=box];\n")
	for u := range model.SwitchID(n.NumSwitches()) {
		id, named := words.switchID(u)
		node(id, n.Switch(u).Name, named, n.Switch(u).Ports)
	}
	if n.NumHosts() == 0 {
		p.Printf("  hosts=none;\n")
	} else {
		p.Printf("  node [kind=host shape=ellipse];\n")
	}
	for h := range model.HostID(n.NumHosts()) {
		id, named := words.hostID(h)
		node(id, n.Host(h).Name, named, 0)
	}
	for l := range model.LinkID(n.NumLinks()) {
		k := n.Link(l)
		a, _ := words.switchID(k.A)
		b, _ := words.switchID(k.B)
		dir := both
		if n.IsOneWay(l) {
			dir = ""
		}
		p.Printf("  %s %s %s [a_port=%d b_port=%d%s];\n", dotQuote(a), edge, dotQuote(b), k.APort, k.BPort, dir)
	}
	for h := range model.HostID(n.NumHosts()) {
		id, _ := words.hostID(h)
		u, _ := words.switchID(n.Host(h).Switch)
		p.Printf("  %s %s %s [b_port=%d%s];\n", dotQuote(id), edge, dotQuote(u), n.Host(h).Port, both)
	}
	p.Printf("}\n")
	return p.Flush()
}

// dotName escapes a name for the attributes name and label.
var dotName = strings.NewReplacer("&", "&amp;", `\`, "&#92;")

// dotQuote writes an id without backslashes. It adds no quotes to a word or a number.
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

// ids chooses the ids that the nodes of a network have in DOT and GraphML.
type ids struct {
	n            *model.Network
	numbers, own bool // whether switches are named by number; whether nodes keep their names as ids
}

// newIDs returns the ids of a network. Names are ids if they are unique and are not all numbers.
func newIDs(n *model.Network) ids {
	w := ids{n: n, numbers: true, own: true}
	seen := map[string]bool{}
	digits := true
	add := func(name string) {
		w.own = w.own && name != "" && !strings.Contains(name, `\`) && !seen[name] // DOT cannot represent every backslash in an id
		seen[name] = true
	}
	for u := range model.SwitchID(n.NumSwitches()) {
		name := n.Switch(u).Name
		w.numbers = w.numbers && name == ""
		digits = digits && textfile.Decimal(name) >= 0
		add(name)
	}
	for h := range model.HostID(n.NumHosts()) {
		add(n.Host(h).Name)
	}
	w.own = w.own && !digits
	return w
}

// switchID returns the id of a switch, and whether the file must state its name in addition.
func (w ids) switchID(u model.SwitchID) (id string, named bool) {
	switch {
	case w.own:
		return w.n.Switch(u).Name, false
	case w.numbers:
		return strconv.Itoa(int(u)), false
	}
	return "s" + strconv.Itoa(int(u)), true
}

// hostID returns the id of a host, and whether the file must state its name in addition.
func (w ids) hostID(h model.HostID) (id string, named bool) {
	if w.own {
		return w.n.Host(h).Name, false
	}
	id = "h" + strconv.Itoa(int(h))
	return id, id != w.n.Host(h).Name
}
