package local

import (
	"slices"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/program"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/cert"
)

// Options are the options of Prove. The zero value is the default.
type Options struct {
	// Switching is the discipline to prove for. If empty, a proof with ranks for all channels is for every discipline, and one
	// with an escape for virtual cut-through and store-and-forward. Under wormhole switching, a program names its escape.
	Switching model.Switching
	Waiting   model.Waiting // what packets with several next hops wait for; defaults to any of them. A proof with ranks for all channels is for both
	Claims    []string      // the claims to decide, of AllClaims; if nil, all
	Switches  int           // most switches of the small networks that are checked; defaults to 6
	Inputs    []cert.Input  // files that the program was read from, for the certificate
	Progress  func(string)  // may be nil
	cost      int           // of the search for one proof; defaults to mostCost
}

// AllClaims are the claims that Prove can decide.
var AllClaims = []string{cert.ClaimDeadlockFree, cert.ClaimConnected, cert.ClaimLivelockFree}

// Claim is a claim about every network of the program.
type Claim struct {
	Name    string
	Verdict verify.Verdict
	Theorem string // if proved
	Reason  string // if refuted or undecided
	Network string // the smallest network that refutes the claim; otherwise empty
	witness *Witness
}

// Rank is the rank of the channels of a VC that satisfy a condition.
type Rank struct {
	Channel string
	Tuple   []string // in numbers of the switches tail and head
}

// Report is the result of Prove.
type Report struct {
	Program   string
	Networks  string // "every connected network ..."
	Switching []model.Switching
	Verdict   verify.Verdict
	Claims    []Claim // those that were asked for, in the order of AllClaims
	Ranks     []Rank
	Escape    []int // VCs; empty if the proof uses none
	Some      bool  // packets are permitted some channel of greater rank
	Paths     bool  // the proof says nothing of deadlocks: every hop that a packet can repeat decreases a number of the packet
	Invariant []string
	Proved    map[string]int // obligations by kind
	Searched  []string       // networks that were checked one by one
	Witness   *Witness       // the smallest network that fails, or nil
	Premises  []model.Premise
	Seconds   float64
	cyclic    bool // the dependency graph of some small network has a cycle
	deadlock  bool // some small network has a deadlock
	// Certificate is the proof, which the checker has accepted; nil if nothing is proved.
	Certificate *cert.Certificate
}

// premiseAtomic is the premise of an escape under wormhole switching.
const premiseAtomic = "a VC takes a new packet only when it is empty, or has room for all of it"

// claim returns a claim that was asked for, or nil.
func (r *Report) claim(name string) *Claim {
	for i := range r.Claims {
		if r.Claims[i].Name == name {
			return &r.Claims[i]
		}
	}
	return nil
}

// is reports whether a claim was asked for and has a verdict.
func (r *Report) is(name string, v verify.Verdict) bool {
	c := r.claim(name)
	return c != nil && c.Verdict == v
}

// noMember is why a proof does not count: a premise that no network satisfies proves everything.
const noMember = "none of the networks tried has the premises of the program, so the theorem may concern no network"

// doubt takes back the proofs if no network of the program is known.
func (r *Report) doubt() {
	if len(r.Searched) > 0 {
		return
	}
	for i := range r.Claims {
		if c := &r.Claims[i]; c.Verdict == verify.Proved {
			c.Verdict, c.Theorem, c.Reason = verify.Undecided, "", noMember
		}
	}
	r.Certificate = nil
}

// Witness is a network on which the program fails.
type Witness struct {
	Claim    string // the claim that fails
	Tried    int    // networks that were tried until it was found
	Name     string // as a spec, or a description
	Spec     bool   // Name is a spec
	Network  *model.Network
	Relation model.Relation
	Report   *verify.Report // nil if the program ends with an error
	Err      error          // the error of the program
	Flows    []model.Flow   // the pairs of hosts that the failure needs; nil: all
	program  *program.Program
	allPairs string // why connected fails between all pairs of the network
}

// open reports whether some claim is not refuted.
func (r *Report) open() bool {
	return slices.ContainsFunc(r.Claims, func(c Claim) bool { return c.Verdict != verify.Refuted })
}

func (c *Claim) refute(reason, network string) {
	c.Verdict, c.Reason, c.Network = verify.Refuted, reason, network
}
