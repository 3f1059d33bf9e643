package verify

import (
	"errors"
	"fmt"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/facts"
	"github.com/turnproof/turnproof/verify/cert"
)

// Options are the options of Check. The zero value is the default.
type Options struct {
	Switching model.Switching // defaults to CutThrough
	// Open says that the input does not fix the switching discipline. Check then decides
	// every discipline (Report.Disciplines). The report is that of wormhole, the weakest
	// discipline. Switching must be empty.
	Open bool
	// Waiting says which of several permitted next hops a packet waits for. If empty, the
	// relation decides (model.CommitsIn).
	Waiting model.Waiting
	model.Known
	// Facts are the facts about packets, buffers and routers. The zero value knows only what the network states.
	Facts facts.Facts
	// NoSearch leaves a claim undecided if only a solver could decide the claim.
	NoSearch  bool
	Inputs    []cert.Input // Files that the relation was read from, for the certificate.
	AllStates bool         // Explores all states, even if the lines of a grid suffice.
	// Ranks, if not nil, replace the ranks that Check would compute as evidence.
	Ranks *Ranks
	// Conditions say when packets may move or what they wait for, beside the routing. The packages that decide them must be
	// linked (verify/conditions). checkTogether has the pairs that exclude each other.
	Conditions []model.Condition
	// NoPairs accepts a relation in which no endpoint sends to another one. Every claim holds
	// for such a relation. Searches over sizes need this; a user's network has pairs.
	NoPairs bool
	// Progress, if not nil, is called during long steps: done of total groups of destinations are done. Calls can
	// come from several goroutines at a time.
	Progress func(step string, done, total int)
	// Management also decides a table without management traffic for each kind of management
	// traffic; see Report.Management.
	Management bool

	// Listed makes a certificate of version 1, which lists all states of a relation in memory. By default the
	// states come in blocks (cert.Blocks), which are explored again when the certificate is checked or written.
	Listed bool

	made
}

// Ranks are given ranks. If they are wrong, Check fails. Package verify/parametric uses them for ranks proved for every size.
type Ranks struct {
	Ranks []int32 // by VC between switches
	// IsEscape says that they are evidence for deadlock-free: ranks of the exact rule or, under wormhole switching, of an escape (-1: the VC
	// is outside the escape). Otherwise they number the graph for acyclic.
	IsEscape bool
}

// escape reports whether ranks are given as evidence for deadlock-free.
func (r *Ranks) escape() bool { return r != nil && r.IsEscape }

// made are options that this package sets.
type made struct {
	switchingSource string // Source of the premise; defaults to model.Assumed.
	isLine          bool   // The relation is a line of a product; the subject then always states Waiting.
	listsTables     bool   // The subject lists the states of a table, too.
}

// chooseSwitching sets the switching discipline to decide. It fails if that discipline contradicts the known facts.
func (o *Options) chooseSwitching(known *facts.Bound) error {
	switch {
	case o.Open && (o.Switching != "" || o.Ranks.escape()):
		return errFixed
	case o.Open && known.WholePackets() == facts.False:
		o.Open, o.Switching, o.switchingSource = false, model.Wormhole, "whole packets do not fit into a buffer"
	case o.Open:
		o.Switching = model.Wormhole
	case o.Switching == "":
		o.Switching = model.CutThrough
	default:
		o.switchingSource = sourceCaller
	}
	if o.Switching != model.Wormhole && known.WholePackets() == facts.False {
		return fmt.Errorf("cannot decide %s switching: a buffer must hold whole packets; %s", o.Switching, known.Text())
	}
	return nil
}

// errFixed is the error of an open switching discipline that other options fix.
var errFixed = errors.New("cannot leave the switching discipline open: the options fix it")

// sourceCaller is the source of a discipline that the caller names without a premise.
const sourceCaller = "chosen by the caller"
