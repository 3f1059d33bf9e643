package verdict

import (
	"fmt"
	"io"
	"strings"

	"github.com/turnproof/turnproof/cdg"
	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/cmd/turnproof/confirm"
	"github.com/turnproof/turnproof/cmd/turnproof/input"
	"github.com/turnproof/turnproof/cmd/turnproof/say"
	"github.com/turnproof/turnproof/internal/plain"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/view/wording"
	"github.com/turnproof/turnproof/model/vlan"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/cert"
)

// Status turns a verdict into an exit status.
func Status(v verify.Verdict) error {
	switch v {
	case verify.Refuted:
		return cli.Status(cli.ExitRefuted)
	case verify.Undecided:
		return cli.Status(cli.ExitUndecided)
	}
	return nil
}

// This file is the text output of check.

func PrintCheck(w io.Writer, in *input.Input, rep *verify.Report, judge string, sim *confirm.Result, seconds float64) {
	n, k := in.Net, rep.Counts
	p := func(format string, a ...any) { fmt.Fprintf(w, format, a...) }
	p("%s: %s, %s, %s, %s\n", plain.Text(in.Name), wording.Count(n.NumSwitches(), "switch", "es"), wording.Count(n.NumHosts(), "host", "s"), wording.Count(n.NumLinks(), "link", "s"), wording.Count(n.NumLinkChannels(), "channel", "s"))
	routing := in.Routing
	if e := say.Entries(in.Rel); e != nil {
		routing = wording.Count(*e, "entr", "ies", "y")
	}
	p("routing: %s, %s in use, %s\n\n", routing, wording.Count(k.UsedVCs, "virtual channel", "s"), wording.Count(k.Dependencies, "dependenc", "ies", "y"))

	width := len(cert.ClaimLivelockFree)
	for _, c := range rep.Claims() {
		width = max(width, len(c.Name))
	}
	line := func(verdict, claim, note string) { p("%-9s  %-*s  %s\n", verdict, width, claim, note) }
	for _, c := range rep.Claims() {
		if c.Name == cert.ClaimDeadlockFree && len(rep.Disciplines) > 1 {
			for _, d := range rep.Disciplines {
				line(strings.ToUpper(string(d.Claim.Verdict)), c.Name, DisciplineWords(d.Switching)+": "+DisciplineNote(d, rep))
			}
			continue
		}
		line(strings.ToUpper(string(c.Verdict)), c.Name, ClaimNote(c, rep))
	}
	if judge != "" {
		line("AGREED", "cross-check", judge)
	}
	if sim != nil {
		line("SIMULATED", "", SimulatedText(sim))
	}
	if rep.DeadlockFree.Verdict == verify.Refuted && !rep.CycleBlocks() {
		printConfiguration(w, in, rep)
	} else {
		PrintCycle(w, in, rep)
	}
	if len(rep.MessagePackets) > 0 {
		p("\nDeadlock of messages: these two paths are full of messages of the earlier class, and each host waits to send one of the later class.\n")
		for _, m := range rep.MessagePackets {
			p("  %s goes %s\n", PacketText(in.Rel, m), wording.Path(n, m.Path))
		}
	}
	if f := rep.Routes.Lost; f != nil {
		p("\nNot connected: %s of %s pairs. One of them:\n  %s\n", wording.Thousands(rep.Routes.Unreachable), wording.Thousands(rep.Routes.Pairs), PacketText(in.Rel, f))
		p("  %s\n", LostText(in, rep))
	}
	if f := rep.Routes.Loop; f != nil {
		p("\nForwarding loop:\n  %s\n  goes %s and so on forever\n", PacketText(in.Rel, f), wording.Path(n, f.Path))
	}
	input.PrintManagement(w, rep)
	printWhy(w, rep)
	p("\n%s. The independent checker accepted %d claims. %.3f s\n", input.VerdictText(rep), len(rep.Certificate.Claims), seconds)
}

// ClaimNote says in a few words why a claim has its verdict.
func ClaimNote(c verify.Claim, rep *verify.Report) string {
	switch {
	case c.Verdict != verify.Proved:
		return c.Reason
	case c.Name == cert.ClaimDeadlockFree && rep.Gating != nil:
		return "no set of packets can block itself, whichever gates the packets close"
	case c.Name == cert.ClaimDeadlockFree && rep.Acyclic.Verdict == verify.Proved:
		return "the channel dependency graph has no cycle"
	case c.Name == cert.ClaimDeadlockFree && rep.Switching == model.Wormhole:
		return "the dependency graph has a cycle, but every packet has an escape, whose extended dependencies have none"
	case c.Name == cert.ClaimDeadlockFree:
		return "the dependency graph has a cycle, but no set of packets can block itself"
	case c.Name == cert.ClaimMessages:
		return fmt.Sprintf("%s: %d virtual networks, %s in all", strings.Join(rep.Messages.Names, ", "), rep.Messages.Networks(), wording.Count(rep.Messages.Networks()*rep.Relation.Network().VCs(), wording.VC(rep.Relation.Network()), "s"))
	case c.Name == cert.ClaimConnected:
		return fmt.Sprintf("%s pairs of hosts", wording.Thousands(rep.Routes.Pairs))
	}
	return fmt.Sprintf("no packet passes more than %s", wording.Count(rep.Routes.Longest, "switch", "es"))
}

// printConfiguration lists the packets of a deadlock and what they wait for.
func printConfiguration(w io.Writer, in *input.Input, rep *verify.Report) {
	if rep.Flits != nil {
		printStanding(w, in, rep)
		return
	}
	fmt.Fprintf(w, "\nDeadlock of %s (the shortest dependency cycle has %s).\nEach entry: the channels that a packet holds, and the held channels that the packet waits for.\n",
		wording.Count(len(rep.Configuration), "packet", "s"), wording.Count(len(rep.Cycle), "channel", "s"))
	for i, p := range rep.Configuration {
		if i == say.MaxShown {
			fmt.Fprintf(w, "  and %s more\n", wording.Count(len(rep.Configuration)-i, "packet", "s"))
			break
		}
		for _, s := range rep.Held(i) {
			fmt.Fprintf(w, "  %s\n", wording.Channel(in.Net, s.VC))
		}
		all := ""
		switch {
		case p.Group > 0:
			all = " each of"
		case rep.Chosen != nil && rep.Chosen[i] >= 0:
			all = " the chosen hop:"
		}
		fmt.Fprintf(w, "      %s waits for%s\n", PacketText(in.Rel, p), all)
		for _, v := range rep.WaitsFor(i) {
			fmt.Fprintf(w, "        %s\n", wording.Channel(in.Net, v))
		}
	}
}

// printStanding lists the packets of a deadlock with gates.
func printStanding(w io.Writer, in *input.Input, rep *verify.Report) {
	fmt.Fprintf(w, "\nDeadlock of %s, with gates.\nEach entry: the flits of a packet on each channel, and what its head waits for: channels that other\npackets hold, or gates that buffers of other packets close.\n", wording.Count(len(rep.Configuration), "packet", "s"))
	for i, p := range rep.Configuration {
		if i == say.MaxShown {
			fmt.Fprintf(w, "  and %s more\n", wording.Count(len(rep.Configuration)-i, "packet", "s"))
			break
		}
		for k, s := range rep.Held(i) {
			fmt.Fprintf(w, "  %s: %s\n", wording.Channel(in.Net, s.VC), wording.Count(rep.HeldFlits(i)[k], "flit", "s"))
		}
		if rep.Arrived(i) {
			fmt.Fprintf(w, "      %s: its head has arrived, a gate keeps the rest\n", PacketText(in.Rel, p))
			continue
		}
		fmt.Fprintf(w, "      %s waits for\n", PacketText(in.Rel, p))
		for _, v := range rep.WaitsFor(i) {
			fmt.Fprintf(w, "        %s\n", wording.Channel(in.Net, v))
		}
	}
}

// PrintCycle lists the channels of a shortest cycle and their packets.
func PrintCycle(w io.Writer, in *input.Input, rep *verify.Report) {
	if len(rep.Cycle) == 0 {
		return
	}
	n := in.Net
	name, use := "Credit loop", "a packet that holds it and waits for the channel in the next line"
	if rep.DeadlockFree.Verdict != verify.Refuted || rep.Flits != nil {
		name, use = "Dependency cycle", "a packet on it that may request the channel in the next line"
	}
	fmt.Fprintf(w, "\n%s of %s (none is shorter; %s in %s take part in cycles).\nEach line: a channel, and %s.\n",
		name, wording.Count(len(rep.Cycle), "channel", "s"), wording.Count(rep.Counts.CyclicVCs, "virtual channel", "s"), wording.Count(rep.Counts.CyclicComponents, "strong component", "s"), use)
	for i, v := range rep.Cycle {
		if i == say.MaxShown {
			fmt.Fprintf(w, "  and %s more\n", wording.Count(len(rep.Cycle)-i, "channel", "s"))
			break
		}
		more := ""
		if rep.CyclePairs != nil && rep.CyclePairs[i] > 1 {
			more = fmt.Sprintf(", one of %s", wording.Count(rep.CyclePairs[i], "pair", "s"))
		}
		fmt.Fprintf(w, "  %s\n      %s%s\n", wording.Channel(n, v), PacketText(in.Rel, rep.CyclePackets[i])+input.CopiesText(rep, rep.CyclePackets[i]), more)
	}
}

// printWhy prints the theorems, then the premises.
func printWhy(w io.Writer, rep *verify.Report) {
	fmt.Fprintf(w, "\nWhy:\n")
	for _, c := range rep.Claims() {
		if c.Name == cert.ClaimDeadlockFree {
			printTheorems(w, rep)
		} else if c.Theorem != "" {
			fmt.Fprintf(w, "  %s: %s.\n", c.Name, c.Theorem)
		}
	}
	input.PrintPremises(w, rep.Premises)
}

// printTheorems prints why deadlock-free has its verdict, by discipline.
func printTheorems(w io.Writer, rep *verify.Report) {
	for _, d := range rep.Disciplines {
		if d.Claim.Theorem != "" {
			fmt.Fprintf(w, "  %s (%s): %s.\n", d.Claim.Name, DisciplineWords(d.Switching), d.Claim.Theorem)
		}
	}
}

// DisciplineWords names switching disciplines for readers.
func DisciplineWords(list []model.Switching) string {
	if len(list) == len(model.Switchings()) {
		return "any switching"
	}
	return strings.Join(say.WordsOf(list), ", ")
}

// DisciplineNote says in a few words why deadlock-free has its verdict under a discipline.
func DisciplineNote(d verify.Discipline, rep *verify.Report) string {
	of := *rep
	of.Switching = d.Switching[0]
	return ClaimNote(d.Claim, &of)
}

// PacketText writes "packet H4 -> H21 (LID 27)", or with the VLAN.
func PacketText(r model.Relation, p *cdg.Packet) string {
	n := r.Network()
	text := fmt.Sprintf("packet %s -> %s", n.HostLabel(p.Source), input.DestinationText(r, p))
	if p.Group > 0 {
		return text
	}
	if to := model.LIDOf(r, p.Dest); to != 0 {
		text += fmt.Sprintf(" (LID %d", to)
		if r.Classes() > 1 && len(p.Path) > 0 {
			text += fmt.Sprintf(", SL %d", p.Path[0].Class)
		}
		text += ")"
	}
	if v := vlan.Of(r); v != nil && len(p.Path) > 0 {
		text += fmt.Sprintf(" in VLAN %d", v.At(int(p.Path[0].Class)).ID)
	}
	return text
}

// LostText tells where a packet of an unconnected pair ends.
func LostText(in *input.Input, rep *verify.Report) string {
	n, f := in.Net, rep.Routes.Lost
	if len(f.Path) == 0 {
		return "has no service level"
	}
	last, _ := n.Channel(f.Path[len(f.Path)-1].VC)
	way := wording.Path(n, f.Path)
	if way != "" {
		way = "goes " + way + " and "
	}
	switch rep.Routes.LostEnd {
	case cert.EndWrongHost:
		return way + "is delivered to " + n.HostLabel(n.HostOf(last))
	case cert.EndLooping:
		return way + "so on forever"
	}
	u := n.Head(last)
	why := "permits no next hop"
	t, isTable := in.Rel.(*model.Table)
	if !isTable {
		return fmt.Sprintf("%sis stuck at %s, which %s", way, n.SwitchName(u), why)
	}
	why = "has no entry for it"
	if p, ok := t.Port(u, f.Dest); ok {
		why = fmt.Sprintf("forwards it by port %d, where nothing is attached", p)
		if n.OutAt(u, p) != model.NoChannel {
			why = fmt.Sprintf("maps its service level to VL 15 on port %d", p)
		}
	}
	return fmt.Sprintf("%sis dropped at %s, which %s", way, n.SwitchName(u), why)
}

// TrafficJSON is the verdict with some management traffic.
type TrafficJSON struct {
	Traffic string      `json:"traffic"` // hosts or all
	Verdict string      `json:"verdict"`
	Claims  []ClaimJSON `json:"claims"` // empty where the verdict follows from that with more traffic
}

// newTrafficJSON lists the verdicts with management traffic, nil if none was decided.
func newTrafficJSON(rep *verify.Report) []TrafficJSON {
	var list []TrafficJSON
	for _, x := range rep.Management {
		j := TrafficJSON{Verdict: string(x.Verdict), Claims: []ClaimJSON{}}
		for word, mode := range input.ManagementModes() {
			if mode == x.Management {
				j.Traffic = word
			}
		}
		for _, c := range x.Claims {
			j.Claims = append(j.Claims, newClaimJSON(c))
		}
		list = append(list, j)
	}
	return list
}
