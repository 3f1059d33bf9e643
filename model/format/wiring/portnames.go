package wiring

import (
	"strings"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format/textfile"
)

// This file reads names of ports, such as swp1, Ethernet4, eth1/3.
//
// If the numbers at the end of all port names of a switch differ, they are the port numbers.
// Otherwise the ports get the smallest free numbers.

// CompassPoints are DOT's words for positions at a node. They are not names of ports.
var CompassPoints = wordSet("n ne e se s sw w nw c _")

// PortName returns word if it is the name of a port, or "" if it is a number.
func PortName(word string) string {
	if word == "" || textfile.Decimal(word) >= 0 {
		return ""
	}
	return word
}

// NamedPort returns the port of a word: its number, or NoPort and its name. It fails if a number is out of range.
func (w *Draft) NamedPort(word string, line int) (model.Port, string, error) {
	if name := PortName(word); name != "" {
		return NoPort, name, nil
	}
	if word == "" {
		return NoPort, "", nil
	}
	p, err := w.Port(word, line)
	return p, "", err
}

// numberOf returns the number at the end of a port's name, or NoPort.
func numberOf(name string) model.Port {
	digits := strings.TrimLeft(name[len(strings.TrimRight(name, "0123456789")):], "0")
	if digits == "" && strings.HasSuffix(name, "0") {
		digits = "0"
	}
	if p := textfile.Decimal(digits); p >= 0 && p <= model.MaxPort {
		return model.Port(p)
	}
	return NoPort
}

// eachEnd calls f for each end of each cable.
func (w *Draft) eachEnd(f func(node int32, port *model.Port, name string)) {
	for i := range w.Cables {
		c := &w.Cables[i]
		f(c.A, &c.APort, c.AName)
		f(c.B, &c.BPort, c.BName)
	}
}

// numberPorts gives each named port without a number the number in its name.
func (w *Draft) numberPorts() {
	taken := map[cableEnd]bool{}
	unfit := map[int32]bool{} // switches whose port names do not give distinct numbers
	w.eachEnd(func(node int32, port *model.Port, name string) {
		at := cableEnd{node, *port}
		if name != "" && *port == NoPort {
			at.port = numberOf(name)
		}
		unfit[node] = unfit[node] || name != "" && (at.port == NoPort || taken[at])
		if at.port != NoPort {
			taken[at] = true
		}
	})
	w.eachEnd(func(node int32, port *model.Port, name string) {
		if name != "" && *port == NoPort && !unfit[node] {
			*port = numberOf(name)
		}
	})
}

// namePorts sets the names of the switches' ports, after the ports have numbers.
func (w *Draft) namePorts(b *model.Builder) {
	w.eachEnd(func(node int32, port *model.Port, name string) {
		if name != "" && !w.Nodes[node].IsHost {
			b.NamePort(w.id[node], *port, name)
		}
	})
}
