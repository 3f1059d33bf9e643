package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/turnproof/turnproof/cdg"
	"github.com/turnproof/turnproof/internal/plain"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/vlan"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/cert"
)

// This file is the text output of check.

func printCheck(w io.Writer, in *input, rep *verify.Report, judge string, sim *simulated, seconds float64) {
	n, k := in.net, rep.Counts
	p := func(format string, a ...any) { fmt.Fprintf(w, format, a...) }
	p("%s: %s, %s, %s, %s\n", plain.Text(in.name), count(n.NumSwitches(), "switch", "es"), count(n.NumHosts(), "host", "s"), count(n.NumLinks(), "link", "s"), count(n.NumLinkChannels(), "channel", "s"))
	routing := in.routing
	if e := entries(in.rel); e != nil {
		routing = count(*e, "entr", "ies", "y")
	}
	p("routing: %s, %s in use, %s\n\n", routing, count(k.UsedVCs, "virtual channel", "s"), count(k.Dependencies, "dependenc", "ies", "y"))

	width := len(cert.ClaimLivelockFree)
	for _, c := range rep.Claims() {
		width = max(width, len(c.Name))
	}
	line := func(verdict, claim, note string) { p("%-9s  %-*s  %s\n", verdict, width, claim, note) }
	for _, c := range rep.Claims() {
		if c.Name == cert.ClaimDeadlockFree && len(rep.Disciplines) > 1 {
			for _, d := range rep.Disciplines {
				line(strings.ToUpper(string(d.Claim.Verdict)), c.Name, disciplineWords(d.Switching)+": "+disciplineNote(d, rep))
			}
			continue
		}
		line(strings.ToUpper(string(c.Verdict)), c.Name, claimNote(c, rep))
	}
	if judge != "" {
		line("AGREED", "cross-check", judge)
	}
	if sim != nil {
		line("SIMULATED", "", simulatedText(sim))
	}
	if rep.DeadlockFree.Verdict == verify.Refuted && !cycleBlocks(rep) {
		printConfiguration(w, in, rep)
	} else {
		printCycle(w, in, rep)
	}
	if len(rep.MessagePackets) > 0 {
		p("\nDeadlock of messages: these two ways are full of the earlier class, and each host waits to send one of the later.\n")
		for _, m := range rep.MessagePackets {
			p("  %s goes %s\n", packetText(in.rel, m), pathText(n, m.Path))
		}
	}
	if f := rep.Routes.Lost; f != nil {
		p("\nNot connected: %s of %s pairs. One of them:\n  %s\n", thousands(rep.Routes.Unreachable), thousands(rep.Routes.Pairs), packetText(in.rel, f))
		p("  %s\n", lostText(in, rep))
	}
	if f := rep.Routes.Loop; f != nil {
		p("\nForwarding loop:\n  %s\n  goes %s and so on for ever\n", packetText(in.rel, f), pathText(n, f.Path))
	}
	printManagement(w, rep)
	printWhy(w, rep)
	p("\n%s. The independent checker accepted %d claims. %.3f s\n", verdictText(rep), len(rep.Certificate.Claims), seconds)
}

// claimNote says in a few words why a claim has its verdict.
func claimNote(c verify.Claim, rep *verify.Report) string {
	switch {
	case c.Verdict != verify.Proved:
		return c.Reason
	case c.Name == cert.ClaimDeadlockFree && rep.Gating != nil:
		return "no set of packets can block itself, whatever gates these close"
	case c.Name == cert.ClaimDeadlockFree && rep.Acyclic.Verdict == verify.Proved:
		return "the channel dependency graph has no cycle"
	case c.Name == cert.ClaimDeadlockFree && rep.Switching == verify.Wormhole:
		return "the dependency graph has a cycle, but every packet has an escape, whose extended dependencies have none"
	case c.Name == cert.ClaimDeadlockFree:
		return "the dependency graph has a cycle, but no set of packets can block itself"
	case c.Name == cert.ClaimMessages:
		return fmt.Sprintf("%s: %d virtual networks, %s in all", strings.Join(rep.Messages.Names, ", "), rep.Messages.Networks(), count(rep.Messages.Networks()*rep.Relation.Network().VCs(), vcWord(rep.Relation.Network()), "s"))
	case c.Name == cert.ClaimConnected:
		return fmt.Sprintf("%s pairs of hosts", thousands(rep.Routes.Pairs))
	}
	return fmt.Sprintf("no packet passes more than %s", count(rep.Routes.Longest, "switch", "es"))
}

// cycleBlocks reports whether the packets of the shortest cycle are a deadlock
// by themselves: each may ask for the next channel only. With gates they are not looked at.
func cycleBlocks(rep *verify.Report) bool {
	if rep.Holds != nil || rep.Flits != nil {
		return false
	}
	for _, p := range rep.CyclePackets {
		if p.Group == 0 && len(rep.Relation.Next(p.Path[len(p.Path)-2], nil)) > 1 {
			return false
		}
	}
	return true
}

// heldBy returns the last states of packet i of the deadlock, on the VCs that it holds.
func heldBy(rep *verify.Report, i int) []model.State {
	p, k := rep.Configuration[i].Path, 1
	if rep.Flits != nil {
		first := slices.IndexFunc(rep.Flits[i], func(flits int) bool { return flits > 0 })
		if arrived(rep, i) {
			p = p[:len(p)-1]
		}
		return p[first:]
	}
	if rep.Holds != nil {
		k = rep.Holds[i]
	}
	return p[len(p)-k:]
}

// arrived reports whether the head of packet i of the deadlock is at its host.
func arrived(rep *verify.Report, i int) bool {
	n, p := rep.Relation.Network(), rep.Configuration[i].Path
	return n.Kind(channelOf(n, p[len(p)-1].VC)) == model.Eject
}

// waitsFor are the VCs that packet i of the deadlock waits for; where its head has
// arrived, the one beyond the gate that keeps the rest.
func waitsFor(rep *verify.Report, i int) (list []model.VCID) {
	if rep.Flits != nil && arrived(rep, i) {
		return []model.VCID{heldBy(rep, i)[1].VC}
	}
	return rep.Waits(i)
}

// maxShown bounds how many packets of a large deadlock are listed; the JSON
// output and the certificate have them all.
const maxShown = 32

// printConfiguration lists the packets of a deadlock and what they wait for.
func printConfiguration(w io.Writer, in *input, rep *verify.Report) {
	if rep.Flits != nil {
		printStanding(w, in, rep)
		return
	}
	fmt.Fprintf(w, "\nDeadlock of %s (the shortest dependency cycle has %s).\nEach entry: the channels that a packet holds, and those that it waits for, all of them held.\n",
		count(len(rep.Configuration), "packet", "s"), count(len(rep.Cycle), "channel", "s"))
	for i, p := range rep.Configuration {
		if i == maxShown {
			fmt.Fprintf(w, "  and %s more\n", count(len(rep.Configuration)-i, "packet", "s"))
			break
		}
		for _, s := range heldBy(rep, i) {
			fmt.Fprintf(w, "  %s\n", channelText(in.net, s.VC))
		}
		all := ""
		switch {
		case p.Group > 0:
			all = " each of"
		case rep.Chosen != nil && rep.Chosen[i] >= 0:
			all = " the hop that was chosen:"
		}
		fmt.Fprintf(w, "      %s waits for%s\n", packetText(in.rel, p), all)
		for _, v := range rep.Waits(i) {
			fmt.Fprintf(w, "        %s\n", channelText(in.net, v))
		}
	}
}

// printStanding lists the packets of a deadlock with gates.
func printStanding(w io.Writer, in *input, rep *verify.Report) {
	fmt.Fprintf(w, "\nDeadlock of %s, with gates.\nEach entry: the flits of a packet on each channel, and what its head waits for: channels that others\nkeep, or gates that are closed by buffers of others.\n", count(len(rep.Configuration), "packet", "s"))
	for i, p := range rep.Configuration {
		if i == maxShown {
			fmt.Fprintf(w, "  and %s more\n", count(len(rep.Configuration)-i, "packet", "s"))
			break
		}
		for k, s := range heldBy(rep, i) {
			fmt.Fprintf(w, "  %s: %s\n", channelText(in.net, s.VC), count(heldFlits(rep, i)[k], "flit", "s"))
		}
		if arrived(rep, i) {
			fmt.Fprintf(w, "      %s: its head has arrived, a gate keeps the rest\n", packetText(in.rel, p))
			continue
		}
		fmt.Fprintf(w, "      %s waits for\n", packetText(in.rel, p))
		for _, v := range waitsFor(rep, i) {
			fmt.Fprintf(w, "        %s\n", channelText(in.net, v))
		}
	}
}

// heldFlits are the flits on each VC of heldBy.
func heldFlits(rep *verify.Report, i int) []int {
	flits := rep.Flits[i]
	first := slices.IndexFunc(flits, func(k int) bool { return k > 0 })
	return flits[first : first+len(heldBy(rep, i))]
}

func channelOf(n *model.Network, v model.VCID) model.ChannelID {
	c, _ := n.Channel(v)
	return c
}

// printCycle lists the channels of a shortest cycle and their packets.
func printCycle(w io.Writer, in *input, rep *verify.Report) {
	if len(rep.Cycle) == 0 {
		return
	}
	n := in.net
	name, use := "Credit loop", "a packet that holds it while it waits for the next line's"
	if rep.DeadlockFree.Verdict != verify.Refuted || rep.Flits != nil {
		name, use = "Dependency cycle", "a packet on it that may ask for the next line's"
	}
	fmt.Fprintf(w, "\n%s of %s (none is shorter; %s in %s take part in cycles).\nEach line: a channel, and %s.\n",
		name, count(len(rep.Cycle), "channel", "s"), count(rep.Counts.CyclicVCs, "virtual channel", "s"), count(rep.Counts.CyclicComponents, "strong component", "s"), use)
	for i, v := range rep.Cycle {
		if i == maxShown {
			fmt.Fprintf(w, "  and %s more\n", count(len(rep.Cycle)-i, "channel", "s"))
			break
		}
		more := ""
		if rep.CyclePairs != nil && rep.CyclePairs[i] > 1 {
			more = fmt.Sprintf(", one of %s", count(rep.CyclePairs[i], "pair", "s"))
		}
		fmt.Fprintf(w, "  %s\n      %s%s\n", channelText(n, v), packetText(in.rel, rep.CyclePackets[i])+copiesText(rep, rep.CyclePackets[i]), more)
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
	printPremises(w, rep.Premises)
}

// printTheorems prints why deadlock-free has its verdict, by discipline.
func printTheorems(w io.Writer, rep *verify.Report) {
	for _, d := range rep.Disciplines {
		if d.Claim.Theorem != "" {
			fmt.Fprintf(w, "  %s (%s): %s.\n", d.Claim.Name, disciplineWords(d.Switching), d.Claim.Theorem)
		}
	}
}

// disciplineWords names switching disciplines for readers.
func disciplineWords(list []verify.Switching) string {
	if len(list) == len(verify.Disciplines()) {
		return "any switching"
	}
	return strings.Join(wordsOf(list), ", ")
}

// disciplineNote says in a few words why deadlock-free has its verdict under a discipline.
func disciplineNote(d verify.Discipline, rep *verify.Report) string {
	of := *rep
	of.Switching = d.Switching[0]
	return claimNote(d.Claim, &of)
}

// vcWord is what VCs are called in the network at hand.
func vcWord(n *model.Network) string {
	if n.IsInfiniBand() {
		return "VL"
	}
	return "VC"
}

// channelText writes a VC as "S1 port 1 -> S7 port 2, VL 0".
func channelText(n *model.Network, v model.VCID) string {
	c, i := n.Channel(v)
	end := func(u model.SwitchID, p model.Port) string {
		if u == model.NoSwitch {
			return n.HostLabel(n.HostOf(c))
		}
		return fmt.Sprintf("%s port %s", n.SwitchName(u), plain.Text(n.PortLabel(u, p)))
	}
	return fmt.Sprintf("%s -> %s, %s %d", end(n.Tail(c), n.TailPort(c)), end(n.Head(c), n.HeadPort(c)), vcWord(n), i)
}

// packetText writes "packet H4 -> H21 (LID 27)", or with the VLAN.
func packetText(r model.Relation, p *cdg.Packet) string {
	n := r.Network()
	text := fmt.Sprintf("packet %s -> %s", n.HostLabel(p.Source), destinationText(r, p))
	if p.Group > 0 {
		return text
	}
	if to := lid(r, p.Dest); to != 0 {
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

// pathText writes the switches of a path with the ports by which it leaves them.
func pathText(n *model.Network, path []model.State) string {
	var b strings.Builder
	for _, s := range path {
		c, _ := n.Channel(s.VC)
		if u := n.Tail(c); u != model.NoSwitch {
			fmt.Fprintf(&b, "%s[%d] ", n.SwitchLabel(u), n.TailPort(c))
		}
	}
	return strings.TrimSpace(b.String())
}

// lostText tells where a packet of an unconnected pair ends.
func lostText(in *input, rep *verify.Report) string {
	n, f := in.net, rep.Routes.Lost
	if len(f.Path) == 0 {
		return "has no service level to be sent with"
	}
	last, _ := n.Channel(f.Path[len(f.Path)-1].VC)
	way := pathText(n, f.Path)
	if way != "" {
		way = "goes " + way + " and "
	}
	switch rep.Routes.LostEnd {
	case cert.EndWrongHost:
		return way + "is delivered to " + n.HostLabel(n.HostOf(last))
	case cert.EndLooping:
		return way + "so on for ever"
	}
	u := n.Head(last)
	why := "permits no next hop"
	t, isTable := in.rel.(*model.Table)
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

// count writes "1 switch", "16 switches", "1 entry", "1,280 entries".
func count[T int | int64](k T, word, plural string, singular ...string) string {
	if k != 1 {
		return thousands(int64(k)) + " " + word + plural
	}
	if len(singular) > 0 {
		word += singular[0]
	}
	return "1 " + word
}

// thousands writes 1347840 as 1,347,840.
func thousands(k int64) string {
	s := fmt.Sprint(k)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

func guidText(g uint64) string {
	if g == 0 {
		return ""
	}
	return fmt.Sprintf("0x%016x", g)
}
