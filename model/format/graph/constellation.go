package graph

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format"
	"github.com/turnproof/turnproof/model/format/textfile"
	"github.com/turnproof/turnproof/model/format/wiring"
)

// This file reads and writes the adjacency lists (noc.adjlist) of Constellation, the generator of networks on a chip of UC Berkeley.
//
//	0 1 3 e0     router 0 has channels to routers 1 and 3, and to terminal e0
//	i0 0         terminal i0 sends into router 0
//
// Routers are switches. A terminal that sends and one that receives at the same router are a host, i0/e0. A channel without one back is a link of
// one direction. A host stands for a terminal that is left over; a note says so.
//
// Not in the file: VCs, buffers, the routing relation, which terminals talk. noc.graphml, which Constellation writes beside it, has no links: it is
// the graph of the modules of rocket-chip.
//
// Source: ucb-bar/constellation, src/main/scala/noc/NoC.scala. Not kept: VCs, names, ports, parallel links.

var (
	adjacencyLine = regexp.MustCompile(`^(\d+( +(\d+|e\d+))* *|i\d+ +\d+ *)$`)
	ingressLine   = regexp.MustCompile(`(?m)^i\d+ +\d+ *\r?$`)
)

func isConstellation(head []byte) bool {
	if !ingressLine.Match(head) || !bytes.Contains(head, []byte(" e")) {
		return false
	}
	lines := bytes.Split(head, []byte("\n"))
	for _, line := range lines[:max(1, len(lines)-1)] {
		if line = bytes.TrimSpace(line); len(line) > 0 && !adjacencyLine.Match(line) {
			return false
		}
	}
	return true
}

// terminal is a terminal at a router.
type terminal struct {
	router int32
	number int
	line   int
}

func (t terminal) order(other terminal) int {
	return cmp.Or(cmp.Compare(t.router, other.router), cmp.Compare(t.number, other.number))
}

// adjacency is what a file says.
type adjacency struct {
	*wiring.Draft
	pairs    wiring.Pairing
	from, to []terminal // those that send, and those that receive
	seen     map[string]int
}

func readConstellation(src *textfile.File, o format.Options) (*model.Network, []string, error) {
	a := &adjacency{Draft: wiring.New(src), seen: map[string]int{}}
	a.Options = o
	src.EndLastLine()
	if err := src.Each(a.readLine); err != nil {
		return nil, nil, err
	}
	if err := a.pairs.Finish(a.Draft); err != nil {
		return nil, nil, err
	}
	if err := a.addHosts(); err != nil {
		return nil, nil, err
	}
	n, err := a.Network()
	return n, a.Notes, err
}

func (a *adjacency) readLine(line []byte) error {
	words := strings.Fields(string(line))
	if len(words) == 0 {
		return nil
	}
	if !adjacencyLine.MatchString(strings.Join(words, " ")) {
		return a.File.Errorf("%q; want ROUTER, then the routers and terminals eN that it sends to, or iN ROUTER", textfile.Clip(line))
	}
	if words[0][0] == 'i' {
		return a.terminal(words[0], a.Node(words[1], a.File.Line), &a.from)
	}
	u := a.Node(words[0], a.File.Line)
	for _, word := range words[1:] {
		if word[0] == 'e' {
			if err := a.terminal(word, u, &a.to); err != nil {
				return err
			}
			continue
		}
		if err := a.known(words[0] + " to " + word); err != nil {
			return err
		}
		c := wiring.Cable{A: u, B: a.Node(word, a.File.Line), APort: wiring.NoPort, BPort: wiring.NoPort, Line: a.File.Line}
		if err := a.Join(c, &a.pairs); err != nil {
			return err
		}
	}
	return nil
}

// known returns an error if the file has said something before.
func (a *adjacency) known(what string) error {
	if line, ok := a.seen[what]; ok {
		return a.File.Errorf("%s for a second time; the first is in line %d", what, line)
	}
	a.seen[what] = a.File.Line
	return nil
}

func (a *adjacency) terminal(name string, router int32, list *[]terminal) error {
	number := textfile.Decimal(name[1:])
	if number < 0 {
		return a.File.Errorf("terminal %q: the number is too large", textfile.Clip(name))
	}
	*list = append(*list, terminal{router, number, a.File.Line})
	return a.known("terminal " + name)
}

// addHosts makes hosts of the terminals.
func (a *adjacency) addHosts() error {
	slices.SortFunc(a.from, terminal.order)
	slices.SortFunc(a.to, terminal.order)
	type host struct {
		name string
		terminal
	}
	var hosts []host
	var alone []string
	i, k := 0, 0
	for i < len(a.from) || k < len(a.to) {
		switch {
		case i < len(a.from) && k < len(a.to) && a.from[i].router == a.to[k].router:
			hosts = append(hosts, host{fmt.Sprintf("i%d/e%d", a.from[i].number, a.to[k].number), a.from[i]})
			i, k = i+1, k+1
			continue
		case k == len(a.to) || i < len(a.from) && a.from[i].router < a.to[k].router:
			hosts = append(hosts, host{fmt.Sprintf("i%d", a.from[i].number), a.from[i]})
			i++
		default:
			hosts = append(hosts, host{fmt.Sprintf("e%d", a.to[k].number), a.to[k]})
			k++
		}
		alone = append(alone, hosts[len(hosts)-1].name)
	}
	slices.SortStableFunc(hosts, func(x, y host) int { return cmp.Compare(x.number, y.number) })
	for _, h := range hosts {
		at := a.Node(h.name, h.line)
		a.Nodes[at].IsHost = true
		if err := a.Join(wiring.Cable{A: at, B: h.router, APort: wiring.NoPort, BPort: wiring.NoPort, Line: h.line}, nil); err != nil {
			return err
		}
	}
	if len(alone) > 0 {
		a.Notes = append(a.Notes, fmt.Sprintf("%s: %s without a partner at the router only send (i) or only receive (e), and stand for hosts "+
			"that do both: %s; --flows chooses the pairs that talk", textfile.Base(a.File.Name), textfile.Counted(len(alone), "terminal"),
			textfile.Capped(alone, len(alone))))
	}
	return nil
}

// writeConstellation writes the adjacency list.
func writeConstellation(to io.Writer, n *model.Network) error {
	if n.NumHosts() == 0 {
		return format.Refuse("constellation", "needs terminals, and the network has no hosts")
	}
	next := make([][]model.SwitchID, n.NumSwitches())
	for c := range model.ChannelID(n.NumLinkChannels()) {
		u, v := n.Tail(c), n.Head(c)
		if n.Absent(c) {
			continue
		}
		if slices.Contains(next[u], v) {
			return format.Refuse("constellation", "has one channel from a router to another, and %s has several to %s", n.SwitchName(u), n.SwitchName(v))
		}
		next[u] = append(next[u], v)
	}
	p := textfile.NewPrinter(to)
	for u, list := range next {
		slices.Sort(list)
		p.Printf("%d", u)
		for _, v := range list {
			p.Printf(" %d", v)
		}
		for h := range model.HostID(n.NumHosts()) {
			if n.Host(h).Switch == model.SwitchID(u) {
				p.Printf(" e%d", h)
			}
		}
		p.Printf("\n")
	}
	for h := range model.HostID(n.NumHosts()) {
		p.Printf("i%d %d\n", h, n.Host(h).Switch)
	}
	return p.Flush()
}

func init() {
	format.RegisterNetwork(format.NetworkFormat{Name: "constellation", About: "noc.adjlist of Constellation", Rank: 85, LosesNames: true, OneWay: true,
		Is: isConstellation, Read: readConstellation, Write: writeConstellation})
}
