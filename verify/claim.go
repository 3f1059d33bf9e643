package verify

import (
	"strings"

	"github.com/turnproof/turnproof/cdg"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/verify/cert"
)

// Verdict is what is known of a claim.
type Verdict string

// The verdicts. Refuted is a result, not an error.
const (
	Proved    Verdict = cert.Proved
	Refuted   Verdict = cert.Refuted
	Undecided Verdict = "undecided"
)

// Claim is one claim with its verdict.
type Claim struct {
	Name     string // one of cert.Claim...
	Verdict  Verdict
	Theorem  string   // why the evidence is enough; empty if undecided
	Premises []string // what it takes for granted
	Reason   string   // of a refutation or of being undecided, in a sentence
}

// Holds returns true, false, or nil for a claim that is undecided.
func (c Claim) Holds() *bool {
	if c.Verdict == Undecided {
		return nil
	}
	h := c.Verdict == Proved
	return &h
}

// Report is what Check found.
type Report struct {
	Relation  model.Relation
	Switching model.Switching // that of DeadlockFree and its evidence
	// Disciplines are the verdicts on deadlock-free by switching discipline. One entry
	// speaks for several disciplines if the same evidence decides them. The last entry
	// holds DeadlockFree.
	Disciplines []Discipline
	// Premises are what the verdicts rest on; Doubts made claims undecided.
	Premises []model.Premise
	Doubts   []model.Doubt
	Waiting  model.Waiting // Options.Waiting, or what the relation says
	// Graph is the channel dependency graph, nil where the verdict came from
	// the lines of a grid without building it.
	Graph  *cdg.Graph
	Counts Counts

	Acyclic      Claim // beside the three that the verdict is made of
	DeadlockFree Claim
	Connected    Claim
	LivelockFree Claim

	// Messages are Options.Messages, MessageFree what holds of them: the fourth claim where they
	// are given. MessagePackets are, where two classes share a virtual network, packets between two
	// hosts, one each way.
	Messages       *Messages
	MessageFree    Claim
	MessagePackets []*cdg.Packet

	// Cycle is a shortest dependency cycle, CyclePackets a packet for each
	// dependency in it: Path ends on the VC that it holds and the one it waits
	// for. Empty iff the graph is acyclic.
	// CyclePairs, of forwarding tables only, are the pairs of hosts whose packets have it.
	Cycle        []model.VCID
	CyclePackets []*cdg.Packet
	CyclePairs   []int64

	// Configuration is a deadlock: packets each of which waits, at the end of
	// its path, for VCs that others of them hold. Empty unless deadlock-free is
	// refuted. Reached: it was driven from the empty network; nil: not tried.
	Configuration []*cdg.Packet
	Reached       *bool
	Gating        *Gating          // Options.Gating
	Multicast     *model.Multicast // Options.Multicast
	Flits         [][]int          // with gates: by packet, by VC of its path, its flits there
	Holds         []int            // by packet: how many VCs, the last of its path, it holds; nil: one

	// Ranks, by VC, are the numbering of the evidence for deadlock-free, nil
	// if that is not proved; -1 for VCs that the evidence does not rank.
	Ranks []int32

	Routes Routes

	// Management are the verdicts with management traffic, if Options.Management asks for them
	// and the verdict without is proved.
	Management []Traffic

	// Chosen, by packet of Configuration, is the next VC that the packet waits for if it waits for one
	// only, else -1. Nil if every packet waits for any permitted VC. See Waits.
	Chosen []model.VCID

	commits     func(model.State) bool // model.CommitsIn
	open        bool                   // Options.Open
	given       []int32                // Options.Ranks
	sizes       *Sizes                 // Options.Sizes
	noSearch    bool                   // Options.NoSearch
	escapeRanks bool
	subject     cert.Subject

	// Certificate holds the evidence; the checker has accepted it.
	Certificate *cert.Certificate
}

// Discipline is the verdict on deadlock-free under some switching disciplines.
type Discipline struct {
	Switching []model.Switching
	Claim     Claim
}

// Counts are sizes of the channel dependency graph, all over VCs between switches.
type Counts struct {
	Dependencies     int64
	UsedVCs          int64 // that some packet can be on
	CyclicComponents int64 // strong components with a cycle
	CyclicVCs        int64 // VCs in them
}

// add adds so many copies of c.
func (k *Counts) add(c Counts, copies int64) {
	k.Dependencies += copies * c.Dependencies
	k.UsedVCs += copies * c.UsedVCs
	k.CyclicComponents += copies * c.CyclicComponents
	k.CyclicVCs += copies * c.CyclicVCs
}

// Claims returns the claims that the verdict is made of: three, or four with classes of messages.
func (r *Report) Claims() []Claim {
	list := []Claim{r.DeadlockFree, r.Connected, r.LivelockFree}
	if r.Messages != nil {
		list = append(list, r.MessageFree)
	}
	return list
}

// Verdict is refuted if any of the claims is, else undecided if any is,
// else proved.
func (r *Report) Verdict() Verdict {
	v := Proved
	for _, c := range r.Claims() {
		if c.Verdict == Refuted {
			return Refuted
		}
		if c.Verdict == Undecided {
			v = Undecided
		}
	}
	return v
}

// Method names the ways in which the claims were decided.
func (r *Report) Method() string {
	var list []string
	for _, c := range r.Certificate.Claims {
		list = append(list, c.Evidence)
	}
	return strings.Join(list, ", ")
}

// The theorems, as reports print them.
const (
	theoremNumbering          = "Dally and Seitz 1987: a rank for each VC that every dependency raises leaves no room for a dependency cycle"
	theoremCycle              = "each dependency of the cycle is used by the packet beside it"
	theoremAcyclic            = "Dally and Seitz 1987: no cyclic channel dependencies, no deadlock"
	theoremElimination        = "every waiting packet has a permitted next VC of higher rank, so the packet on the highest VC of any blocked set could move"
	theoremEscape             = "Duato 1993: each state permits an escape, and the extended dependencies of the escape have no cycle"
	theoremGatedOrder         = "round by round it is excluded that a VC stays taken, or a buffer nearly full, for ever, until nothing is left that could block (Duato 1996, with waiting for buffers ahead)"
	theoremGatedConfiguration = "packets of which no flit can move: each head waits for VCs that others keep, or before a gate that others keep closed, and so do the flits behind; they come there one after the other"
	theoremWorms              = "a set of packets, each on the last VCs of its way, none on the VC of another, and each waiting for VCs that they hold only"
	theoremConfiguration      = "Duato 1996: a set of VCs, each holding a packet all of whose permitted next VCs lie in the set"
	theoremWalk               = "every state that a packet can get into has a way to its destination"
	theoremLost               = "the packet's own way through the tables"
	theoremLongest            = "no packet can come back to a state, so every way ends"
	theoremLoop               = "the packet's own way comes back to a state that it was in"
	theoremChosen             = "a set of VCs, each holding a packet which has chosen a next VC of the set, or all of whose permitted next VCs lie in the set (Duato 1996, with a state for each choice)"
	theoremNetworks           = "Song and Pinkston 2003: each class of messages has a virtual network of its own, from the last class on all are consumed"
	theoremShared             = "Song and Pinkston 2003: two hosts have filled the ways to each other with messages, and what each would have to send waits behind its own"
	theoremDeadlocked         = "a deadlock of one virtual network is one of all"
	theoremTurnCycle          = "each turn of the cycle is allowed"
	theoremTurnTree           = "a tree joins all switches with hosts, and all turns along it are allowed"
	theoremTurnSearch         = "ways of allowed turns lead from each switch with hosts to all others"
	theoremTurnUnreached      = "a search along all allowed turns does not come to the destination"
)

// premiseAtomic is what the escape's theorem supposes of wormhole buffers.
const premiseAtomic = "a VC takes a new packet only when it is empty, or has room for all of it"

// premiseCopies is what a subject with multicast groups supposes.
const premiseCopies = "a multicast packet keeps its buffer until each of its copies has been given the next one"

// premiseWhole is what virtual cut-through and store-and-forward suppose.
const premiseWhole = "a whole packet fits into the buffer of a VC"

// premiseShort is what a deadlock of single VCs supposes under wormhole switching.
const premiseShort = "packets may be short enough to fit into the buffer of one VC"

// premiseWorms is what a deadlock of worms supposes.
const premiseWorms = "packets may be of any length, and a VC holds flits of one packet at a time"

// premiseAlike is what the deadlock of classes in one virtual network supposes: hosts that only
// ask and hosts that only answer do not fill the ways to each other.
const premiseAlike = "any host may send messages of any class to any other"

// PremisesOf returns what freedom from deadlock under s takes for granted. If worms is true,
// it adds what an escape supposes under wormhole switching.
func PremisesOf(s model.Switching, worms bool) []string {
	if worms {
		return append([]string{premiseAtomic}, switchingPremises(s, model.WaitAny)...)
	}
	return switchingPremises(s, model.WaitAny)
}

// switchingPremises returns what freedom from deadlock under s takes for granted.
func switchingPremises(s model.Switching, w model.Waiting) []string {
	common := []string{
		waitingPremise(w),
		"packets that have arrived are consumed",
		"no message waits for another (no dependence between requests and replies)",
		"a packet without a permitted next VC is dropped",
	}
	if s == model.Wormhole {
		return common
	}
	return append([]string{premiseWhole}, common...)
}
