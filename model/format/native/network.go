package native

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format"
	"github.com/turnproof/turnproof/model/format/textfile"
	"github.com/turnproof/turnproof/model/format/wiring"
)

// This file makes a network of the objects that a file in our JSON or YAML format lists (document.go).

// network resolves names, assigns ports and builds the network.
func (d *document) network() (*model.Network, []string, error) {
	switch {
	case !d.version:
		return nil, nil, d.src.FileError("schema is missing, want %s", networkSchema)
	case len(d.switches) == 0:
		return nil, nil, d.src.FileError("no switch in it")
	}
	for _, name := range slices.Sorted(maps.Keys(d.attributes)) {
		if k := len(d.attributes[name]); k != len(d.switches) {
			return nil, nil, d.fault(d.attributeLine, "attribute %s has %d values for %d switches", name, k, len(d.switches))
		}
		d.b.SetAttribute(name, d.attributes[name])
	}
	notes := d.addDefaultHosts()
	if err := d.wireUp(); err != nil {
		return nil, nil, err
	}
	n, err := d.b.Build()
	if err != nil {
		return nil, nil, d.src.FileError("%s", strings.TrimPrefix(err.Error(), "model: "))
	}
	if n, err = d.withChannels(n); err != nil {
		return nil, nil, d.src.FileError("%s", strings.TrimPrefix(err.Error(), "model: "))
	}
	if n, err = n.WithFlowControl(d.flow); err != nil {
		return nil, nil, d.fault(d.flowLine, "%s", strings.TrimPrefix(err.Error(), "model: "))
	}
	return n, notes, format.CheckLIDs(d.src, n)
}

// addDefaultHosts adds a host to each switch and returns a note, if the file has no list of hosts.
func (d *document) addDefaultHosts() []string {
	if d.seen["hosts"] {
		return nil
	}
	for u := range d.switches {
		d.hosts = append(d.hosts, model.Host{Name: "h" + strconv.Itoa(u)})
		d.hostEnd = append(d.hostEnd, cableEnd{ref: switchRef{id: u}, port: wiring.NoPort})
	}
	return []string{fmt.Sprintf("%s: the file lists no hosts, so each switch has one (\"hosts\": [] means no hosts)", textfile.Base(d.src.Name))}
}

// wireUp assigns ports, and adds the links and hosts to the builder of the network.
func (d *document) wireUp() error {
	// The nodes of the wiring are the switches, followed by the hosts.
	w := wiring.New(d.src)
	w.Strict = true
	w.Nodes = make([]wiring.Node, len(d.switches), len(d.switches)+len(d.hosts))
	for u, name := range d.switches {
		w.Nodes[u] = wiring.Node{ID: strconv.Itoa(u), Name: name, Named: true}
	}
	for _, l := range d.links {
		a, b, err := d.resolve(l[0], l[1])
		if err != nil {
			return err
		}
		if err := w.Join(wiring.Cable{A: a, B: b, APort: l[0].port, BPort: l[1].port, Line: l[0].line}, nil); err != nil {
			return err
		}
	}
	for _, e := range d.hostEnd {
		u, _, err := d.resolve(e, e)
		if err != nil {
			return err
		}
		w.Cables = append(w.Cables, wiring.Cable{A: int32(len(w.Nodes)), B: u, APort: wiring.NoPort, BPort: e.port, Line: e.line})
		w.Nodes = append(w.Nodes, wiring.Node{IsHost: true})
	}
	if err := w.PlugIn(); err != nil {
		return err
	}
	for k, c := range w.Cables {
		if k < len(d.links) {
			d.namePort(c.A, c.APort, d.links[k][0].name)
			d.namePort(c.B, c.BPort, d.links[k][1].name)
			if l := d.b.AddLink(model.SwitchID(c.A), c.APort, model.SwitchID(c.B), c.BPort); d.oneWay[k] {
				d.b.SetOneWay(l)
			}
			continue
		}
		h := d.hosts[k-len(d.links)]
		h.Switch, h.Port = model.SwitchID(c.B), c.BPort
		d.namePort(c.B, c.BPort, d.hostEnd[k-len(d.links)].name)
		d.b.AddHost(h)
	}
	return nil
}

// namePort names a port, if the file does.
func (d *document) namePort(u int32, p model.Port, name string) {
	if name != "" {
		d.b.NamePort(model.SwitchID(u), p, name)
	}
}

// resolve returns the switches of two ends.
func (d *document) resolve(a, b cableEnd) (u, v int32, err error) {
	for i, e := range []cableEnd{a, b} {
		id := e.ref.id
		if e.ref.named {
			known := false
			if id, known = d.byName[e.ref.name]; !known {
				return 0, 0, d.fault(e.line, "no switch is called %q", textfile.Clip(e.ref.name))
			}
			if id < 0 {
				return 0, 0, d.fault(e.line, "several switches are called %q: name it by number", textfile.Clip(e.ref.name))
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
