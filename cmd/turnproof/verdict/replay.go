package verdict

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/turnproof/turnproof/cmd/turnproof/confirm"
	"github.com/turnproof/turnproof/cmd/turnproof/say"
	"github.com/turnproof/turnproof/engine"
	"github.com/turnproof/turnproof/internal/wording"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/synth/resolve"
)

// PrintFrozen lists the packets of a deadlock in the simulator.
func PrintFrozen(w io.Writer, in *resolve.Subject, d *engine.Deadlock) {
	fmt.Fprintf(w, "\n%s can never move again. Each entry: the channels that a packet is on, and the channels that the packet waits for.\n",
		wording.Count(len(d.Packets), "packet", "s"))
	for i, p := range d.Packets {
		if i == say.MaxShown {
			fmt.Fprintf(w, "  and %s more\n", wording.Count(len(d.Packets)-i, "packet", "s"))
			break
		}
		for _, v := range p.On {
			fmt.Fprintf(w, "  %s\n", wording.Channel(in.Net, v))
		}
		fmt.Fprintf(w, "      packet from %s", in.Net.HostLabel(p.Source))
		if p.Behind {
			fmt.Fprintln(w, ", behind another packet")
			continue
		}
		if p.Entry {
			fmt.Fprintf(w, " waits at %s, which consumes no more messages\n", destination(in.Rel, p))
			continue
		}
		if len(p.Gated) > 0 && len(p.Waits) == 0 {
			fmt.Fprintln(w, ", after its head has passed, waits at the gate before")
		} else {
			fmt.Fprintln(w, " waits for")
		}
		for _, v := range slices.Concat(p.Waits, p.Gated) {
			fmt.Fprintf(w, "        %s\n", wording.Channel(in.Net, v))
		}
	}
}

// FrozenJSON returns a deadlock in the simulator in the form of the field configuration of check.
func FrozenJSON(r model.Relation, d *engine.Deadlock) []say.WaitJSON {
	n := r.Network()
	list := make([]say.WaitJSON, 0, len(d.Packets))
	for _, p := range d.Packets {
		j := say.WaitJSON{Packet: &say.PacketJSON{Source: n.HostLabel(p.Source), Destination: destination(r, p), Class: int(p.Class),
			Path: []say.HopJSON{}}, WaitsFor: []say.HopJSON{}}
		for _, v := range p.On {
			j.Holds = append(j.Holds, say.NewHopJSON(n, v))
		}
		for _, v := range slices.Concat(p.Waits, p.Gated) {
			j.WaitsFor = append(j.WaitsFor, say.NewHopJSON(n, v))
		}
		list = append(list, j)
	}
	return list
}

// destination returns the name of the destination of a packet.
func destination(r model.Relation, p engine.Blocked) string {
	return r.Network().HostLabel(r.DestinationHost(p.Dest))
}

// SimulatedText describes the result of a simulation in one line.
func SimulatedText(s *confirm.Result) string {
	switch {
	case s.Accepted != nil:
		return fmt.Sprintf("no deadlock in %s clocks at saturation, %.3f flits per clock and host accepted", wording.Thousands(s.Clocks), *s.Accepted)
	case s.Deadlock:
		return fmt.Sprintf("deadlock reached in clock %s, %s", wording.Thousands(s.Clocks), s.How)
	}
	if strings.HasPrefix(s.How, confirm.NotSimulated) {
		return s.How
	}
	if s.How == confirm.Stood {
		return fmt.Sprintf("the deadlock holds when placed in the network; not reached from the empty network in %s, which proves nothing",
			wording.Count(s.Tries, "simulation", "s"))
	}
	return fmt.Sprintf("no deadlock reached in %s, which proves nothing", wording.Count(s.Tries, "simulation", "s"))
}

// SimulatedMessages describes the result of a simulation of classes of messages in one line.
func SimulatedMessages(m *confirm.Messages) string {
	switch {
	case m.Tries == 0:
		return "not simulated: " + m.Note
	case m.Deadlock:
		return fmt.Sprintf("messages block each other in clock %s, after %s transactions", wording.Thousands(m.Clocks), wording.Thousands(m.Transactions))
	case m.Tries == 1:
		return fmt.Sprintf("messages: no deadlock in %s clocks, %s transactions have ended", wording.Thousands(m.Clocks), wording.Thousands(m.Transactions))
	}
	return fmt.Sprintf("messages: no deadlock reached in %s, which proves nothing", wording.Count(m.Tries, "simulation", "s"))
}
