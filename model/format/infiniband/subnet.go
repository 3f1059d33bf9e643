package infiniband

import (
	"bytes"
	"fmt"
	"io"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format"
	"github.com/turnproof/turnproof/model/format/textfile"
)

// This file reads and writes opensm-subnet.lst, OpenSM's list of links, which ibdmchk -s reads, and the .lst of ibdiagnet in the same form. It
// has a line per link end, with numbers in hexadecimal without 0x:
//
//	{ CA Ports:01 SystemGUID:... NodeGUID:... PortGUID:... VenID:... DevID:...
//	  Rev:... {H0} LID:0001 PN:01 } { SW Ports:08 ... {SW0} LID:0002 PN:03 }
//	  PHY=4x LOG=ACT SPD=2.5
//
// The node type of the port of OpenSM itself ends in -SM, as in CA-SM. The list has no LMC; Options.LMC is used for hosts. It does not contain
// switches without a cable.

// readSubnet reads the list. Links that are down (LOG=DWN) are left out.
func readSubnet(src *textfile.File, o format.Options) (*model.Network, []string, error) {
	f := newFabric(src, o)
	f.found.LMCUnknown = o.LMC == 0 && !o.IsLMCKnown
	f.found.IsLMCFromFlag = !f.found.LMCUnknown
	err := src.Each(func(line []byte) error {
		line = textfile.SkipBlanks(line)
		if len(line) == 0 || line[0] == '#' || bytes.Contains(line, []byte(" LOG=DWN")) {
			return nil
		}
		return f.subnetLine(line, o)
	})
	if err != nil {
		return nil, nil, err
	}
	return f.network()
}

func (f *fabric) subnetLine(line []byte, o format.Options) error {
	near, rest, err := f.subnetEnd(line, o)
	if err != nil {
		return err
	}
	far, rest, err := f.subnetEnd(textfile.SkipBlanks(rest), o)
	if err != nil {
		return err
	}
	if !bytes.Contains(rest, []byte("LOG=")) {
		return f.src.Errorf("link state (LOG=...) missing: %q", textfile.Clip(rest))
	}
	return f.join(near, far)
}

// subnetEnd reads one "{ ... }" from the front of b.
func (f *fabric) subnetEnd(b []byte, o format.Options) (plug, []byte, error) {
	fail := func() (plug, []byte, error) {
		return plug{}, nil, f.src.Errorf("want { CA|SW Ports:.. NodeGUID:.. PortGUID:.. {NAME} LID:.. PN:.. }, got %q", textfile.Clip(b))
	}
	if !bytes.HasPrefix(b, []byte("{ ")) {
		return fail()
	}
	i := bytes.Index(b, []byte(" {"))
	j := bytes.Index(b, []byte("} LID:"))
	if i < 2 || j < i { // the braces do not enclose a name
		return fail()
	}
	head, name, tail := b[2:i], cleanName(string(b[i+2:j])), b[j+2:]
	if k := len(name) - 1; k > 0 && name[0] == '"' && name[k] == '"' { // as ibdiagnet of ibutils2 writes it
		name = name[1:k]
	}
	k := bytes.Index(tail, []byte(" }"))
	if k < 0 {
		return fail()
	}
	tail, rest := tail[:k], tail[k+2:]
	v, err := f.endFields(head, tail)
	if err != nil {
		return plug{}, nil, err
	}
	if word, _, _ := bytes.Cut(head, []byte(" ")); bytes.HasSuffix(word, []byte("-SM")) {
		if sm := f.found.SubnetManager; sm != 0 && sm != v.portGUID {
			return plug{}, nil, f.src.Errorf("a second port of OpenSM (-SM), 0x%016x besides 0x%016x; want one list", v.portGUID, sm)
		}
		f.found.SubnetManager, f.found.ManagerFile = v.portGUID, textfile.Base(f.src.Name)
	}
	kind := hostNode
	switch {
	case bytes.HasPrefix(head, []byte("SW")):
		kind = switchNode
	case bytes.HasPrefix(head, []byte("R")):
		kind = routerNode
	case !bytes.HasPrefix(head, []byte("CA")):
		return fail()
	}
	at, err := f.describe(kind, name, v, o)
	return at, rest, err
}

// endNumbers are the numbers of a link's end.
type endNumbers struct{ ports, nodeGUID, portGUID, lid, pn uint64 }

// endFields reads "KEY:HEX KEY:HEX ..." from both parts of an end.
func (f *fabric) endFields(parts ...[]byte) (v endNumbers, err error) {
	wanted := [...]struct {
		key string
		to  *uint64
	}{{"Ports", &v.ports}, {"NodeGUID", &v.nodeGUID}, {"PortGUID", &v.portGUID}, {"LID", &v.lid}, {"PN", &v.pn}}
	seen := 0
	for _, part := range parts {
		for len(part) > 0 {
			var field []byte
			field, part, _ = bytes.Cut(textfile.SkipBlanks(part), []byte(" "))
			key, text, found := bytes.Cut(field, []byte(":"))
			if !found {
				continue
			}
			x, left, ok := textfile.Hex(text)
			if !ok || len(left) > 0 {
				return v, f.src.Errorf("%s is not a hexadecimal number: %q", key, textfile.Clip(text))
			}
			for i, w := range wanted {
				if string(key) == w.key {
					*w.to = x
					seen |= 1 << i
				}
			}
		}
	}
	for i, w := range wanted {
		if seen>>i&1 == 0 {
			return v, f.src.Errorf("%s is missing", w.key)
		}
	}
	return v, nil
}

// describe records the data of a node in a line. All lines of a node must agree.
func (f *fabric) describe(kind nodeKind, name string, v endNumbers, o format.Options) (plug, error) {
	guid, pn, ports := v.nodeGUID, v.pn, v.ports
	n, err := f.node(kind, guid)
	if err != nil {
		return plug{}, err
	}
	if ports < 1 || ports > 254 || pn < 1 || pn > ports {
		return plug{}, f.src.Errorf("port %d of %d of %s, allowed are ports 1 to 254", pn, ports, name)
	}
	lmc := 0
	if kind != switchNode {
		lmc = int(o.LMC)
	}
	if v.lid > format.MaxUnicastLID {
		return plug{}, f.src.Errorf("LID 0x%x, allowed are LIDs up to 0x%x", v.lid, format.MaxUnicastLID)
	}
	addr, err := f.address(int(v.lid), lmc)
	if err != nil {
		return plug{}, err
	}
	p := int(pn)
	if n.line != 0 && (n.name != name || n.ports != int(ports)) ||
		kind == switchNode && n.line != 0 && n.port0 != addr ||
		kind != switchNode && n.port[p] != 0 && (n.port[p] != v.portGUID || n.addr[p] != addr) {
		return plug{}, f.src.Errorf("node 0x%016x is described otherwise than in line %d", guid, n.line)
	}
	if n.line == 0 {
		n.line, n.name, n.ports = f.src.Line, name, int(ports)
	}
	if kind == switchNode {
		n.port0 = addr
	} else {
		n.port[p], n.addr[p] = v.portGUID, addr
	}
	return plug{guid, p}, nil
}

// writeSubnet writes the list, with a line for each end of each link.
func writeSubnet(w io.Writer, n *model.Network) error {
	ports := make([]int, n.NumHosts()) // by host: number of ports of its adapter
	for _, node := range adapters(n) {
		for _, h := range node {
			ports[h] = adapterPorts(n, node)
		}
	}
	end := func(c model.ChannelID, tail bool) string {
		u, p, h := n.Tail(c), n.TailPort(c), n.HostOf(c)
		if !tail {
			u, p = n.Head(c), n.HeadPort(c)
		}
		if u != model.NoSwitch {
			g := SwitchGUID(n, u)
			return fmt.Sprintf("{ SW Ports:%02X SystemGUID:%016x NodeGUID:%016x PortGUID:%016x VenID:00000000 DevID:0000 Rev:00000000 "+
				"{%s} LID:%04X PN:%02X }", switchPorts(n, u), g, g, g, n.Switch(u).Name, n.Switch(u).LID, p)
		}
		e, g := n.Host(h), NodeGUID(n, h)
		return fmt.Sprintf("{ CA Ports:%02X SystemGUID:%016x NodeGUID:%016x PortGUID:%016x VenID:00000000 DevID:0000 Rev:00000000 {%s} "+
			"LID:%04X PN:%02X }", ports[h], g, g, PortGUIDOf(n, h), e.Name, e.LID, nodePort(e))
	}
	for c := range model.ChannelID(n.NumChannels()) {
		if h := n.HostOf(c); h != model.NoHost && n.Host(h).Management {
			continue
		}
		if _, err := fmt.Fprintf(w, "%s %s PHY=4x LOG=ACT SPD=2.5\n", end(c, true), end(c, false)); err != nil {
			return err
		}
	}
	return nil
}

func IsSubnet(head []byte) bool {
	return textfile.HasLine(head, "{ CA") || textfile.HasLine(head, "{ SW") || textfile.HasLine(head, "{ R")
}

func init() {
	format.RegisterNetwork(format.NetworkFormat{Name: "subnet", About: "opensm-subnet.lst, and the .lst of ibdiagnet", Rank: 20, KeepsGUIDs: true,
		Is: IsSubnet, Read: readSubnet, Write: writeSubnet})
}
