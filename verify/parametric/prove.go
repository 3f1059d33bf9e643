package parametric

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"turnproof/model/program"
	"turnproof/verify"
	"turnproof/verify/smt"
)

// This file is the way of a proof: small networks first, since most wrong programs are
// wrong there; then paths, classes, invariants, ranks; then the obligations, asked anew;
// then the ranks on networks of sizes up to 12, before the independent checker.

// Options of Prove; the zero value is the default.
type Options struct {
	Switching verify.Switching // default CutThrough
	Dims      int              // of programs for any number of dimensions; default 2
	Limit     time.Duration    // of one question to Z3; default 10 s
	Progress  func(string)     // told what is being done
}

// Claim is what is known of one claim, for every size.
type Claim struct {
	Name     string
	Verdict  verify.Verdict
	Theorem  string
	Premises []string // what it takes for granted
	Reason   string   // of a refutation or of being undecided
}

// Rank is the rank of a node: a row of the table that a paper would print.
type Rank struct {
	Channel string   // E0, W1 wrap
	Tuple   []string // in x, y, ... of the switch that the channel leaves, and the sizes
}

// Report is what Prove found.
type Report struct {
	Program   string
	Family    string
	Dims      int
	Sizes     string // for which it speaks: "n, m >= 2"
	Place     string // of a switch, as ranks speak of it: "(x, y)"
	Switching []verify.Switching
	Verdict   verify.Verdict
	Claims    []Claim // deadlock-free, connected, livelock-free
	Method    string

	Ranks       []Rank
	Escape      []string // the channels of the escape, where the proof rests on one
	Invariants  []string // what is kept, by class
	Obligations []Obligation
	Script      string // of the obligations, SMT-LIB 2
	Paths       int
	Classes     int

	Witness   *Witness // with refuted
	Searched  [][]int  // networks that were looked at one by one
	Rechecked [][]int  // networks on which the checker accepted the ranks
	Given     *GivenRank
	Seconds   float64

	family *family
}

// Prove proves a program for every size of its family, or refutes it by the smallest
// network on which it fails, or says what is left. It needs Z3 (smt.ErrUnavailable)
// unless a small network refutes the program. An error of the program, one that a
// packet can run into, is an error with its place in the text.
func Prove(ctx context.Context, p *program.Program, o Options) (*Report, error) {
	began := time.Now()
	if o.Switching == "" {
		o.Switching = verify.CutThrough
	}
	if o.Limit == 0 {
		o.Limit = 10 * time.Second
	}
	if o.Progress == nil {
		o.Progress = func(string) {}
	}
	dims := len(p.Family.Sides)
	if p.Family.AnyDims != "" {
		if dims = o.Dims; dims == 0 {
			dims = 2
		}
	}
	f, err := newFamily(p, dims)
	if err != nil {
		return nil, err
	}
	pr := &prover{Options: o, system: &system{family: f, ctx: ctx, limit: o.Limit, facts: newFacts()},
		report: &Report{Program: p.Name, Family: p.Family.String(), Dims: dims, Sizes: f.sizesText(), Place: "(" + strings.Join(f.names[:dims], ", ") + ")", family: f, Verdict: verify.Undecided}}
	if err := pr.prove(); err != nil {
		return nil, err
	}
	pr.report.Seconds = time.Since(began).Seconds()
	return pr.report, nil
}

// SizesText says in words for which networks the report speaks.
func (r *Report) SizesText() string {
	if r.Sizes == "all" {
		return "the network of that family"
	}
	return "every " + r.Sizes
}

// NetworkName is the spec of the network of these sides.
func (r *Report) NetworkName(sides []int) string { return r.family.spec(sides) }

// sizesText says for which sizes a proof speaks.
func (f *family) sizesText() string {
	if len(f.sizes) == 0 {
		return "all"
	}
	return fmt.Sprintf("%s >= %d", strings.Join(f.sizes, ", "), f.least)
}

type prover struct {
	Options
	*system
	report *Report
	cyclic bool    // a small network has a cyclic dependency graph
	hints  [][]int // sides of networks on which something could not be proved

	given   ranks // the program's own
	judging bool
}

func (p *prover) prove() error {
	p.Progress("small networks")
	if found, err := p.small(first); found || err != nil {
		return err
	}
	p.Progress("paths of the program")
	if err := p.begin(); err != nil {
		return err
	}
	made, why, err := p.planGiven()
	if made == nil && err == nil {
		made, why, err = p.plan()
	}
	if err != nil {
		return err
	}
	if made != nil {
		left, err := p.conclude(made)
		if err != nil || left == "" {
			return err
		}
		why = left
	}
	p.Progress("larger networks")
	if found, err := p.hinted(); found || err != nil {
		return err
	}
	if found, err := p.small(further); found || err != nil {
		return err
	}
	p.undecided(why)
	return nil
}

func (p *prover) refuted(w *Witness) {
	r := p.report
	r.Verdict, r.Witness, r.Method = verify.Refuted, w, "smallest network"
	r.Switching = []verify.Switching{p.Switching}
	for _, c := range w.Report.Claims() {
		claim := Claim{Name: c.Name, Verdict: verify.Undecided, Reason: "the program is refuted by another claim"}
		if c.Verdict == verify.Refuted {
			claim = Claim{c.Name, verify.Refuted, c.Theorem, c.Premises, c.Reason}
		}
		r.Claims = append(r.Claims, claim)
	}
}

func (p *prover) undecided(why string) {
	r := p.report
	r.Verdict, r.Switching = verify.Undecided, []verify.Switching{p.Switching}
	r.Claims = nil
	for _, name := range []string{"deadlock-free", "connected", "livelock-free"} {
		r.Claims = append(r.Claims, Claim{Name: name, Verdict: verify.Undecided, Reason: why})
	}
}

// begin runs the program on symbols.
func (p *prover) begin() (err error) {
	explorer, err := smt.NewScript()
	if err != nil {
		return err
	}
	f := p.family
	if err := explorer.Tell(f.declarations() + "(assert " + and(f.names.all(f.domain()), f.elsewhere(nil)) + ")"); err != nil {
		return err
	}
	if p.paths, err = f.explore(p.ctx, explorer); err != nil {
		return err
	}
	if len(p.facts.states) == 0 {
		p.walk()
	}
	if p.script, err = smt.NewScript(); err != nil {
		return err
	}
	p.report.Paths = len(p.paths)
	p.noteTaken()
	return p.script.Tell(f.declarations() + p.definitions())
}

// plan finds what is to be proved: a rank on all channels, else on an escape. It tries
// the last hop as invariant, then what every hop keeps, then split classes.
func (p *prover) plan() (*proof, string, error) {
	why := ""
	attempt := func() (*proof, error) {
		made, fail, err := p.ranked()
		if fail != nil {
			why = fail.reason
			for _, d := range fail.points {
				p.hints = append(p.hints, p.lengths(d.toTail))
			}
		}
		return made, err
	}
	if !p.remembers() {
		p.Progress("ranks")
		if err := p.find(); err != nil {
			return nil, "", err
		}
		if made, err := attempt(); made != nil || err != nil {
			return made, why, err
		}
	}
	p.Progress("what every hop keeps")
	if err := p.findKept(); err != nil {
		return nil, "", err
	}
	if made, err := attempt(); made != nil || err != nil {
		return made, why, err
	}
	escapes := []*escape{nil}
	if p.cyclic {
		escapes = p.escapes(p.Switching == verify.Wormhole)
	}
	for _, e := range escapes {
		open, err := p.unranked(e, nil)
		if err != nil {
			return nil, "", err
		}
		if len(open) == 0 { // splitting cannot help
			why = "the invariants leave dependencies possible on which no rank rises, though one does on those of small networks"
			continue
		}
		p.Progress("splitting classes")
		if split, err := p.split(e, open); err != nil {
			return nil, "", err
		} else if split == nil {
			continue
		}
		p.classes, p.kept = nil, nil
		if err := p.findKept(); err != nil {
			return nil, "", err
		}
		if made, err := attempt(); made != nil || err != nil {
			return made, why, err
		}
	}
	return nil, why, nil
}

// unranked are the whole nodes that take part in strong components for which no rank
// of the template rises on the dependencies of small networks; only components with
// nodes among those given are looked at, all of them if that is nil.
func (p *prover) unranked(e *escape, among map[node]bool) (map[node]bool, error) {
	req := requirement{}
	seen := map[pair]bool{}
	for _, d := range p.facts.dependencies {
		if e.has(d) {
			req.known = append(req.known, d)
			seen[pair{d.from, d.to}] = true
		}
	}
	req.pairs = sortedPairs(seen)
	open := map[node]bool{}
	for _, nodes := range strong(req.pairs) {
		t := p.newTemplate(nodes, inside(nodes, req.pairs), req)
		if len(t.pairs) == 0 || among != nil && !slices.ContainsFunc(nodes, func(n node) bool { return among[n.whole()] }) {
			continue
		}
		t.length, t.level = maxTuple, len(levels)-1
		if err := t.begin(); err != nil {
			return nil, err
		}
		found, err := t.cegis("")
		if err != nil {
			return nil, err
		}
		for _, n := range nodes {
			if found == nil {
				open[n.whole()] = true
			}
		}
	}
	return open, nil
}

// findKept finds what every hop keeps, and the classes that are left.
func (p *prover) findKept() error {
	p.link()
	if err := p.keep(); err != nil {
		return err
	}
	return p.find()
}

// remembers reports whether the program asks for the VC that a packet came on: then
// the last hop tells too little.
func (p *prover) remembers() bool {
	return slices.ContainsFunc(p.paths, func(q path) bool { return q.vc >= 0 || q.state >= 0 })
}

// ranked looks for ranks with the classes and invariants at hand.
func (p *prover) ranked() (*proof, *failure, error) {
	if !p.cyclic {
		found, fail, err := p.rank(p.dependencies(nil))
		if found == nil {
			return nil, fail, err
		}
		return &proof{system: p.system, ranks: found}, nil, nil
	}
	fail := &failure{reason: "the dependency graph has cycles, and no escape was found"}
	worms := p.Switching == verify.Wormhole
	for _, e := range p.escapes(worms) {
		made := &proof{system: p.system, escape: e}
		req := p.dependencies(e)
		if worms {
			var err error
			if err = made.wander(); err == nil {
				req, err = made.afterDetours()
			}
			if err != nil {
				return nil, nil, err
			}
		}
		found, why, err := p.rank(req)
		if err != nil {
			return nil, nil, err
		}
		if found == nil {
			fail = why
			continue
		}
		for _, c := range p.classes[1:] { // channels that no pair names
			if _, ok := found[c.node()]; !ok && e.ranks(c.node()) {
				found[c.node()] = found.least(p.family)
			}
		}
		made.ranks = found
		made.far, made.groups = true, p.groups()
		return made, nil, nil
	}
	return nil, fail, nil
}

// rank is the program's own rank while that is being judged, else one that is
// synthesised.
func (p *prover) rank(req requirement) (ranks, *failure, error) {
	if p.judging {
		return p.judge(req)
	}
	found, fail, err := p.synthesise(req)
	if found == nil {
		return nil, fail, err
	}
	return found.ranks(), nil, nil
}

// least is a rank of zeros, as long as the others.
func (r ranks) least(f *family) []piece {
	longest := 1
	for _, list := range r {
		for _, p := range list {
			longest = max(longest, len(p.tuple))
		}
	}
	tuple := make([]form, longest)
	for i := range tuple {
		tuple[i] = f.number(0)
	}
	return []piece{{nil, tuple}}
}

// groups numbers the strong components of the graph of classes.
func (p *prover) groups() map[class]int {
	index := map[class]int{}
	for i, c := range p.classes {
		index[c] = i
	}
	var pairs []pair // classes stand as nodes with a number of their own
	for key := range p.edges {
		pairs = append(pairs, pair{node{vc: index[key[0]]}, node{vc: index[key[1]]}})
	}
	groups := map[class]int{}
	for number, nodes := range strong(sortedUnique(pairs)) {
		for _, n := range nodes {
			groups[p.classes[n.vc]] = number
		}
	}
	return groups
}

func sortedUnique(pairs []pair) []pair {
	seen := map[pair]bool{}
	for _, p := range pairs {
		seen[p] = true
	}
	return sortedPairs(seen)
}

// conclude proves the obligations and rechecks the ranks; it returns what is left.
func (p *prover) conclude(made *proof) (string, error) {
	r := p.report
	p.Progress("obligations")
	list, err := made.prove(func(done, of int) {
		if done%16 == 0 {
			p.Progress(fmt.Sprintf("obligations: %d of %d", done, of))
		}
	})
	if err != nil {
		return "", err
	}
	r.Obligations = list
	r.Classes = len(p.classes) - 1
	title := fmt.Sprintf("%s, %s, %s, %s", r.Program, r.Family, r.Sizes, p.Switching)
	r.Script = made.file(title, list)
	p.describe(made)
	var open []string
	for i := range list {
		if o := &list[i]; o.Result != smt.Unsat {
			if err := p.runsInto(o); err != nil {
				return "", err
			}
			open = append(open, o.Kind+" "+o.Name)
			if o.Result == smt.Sat {
				p.hints = append(p.hints, p.lengths(o.Point))
			}
		}
	}
	if len(open) > 0 {
		more := ""
		if len(open) > 5 {
			more = fmt.Sprintf(" and %d more", len(open)-5)
			open = open[:5]
		}
		return "left unproved: " + strings.Join(open, ", ") + more, nil
	}
	for _, sides := range p.sizesToRecheck(200) {
		p.Progress("ranks on " + sidesText(sides))
		if err := made.recheck(p.ctx, sides, p.Switching); err != nil {
			return "", fmt.Errorf("parametric: internal error: proved ranks on %s: %w", sidesText(sides), err)
		}
		r.Rechecked = append(r.Rechecked, sides)
	}
	p.proved(made)
	return "", nil
}

func sidesText(sides []int) string {
	return strings.Trim(strings.ReplaceAll(fmt.Sprint(sides), " ", "x"), "[]")
}

// runsInto returns the program's own error if that is why "output" fails: at a state
// that a packet of a network of that size gets into, or that cannot be excluded.
func (p *prover) runsInto(o *Obligation) error {
	if o.Kind != "output" || o.Result != smt.Sat {
		return nil
	}
	for i := range p.paths {
		if q := &p.paths[i]; q.err != nil && allHold(q.guard, o.Point) {
			return fmt.Errorf("%w (at %s)", q.err, p.pointText(o.Point))
		}
	}
	return nil
}

// pointText writes a point for readers.
func (p *prover) pointText(point []int64) string {
	var parts []string
	for v, n := range p.names {
		if v < 2*p.dims || v >= 3*p.dims {
			parts = append(parts, fmt.Sprintf("%s = %d", n, point[v]))
		}
	}
	return strings.Join(parts, ", ")
}

const (
	theoremRank     = "a rank for each channel that every dependency raises, for every size (Dally and Seitz 1987)"
	theoremRule     = "for every size every waiting packet is permitted a channel of higher rank than its own, or than all that are no escape (Duato 1996)"
	theoremDetour   = "for every size every reachable state permits an escape channel, and what packets on escape channels may ask for as their escape, after any detour, has a higher rank (Duato 1993)"
	theoremArrives  = "every state has a next hop on the network, and no packet is forwarded for ever, so every packet arrives"
	theoremRising   = "every hop raises the rank"
	theoremDistance = "every hop that a packet can repeat gets it nearer to its destination"
)

func (p *prover) proved(made *proof) {
	r := p.report
	r.Verdict = verify.Proved
	free, finite := theoremRank, theoremRising
	r.Switching = []verify.Switching{verify.CutThrough, verify.StoreAndForward, verify.Wormhole}
	r.Method = "rank"
	if made.escape != nil {
		free, r.Method = theoremRule, "escape"
		r.Switching = r.Switching[:2]
	}
	if made.detour != nil {
		free, r.Method = theoremDetour, "escape with detours"
		r.Switching = []verify.Switching{verify.CutThrough, verify.StoreAndForward, verify.Wormhole}
	}
	if made.far {
		finite = theoremDistance
	}
	r.Claims = []Claim{
		{Name: "deadlock-free", Verdict: verify.Proved, Theorem: free, Premises: r.Switching[len(r.Switching)-1].Premises(made.detour != nil)},
		{Name: "connected", Verdict: verify.Proved, Theorem: theoremArrives},
		{Name: "livelock-free", Verdict: verify.Proved, Theorem: finite},
	}
}

// describe writes ranks, escape and invariants for readers.
func (p *prover) describe(made *proof) {
	r := p.report
	nodes := make([]node, 0, len(made.ranks))
	for n := range made.ranks {
		nodes = append(nodes, n)
	}
	slices.SortFunc(nodes, compareNodes)
	r.Ranks, r.Invariants, r.Escape = nil, nil, nil
	for _, n := range nodes {
		r.Ranks = append(r.Ranks, p.rows(n, made.ranks[n])...)
		if made.escape != nil && made.escape.nodes != nil {
			r.Escape = append(r.Escape, p.nodeText(n))
		}
	}
	for _, c := range p.classes {
		for _, a := range p.kept[c] {
			r.Invariants = append(r.Invariants, c.String()+": "+p.names.conditionText(a))
		}
	}
}

// rows are the rank of a node for readers, a row for each piece.
func (p *prover) rows(n node, pieces []piece) (list []Rank) {
	for _, part := range pieces {
		row := Rank{Channel: p.nodeText(n)}
		for _, a := range part.guard {
			row.Channel += ", " + p.names.conditionText(a)
		}
		for _, f := range part.tuple {
			row.Tuple = append(row.Tuple, p.names.text(f))
		}
		list = append(list, row)
	}
	return list
}

// nodeText names a node, with the part of the network that its tails lie in.
func (p *prover) nodeText(n node) string {
	n2 := n
	n2.region = 0
	text := n2.String()
	for i, k := range p.splitters {
		if !k.of[n.whole()] {
			continue
		}
		words := p.names.conditionText(k.cond)
		if n.region>>i&1 == 0 {
			if k.cond.mod == 0 {
				words = p.names.conditionText(atom{form: k.cond.form.times(-1).add(-1)})
			} else {
				words = strings.Replace(words, "divisible", "not divisible", 1)
			}
		}
		text += ", " + words
	}
	return text
}
