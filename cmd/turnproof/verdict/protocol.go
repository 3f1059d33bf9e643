package verdict

import (
	"fmt"
	"io"
	"strings"

	"github.com/turnproof/turnproof/cmd/turnproof/say"
	"github.com/turnproof/turnproof/internal/wording"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/synth/resolve"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/explain"
	"github.com/turnproof/turnproof/verify/protocols"
)

// This file prints deadlocks of the messages of a protocol.

// protocolOf returns the protocol of a report, or nil.
func protocolOf(rep *verify.Report) *model.Protocol {
	return model.RulesOf(rep.Conditions)
}

// placeText returns a place of a deadlock in words.
func placeText(rep *verify.Report, m *protocols.Place) string {
	n, p := rep.Relation.Network(), protocolOf(rep)
	if m.Packet == nil {
		return fmt.Sprintf("table of %s for %s", n.HostLabel(m.Host), p.Names[m.Class])
	}
	network := p.VirtualName[p.Network[m.Class]]
	if last := m.Packet.Path[len(m.Packet.Path)-1]; len(m.Packet.Path) > 1 {
		return fmt.Sprintf("%s in %s", wording.Channel(n, last.VC), network)
	}
	return fmt.Sprintf("queue of %s for %s", n.HostLabel(m.Packet.Source), network)
}

// printMessageDeadlock lists the places of a deadlock.
func printMessageDeadlock(w io.Writer, in *resolve.Subject, rep *verify.Report) {
	d, p := protocols.OutcomeOf(rep).Deadlock, protocolOf(rep)
	fmt.Fprintf(w, "\nDeadlock of messages in %s. Each entry: a place that is full, the message at its front, and what this message waits for.\n",
		wording.Count(len(d.Places), "place", "s"))
	message := func(h *protocols.Message) string {
		return p.Names[h.Class] + strings.TrimPrefix(explain.PacketText(in.Rel, h.Packet), "packet")
	}
	for i := range d.Places {
		if i == say.MaxShown {
			fmt.Fprintf(w, "  and %s more\n", wording.Count(len(d.Places)-i, "place", "s"))
			break
		}
		m := &d.Places[i]
		what := "a transaction"
		if m.Packet != nil {
			if what = message(&m.Message); m.Holds > 1 {
				what += fmt.Sprintf(", which holds the last %d places of its path,", m.Holds)
			}
		} else if m.Awaited >= 0 {
			what = "a transaction whose " + message(&d.Behind[m.Awaited]) + " is behind others"
		}
		fmt.Fprintf(w, "  %s\n      %s waits for\n", placeText(rep, m), what)
		for _, k := range m.Waits {
			fmt.Fprintf(w, "        %s\n", placeText(rep, &d.Places[k]))
		}
	}
}

// messagePlaceJSON is a place of a deadlock of messages.
type messagePlaceJSON struct {
	Place    string          `json:"place"`
	Class    string          `json:"class"`
	Packet   *say.PacketJSON `json:"packet"` // at the front; null for a table
	WaitsFor []int           `json:"waits_for"`
	Holds    *int            `json:"holds,omitempty"` // places that the packet holds at the end of its path, if messages hold several
	Awaited  *awaitedJSON    `json:"awaited"`         // what a transaction in a table waits for, or null
}

// awaitedJSON is a message that a transaction in a table waits for.
type awaitedJSON struct {
	Class  string          `json:"class"`
	Packet *say.PacketJSON `json:"packet"`
}

// newMessagePlaces returns the places of the deadlock of a report.
func newMessagePlaces(rep *verify.Report) (list []messagePlaceJSON) {
	d, p := protocols.OutcomeOf(rep).Deadlock, protocolOf(rep)
	if d == nil {
		return nil
	}
	for i := range d.Places {
		m := &d.Places[i]
		j := messagePlaceJSON{Place: placeText(rep, m), Class: p.Names[m.Class], WaitsFor: m.Waits}
		if d.Worms {
			j.Holds = &m.Holds
		}
		if m.Packet != nil {
			j.Packet = newPacketJSON(rep.Relation, m.Packet)
		}
		if m.Awaited >= 0 {
			b := &d.Behind[m.Awaited]
			j.Awaited = &awaitedJSON{p.Names[b.Class], newPacketJSON(rep.Relation, b.Packet)}
		}
		list = append(list, j)
	}
	return list
}
