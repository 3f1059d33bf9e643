package everysize

import (
	"fmt"
	"slices"

	"github.com/turnproof/turnproof/verify/cert"
)

// This file defines theorems about all sizes (obligations.go): the classes of packets, the evidence, and where packets of a class are.

// Obligation is a formula that must have no solution.
type Obligation struct {
	Kind      string
	Name      string
	Formula   *Formula
	Variables int // the number of variables of the formula
}

// Solver answers the obligations in order: a reader of proofs, or a search for them.
type Solver interface {
	// Refute proves that the obligation has no solution.
	Refute(o *Obligation) error
	// Possible reports whether an obligation of kind "path" may have a solution. If not, it has proved that.
	Possible(o *Obligation) (bool, error)
}

// class is a class of packets on channels.
type class struct {
	dir   direction // noDirection for packets that have just been created
	vc    int
	wrap  bool
	part  int // bit i: the tail satisfies the condition of split i
	state int
}

// created is the class of packets that have just been created.
var created = class{dir: noDirection}

// channel is a class of channels.
type channel struct {
	dir   direction
	vc    int
	wrap  bool
	part  int
	state int // of evidence about paths, else 0
}

func (c class) channel() channel { return channel{c.dir, c.vc, c.wrap, c.part, 0} }

func (c class) String() string {
	if c.dir == noDirection {
		return "source"
	}
	text := fmt.Sprintf("direction %d vc %d", c.dir, c.vc)
	if c.wrap {
		text += " wrap"
	}
	if c.part != 0 {
		text += fmt.Sprintf(" part %b", c.part)
	}
	if c.state != 0 {
		text += fmt.Sprintf(" state %d", c.state)
	}
	return text
}

func compareClasses(a, b class) int {
	key := func(c class) []int {
		wrap := 0
		if c.wrap {
			wrap = 1
		}
		return []int{int(c.dir), c.vc, wrap, c.part, c.state}
	}
	return slices.Compare(key(a), key(b))
}

// isOf reports whether an output leads to channels of class b.
func (b class) isOf(o output) bool { return o.dir == b.dir && o.vc == b.vc && o.state == b.state }

// split divides channels of some directions and VCs by a condition on the tail.
type split struct {
	when     *Formula
	channels [][2]int // direction and VC
}

// kind is the kind of an escape.
type escapeKind int

const (
	noEscape      escapeKind = iota
	escapeSet                // the channels of some directions and VCs
	escapeFirst              // the first output of each path
	escapeLast               // the last output of each path
	numEscapeKind            // number of kinds
)

// evidence is what a certificate adds to the program.
type evidence struct {
	ofPackets bool // ranks belong to packets with a destination; deadlock-freedom is not claimed
	splits    []split
	classes   []class
	kept      map[class]*Formula // at the head
	group     map[class]int
	ranks     map[channel][]piece
	escape    escapeKind
	set       [][2]int   // of escapeSet: direction and VC
	detour    []*Formula // with an escape set; nil without detours
	adaptive  map[class]bool
}

// piece is a rank for the tails that satisfy a condition.
type piece struct {
	when *Formula
	rank []Form // compared from left to right
}

// theorem lists obligations.
type theorem struct {
	*family
	evidence
	flow   *cert.ProgramFlow // or nil
	claims map[string]bool   // the claims of the certificate
	solver Solver
	paths  []path
	starts []int // header states of created packets
	count  map[string]int
}

// possible asks whether choices of the program are possible.
func (t *theorem) possible(f *Formula) (bool, error) {
	return t.solver.Possible(&Obligation{Kind: "path", Name: "choice", Formula: f, Variables: t.variables()})
}

// refute asks for a proof that formulas contradict each other.
func (t *theorem) refute(kind, name string, parts ...*Formula) error {
	f := and(parts...)
	if f.isFalse() {
		return nil
	}
	t.count[kind]++
	if err := t.solver.Refute(&Obligation{Kind: kind, Name: name, Formula: f, Variables: t.variables()}); err != nil {
		return fmt.Errorf("%s, %s: %w", kind, name, err)
	}
	return nil
}

// ranksOf returns the ranks of a class.
func (t *theorem) ranksOf(a class) []piece {
	c := a.channel()
	if t.ofPackets {
		c.state = a.state
	}
	return t.ranks[c]
}

// leadsTo reports whether some output leads to class b.
func leadsTo(outputs []output, b class) bool {
	return slices.ContainsFunc(outputs, b.isOf)
}

func allOutputs(p *path) []output { return p.outputs }

// accepts reports whether packets of class a can take the path.
func (t *theorem) accepts(p *path, a class) bool {
	state := p.state < 0 || p.state == a.state
	if a == created {
		state = slices.Contains(t.starts, max(p.state, 0))
	}
	return (p.anyDir || p.dir == a.dir) && (p.vc < 0 || p.vc == a.vc) && state
}

// hop returns the formula: some of the outputs permits the hop to class b.
func (t *theorem) hop(outputs []output, b class) *Formula {
	var list []*Formula
	for _, o := range outputs {
		if b.isOf(o) {
			list = append(list, t.reaches(o))
		}
	}
	return or(list...)
}

// bare returns the formula: none of the outputs permits a hop.
func (t *theorem) bare(outputs []output) *Formula {
	var list []*Formula
	for _, o := range outputs {
		list = append(list, t.barren(o))
	}
	return and(list...)
}

// without returns the formula: a packet of class a takes a path without a hop by the outputs that some selects, and is not delivered.
func (t *theorem) without(a class, some func(*path) []output) *Formula {
	var list []*Formula
	for i := range t.paths {
		if p := &t.paths[i]; t.accepts(p, a) && p.failed == nil && !p.ejects {
			list = append(list, and(p.guard, t.bare(some(p))))
		}
	}
	return or(list...)
}

// taken returns the formula: a packet of class a takes a path that fits.
func (t *theorem) taken(a class, fits func(*path) bool) *Formula {
	var list []*Formula
	for i := range t.paths {
		if p := &t.paths[i]; t.accepts(p, a) && fits(p) {
			list = append(list, p.guard)
		}
	}
	return or(list...)
}

// atTail returns the formula: a channel of class b leaves the place.
func (t *theorem) atTail(b class) *Formula { return and(t.isTail(b.dir, b.wrap), t.inPart(b)) }

// inPart returns the formula: the place, the tail of a channel, is in the part of class b.
func (t *theorem) inPart(b class) *Formula {
	var list []*Formula
	for i, s := range t.splits {
		switch {
		case !slices.Contains(s.channels, [2]int{int(b.dir), b.vc}):
		case b.part>>i&1 == 1:
			list = append(list, s.when)
		default:
			list = append(list, not(s.when))
		}
	}
	return and(list...)
}

// stepBy returns the formula: a packet of class a moves to class b by one of the outputs that some selects.
func (t *theorem) stepBy(a, b class, some func(*path) []output) *Formula {
	var list []*Formula
	for i := range t.paths {
		if p := &t.paths[i]; t.accepts(p, a) && leadsTo(some(p), b) {
			list = append(list, and(p.guard, t.hop(some(p), b)))
		}
	}
	return and(or(list...), t.atTail(b))
}

// invariant returns the formula: a packet of class a can be at the place, the head of its channel. At the tail it took a
// path that leads to the class, and the conditions of the class hold.
func (t *theorem) invariant(a class) *Formula {
	if a == created {
		return always
	}
	var list []*Formula
	for i := range t.paths {
		p := &t.paths[i]
		if leadsTo(p.outputs, a) && slices.ContainsFunc(append([]class{created}, t.classes...), func(b class) bool { return t.accepts(p, b) }) {
			list = append(list, and(p.guard, t.hop(p.outputs, a)))
		}
	}
	before := and(t.inPart(a), t.undelivered(), or(list...)).move(t.toTail(a.dir, a.wrap))
	return and(t.isHead(a.dir, a.wrap), t.kept[a], before)
}

// known returns the formula: a packet of class a is at the place, and the program routes it.
func (t *theorem) known(a class) *Formula { return and(t.domain(), t.invariant(a)) }

// leaves returns the formula: a working channel of this direction leaves the place.
func (t *theorem) leaves(dir direction) *Formula {
	switch {
	case len(t.fails) > 0:
		return t.works(t.here, dir)
	case t.rings(dir.dim()):
		return always
	}
	return t.isTail(dir, false)
}

// endsPaths reports whether some claim says that paths end. Without it, neither ranks nor distances are needed.
func (t *theorem) endsPaths() bool {
	return slices.ContainsFunc([]string{cert.ClaimDeadlockFree, cert.ClaimConnected, cert.ClaimLivelockFree, cert.ClaimMinimal},
		func(claim string) bool { return t.claims[claim] })
}

// needsDistance reports whether distances show that paths are finite.
func (t *theorem) needsDistance() bool {
	switch {
	case t.ofPackets:
		return t.endsPaths() && (t.escape == noEscape || len(t.ranks) == 0)
	case t.escape != noEscape: // a path of escape hops leads to each destination
		return t.claims[cert.ClaimLivelockFree]
	}
	return t.flow != nil
}
