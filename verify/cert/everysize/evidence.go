package everysize

import (
	"fmt"
	"slices"

	"github.com/turnproof/turnproof/verify/cert"
)

// This file reads the classes, conditions and ranks of a certificate.

// maxClasses bounds the classes, maxSplits the conditions that split classes, maxRank the numbers of a rank, maxModulus the modulus of
// a condition, whose negation has a formula for each remainder.
const (
	maxClasses = 4096
	maxSplits  = 8
	maxRank    = 16
	maxModulus = 1 << 12
)

// numbersReader reads conditions and forms from a list of numbers.
type numbersReader struct {
	*family
	list  cert.Ints
	err   error
	place bool // only conditions on the place and the sizes are allowed
	other bool // conditions on the other place are allowed
	ranks bool // the value that a hop sets is allowed
}

func (r *numbersReader) next() int64 {
	if len(r.list) == 0 {
		if r.err == nil {
			r.err = fmt.Errorf("a list of numbers ends early")
		}
		return 0
	}
	k := r.list[0]
	r.list = r.list[1:]
	return int64(k)
}

// count reads a number of entries.
func (r *numbersReader) count() int {
	k := r.next()
	if k < 0 || k > int64(len(r.list)) {
		if r.err == nil {
			r.err = fmt.Errorf("a list of %d entries", k)
		}
		return 0
	}
	return int(k)
}

// form reads a constant and a coefficient for each variable.
func (r *numbersReader) form() Form {
	f := number(r.next())
	for v := range r.variables() {
		c := r.next()
		constant := v >= 3*r.dims && (v < r.firstHop() || len(r.fails) > 0) // no hop changes it
		here, there := v < r.dims || constant || r.ranks && v == r.firstHop()+1, v >= r.dims && v < 2*r.dims
		if c != 0 && r.err == nil && !(here || there && !r.place || r.other && v < r.firstHop()) {
			r.err = fmt.Errorf("a condition or rank uses variable %d, which it may not", v)
		}
		f = f.plus(variable(v), c)
	}
	return f
}

// condition reads a modulus, which is 0 for an inequality, and a form.
func (r *numbersReader) condition() *Formula {
	mod, f := r.next(), r.form()
	switch {
	case mod == 0:
		return atLeast(f)
	case mod >= 2 && mod <= maxModulus:
		return divides(f, mod)
	}
	if r.err == nil {
		r.err = fmt.Errorf("a condition with modulus %d", mod)
	}
	return never
}

// conditions reads a number of conditions, and the conditions.
func (r *numbersReader) conditions() *Formula {
	var list []*Formula
	for range r.count() {
		list = append(list, r.condition())
	}
	return and(list...)
}

// end returns the first error, or an error if numbers are left.
func (r *numbersReader) end() error {
	if r.err == nil && len(r.list) > 0 {
		return fmt.Errorf("%d numbers too many", len(r.list))
	}
	return r.err
}

// read reads the evidence of a certificate.
func (t *theorem) read(e *cert.EverySize) error {
	t.ofPackets = e.Paths
	if err := t.readSplits(e.Splits); err != nil {
		return fmt.Errorf("splits: %w", err)
	}
	if err := t.readClasses(e.Classes); err != nil {
		return fmt.Errorf("classes: %w", err)
	}
	if err := t.readRanks(e.Ranks); err != nil {
		return fmt.Errorf("ranks: %w", err)
	}
	if err := t.readEscape(e); err != nil {
		return fmt.Errorf("escape: %w", err)
	}
	if err := t.checkFlowRanks(); err != nil {
		return fmt.Errorf("flow: %w", err)
	}
	return nil
}

// pairs reads pairs of a direction and a VC, ascending.
func (t *theorem) pairs(list cert.Ints) (pairs [][2]int, err error) {
	if len(list)%2 != 0 {
		return nil, fmt.Errorf("%d numbers for pairs", len(list))
	}
	for i := 0; i < len(list); i += 2 {
		p := [2]int{int(list[i]), int(list[i+1])}
		isChannel := p[0] >= 0 && p[0] < 2*t.numAxes() && !(t.complete() && p[0]%2 == 1) && p[1] >= 0 && p[1] < t.vcs
		if !isChannel || i > 0 && slices.Compare(pairs[i/2-1][:], p[:]) >= 0 {
			return nil, fmt.Errorf("direction %d, VC %d: out of range, or not ascending", p[0], p[1])
		}
		pairs = append(pairs, p)
	}
	return pairs, nil
}

func (t *theorem) readSplits(list []cert.SizeSplit) error {
	if len(list) > maxSplits {
		return fmt.Errorf("%d; want at most %d", len(list), maxSplits)
	}
	for _, s := range list {
		r := &numbersReader{family: t.family, list: s.Condition, place: !t.ofPackets}
		when := r.condition()
		channels, err := t.pairs(s.Channels)
		if err != nil {
			return err
		}
		if err := r.end(); err != nil {
			return err
		}
		t.splits = append(t.splits, split{when, channels})
	}
	return nil
}

func (t *theorem) readClasses(list []cert.SizeClass) error {
	t.kept, t.group, t.adaptive = map[class]*Formula{}, map[class]int{}, map[class]bool{}
	if len(list) > maxClasses {
		return fmt.Errorf("%d; want at most %d", len(list), maxClasses)
	}
	for i, c := range list {
		a := class{direction(c.Direction), c.VC, c.Wrap, c.Part, c.State}
		if err := t.checkChannel(a.channel()); err != nil {
			return err
		}
		if c.State < 0 || c.State >= t.states {
			return fmt.Errorf("%s: header state %d", a, c.State)
		}
		if i > 0 && compareClasses(t.classes[i-1], a) >= 0 {
			return fmt.Errorf("%s: not ascending", a)
		}
		if c.Adaptive && !t.claims[cert.ClaimFullyAdaptive] {
			return fmt.Errorf("%s: adaptive, without the claim fully-adaptive", a)
		}
		r := &numbersReader{family: t.family, list: c.Kept}
		kept := []*Formula{r.conditions()}
		if err := r.end(); err != nil {
			return fmt.Errorf("%s: %w", a, err)
		}
		for r.list = c.Excluded; len(r.list) > 0 && r.err == nil; {
			kept = append(kept, not(r.conditions()))
		}
		if r.err != nil {
			return fmt.Errorf("%s: %w", a, r.err)
		}
		t.kept[a], t.group[a], t.adaptive[a] = and(kept...), c.Group, c.Adaptive
		t.classes = append(t.classes, a)
	}
	return nil
}

func (t *theorem) checkChannel(c channel) error {
	if c.dir < 0 || int(c.dir) >= 2*t.numAxes() || t.complete() && c.dir%2 == 1 || c.vc < 0 || c.vc >= t.vcs || c.wrap && !t.rings(c.dir.dim()) ||
		c.part < 0 || c.part >= 1<<len(t.splits) {
		return fmt.Errorf("no channels of direction %d, VC %d, wraparound %v, part %d", c.dir, c.vc, c.wrap, c.part)
	}
	return nil
}

func (t *theorem) readRanks(list []cert.SizeRank) error {
	t.ranks = map[channel][]piece{}
	length := 0
	for i, x := range list {
		c := channel{direction(x.Direction), x.VC, x.Wrap, x.Part, x.State}
		if err := t.checkChannel(c); err != nil {
			return err
		}
		if x.State < 0 || x.State >= t.states || x.State > 0 && !t.ofPackets {
			return fmt.Errorf("the rank of header state %d", x.State)
		}
		r := &numbersReader{family: t.family, list: x.Rank, place: !t.ofPackets, ranks: t.complete()}
		p := piece{when: r.conditions()}
		for range r.count() {
			p.rank = append(p.rank, r.form())
		}
		if i == 0 {
			length = len(p.rank)
		}
		if len(p.rank) != length || length == 0 || length > maxRank {
			return fmt.Errorf("%d numbers, before %d", len(p.rank), length)
		}
		if err := r.end(); err != nil {
			return err
		}
		t.ranks[c] = append(t.ranks[c], p)
	}
	return nil
}

func (t *theorem) readEscape(e *cert.EverySize) (err error) {
	i := slices.Index([]string{"none", "channels", "first", "last", "detour"}, e.Escape)
	if i < 0 {
		return fmt.Errorf("kind %.20q", e.Escape)
	}
	if t.escape = []escapeKind{noEscape, escapeSet, escapeFirst, escapeLast, escapeSet}[i]; t.escape != escapeSet && len(e.Channels) > 0 {
		return fmt.Errorf("channels of an escape that has none")
	}
	if t.set, err = t.pairs(e.Channels); err != nil {
		return err
	}
	if e.Escape != "detour" {
		if len(e.Detour) > 0 {
			return fmt.Errorf("clauses without a detour")
		}
		return nil
	}
	t.detour = []*Formula{}
	r := &numbersReader{family: t.family, list: e.Detour, other: true}
	for len(r.list) > 0 && r.err == nil {
		cases := []*Formula{not(r.conditions())}
		for range r.count() {
			cases = append(cases, r.conditions())
		}
		t.detour = append(t.detour, or(cases...))
	}
	return r.end()
}
