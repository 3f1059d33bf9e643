package infiniband

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format"
	"github.com/turnproof/turnproof/model/format/textfile"
)

// This file reads and writes the output of ibnetdiscover (infiniband-diags). It has one block per
// node, separated by empty lines:
//
//	switchguid=0x200002(200002)
//	Switch	8 "S-0000000000200002"		# "SW2" base port 0 lid 4 lmc 0
//	[1]	"S-0000000000200003"[2]		# "SW3" lid 6 4xSDR
//	[3]	"H-0000000000100004"[1](100005) 		# "H2" lid 7 4xSDR
//
// In a port line of an adapter, the first LID is the adapter's own. "[ext 1]" may follow a port
// number (ibnetdiscover -g).

// readIBNetDiscover reads the blocks.
func readIBNetDiscover(src *textfile.File, o format.Options) (*model.Network, []string, error) {
	f := newFabric(src, o)
	var at *fabricNode // the node of the current block
	err := src.Each(func(line []byte) (err error) {
		switch {
		case len(textfile.SkipBlanks(line)) == 0:
			at = nil
		case line[0] == '[':
			err = f.portLine(at, line)
		case bytes.HasPrefix(line, []byte("Switch")), bytes.HasPrefix(line, []byte("Ca")), bytes.HasPrefix(line, []byte("Rt")):
			at, err = f.nodeLine(line)
		case line[0] == '#':
			f.dateLine(line)
		case !isBlockHead(line):
			err = src.Errorf("%q is no line of ibnetdiscover output", textfile.Clip(line))
		}
		return err
	})
	if err != nil {
		return nil, nil, err
	}
	return f.network()
}

// dateLine takes the date from the comment in which ibnetdiscover states it.
func (f *fabric) dateLine(line []byte) {
	date, ok := bytes.CutPrefix(line, []byte("# Topology file: generated on "))
	if _, err := time.Parse(time.ANSIC, strings.TrimSpace(string(date))); ok && err == nil {
		f.found.Date = strings.TrimSpace(string(date))
	}
}

// isBlockHead reports whether a line belongs to the head of a block and has no information that is
// used.
func isBlockHead(line []byte) bool {
	for _, p := range []string{"vendid=", "devid=", "sysimgguid=", "switchguid=", "caguid=", "rtguid=", "Chassis", "Non-Chassis", "DR path"} {
		if bytes.HasPrefix(line, []byte(p)) {
			return true
		}
	}
	return false
}

// nodeID reads `"S-0000000000200002"` from the front of b.
func nodeID(b []byte) (kind nodeKind, guid uint64, rest []byte, ok bool) {
	if len(b) < 4 || b[0] != '"' || b[2] != '-' {
		return 0, 0, b, false
	}
	kind = nodeKind(b[1])
	guid, rest, ok = textfile.Hex(b[3:])
	if !ok || kind.String() == "" || len(rest) == 0 || rest[0] != '"' {
		return 0, 0, b, false
	}
	return kind, guid, rest[1:], true
}

// quoted returns the text between the first quote of b and the last quote that is followed by end.
// Descriptions may contain quotes.
func quoted(b []byte, end string) (string, []byte, bool) {
	i := bytes.IndexByte(b, '"')
	j := bytes.LastIndex(b, []byte(`"`+end))
	if i < 0 || j <= i {
		return "", b, false
	}
	return string(b[i+1 : j]), b[j+1:], true
}

// cleanName replaces invalid UTF-8 in a description; fabrics do not guarantee UTF-8.
func cleanName(name string) string { return strings.ToValidUTF8(name, "\ufffd") }

// keyed returns the number after the word key in b.
func keyed(b []byte, key string) (int, bool) {
	i := bytes.Index(b, []byte(key+" "))
	if i < 0 || i > 0 && b[i-1] != ' ' && b[i-1] != '#' {
		return 0, false
	}
	v, rest, ok := textfile.Dec(textfile.SkipBlanks(b[i+len(key):]))
	return v, ok && (len(rest) == 0 || rest[0] == ' ' || rest[0] == '\t')
}

// nodeLine reads the line that describes a node.
func (f *fabric) nodeLine(line []byte) (*fabricNode, error) {
	word := line
	if i := bytes.IndexAny(line, " \t"); i >= 0 { // pasted text has blanks in place of the tab
		word = line[:i]
	}
	ports, rest, ok := textfile.Dec(textfile.SkipBlanks(line[len(word):]))
	kind, guid, rest, ok2 := nodeID(textfile.SkipBlanks(rest))
	if !ok || !ok2 {
		return nil, f.src.Errorf(`want %s<tab>PORTS "ID" # "DESCRIPTION" ..., got %q`, word, textfile.Clip(line))
	}
	if ports < 1 || ports > 254 {
		return nil, f.src.Errorf("node 0x%016x has %d ports, allowed are 1 to 254", guid, ports)
	}
	n, err := f.node(kind, guid)
	if err != nil {
		return nil, err
	}
	if n.line != 0 {
		return nil, f.src.Errorf("node 0x%016x is described twice (first in line %d)", guid, n.line)
	}
	n.line, n.ports = f.src.Line, ports
	if kind != switchNode {
		name, _, _ := quoted(rest, "")
		n.name = cleanName(name)
		return n, nil
	}
	name, tail, ok := quoted(rest, " base port 0")
	if other, behind, found := quoted(rest, " enhanced port 0"); found && (!ok || len(behind) < len(tail)) {
		name, tail, ok = other, behind, true // the rightmost one counts, since descriptions may contain the words
	}
	if !ok {
		return nil, f.src.Errorf("switch 0x%016x without \"base port 0\" or \"enhanced port 0\"", guid)
	}
	n.name = cleanName(name)
	lid, ok := keyed(tail, "lid")
	lmc, ok2 := keyed(tail, "lmc")
	if !ok || !ok2 {
		return nil, f.src.Errorf("switch 0x%016x without lid and lmc of its port 0", guid)
	}
	n.port0, err = f.address(lid, lmc)
	return n, err
}

// portNumber reads "[3]", optionally followed by "[ext 1]", from the front of b.
func portNumber(b []byte) (int, []byte, bool) {
	if len(b) == 0 || b[0] != '[' {
		return 0, b, false
	}
	p, rest, ok := textfile.Dec(b[1:])
	if !ok || len(rest) == 0 || rest[0] != ']' {
		return 0, b, false
	}
	rest = rest[1:]
	if bytes.HasPrefix(rest, []byte("[ext ")) {
		if i := bytes.IndexByte(rest, ']'); i >= 0 {
			rest = rest[i+1:]
		}
	}
	return p, rest, true
}

// portGUID reads "(100005)" from the front of b, if it is there.
func portGUID(b []byte) (uint64, []byte) {
	if len(b) == 0 || b[0] != '(' {
		return 0, b
	}
	g, rest, ok := textfile.Hex(b[1:])
	if !ok || len(rest) == 0 || rest[0] != ')' {
		return 0, b
	}
	return g, rest[1:]
}

// portLine reads a line of the block of node n.
func (f *fabric) portLine(n *fabricNode, line []byte) error {
	if n == nil {
		return f.src.Errorf("a port before the node that it belongs to: is the beginning missing?")
	}
	port, rest, ok := portNumber(line)
	own, rest := portGUID(rest)
	kind, guid, rest, ok2 := nodeID(textfile.SkipBlanks(rest))
	far, rest, ok3 := portNumber(rest)
	if !ok || !ok2 || !ok3 {
		return f.src.Errorf(`want [PORT] "ID"[PORT] # ..., got %q`, textfile.Clip(line))
	}
	if port < 1 || port > n.ports {
		return f.src.Errorf("port %d of %s, which has ports 1 to %d", port, n.name, n.ports)
	}
	to, err := f.node(kind, guid)
	if err != nil {
		return err
	}
	if g, _ := portGUID(rest); g != 0 && kind != switchNode {
		if old := to.port[far]; old != 0 && old != g {
			return f.src.Errorf("port %d of node 0x%016x has port GUIDs 0x%016x and 0x%016x", far, guid, old, g)
		}
		to.port[far] = g
	}
	if n.kind != switchNode {
		if err := f.hostPort(n, port, own, rest); err != nil {
			return err
		}
	}
	return f.join(plug{n.guid, port}, plug{guid, far})
}

// hostPort reads an adapter's own address from its port line.
func (f *fabric) hostPort(n *fabricNode, port int, own uint64, rest []byte) error {
	if own != 0 {
		if old := n.port[port]; old != 0 && old != own {
			return f.src.Errorf("port %d of %s has port GUIDs 0x%016x and 0x%016x", port, n.name, old, own)
		}
		n.port[port] = own
	}
	if i := bytes.IndexByte(rest, '"'); i >= 0 {
		rest = rest[:i] // the name and LID of the switch follow
	}
	lid, ok := keyed(rest, "lid")
	lmc, ok2 := keyed(rest, "lmc")
	if !ok || !ok2 {
		return f.src.Errorf("port %d of %s without lid and lmc", port, n.name)
	}
	a, err := f.address(lid, lmc)
	n.addr[port] = a
	return err
}

// writeIBNetDiscover writes the network as ibnetdiscover does, without the width and speed of
// links, which the model does not have.
func writeIBNetDiscover(w io.Writer, n *model.Network) error {
	p := func(format string, a ...any) { fmt.Fprintf(w, format, a...) }
	p("#\n# Topology file: written by turnproof\n#\n")
	for u := range model.SwitchID(n.NumSwitches()) {
		s := n.Switch(u)
		guid := SwitchGUID(n, u)
		p("\nswitchguid=0x%x(%x)\nSwitch\t%d \"S-%016x\"\t\t# \"%s\" base port 0 lid %d lmc %d\n", guid, guid, switchPorts(n, u), guid, s.Name, s.LID, s.LMC)
		for _, c := range n.Out(u) {
			h := n.HostOf(c)
			switch {
			case h == model.NoHost:
				v := n.Head(c)
				p("[%d]\t\"S-%016x\"[%d]\t\t# \"%s\" lid %d\n", n.TailPort(c), SwitchGUID(n, v), n.HeadPort(c), n.Switch(v).Name, n.Switch(v).LID)
			case !n.Host(h).Management:
				e := n.Host(h)
				p("[%d]\t\"H-%016x\"[%d](%x) \t\t# \"%s\" lid %d\n", n.TailPort(c), NodeGUID(n, h), nodePort(e), PortGUIDOf(n, h), e.Name, e.LID)
			}
		}
	}
	for _, node := range adapters(n) {
		e := n.Host(node[0])
		p("\ncaguid=0x%x\nCa\t%d \"H-%016x\"\t\t# \"%s\"\n", NodeGUID(n, node[0]), adapterPorts(n, node), NodeGUID(n, node[0]), e.Name)
		for _, h := range node {
			e, u := n.Host(h), n.Host(h).Switch
			p("[%d](%x) \t\"S-%016x\"[%d]\t\t# lid %d lmc %d \"%s\" lid %d\n", nodePort(e), PortGUIDOf(n, h), SwitchGUID(n, u), e.Port, e.LID, e.LMC,
				n.Switch(u).Name, n.Switch(u).LID)
		}
	}
	return nil
}

func adapterPorts(n *model.Network, hosts []model.HostID) int {
	return slices.Max(append(portsOfHosts(n, hosts), 1))
}

func portsOfHosts(n *model.Network, hosts []model.HostID) []int {
	ports := make([]int, len(hosts))
	for i, h := range hosts {
		ports[i] = nodePort(n.Host(h))
	}
	return ports
}

func IsIBNetDiscover(head []byte) bool {
	return textfile.HasLine(head, "Switch\t") || textfile.HasLine(head, "switchguid=") || textfile.HasLine(head, "caguid=") || textfile.HasLine(head, "vendid=")
}

func init() {
	format.RegisterNetwork(format.NetworkFormat{Name: "ibnetdiscover", About: "output of ibnetdiscover", Rank: 10, KeepsGUIDs: true,
		Is: IsIBNetDiscover, Read: readIBNetDiscover, Write: writeIBNetDiscover})
}
