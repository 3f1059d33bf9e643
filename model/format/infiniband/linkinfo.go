package infiniband

import (
	"bytes"
	"fmt"
	"io"
	"regexp"
	"strconv"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format"
	"github.com/turnproof/turnproof/model/format/textfile"
)

// This file reads and writes the output of iblinkinfo (infiniband-diags). It has a block for each node and a line for each port:
//
//	Switch: 0x0000000000200002 S2:
//	           4    1[  ] ==( 4X 2.5 Gbps Active/  LinkUp)==>       6    2[  ] "S3" ( )
//	           4    2[  ] ==(                Down/ Polling)==>             [  ] "" ( )
//	CA: H5:
//	      0x000000000010000b     10    1[  ] ==( 4X 2.5 Gbps Active/  LinkUp)==>       4    4[  ] "S2" ( )
//
// The numbers are LID and port. With -l, each line has the GUID and the name of its own port, and the GUID of the other one:
//
//	0x000000000010000b "            H5"     10    1[  ] ==( 4X 2.5 Gbps Active/  LinkUp)==>  0x0000000000200002      4    4[  ] "S2" ( )
//
// With -p, further settings stand behind the state. Adapters and routers are the same in the form of -l.

// linkInfoLine matches the line of a port. Names may contain anything.
var linkInfoLine = regexp.MustCompile(`^ *(?:0x([0-9a-fA-F]+) +)?(?:"(.*?)" +)?(\d+) +(\d+)\[ *\d* *\] +<?==\((.*?)\)==>` +
	` +(?:(?:0x([0-9a-fA-F]+) +)?(\d+) +(\d+)\[ *\d* *\] "(.*)" \(.*\)|(\[ *\] "" \( *\))|("Port not available")) *$`)

// Groups of linkInfoLine.
const (
	linkGUID = iota + 1
	linkName
	linkLID
	linkPort
	linkState
	linkFarGUID
	linkFarLID
	linkFarPort
	linkFarName
	linkNothing
	linkNotAvailable
)

// linkInfoHead matches the first line of a block.
var linkInfoHead = regexp.MustCompile(`^(Switch:? 0x([0-9a-fA-F]+)|CA:|Router:) (.*):$`)

const linkInfoWhole = "want all ports of all nodes, as iblinkinfo and iblinkinfo -l print them without further options"

// isDown matches the state of a port without a link.
var isDown = regexp.MustCompile(`\bDown/`)

// linkInfoReader is the state of the reader.
type linkInfoReader struct {
	*portList
	kind nodeKind // of the current block, or 0
	guid uint64   // of the current block, if it is a switch
	name string
}

func readLinkInfo(src *textfile.File, o format.Options) (*model.Network, []string, error) {
	r := &linkInfoReader{portList: newPortList(src, o, linkInfoWhole)}
	err := src.Each(func(line []byte) error {
		switch m := linkInfoHead.FindSubmatch(line); {
		case len(bytes.TrimSpace(line)) == 0:
			return nil
		case m != nil:
			return r.head(m)
		}
		m := linkInfoLine.FindSubmatch(line)
		if m == nil {
			return src.Errorf("%q is no line of iblinkinfo", textfile.Clip(line))
		}
		return r.port(m)
	})
	if err != nil {
		return nil, nil, err
	}
	return r.build(o)
}

// head begins a block.
func (r *linkInfoReader) head(m [][]byte) (err error) {
	r.name = shownName(m[3])
	switch m[1][0] {
	case 'S':
		r.kind = switchNode
		r.guid, err = r.number(m[2], 16)
	case 'C':
		r.kind, r.guid = hostNode, 0
	default:
		r.kind, r.guid = routerNode, 0
	}
	return err
}

// number reads a number that the expression has matched.
func (l *portList) number(text []byte, base int) (uint64, error) {
	bits := 64
	if base == 10 {
		bits = 31
	}
	v, err := strconv.ParseUint(string(text), base, bits)
	if err != nil {
		return 0, l.src.Errorf("%q is too large a number", textfile.Clip(text))
	}
	return v, nil
}

// end reads an end of a cable.
func (l *portList) end(guid, lid, port, name []byte) (e portEnd, err error) {
	if guid != nil {
		if e.guid, err = l.number(guid, 16); err != nil {
			return e, err
		}
	}
	a, err := l.number(lid, 10)
	if err != nil {
		return e, err
	}
	p, err := l.number(port, 10)
	e.lid, e.port, e.name = int(a), int(p), shownName(name)
	return e, err
}

// port reads the line of a port.
func (r *linkInfoReader) port(m [][]byte) error {
	own, err := r.end(m[linkGUID], m[linkLID], m[linkPort], m[linkName])
	switch {
	case err != nil:
		return err
	case m[linkName] != nil && own.guid != 0: // -l
	case m[linkName] != nil || r.kind == 0 || (r.kind == switchNode) != (m[linkGUID] == nil):
		return r.src.Errorf("a port before the node that it belongs to, or of another kind: is a line missing?")
	default:
		own.name, own.kind = r.name, r.kind
		if r.kind == switchNode {
			own.guid = r.guid
		}
	}
	switch {
	case m[linkNotAvailable] != nil:
		return r.src.Errorf("the other end of port %d of %s did not answer, so a part of the fabric may be missing: run iblinkinfo again", own.port, own.name)
	case m[linkNothing] != nil && !isDown.Match(m[linkState]):
		return r.src.Errorf("port %d of %s has a link to nothing", own.port, own.name)
	case m[linkNothing] != nil, isDown.Match(m[linkState]):
		return r.add(own, portEnd{}, false)
	}
	far, err := r.end(m[linkFarGUID], m[linkFarLID], m[linkFarPort], m[linkFarName])
	if err != nil {
		return err
	}
	if (m[linkName] != nil) != (far.guid != 0) {
		return r.src.Errorf("GUIDs of both ends or of none are wanted, got %q", textfile.Clip(m[0]))
	}
	return r.add(own, far, true)
}

// writeLinkInfo writes the network as iblinkinfo -l does.
func writeLinkInfo(w io.Writer, n *model.Network) error {
	return writePorts(n, func(own portEnd, far *portEnd) error {
		state, to := " 4X           2.5 Gbps Active/  LinkUp", ""
		if far == nil {
			state, to = "                Down/ Polling", `           [  ] "" ( )`
		} else {
			to = fmt.Sprintf(`0x%016x %6d %4d[  ] "%s" ( )`, far.guid, far.lid, far.port, far.name)
		}
		_, err := fmt.Fprintf(w, "0x%016x \"%30s\" %6d %4d[  ] ==(%s)==>  %s\n", own.guid, own.name, own.lid, own.port, state, to)
		return err
	})
}

// writePorts calls write for each port of the network, and for the other end of its cable if it has one.
func writePorts(n *model.Network, write func(own portEnd, far *portEnd) error) error {
	ofSwitch := func(u model.SwitchID, p model.Port) portEnd {
		return portEnd{kind: switchNode, guid: SwitchGUID(n, u), name: n.Switch(u).Name, lid: int(n.Switch(u).LID), port: int(p)}
	}
	ofHost := func(h model.HostID) portEnd {
		e := n.Host(h)
		return portEnd{kind: hostNode, guid: PortGUIDOf(n, h), name: e.Name, lid: int(e.LID), port: nodePort(e)}
	}
	for u := range model.SwitchID(n.NumSwitches()) {
		to := map[int]*portEnd{}
		for _, c := range n.Out(u) {
			far := portEnd{}
			if h := n.HostOf(c); h == model.NoHost {
				far = ofSwitch(n.Head(c), n.HeadPort(c))
			} else if far = ofHost(h); n.Host(h).Management {
				continue
			}
			to[int(n.TailPort(c))] = &far
		}
		for p := 1; p <= max(switchPorts(n, u), 2); p++ { // with two ports it is known as a switch
			if err := write(ofSwitch(u, model.Port(p)), to[p]); err != nil {
				return err
			}
		}
	}
	for h := range model.HostID(n.NumHosts()) {
		far := ofSwitch(n.Host(h).Switch, n.Host(h).Port)
		if err := write(ofHost(h), &far); err != nil {
			return err
		}
	}
	return nil
}

// linkInfoMark matches a line of iblinkinfo in any of its versions.
var linkInfoMark = regexp.MustCompile(`(?m)\]\s*<?==\(.*\)==>`)

// IsLinkInfo recognises output of iblinkinfo by its first kilobytes.
func IsLinkInfo(head []byte) bool { return linkInfoMark.Match(head) }

func init() {
	format.RegisterNetwork(format.NetworkFormat{Name: "iblinkinfo", About: "output of iblinkinfo, also with -l", Rank: 26, KeepsGUIDs: true,
		Is: IsLinkInfo, Read: readLinkInfo, Write: writeLinkInfo})
}
