package ttfabric

import (
	"fmt"

	"github.com/turnproof/turnproof/model/ttfabric/meshgraph"
)

// This file says what a connection asks of the ports of its cables.

// ports are what a connection asks of the labels of a cable, by end.
type ports struct {
	z      bool
	labels [2]Label // or noLabel
}

// portsOf returns what a connection asks.
func portsOf(c *meshgraph.Connection) ports {
	p := ports{c.Z, [2]Label{noLabel, noLabel}}
	for i, name := range c.Labels {
		if name != "" {
			p.labels[i], _ = ParseLabel(name)
		}
	}
	return p
}

// allow reports whether two labels are what is asked.
func (p ports) allow(labels ...Label) bool {
	for i, l := range labels {
		if p.z && l != ZPort || p.labels[i] != noLabel && p.labels[i] != l {
			return false
		}
	}
	return true
}

// String continues a message about free ports.
func (p ports) String() string {
	switch {
	case p.z:
		return " with the label Z"
	case p.labels[0] != noLabel:
		return fmt.Sprintf(" with the labels %s and %s", p.labels[0], p.labels[1])
	}
	return ""
}
