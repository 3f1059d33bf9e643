package local

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/turnproof/turnproof/verify/cert/everysize"
)

// This file finds ranks of channels.
//
// The channels of a VC are divided into pieces by a few conditions on tail and head. A dependency between pieces is possible
// or not. The first number of a rank is that of the strong component of the piece. Within a component, the search takes a number
// of the switches that falls on no dependency, and leaves out the dependencies on which it rises; then it repeats on the rest.

// channelPredicates returns the conditions of the program that are about tail and head of a channel, which have these names.
func (s *searcher) channelPredicates(tail, head string) (list []string) {
	add := func(text string) {
		for _, other := range list {
			if other == text || negates(other, text) {
				return
			}
		}
		list = append(list, text)
	}
	here, ahead := s.net.Guards()
	p := &printer{net: s.net, names: map[int]string{everysize.Prev: tail, everysize.Cur: head}}
	for _, f := range here {
		p.atoms(f, func(text string) {
			if strings.Contains(text, tail) && strings.Contains(text, head) {
				add(text)
			}
		})
	}
	p.names = map[int]string{everysize.Cur: tail, everysize.Next: head}
	for _, f := range ahead {
		p.atoms(f, func(text string) {
			if strings.Contains(text, tail) && strings.Contains(text, head) {
				add(text)
			}
		})
	}
	return list
}

// numbers returns the numbers of a channel that ranks may use.
func (s *searcher) numbers() (list []string) {
	add := func(format string) {
		for _, at := range []string{"head", "tail"} {
			number := fmt.Sprintf(format, at)
			list = append(list, number, "-"+number)
		}
	}
	for _, name := range s.net.TreeNumbers() {
		add(name + "(%s)")
	}
	for _, a := range append(s.net.Attributes(), "id") {
		add("%s." + a)
	}
	for _, fn := range s.net.Pairs() {
		p := &printer{names: map[int]string{everysize.Prev: "tail", everysize.Cur: "head"}}
		name, numbers, _ := everysize.IsTable(fn)
		number := p.table(name, numbers, []int{everysize.Prev, everysize.Cur})
		list = append(list, number, "-"+number)
	}
	return list
}

// mostDivisions bounds the conditions that divide the channels of a VC. A program with more than fewConditions gets one less.
const (
	mostDivisions = 3
	fewConditions = 5
)

// rank finds ranks for the channels of VCs for which ranked is true. It returns nil if it finds none. Of a program that reads tables, it
// tries ranks that need no premise before those that divide channels.
func (s *searcher) rank(ranked func(vc int) bool) ([]piece, error) {
	all := s.channelPredicates("tail", "head")
	var sets [][]string
	most := mostDivisions
	if len(all) > fewConditions {
		most--
	}
	for size := 0; size <= most; size++ {
		sets = append(sets, subsets(all, size)...)
	}
	defer func() { s.shallow = false }()
	try := func(shallow bool, sets [][]string) ([]piece, error) {
		s.shallow = shallow
		for _, set := range sets {
			pieces, err := s.rankBy(ranked, set)
			if err != nil || pieces != nil {
				return pieces, err
			}
		}
		return nil, nil
	}
	pieces, err := try(false, sets[:1])
	if pieces == nil && err == nil && s.readsTables() {
		pieces, err = try(true, sets)
	}
	if pieces == nil && err == nil {
		pieces, err = try(false, sets[1:])
	}
	return pieces, err
}

// always chooses an output of each run that every packet has which takes the run. ok is false if some run has none.
func (s *searcher) always() (chosen map[[2]int]bool, ok bool, err error) {
	chosen = map[[2]int]bool{}
	done, open := map[int]bool{}, map[int]bool{}
	for _, step := range s.steps {
		run, output := step.Output()
		if step.Created || step.From.VC < 0 || done[run] {
			continue
		}
		open[run] = true
		q, err := s.net.Without(step)
		if err != nil {
			return nil, false, err
		}
		var levels []int
		if q != nil {
			levels = q.Levels()
		}
		for _, level := range levels {
			point, _, err := s.decide(q, level)
			if hard := new(errOpen); err != nil && !errors.As(err, &hard) {
				return nil, false, err
			}
			if point == nil && err == nil {
				q = nil
				break
			}
		}
		if q == nil {
			chosen[[2]int{run, output}], done[run] = true, true
		}
	}
	return chosen, len(done) == len(open), nil
}

// subsets returns the subsets of a size.
func subsets(list []string, size int) (sets [][]string) {
	if size == 0 {
		return [][]string{nil}
	}
	for i := range list {
		for _, rest := range subsets(list[i+1:], size-1) {
			sets = append(sets, append([]string{list[i]}, rest...))
		}
	}
	return sets
}

// rankBy finds ranks of pieces that conditions divide.
func (s *searcher) rankBy(ranked func(vc int) bool, conditions []string) ([]piece, error) {
	var pieces []piece
	for vc := range s.net.VCs() {
		if !ranked(vc) {
			continue
		}
		for bits := range 1 << len(conditions) {
			list := literals(conditions, bits)
			pieces = append(pieces, piece{vc: vc, literals: list, when: strings.Join(list, " and ")})
		}
	}
	var edges []edge
	for _, step := range s.steps {
		run, output := step.Output()
		if step.Created || step.From.VC < 0 || !ranked(step.From.VC) || !ranked(step.To.VC) || s.only != nil && !s.only[[2]int{run, output}] {
			continue
		}
		for i := range pieces {
			if pieces[i].vc != step.From.VC {
				continue
			}
			for j := range pieces {
				if pieces[j].vc != step.To.VC {
					continue
				}
				possible, err := s.possible(edge{step, i, j}, pieces, "", 0)
				if err != nil {
					return nil, err
				}
				if possible {
					edges = append(edges, edge{step, i, j})
				}
			}
		}
	}
	if ok, err := s.order(pieces, edges, s.numbers(), 0); !ok || err != nil {
		return nil, err
	}
	longest := 1
	for _, p := range pieces {
		longest = max(longest, len(p.rank))
	}
	for i := range pieces {
		for len(pieces[i].rank) < longest {
			pieces[i].rank = append(pieces[i].rank, "0")
		}
	}
	return pieces, nil
}

func literals(conditions []string, bits int) (list []string) {
	for i, c := range conditions {
		if bits>>i&1 == 0 {
			c = "not (" + c + ")"
		}
		list = append(list, c)
	}
	return list
}

// mostNumbers bounds the numbers of a rank, beside components.
const mostNumbers = 3

// order appends numbers to the ranks of pieces so that every edge increases the rank.
func (s *searcher) order(pieces []piece, edges []edge, numbers []string, depth int) (bool, error) {
	component, count := components(len(pieces), edges)
	for i := range pieces {
		if count > 1 || depth == 0 {
			pieces[i].rank = append(pieces[i].rank, fmt.Sprint(component[i]))
		}
	}
	var inside []edge
	for _, e := range edges {
		if component[e.from] == component[e.to] {
			inside = append(inside, e)
		}
	}
	if len(inside) == 0 {
		return true, nil
	}
	if depth == mostNumbers {
		s.noteStuck(inside)
		return false, nil
	}
	// One number for each component, the first that falls on no edge and rises on some.
	chosen := map[int]string{}
	var left []edge
	for k := range count {
		var mine []edge
		for _, e := range inside {
			if component[e.from] == k {
				mine = append(mine, e)
			}
		}
		if len(mine) == 0 {
			continue
		}
		number, rest, err := s.number(pieces, mine, numbers)
		if err == nil && number == "" {
			s.noteStuck(mine)
		}
		if err != nil || number == "" {
			return false, err
		}
		chosen[k] = number
		left = append(left, rest...)
	}
	for i := range pieces {
		number, ok := chosen[component[i]]
		if !ok {
			number = "0"
		}
		pieces[i].rank = append(pieces[i].rank, number)
	}
	if len(left) == 0 {
		return true, nil
	}
	return s.order(pieces, left, numbers, depth+1)
}

// number returns a number that falls on no edge, and the edges on which it need not rise. It prefers few of these.
func (s *searcher) number(pieces []piece, edges []edge, numbers []string) (best string, rest []edge, err error) {
candidates:
	for _, number := range numbers {
		var open []edge
		for _, e := range edges {
			rises, err := s.possible(e, pieces, number, 1)
			if err != nil {
				return "", nil, err
			}
			if !rises {
				continue
			}
			falls, err := s.possible(e, pieces, number, 0)
			if err != nil {
				return "", nil, err
			}
			if falls {
				continue candidates
			}
			open = append(open, e)
		}
		if len(open) < len(edges) && (best == "" || len(open) < len(rest)) {
			best, rest = number, open
		}
		if best != "" && len(rest) == 0 {
			break
		}
	}
	return best, rest, nil
}

// components numbers the strong components of a graph, so that edges lead to the same or a greater number.
func components(n int, edges []edge) (of []int, count int) {
	reach := make([][]bool, n)
	for i := range reach {
		reach[i] = make([]bool, n)
		reach[i][i] = true
	}
	for _, e := range edges {
		reach[e.from][e.to] = true
	}
	for k := range n {
		for i := range n {
			for j := range n {
				reach[i][j] = reach[i][j] || reach[i][k] && reach[k][j]
			}
		}
	}
	of = make([]int, n)
	for i := range of {
		of[i] = -1
	}
	for {
		next := slices.Collect(func(yield func(int) bool) {
			for i := range n {
				if of[i] >= 0 {
					continue
				}
				first := true
				for j := range n {
					first = first && !(of[j] < 0 && reach[j][i] && !reach[i][j])
				}
				if first && !yield(i) {
					return
				}
			}
		})
		if len(next) == 0 {
			return of, count
		}
		for _, i := range next {
			if of[i] >= 0 {
				continue
			}
			for j := range n {
				if reach[i][j] && reach[j][i] {
					of[j] = count
				}
			}
			count++
		}
	}
}
