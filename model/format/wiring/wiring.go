package wiring

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format"
	"github.com/turnproof/turnproof/model/format/textfile"
)

// This file builds a model.Network from nodes and cables, for the formats in which nodes are
// words: edge lists, DOT, GraphML.
//
// Rules that these formats share:
//
//   - If every switch has a decimal number as its name, switches are sorted by
//     that number, and 0, 1, ... n-1 are numbers of switches, not names. Otherwise
//     switches are numbered in the order of the file.
//   - A port that the file does not state is the smallest free one from 1 on.
//     Cables between switches come first, in the order of the file.
//   - A file without hosts has one host per switch, h0, h1, ..., unless it states
//     that there are none.
//   - A host has one cable. An adapter with two cables is two hosts.

// NoPort is a port that the file does not state.
const NoPort model.Port = -1

// Node is a switch or a host.
type Node struct {
	ID     string
	Name   string // valid if named
	Named  bool   // whether the file states a name in addition to the id
	IsHost bool
	Ports  int // number of ports of a switch, or 0 if the file does not state it
	ends   int // number of ends of cables and one-way edges at the node
	Line   int
}

// Cable is a cable; a and b index the nodes. The names of its ports may be empty.
type Cable struct {
	A, B         int32
	APort, BPort model.Port
	Line         int
	AName, BName string
	OneWay       bool // only from A to B
}

// Draft collects nodes and cables while a file is read.
type Draft struct {
	File    *textfile.File
	Nodes   []Node
	ByID    map[string]int32
	Cables  []Cable
	vcs     int
	NoHosts bool   // whether the file states that it has no hosts
	Plain   bool   // the names of nodes do not tell hosts from switches
	HasHost []bool // by node: whether it has one host (hosts.go). If nil and the file has no host, all have one
	Options format.Options
	Notes   []string
	loops   []Cable // cables from a node to itself, which are left out
	Strict  bool    // such a cable is an error

	id   []model.SwitchID // by node: number of the switch
	plug map[cableEnd]int // by node and port: the line of the cable
	next []model.Port     // by node: the smallest port that may be free
}

type cableEnd struct {
	node int32
	port model.Port
}

func New(src *textfile.File) *Draft {
	return &Draft{File: src, ByID: map[string]int32{}, vcs: 1}
}

// Node returns the node with this id, and adds it if it is new.
func (w *Draft) Node(id string, line int) int32 {
	i, ok := w.ByID[id]
	if !ok {
		i = int32(len(w.Nodes))
		w.ByID[id] = i
		w.Nodes = append(w.Nodes, Node{ID: id, Line: line})
	}
	return i
}

// MostEnds is the largest number of cable ends at a node: one for each port, or two if every link
// is given in both directions.
const MostEnds = 2 * model.MaxPort

// Join adds a cable. If back is not nil, the edge is one-way and is stored in back until its
// reverse is found.
func (w *Draft) Join(c Cable, back *Pairing) error {
	switch {
	case c.A == c.B && w.Strict:
		return w.Fault(c.Line, "link %s-%s joins a switch to itself", w.Called(c.A), w.Called(c.B))
	case c.A == c.B:
		w.loops = append(w.loops, c)
		return nil
	}
	for _, i := range []int32{c.A, c.B} {
		if w.Nodes[i].ends++; w.Nodes[i].ends > MostEnds {
			return w.Fault(c.Line, "%s has more cables than a switch can have ports, %d", w.Called(i), model.MaxPort)
		}
	}
	if back == nil || !back.Add(c, len(w.Cables)) {
		w.Cables = append(w.Cables, c)
	}
	return nil
}

// SetVCs sets the number of VCs from a word of the file.
func (w *Draft) SetVCs(word string, line int) error {
	vcs, err := strconv.Atoi(word)
	if err != nil || vcs < 1 || vcs > model.MaxVCs {
		return w.Fault(line, "%s virtual channels, allowed are 1 to %d", textfile.Clip(word), model.MaxVCs)
	}
	w.vcs = vcs
	return nil
}

// Port reads a port number.
func (w *Draft) Port(word string, line int) (model.Port, error) {
	p, err := strconv.Atoi(word)
	if err != nil || p < 0 || p > model.MaxPort {
		return 0, w.Fault(line, "port %q, allowed are 0 to %d", textfile.Clip(word), model.MaxPort)
	}
	return model.Port(p), nil
}

func (w *Draft) Fault(line int, format string, a ...any) error {
	return w.File.ErrorAt(line, format, a...)
}

// Called returns the name of a node for messages.
func (w *Draft) Called(i int32) string {
	if n := &w.Nodes[i]; n.Named && n.Name != "" {
		return n.Name
	}
	return w.Nodes[i].ID
}

// Network checks nodes and cables and builds the network.
func (w *Draft) Network() (*model.Network, error) {
	w.noteLoops()
	b := model.NewBuilder()
	b.SetVCs(w.vcs)
	if err := w.chooseHosts(); err != nil {
		return nil, err
	}
	if w.addSwitches(b) == 0 {
		return nil, w.File.FileError("no switch in it")
	}
	home, hosts, err := w.homes()
	if err != nil {
		return nil, err
	}
	if hosts > 0 && w.NoHosts {
		return nil, w.File.FileError("%d hosts in a file that says that it has none", hosts)
	}
	w.numberPorts()
	if err := w.PlugIn(); err != nil {
		return nil, err
	}
	w.namePorts(b)
	for _, c := range w.Cables {
		if !w.Nodes[c.A].IsHost && !w.Nodes[c.B].IsHost {
			if l := b.AddLink(w.id[c.A], c.APort, w.id[c.B], c.BPort); c.OneWay {
				b.SetOneWay(l)
			}
		}
	}
	for i := range w.Nodes {
		if w.Nodes[i].IsHost {
			c := &w.Cables[home[i]]
			u, p := c.A, c.APort
			if w.Nodes[u].IsHost {
				u, p = c.B, c.BPort
			}
			b.AddHost(model.Host{Name: w.nameOf(&w.Nodes[i]), Switch: w.id[u], Port: p})
		}
	}
	if w.HasHost != nil || hosts == 0 && !w.NoHosts {
		w.addDefaultHosts(b)
	}
	n, err := b.Build()
	if err != nil {
		return nil, w.File.FileError("%s", strings.TrimPrefix(err.Error(), "model: "))
	}
	return n, nil
}

// noteLoops adds a note about cables from a node to itself. No path uses them, as in dumps of InfiniBand.
func (w *Draft) noteLoops() {
	if len(w.loops) == 0 {
		return
	}
	var names []string
	for _, c := range w.loops {
		names = append(names, fmt.Sprintf("%s (line %d)", w.Called(c.A), c.Line))
	}
	w.Notes = append(w.Notes, fmt.Sprintf("%s: %s from a node to itself left out: %s",
		textfile.Base(w.File.Name), textfile.Counted(len(names), "cable"), textfile.Capped(names, len(names))))
}

func (w *Draft) nameOf(n *Node) string {
	if n.Named {
		return n.Name
	}
	return n.ID
}

// addSwitches numbers the switches and returns how many there are.
func (w *Draft) addSwitches(b *model.Builder) int {
	w.id = make([]model.SwitchID, len(w.Nodes))
	var list []int
	var number []int // by node, if all ids are numbers
	numbers := true
	for i := range w.Nodes {
		n := &w.Nodes[i]
		number = append(number, textfile.Decimal(n.ID))
		if !n.IsHost {
			list = append(list, i)
			numbers = numbers && !n.Named && number[i] >= 0
		}
	}
	dense := false
	if numbers {
		slices.SortStableFunc(list, func(i, j int) int { return cmp.Compare(number[i], number[j]) })
		dense = len(list) > 0 && number[list[len(list)-1]] == len(list)-1
	}
	for _, i := range list {
		s := model.Switch{Name: w.nameOf(&w.Nodes[i]), Ports: w.Nodes[i].Ports}
		if dense {
			s.Name = ""
		}
		w.id[i] = b.AddSwitch(s)
	}
	return len(list)
}

// homes returns, by node, the cable of each host, and the number of hosts.
func (w *Draft) homes() (home []int, hosts int, err error) {
	home = make([]int, len(w.Nodes))
	for i := range home {
		home[i] = -1
	}
	for k, c := range w.Cables {
		a, b := w.Nodes[c.A].IsHost, w.Nodes[c.B].IsHost
		if a && b {
			return nil, 0, w.Fault(c.Line, "a cable joins two hosts, %s and %s, without a switch", w.Called(c.A), w.Called(c.B))
		}
		for _, i := range []int32{c.A, c.B} {
			switch {
			case !w.Nodes[i].IsHost:
			case c.OneWay:
				return nil, 0, w.Fault(c.Line, "the link of host %s has one direction; a host needs both", w.Called(i))
			case home[i] >= 0:
				return nil, 0, w.Fault(c.Line, "host %s has a second cable (the first is in line %d): an adapter with two cables is two hosts",
					w.Called(i), w.Cables[home[i]].Line)
			default:
				home[i] = k
			}
		}
	}
	for i := range w.Nodes {
		if w.Nodes[i].IsHost {
			hosts++
			if home[i] < 0 {
				return nil, 0, w.Fault(w.Nodes[i].Line, "host %s has no cable to a switch", w.Called(int32(i)))
			}
		}
	}
	return home, hosts, nil
}

// PlugIn assigns ports to each cable.
func (w *Draft) PlugIn() error {
	w.plug, w.next = map[cableEnd]int{}, make([]model.Port, len(w.Nodes))
	for i := range w.next {
		w.next[i] = 1
	}
	for _, c := range w.Cables {
		for _, e := range []cableEnd{{c.A, c.APort}, {c.B, c.BPort}} {
			if e.port == NoPort || w.Nodes[e.node].IsHost {
				continue
			}
			if old, ok := w.plug[e]; ok {
				return w.Fault(c.Line, "port %d of switch %s has two cables (the other in line %d)", e.port, w.Called(e.node), old)
			}
			w.plug[e] = c.Line
		}
	}
	for _, toHosts := range []bool{false, true} {
		for k := range w.Cables {
			c := &w.Cables[k]
			if (w.Nodes[c.A].IsHost || w.Nodes[c.B].IsHost) != toHosts {
				continue
			}
			c.APort, c.BPort = w.free(c.A, c.APort), w.free(c.B, c.BPort)
		}
	}
	return nil
}

// free returns p, or the next free port if p is NoPort.
func (w *Draft) free(node int32, p model.Port) model.Port {
	if p != NoPort || w.Nodes[node].IsHost {
		return p
	}
	for len(w.plug) > 0 {
		if _, taken := w.plug[cableEnd{node, w.next[node]}]; !taken {
			break
		}
		w.next[node]++
	}
	w.next[node]++
	return w.next[node] - 1
}

func (w *Draft) addDefaultHosts(b *model.Builder) {
	node := make([]int32, 0, len(w.Nodes)) // by switch: its node
	for i := range w.Nodes {
		node = append(node, int32(i))
	}
	slices.SortFunc(node, func(i, j int32) int { return cmp.Compare(w.id[i], w.id[j]) })
	for u, i := range node {
		if w.Nodes[i].IsHost || w.HasHost != nil && !w.HasHost[i] {
			continue
		}
		b.AddHost(model.Host{Name: "h" + strconv.Itoa(u), Switch: model.SwitchID(u), Port: w.free(i, NoPort)})
	}
}

// This file joins the edges of directed graphs to links.

// Pairing finds the reverse of each edge with one direction.
type Pairing struct {
	open map[Cable][]int // one-way edges without a reverse, by their ends, with line 0: their numbers among the cables
}

// Add records an edge with one direction and reports whether it is the reverse of an
// earlier one. In that case both are one cable. Else it becomes cable number k.
func (p *Pairing) Add(e Cable, k int) bool {
	if p.open == nil {
		p.open = map[Cable][]int{}
	}
	e.AName, e.BName = "", "" // port names may be given for one direction only
	back := Cable{A: e.B, B: e.A, APort: e.BPort, BPort: e.APort}
	if list := p.open[back]; len(list) > 0 {
		if p.open[back] = list[1:]; len(list) == 1 {
			delete(p.open, back)
		}
		return true
	}
	e.Line = 0
	p.open[e] = append(p.open[e], k)
	return false
}

// Finish makes links of one direction of the edges without a reverse, and notes them. It returns an error if two nodes have such edges in both
// directions: then their ports differ.
func (p *Pairing) Finish(w *Draft) error {
	var list []int
	for _, cables := range p.open {
		list = append(list, cables...)
	}
	slices.Sort(list)
	from := map[[2]int32]bool{}
	var names []string
	for _, k := range list {
		c := &w.Cables[k]
		c.OneWay = true
		from[[2]int32{c.A, c.B}] = true
		names = append(names, fmt.Sprintf("%s to %s (line %d)", w.Called(c.A), w.Called(c.B), c.Line))
	}
	for _, k := range list {
		if c := &w.Cables[k]; from[[2]int32{c.B, c.A}] {
			return w.Fault(c.Line, "edge from %s to %s has no reverse with the same ports: a cable needs an edge in each direction, with the same "+
				"ports (or an undirected graph)", w.Called(c.A), w.Called(c.B))
		}
	}
	if len(names) > 0 {
		w.Notes = append(w.Notes, fmt.Sprintf("%s: %s of one direction, since the directed graph has no edge back: %s", textfile.Base(w.File.Name),
			textfile.Counted(len(names), "link"), textfile.Capped(names, len(names))))
	}
	return nil
}
