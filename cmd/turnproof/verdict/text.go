package verdict

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/cmd/turnproof/confirm"
	"github.com/turnproof/turnproof/cmd/turnproof/say"
	"github.com/turnproof/turnproof/internal/plain"
	"github.com/turnproof/turnproof/internal/wording"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/bubble"
	"github.com/turnproof/turnproof/synth/resolve"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/cert"
	"github.com/turnproof/turnproof/verify/explain"
	"github.com/turnproof/turnproof/verify/protocols"
)

// Status returns the exit status of a verdict as an error, or nil if v is proved.
func Status(v verify.Verdict) error {
	switch v {
	case verify.Refuted:
		return cli.Status(cli.ExitRefuted)
	case verify.Undecided:
		return cli.Status(cli.ExitUndecided)
	}
	return nil
}

// This file prints the text output of check.

// PrintCheck prints a report, the judge that agreed or "", and a simulation or nil.
func PrintCheck(w io.Writer, in *resolve.Subject, rep *verify.Report, judge string, sim *confirm.Result, seconds float64) {
	printCheck(w, in, rep, judge, sim, seconds, "")
}

// PrintMember prints the report of one network of a family. Each claim names the network, because the same claims are made for
// the whole family.
func PrintMember(w io.Writer, in *resolve.Subject, rep *verify.Report, seconds float64) {
	printCheck(w, in, rep, "", nil, seconds, " on "+plain.Text(in.Name))
}

// printCheck prints a report. where follows the name of each claim.
func printCheck(w io.Writer, in *resolve.Subject, rep *verify.Report, judge string, sim *confirm.Result, seconds float64, where string) {
	printSubject(w, in, rep)
	printClaims(w, rep, judge, sim, where)
	if rep.DeadlockFree.Verdict == verify.Refuted && !rep.CycleBlocks() {
		printConfiguration(w, in, rep)
	} else {
		PrintCycle(w, in, rep)
	}
	printSchedule(w, in, rep)
	printMessages(w, in, rep)
	printRoutes(w, in, rep)
	printLevels(w, rep)
	printManagement(w, rep)
	printWhy(w, rep)
	fmt.Fprintf(w, "\n%s%s. The independent checker accepted %s. %.3f s\n", explain.Overall(rep), where,
		wording.Count(len(rep.Certificate.Claims), "claim", "s"), seconds)
}

// printSubject prints the sizes of the network and of its routing.
func printSubject(w io.Writer, in *resolve.Subject, rep *verify.Report) {
	n, k := in.Net, rep.Counts
	fmt.Fprintf(w, "%s: %s, %s, %s, %s\n", plain.Text(in.Name), wording.Count(n.NumSwitches(), "switch", "es"),
		wording.Count(n.NumHosts(), "host", "s"), wording.Count(n.NumLinks(), "link", "s"), wording.Count(n.NumLinkChannels()-n.OneWayLinks(), "channel", "s"))
	routing := in.Routing
	if e := say.Entries(in.Rel); e != nil {
		routing = wording.Count(*e, "entr", "ies", "y")
	}
	fmt.Fprintf(w, "routing: %s, %s in use, %s\n\n", routing, wording.Count(k.UsedVCs, "virtual channel", "s"),
		wording.Count(k.Dependencies, "dependenc", "ies", "y"))
}

// printClaims prints a line for each claim, for the judge that agreed, and for the simulation.
func printClaims(w io.Writer, rep *verify.Report, judge string, sim *confirm.Result, where string) {
	width := len(cert.ClaimLivelockFree + where)
	for _, c := range rep.Claims() {
		width = max(width, len(c.Name+where))
	}
	line := func(verdict, claim, note string) { fmt.Fprintf(w, "%-9s  %-*s  %s\n", verdict, width, claim, note) }
	reasons := map[string]string{} // the first claim with this reason
	for _, c := range rep.Claims() {
		if c.Name == cert.ClaimDeadlockFree && len(rep.Disciplines) > 1 {
			for _, d := range rep.Disciplines {
				line(strings.ToUpper(string(d.Claim.Verdict)), c.Name+where, explain.DisciplineWords(d.Switching)+": "+explain.DisciplineNote(d, rep))
			}
			continue
		}
		note := explain.ClaimNote(c, rep)
		if first := reasons[note]; first != "" && c.Verdict == verify.Undecided {
			note = "for the same reason as " + first
		} else {
			reasons[note] = c.Name
		}
		line(strings.ToUpper(string(c.Verdict)), c.Name+where, note)
	}
	if judge != "" {
		line("AGREED", "cross-check", judge)
	}
	if sim != nil {
		note := SimulatedText(sim)
		if sim.Deadlock && isDoubted(rep) {
			note += "; the doubt about deadlock-free is about this deadlock, too"
		}
		line("SIMULATED", "", note)
		if sim.Messages != nil {
			line("SIMULATED", "", SimulatedMessages(sim.Messages))
		}
	}
}

// isDoubted reports whether a doubt about the input makes deadlock-free undecided.
func isDoubted(rep *verify.Report) bool {
	return rep.DeadlockFree.Verdict == verify.Undecided && slices.ContainsFunc(rep.Doubts, func(d model.Doubt) bool {
		return d.Claims == nil || slices.Contains(d.Claims, model.ClaimDeadlockFree)
	})
}

// printMessages prints how messages of several classes block each other, if they can.
func printMessages(w io.Writer, in *resolve.Subject, rep *verify.Report) {
	messages := protocols.OutcomeOf(rep)
	if len(messages.Packets) > 0 {
		fmt.Fprint(w, "\nDeadlock of messages: these two paths are full of messages of the earlier class, "+
			"and each host waits to send one of the later class.\n")
		for _, m := range messages.Packets {
			fmt.Fprintf(w, "  %s goes %s\n", explain.PacketText(in.Rel, m), wording.Path(in.Net, m.Path))
		}
	}
	if messages.Deadlock != nil {
		printMessageDeadlock(w, in, rep)
	}
}

// printRoutes prints a pair that is not connected, and a forwarding loop, if there are any.
func printRoutes(w io.Writer, in *resolve.Subject, rep *verify.Report) {
	if f := rep.Routes.Lost; f != nil {
		fmt.Fprintf(w, "\nNot connected: %s of %s pairs", wording.Thousands(rep.Routes.Unreachable), wording.Thousands(rep.Routes.Pairs))
		if k := rep.Routes.Pathless; k < rep.Routes.Unreachable {
			fmt.Fprintf(w, ", %s of them without any path", wording.Thousands(k))
		}
		fmt.Fprintf(w, ". One of them:\n  %s\n", explain.PacketText(in.Rel, f))
		fmt.Fprintf(w, "  %s\n", explain.LostText(rep))
	}
	if f := rep.Routes.Loop; f != nil {
		fmt.Fprintf(w, "\nForwarding loop:\n  %s\n  %s\n", explain.PacketText(in.Rel, f), explain.LoopText(in.Net, f))
	}
}

// printConfiguration lists the packets of a deadlock and the channels that they wait for.
func printConfiguration(w io.Writer, in *resolve.Subject, rep *verify.Report) {
	if model.ConditionOf[*bubble.Flow](rep.Conditions) != nil {
		printRun(w, in, rep)
		return
	}
	if rep.SharesVCs() {
		printQueued(w, in, rep)
		return
	}
	if rep.Flits != nil {
		printStanding(w, in, rep)
		return
	}
	fmt.Fprintf(w, "\nDeadlock of %s (the shortest dependency cycle has %s).\nEach entry: the channels that a packet holds, and the held "+
		"channels that the packet waits for.\n",
		wording.Count(len(rep.Configuration), "packet", "s"), wording.Count(len(rep.Cycle), "channel", "s"))
	for k, i := range explain.Order(rep) {
		p := rep.Configuration[i]
		if k == say.MaxShown {
			fmt.Fprintf(w, "  and %s more\n", wording.Count(len(rep.Configuration)-k, "packet", "s"))
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
		fmt.Fprintf(w, "      %s waits for%s\n", explain.PacketText(in.Rel, p), all)
		for _, v := range rep.WaitsFor(i) {
			fmt.Fprintf(w, "        %s\n", wording.Channel(in.Net, v))
		}
	}
}

// printRun lists the packets at the heads of buffers at the end of a run with flow control of rings.
func printRun(w io.Writer, in *resolve.Subject, rep *verify.Report) {
	fmt.Fprintf(w, "\nDeadlock at the heads of %s, reached from empty buffers by the run of the certificate.\nEach entry: the channels "+
		"that the packet at a head holds, and those that have no room for it or may not be\nentered. Other packets are behind these.\n",
		wording.Count(len(rep.Configuration), "buffer", "s"))
	for i, p := range rep.Configuration {
		if i == say.MaxShown {
			fmt.Fprintf(w, "  and %s more\n", wording.Count(len(rep.Configuration)-i, "buffer", "s"))
			break
		}
		for _, s := range rep.Held(i) {
			fmt.Fprintf(w, "  %s\n", wording.Channel(in.Net, s.VC))
		}
		fmt.Fprintf(w, "      %s waits for\n", explain.PacketText(in.Rel, p))
		for _, v := range rep.WaitsFor(i) {
			fmt.Fprintf(w, "        %s\n", wording.Channel(in.Net, v))
		}
	}
}

// printStanding lists the packets of a deadlock with gates.
func printStanding(w io.Writer, in *resolve.Subject, rep *verify.Report) {
	fmt.Fprintf(w, "\nDeadlock of %s, with gates.\nEach entry: the flits of a packet on each channel, and what its head waits for: channels "+
		"that other\npackets hold, or gates that buffers of other packets close.\n", wording.Count(len(rep.Configuration), "packet", "s"))
	for i, p := range rep.Configuration {
		if i == say.MaxShown {
			fmt.Fprintf(w, "  and %s more\n", wording.Count(len(rep.Configuration)-i, "packet", "s"))
			break
		}
		printFlits(w, in, rep, i)
		if rep.Arrived(i) {
			fmt.Fprintf(w, "      %s: its head has arrived, a gate keeps the rest\n", explain.PacketText(in.Rel, p))
			continue
		}
		fmt.Fprintf(w, "      %s waits for\n", explain.PacketText(in.Rel, p))
		for _, v := range rep.WaitsFor(i) {
			fmt.Fprintf(w, "        %s\n", wording.Channel(in.Net, v))
		}
	}
}

// printFlits lists the channels that packet i holds, with its flits there.
func printFlits(w io.Writer, in *resolve.Subject, rep *verify.Report, i int) {
	for k, s := range rep.Held(i) {
		fmt.Fprintf(w, "  %s: %s\n", wording.Channel(in.Net, s.VC), wording.Count(rep.HeldFlits(i)[k], "flit", "s"))
	}
}

// printQueued lists the packets of a deadlock that share virtual channels.
func printQueued(w io.Writer, in *resolve.Subject, rep *verify.Report) {
	fmt.Fprintf(w, "\nDeadlock of %s (the shortest dependency cycle has %s).\nEach entry: the flits of a packet on each channel, and what its "+
		"head waits for.\n", wording.Count(len(rep.Configuration), "packet", "s"), wording.Count(len(rep.Cycle), "channel", "s"))
	for i, p := range rep.Configuration {
		if i == say.MaxShown {
			fmt.Fprintf(w, "  and %s more\n", wording.Count(len(rep.Configuration)-i, "packet", "s"))
			break
		}
		printFlits(w, in, rep, i)
		packet := explain.PacketText(in.Rel, p)
		switch {
		case rep.Behind[i]:
			fmt.Fprintf(w, "      %s is behind another packet\n", packet)
			continue
		case rep.Chosen[i] >= 0:
			fmt.Fprintf(w, "      %s waits for this channel only:\n", packet)
		default:
			fmt.Fprintf(w, "      %s waits for\n", packet)
		}
		for _, v := range rep.WaitsFor(i) {
			fmt.Fprintf(w, "        %s\n", wording.Channel(in.Net, v))
		}
	}
}

// PrintCycle lists the channels of a shortest cycle and their packets.
func PrintCycle(w io.Writer, in *resolve.Subject, rep *verify.Report) {
	if len(rep.Cycle) == 0 {
		return
	}
	n := in.Net
	name, use := "Credit loop", "a packet that holds it and waits for the channel in the next line"
	if rep.DeadlockFree.Verdict != verify.Refuted || rep.Flits != nil {
		name, use = "Dependency cycle", "a packet on it that may request the channel in the next line"
	}
	fmt.Fprintf(w, "\n%s of %s (none is shorter; %s in %s take part in cycles).\nEach line: a channel, and %s.\n",
		name, wording.Count(len(rep.Cycle), "channel", "s"), wording.Count(rep.Counts.CyclicVCs, "virtual channel",
			"s"), wording.Count(rep.Counts.CyclicComponents, "strong component", "s"), use)
	for i, v := range rep.Cycle {
		if i == say.MaxShown {
			fmt.Fprintf(w, "  and %s more\n", wording.Count(len(rep.Cycle)-i, "channel", "s"))
			break
		}
		more := ""
		if rep.CyclePairs != nil && rep.CyclePairs[i] > 1 {
			more = fmt.Sprintf(", one of %s", wording.Count(rep.CyclePairs[i], "pair", "s"))
		}
		fmt.Fprintf(w, "  %s\n      %s%s\n", wording.Channel(n, v), explain.PacketText(in.Rel, rep.CyclePackets[i])+explain.CopiesText(rep,
			rep.CyclePackets[i]), more)
	}
}

// printWhy prints the theorems of the verdicts, then the premises.
func printWhy(w io.Writer, rep *verify.Report) {
	fmt.Fprintf(w, "\nWhy:\n")
	for _, c := range rep.Claims() {
		if c.Name == cert.ClaimDeadlockFree {
			printTheorems(w, rep)
		} else if c.Theorem != "" {
			fmt.Fprintf(w, "  %s: %s.\n", c.Name, c.Theorem)
		}
	}
	if rep.Symmetries != nil {
		fmt.Fprintf(w, "  symmetry: packets to the hosts of %s of %s were explored; symmetries of network and routing map them to all others.\n",
			wording.Thousands(int64(rep.Orbits)), wording.Count(rep.Groups, "switch", "es"))
	}
	say.PrintPremises(w, rep.Premises)
}

// printTheorems prints the theorems about deadlock-free, one for each group of disciplines.
func printTheorems(w io.Writer, rep *verify.Report) {
	for _, d := range rep.Disciplines {
		if d.Claim.Theorem != "" {
			fmt.Fprintf(w, "  %s (%s): %s.\n", d.Claim.Name, explain.DisciplineWords(d.Switching), d.Claim.Theorem)
		}
	}
}

// TrafficJSON is the verdict about the packets of hosts together with some management packets.
type TrafficJSON struct {
	Traffic string      `json:"traffic"` // hosts or all, as in --management
	Verdict string      `json:"verdict"`
	Claims  []ClaimJSON `json:"claims"` // empty if the verdict follows from the verdict about more traffic
}

// NewTrafficJSON returns the verdicts with management packets, or nil if none was decided.
func NewTrafficJSON(rep *verify.Report) []TrafficJSON {
	var list []TrafficJSON
	for _, x := range rep.Management {
		j := TrafficJSON{Verdict: string(x.Verdict), Claims: []ClaimJSON{}}
		for _, word := range resolve.ManagementWords() {
			if mode, err := resolve.ParseManagement(word); err == nil && mode == x.Management {
				j.Traffic = word
			}
		}
		for _, c := range x.Claims {
			j.Claims = append(j.Claims, newClaimJSON(rep, c))
		}
		list = append(list, j)
	}
	return list
}
