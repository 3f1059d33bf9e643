package format

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/bubble"
)

// This file has the parts that our JSON and YAML formats share: the objects of
// turnproof.network/1 (docs/schema/network.json):
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
//	  - {a: 0, a_port: 1, b: S1, b_port: 2, latency: [4, 5], flit_clocks: 2, buffer: 16}    # also of hosts, see nativechannels.go
//
// Everything of a model.Network is kept, including the numbers of switches, hosts
// and links. A file written by hand may omit most of it:
//
//   - A switch is named by its number or, if it is unique, by its name.
//   - A missing port is the smallest free one from 1 on, links first.
//   - Without "hosts" each switch has one host (h0, h1, ...). With an empty list
//     there are no hosts.
//
// A name that is not UTF-8, which InfiniBand permits, is written as name_base64.
//
// An unknown key is an error. Memory: one object in addition to the network.

// nativeSchema names the format.
const nativeSchema = "turnproof.network/1"

type (
	nativeSwitch struct {
		Name   string     `json:"name,omitempty"`
		Base64 string     `json:"name_base64,omitempty"`
		GUID   nativeGUID `json:"guid,omitempty"`
		Ports  int        `json:"ports,omitempty"`
		LID    int        `json:"lid,omitempty"`
		LMC    int        `json:"lmc,omitempty"`
	}
	nativeHost struct {
		Name       string     `json:"name,omitempty"`
		Base64     string     `json:"name_base64,omitempty"`
		Switch     *nativeRef `json:"switch"`
		Port       *int       `json:"port,omitempty"`
		NodeGUID   nativeGUID `json:"node_guid,omitempty"`
		PortGUID   nativeGUID `json:"port_guid,omitempty"`
		NodePort   int        `json:"node_port,omitempty"`
		LID        int        `json:"lid,omitempty"`
		LMC        int        `json:"lmc,omitempty"`
		Management bool       `json:"management,omitempty"`
		nativeCable
	}
	nativeLink struct {
		A     *nativeRef `json:"a"`
		APort *int       `json:"a_port,omitempty"`
		B     *nativeRef `json:"b"`
		BPort *int       `json:"b_port,omitempty"`
		nativeCable
	}
	nativeFlow struct {
		Rule   string `json:"rule"`
		Packet int    `json:"packet,omitempty"`
		Buffer int    `json:"buffer,omitempty"`
	}
	nativeGrid struct {
		Sides []int  `json:"sides"`
		Wrap  []bool `json:"wrap"`
		Place []int  `json:"place,omitempty"`
	}
)

// nativeGUID is written as a string, because JSON numbers are not exact above 2^53.
type nativeGUID uint64

// MarshalJSON implements json.Marshaler.
func (g nativeGUID) MarshalJSON() ([]byte, error) {
	return fmt.Appendf(nil, "\"0x%016x\"", uint64(g)), nil
}

// UnmarshalJSON implements json.Unmarshaler.
func (g *nativeGUID) UnmarshalJSON(b []byte) error {
	text := strings.Trim(string(b), `"`)
	v, rest, ok := hexField([]byte(text))
	if !ok || len(rest) > 0 || len(b) < 2 || b[0] != '"' || len(text) < 3 || text[:2] != "0x" {
		return fmt.Errorf(`GUID %s, want a string of hexadecimal digits such as "0x0002c9030000000a"`, clip(b))
	}
	*g = nativeGUID(v)
	return nil
}

// nativeRef refers to a switch by number or by name.
type nativeRef struct {
	name  string
	id    int
	named bool
}

// MarshalJSON implements json.Marshaler.
func (r nativeRef) MarshalJSON() ([]byte, error) { return strconv.AppendInt(nil, int64(r.id), 10), nil }

// UnmarshalJSON implements json.Unmarshaler.
func (r *nativeRef) UnmarshalJSON(b []byte) error {
	if len(b) > 0 && b[0] == '"' {
		r.named = true
		return json.Unmarshal(b, &r.name)
	}
	if r.id = decimal(string(b)); r.id < 0 {
		return fmt.Errorf("switch %s, want its number or its name", clip(b))
	}
	return nil
}

// native collects the objects of a file.
type native struct {
	src     *lines
	b       *model.Builder
	seen    map[string]bool // keys of the file read so far
	version bool

	switches []string       // names of the switches
	byName   map[string]int // by name: number of the switch, or -1 if several switches have the name
	hosts    []model.Host
	hostEnd  []nativeEnd
	links    [][2]nativeEnd

	attributes    map[string][]int32
	attributeLine int

	flow     *model.FlowControl
	flowLine int

	cables, hostCables []nativeCable // of links and hosts
	attributed         bool          // whether a cable has attributes
}

// nativeEnd is one end of a cable.
type nativeEnd struct {
	ref  nativeRef
	port model.Port
	line int
}

func newNative(src *lines) *native {
	return &native{src: src, b: model.NewBuilder(), seen: map[string]bool{}, byName: map[string]int{},
		attributes: map[string][]int32{}}
}

func (d *native) fault(line int, format string, a ...any) error {
	return &Error{File: d.src.name, Line: line, Msg: fmt.Sprintf(format, a...)}
}

// nativeKeys are the keys of the file; list says whether the value is a list of objects.
var nativeKeys = []struct {
	name string
	list bool
}{{"schema", false}, {"vcs", false}, {"grid", false}, {"flow", false}, {"attributes", false}, {"switches", true}, {"hosts", true}, {"links", true}}

// key records a key of the file and reports whether its value is a list of objects.
func (d *native) key(name string, line int) (list bool, err error) {
	var names []string
	for _, k := range nativeKeys {
		if k.name == name {
			if d.seen[name] {
				return false, d.fault(line, "%s occurs twice", name)
			}
			d.seen[name] = true
			return k.list, nil
		}
		names = append(names, k.name)
	}
	return false, d.fault(line, "unknown key %q, known are %s", clip([]byte(name)), strings.Join(names, ", "))
}

// decode stores the JSON value raw, which begins in the given line, in into. Unknown keys are
// errors.
func (d *native) decode(raw []byte, into any, what string, line int) error {
	_, err := decodeStrict(bytes.NewReader(raw), into)
	if err == nil {
		return nil
	}
	msg := err.Error()
	if known := nativeFields[what]; strings.HasPrefix(msg, "unknown field") {
		msg += ", known are " + known
	}
	var at *strictError
	if errors.As(err, &at) {
		line += max(at.line-1, 0)
	}
	return d.fault(line, "%s: %s", what, msg)
}

var nativeFields = map[string]string{
	"switch": "name, name_base64, guid, ports, lid, lmc",
	"host":   "name, name_base64, switch, port, node_guid, port_guid, node_port, lid, lmc, management, latency, flit_clocks, buffer",
	"link":   "a, a_port, b, b_port, latency, flit_clocks, buffer",
	"grid":   "sides, wrap, place",
	"flow":   "rule, packet, buffer",
}

// value stores the value of a key that is not a list of objects.
func (d *native) value(key string, raw []byte, line int) error {
	switch key {
	case "schema":
		var s string
		if err := d.decode(raw, &s, "schema", line); err != nil {
			return err
		}
		if s != nativeSchema {
			return d.fault(line, "schema %q, want %s", clip([]byte(s)), nativeSchema)
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
		var g *nativeGrid
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
func (d *native) setFlow(raw []byte, line int) error {
	var f *nativeFlow
	if err := d.decode(raw, &f, "flow", line); err != nil || f == nil {
		return err
	}
	rule, err := bubble.Parse(f.Rule)
	if err != nil {
		return d.fault(line, "%v", err)
	}
	d.flow, d.flowLine = &model.FlowControl{Rule: rule.String(), Packet: f.Packet, Buffer: f.Buffer}, line
	return nil
}

// element adds an object to the list of a key.
func (d *native) element(key string, raw []byte, line int) error {
	if len(raw) == 0 || raw[0] != '{' {
		return d.fault(line, "%s: %s, want an object", key, clip(raw))
	}
	switch key {
	case "switches":
		return d.addSwitch(raw, line)
	case "hosts":
		return d.addHost(raw, line)
	}
	return d.addLink(raw, line)
}

func (d *native) addSwitch(raw []byte, line int) error {
	var s nativeSwitch
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

func (d *native) addHost(raw []byte, line int) error {
	var h nativeHost
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
	end, err := d.end("host", "switch", h.Switch, h.Port, line)
	if err != nil {
		return err
	}
	d.hostEnd = append(d.hostEnd, end)
	d.hosts = append(d.hosts, model.Host{Name: name, NodeGUID: uint64(h.NodeGUID), PortGUID: uint64(h.PortGUID), NodePort: h.NodePort,
		LID: uint16(h.LID), LMC: uint8(h.LMC), Management: h.Management})
	d.addCable(&d.hostCables, h.nativeCable)
	return d.crowded()
}

func (d *native) addLink(raw []byte, line int) error {
	var l nativeLink
	if err := d.decode(raw, &l, "link", line); err != nil {
		return err
	}
	a, err := d.end("link", "a", l.A, l.APort, line)
	if err != nil {
		return err
	}
	b, err := d.end("link", "b", l.B, l.BPort, line)
	if err != nil {
		return err
	}
	d.links = append(d.links, [2]nativeEnd{a, b})
	d.addCable(&d.cables, l.nativeCable)
	return d.crowded()
}

// crowded returns an error if a switch has more cables than it can have ports. It counts the
// cables each time their number has doubled, so that a malicious file cannot fill the memory.
func (d *native) crowded() error {
	if k := len(d.links) + len(d.hostEnd); k <= model.MaxPort || k&(k-1) != 0 {
		return nil
	}
	ends := map[nativeRef]int{}
	count := func(e nativeEnd) error {
		if ends[e.ref]++; ends[e.ref] > mostEnds {
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

func (d *native) name(plain, coded string, line int) (string, error) {
	if coded == "" {
		return plain, nil
	}
	raw, err := base64.StdEncoding.DecodeString(coded)
	if err != nil || plain != "" {
		return "", d.fault(line, "name_base64 %q, want base64, and no name beside it", clip([]byte(coded)))
	}
	return string(raw), nil
}

func (d *native) checkLID(what string, lid, lmc, line int) error {
	if lid < 0 || lid > MaxUnicastLID || lmc < 0 || lmc > 7 || lid+1<<lmc-1 > MaxUnicastLID {
		return d.fault(line, "%s: LID %d with LMC %d, allowed are LIDs 1 to %d (0: none) and LMCs 0 to 7", what, lid, lmc, MaxUnicastLID)
	}
	return nil
}

func (d *native) end(what, field string, ref *nativeRef, port *int, line int) (nativeEnd, error) {
	if ref == nil {
		return nativeEnd{}, d.fault(line, "%s: %s is missing, want the number or name of a switch", what, field)
	}
	e := nativeEnd{ref: *ref, port: noPort, line: line}
	if port != nil {
		if *port < 0 || *port > model.MaxPort {
			return e, d.fault(line, "%s: port %d, allowed are 0 to %d", what, *port, model.MaxPort)
		}
		e.port = model.Port(*port)
	}
	return e, nil
}

// network resolves names, assigns ports and builds the network.
func (d *native) network() (*model.Network, []string, error) {
	switch {
	case !d.version:
		return nil, nil, d.src.wholef("schema is missing, want %s", nativeSchema)
	case len(d.switches) == 0:
		return nil, nil, d.src.wholef("no switch in it")
	}
	for _, name := range slices.Sorted(maps.Keys(d.attributes)) {
		if k := len(d.attributes[name]); k != len(d.switches) {
			return nil, nil, d.fault(d.attributeLine, "attribute %s has %d values for %d switches", name, k, len(d.switches))
		}
		d.b.SetAttribute(name, d.attributes[name])
	}
	var notes []string
	if !d.seen["hosts"] {
		notes = append(notes, fmt.Sprintf("%s: the file lists no hosts, so each switch has one (\"hosts\": [] means no hosts)", base(d.src.name)))
		for u := range d.switches {
			d.hosts = append(d.hosts, model.Host{Name: "h" + strconv.Itoa(u)})
			d.hostEnd = append(d.hostEnd, nativeEnd{ref: nativeRef{id: u}, port: noPort})
		}
	}
	// wiring assigns ports. Its nodes are the switches, followed by the hosts.
	w := newWiring(d.src)
	w.nodes = make([]wireNode, len(d.switches), len(d.switches)+len(d.hosts))
	for u, name := range d.switches {
		w.nodes[u] = wireNode{id: strconv.Itoa(u), name: name, named: true}
	}
	for _, l := range d.links {
		a, b, err := d.resolve(l[0], l[1])
		if err != nil {
			return nil, nil, err
		}
		if err := w.join(wire{a: a, b: b, aPort: l[0].port, bPort: l[1].port, line: l[0].line}, nil); err != nil {
			return nil, nil, err
		}
	}
	for _, e := range d.hostEnd {
		u, _, err := d.resolve(e, e)
		if err != nil {
			return nil, nil, err
		}
		w.wires = append(w.wires, wire{a: int32(len(w.nodes)), b: u, aPort: noPort, bPort: e.port, line: e.line})
		w.nodes = append(w.nodes, wireNode{host: true})
	}
	if err := w.plugIn(); err != nil {
		return nil, nil, err
	}
	for k, c := range w.wires {
		if k < len(d.links) {
			d.b.AddLink(model.SwitchID(c.a), c.aPort, model.SwitchID(c.b), c.bPort)
			continue
		}
		h := d.hosts[k-len(d.links)]
		h.Switch, h.Port = model.SwitchID(c.b), c.bPort
		d.b.AddHost(h)
	}
	n, err := d.b.Build()
	if err != nil {
		return nil, nil, d.src.wholef("%s", strings.TrimPrefix(err.Error(), "model: "))
	}
	if n, err = d.withChannels(n); err != nil {
		return nil, nil, d.src.wholef("%s", strings.TrimPrefix(err.Error(), "model: "))
	}
	if n, err = n.WithFlowControl(d.flow); err != nil {
		return nil, nil, d.fault(d.flowLine, "%s", strings.TrimPrefix(err.Error(), "model: "))
	}
	return n, notes, checkNativeLIDs(d.src, n)
}

// checkNativeLIDs returns an error if two ports share a LID.
func checkNativeLIDs(src *lines, n *model.Network) error { return (&fabric{src: src}).checkLIDs(n) }

// resolve returns the switches of two ends.
func (d *native) resolve(a, b nativeEnd) (u, v int32, err error) {
	for i, e := range []nativeEnd{a, b} {
		id := e.ref.id
		if e.ref.named {
			known := false
			if id, known = d.byName[e.ref.name]; !known {
				return 0, 0, d.fault(e.line, "no switch is called %q", clip([]byte(e.ref.name)))
			}
			if id < 0 {
				return 0, 0, d.fault(e.line, "several switches are called %q: name it by number", clip([]byte(e.ref.name)))
			}
		}
		if id >= len(d.switches) {
			return 0, 0, d.fault(e.line, "no switch %d; want 0 to %d", id, len(d.switches)-1)
		}
		if i == 0 {
			u = int32(id)
		}
		v = int32(id)
	}
	return u, v, nil
}

// jsonText returns v as JSON on one line. It does not escape < and >.
func jsonText(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}

// meter limits the bytes that are read between two calls of lineOf, so that a single value of a
// stream cannot fill the memory. It also finds the line of an offset.
type meter struct {
	r       io.Reader
	budget  int
	limit   int
	offset  int64
	line    int     // line of the first byte that is not counted yet
	newline []int64 // offsets of line ends read ahead
}

// maxToken is the largest size of a value of a stream, including the reader's buffer.
const maxToken = 1 << 22

var errToken = fmt.Errorf("a single value or tag of more than %d bytes", maxToken)

func newMeter(src *lines) *meter {
	return &meter{r: src.r, budget: maxToken, limit: maxToken, line: 1}
}

func (m *meter) Read(b []byte) (int, error) {
	if m.budget <= 0 {
		return 0, errToken
	}
	k, err := m.r.Read(b[:min(len(b), m.budget)])
	m.budget -= k
	for i, c := range b[:k] {
		if c == '\n' {
			m.newline = append(m.newline, m.offset+int64(i))
		}
	}
	m.offset += int64(k)
	return k, err
}

// lineOf returns the line of an offset and resets the limit of bytes. Offsets must not decrease.
func (m *meter) lineOf(offset int64) int {
	m.budget = m.limit
	i := 0
	for i < len(m.newline) && m.newline[i] < offset {
		i++
	}
	m.newline = m.newline[:copy(m.newline, m.newline[i:])]
	m.line += i
	return m.line
}

// wrap converts an error of a library to an *Error.
func (l *lines) wrap(line int, err error) error {
	var e *Error
	if errors.As(err, &e) {
		return e
	}
	msg := err.Error()
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
		msg = "the file ends too early: is it truncated?"
	}
	return &Error{File: l.name, Line: line, Msg: msg, Err: err}
}

// rest checks that the text after the end of a document is blank, and closes the file. buffered
// has the bytes that the decoder has read ahead.
func (l *lines) rest(buffered io.Reader, line int) error {
	r := bufio.NewReader(io.MultiReader(buffered, l.r))
	for {
		c, err := r.ReadByte()
		switch {
		case errors.Is(err, io.EOF):
			l.err = io.EOF
			return l.end()
		case err != nil:
			return &Error{l.name, line, "cannot be read: " + err.Error(), err}
		case c == '\n':
			line++
		case c != ' ' && c != '\t' && c != '\r':
			return &Error{File: l.name, Line: line, Msg: fmt.Sprintf("%q follows the end", c)}
		}
	}
}
