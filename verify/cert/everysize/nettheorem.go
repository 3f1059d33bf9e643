package everysize

import "fmt"

// This file lists what must be proved of a program for any network. The certificate adds the classes of packets, a condition
// for each, ranks, and the proofs.
//
// A class is the packets on channels of one VC that have one header state, with or without a switch in it; or the packets
// that have just been created.
//
// Theorem. Let every formula below have no solution. Then on all connected networks that have the premise of the program:
//
//	inject     the condition of created packets holds for all that inject returns;
//	error      no packet takes a run that ends with an error, or sends to a switch that is not linked;
//	invariant  the conditions of the classes hold after each hop, by induction over the hops of a packet;
//	rank       every dependency leads to a channel of greater rank. So the graph of dependencies of each network, which is
//	           finite, has no cycle (Dally and Seitz 1987), and every path is finite.
//
// Claimed as connected, also:
//
//	start      every source has a header state for each destination;
//	output     every packet has a next hop or is delivered, and none is delivered at another switch than its destination.
//
// With an escape, a set of VCs, rank is about the hops from escape channels to escape channels only, and there are:
//
//	escape     every packet is permitted an escape channel, or is delivered (Duato 1996; vct and saf);
//	stay       under wormhole switching, no hop leads from an escape channel to one outside of it. So a packet that is on the escape takes
//	           hops of rising rank only, and the theorem of Duato (1993) holds. Its premise is that a VC takes a new packet only
//	           when it is empty, or has room for all of it.
//	some       instead of an escape and of rank, for vct and saf: every packet on a channel is permitted some channel of greater rank than its
//	           own, or is delivered. Of the channels of a deadlock, take one of greatest rank: its first packet is permitted a channel
//	           outside of the deadlock (Duato 1996, for the set of all channels).
//	distance   with an escape or "some": classes have groups and measures. No hop leads to a lower group, and a hop within a group decreases the measure
//	           of the packet. If all classes of a group are on escape VCs, hops within it need no measure, because each increases
//	           the rank. So every path is finite. Without the claim deadlock-free, this is asked of all hops instead of rank, escape or some.

// NetClass is a class of packets.
type NetClass struct {
	VC      int // -1 for packets that have just been created
	State   int
	Carries bool // the header carries a switch
}

func (a NetClass) created() bool { return a.VC < 0 }

// String names the class.
func (a NetClass) String() string {
	text := fmt.Sprintf("VC %d", a.VC)
	if a.created() {
		text = "source"
	}
	if a.State > 0 {
		text += fmt.Sprintf(" state %d", a.State)
	}
	if a.Carries {
		text += " with a switch"
	}
	return text
}

// netRun is one run of route.
type netRun struct {
	class   NetClass // that takes it; its VC is -1 for created packets
	guard   *Formula
	outputs []netOutput
	failed  error
	at      Place // of the runner of a search
}

// netOutput is an output for all switches at the binders.
type netOutput struct {
	binders []binder
	guard   *Formula
	ejects  bool
	next    term
	vcs     [2]int // first, and that after the last
	state   int
	via     term // noTerm: the header carries no switch
}

// start is what inject returns.
type start struct {
	guard   *Formula // of the run
	outputs []netOutput
	failed  error
}

// netRank is the rank of the channels of a VC that satisfy a condition.
type netRank struct {
	when *Formula
	rank []Form
}

// netTheorem lists the obligations of a program for any network.
type netTheorem struct {
	*family
	*vocabulary
	premise  *Formula // of atCur, and of atDst if pairwise
	pairwise bool
	endpoint *Formula // of atCur
	runs     []netRun
	starts   []start

	classes []NetClass
	holds   map[NetClass]*Formula
	group   map[NetClass]int
	measure map[NetClass][]Form
	ranks   map[int][]netRank
	escape  []int // VCs, or nil
	paths   bool  // nothing is claimed about deadlocks: every hop decreases a measure
	anyRise bool  // packets are permitted some channel of greater rank
	worms   bool  // under wormhole switching

	solver NetSolver
	at     Place // of the run whose obligations are listed
	count  map[string]int
}

// NetSolver answers obligations: a reader of proofs, or a search for them.
type NetSolver interface {
	// Refute proves that an obligation has no solution.
	Refute(kind, name string, q *Question) error
}

// names returns the terms that conditions on packets of a class can use.
func (a NetClass) names() []term {
	list := []term{atCur, atDst}
	if a.Carries {
		list = append(list, atVia)
	}
	if !a.created() {
		list = append(list, atPrev)
	}
	return list
}

// arrived returns the formula: a packet of class a is at a switch, and route is called for it.
func (t *netTheorem) arrived(a NetClass) *Formula {
	holds := t.holds[a]
	if holds == nil {
		return never
	}
	f := and(holds, t.undeliveredAt(atCur), t.distant(), t.replace(t.endpoint, map[term]term{atCur: atDst}))
	if a.created() {
		return and(f, t.endpoint)
	}
	return and(f, t.linked(atPrev, atCur), t.undeliveredAt(atPrev))
}

// undeliveredAt returns the formula: route is called for a packet at a switch.
func (t *netTheorem) undeliveredAt(u term) *Formula {
	if t.passes {
		return always
	}
	return not(t.same(u, atDst))
}

// distant returns a formula that holds of all switches: cur and dst are one switch, or have a distance of at least 1. Evidence about paths needs the
// distance as a variable.
func (t *netTheorem) distant() *Formula {
	if !t.paths {
		return always
	}
	return or(t.same(atCur, atDst), atLeast(t.of("distance", atCur, atDst).shift(-1)))
}

// classOf returns the class of packets on the channel of an output.
func (o *netOutput) classOf(vc int) NetClass { return NetClass{vc, o.state, o.via != noTerm} }

// none returns the formula: no switch gives an output that fits.
func (t *netTheorem) noOutput(list []netOutput, fits func(*netOutput) bool) *Formula {
	f := always
	for i := range list {
		if fits(&list[i]) {
			f = and(f, not(t.exists(list[i].binders, list[i].guard)))
		}
	}
	return f
}

// Question is a formula that must contradict the facts of networks.
type Question struct {
	vocabulary *vocabulary
	formula    *Formula
	watched    []*Formula
	factsOf    func(level int) ([]*Formula, *vocabulary)
	levels     []int
	towards    int        // the level of facts about each switch of the hop with the destination
	tree       int        // the level of children of the spanning tree
	facts      []*Formula // of the level
	at         Place
}

// Place is where a run of route ends: the line of the return, and the line where any element of a list is taken for the first one. 0 is unknown.
type Place struct{ Line, Chosen int }
