package local

import (
	"slices"

	"github.com/turnproof/turnproof/internal/linear"
	"github.com/turnproof/turnproof/verify/cert/everysize"
)

// This file finds a solution of inequalities in integers, or a contradiction of a few of them.
//
// Most inequalities bound the difference of two variables, so they have a solution unless some form a cycle whose bounds have a
// positive sum (R. Bellman, 1958; L. Ford, 1956). Package linear decides the others.

// inequality is form >= 0, with the literal that says so.
type inequality struct {
	form    everysize.Form
	literal int32
}

// arc says: variable to - variable from >= least. Variable 0 is the number 0; others are numbered from 1.
type arc struct {
	from, to int
	least    int64
	of       *inequality
}

// values is the result of a search for a solution: values of variables, or sets of literals that contradict each other. If it has
// neither, the search does not decide.
type values struct {
	of      map[int]int64
	clashes [][]int32
}

// mostClashes bounds the contradictions of one search.
const mostClashes = 16

// satisfy searches for a solution.
func satisfy(list []inequality) values {
	number := map[int]int{} // by variable
	var variables []int
	for _, x := range list {
		for v, c := range x.form[1:] {
			if _, ok := number[v]; c != 0 && !ok {
				number[v] = len(variables) + 1
				variables = append(variables, v)
			}
		}
	}
	arcs, others := arcsOf(list, number)
	point, clashes := potentials(len(variables)+1, arcs)
	if clashes != nil {
		return values{clashes: clashes}
	}
	result := values{of: map[int]int64{}}
	for i, v := range variables {
		result.of[v] = point[i+1] - point[0]
	}
	if !slices.ContainsFunc(others, func(x inequality) bool { return valueOf(x.form, result.of) < 0 }) {
		return result
	}
	return solveAll(list, variables, number)
}

func valueOf(f everysize.Form, of map[int]int64) int64 {
	sum := f[0]
	for v, c := range f[1:] {
		sum += c * of[v]
	}
	return sum
}

// arcsOf divides inequalities into arcs and others.
func arcsOf(list []inequality, number map[int]int) (arcs []arc, others []inequality) {
	for i, x := range list {
		from, to, least, ok := difference(x.form)
		if !ok {
			others = append(others, x)
			continue
		}
		a := arc{least: least, of: &list[i]}
		if from > 0 {
			a.from = number[from-1]
		}
		if to > 0 {
			a.to = number[to-1]
		}
		arcs = append(arcs, a)
	}
	return arcs, others
}

// potentials returns values that satisfy arcs between n variables, or cycles without a common arc that contradict themselves.
func potentials(n int, arcs []arc) (value []int64, clashes [][]int32) {
	for len(clashes) < mostClashes {
		value = make([]int64, n)
		cycle := risingCycle(value, arcs)
		if cycle == nil {
			break
		}
		var clash []int32
		for _, k := range cycle {
			clash = append(clash, arcs[k].of.literal)
		}
		clashes = append(clashes, clash)
		var rest []arc
		for k, a := range arcs {
			if !slices.Contains(cycle, k) {
				rest = append(rest, a)
			}
		}
		arcs = rest
	}
	return value, clashes
}

// risingCycle raises values until all arcs are satisfied, and returns nil. Or it returns the arcs of a cycle of positive length.
func risingCycle(value []int64, arcs []arc) (cycle []int) {
	by := make([]int, len(value)) // the arc that raised a value, from 1
	last := 0
	for range len(value) + 1 {
		last = -1
		for k, a := range arcs {
			if value[a.from]+a.least > value[a.to] {
				value[a.to] = value[a.from] + a.least
				by[a.to], last = k+1, a.to
			}
		}
		if last < 0 {
			return nil
		}
	}
	at := last
	for range value {
		at = arcs[by[at]-1].from
	}
	for v := at; ; {
		k := by[v] - 1
		cycle = append(cycle, k)
		if v = arcs[k].from; v == at {
			return cycle
		}
	}
}

// solveAll searches for a solution by package linear.
func solveAll(list []inequality, variables []int, number map[int]int) values {
	var rows [][]int64
	for _, x := range list {
		row := make([]int64, len(variables)+1)
		row[0] = x.form[0]
		for v, c := range x.form[1:] {
			if c != 0 {
				row[number[v]] = c
			}
		}
		rows = append(rows, row)
	}
	p, multipliers, ok := linear.Feasible(rows, len(variables))
	if !ok {
		return values{}
	}
	if multipliers != nil {
		var clash []int32
		for i, m := range multipliers {
			if m > 0 && !slices.Contains(clash, list[i].literal) {
				clash = append(clash, list[i].literal)
			}
		}
		return values{clashes: [][]int32{clash}}
	}
	of := map[int]int64{}
	for i, v := range variables {
		if p.Den[i] != 1 {
			return values{}
		}
		of[v] = p.Num[i]
	}
	return values{of: of}
}
