package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/turnproof/turnproof/internal/wording"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format"
	"github.com/turnproof/turnproof/model/view/page"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/explain"
)

// This file says what the verdicts mean to those who run a network of this kind.

// reader has the words for one kind of network.
type reader struct {
	term     string                  // who reads
	deadlock func(x *Routing) string // the verdict on deadlock-free
	lost     string                  // pairs without a path: their number and that of all pairs
	circles  string
}

var readers = map[format.Kind]reader{
	format.InfiniBand: {"InfiniBand administrator", (*Routing).infiniBand,
		"%s of %s pairs of end ports have no path that arrives: the tables drop or misdeliver their packets.",
		"Some packets circle between switches. A packet of InfiniBand has no hop limit: it leaves the circle only if it waits for longer " +
			"than the lifetime limit of a switch, which then discards it."},
	format.OnChip: {"NoC architect", (*Routing).onChip, "%s of %s pairs have no route that ends at the destination.",
		"The routing can forward a packet in a circle without end; limit the number of misroutes."},
	format.Ethernet: {"Ethernet operator", (*Routing).ethernet, "%s of %s pairs have no path in these tables.",
		"Frames can circle: the hop limit of IP ends this for routed packets, and nothing ends it for bridged frames."},
	format.Accelerators: {"Operator of accelerators", (*Routing).accelerators, "%s of %s pairs of chips have no route.",
		"Some packets circle between chips without end."},
}

// means says what the verdicts mean to the reader of this kind of network.
func (x *Routing) means() page.Facts {
	r, about := x.Check, readers[x.Subject.Kind()]
	text := about.deadlock(x)
	if r.Connected.Verdict == verify.Refuted {
		text += " " + fmt.Sprintf(about.lost, wording.Thousands(r.Routes.Unreachable), wording.Thousands(r.Routes.Pairs))
	}
	if r.LivelockFree.Verdict == verify.Refuted {
		text += " " + about.circles
	}
	return page.Facts{{Term: about.term, Text: text}}
}

// acyclic reports whether the dependency graph has no cycle. The proof then holds for every choice
// of the permitted hop for which a packet waits.
func (x *Routing) acyclic() bool { return x.Check.Acyclic.Verdict == verify.Proved }

func (x *Routing) blocked() string {
	return wording.Count(max(len(x.Check.Configuration), 1), "packet", "s")
}

func (x *Routing) infiniBand() string {
	switch x.Check.DeadlockFree.Verdict {
	case verify.Proved:
		who := "packets"
		if x.Check.Management != nil {
			who = "packets between hosts"
		}
		return "No credit loop: " + who + " that follow this routing cannot block each other forever. " + x.management() + "A changed table, service " +
			"level, SL-to-VL map or cable needs a new check."
	case verify.Refuted:
		return fmt.Sprintf("Credit loop: %s, shown below, can fill the buffers that they wait for. Then these links stop, unless "+
			"head-of-queue lifetimes discard packets.", x.blocked())
	}
	return "It is undecided whether there is a credit loop: " + x.Check.DeadlockFree.Reason + "."
}

// management says which management traffic has a worse verdict. It returns "" if there is none.
func (x *Routing) management() (text string) {
	for _, t := range explain.WorseTraffic(x.Check) {
		text += fmt.Sprintf("With management traffic %s on the data VLs: %s, %s. ", explain.TrafficText(t.Management), strings.ToUpper(string(t.Verdict)),
			t.Failed())
	}
	return text
}

func (x *Routing) onChip() string {
	buffers := "each buffer holds a whole packet"
	if x.Check.Switching == model.Wormhole {
		buffers = "packets may be longer than a buffer"
	}
	switch {
	case x.Check.DeadlockFree.Verdict == verify.Undecided:
		return "Freedom from deadlock is undecided: rely neither on deadlock freedom nor on a deadlock."
	case x.Check.DeadlockFree.Verdict == verify.Refuted:
		return fmt.Sprintf("%s, shown below, block each other. Prohibit one turn of the cycle, or give this turn a virtual "+
			"channel of its own.", capital(x.blocked()))
	case x.acyclic():
		return fmt.Sprintf("The routing needs no further virtual channel, escape or deadlock detection (%s, %s). Requests and replies "+
			"that wait for each other need separate virtual networks.", wording.Count(x.Subject.Net.VCs(), "virtual channel", "s"), buffers)
	}
	return fmt.Sprintf("Deadlock-free with cyclic dependencies (%s, %s): a router must keep requesting every permitted channel, and "+
		"must not commit a waiting packet to one.", wording.Count(x.Subject.Net.VCs(), "virtual channel", "s"), buffers)
}

func (x *Routing) ethernet() string {
	switch {
	case x.Check.DeadlockFree.Verdict == verify.Undecided:
		return "It is undecided whether PAUSE can lock these links: " + x.Check.DeadlockFree.Reason + "."
	case x.Check.DeadlockFree.Verdict == verify.Refuted && x.Check.Switching != model.Wormhole:
		return "Under PFC or PAUSE these ports can stop each other in a circle forever; only a watchdog that drops frames ends this deadlock."
	case x.Check.DeadlockFree.Verdict == verify.Refuted:
		return "Ethernet does not use wormhole switching: check again with --switching saf."
	case x.acyclic():
		return "Under PFC or PAUSE no ports can stop each other in a circle if frames follow these paths. The proof does not cover " +
			"flooded, multicast and mirrored frames."
	case x.waitsAsStated():
		return "Under PFC no ports can stop each other in a circle forever. The circle of dependencies that is shown leads over a hop where frames " +
			"do not wait, such as a cable without PFC: they are dropped there. The proof does not cover flooded, multicast and mirrored frames."
	}
	return "The proof does not apply to Ethernet: a switch chooses the port before a frame waits, but the proof needs packets that " +
		"wait for several ports. The dependencies are cyclic."
}

// waitsAsStated reports whether the dumps of switches say where frames wait.
func (x *Routing) waitsAsStated() bool {
	return slices.ContainsFunc(x.Check.Premises, func(p model.Premise) bool { return p.Name == model.PremiseWaiting && p.Source == "Ethernet" })
}

func (x *Routing) accelerators() string {
	switch x.Check.DeadlockFree.Verdict {
	case verify.Proved:
		return "No hang: packets that follow these routes cannot block each other forever. Another descriptor, option, placement of cables " +
			"or release of the fabric needs a new check."
	case verify.Refuted:
		return fmt.Sprintf("Hang: %s, shown below, can fill the receivers that they wait for. Then these links stop until the fabric is started again.",
			x.blocked())
	}
	return "It is undecided whether the fabric can hang: " + x.Check.DeadlockFree.Reason + "."
}

// graph describes the dependency graph.
func (x *Routing) graph() string {
	r := x.Check
	text := fmt.Sprintf("%s over %s", wording.Count(r.Counts.Dependencies, "dependenc", "ies", "y"),
		wording.Count(r.Counts.UsedVCs, "reachable virtual channel", "s"))
	if x.acyclic() {
		return text + ", no cycle"
	}
	return text + fmt.Sprintf("; %s in %s lie on cycles, the shortest of length %d", wording.Count(r.Counts.CyclicVCs, "virtual channel", "s"),
		wording.Count(r.Counts.CyclicComponents, "strong component", "s"), len(r.Cycle))
}
