package format

import (
	"html"
	"maps"
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
		d.w.noHost = true
	}
	if word, ok := attrs["vcs"]; ok {
		d.stop(d.w.setVCs(word, line))
	}
}

// nodeAttributes applies the attributes of a node.
func (d *dotReader) nodeAttributes(i int32, attrs map[string]string, line int) {
	n := &d.w.nodes[i]
	if kind, ok := attrs["kind"]; ok {
		if kind != "host" && kind != "switch" {
			d.stop(d.w.fault(line, "node %s has kind %q, want host or switch", n.id, clip([]byte(kind))))
		}
		d.kinds[i].kind = kind
	}
	if shape, ok := attrs["shape"]; ok {
		d.kinds[i].shape = shape
	}
	if name, ok := attrs["name"]; ok {
		n.name, n.named = html.UnescapeString(name), true
	}
	if ports, ok := attrs["ports"]; ok {
		p, err := d.w.port(ports, line)
		n.ports = int(p)
		d.stop(err)
	}
}
