package verify

import (
	"strings"

	"github.com/turnproof/turnproof/cdg"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/facts"
	"github.com/turnproof/turnproof/verify/cert"
)

// Report is the result of Check.
type Report struct {
	Relation  model.Relation
	Switching model.Switching // discipline of DeadlockFree and its evidence
	// Disciplines are the verdicts on deadlock-free by switching discipline. If one evidence
	// decides several disciplines, they share an entry. The last entry holds DeadlockFree.
	Disciplines []Discipline
	// Premises are the facts that the verdicts assume. Doubts are those that made claims undecided.
	Premises []model.Premise
	Doubts   []model.Doubt
	Waiting  model.Waiting // Options.Waiting, or the value of the relation
	// Graph is the channel dependency graph. If the lines of a grid decided the claims, Graph
	// is nil.
	Graph  *cdg.Graph
	Counts Counts
	// Symmetries are those that decided most destinations, or nil. Orbits is the number of groups of
	// destinations (cdg.Groups) that were explored, one of each orbit; Groups is the number of all.
	Symmetries     []*model.Automorphism
	Orbits, Groups int

	Acyclic      Claim // not part of Verdict
	DeadlockFree Claim
	Connected    Claim
	LivelockFree Claim

	// Conditions are Options.Conditions as the relation has them. Answers are what their rules say.
	Conditions []model.Condition
	Answers    []*Answer

	// Steps are those of no-worms or unreachable that prove the first of Disciplines (cert.Claim.Steps).
	Steps []int32
	// Cycle is a shortest dependency cycle, or empty if the graph is acyclic. CyclePackets
	// has a packet for each dependency; its path ends with the two VCs of the dependency.
	// For forwarding tables, CyclePairs counts the host pairs that cause each dependency.
	Cycle        []model.VCID
	CyclePackets []*cdg.Packet
	CyclePairs   []int64

	Deadlock

	// Ranks, by VC, are the numbering that proves deadlock-free, or nil. A VC that the
	// evidence does not rank has -1.
	Ranks []int32

	Routes Routes

	// Management are the verdicts with management traffic. They are present if
	// Options.Management asks for them and the verdict without management traffic is proved.
	Management []Traffic

	// Certificate holds the evidence that the checker has accepted.
	Certificate *cert.Certificate

	inquiry
}

// inquiry is what Check knows while it decides.
type inquiry struct {
	commits  func(model.State) bool // result of model.CommitsIn
	open     bool                   // Options.Open
	isStated bool                   // the deadlock has packets with stated service levels only
	given    *Ranks                 // Options.Ranks
	facts    *facts.Bound           // Options.Facts on the network
	noSearch bool                   // Options.NoSearch
	subject  cert.Subject
	rules    []bound // of Conditions
	question *Question
	progress func(step string, done, total int)
	blocks   *blocks // the states of the subject; if nil, the subject lists them or is a table
}

// Deadlock is a deadlock, or empty unless deadlock-free is refuted. Each packet waits at the end of its path for VCs that other packets
// hold.
type Deadlock struct {
	Configuration []*cdg.Packet
	// Chosen, by packet of Configuration, is the next VC that the packet has chosen, or -1 if
	// the packet waits for any permitted VC. If nil, every packet waits for any. See WaitsFor.
	Chosen []model.VCID
	Holds  []int   // by packet: number of VCs that it holds at the end of its path; if nil, one each
	Flits  [][]int // with gates, or if packets share VCs: flits, by packet and VC of its path
	Behind []bool  // if packets share VCs: by packet, whether other packets are before its head in a buffer; else nil
	// Reached says whether the empty network gets into the deadlock: by Schedule, by a run that is the evidence, or by a
	// simulation. If nil, the question is open.
	Reached    *bool
	NotReached string  // why Schedule is nil although deadlock-free is refuted; empty if a Run shows that it is reached
	Schedule   []int32 // the packets of Configuration in the order of their moves (package reach), or nil
	Run        *Run    // the run into the deadlock, with flow control of rings, or with packets that share VCs
	FlitMoves  []int32 // with gates, if a run is the evidence: for each move a packet, and the place of its path that a flit leaves
}

// Discipline is a verdict on deadlock-free under some switching disciplines.
type Discipline struct {
	Switching []model.Switching
	Claim     Claim
}

// Counts are sizes of the channel dependency graph, over VCs between switches.
type Counts struct {
	Dependencies     int64
	UsedVCs          int64 // VCs that some packet can be on
	CyclicComponents int64 // strongly connected components with a cycle
	CyclicVCs        int64 // VCs in these components
}

// add adds c to k, multiplied by copies.
func (k *Counts) add(c Counts, copies int64) {
	k.Dependencies += copies * c.Dependencies
	k.UsedVCs += copies * c.UsedVCs
	k.CyclicComponents += copies * c.CyclicComponents
	k.CyclicVCs += copies * c.CyclicVCs
}

// Multicast returns the multicast tables among the conditions, or nil.
func (r *Report) Multicast() *model.Multicast {
	return model.ConditionOf[*model.Multicast](r.Conditions)
}

// Facts returns the facts about packets, buffers and routers on which the verdict rests.
func (r *Report) Facts() *facts.Bound { return r.facts }

// Claims returns the claims that determine Verdict: three, and those that conditions add.
func (r *Report) Claims() []Claim {
	list := []Claim{r.DeadlockFree, r.Connected, r.LivelockFree}
	for _, a := range r.Answers {
		if a.Claim.Name != cert.ClaimDeadlockFree {
			list = append(list, a.Claim)
		}
	}
	return list
}

// Verdict returns Refuted if a claim is refuted, else Undecided if a claim is undecided,
// else Proved.
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

// Method returns the kinds of evidence of the claims, separated by commas.
func (r *Report) Method() string {
	var list []string
	for _, c := range r.Certificate.Claims {
		list = append(list, c.Evidence)
	}
	return strings.Join(list, ", ")
}

// Evidence returns the kind of evidence for a claim, or "" if it is undecided.
func (r *Report) Evidence(claim string) string {
	for _, c := range r.Certificate.Claims {
		if c.Claim == claim {
			return c.Evidence
		}
	}
	return ""
}

// Traffic is the verdict on a table with one kind of management traffic.
type Traffic struct {
	Management model.Management
	Verdict    Verdict
	Claims     []Claim
}

// Failed returns Unproved of the claims.
func (t Traffic) Failed() string { return Unproved(t.Claims) }

// Unproved returns the name and the reason of the first claim that is refuted, else of the first that is undecided. If all are proved, it returns "".
func Unproved(claims []Claim) (why string) {
	for _, c := range claims {
		switch {
		case c.Verdict == Refuted:
			return c.Name + ": " + c.Reason
		case c.Verdict != Proved && why == "":
			why = c.Name + ": " + c.Reason
		}
	}
	return why
}

// contradicted returns the first of these predicates that the facts contradict, with the facts, as a reason. It returns "" if
// they contradict none.
func (r *Report) contradicted(texts ...string) string { return contradicted(r.facts, texts...) }

// storesWhole reports whether wormhole switching works as virtual cut-through: the facts say that each packet fits into a
// buffer, and that a VC takes a new packet only when it is empty or has room for all of it. A blocked packet then lies on one VC.
func (r *Report) storesWhole() bool {
	return r.Multicast() == nil && r.facts.WholePackets() == facts.True && r.facts.EmptyOrRoom() == facts.True
}
