package everysize_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"github.com/turnproof/turnproof/model/program"
	"github.com/turnproof/turnproof/verify/cert"
	"github.com/turnproof/turnproof/verify/cert/everysize"
)

// This file reads listings, and compares what they say with the interpreter on small networks.

// heard reads the numbers of a listing.
type heard struct{ cert.Ints }

func (h *heard) next() int64 {
	k := h.Ints[0]
	h.Ints = h.Ints[1:]
	return int64(k)
}

func (h *heard) formula() *everysize.Formula {
	f := &everysize.Formula{Op: everysize.Op(h.next())}
	switch f.Op {
	case everysize.And, everysize.Or:
		for range h.next() {
			f.Args = append(f.Args, h.formula())
		}
		return f
	case everysize.Divides:
		f.Mod = h.next()
	}
	for range h.next() {
		f.Form = append(f.Form, h.next())
	}
	return f
}

// listedPath is a path of a listing.
type listedPath struct {
	dir, vc, state int
	outcome        everysize.Outcome
	guard          *everysize.Formula
}

type listed []listedPath

func readListed(numbers cert.Ints) (list listed) {
	h := &heard{numbers}
	for range h.next() {
		p := listedPath{dir: int(h.next()), vc: int(h.next()), state: int(h.next())}
		p.outcome.Ejects, p.outcome.Failed = h.next() == 1, h.next() == 1
		for range h.next() {
			p.outcome.Outputs = append(p.outcome.Outputs, [3]int{int(h.next()), int(h.next()), int(h.next())})
		}
		p.guard = h.formula()
		list = append(list, p)
	}
	return list
}

// At implements outcomes.
func (l listed) At(point []int64, dir, vc, state int) (list []everysize.Outcome) {
	for _, p := range l {
		if (p.dir == -2 || p.dir == dir) && (p.vc < 0 || p.vc == vc) && (p.state < 0 || p.state == state) && p.guard.Holds(point) {
			list = append(list, p.outcome)
		}
	}
	return list
}

// starts returns the header states of created packets.
func starts(numbers cert.Ints, point []int64) (states []int) {
	h := &heard{numbers}
	for range h.next() {
		var list []int
		for range h.next() {
			list = append(list, int(h.next()))
		}
		if h.formula().Holds(point) {
			states = append(states, list...)
		}
	}
	return states
}

// TestListing compares listings with the interpreter.
func TestListing(t *testing.T) {
	for _, name := range keptNames(t) {
		c := kept(t, name)
		text, err := everysize.List(c)
		if s := c.Subject.Program; s.Flow != nil || s.Every || parse(t, &c.Subject).Family.Kind == program.HyperX {
			if err == nil {
				t.Errorf("%s: listed", name)
			}
			continue
		}
		var l everysize.Listing
		if err == nil {
			err = json.Unmarshal(text, &l)
		}
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		p := parse(t, &c.Subject)
		paths := readListed(l.Paths)
		eachSides(p, c.Subject.Program.Dims, 3, func(sides []int) {
			n, err := newSmall(p, sides, nil)
			if err == nil {
				err = n.agreesEverywhere(paths)
			}
			if err == nil {
				err = n.startsAgree(&l)
			}
			if err != nil {
				t.Errorf("%s on %v: %v", name, sides, err)
			}
		})
	}
}

// startsAgree compares the family and the header states of created packets.
func (n *small) startsAgree(l *everysize.Listing) error {
	for d, side := range n.sides {
		size, length := l.Sides[2*d], int(l.Sides[2*d+1])
		if size >= 0 {
			length = int(n.point([3]int{}, [3]int{}, [3]int{})[3*len(n.sides)+int(size)])
		}
		last := [3]int{}
		last[d] = side - 1
		if _, wrap, _ := n.hop(last, 2*d); length != side || wrap != (l.Rings[d] == 1) {
			return fmt.Errorf("dimension %d has length %d and wraparound %d", d, length, l.Rings[d])
		}
	}
	for _, at := range n.places() {
		for _, to := range n.places() {
			if at == to && !n.p.Passes {
				continue
			}
			inject, err := n.i.Inject(program.Numbers(values(n, at)), program.Numbers(values(n, to)))
			if err != nil {
				return err
			}
			var want []int
			for _, k := range inject {
				want = append(want, k.State)
			}
			if got := starts(l.Injects, n.point(at, to, [3]int{})); !slices.Equal(got, want) {
				return fmt.Errorf("from %v to %v: header states %v; the interpreter says %v", at, to, got, want)
			}
		}
	}
	return nil
}
