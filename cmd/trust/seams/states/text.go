package states

import (
	"fmt"
	"strings"
)

// This file writes states for people.

// text returns the buffers that are taken, each with its packets: the number of flits there of all flits, and what they wait for.
func (n *net) text(s state) string {
	var parts []string
	for b, list := range s {
		var packets []string
		for i := range list {
			packets = append(packets, n.nodeText(s, b, i))
		}
		if packets != nil {
			parts = append(parts, n.Buffers[b].Name+" ["+strings.Join(packets, " | ")+"]")
		}
	}
	return strings.Join(parts, "  ")
}

func (n *net) nodeText(s state, b, i int) string {
	x := &s[b][i]
	p := &n.Places[x.place]
	text := fmt.Sprintf("%d/%d", int(x.in)-n.read(s, b, i), x.flits)
	for k, q := range p.Next {
		mark := "?"
		switch {
		case x.done>>k&1 == 1:
			mark = "done "
		case x.has(p, k):
			mark = ">"
		case !p.All && x.given > 0:
			continue
		}
		if text += " " + mark; q == Leave {
			text += fmt.Sprint("host ", p.Host)
			continue
		}
		text += n.Buffers[n.Places[q].Buffer].Name
	}
	return text
}
