package tables

import (
	"fmt"
	"math/bits"
	"strings"
	"unicode"

	"github.com/turnproof/turnproof/model"
)

// This file contains the parts that all languages share: names and the head of a file.

// identifier returns a name for Verilog and C made of the names of network and routing:
// mesh:4x4 and west-first give mesh_4x4_west_first.
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

// clean returns a name that is safe in comments of both languages: without the end of a
// comment, line continuations, macros and trigraphs.
func clean(name string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune("*\\`?", r) || !unicode.IsPrint(r) {
			return '.'
		}
		return r
	}, name)
}

// about describes what the table permits, for the head of a file.
func (l *Lookup) about() []string {
	n := l.net
	lines := []string{
		"network: " + clean(l.Network),
		fmt.Sprintf("         %d switches, %d hosts, %d links, %d VCs a channel", n.NumSwitches(), n.NumHosts(), n.NumLinks(), n.VCs()),
		"routing: " + clean(l.Routing),
		"made by: turnproof table --kind " + l.kind(),
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
	case !l.hasVCs():
		lines = append(lines, "A set has bit i for port i.")
	case l.Classes > 1:
		lines = append(lines, "A set has bit (class * PORTS + port) * VCS + vc for an output.")
	default:
		lines = append(lines, "A set has bit port * VCS + vc for an output.")
	}
	if l.Ranged {
		lines = append(lines, "A destination that no packet at the switch has may have any set.")
	}
	lines = append(append(lines, "", "Area of all routers (docs/hardware.md):"), l.areaLines()...)
	return append(append(lines, ""), l.wiring()...)
}

// kind returns the kind of table as on the command line.
func (l *Lookup) kind() string {
	if l.Ranged {
		return "ranges"
	}
	return l.Form.String()
}

// wiring lists the neighbours of all ports, and the destinations.
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

// width returns the number of bits for numbers below k, at least 1.
func width(k int) int { return max(1, bits.Len(uint(k-1))) }

// inputName is an argument of the lookup function.
type inputName struct {
	name, kind string
	size       int // number of its values
	constant   string
}

// arguments returns the arguments of the lookup function, the destination last.
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

// function returns the name of the lookup function.
func (l *Lookup) function() string {
	return map[Form]string{Turns: "allowed_turns", Next: "next_port", InputNext: "next_outputs"}[l.Form]
}

// constants returns the sizes that users of the table need, by name.
func (l *Lookup) constants() (list []inputName) {
	for _, c := range []inputName{
		{constant: "SWITCHES", size: l.Switches}, {constant: "PORTS", size: l.Ports}, {constant: "VCS", size: l.VCs},
		{constant: "CLASSES", size: l.Classes}, {constant: "DESTINATIONS", size: l.Dest},
	} {
		if c.constant == "VCS" && !l.hasVCs() || c.constant == "CLASSES" && l.Classes == 1 || c.constant == "DESTINATIONS" && l.Form == Turns {
			continue
		}
		list = append(list, c)
	}
	return append(list, inputName{constant: "OUTPUTS", size: l.Outputs()})
}
