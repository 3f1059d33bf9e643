package tables

import (
	"fmt"
	"math/bits"
	"strings"
	"unicode"

	"github.com/turnproof/turnproof/model"
)

// This file says what is the same in every language: names, and what the head of a
// file tells.

// identifier makes a name for Verilog and C from what network and routing are
// called: mesh:4x4 and west-first make mesh_4x4_west_first.
func (l *Lookup) identifier() string {
	var b strings.Builder
	for _, r := range strings.ToLower(l.Network + "_" + l.Routing) {
		if r < 'a' || r > 'z' {
			if r < '0' || r > '9' {
				r = '_'
			}
			if b.Len() == 0 || r == '_' && strings.HasSuffix(b.String(), "_") {
				continue // a letter begins it, and blanks are one
			}
		}
		b.WriteRune(r)
	}
	name := strings.Trim(b.String(), "_")
	if name == "" {
		name = "network"
	}
	return name[:min(len(name), 60)] + "_" + map[Form]string{Turns: "turns", Next: "next", InputNext: "route"}[l.Form]
}

// clean makes a name that may stand in a comment of either language: no end of a
// comment, no line that goes on, no macro, no trigraph.
func clean(name string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune("*\\`?", r) || !unicode.IsPrint(r) {
			return '.'
		}
		return r
	}, name)
}

// about is what is permitted, in words, for the head of a file.
func (l *Lookup) about() []string {
	n := l.net
	lines := []string{
		"network: " + clean(l.Network),
		fmt.Sprintf("         %d switches, %d hosts, %d links, %d VCs a channel", n.NumSwitches(), n.NumHosts(), n.NumLinks(), n.VCs()),
		"routing: " + clean(l.Routing),
		"made by: turnproof table --kind " + l.Form.String(),
		"",
	}
	switch l.Form {
	case Turns:
		lines = append(lines, "Which ports and VCs may a packet go on by, given those that it came by? Turns",
			"are between links: ports of hosts have none here.")
	case Next:
		lines = append(lines, "By which port does a packet go on, given its destination?")
	case InputNext:
		lines = append(lines, "Which ports and VCs may a packet go on by, given those that it came by and its",
			"destination? It is created on VC 0 of its host's port. The set is empty where no",
			"packet gets to, and where one that does is stuck.")
	}
	if l.Classes > 1 {
		lines = append(lines, "A packet has a class besides: one for which the set at its host's port is not",
			"empty, and later that which comes with the output taken.")
	}
	switch {
	case l.Form == Next:
		lines = append(lines, "A set has bit i for port i.")
	case l.Classes > 1:
		lines = append(lines, "A set has bit (class * PORTS + port) * VCS + vc for an output.")
	default:
		lines = append(lines, "A set has bit port * VCS + vc for an output.")
	}
	return append(append(lines, ""), l.wiring()...)
}

// wiring lists what the ports lead to, and the destinations.
func (l *Lookup) wiring() []string {
	n := l.net
	lines := []string{"Ports:"}
	for u := range model.SwitchID(n.NumSwitches()) {
		text := fmt.Sprintf("switch %d", u)
		if name := n.SwitchLabel(u); name != fmt.Sprint(int(u)) {
			text += " " + clean(name)
		}
		text += ":"
		for i, c := range n.Out(u) {
			if i > 0 {
				text += ","
			}
			if h := n.HostOf(c); h != model.NoHost {
				text += fmt.Sprintf(" %d %s", n.TailPort(c), clean(n.HostLabel(h)))
			} else {
				text += fmt.Sprintf(" %d switch %d port %d", n.TailPort(c), n.Head(c), n.HeadPort(c))
			}
		}
		lines = append(lines, "  "+text)
	}
	if len(l.labels) > 0 {
		lines = append(lines, "Destinations:")
	}
	for d, label := range l.labels {
		lines = append(lines, fmt.Sprintf("  %d: %s", d, clean(label)))
	}
	return lines
}

// width returns the bits that numbers below k take, at least 1.
func width(k int) int { return max(1, bits.Len(uint(k-1))) }

// inputName is an argument of the lookup.
type inputName struct {
	name, kind string
	size       int // how many values it has
	constant   string
}

// arguments are those of the lookup function, the destination last.
func (l *Lookup) arguments() []inputName {
	list := []inputName{{"at", "switch", l.Switches, "SWITCHES"}}
	if l.Form != Next {
		list = append(list, inputName{"in_port", "port", l.Ports, "PORTS"}, inputName{"in_vc", "vc", l.VCs, "VCS"})
	}
	if l.Form == InputNext && l.Classes > 1 {
		list = append(list, inputName{"in_class", "class", l.Classes, "CLASSES"})
	}
	if l.Form != Turns {
		list = append(list, inputName{"destination", "destination", l.Dest, "DESTINATIONS"})
	}
	return list
}

// function is the name of the lookup function.
func (l *Lookup) function() string {
	return map[Form]string{Turns: "allowed_turns", Next: "next_port", InputNext: "next_outputs"}[l.Form]
}

// constants are the sizes that users of the table need, by name.
func (l *Lookup) constants() (list []inputName) {
	for _, c := range []inputName{{constant: "SWITCHES", size: l.Switches}, {constant: "PORTS", size: l.Ports}, {constant: "VCS", size: l.VCs}, {constant: "CLASSES", size: l.Classes}, {constant: "DESTINATIONS", size: l.Dest}} {
		if c.constant == "VCS" && l.Form == Next || c.constant == "CLASSES" && l.Classes == 1 || c.constant == "DESTINATIONS" && l.Form == Turns {
			continue
		}
		list = append(list, c)
	}
	return append(list, inputName{constant: "OUTPUTS", size: l.Outputs()})
}
