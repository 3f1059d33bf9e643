package clausal

import "slices"

// This file learns a clause from each conflict: the first unique implication point (L. Zhang and others,
// Efficient conflict driven learning in a Boolean satisfiability solver, ICCAD 2001).

// learn learns a clause from a clause that is false, backtracks, and makes the first literal of the
// learned clause true.
func (s *Solver) learn(c int32) {
	made := s.analyze(c)
	back := 0
	if len(made.lits) > 1 {
		top := 1
		for i := range made.lits {
			if i > 0 && s.level[variable(made.lits[i])] > s.level[variable(made.lits[top])] {
				top = i
			}
		}
		made.lits[1], made.lits[top] = made.lits[top], made.lits[1]
		back = int(s.level[variable(made.lits[1])])
	}
	s.backtrack(back)
	at := int32(len(s.clauses))
	s.clauses = append(s.clauses, made)
	if len(made.lits) > 1 {
		s.watch(at)
		s.kept++
	}
	s.push(made.lits[0], at)
	s.order.decay()
}

// analyze returns the clause that a conflict teaches. Its first literal is the only one of the current level.
func (s *Solver) analyze(c int32) clause {
	made := clause{lits: []int32{0}, kind: learned}
	open, at := 0, len(s.trail)
	var marked []int32
	for {
		made.from = append(made.from, c)
		for _, l := range s.clauses[c].lits {
			v := variable(l)
			if s.seen[v] || s.is(l) > 0 { // the true literal is that of the reason
				continue
			}
			s.seen[v] = true
			marked = append(marked, v)
			s.order.bump(v)
			switch int(s.level[v]) {
			case 0:
				made.roots = append(made.roots, v)
			case len(s.begins):
				open++
			default:
				made.lits = append(made.lits, l)
			}
		}
		for at--; !s.seen[variable(s.trail[at])]; at-- {
		}
		if open--; open == 0 {
			made.lits[0] = -s.trail[at]
			break
		}
		c = s.reason[variable(s.trail[at])]
	}
	s.shorten(&made)
	for _, v := range marked {
		s.seen[v] = false
	}
	return made
}

// shorten removes literals that the others imply by one clause each.
func (s *Solver) shorten(made *clause) {
	keep := made.lits[:1]
	for _, l := range made.lits[1:] {
		c := s.reason[variable(l)]
		if c == none || slices.ContainsFunc(s.clauses[c].lits, func(o int32) bool {
			return variable(o) != variable(l) && !s.seen[variable(o)] && s.level[variable(o)] > 0
		}) {
			keep = append(keep, l)
			continue
		}
		made.from = append(made.from, c)
		for _, o := range s.clauses[c].lits {
			if s.level[variable(o)] == 0 {
				made.roots = append(made.roots, variable(o))
			}
		}
	}
	made.lits = keep
}

// drop stops watching the longer half of the learned clauses. It is called at level 0.
func (s *Solver) drop() {
	var long []int32
	for i := range s.clauses {
		c := &s.clauses[i]
		if c.kind == learned && !c.dropped && len(c.lits) > 2 && s.reason[variable(c.lits[0])] != int32(i) {
			long = append(long, int32(i))
		}
	}
	slices.SortStableFunc(long, func(a, b int32) int { return len(s.clauses[b].lits) - len(s.clauses[a].lits) })
	for _, i := range long[:len(long)/2] {
		s.clauses[i].dropped = true
		s.kept--
	}
}

// Step is a step of a refutation: a clause that was added with a kind above 0, or a learned clause, which
// has the kind Learned. Each learned clause follows from the clauses of kind 0 and earlier steps by unit
// propagation. The last one is empty.
type Step struct {
	Kind int
	Lits []int32
}

// Learned is the kind of learned clauses in a refutation.
const Learned = learned

// Refutation returns the steps that the empty clause needs, in order. Call it after Unsat.
func (s *Solver) Refutation() (steps []Step) {
	needed, fixed := make([]bool, len(s.clauses)), make([]bool, len(s.value))
	todo := []int32{s.conflict}
	var roots []int32
	for _, l := range s.clauses[s.conflict].lits {
		roots = append(roots, variable(l))
	}
	for len(todo)+len(roots) > 0 {
		if n := len(roots) - 1; n >= 0 {
			v := roots[n]
			if roots = roots[:n]; !fixed[v] {
				fixed[v] = true
				todo = append(todo, s.reason[v])
				for _, l := range s.clauses[s.reason[v]].lits {
					roots = append(roots, variable(l))
				}
			}
			continue
		}
		c := todo[len(todo)-1]
		if todo = todo[:len(todo)-1]; !needed[c] {
			needed[c] = true
			todo, roots = append(todo, s.clauses[c].from...), append(roots, s.clauses[c].roots...)
		}
	}
	for i := range s.clauses {
		if c := &s.clauses[i]; needed[i] && c.kind != 0 {
			steps = append(steps, Step{c.kind, slices.Clone(c.lits)})
		}
	}
	return append(steps, Step{Kind: learned})
}
