package format

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/turnproof/turnproof/model"
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

// noPort is a port that the file does not state.
const noPort model.Port = -1

// wireNode is a switch or a host.
type wireNode struct {
	id    string
	name  string // valid if named
	named bool   // whether the file states a name in addition to the id
	host  bool
	ports int // number of ports of a switch, or 0 if the file does not state it
	ends  int // number of ends of cables and one-way edges at the node
	line  int
}

// wire is a cable; a and b index the nodes. The names of its ports may be empty.
type wire struct {
	a, b         int32
	aPort, bPort model.Port
	line         int
	aName, bName string
}

// wiring collects nodes and cables while a file is read.
type wiring struct {
	src    *lines
	nodes  []wireNode
	at     map[string]int32
	wires  []wire
	vcs    int
	noHost bool   // whether the file states that it has no hosts
	plain  bool   // the names of nodes do not tell hosts from switches
	each   []bool // by node: whether it has one host (hosts.go); if nil and the file has no host, all have one
	choose Options
	notes  []string
	loops  []wire // cables from a node to itself, which are left out
	strict bool   // such a cable is an error

	id   []model.SwitchID // by node: number of the switch
	plug map[wireEnd]int  // by node and port: the line of the cable
	next []model.Port     // by node: the smallest port that may be free
}

type wireEnd struct {
	node int32
	port model.Port
}

func newWiring(src *lines) *wiring {
	return &wiring{src: src, at: map[string]int32{}, vcs: 1}
}

// node returns the node with this id, and adds it if it is new.
func (w *wiring) node(id string, line int) int32 {
	i, ok := w.at[id]
	if !ok {
		i = int32(len(w.nodes))
		w.at[id] = i
		w.nodes = append(w.nodes, wireNode{id: id, line: line})
	}
	return i
}

// mostEnds is the largest number of cable ends at a node: one for each port, or two if every link
// is given in both directions.
const mostEnds = 2 * model.MaxPort

// join adds a cable. If back is not nil, the edge is one-way and is stored in back until its
// reverse is found.
func (w *wiring) join(c wire, back *pairing) error {
	switch {
	case c.a == c.b && w.strict:
		return w.fault(c.line, "link %s-%s joins a switch to itself", w.called(c.a), w.called(c.b))
	case c.a == c.b:
		w.loops = append(w.loops, c)
		return nil
	}
	for _, i := range []int32{c.a, c.b} {
		if w.nodes[i].ends++; w.nodes[i].ends > mostEnds {
			return w.fault(c.line, "%s has more cables than a switch can have ports, %d", w.called(i), model.MaxPort)
		}
	}
	if back == nil || !back.add(c) {
		w.wires = append(w.wires, c)
	}
	return nil
}

// setVCs sets the number of VCs from a word of the file.
func (w *wiring) setVCs(word string, line int) error {
	vcs, err := strconv.Atoi(word)
	if err != nil || vcs < 1 || vcs > model.MaxVCs {
		return w.fault(line, "%s virtual channels, allowed are 1 to %d", clip([]byte(word)), model.MaxVCs)
	}
	w.vcs = vcs
	return nil
}

// port reads a port number.
func (w *wiring) port(word string, line int) (model.Port, error) {
	p, err := strconv.Atoi(word)
	if err != nil || p < 0 || p > model.MaxPort {
		return 0, w.fault(line, "port %q, allowed are 0 to %d", clip([]byte(word)), model.MaxPort)
	}
	return model.Port(p), nil
}

func (w *wiring) fault(line int, format string, a ...any) error {
	return &Error{File: w.src.name, Line: line, Msg: fmt.Sprintf(format, a...)}
}

// called returns the name of a node for messages.
func (w *wiring) called(i int32) string {
	if n := &w.nodes[i]; n.named && n.name != "" {
		return n.name
	}
	return w.nodes[i].id
}

// network checks nodes and cables and builds the network.
func (w *wiring) network() (*model.Network, error) {
	w.noteLoops()
	b := model.NewBuilder()
	b.SetVCs(w.vcs)
	if err := w.chooseHosts(); err != nil {
		return nil, err
	}
	if w.addSwitches(b) == 0 {
		return nil, w.src.wholef("no switch in it")
	}
	home, hosts, err := w.homes()
	if err != nil {
		return nil, err
	}
	if hosts > 0 && w.noHost {
		return nil, w.src.wholef("%d hosts in a file that says that it has none", hosts)
	}
	w.numberPorts()
	if err := w.plugIn(); err != nil {
		return nil, err
	}
	w.namePorts(b)
	for _, c := range w.wires {
		if !w.nodes[c.a].host && !w.nodes[c.b].host {
			b.AddLink(w.id[c.a], c.aPort, w.id[c.b], c.bPort)
		}
	}
	for i := range w.nodes {
		if w.nodes[i].host {
			c := &w.wires[home[i]]
			u, p := c.a, c.aPort
			if w.nodes[u].host {
				u, p = c.b, c.bPort
			}
			b.AddHost(model.Host{Name: w.nameOf(&w.nodes[i]), Switch: w.id[u], Port: p})
		}
	}
	if w.each != nil || hosts == 0 && !w.noHost {
		w.addDefaultHosts(b)
	}
	n, err := b.Build()
	if err != nil {
		return nil, w.src.wholef("%s", strings.TrimPrefix(err.Error(), "model: "))
	}
	return n, nil
}

// noteLoops adds a note about cables from a node to itself. No path uses them, as in dumps of InfiniBand.
func (w *wiring) noteLoops() {
	if len(w.loops) == 0 {
		return
	}
	var names []string
	for _, c := range w.loops {
		names = append(names, fmt.Sprintf("%s (line %d)", w.called(c.a), c.line))
	}
	w.notes = append(w.notes, fmt.Sprintf("%s: %s from a node to itself left out: %s",
		base(w.src.name), counted(len(names), "cable"), capped(names, len(names))))
}

func (w *wiring) nameOf(n *wireNode) string {
	if n.named {
		return n.name
	}
	return n.id
}

// addSwitches numbers the switches and returns how many there are.
func (w *wiring) addSwitches(b *model.Builder) int {
	w.id = make([]model.SwitchID, len(w.nodes))
	var list []int
	var number []int // by node, if all ids are numbers
	numbers := true
	for i := range w.nodes {
		n := &w.nodes[i]
		number = append(number, decimal(n.id))
		if !n.host {
			list = append(list, i)
			numbers = numbers && !n.named && number[i] >= 0
		}
	}
	dense := false
	if numbers {
		slices.SortStableFunc(list, func(i, j int) int { return cmp.Compare(number[i], number[j]) })
		dense = len(list) > 0 && number[list[len(list)-1]] == len(list)-1
	}
	for _, i := range list {
		s := model.Switch{Name: w.nameOf(&w.nodes[i]), Ports: w.nodes[i].ports}
		if dense {
			s.Name = ""
		}
		w.id[i] = b.AddSwitch(s)
	}
	return len(list)
}

// homes returns, by node, the cable of each host, and the number of hosts.
func (w *wiring) homes() (home []int, hosts int, err error) {
	home = make([]int, len(w.nodes))
	for i := range home {
		home[i] = -1
	}
	for k, c := range w.wires {
		a, b := w.nodes[c.a].host, w.nodes[c.b].host
		if a && b {
			return nil, 0, w.fault(c.line, "a cable joins two hosts, %s and %s, without a switch", w.called(c.a), w.called(c.b))
		}
		for _, i := range []int32{c.a, c.b} {
			switch {
			case !w.nodes[i].host:
			case home[i] >= 0:
				return nil, 0, w.fault(c.line, "host %s has a second cable (the first is in line %d): an adapter with two cables is two hosts",
					w.called(i), w.wires[home[i]].line)
			default:
				home[i] = k
			}
		}
	}
	for i := range w.nodes {
		if w.nodes[i].host {
			hosts++
			if home[i] < 0 {
				return nil, 0, w.fault(w.nodes[i].line, "host %s has no cable to a switch", w.called(int32(i)))
			}
		}
	}
	return home, hosts, nil
}

// plugIn assigns ports to each cable.
func (w *wiring) plugIn() error {
	w.plug, w.next = map[wireEnd]int{}, make([]model.Port, len(w.nodes))
	for i := range w.next {
		w.next[i] = 1
	}
	for _, c := range w.wires {
		for _, e := range []wireEnd{{c.a, c.aPort}, {c.b, c.bPort}} {
			if e.port == noPort || w.nodes[e.node].host {
				continue
			}
			if old, ok := w.plug[e]; ok {
				return w.fault(c.line, "port %d of switch %s has two cables (the other in line %d)", e.port, w.called(e.node), old)
			}
			w.plug[e] = c.line
		}
	}
	for _, toHosts := range []bool{false, true} {
		for k := range w.wires {
			c := &w.wires[k]
			if (w.nodes[c.a].host || w.nodes[c.b].host) != toHosts {
				continue
			}
			c.aPort, c.bPort = w.free(c.a, c.aPort), w.free(c.b, c.bPort)
		}
	}
	return nil
}

// free returns p, or the next free port if p is noPort.
func (w *wiring) free(node int32, p model.Port) model.Port {
	if p != noPort || w.nodes[node].host {
		return p
	}
	for len(w.plug) > 0 {
		if _, taken := w.plug[wireEnd{node, w.next[node]}]; !taken {
			break
		}
		w.next[node]++
	}
	w.next[node]++
	return w.next[node] - 1
}

func (w *wiring) addDefaultHosts(b *model.Builder) {
	node := make([]int32, 0, len(w.nodes)) // by switch: its node
	for i := range w.nodes {
		node = append(node, int32(i))
	}
	slices.SortFunc(node, func(i, j int32) int { return cmp.Compare(w.id[i], w.id[j]) })
	for u, i := range node {
		if w.nodes[i].host || w.each != nil && !w.each[i] {
			continue
		}
		b.AddHost(model.Host{Name: "h" + strconv.Itoa(u), Switch: model.SwitchID(u), Port: w.free(i, noPort)})
	}
}
