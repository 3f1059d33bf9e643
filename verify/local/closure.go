package local

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/turnproof/turnproof/verify/cert/everysize"
)

// This file finds the conditions of classes: the cubes of predicates that packets reach.
//
// Start with no packets. While a step leads to a packet that violates the condition of its class, add the cube of this packet. The
// packet need not exist in a network; then the condition only says less than it could.

// class is a class of packets with its predicates and cubes.
type class struct {
	everysize.NetClass
	predicates []string
	cubes      []string // by predicate: '1', '0', or '-' for either
	joins      bool     // there is one cube for each case of the predicates about the channel on which a packet came
	channel    []bool   // by predicate: it is about that channel
}

// searcher searches for evidence.
type searcher struct {
	ctx     context.Context
	net     *everysize.Network
	steps   []everysize.Step
	classes []*class
	tell    func(string)
	count   map[string]int  // obligations by kind
	level   int             // of facts in the search for conditions and ranks
	shallow bool            // only the facts of level 0
	only    map[[2]int]bool // runs and outputs whose hops increase the rank; nil: all
	cost    int             // of the search for one proof
	left    int64           // what all questions may still cost
	answers map[dependency]*answers
	stuck   []everysize.Place // of the fewest hops on which no number rises
}

func newSearcher(ctx context.Context, net *everysize.Network, o Options, level int) *searcher {
	return &searcher{ctx: ctx, net: net, steps: net.Steps(), tell: o.Progress, level: level, cost: o.cost, left: mostQuestions * int64(o.cost)}
}

// ask answers a question. It returns a point that satisfies it and all facts, or nil if there is none.
func (s *searcher) ask(q *everysize.Question, err error) (point []int64, _ error) {
	if err != nil || q == nil {
		return nil, err
	}
	for _, level := range s.levels(q) {
		if point, _, err = s.decide(q, level); point == nil || err != nil {
			return nil, err
		}
	}
	return point, nil
}

// levels returns the levels of facts in the search for conditions and ranks.
func (s *searcher) levels(q *everysize.Question) []int {
	if s.shallow {
		return []int{0}
	}
	if s.readsTables() {
		if level, ok := q.Towards(); ok {
			return []int{0, level}
		}
	}
	if level, ok := q.Children(); ok && s.level > 0 {
		return []int{0, level}
	}
	return []int{0, 1}[:s.level+1]
}

// mostAdded bounds the facts that are added to a question at once.
const mostAdded = 10

// decide answers a question. It begins without facts. While a solution violates facts, it adds some of them. Without a solution, it
// returns the facts that contradict the question.
func (s *searcher) decide(q *everysize.Question, level int) (point []int64, facts []int, err error) {
	q.Level(level)
	c := newClauses(min(int64(s.cost), s.left))
	defer func(before int64) { s.left -= before - c.left }(c.left)
	c.give(0, q.Formula())
	for {
		values, err := c.solve(s.ctx)
		switch {
		case errors.Is(err, errLimit):
			return nil, nil, &errOpen{"a question was too hard for the search"}
		case err != nil:
			return nil, nil, err
		case values == nil:
			for _, kind := range c.core() {
				facts = append(facts, kind-1)
			}
			return nil, facts, nil
		}
		point := q.Point(values)
		violated := q.Violated(point)
		if len(violated) == 0 {
			return point, nil, nil
		}
		for _, i := range violated[:min(mostAdded, len(violated))] {
			c.give(1+i, q.Fact(i))
		}
	}
}

// prove returns a proof that the formula of a question contradicts facts, and those of the facts that it uses.
func (s *searcher) prove(q *everysize.Question, facts []int) (used []int, proof []int32, err error) {
	for i := 0; i < len(facts); {
		without := slices.Delete(slices.Clone(facts), i, i+1)
		if c, err := s.contradicts(q, without); err != nil {
			return nil, nil, err
		} else if c == nil {
			i++
		} else {
			facts = slices.DeleteFunc(without, func(k int) bool { return !slices.Contains(c, k) && slices.Index(facts, k) >= i })
		}
	}
	left := s.cost
	_, proof, err = solve(s.ctx, q.With(facts), &left)
	return facts, proof, err
}

// contradicts returns those of the facts that contradict the formula of a question, or nil if they do not.
func (s *searcher) contradicts(q *everysize.Question, facts []int) (needed []int, err error) {
	c := newClauses(int64(s.cost))
	c.give(0, q.Formula())
	for _, i := range facts {
		c.give(1+i, q.Fact(i))
	}
	values, err := c.solve(s.ctx)
	if values != nil || err != nil {
		return nil, err
	}
	needed = []int{}
	for _, kind := range c.core() {
		needed = append(needed, kind-1)
	}
	return needed, nil
}

func (s *searcher) classOf(a everysize.NetClass) *class {
	for _, c := range s.classes {
		if c.NetClass == a {
			return c
		}
	}
	c := &class{NetClass: a, predicates: s.predicates(a)}
	c.joins = len(c.predicates) > mostPredicates
	about := s.channelPredicates("prev", "cur")
	for _, p := range c.predicates {
		c.channel = append(c.channel, slices.Contains(about, p))
	}
	s.classes = append(s.classes, c)
	if err := s.net.SetHolds(a, nil, nil); err != nil {
		panic(err) // it has no predicates
	}
	return c
}

// predicates returns the conditions of the program that are about the switches of a packet of class a.
func (s *searcher) predicates(a everysize.NetClass) (list []string) {
	add := func(text string) {
		for _, other := range list {
			if other == text || negates(other, text) {
				return
			}
		}
		list = append(list, text)
	}
	here := map[int]string{everysize.Cur: "cur", everysize.Dst: "dst"}
	ahead := map[int]string{everysize.Dst: "dst"}
	if a.Carries {
		here[everysize.Via], ahead[everysize.Via] = "via", "via"
	}
	if a.VC >= 0 {
		here[everysize.Prev] = "prev"
		ahead[everysize.Cur], ahead[everysize.Next] = "prev", "cur"
	}
	atHere, atAhead := s.net.Guards()
	p := &printer{net: s.net, names: here}
	for _, f := range atHere {
		p.atoms(f, add)
	}
	if a.VC >= 0 {
		p.names = ahead
		for _, f := range atAhead {
			p.atoms(f, add)
		}
	}
	if f := s.net.Premise(); f != nil {
		s.tables(f, here, "", add)
		if a.VC >= 0 {
			s.tables(f, map[int]string{everysize.Cur: "prev", everysize.Dst: "dst"}, "cur", add)
		}
		s.thresholds(f, "dst", add)
		if a.Carries {
			s.thresholds(f, "via", add)
		}
	}
	if s.readsTables() {
		return list[:min(len(list), mostLiterals)]
	}
	return list[:min(len(list), mostPredicates)]
}

// readsTables reports whether the program reads tables. Their premises have many conditions, of which few matter together. So a class
// has few cubes then.
func (s *searcher) readsTables() bool { return len(s.net.Pairs()) > 0 }

// tables adds the conditions of the premise that are about a table, of the switches with names, and those of its quantified conditions.
// There, next is the name of the first neighbour.
func (s *searcher) tables(f *everysize.Formula, names map[int]string, next string, add func(string)) {
	p := &printer{net: s.net, names: names}
	p.atoms(f, func(text string) {
		if slices.ContainsFunc(s.net.Pairs(), func(fn string) bool {
			name, _, _ := everysize.IsTable(fn)
			return strings.Contains(text, "."+name+"(") && !strings.Contains(text, "any(")
		}) {
			add(text)
		}
	})
	s.inside(f, names, next, add)
}

// inside adds the conditions of the bodies of quantified conditions.
func (s *searcher) inside(f *everysize.Formula, names map[int]string, next string, add func(string)) {
	for _, x := range f.Args {
		s.inside(x, names, next, add)
	}
	for v, c := range f.Form {
		if v == 0 || c == 0 {
			continue
		}
		binders, _, body, ok := s.net.Some(v - 1)
		if !ok {
			continue
		}
		_, args := s.net.Variable(v - 1)
		inner := map[int]string{}
		for i, t := range args {
			if name, ok := names[t]; ok {
				inner[-1-i] = name
			}
		}
		if next != "" {
			inner[binders[0][0]] = next
		}
		s.tables(body, inner, "", add)
	}
}

// thresholds adds bounds of the distance to a switch below that of the premise.
func (s *searcher) thresholds(f *everysize.Formula, to string, add func(string)) {
	for _, x := range f.Args {
		s.thresholds(x, to, add)
	}
	if f.Op != everysize.AtLeast {
		return
	}
	if v, sign := single(f.Form); v >= 0 && sign == -1 {
		if fn, args := s.net.Variable(v); fn == "distance" && len(args) == 2 && f.Form[0] <= 8 {
			for k := f.Form[0] - 1; k >= 1; k-- {
				add(fmt.Sprintf("%d >= distance(cur, %s)", k, to))
			}
		}
	}
}

// negates reports whether two texts of inequalities between the same sums are negations of each other, such as a >= b + 1 and b >= a.
func negates(a, b string) bool {
	left, right, ok := strings.Cut(a, " >= ")
	left2, right2, ok2 := strings.Cut(b, " >= ")
	if !ok || !ok2 {
		return false
	}
	return right2 == left+" + 1" && left2 == right || right == left2+" + 1" && left == right2 ||
		left == right2 && right == left2+" + 1"
}

// text returns the condition of a class.
func (c *class) text() string {
	var cubes []string
	for _, cube := range c.cubes {
		var list []string
		for i, bit := range cube {
			switch bit {
			case '1':
				list = append(list, c.predicates[i])
			case '0':
				list = append(list, "not ("+c.predicates[i]+")")
			}
		}
		if len(list) == 0 {
			return ""
		}
		cubes = append(cubes, "("+strings.Join(list, " and ")+")")
	}
	if len(cubes) == 0 {
		return "False"
	}
	return strings.Join(cubes, " or ")
}

// add adds a cube, and merges cubes that differ in one predicate. If the class joins cubes, it merges those of the same channels.
func (c *class) add(cube string) {
	if c.joins {
		c.join([]byte(cube))
		return
	}
	for i := 0; i < len(c.cubes); i++ {
		if joined, ok := merge(c.cubes[i], cube); ok {
			cube = joined
			c.cubes = slices.Delete(c.cubes, i, i+1)
			i = -1
		}
	}
	c.cubes = append(c.cubes, cube)
}

// join adds a cube to that of the same channels, which keeps the predicates on which both agree.
func (c *class) join(cube []byte) {
next:
	for k, old := range c.cubes {
		for i, is := range c.channel {
			if is && old[i] != cube[i] {
				continue next
			}
		}
		for i := range cube {
			if old[i] != cube[i] {
				cube[i] = '-'
			}
		}
		c.cubes[k] = string(cube)
		return
	}
	c.cubes = append(c.cubes, string(cube))
}

// merge returns the cube of two cubes that differ in one predicate, or of which one contains the other.
func merge(a, b string) (string, bool) {
	differ, at := 0, 0
	within, contains := true, true
	for i := range len(a) {
		if a[i] != b[i] {
			differ++
			at = i
			within = within && b[i] == '-'
			contains = contains && a[i] == '-'
		}
	}
	switch {
	case within:
		return b, true
	case contains:
		return a, true
	case differ == 1:
		return a[:at] + "-" + a[at+1:], true
	}
	return "", false
}

// close finds conditions that hold for all packets.
func (s *searcher) close() error {
	total := 0
	for changed := true; changed; {
		changed = false
		for _, step := range s.steps {
			if !step.Created && !slices.ContainsFunc(s.classes, func(c *class) bool { return c.NetClass == step.From }) {
				continue
			}
			for {
				b, at := step.To, s.classOf(step.To)
				q, err := s.net.Escaped(step, at.predicates)
				point, err := s.ask(q, err)
				if open := new(errOpen); errors.As(err, &open) {
					at := []everysize.Place{s.net.Place(step)}
					return &errOpen{inLines(at) + open.reason + anyElement(at)}
				}
				if err != nil {
					return err
				}
				if point == nil {
					break
				}
				cube := make([]byte, len(at.predicates))
				for i, holds := range q.Watched(point) {
					if cube[i] = '0'; holds {
						cube[i] = '1'
					}
				}
				if at.add(string(cube)); total >= mostCubes {
					return &errOpen{"the conditions of packets are too many"}
				}
				total++
				changed = true
				s.tell(fmt.Sprintf("conditions: %d cases", total))
				if err := s.net.SetHolds(b, at.predicates, at.cubes); err != nil {
					return err
				}
			}
		}
	}
	return nil
}
