package arithmetic

import (
	"errors"
	"math"

	"github.com/turnproof/turnproof/verify/cert/everysize"
)

// This file defines proofs as trees, and writes them as numbers.

// fact is a row or a disjunction that is known at a node.
type fact struct {
	row     []int64              // of a row
	cases   []*everysize.Formula // of a disjunction
	numbers []int                // of the rows of a divisibility: the variable that they introduce
}

// term is a row times a positive multiplier.
type term struct {
	row  *fact
	mult int64
}

// proof is a node of a tree. Its kind is that of its fields.
type proof struct {
	leaf  []term
	cut   []term // then next[0]
	of    *fact  // the disjunction of cases
	split []int64
	next  []*proof
	added [][]*fact // by entry of next: the facts that the branch adds
	used  map[*fact]bool
}

// uses reports whether a proof uses one of the facts.
func (p *proof) uses(list []*fact) bool {
	for _, f := range list {
		if p.used[f] {
			return true
		}
	}
	return false
}

// close computes used of a node from those of its branches.
func (p *proof) close(own ...*fact) *proof {
	p.used = map[*fact]bool{}
	for _, f := range own {
		p.used[f] = true
	}
	for i, q := range p.next {
		for f := range q.used {
			p.used[f] = true
		}
		for _, f := range p.added[i] {
			delete(p.used, f)
		}
	}
	return p
}

func rowsOf(list []term) []*fact {
	facts := make([]*fact, len(list))
	for i, t := range list {
		facts[i] = t.row
	}
	return facts
}

// writer writes a proof in the numbers of verify/cert/everysize.
type writer struct {
	rows, cases map[*fact]int
	variable    map[int]int // numbers of variables in the written proof
	variables   int
	out         []int32
	err         error
}

var errLarge = errors.New("a number of the proof exceeds 32 bits")

func (w *writer) put(list ...int64) {
	for _, k := range list {
		if k > math.MaxInt32 || k < math.MinInt32 {
			w.err = errLarge
		}
		w.out = append(w.out, int32(k))
	}
}

// add numbers facts. It returns a function that removes them.
func (w *writer) add(list []*fact) func() {
	before := w.variables
	for _, f := range list {
		if f.cases != nil {
			w.cases[f] = len(w.cases)
			continue
		}
		w.rows[f] = len(w.rows)
		for _, v := range f.numbers {
			w.variable[v] = w.variables
			w.variables++
		}
	}
	return func() {
		w.variables = before
		for _, f := range list {
			delete(w.rows, f)
			delete(w.cases, f)
		}
	}
}

func (w *writer) terms(list []term) {
	w.put(int64(len(list)))
	for _, t := range list {
		i, ok := w.rows[t.row]
		if !ok {
			panic("arithmetic: a proof uses a row that is not known")
		}
		w.put(int64(i), t.mult)
	}
}

func (w *writer) write(p *proof) {
	switch {
	case p.leaf != nil:
		w.put(0)
		w.terms(p.leaf)
	case p.cut != nil:
		w.put(1)
		w.terms(p.cut)
	case p.of != nil:
		w.put(2, int64(w.cases[p.of]))
	default:
		count := int64(0)
		for _, c := range p.split[1:] {
			if c != 0 {
				count++
			}
		}
		w.put(3, count, p.split[0])
		for v, c := range p.split[1:] {
			if c != 0 {
				w.put(int64(w.variable[v]), c)
			}
		}
	}
	for i, q := range p.next {
		remove := w.add(p.added[i])
		w.write(q)
		remove()
	}
}
