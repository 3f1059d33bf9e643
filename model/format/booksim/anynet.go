package booksim

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strconv"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format"
	"github.com/turnproof/turnproof/model/format/textfile"
)

// This file reads and writes BookSim 2's anynet network files. Each line lists links of its first
// element, the head. A number after an element is the latency of the link in clocks, by default 1:
//
//	router 0 node 0 node 1 router 1 5 router 2
//	router 1 node 2
//	node 3 router 2
//
// Source: booksim/booksim2, src/networks/anynet.cpp (readFile, _BuildNet, route) and
// src/examples/anynet/README. The file is read as BookSim reads it. A link between routers has
// both directions, and a repeated link adds no second one. A latency applies to the direction from
// the head. Repeating the link under the same head without a latency resets the latency to 1.
// Routers and nodes are numbered from 0 without gaps, and a node is attached to one router. Ports
// are BookSim's output ports plus one: first the router's nodes in ascending order, then its
// neighbours in ascending order.
//
// Routers are switches, nodes are hosts h0, h1, and so on. This reader is stricter than BookSim:
// an unknown word, an incomplete pair or a gap is an error here. BookSim ignores it, hangs, or
// fails an assertion. In addition, this reader accepts tabs and the line ends of DOS.
//
// Not kept: names, ports, the order of links, VCs (num_vcs of BookSim's configuration), GUIDs,
// LIDs, management endpoints, the grid, attributes other than latencies. Parallel links cannot be
// written. Latencies do not affect our routings, but BookSim's own routing table (see table).

// anynet is the content of a file.
type anynet struct {
	src     *textfile.File
	home    map[int]int    // by node: its router
	line    map[int]int    // by router: the line that first names it
	latency map[[2]int]int // by ordered pair of neighbours: the latency
	toNode  map[int]int    // by node: the latency of its channels in both directions
	links   [][2]int       // in the order of the file
	phantom int            // the line of a node that has no router of the same number, or 0
	heads   map[int]int    // nodes that are the head of a line
	misread int            // the line of a latency between a node and a router, or 0
}

// maxAnynetID is the largest number of a router or node.
const maxAnynetID = 1 << 24

func isAnynet(head []byte) bool {
	for line := range bytes.SplitSeq(head, []byte("\n")) {
		f := bytes.Fields(line)
		if len(f) == 0 {
			continue
		}
		word := func(i int) bool { return string(f[i]) == "router" || string(f[i]) == "node" }
		return word(0) && (len(f) == 2 || len(f) > 2 && word(2)) && textfile.Decimal(string(f[1])) >= 0
	}
	return false
}

// readAnynet reads the file.
func readAnynet(src *textfile.File, _ format.Options) (*model.Network, []string, error) {
	a, err := parseAnynet(src)
	if err != nil {
		return nil, nil, err
	}
	n, err := a.network()
	notes := a.notes()
	for _, latency := range a.latency {
		if latency != 1 {
			notes = append(notes, fmt.Sprintf("%s: latencies are for simulations; only BookSim's routing min chooses paths by them: to "+
				"check it, give BookSim's configuration file", textfile.Base(src.Name)))
			break
		}
	}
	return n, notes, err
}

// warnings describes parts of the file that BookSim 2 reads as a different network.
func (a *anynet) warnings() []string {
	if a.misread == 0 {
		return nil
	}
	return []string{fmt.Sprintf("%s:%d: the latency of a channel to a node is read as in BookSim's README; the program BookSim 2 reads it "+
		"as a link between routers", textfile.Base(a.src.Name), a.misread)}
}

func (a *anynet) notes() []string {
	if a.phantom == 0 {
		return nil
	}
	return []string{fmt.Sprintf("%s:%d: a node at the head of a line has no router of the same number; BookSim creates one, without "+
		"links, and hangs", textfile.Base(a.src.Name), a.phantom)}
}

func parseAnynet(src *textfile.File) (*anynet, error) {
	src.EndLastLine()
	a := &anynet{src: src, home: map[int]int{}, line: map[int]int{}, latency: map[[2]int]int{}, toNode: map[int]int{}, heads: map[int]int{}}
	if err := src.Each(a.readLine); err != nil {
		return nil, err
	}
	if len(a.line) == 0 {
		return nil, src.FileError("no router in it")
	}
	if err := a.dense("router", a.line); err != nil {
		return nil, err
	}
	for node, line := range a.heads {
		if _, ok := a.line[node]; !ok && (a.phantom == 0 || line < a.phantom) {
			a.phantom = line
		}
	}
	return a, a.dense("node", a.home)
}

// dense fails unless the numbers are 0 to n-1 without gaps.
func (a *anynet) dense(what string, known map[int]int) error {
	for i := range len(known) {
		if _, ok := known[i]; !ok {
			return a.src.FileError("there are %d %ss but no %s %d: they are numbered from 0 without gaps", len(known), what, what, i)
		}
	}
	return nil
}

// element is "router 3" or "node 3".
type element struct {
	router bool
	id     int
}

func (e element) String() string {
	if e.router {
		return "router " + strconv.Itoa(e.id)
	}
	return "node " + strconv.Itoa(e.id)
}

func (a *anynet) readLine(line []byte) error {
	f := bytes.Fields(line)
	if len(f) == 0 {
		return nil
	}
	head, f, err := a.element(f)
	if err != nil {
		return err
	}
	if head.router {
		a.router(head.id)
	} else {
		a.heads[head.id] = a.src.Line
		if len(f) == 0 {
			return a.src.Errorf("%v without the router that it hangs on", head)
		}
	}
	for len(f) > 0 {
		var body element
		if body, f, err = a.element(f); err != nil {
			return err
		}
		latency := 1
		if len(f) > 0 && textfile.Decimal(string(f[0])) >= 0 {
			latency, f = textfile.Decimal(string(f[0])), f[1:]
		}
		if err := a.join(head, body, latency); err != nil {
			return err
		}
	}
	return nil
}

// element parses an element from the front of the words f, and returns the remaining words.
func (a *anynet) element(f [][]byte) (element, [][]byte, error) {
	router := string(f[0]) == "router"
	if !router && string(f[0]) != "node" {
		return element{}, nil, a.src.Errorf(`want "router N" or "node N", got %q`, textfile.Clip(f[0]))
	}
	if len(f) < 2 {
		return element{}, nil, a.src.Errorf("%s without a number at the end of the line", f[0])
	}
	id := textfile.Decimal(string(f[1]))
	if id < 0 || id >= maxAnynetID {
		return element{}, nil, a.src.Errorf("%s %q, allowed are numbers from 0 to %d", f[0], textfile.Clip(f[1]), maxAnynetID-1)
	}
	return element{router, id}, f[2:], nil
}

func (a *anynet) router(id int) {
	if _, ok := a.line[id]; !ok {
		a.line[id] = a.src.Line
	}
}

// join adds the link from head to body.
func (a *anynet) join(head, body element, latency int) error {
	if body.router {
		a.router(body.id)
	}
	switch {
	case !head.router && !body.router:
		return a.src.Errorf("%v cannot be joined with %v, only with a router", head, body)
	case head == body:
		return a.src.Errorf("link %d-%d joins a router to itself", head.id, body.id)
	case head.router && body.router:
		there, back := [2]int{head.id, body.id}, [2]int{body.id, head.id}
		if _, ok := a.latency[there]; !ok {
			a.links = append(a.links, there)
			a.latency[back] = 1
		}
		a.latency[there] = latency
		return nil
	case body.router:
		head, body = body, head
	}
	if old, ok := a.home[body.id]; ok && old != head.id {
		return a.src.Errorf("%v hangs on %v and on router %d, it may hang on one only", body, head, old)
	}
	a.home[body.id], a.toNode[body.id] = head.id, latency
	if latency != 1 && a.misread == 0 {
		a.misread = a.src.Line
	}
	return nil
}

// neighbours returns the neighbours of each router in ascending order.
func (a *anynet) neighbours() [][]int {
	list := make([][]int, len(a.line))
	for _, k := range a.links {
		list[k[0]] = append(list[k[0]], k[1])
		list[k[1]] = append(list[k[1]], k[0])
	}
	for _, l := range list {
		slices.Sort(l)
	}
	return list
}

// network builds the network.
func (a *anynet) network() (*model.Network, error) {
	b := model.NewBuilder()
	port := make([]model.Port, len(a.line)) // by router: the last port in use
	for range a.line {
		b.AddSwitch(model.Switch{})
	}
	for node := range len(a.home) {
		r := a.home[node]
		port[r]++
		b.AddHost(model.Host{Name: "h" + strconv.Itoa(node), Switch: model.SwitchID(r), Port: port[r]})
	}
	to := map[[2]int]model.Port{}
	for r, list := range a.neighbours() {
		for _, q := range list {
			port[r]++
			to[[2]int{r, q}] = port[r]
		}
	}
	for _, k := range a.links {
		b.AddLink(model.SwitchID(k[0]), to[k], model.SwitchID(k[1]), to[[2]int{k[1], k[0]}])
	}
	n, err := b.Build()
	if err == nil {
		n, err = n.WithChannelAttributes(a.attributes(n))
	}
	if err != nil {
		return nil, a.src.FileError("%s", err)
	}
	return n, nil
}

// attributes returns the latencies of the channels other than 1, the default of BookSim. 0, which BookSim refuses, becomes 1.
func (a *anynet) attributes(n *model.Network) []model.ChannelAttributes {
	list := make([]model.ChannelAttributes, n.NumChannels())
	for c := range list {
		id, latency := model.ChannelID(c), 1
		if n.Kind(id) == model.SwitchToSwitch {
			latency = a.latency[[2]int{int(n.Tail(id)), int(n.Head(id))}]
		} else if l, ok := a.toNode[int(n.HostOf(id))]; ok {
			latency = l
		}
		if latency > 1 {
			list[c].Latency = int32(min(latency, model.MaxChannelAttribute))
		}
	}
	return list
}

// hasZero reports whether a channel has latency 0.
func (a *anynet) hasZero() bool {
	for _, l := range a.latency {
		if l == 0 {
			return true
		}
	}
	for _, l := range a.toNode {
		if l == 0 {
			return true
		}
	}
	return false
}

// writeAnynet writes the file with only routers as heads of lines, which BookSim requires.
func writeAnynet(w io.Writer, n *model.Network) error {
	type pair struct{ a, b model.SwitchID }
	seen := map[pair]bool{}
	links := make([][]model.ChannelID, n.NumSwitches())
	for l := range model.LinkID(n.NumLinks()) {
		k := n.Link(l)
		p := pair{min(k.A, k.B), max(k.A, k.B)}
		if seen[p] {
			return format.Refuse("anynet", "knows no parallel links: switches %s and %s have several", n.SwitchName(p.a), n.SwitchName(p.b))
		}
		seen[p] = true
		c := model.ChannelID(2 * l)
		links[k.A] = append(links[k.A], c)
		if latencyText(n, c+1) != "" { // the latency of the direction back is in the other router's line
			links[k.B] = append(links[k.B], c+1)
		}
	}
	hosts := make([][]int, n.NumSwitches())
	for h := range n.NumHosts() {
		u := n.Host(model.HostID(h)).Switch
		hosts[u] = append(hosts[u], h)
		in, out := n.InjectChannel(model.HostID(h)), n.EjectChannel(model.HostID(h))
		if latencyText(n, in) != latencyText(n, out) {
			return format.Refuse("anynet", "has one latency for both channels of a host, %s has two", n.HostLabel(model.HostID(h)))
		}
	}
	p := textfile.NewPrinter(w)
	for u := range links {
		p.Printf("router %d", u)
		for _, h := range hosts[u] {
			p.Printf(" node %d%s", h, latencyText(n, n.InjectChannel(model.HostID(h))))
		}
		for _, c := range links[u] {
			p.Printf(" router %d%s", n.Head(c), latencyText(n, c))
		}
		p.Printf("\n")
	}
	return p.Flush()
}

// latencyText returns the latency of a channel with a blank before it, or "" for the default.
func latencyText(n *model.Network, c model.ChannelID) string {
	if list := n.ChannelAttributes(); list != nil && list[c].Latency > 1 {
		return fmt.Sprintf(" %d", list[c].Latency)
	}
	return ""
}

func init() {
	format.RegisterNetwork(format.NetworkFormat{Name: "anynet", About: "BookSim's anynet network file", Rank: 70, LosesNames: true,
		Is: isAnynet, Read: readAnynet, Write: writeAnynet})
}
