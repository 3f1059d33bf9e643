package cert

// This file specifies the parts of a certificate that concern a change from one forwarding table to another. The judge is in
// package transition.

// Transition is a change from the table Old to the table New of one network, or from OldRelation to NewRelation. The tables differ in
// Ports and Classes only. A part is all entries of a destination, all entries of a switch, or one entry. Each part changes from Old to New
// once. The classes of the sources at a switch to a destination are part of its entry. But in a step in service, and if all parts change
// in any order with packets in the network, a source may send with the classes of either entry at any time.
//
// A packet that enters a switch looks up its entry at that moment, and keeps the next hops that it finds.
type Transition struct {
	Old *Table `json:"old,omitempty"`
	New *Table `json:"new,omitempty"`
	// OldRelation and NewRelation are present instead of Old and New if next hops depend on more than switch and destination, or
	// there are several. They have the same Classes, at most 16, Sources, Destinations, Inject and states, no Commits, Flows and Symmetries. The
	// states are those that packets can reach which meet either relation at each hop. No hop changes the class. The entry of a switch
	// for a destination is the next hops of all states there.
	OldRelation *Relation `json:"old_relation,omitempty"`
	NewRelation *Relation `json:"new_relation,omitempty"`
	// Waiting says for which of the next hops of its entry a packet waits, with relations only. Absent: for all of them. "one": for one that is
	// chosen when the packet enters the switch, and can be any of them.
	Waiting string `json:"waiting,omitempty"`
	// Drops says that switches drop packets without a next hop, with relations only. If absent, such a packet holds its VC for ever: the VC
	// depends on itself. Then each state on an injection channel has a next hop in both relations. (With tables, packets are dropped.)
	Drops bool `json:"drops,omitempty"`
	// Parts is "entry", "switch" or "destination".
	Parts string `json:"parts"`
	// Drained requires that Steps is empty. In the claim safe-order, single parts change while no packets meet both of their entries. In
	// the other claims, each packet meets one set of changed parts, the same as all packets in the network with it.
	Drained bool `json:"drained,omitempty"`
	// Steps holds, for each step: its kind, the number of parts, and the parts, ascending (destinations or switches). Each part changes in
	// one step at most, and each part whose entries differ changes. A step begins when no packet is left that was in the network
	// before the previous step ended. If Steps is empty, all parts change in any order. Unless Drained, a packet in the network may
	// meet old and new entries: with parts of entries or switches in any mixture, with parts of destinations old entries first and new
	// ones then. Parts of entries have no steps. The kinds:
	//
	//	0  The parts change. A packet may meet the old or the new entry at each switch for each of the parts, in any mixture.
	//	1  The parts change, drained. For destinations, no packets to them are in the network; for switches, no packets at all.
	//	2  Destinations only: from this step on, no packets to the destinations are in the network, and their entries may change.
	//	3  Destinations that a step of kind 2 has stopped get packets again, by new entries. Each of them has such a step.
	Steps Ints `json:"steps"`
}

// ClaimOrder: the parts can change one after the other, such that deadlock-free holds all the time.
const ClaimOrder = "safe-order"

// The kinds of evidence for transitions. The state of a step has the dependencies of all packets that may be in the network in the
// step, whichever entries they meet.
const (
	// EvidenceStates: deadlock-free or livelock-free proved, no field. The checker computes the dependencies before, in and after
	// each step. For deadlock-free they have no cycle in any of these states. For livelock-free no packet can come back to a VC there. (With
	// parts of destinations, without steps and not Drained: no packet that still meets old entries, and none that meets new ones. A packet may
	// come back once, by an old entry first and by a new one then.)
	// Drained, either the dependencies of old and new entries together have no cycle, or at most twelve parts change and those of no set do.
	EvidenceStates = "transition-states"
	// EvidenceMixedCycle: deadlock-free refuted, without steps. Packets, as for cycle; each hop is that of the old or of the new entry. Parts
	// and Drained say which entries a packet can meet one after the other. Drained, one set of changed parts gives the hops of all packets.
	// With relations, one order of all lookups and changes gives these hops: each entry changes once, with the others of its part. If packets
	// wait for all next hops, those of the last lookup of each packet are one VC. The last packet may be the only one, and stranded: its path ends
	// in a state without a next hop by an entry that it can meet, on a VC between switches.
	EvidenceMixedCycle = "transition-cycle"
	// EvidenceMixedLoops: livelock-free refuted, without steps. Steps holds exactly the destinations to which a packet can come back
	// to a VC, ascending.
	EvidenceMixedLoops = "transition-loops"
	// EvidenceSets: safe-order refuted, without steps. Steps holds sets of parts that have changed: the number of parts and the parts,
	// ascending, for each. If the state before the transition has a cycle, or the one after it, the list is empty. Else it has the
	// empty set, and not the set of all parts. Of each listed set, either the checker finds that the remaining parts block each other
	// (blocked.go in package transition), or each single part that can change next leads to a listed set.
	EvidenceSets = "transition-sets"
	// EvidenceFewest: lower-bound proved. Bound is a number of steps of kind 0 without which the parts cannot change, in whichever order.
	// Steps holds as many destinations, ascending, or none. Of the destinations, no two can change in one step: the mixed dependencies
	// of both, with those of destinations that do not change, have a cycle. If there are none, Bound is 2 and all parts together have a
	// cycle, or Bound is at most 31 and the checker finds that fewer steps are not enough.
	EvidenceFewest = "transition-fewest"
	// EvidenceStops: lower-bound proved, for steps of destinations. At least Bound destinations have to stop if all others change in
	// steps of kind 0; destinations whose entries do not change are not stopped. Steps holds groups: the number of destinations of the
	// group, these, ascending, the number of its sets, and the sets, as for transition-sets. If all other destinations that change get
	// no packets from the beginning to the end, those of the group cannot change in any order, as the sets show. So each
	// change stops one of them. No Bound-1 destinations meet all groups: the checker tries.
	EvidenceStops = "transition-stops"
)
