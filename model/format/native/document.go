package native

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"errors"
	"strconv"
	"strings"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/bubble"
	"github.com/turnproof/turnproof/model/format"
	"github.com/turnproof/turnproof/model/format/textfile"
	"github.com/turnproof/turnproof/model/format/wiring"
)

// This file reads the objects of our JSON and YAML formats, turnproof.network/1
// (docs/schema/network.json). network.go makes the network of them.
// A file looks like this:
//
//	schema: turnproof.network/1
//	vcs: 2                          # virtual channels per channel, default 1
//	grid: {sides: [4, 4], wrap: [true, true], place: [0, 1, ...]}
//	flow: {rule: bubble, packet: 4, buffer: 8}    # flow control of rings; see package bubble
//	attributes: {group: [0, 0, 1, 1, null], level: [0, 1, 0, 1, 2]}    # of each switch, for routing programs
//	switches:
//	  - {name: S0, guid: "0x...", ports: 36, lid: 1, lmc: 0}
//	hosts:
//	  - {name: h0, switch: S0, port: 5, node_guid: "0x...", port_guid: "0x...",
//	     node_port: 1, lid: 7, lmc: 0, management: false}
//	links:
//	  - {a: 0, a_port: 1, a_name: swp1, b: S1, b_port: 2, latency: [4, 5], flit_clocks: 2, buffer: 16}    # also of hosts, see channels.go
//
// Everything of a model.Network is kept, including the numbers of switches, hosts
// and links. A file written by hand may omit most of it:
//
//   - A switch is named by its number or, if it is unique, by its name.
//   - A missing port is the smallest free one from 1 on, links first. a_name, b_name and port_name of hosts are names of ports, for texts.
//   - Without "hosts" each switch has one host (h0, h1, ...). With an empty list
//     there are no hosts.
//
// A name that is not UTF-8, which InfiniBand permits, is written as name_base64.
//
// An unknown key is an error. Memory: one object in addition to the network.

// networkSchema names the format.
const networkSchema = "turnproof.network/1"

// document collects the objects of a file.
type document struct {
	src     *textfile.File
	b       *model.Builder
	seen    map[string]bool // keys of the file read so far
	version bool

	switches []string       // names of the switches
	byName   map[string]int // by name: number of the switch, or -1 if several switches have the name
	hosts    []model.Host
	hostEnd  []cableEnd
	links    [][2]cableEnd
	oneWay   []bool // by link

	attributes    map[string][]int32
	attributeLine int

	flow     *model.FlowControl
	flowLine int

	cables, hostCables []cableObject // of links and hosts
	attributed         bool          // whether a cable has attributes
}

// cableEnd is one end of a cable.
type cableEnd struct {
	ref  switchRef
	port model.Port
	name string // of the port, or ""
	line int
}

func newDocument(src *textfile.File) *document {
	return &document{src: src, b: model.NewBuilder(), seen: map[string]bool{}, byName: map[string]int{},
		attributes: map[string][]int32{}}
}

func (d *document) fault(line int, format string, a ...any) error {
	return d.src.ErrorAt(line, format, a...)
}

// keysOfFile are the keys of the file; list says whether the value is a list of objects.
var keysOfFile = []struct {
	name string
	list bool
}{{"schema", false}, {"vcs", false}, {"grid", false}, {"flow", false}, {"attributes", false}, {"switches", true}, {"hosts", true}, {"links", true}}

// key records a key of the file and reports whether its value is a list of objects.
func (d *document) key(name string, line int) (list bool, err error) {
	var names []string
	for _, k := range keysOfFile {
		if k.name == name {
			if d.seen[name] {
				return false, d.fault(line, "%s occurs twice", name)
			}
			d.seen[name] = true
			return k.list, nil
		}
		names = append(names, k.name)
	}
	return false, d.fault(line, "unknown key %q, known are %s", textfile.Clip(name), strings.Join(names, ", "))
}

// decode stores the JSON value raw, which begins in the given line, in into. Unknown keys are
// errors.
func (d *document) decode(raw []byte, into any, what string, line int) error {
	_, err := textfile.DecodeStrict(bytes.NewReader(raw), into)
	if err == nil {
		return nil
	}
	msg := err.Error()
	if known := fieldsOf[what]; strings.HasPrefix(msg, "unknown field") {
		msg += ", known are " + known
	}
	var at *textfile.StrictError
	if errors.As(err, &at) {
		line += max(at.Line-1, 0)
	}
	return d.fault(line, "%s: %s", what, msg)
}

var fieldsOf = map[string]string{
	"switch": "name, name_base64, guid, ports, lid, lmc",
	"host":   "name, name_base64, switch, port, port_name, node_guid, port_guid, node_port, lid, lmc, management, latency, flit_clocks, buffer",
	"link":   "a, a_port, a_name, b, b_port, b_name, latency, flit_clocks, buffer",
	"grid":   "sides, wrap, place",
	"flow":   "rule, packet, buffer",
}

// value stores the value of a key that is not a list of objects.
func (d *document) value(key string, raw []byte, line int) error {
	switch key {
	case "schema":
		var s string
		if err := d.decode(raw, &s, "schema", line); err != nil {
			return err
		}
		if s != networkSchema {
			return d.fault(line, "schema %q, want %s", textfile.Clip(s), networkSchema)
		}
		d.version = true
	case "vcs":
		var vcs int
		if err := d.decode(raw, &vcs, "vcs", line); err != nil {
			return err
		}
		if vcs < 1 || vcs > model.MaxVCs {
			return d.fault(line, "vcs is %d, allowed are 1 to %d", vcs, model.MaxVCs)
		}
		d.b.SetVCs(vcs)
	case "grid":
		var g *gridObject
		if err := d.decode(raw, &g, "grid", line); err != nil {
			return err
		}
		if g != nil {
			d.b.SetGrid(&model.Grid{Sides: g.Sides, Wrap: g.Wrap, Place: g.Place})
		}
	case "flow":
		return d.setFlow(raw, line)
	case "attributes":
		var list map[string][]*int32
		if err := d.decode(raw, &list, "attributes", line); err != nil {
			return err
		}
		return d.setAttributes(list, line)
	}
	return nil
}

// setFlow reads flow control of rings.
func (d *document) setFlow(raw []byte, line int) error {
	var f *flowControlObject
	if err := d.decode(raw, &f, "flow", line); err != nil || f == nil {
		return err
	}
	rule, err := bubble.Parse(f.Rule)
	if err != nil {
		return d.fault(line, "%v", err)
	}
	d.flow, d.flowLine = &model.FlowControl{Rule: rule.String(), Packet: f.Packet, Buffer: f.Buffer, Rings: f.Rings}, line
	return nil
}

// element adds an object to the list of a key.
func (d *document) element(key string, raw []byte, line int) error {
	if len(raw) == 0 || raw[0] != '{' {
		return d.fault(line, "%s: %s, want an object", key, textfile.Clip(raw))
	}
	switch key {
	case "switches":
		return d.addSwitch(raw, line)
	case "hosts":
		return d.addHost(raw, line)
	}
	return d.addLink(raw, line)
}

func (d *document) addSwitch(raw []byte, line int) error {
	var s switchObject
	if err := d.decode(raw, &s, "switch", line); err != nil {
		return err
	}
	name, err := d.name(s.Name, s.Base64, line)
	if err != nil {
		return err
	}
	if s.Ports < 0 || s.Ports > model.MaxPort {
		return d.fault(line, "switch: %d ports, allowed are 0 (as many as are in use) to %d", s.Ports, model.MaxPort)
	}
	if err := d.checkLID("switch", s.LID, s.LMC, line); err != nil {
		return err
	}
	if _, twice := d.byName[name]; twice {
		d.byName[name] = -1
	} else {
		d.byName[name] = len(d.switches)
	}
	d.switches = append(d.switches, name)
	d.b.AddSwitch(model.Switch{Name: name, GUID: uint64(s.GUID), Ports: s.Ports, LID: uint16(s.LID), LMC: uint8(s.LMC)})
	return nil
}

func (d *document) addHost(raw []byte, line int) error {
	var h hostObject
	if err := d.decode(raw, &h, "host", line); err != nil {
		return err
	}
	name, err := d.name(h.Name, h.Base64, line)
	if err != nil {
		return err
	}
	if err := d.checkLID("host", h.LID, h.LMC, line); err != nil {
		return err
	}
	if h.NodePort < 0 || h.NodePort > model.MaxPort {
		return d.fault(line, "host: node_port %d, allowed are 0 (unknown) to %d", h.NodePort, model.MaxPort)
	}
	end, err := d.end("host", "switch", h.Switch, h.Port, h.PortName, line)
	if err != nil {
		return err
	}
	d.hostEnd = append(d.hostEnd, end)
	d.hosts = append(d.hosts, model.Host{Name: name, NodeGUID: uint64(h.NodeGUID), PortGUID: uint64(h.PortGUID), NodePort: h.NodePort,
		LID: uint16(h.LID), LMC: uint8(h.LMC), Management: h.Management})
	d.addCable(&d.hostCables, h.cableObject)
	return d.crowded()
}

func (d *document) addLink(raw []byte, line int) error {
	var l linkObject
	if err := d.decode(raw, &l, "link", line); err != nil {
		return err
	}
	a, err := d.end("link", "a", l.A, l.APort, l.AName, line)
	if err != nil {
		return err
	}
	b, err := d.end("link", "b", l.B, l.BPort, l.BName, line)
	if err != nil {
		return err
	}
	d.links, d.oneWay = append(d.links, [2]cableEnd{a, b}), append(d.oneWay, l.OneWay)
	d.addCable(&d.cables, l.cableObject)
	return d.crowded()
}

// crowded returns an error if a switch has more cables than it can have ports. It counts the
// cables each time their number has doubled, so that a malicious file cannot fill the memory.
func (d *document) crowded() error {
	if k := len(d.links) + len(d.hostEnd); k <= model.MaxPort || k&(k-1) != 0 {
		return nil
	}
	ends := map[switchRef]int{}
	count := func(e cableEnd) error {
		if ends[e.ref]++; ends[e.ref] > wiring.MostEnds {
			return d.fault(e.line, "switch %s has more cables than a switch can have ports, %d", cmp.Or(e.ref.name, strconv.Itoa(e.ref.id)), model.MaxPort)
		}
		return nil
	}
	for _, l := range d.links {
		if err := cmp.Or(count(l[0]), count(l[1])); err != nil {
			return err
		}
	}
	for _, e := range d.hostEnd {
		if err := count(e); err != nil {
			return err
		}
	}
	return nil
}

func (d *document) name(plain, coded string, line int) (string, error) {
	if coded == "" {
		return plain, nil
	}
	raw, err := base64.StdEncoding.DecodeString(coded)
	if err != nil || plain != "" {
		return "", d.fault(line, "name_base64 %q, want base64, and no name beside it", textfile.Clip(coded))
	}
	return string(raw), nil
}

func (d *document) checkLID(what string, lid, lmc, line int) error {
	if lid < 0 || lid > format.MaxUnicastLID || lmc < 0 || lmc > 7 || lid+1<<lmc-1 > format.MaxUnicastLID {
		return d.fault(line, "%s: LID %d with LMC %d, allowed are LIDs 1 to %d (0: none) and LMCs 0 to 7", what, lid, lmc, format.MaxUnicastLID)
	}
	return nil
}

func (d *document) end(what, field string, ref *switchRef, port *int, name string, line int) (cableEnd, error) {
	if ref == nil {
		return cableEnd{}, d.fault(line, "%s: %s is missing, want the number or name of a switch", what, field)
	}
	e := cableEnd{ref: *ref, port: wiring.NoPort, name: name, line: line}
	if port != nil {
		if *port < 0 || *port > model.MaxPort {
			return e, d.fault(line, "%s: port %d, allowed are 0 to %d", what, *port, model.MaxPort)
		}
		e.port = model.Port(*port)
	}
	return e, nil
}
