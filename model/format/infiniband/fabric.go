package infiniband

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format"
	"github.com/turnproof/turnproof/model/format/textfile"
)

// This file builds a model.Network from the nodes and cables of a fabric dump, for all dump
// formats.
//
// Switches are numbered by ascending GUID, hosts by adapter GUID and port, so dumps of one fabric
// in different orders give the same network. Each switch gets a management endpoint at port 0. A
// cable must be listed twice, once at each end. A cable that is listed once shows that the file is
// truncated.

type nodeKind byte

const (
	switchNode nodeKind = 'S'
	hostNode   nodeKind = 'H'
	routerNode nodeKind = 'R' // an endpoint within this subnet
)

func (k nodeKind) String() string {
	return map[nodeKind]string{switchNode: "switch", hostNode: "channel adapter", routerNode: "router"}[k]
}

// fabricNode is a switch or an adapter.
type fabricNode struct {
	kind  nodeKind
	guid  uint64
	name  string
	ports int
	line  int            // the line that describes the node
	port0 fabricPort     // address of a switch
	port  map[int]uint64 // by port of an adapter: its port GUID
	addr  map[int]fabricPort
}

// fabricPort is the address of a port.
type fabricPort struct {
	lid uint16
	lmc uint8
}

// plug is one end of a cable.
type plug struct {
	guid uint64
	port int
}

// fabric collects nodes and cables while a dump is read.
type fabric struct {
	src   *textfile.File
	nodes map[uint64]*fabricNode
	ends  map[plug]farEnd
	found *format.Findings
}

type farEnd struct {
	to   plug
	line int
}

func newFabric(src *textfile.File, o format.Options) *fabric {
	f := o.Found()
	f.File, f.NoLIDPorts = src.Name, map[uint64]string{}
	return &fabric{src, map[uint64]*fabricNode{}, map[plug]farEnd{}, f}
}

// node returns the node with this GUID, and adds it if it is new.
func (f *fabric) node(kind nodeKind, guid uint64) (*fabricNode, error) {
	n := f.nodes[guid]
	if n == nil {
		n = &fabricNode{kind: kind, guid: guid, port: map[int]uint64{}, addr: map[int]fabricPort{}}
		f.nodes[guid] = n
	}
	if n.kind != kind {
		return nil, f.src.Errorf("node 0x%016x is a %v here and a %v elsewhere", guid, kind, n.kind)
	}
	return n, nil
}

// join records a cable from from to to.
func (f *fabric) join(from, to plug) error {
	if old, ok := f.ends[from]; ok {
		if old.to == to {
			return f.src.Errorf("port %d of node 0x%016x is listed twice", from.port, from.guid)
		}
		return f.src.Errorf("port %d of node 0x%016x has two cables (the other in line %d)", from.port, from.guid, old.line)
	}
	f.ends[from] = farEnd{to, f.src.Line}
	return nil
}

// address returns a port's address. It fails for an invalid LID or LMC.
func (f *fabric) address(lid, lmc int) (fabricPort, error) {
	if lmc > 7 {
		return fabricPort{}, f.src.Errorf("LMC %d, allowed are 0 to 7", lmc)
	}
	if lid+1<<lmc-1 > format.MaxUnicastLID {
		return fabricPort{}, f.src.Errorf("LID %d with LMC %d, allowed are LIDs up to %d", lid, lmc, format.MaxUnicastLID)
	}
	return fabricPort{uint16(lid), uint8(lmc)}, nil
}

// network checks that the nodes and cables are consistent, and builds the network.
func (f *fabric) network() (*model.Network, []string, error) {
	if err := f.checkCables(); err != nil {
		return nil, nil, err
	}
	b := model.NewBuilder()
	id := map[uint64]model.SwitchID{}
	sorted := f.sorted()
	for _, n := range sorted {
		if n.kind == switchNode {
			id[n.guid] = b.AddSwitch(model.Switch{Name: n.name, GUID: n.guid, Ports: n.ports, LID: n.port0.lid, LMC: n.port0.lmc})
		}
	}
	if len(id) == 0 {
		return nil, nil, f.src.FileError("no switch in it")
	}
	var notes []string
	for _, n := range sorted {
		if n.kind == switchNode {
			if n.port0.lid != 0 {
				b.AddHost(model.Host{Name: n.name, Switch: id[n.guid], NodeGUID: n.guid, PortGUID: n.guid, LID: n.port0.lid,
					LMC: n.port0.lmc, Management: true})
			}
			notes = append(notes, f.addLinks(b, id, n)...)
			continue
		}
		for _, p := range f.portsOf(n) {
			end := f.ends[plug{n.guid, p}]
			u, ok := id[end.to.guid]
			if !ok {
				return nil, nil, f.src.ErrorAt(end.line, "a cable joins two adapters, %s and %s, without a switch", n.name,
					f.nodes[end.to.guid].name)
			}
			if n.addr[p].lid == 0 {
				f.found.WithoutLID(n.name, p, n.port[p])
				continue
			}
			if n.kind == routerNode {
				f.found.Routers++
			}
			b.AddHost(model.Host{Name: n.name, Switch: u, Port: model.Port(end.to.port), NodeGUID: n.guid, PortGUID: n.port[p], NodePort: p,
				LID: n.addr[p].lid, LMC: n.addr[p].lmc})
		}
	}
	net, err := b.Build()
	if err != nil {
		return nil, nil, f.src.FileError("%s", strings.TrimPrefix(err.Error(), "model: "))
	}
	f.found.ReportHosts(textfile.Base(f.src.Name), net.NumHosts())
	return net, notes, format.CheckLIDs(f.src, net)
}

// addLinks adds the cables between n and switches with greater GUIDs. A loopback plug, which joins
// two ports of one switch, is left out with a note.
func (f *fabric) addLinks(b *model.Builder, id map[uint64]model.SwitchID, n *fabricNode) (notes []string) {
	for _, p := range f.portsOf(n) {
		to := f.ends[plug{n.guid, p}].to
		v, ok := id[to.guid]
		switch {
		case ok && to.guid > n.guid:
			b.AddLink(id[n.guid], model.Port(p), v, model.Port(to.port))
		case to.guid == n.guid && to.port >= p:
			notes = append(notes, fmt.Sprintf("%s: a cable joins %s to itself (ports %d and %d): left out", textfile.Base(f.src.Name), n.name, p, to.port))
		}
	}
	return notes
}

// sorted returns the nodes by GUID.
func (f *fabric) sorted() []*fabricNode {
	return slices.SortedFunc(maps.Values(f.nodes), func(a, b *fabricNode) int { return cmp.Compare(a.guid, b.guid) })
}

// portsOf returns the ports of n that have a cable, ascending.
func (f *fabric) portsOf(n *fabricNode) []int {
	var ports []int
	for p := 1; p <= n.ports; p++ {
		if _, ok := f.ends[plug{n.guid, p}]; ok {
			ports = append(ports, p)
		}
	}
	return ports
}

// checkCables fails unless each node is described and each cable is listed at both ends. If there
// are several errors, it reports the one in the first line.
func (f *fabric) checkCables() error {
	var first *textfile.Error
	fault := func(line int, format string, a ...any) {
		if first == nil || line < first.Line {
			first = &textfile.Error{File: f.src.Name, Line: line, Msg: fmt.Sprintf(format, a...)}
		}
	}
	for from, end := range f.ends {
		n, far := f.nodes[from.guid], f.nodes[end.to.guid]
		back, ok := f.ends[end.to]
		switch {
		case far == nil || far.line == 0:
			fault(end.line, "port %d of %s leads to node 0x%016x, which is not described: is the file truncated?", from.port, n.name, end.to.guid)
		case !ok:
			fault(end.line, "the cable from port %d of %s to port %d of %s is listed only at one end: is the file truncated?",
				from.port, n.name, end.to.port, far.name)
		case back.to != from:
			fault(end.line, "port %d of %s leads to port %d of %s, but that one leads elsewhere (line %d)",
				from.port, n.name, end.to.port, far.name, back.line)
		case from.port < 1 || from.port > n.ports:
			fault(end.line, "port %d of %s, which has ports 1 to %d", from.port, n.name, n.ports)
		}
	}
	if first != nil {
		return first
	}
	return nil
}
