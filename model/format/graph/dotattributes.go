package graph

import (
	"html"
	"maps"

	"github.com/turnproof/turnproof/model/format/textfile"
)

// This file reads the attributes of DOT (dot.go).

// attributes reads any number of [a=b, c=d; ...] and returns them with the defaults.
func (d *dotReader) attributes(defaults map[string]string) map[string]string {
	attrs := defaults
	for d.got("[") {
		if attrs = maps.Clone(attrs); attrs == nil {
			attrs = map[string]string{}
		}
		for d.err == nil && !d.got("]") {
			key, value := d.token.text, "true"
			if d.token.kind != dotID {
				d.want("an attribute or ]")
			}
			if d.advance(); d.got("=") {
				value = d.value()
			}
			if dotUsed[key] {
				attrs[key] = value
			}
			d.got(",")
			d.got(";")
		}
	}
	return attrs
}

// dotUsed are the attributes that have a meaning here.
var dotUsed = map[string]bool{"kind": true, "shape": true, "name": true, "ports": true, "a_port": true, "b_port": true, "dir": true, "vcs": true, "hosts": true}

// graphAttributes applies the attributes of the graph.
func (d *dotReader) graphAttributes(attrs map[string]string, line int) {
	if attrs["hosts"] == "none" {
		d.w.NoHosts = true
	}
	if word, ok := attrs["vcs"]; ok {
		d.stop(d.w.SetVCs(word, line))
	}
}

// nodeAttributes applies the attributes of a node.
func (d *dotReader) nodeAttributes(i int32, attrs map[string]string, line int) {
	n := &d.w.Nodes[i]
	if kind, ok := attrs["kind"]; ok {
		if kind != "host" && kind != "switch" {
			d.stop(d.w.Fault(line, "node %s has kind %q, want host or switch", n.ID, textfile.Clip(kind)))
		}
		d.kinds[i].kind = kind
	}
	if shape, ok := attrs["shape"]; ok {
		d.kinds[i].shape = shape
	}
	if name, ok := attrs["name"]; ok {
		n.Name, n.Named = html.UnescapeString(name), true
	}
	if ports, ok := attrs["ports"]; ok {
		p, err := d.w.Port(ports, line)
		n.Ports = int(p)
		d.stop(err)
	}
}
