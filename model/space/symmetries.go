package space

import (
	"fmt"
	"math/big"
	"slices"
	"strings"
)

// This file finds the symmetries of directions from a file.
//
// A symmetry is a permutation of the directions together with a linear map of the coordinates.
// The map takes the conditions on the moves of each direction to the conditions of its image.
// Conditions are compared as written, with integer factors without a common divisor. Of two
// conditions with the same factors only the stronger one counts. The map is an integer map and
// permutes vectors that span the space, so its inverse is an integer map as well. Hence the map
// takes the moves of each direction onto the moves of its image, and networks with a cycle to
// networks with a cycle. A permutation must also preserve reverses and class turns.
//
// If each direction has only one move, the moves themselves are mapped to each other. The
// notation of the conditions then does not matter.
//
// Method: the conditions (or moves) of a basis are mapped in every possible manner to
// conditions with the same bounds. This determines the linear map. Coordinates without a
// condition are fixed. Cost: at most maxMaps maps are tried and maxSymmetries found. If a limit
// is exceeded, the only symmetry returned is the identity.

const (
	maxMaps       = 2_000_000
	maxSymmetries = 50_000
	maxFactor     = 1 << 20
)

// condition means factors · move ≥ least. If the direction has only one move, factors is this
// move and least is 0.
type condition struct {
	factors []int
	least   int
}

func (c condition) key() string { return fmt.Sprint(c.factors, c.least) }

// symmetryFinder is the state of the search.
type symmetryFinder struct {
	s          *Space
	conditions [][]condition // by direction
	basis      []condition   // conditions, then unit vectors
	from       []int         // by index in basis: the direction, or -1 for a unit vector
	inverse    [][]int       // inverse of the matrix with rows basis, times denom
	denom      int
	image      []condition // by index in basis
	to         []int       // by direction with a condition in the basis: its image, or -1
	tried      int
	byKey      map[string][]int // directions by the key of their conditions
	found      map[string][]int
}

// findSymmetries returns all symmetries, the identity first.
func (s *Space) findSymmetries() [][]int {
	f := &symmetryFinder{s: s, byKey: map[string][]int{}, found: map[string][]int{}}
	for d, list := range s.describedMoves() {
		f.conditions = append(f.conditions, list)
		f.byKey[conditionsKey(list)] = append(f.byKey[conditionsKey(list)], d)
		f.to = append(f.to, -1)
	}
	same := make([]int, len(s.Directions))
	for d := range same {
		same[d] = d
	}
	if !f.chooseBasis() || !f.choose(0) {
		return [][]int{same}
	}
	list := [][]int{same}
	for _, g := range f.found {
		if !slices.Equal(g, same) {
			list = append(list, g)
		}
	}
	slices.SortFunc(list[1:], slices.Compare)
	return list
}

// describedMoves returns the conditions of each direction, or the moves if each direction has
// only one.
func (s *Space) describedMoves() [][]condition {
	conditions, points := make([][]condition, len(s.Directions)), make([][]condition, len(s.Directions))
	for d := range s.Directions {
		conditions[d] = strongest(s.Places[d].Move)
		if p := onlyMove(conditions[d], len(s.Coords)); p != nil {
			points[d] = []condition{{factors: p}}
		}
	}
	if slices.ContainsFunc(points, func(p []condition) bool { return p == nil }) {
		return conditions
	}
	return points
}

// onlyMove returns the move of k coordinates that the equations in list determine, or nil if
// they do not determine one.
func onlyMove(list []condition, k int) []int {
	var m [][]*big.Rat
	for _, c := range list {
		opposite := condition{make([]int, k), -c.least}
		for i, x := range c.factors {
			opposite.factors[i] = -x
		}
		if !slices.ContainsFunc(list, func(o condition) bool { return o.key() == opposite.key() }) {
			continue
		}
		var row []*big.Rat
		for _, x := range append(slices.Clone(c.factors), c.least) {
			row = append(row, big.NewRat(int64(x), 1))
		}
		m = append(m, row)
	}
	if eliminate(m, k) < k {
		return nil
	}
	move := make([]int, k)
	for i, row := range m {
		switch x := row[k]; {
		case i >= k && x.Sign() != 0, !x.IsInt(), !x.Num().IsInt64():
			return nil // no such move
		case i < k:
			move[i] = int(x.Num().Int64())
		}
	}
	for _, c := range list { // check the conditions that are not equations
		sum := 0
		for i, x := range c.factors {
			sum += x * move[i]
		}
		if sum < c.least {
			return nil
		}
	}
	return move
}

// strongest returns the conditions of a direction. Of conditions with the same factors it keeps
// the one with the largest bound.
func strongest(moves []Constraint) (list []condition) {
	for _, m := range moves {
		i := slices.IndexFunc(list, func(c condition) bool { return slices.Equal(c.factors, m.Head) })
		if i < 0 {
			list = append(list, condition{m.Head, m.Least})
		} else {
			list[i].least = max(list[i].least, m.Least)
		}
	}
	return list
}

// conditionsKey returns a key that does not depend on the order of the conditions.
func conditionsKey(list []condition) string {
	var keys []string
	for _, c := range list {
		keys = append(keys, c.key())
	}
	slices.Sort(keys)
	return strings.Join(keys, ";")
}

// chooseBasis chooses the basis and inverts it. It returns false if numbers are too large.
func (f *symmetryFinder) chooseBasis() bool {
	k := len(f.s.Coords)
	add := func(c condition, from int) {
		if len(f.basis) < k && independent(append(f.basis[:len(f.basis):len(f.basis)], c), k) {
			f.basis, f.from = append(f.basis, c), append(f.from, from)
		}
	}
	for d, list := range f.conditions {
		for _, c := range list {
			if slices.Max(c.factors) > maxFactor || slices.Min(c.factors) < -maxFactor {
				return false
			}
			add(c, d)
		}
	}
	for i := range k {
		unit := condition{factors: make([]int, k)}
		unit.factors[i] = 1
		add(unit, -1)
	}
	f.image = make([]condition, k)
	return f.invert()
}

// independent reports whether conditions on k coordinates are linearly independent.
func independent(list []condition, k int) bool {
	m := make([][]*big.Rat, len(list))
	for i, c := range list {
		for _, x := range c.factors {
			m[i] = append(m[i], big.NewRat(int64(x), 1))
		}
	}
	return eliminate(m, k) == len(list)
}

// eliminate brings the first k columns of a matrix to reduced echelon form and returns their
// rank.
func eliminate(m [][]*big.Rat, k int) (rank int) {
	for col := 0; col < k && rank < len(m); col++ {
		pivot := slices.IndexFunc(m[rank:], func(row []*big.Rat) bool { return row[col].Sign() != 0 })
		if pivot < 0 {
			continue
		}
		m[rank], m[rank+pivot] = m[rank+pivot], m[rank]
		scale := new(big.Rat).Inv(m[rank][col])
		for _, x := range m[rank] {
			x.Mul(x, scale)
		}
		for i := range m {
			if factor := new(big.Rat).Set(m[i][col]); i != rank && factor.Sign() != 0 {
				for j, x := range m[i] {
					x.Sub(x, new(big.Rat).Mul(factor, m[rank][j]))
				}
			}
		}
		rank++
	}
	return rank
}

// invert sets inverse and denom. It returns false if numbers are too large.
func (f *symmetryFinder) invert() bool {
	k := len(f.basis)
	m := make([][]*big.Rat, k)
	for i, c := range f.basis {
		for _, x := range c.factors {
			m[i] = append(m[i], big.NewRat(int64(x), 1))
		}
		for j := range k {
			m[i] = append(m[i], big.NewRat(0, 1))
			if i == j {
				m[i][k+j].SetInt64(1)
			}
		}
	}
	eliminate(m, k)
	denom := big.NewInt(1)
	for _, row := range m {
		for _, x := range row[k:] {
			gcd := new(big.Int).GCD(nil, nil, denom, x.Denom())
			denom.Mul(denom, new(big.Int).Quo(x.Denom(), gcd))
		}
	}
	if !denom.IsInt64() || denom.Int64() > maxFactor {
		return false
	}
	f.denom = int(denom.Int64())
	for _, row := range m {
		var line []int
		for _, x := range row[k:] {
			y := new(big.Rat).Mul(x, new(big.Rat).SetInt(denom))
			if !y.Num().IsInt64() || max(y.Num().Int64(), -y.Num().Int64()) > maxFactor {
				return false
			}
			line = append(line, int(y.Num().Int64()))
		}
		f.inverse = append(f.inverse, line)
	}
	return true
}

// choose tries all images of the basis from index i on. It returns false if a limit is
// exceeded.
func (f *symmetryFinder) choose(i int) bool {
	if i == len(f.basis) {
		if f.tried++; f.tried > maxMaps {
			return false
		}
		return f.addPermutations()
	}
	d := f.from[i]
	if d < 0 {
		f.image[i] = f.basis[i]
		return f.choose(i + 1)
	}
	for e := range f.conditions {
		known := f.to[d]
		if known >= 0 && known != e || known < 0 && slices.Contains(f.to, e) || len(f.conditions[e]) != len(f.conditions[d]) {
			continue
		}
		f.to[d] = e
		for _, c := range f.conditions[e] {
			if f.image[i] = c; c.least == f.basis[i].least && !f.choose(i+1) {
				return false
			}
		}
		f.to[d] = known
	}
	return true
}

// addPermutations adds the permutations of the current map. It returns false if a limit is
// exceeded.
func (f *symmetryFinder) addPermutations() bool {
	matrix, whole := f.matrix()
	if !whole {
		return true
	}
	options := make([][]int, len(f.conditions))
	for d, list := range f.conditions {
		moved := make([]condition, len(list))
		for i, c := range list {
			moved[i] = condition{multiply(c.factors, matrix), c.least}
		}
		if options[d] = f.byKey[conditionsKey(moved)]; options[d] == nil {
			return true
		}
	}
	return f.permutations(options, make([]int, 0, len(options)))
}

// matrix returns the matrix of the current map, applied to rows of factors. It returns false if
// the matrix has an entry that is not an integer or is too large.
func (f *symmetryFinder) matrix() ([][]int, bool) {
	k := len(f.basis)
	m := make([][]int, k)
	for i := range m {
		m[i] = make([]int, k)
		for j := range m[i] {
			for l := range k {
				m[i][j] += f.inverse[i][l] * f.image[l].factors[j]
			}
			if m[i][j]%f.denom != 0 {
				return nil, false
			}
			if m[i][j] /= f.denom; max(m[i][j], -m[i][j]) > maxFactor {
				return nil, false
			}
		}
	}
	return m, true
}

func multiply(factors []int, matrix [][]int) []int {
	image := make([]int, len(factors))
	for i, x := range factors {
		for j, y := range matrix[i] {
			image[j] += x * y
		}
	}
	return image
}

// permutations adds the permutations that map each direction to one of its options and preserve
// reverses and class turns. It returns false if a limit is exceeded.
func (f *symmetryFinder) permutations(options [][]int, g []int) bool {
	d := len(g)
	if d == len(options) {
		if f.keepsTurns(g) {
			f.found[fmt.Sprint(g)] = slices.Clone(g)
		}
		return len(f.found) <= maxSymmetries
	}
	for _, e := range options[d] {
		back := f.s.Directions[d].Reverse
		if slices.Contains(g, e) || back < d && f.s.Directions[e].Reverse != g[back] {
			continue
		}
		if f.tried++; f.tried > maxMaps || !f.permutations(options, append(g, e)) {
			return false
		}
	}
	return true
}

// keepsTurns reports whether g maps class turns to class turns.
func (f *symmetryFinder) keepsTurns(g []int) bool {
	for _, t := range f.s.Turns {
		if f.s.between(g[t.In], g[t.Out]) < 0 {
			return false
		}
	}
	return true
}
