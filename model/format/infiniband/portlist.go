package infiniband

import (
	"strings"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format"
	"github.com/turnproof/turnproof/model/format/textfile"
)

// This file builds a fabric from a list with a line for each port: that of iblinkinfo, or of ibnetdiscover -p.
//
// These lists have the GUIDs of ports, not of adapters, so each port of an adapter is a node of its own here, and its GUID is that of the
// port. They have no LMC; Options.LMC is used for hosts. Each cable must be listed at both ends, and both lines must agree on GUIDs, LIDs
// and names.

// portEnd is a port as a line names it: the line's own one, or the one at the other end of the cable.
type portEnd struct {
	kind      nodeKind // 0 if the line does not state it
	guid      uint64   // GUID of the port, which all ports of a switch share; 0 if the line does not state it
	name      string
	isUnclear bool // where the name ends in the line is not certain
	lid, port int
}

// portLine is a line of a list.
type portLine struct {
	line     int
	own, far portEnd
	isCabled bool // whether far is set
}

// portList collects the lines of a list.
type portList struct {
	*fabric
	lines   []portLine
	seen    map[plug]int    // the place of a port in lines, plus one
	unclear map[uint64]bool // the name of this node is not certain
	whole   string          // what a complete list is, for errors
}

func newPortList(src *textfile.File, o format.Options, whole string) *portList {
	l := &portList{fabric: newFabric(src, o), seen: map[plug]int{}, unclear: map[uint64]bool{}, whole: whole}
	l.found.LMCUnknown = o.LMC == 0 && !o.IsLMCKnown
	l.found.IsLMCFromFlag = !l.found.LMCUnknown
	return l
}

// add records a line.
func (l *portList) add(own, far portEnd, isCabled bool) error {
	for _, e := range []portEnd{own, far} {
		if (e.port < 1 || e.port > 254) && (isCabled || e == own) {
			return l.src.Errorf("port %d, allowed are 1 to 254", e.port)
		}
	}
	if own.guid == 0 || isCabled && far.kind != 0 && far.guid == 0 {
		return l.src.Errorf("a port with GUID 0")
	}
	at := plug{own.guid, own.port}
	if old := l.seen[at]; old > 0 {
		return l.src.Errorf("port %d of 0x%016x is listed twice (first in line %d)", own.port, own.guid, l.lines[old-1].line)
	}
	l.seen[at] = len(l.lines) + 1
	l.lines = append(l.lines, portLine{line: l.src.Line, own: own, far: far, isCabled: isCabled})
	return nil
}

// build builds the network.
func (l *portList) build(o format.Options) (*model.Network, []string, error) {
	kinds, err := l.kinds()
	if err != nil {
		return nil, nil, err
	}
	cables := 0
	for i := range l.lines {
		x := &l.lines[i]
		l.src.Line = x.line
		if err := l.describePort(x, kinds[x.own.guid], o); err != nil {
			return nil, nil, err
		}
		if x.isCabled {
			cables++
		}
	}
	if cables == 0 {
		return nil, nil, l.src.FileError("no cable in it; %s", l.whole)
	}
	byAddress := l.byAddress()
	for i := range l.lines {
		x := &l.lines[i]
		l.src.Line = x.line
		if !x.isCabled {
			continue
		}
		if err := l.cable(x, byAddress); err != nil {
			return nil, nil, err
		}
	}
	return l.network()
}

// kinds returns the kind of each node by GUID. If no line states it, a node with several ports is a switch, since each port of an adapter
// has a GUID of its own, and lists have all ports of a switch.
func (l *portList) kinds() (map[uint64]nodeKind, error) {
	kinds, ports := map[uint64]nodeKind{}, map[uint64]int{}
	for i := range l.lines {
		x := &l.lines[i]
		l.src.Line = x.line
		for _, e := range []*portEnd{&x.own, &x.far} {
			if e.guid == 0 {
				continue
			}
			if e.kind != 0 {
				if old := kinds[e.guid]; old != 0 && old != e.kind {
					return nil, l.src.Errorf("0x%016x is a %v here and a %v elsewhere", e.guid, e.kind, old)
				}
				kinds[e.guid] = e.kind
				continue
			}
			if old := ports[e.guid]; old == 0 {
				ports[e.guid] = e.port
			} else if old != e.port {
				kinds[e.guid] = switchNode
			}
		}
	}
	for guid := range ports {
		if kinds[guid] == 0 {
			kinds[guid] = hostNode
		}
	}
	return kinds, nil
}

// describePort records the line's own port.
func (l *portList) describePort(x *portLine, kind nodeKind, o format.Options) error {
	own := x.own
	n, err := l.node(kind, own.guid)
	if err != nil {
		return err
	}
	if n.line != 0 && kind != switchNode {
		return l.src.Errorf("two ports of adapters have GUID 0x%016x (the other in line %d)", own.guid, n.line)
	}
	if n.line == 0 {
		n.line, n.name = x.line, own.name
		l.unclear[own.guid] = own.isUnclear
	} else if l.unclear[own.guid] && !own.isUnclear {
		n.name, l.unclear[own.guid] = own.name, false
	}
	n.ports = max(n.ports, own.port)
	if kind != switchNode {
		n.port[own.port] = own.guid
		if !x.isCabled { // the address of a port that is down may be anything
			return nil
		}
		n.addr[own.port], err = l.address(own.lid, int(o.LMC))
		return err
	}
	a, err := l.address(own.lid, 0)
	if err != nil {
		return err
	}
	if n.line != x.line && (n.port0 != a || !own.isUnclear && n.name != own.name) {
		return l.src.Errorf("switch 0x%016x is LID %d, %q here and LID %d, %q in line %d", own.guid, own.lid, own.name, n.port0.lid, n.name, n.line)
	}
	n.port0 = a
	return nil
}

// ends are both ends of a cable by LID and port, for lists without GUIDs of the other end.
type ends struct{ lid, port, farLID, farPort int }

// byAddress returns the lines of each cable.
func (l *portList) byAddress() map[ends][]*portLine {
	at := map[ends][]*portLine{}
	for i := range l.lines {
		if x := &l.lines[i]; x.isCabled && x.far.guid == 0 {
			k := ends{x.own.lid, x.own.port, x.far.lid, x.far.port}
			at[k] = append(at[k], x)
		}
	}
	return at
}

// cable records the cable of a line, and compares the other end with that end's own line.
func (l *portList) cable(x *portLine, byAddress map[ends][]*portLine) error {
	own := l.nodes[x.own.guid].name
	if x.far.guid == 0 {
		back := byAddress[ends{x.far.lid, x.far.port, x.own.lid, x.own.port}]
		switch {
		case len(back) > 1:
			return l.src.Errorf("port %d of %s leads to port %d of LID %d, which several nodes have: use iblinkinfo -l", x.own.port, own, x.far.port, x.far.lid)
		case len(back) == 0:
			return l.src.Errorf("port %d of %s leads to port %d of LID %d (%q), which does not lead back: is the file truncated? %s",
				x.own.port, own, x.far.port, x.far.lid, x.far.name, l.whole)
		}
		x.far.guid = back[0].own.guid
	}
	far := l.nodes[x.far.guid]
	if far == nil {
		return l.src.Errorf("port %d of %s leads to 0x%016x (%q), which is not listed: is the file truncated? %s",
			x.own.port, own, x.far.guid, x.far.name, l.whole)
	}
	lid := far.port0.lid
	if far.kind != switchNode {
		lid = far.addr[x.far.port].lid
	}
	isNamed := x.far.name == far.name || x.far.isUnclear || l.unclear[x.far.guid]
	if at := l.seen[plug{x.far.guid, x.far.port}]; at > 0 && l.lines[at-1].isCabled && (int(lid) != x.far.lid || !isNamed) {
		return l.src.Errorf("port %d of %s leads to LID %d, %q, but 0x%016x is LID %d, %q (line %d)", x.own.port, own, x.far.lid, x.far.name,
			x.far.guid, lid, far.name, far.line)
	}
	return l.join(plug{x.own.guid, x.own.port}, plug{x.far.guid, x.far.port})
}

// shownName returns a description as a list shows it.
func shownName(text []byte) string { return strings.TrimSpace(cleanName(string(text))) }
