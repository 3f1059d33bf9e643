package parametric

import (
	"context"
	"errors"
	"slices"

	"github.com/turnproof/turnproof/verify/smt"
)

// This file explains a proof to readers: why does the rank rise from one class of channels to the next?
//
// The difference of two ranks is a tuple of linear forms. If its first form that is not 0 is a positive constant,
// nothing else is needed. Otherwise conditions of the program are searched that hold whenever a packet
// requests such a channel, and that make the rank rise. They explain the proof; the obligations are the proof.

// Step is a class of dependencies: a packet on a channel From may request a channel To.
type Step struct {
	From, To string
	Before   []string // the rank of From, in terms of the switch that the channel enters
	After    []string // the rank of To, which leaves this switch
	Decides  int      // index of the first number that differs
	Constant bool     // that number always rises, by the same amount
	Because  []string // conditions that make the rank rise; empty if Constant, or if none were found
}

// maxReasons bounds the conditions that pairs of conditions are tried of.
const maxReasons = 24

// Steps returns the dependencies of a proved report, in the order of Ranks. It fails if the report is not
// proved. Cost: some questions to Z3 for each step without a constant difference. Steps after detours, and of ranks in
// pieces, have no Before and After.
func (r *Report) Steps(ctx context.Context) ([]Step, error) {
	if r.made == nil {
		return nil, errors.New("cannot explain a proof: the program is not proved for every size")
	}
	system := *r.made.system
	system.ctx = ctx
	made := *r.made
	made.system = &system
	script, err := smt.NewScript()
	if err != nil {
		return nil, err
	}
	if err := script.Tell(made.preamble()); err != nil {
		return nil, err
	}
	var list []Step
	for _, p := range made.rankPairs() {
		step, err := made.explain(p, script)
		if err != nil {
			return nil, err
		}
		list = append(list, step)
	}
	return list, nil
}

// explain returns the step of a pair.
func (s *proof) explain(p pair, script *smt.Script) (Step, error) {
	step := Step{From: s.nodeText(p.from), To: s.nodeText(p.to)}
	from, to := s.ranks[p.from], s.ranks[p.to]
	if s.detour != nil || len(from) != 1 || len(to) != 1 {
		return step, nil
	}
	back := s.tailOf(p.from, false)
	decided := false
	for k, f := range from[0].tuple {
		before, after := f.substitute(back), to[0].tuple[k]
		step.Before, step.After = append(step.Before, s.names.text(before)), append(step.After, s.names.text(after))
		if d := after.plus(before, -1); !decided && !(d.isConstant() && d.constant() == 0) {
			decided, step.Decides, step.Constant = true, k, d.isConstant()
		}
	}
	if step.Constant {
		return step, nil
	}
	reasons, err := s.reasons(p, script)
	for _, a := range reasons {
		step.Because = append(step.Because, s.names.conditionText(a))
	}
	return step, err
}

// reasons returns one or two conditions that hold on each dependency of p and make the rank rise, or nil.
// Conditions on coordinates that hold on every network come first.
func (s *proof) reasons(p pair, script *smt.Script) ([]atom, error) {
	never := func(parts ...string) (bool, error) {
		result, _, _, err := script.Ask(s.ctx, "(assert "+and(parts...)+")", nil, smt.Limit{Time: s.limit})
		return result == smt.Unsat, err
	}
	falls := not(s.risesFormula(s.ranks, p, false))
	place := slices.Concat(s.domain(), s.headAtoms(p.from.dir, p.from.wrap), s.tailAtoms(p.to.dir, p.to.wrap))
	for _, a := range place {
		if enough, err := never(falls, s.names.condition(a)); enough || err != nil {
			return []atom{a}, err
		}
	}
	falls = and(falls, s.names.all(place))
	request := s.request(p)
	var hold []atom
	for _, a := range s.reasonCandidates(p) {
		implied, err := never(request, not(s.names.condition(a)))
		if err != nil {
			return nil, err
		}
		if !implied {
			continue
		}
		if enough, err := never(falls, s.names.condition(a)); enough || err != nil {
			return []atom{a}, err
		}
		hold = append(hold, a)
	}
	hold = hold[:min(len(hold), maxReasons)]
	for i, a := range hold {
		for _, b := range hold[:i] {
			if enough, err := never(falls, s.names.condition(a), s.names.condition(b)); enough || err != nil {
				return []atom{b, a}, err
			}
		}
	}
	return nil, nil
}

// reasonCandidates returns conditions on the place and destination of a packet, short ones first.
func (s *proof) reasonCandidates(p pair) []atom {
	list := s.candidates(class{dir: p.from.dir, vc: p.from.vc, wrap: p.from.wrap, region: p.from.region})
	terms := func(a atom) (n int) {
		for _, c := range a.form {
			n += int(max(c, -c, -1))
		}
		return n
	}
	slices.SortStableFunc(list, func(a, b atom) int { return terms(a) - terms(b) })
	return list
}
