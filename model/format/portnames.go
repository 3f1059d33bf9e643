package format

import (
	"strings"

	"github.com/turnproof/turnproof/model"
)

// This file reads names of ports, such as swp1, Ethernet4, eth1/3.
//
// If the numbers at the end of all port names of a switch differ, they are the port numbers.
// Otherwise the ports get the smallest free numbers.

// compassPoints are DOT's words for positions at a node. They are not names of ports.
var compassPoints = wordSet("n ne e se s sw w nw c _")

// portName returns word if it is the name of a port, or "" if it is a number.
func portName(word string) string {
	if word == "" || decimal(word) >= 0 {
		return ""
	}
	return word
}

// numberOf returns the number at the end of a port's name, or noPort.
func numberOf(name string) model.Port {
	digits := strings.TrimLeft(name[len(strings.TrimRight(name, "0123456789")):], "0")
	if digits == "" && strings.HasSuffix(name, "0") {
		digits = "0"
	}
	if p := decimal(digits); p >= 0 && p <= model.MaxPort {
		return model.Port(p)
	}
	return noPort
}

// eachEnd calls f for each end of each cable.
func (w *wiring) eachEnd(f func(node int32, port *model.Port, name string)) {
	for i := range w.wires {
		c := &w.wires[i]
		f(c.a, &c.aPort, c.aName)
		f(c.b, &c.bPort, c.bName)
	}
}

// numberPorts gives each named port without a number the number in its name.
func (w *wiring) numberPorts() {
	taken := map[wireEnd]bool{}
	unfit := map[int32]bool{} // switches whose port names do not give distinct numbers
	w.eachEnd(func(node int32, port *model.Port, name string) {
		at := wireEnd{node, *port}
		if name != "" && *port == noPort {
			at.port = numberOf(name)
		}
		unfit[node] = unfit[node] || name != "" && (at.port == noPort || taken[at])
		if at.port != noPort {
			taken[at] = true
		}
	})
	w.eachEnd(func(node int32, port *model.Port, name string) {
		if name != "" && *port == noPort && !unfit[node] {
			*port = numberOf(name)
		}
	})
}

// namePorts sets the names of the switches' ports, after the ports have numbers.
func (w *wiring) namePorts(b *model.Builder) {
	w.eachEnd(func(node int32, port *model.Port, name string) {
		if name != "" && !w.nodes[node].host {
			b.NamePort(w.id[node], *port, name)
		}
	})
}
