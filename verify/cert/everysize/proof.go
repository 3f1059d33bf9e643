package everysize

import "fmt"

// This file checks proofs that a formula has no solution in integers.
//
// A proof is a list of numbers that describes a tree. A node has inequalities (form >= 0), numbered in the
// order in which they were added on the path from the root, and disjunctions, numbered likewise. At the root
// they are those of the formula. Divisibility by m adds an unknown q, and form = m*q as two inequalities. The nodes are:
//
//	0 k (i m)*k      The sum of inequalities i times m > 0 is a negative constant >= 0: a contradiction.
//	1 k (i m)*k      The sum of inequalities i times m > 0 is c + g*(...) for the gcd g of its coefficients. Rounding
//	                 adds the inequality floor(c/g) + (...) >= 0. One node follows.
//	2 j              Disjunction j: a node follows for each of its cases, with this case added.
//	3 k c (v a)*k    For the form c + sum of a times variable v: two nodes follow, the first
//	                 with form >= 0, the second with form <= -1.
//
// Source: A. Schrijver, Theory of Linear and Integer Programming, 1986: 7.8 (Farkas), 23.1 (cutting planes).

// The nodes of a proof.
const (
	nodeContradiction = iota
	nodeCut
	nodeCases
	nodeSplit
)

// maxTree bounds the depth of a proof.
const maxTree = 2000

// stream reads the numbers of proofs.
type stream struct {
	numbers []int32
	leaves  int
}

func (s *stream) next() int64 {
	if len(s.numbers) == 0 {
		panic(badProof{fmt.Errorf("the proofs end early")})
	}
	n := s.numbers[0]
	s.numbers = s.numbers[1:]
	return int64(n)
}

// badProof ends a check.
type badProof struct{ error }

// state is what is known at a node of a proof.
type state struct {
	rows      []Form
	cases     []*Formula // disjunctions
	variables int
}

// add adds a formula to a state.
func (s *state) add(f *Formula) {
	switch f.Op {
	case And:
		for _, x := range f.Args {
			s.add(x)
		}
	case Or:
		s.cases = append(s.cases, f)
	case AtLeast:
		s.rows = append(s.rows, f.Form)
	case Divides:
		multiple := variable(s.variables).plus(nil, 1)
		s.variables++
		d := f.Form.plus(multiple, -f.Mod)
		s.rows = append(s.rows, d, Form{0}.plus(d, -1))
	}
}

// with returns s with a formula added. It leaves s as it is.
func (s *state) with(f *Formula) *state {
	t := &state{s.rows[:len(s.rows):len(s.rows)], s.cases[:len(s.cases):len(s.cases)], s.variables}
	t.add(f)
	return t
}

// refute checks the next proof: that f has no solution. f has this number of variables.
func (s *stream) refute(f *Formula, variables int) error {
	err := func() (err error) {
		defer func() {
			switch x := recover().(type) {
			case nil:
			case badProof:
				err = x.error
			case overflow:
				err = fmt.Errorf("a number beyond 64 bits")
			default:
				panic(x)
			}
		}()
		s.node((&state{variables: variables}).with(f), 0)
		return nil
	}()
	return err
}

func (s *stream) node(at *state, depth int) {
	if depth > maxTree {
		panic(badProof{fmt.Errorf("a tree deeper than %d", maxTree)})
	}
	switch kind := s.next(); kind {
	case nodeContradiction:
		sum := s.sum(at)
		if !sum.isConstant() || sum[0] >= 0 {
			panic(badProof{fmt.Errorf("the sum of inequalities is no contradiction")})
		}
		s.leaves++
	case nodeCut:
		sum := s.sum(at)
		g := int64(0)
		for _, c := range sum[1:] {
			g = divisor(g, c)
		}
		if g < 2 {
			panic(badProof{fmt.Errorf("a cut by %d", g)})
		}
		cut := make(Form, len(sum))
		cut[0] = floor(sum[0], g)
		for v, c := range sum[1:] {
			cut[1+v] = c / g
		}
		s.node(at.with(&Formula{Op: AtLeast, Form: cut}), depth+1)
	case nodeCases:
		j := s.next()
		if j < 0 || j >= int64(len(at.cases)) {
			panic(badProof{fmt.Errorf("no disjunction %d", j)})
		}
		for _, f := range at.cases[j].Args {
			s.node(at.with(f), depth+1)
		}
	case nodeSplit:
		count := s.next()
		f := number(s.next())
		for range count {
			v, a := s.next(), s.next()
			if v < 0 || v >= int64(at.variables) {
				panic(badProof{fmt.Errorf("no variable %d", v)})
			}
			f = f.plus(variable(int(v)), a)
		}
		above := &Formula{Op: AtLeast, Form: f}
		s.node(at.with(above), depth+1)
		s.node(at.with(&Formula{Op: AtLeast, Form: Form{-1}.plus(f, -1)}), depth+1)
	default:
		panic(badProof{fmt.Errorf("no node of kind %d", kind)})
	}
}

// sum reads multipliers and returns the sum of the inequalities.
func (s *stream) sum(at *state) Form {
	sum := Form{0}
	for range s.next() {
		i, m := s.next(), s.next()
		if i < 0 || i >= int64(len(at.rows)) || m < 1 {
			panic(badProof{fmt.Errorf("inequality %d times %d", i, m)})
		}
		sum = sum.plus(at.rows[i], m)
	}
	return sum
}

// CheckProof returns nil if numbers are a proof that a formula with this number of variables has no solution.
func CheckProof(f *Formula, variables int, numbers []int32) error {
	s := &stream{numbers: numbers}
	if err := s.refute(f, variables); err != nil {
		return err
	}
	if len(s.numbers) > 0 {
		return fmt.Errorf("%d numbers after the proof", len(s.numbers))
	}
	return nil
}
