package graph

import (
	"bytes"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format"
	"github.com/turnproof/turnproof/model/format/textfile"
	"github.com/turnproof/turnproof/model/format/wiring"
)

// This file reads and writes plain edge lists, as NetworkX, SNAP and many
// scripts write them. A line is a link; switches have names or numbers:
//
//	# a comment, also after a link; % begins a comment, too
//	0 1
//	1 2 10          a number in a third column (a weight) is ignored
//	switch 3        a switch without a link, or to set the order
//	host h0 0       a host and its switch
//	hosts none      no hosts; without this and "host" there is one per switch
//	vcs 2           virtual channels per channel, default 1
//
// The words switch, host, hosts and vcs at the head of a line are our own; there
// is no standard for such files. Rules of names, ports and hosts: package wiring.
// A repeated line is a parallel link. If every link is in the list in both
// directions, a b and b a, each pair of lines is one link.
//
// Not kept: ports, the number of ports, names that are empty, not unique, or have blanks or # (all
// switches are numbers in that case), the order of switches whose names are numbers, GUIDs, LIDs, management endpoints, the grid, and the order
// of the ends of parallel links.

// isEdges reports whether each line has two words or begins with a keyword of this file.
func isEdges(head []byte) bool {
	if len(head) >= 4096 { // the last line may be incomplete
		i := bytes.LastIndexByte(head, '\n')
		head = head[:max(i, 0)]
	}
	found := false
	for line := range bytes.SplitSeq(head, []byte("\n")) {
		words := edgeWords(line)
		switch {
		case len(words) == 0:
		case len(words) == 2 && plainWord(words[0]) && plainWord(words[1]):
			found = true
		case len(words) == 3 && (words[0] == "host" || isNumber(words[2])) && plainWord(words[0]) && plainWord(words[1]):
			found = true
		default:
			return false
		}
	}
	return found
}

// edgeWords splits a line without its comment into words.
func edgeWords(line []byte) []string {
	words := strings.Fields(string(line))
	for i, w := range words {
		if w[0] == '#' || i == 0 && w[0] == '%' {
			return words[:i]
		}
	}
	return words
}

// plainWord reports whether a word is a name, not syntax of another format.
func plainWord(w string) bool { return !strings.ContainsAny(w, "{}<>=;\"\x00") }

func isNumber(w string) bool {
	_, err := strconv.ParseFloat(w, 64)
	return err == nil
}

// readEdges reads the list.
func readEdges(src *textfile.File, o format.Options) (*model.Network, []string, error) {
	src.EndLastLine()
	w := wiring.New(src)
	var notes []string
	weights := 0
	err := src.Each(func(line []byte) error {
		words := edgeWords(line)
		if len(words) == 0 {
			return nil
		}
		if done, err := edgeKeyword(w, words); done || err != nil {
			return err
		}
		switch {
		case len(words) == 3 && isNumber(words[2]):
			weights++
		case len(words) != 2:
			return src.Errorf(`want "A B" (two switches), "host NAME SWITCH", "hosts none", "switch NAME" or "vcs N", got %q`, textfile.Clip(line))
		}
		for _, word := range words[:2] {
			if !plainWord(word) {
				return src.Errorf("%q is no name of a switch in an edge list", textfile.Clip(word))
			}
		}
		a, b := w.Node(words[0], src.Line), w.Node(words[1], src.Line)
		if err := edgeEnds(w, a, b); err != nil {
			return err
		}
		return w.Join(wiring.Cable{A: a, B: b, APort: wiring.NoPort, BPort: wiring.NoPort, Line: src.Line}, nil)
	})
	if err != nil {
		return nil, nil, err
	}
	if weights > 0 {
		notes = append(notes, fmt.Sprintf("%s: the third column of %d lines (a weight) is left out", textfile.Base(src.Name), weights))
	}
	notes = append(notes, symmetric(w)...)
	w.Options = o
	n, err := w.Network()
	return n, append(notes, w.Notes...), err
}

// edgeEnds returns an error if an end of a link is a host.
func edgeEnds(w *wiring.Draft, ends ...int32) error {
	for _, i := range ends {
		if w.Nodes[i].IsHost {
			return w.File.Errorf("%s is a host (line %d); only the line \"host %[1]s SWITCH\" may name its switch", w.Called(i), w.Nodes[i].Line)
		}
	}
	return nil
}

// edgeKeyword reads a line with a keyword and reports whether the line has one.
func edgeKeyword(w *wiring.Draft, words []string) (bool, error) {
	src := w.File
	switch {
	case words[0] == "host" && len(words) == 3 && plainWord(words[1]) && plainWord(words[2]):
		if i, ok := w.ByID[words[1]]; ok {
			return true, src.Errorf("host %s has the name of something in line %d", words[1], w.Nodes[i].Line)
		}
		h, u := w.Node(words[1], src.Line), w.Node(words[2], src.Line)
		w.Nodes[h].IsHost = true
		if err := edgeEnds(w, u); err != nil {
			return true, err
		}
		return true, w.Join(wiring.Cable{A: h, B: u, APort: wiring.NoPort, BPort: wiring.NoPort, Line: src.Line}, nil)
	case words[0] == "hosts" && len(words) == 2 && words[1] == "none":
		w.NoHosts = true
		return true, nil
	case words[0] == "switch" && len(words) == 2 && plainWord(words[1]):
		return true, edgeEnds(w, w.Node(words[1], src.Line))
	case words[0] == "vcs" && len(words) == 2:
		return true, w.SetVCs(words[1], src.Line)
	}
	return false, nil
}

// symmetric removes the reverse of each link, if the list has every link in both directions.
func symmetric(w *wiring.Draft) []string {
	type pair struct{ a, b int32 }
	count := map[pair]int{}
	links := 0
	for _, c := range w.Cables {
		if !w.Nodes[c.A].IsHost {
			count[pair{c.A, c.B}]++
			links++
		}
	}
	both, parallel := 0, 0
	for p, k := range count {
		if count[pair{p.b, p.a}] == k && p.a != p.b {
			both += k
		}
		if p.a < p.b && count[pair{p.b, p.a}] > 0 {
			parallel++
		}
	}
	if links == 0 || both < links {
		if parallel > 0 {
			return []string{fmt.Sprintf("%s: %d pairs of switches stand in both orders, others do not: each line is read as a link of its own",
				textfile.Base(w.File.Name), parallel)}
		}
		return nil
	}
	var p wiring.Pairing
	kept := w.Cables[:0]
	for _, c := range w.Cables {
		if w.Nodes[c.A].IsHost || !p.Add(c, len(kept)) {
			kept = append(kept, c)
		}
	}
	w.Cables = kept
	return []string{fmt.Sprintf("%s: every link is listed in both directions (a b and b a): %d lines are read as %d links",
		textfile.Base(w.File.Name), links, links/2)}
}

// writeEdges writes the list.
func writeEdges(w io.Writer, n *model.Network) error {
	p := textfile.NewPrinter(w)
	p.Printf("# %d switches, %d hosts, %d links\n", n.NumSwitches(), n.NumHosts(), n.NumLinks())
	if n.VCs() > 1 {
		p.Printf("vcs %d\n", n.VCs())
	}
	name, numbers := edgeNames(n, edgeWord)
	listed := false
	for u, declared := range edgeDeclared(n, numbers) {
		if declared {
			p.Printf("switch %s\n", name[u])
			listed = true
		}
	}
	type pair struct{ a, b model.SwitchID }
	way := map[pair]bool{} // all links of a pair are written in one direction, see symmetric
	for l := range model.LinkID(n.NumLinks()) {
		k := n.Link(l)
		if way[pair{k.B, k.A}] {
			k.A, k.B = k.B, k.A
		}
		way[pair{k.A, k.B}] = true
		p.Printf("%s %s\n", name[k.A], name[k.B])
	}
	writeEdgeHosts(p, n, name, listed)
	return p.Flush()
}

// edgeNames returns the names of the switches as written in the list, and whether they are
// numbers. isWord reports whether the list can hold a name. If it cannot hold one of them, all are positions.
func edgeNames(n *model.Network, isWord func(name string) bool) (list []string, numbers bool) {
	names, seen := make([]string, n.NumSwitches()), map[string]bool{}
	good, digits := true, true
	for u := range names {
		names[u] = n.Switch(model.SwitchID(u)).Name
		good = good && isWord(names[u]) && !seen[names[u]]
		digits = digits && textfile.Decimal(names[u]) >= 0
		seen[names[u]] = true
	}
	for u := range names {
		if !good {
			names[u] = strconv.Itoa(u)
		}
	}
	return names, !good || digits
}

// edgeWord reports whether a name can be written in a list.
func edgeWord(name string) bool {
	if words := strings.Fields(name); len(words) != 1 || words[0] != name {
		return false
	}
	switch name {
	case "switch", "host", "hosts", "vcs":
		return false
	}
	return name[0] != '#' && name[0] != '%' && !strings.HasPrefix(name, textfile.ByteOrderMark) && plainWord(name)
}

// edgeDeclared returns, by switch, whether it needs a line of its own: a switch without links
// does, and all switches do if their names are words and the links would give another order.
func edgeDeclared(n *model.Network, numbers bool) []bool {
	list, order := make([]bool, n.NumSwitches()), true
	for u := range list {
		list[u] = true
	}
	next := 0
	for l := range model.LinkID(n.NumLinks()) {
		k := n.Link(l)
		for _, u := range []model.SwitchID{k.A, k.B} {
			if list[u] {
				order = order && int(u) == next
				next++
				list[u] = false
			}
		}
	}
	if !numbers && (!order || next < len(list)) {
		for u := range list {
			list[u] = true
		}
	}
	return list
}

// writeEdgeHosts writes the hosts unless each switch has one.
func writeEdgeHosts(p *textfile.Printer, n *model.Network, name []string, listed bool) {
	if n.NumHosts() == 0 {
		if n.NumLinks() == 0 && !listed {
			p.Printf("switch %s\n", name[0])
		}
		p.Printf("hosts none\n")
		return
	}
	usual, own, seen := n.NumHosts() == n.NumSwitches(), true, map[string]bool{}
	for _, s := range name {
		seen[s] = true
	}
	for h := range model.HostID(n.NumHosts()) {
		e := n.Host(h)
		usual = usual && e.Switch == model.SwitchID(h) && e.Name == "h"+strconv.Itoa(int(h))
		own = own && edgeWord(e.Name) && !seen[e.Name]
		seen[e.Name] = true
	}
	if usual {
		return
	}
	prefix := "h"
	for _, s := range name { // choose a prefix of host names with which no switch name begins
		for !own && strings.HasPrefix(s, prefix) {
			prefix += "h"
		}
	}
	for h := range model.HostID(n.NumHosts()) {
		e := n.Host(h)
		if own {
			p.Printf("host %s %s\n", e.Name, name[e.Switch])
		} else {
			p.Printf("host %s%d %s\n", prefix, h, name[e.Switch])
		}
	}
}

func init() {
	format.RegisterNetwork(format.NetworkFormat{Name: "edges", About: "edge list, two switches a line", Rank: 100, LosesNames: true, Suffix: ".edges",
		Is: isEdges, Read: readEdges, Write: writeEdges})
}
