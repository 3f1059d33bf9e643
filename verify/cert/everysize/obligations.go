package everysize

import (
	"fmt"
	"slices"

	"github.com/turnproof/turnproof/verify/cert"
)

// This file lists what must be proved, from the program alone. The certificate adds the classes
// that packets reach, conditions that hold on them, ranks, an escape, and the proofs.
//
// A class is the channels of a direction, VC, kind (wraparound or not) and part, with the packets on them that
// have one header state. Parts are given by conditions on the tail. A class that is not listed has no packets.
//
// Theorem. Let every formula below have no solution. Then for all sizes of the family:
//
//	inject     every source has a header state for each destination;
//	output     no packet takes a path with an error: nothing is known of its outputs. With the claim connected, none
//	           takes a path without an output, and none is delivered at a switch that is not its destination;
//	boundary   no packet is sent to a missing or failed channel;
//	move       packets move between listed classes only;
//	invariant  the conditions of each class hold after each hop, by induction over the hops of a packet;
//	rank       every dependency leads to a channel of greater rank. The graph of dependencies of each network is
//	           finite, so it has no cycle (Dally and Seitz 1987). Each packet moves to greater ranks, so
//	           it is delivered after finitely many hops.
//
// With an escape, rank is about the hops to escape channels only, and there are:
//
//	escape     every packet is permitted an escape channel, or is delivered. Of blocked packets on
//	           escape channels, that on the greatest rank can move (Duato 1996; vct and saf);
//	detour     with a detour, the rank rises also from the last escape channel of a packet to the next one, after
//	           any number of hops to other channels (Duato 1993; any switching). Clauses describe where these hops
//	           lead. They hold before the first hop, and are kept by each hop;
//	distance   classes have groups. No hop leads to a lower group, and a hop within a group decreases the distance to the
//	           destination. So each packet is delivered after finitely many hops.
//
// The claim minimal has one more kind:
//
//	minimal    no hop, including the first, leaves the distance to the destination as it is or increases it. A path that arrives
//	           has then as many hops as a shortest path. The distance is the sum of the distances in the dimensions, which
//	           is that of grids without failures. In a hexagonal grid it is that of choices.go.
//
// choices.go has the kinds of the claims deterministic and fully-adaptive.
//
// With flow control of rings, flow.go says what is proved.
// With failures, all of this is proved for each case of faults.go.
//
// A path of the program that the run leaves out has an obligation "path": no packet makes its choices.

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

// ranksOf returns the ranks of a class.
func (t *theorem) ranksOf(a class) []piece {
	c := a.channel()
	if t.ofPackets {
		c.state = a.state
	}
	return t.ranks[c]
}

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

// prove passes all obligations to the solver.
func (t *theorem) prove() error {
	if err := t.run(); err != nil {
		return err
	}
	for _, a := range append([]class{created}, t.classes...) {
		if err := t.packets(a); err != nil {
			return err
		}
	}
	if t.detour != nil {
		if err := t.detours(); err != nil {
			return err
		}
	}
	return t.rises()
}

// run runs the program, for all obligations that come from its text alone.
func (t *theorem) run() (err error) {
	t.count = map[string]int{}
	m := &machine{family: t.family, base: t.domain(), possible: t.possible}
	if err := t.inject(m); err != nil {
		return err
	}
	t.paths, err = m.explore(func() { m.route() })
	return err
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

// route runs the function route once.
func (m *machine) route() {
	top := m.load()
	state := 0
	if m.states > 1 {
		state = m.chooseOf(m.states)
		m.path.state = state
	}
	args := []any{m.coordinates(m.here), m.coordinates(m.there), input{}}
	if m.reads {
		args = append(args, int64(state))
	}
	made, ok := m.apply(top.values["route"], args).(*list)
	if !ok {
		fail("route returned no list")
	}
	for _, v := range made.items {
		m.output(v, state)
	}
}

func (m *machine) coordinates(at func(int) Form) place {
	var p place
	for d := range m.dims {
		p = append(p, value(at(d), 1))
	}
	return p
}

// output adds an output of route. A direction alone means all of its VCs.
func (m *machine) output(v any, state int) {
	if _, ok := v.(ejection); ok {
		m.path.ejects = true
		return
	}
	hop, from, to := v, 0, m.vcs
	if t, isTuple := v.(tuple); isTuple && (len(t) == 2 || len(t) == 3) {
		hop = t[0]
		from = index(t[1], m.vcs)
		to = from + 1
		if t[1].(int64) < 0 {
			fail("a negative VC")
		}
		if len(t) == 3 {
			if state = index(t[2], m.states); t[2].(int64) < 0 {
				fail("a negative header state")
			}
		}
	}
	var o output
	switch hop := hop.(type) {
	case target: // only programs for hyperx have them
		if o.dir, o.kind = direction(2*hop.dim), hop.kind; hop.to != nil {
			o.to = hop.to.num
		}
	case direction:
		if o.dir = hop; m.complete() || hop.dim() >= m.numAxes() {
			fail("an output that is not a direction of the network")
		}
	default:
		fail("an output that is not a direction of the network")
	}
	o.state = state
	for o.vc = from; o.vc < to; o.vc++ {
		if !slices.ContainsFunc(m.path.outputs, o.isSame) {
			m.path.outputs = append(m.path.outputs, o)
		}
	}
}

// inject finds the header states of created packets: all that inject returns for some source and
// destination. If a run of inject ends with an error, they are all states.
func (t *theorem) inject(m *machine) error {
	if !t.draws {
		t.starts = []int{0}
		return nil
	}
	paths, err := m.explore(func() {
		m.path.result = m.apply(m.load().values["inject"], []any{m.coordinates(m.here), m.coordinates(m.there)})
	})
	if err != nil {
		return err
	}
	for i := range paths {
		states, err := t.startsOf(&paths[i])
		if (err != nil || len(states) == 0) && (t.claims[cert.ClaimConnected] || t.claims[cert.ClaimFullyAdaptive]) {
			if err := t.refute("inject", fmt.Sprintf("path %d", i+1), t.domain(), paths[i].guard); err != nil {
				return err
			}
		}
		if err := t.drawsOnce(i+1, &paths[i], states, err); err != nil {
			return err
		}
		for state := 0; err != nil && state < t.states; state++ {
			states = append(states, state)
		}
		t.starts = append(t.starts, states...)
	}
	slices.Sort(t.starts)
	t.starts = slices.Compact(t.starts)
	return nil
}

// startsOf returns the header states of a list of states, or of pairs of a state and a weight.
func (t *theorem) startsOf(p *path) (states []int, err error) {
	made, ok := p.result.(*list)
	if p.failed != nil || !ok {
		return nil, fmt.Errorf("no list of states")
	}
	for _, v := range made.items {
		if pair, ok := v.(tuple); ok && len(pair) == 2 {
			if weight, ok := pair[1].(int64); !ok || weight < 1 || weight > 1_000_000 {
				return nil, fmt.Errorf("a weight out of range")
			}
			v = pair[0]
		}
		state, ok := v.(int64)
		if !ok || state < 0 || state >= int64(t.states) {
			return nil, fmt.Errorf("a header state out of range")
		}
		states = append(states, int(state))
	}
	return states, nil
}

// accepts reports whether packets of class a can take the path.
func (t *theorem) accepts(p *path, a class) bool {
	state := p.state < 0 || p.state == a.state
	if a == created {
		state = slices.Contains(t.starts, max(p.state, 0))
	}
	return (p.anyDir || p.dir == a.dir) && (p.vc < 0 || p.vc == a.vc) && state
}

// leadsTo reports whether some output leads to class b.
func leadsTo(outputs []output, b class) bool {
	return slices.ContainsFunc(outputs, b.isOf)
}

// isOf reports whether an output leads to channels of class b.
func (b class) isOf(o output) bool { return o.dir == b.dir && o.vc == b.vc && o.state == b.state }

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

func allOutputs(p *path) []output { return p.outputs }

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

// packets lists the obligations about the hops of packets of class a, except those of ranks.
func (t *theorem) packets(a class) error {
	known, name := t.known(a), a.String()
	stuck := t.taken(a, func(p *path) bool { return p.failed != nil })
	if t.claims[cert.ClaimConnected] {
		wrong := and(t.taken(a, func(p *path) bool { return p.ejects }), t.away())
		stuck = or(or(stuck, t.without(a, allOutputs)), wrong)
	}
	if err := t.refute("output", name, known, stuck); err != nil {
		return err
	}
	if err := t.boundary(a, known); err != nil {
		return err
	}
	if t.escape != noEscape {
		if err := t.refute("escape", name, known, t.without(a, t.escapeOf)); err != nil {
			return err
		}
	}
	if err := t.choices(a, known); err != nil {
		return err
	}
	for _, b := range t.targets(a) {
		if err := t.moves(a, b, known); err != nil {
			return err
		}
	}
	return nil
}

// boundary lists the obligations that packets of class a are sent to channels that exist. Without the claim connected, packets
// may be dropped there, unless they need an escape.
func (t *theorem) boundary(a class, known *Formula) error {
	name := a.String()
	if !t.claims[cert.ClaimConnected] && t.escape == noEscape {
		return nil
	}
	if t.complete() {
		if err := t.refute("boundary", name, known, t.astray(a)); err != nil {
			return err
		}
	}
	for dir := direction(0); int(dir) < 2*t.numAxes() && !t.complete(); dir++ {
		sent := t.taken(a, func(p *path) bool { return slices.ContainsFunc(p.outputs, func(o output) bool { return o.dir == dir }) })
		if err := t.refute("boundary", fmt.Sprintf("%s, direction %d", name, dir), known, sent, not(t.leaves(dir))); err != nil {
			return err
		}
	}
	return nil
}

// astray returns the formula: a packet of class a is sent to a value that no hop leads to.
func (t *theorem) astray(a class) *Formula {
	var list []*Formula
	for i := range t.paths {
		if p := &t.paths[i]; t.accepts(p, a) {
			for _, o := range p.outputs {
				list = append(list, and(p.guard, t.missing(o)))
			}
		}
	}
	return or(list...)
}

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

// isMeasured reports whether the classes of the group of a have ranks of packets. Then the ranks rise within the group, and no
// distance is needed.
func (t *theorem) isMeasured(a class) bool {
	if !t.ofPackets {
		return false
	}
	for _, b := range t.classes {
		if t.group[b] == t.group[a] && len(t.ranksOf(b)) == 0 {
			return false
		}
	}
	return true
}

// targets returns the classes that outputs of packets of class a name, sorted.
func (t *theorem) targets(a class) (list []class) {
	for i := range t.paths {
		if !t.accepts(&t.paths[i], a) {
			continue
		}
		for _, o := range t.paths[i].outputs {
			list = append(list, t.classesOf(o)...)
		}
	}
	slices.SortFunc(list, compareClasses)
	return slices.Compact(list)
}

// classesOf returns the classes that an output can lead to.
func (t *theorem) classesOf(o output) (list []class) {
	bits := 0
	for i, s := range t.splits {
		if slices.Contains(s.channels, [2]int{int(o.dir), o.vc}) {
			bits |= 1 << i
		}
	}
	for part := range 1 << len(t.splits) {
		if part&^bits != 0 {
			continue
		}
		list = append(list, class{o.dir, o.vc, false, part, o.state})
		if t.rings(o.dir.dim()) {
			list = append(list, class{o.dir, o.vc, true, part, o.state})
		}
	}
	return list
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

// moves lists the obligations about hops from class a to class b.
func (t *theorem) moves(a, b class, known *Formula) error {
	name := a.String() + " to " + b.String()
	step := t.stepBy(a, b, allOutputs)
	if !slices.Contains(t.classes, b) {
		return t.refute("move", name, known, step)
	}
	forward := t.toHead(b.dir, b.wrap)
	if err := t.refute("invariant", name, known, step, t.undelivered().move(forward), not(t.kept[b]).move(forward)); err != nil {
		return err
	}
	if t.claims[cert.ClaimMinimal] {
		if err := t.refute("minimal", name, known, step, t.longWay(b.dir, b.wrap)); err != nil {
			return err
		}
	}
	if a == created || !t.needsDistance() {
		return nil
	}
	if t.ofPackets {
		step = t.stepBy(a, b, t.escapeOf)
	}
	switch {
	case t.group[b] < t.group[a]:
		return t.refute("distance", name, known, step)
	case t.group[b] == t.group[a] && t.isMeasured(a):
		return t.refute("rank", name, known, step, t.notRising(a, b, t.toTail(a.dir, a.wrap)))
	case t.group[b] == t.group[a]:
		return t.refute("distance", name, known, step, t.fartherAfter(b.dir, b.wrap))
	}
	return nil
}
