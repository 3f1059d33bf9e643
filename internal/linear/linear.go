// Package linear solves small linear programs exactly: the least value of a form
// subject to inequalities, with the multipliers that prove it.
//
// Terms:
//
//   - A row is coefficients and a bound: Row·x >= Least.
//   - A form is the coefficients of the objective.
//   - The least value is over all real x that satisfy the rows.
//   - There is one non-negative multiplier for each row. The rows times their multipliers sum to the form,
//     and the bounds times their multipliers to its least value (Farkas).
//   - A form is unbounded if it has no least value.
//
// A first call:
//
//	m := linear.Minimum([]linear.Row{{[]int{1, -1}, 1}}, []int{2, -2})
//	// m.Value is 2, m.Multipliers is [2/1]
//
// Method: the simplex method on the dual problem, in rational numbers, by Bland's rule
// (R. G. Bland, New finite pivoting rules for the simplex method, Mathematics of
// Operations Research 2(2), 1977), which terminates on every input. For tens of rows.
//
// Read first: linear.go, feasible.go.
package linear

import "math/big"

// Row is the inequality Coeffs·x >= Least.
type Row struct {
	Coeffs []int
	Least  int
}

// Answer is the result of Minimum.
type Answer struct {
	Bounded     bool       // there is a least value
	Empty       bool       // no x satisfies the rows
	Value       *big.Rat   // the least value, or nil
	Multipliers []*big.Rat // by row
}

// Minimum returns the least value of form over all x that satisfy the rows. Rows and form
// must have the same length.
func Minimum(rows []Row, form []int) Answer {
	t := newTableau(rows, form)
	if !t.solve(t.artificial) { // phase 1: find multipliers that sum to the form
		panic("linear: phase 1 is unbounded")
	}
	if t.value().Sign() != 0 {
		return Answer{} // the form is unbounded, or no x satisfies the rows
	}
	t.drop()
	if !t.solve(t.bounds) {
		return Answer{Empty: true}
	}
	a := Answer{Bounded: true, Value: t.value(), Multipliers: make([]*big.Rat, len(rows))}
	for j := range rows {
		a.Multipliers[j] = new(big.Rat)
	}
	for i, j := range t.basis {
		if j < len(rows) {
			a.Multipliers[j].Set(t.cell[i][len(t.cell[i])-1])
		}
	}
	return a
}

// tableau is the dual problem: maximise bounds·λ with Σ λ_j row_j = form, λ >= 0. The
// columns are the multipliers of the rows, an artificial column for each equation, and the
// right-hand side.
type tableau struct {
	cell       [][]*big.Rat
	cost       []*big.Rat // reduced costs of the current objective; the last is the negated value
	basis      []int      // by equation: its basic column
	artificial []*big.Rat // objectives
	bounds     []*big.Rat
	columns    int // columns that may enter the basis
}

func newTableau(rows []Row, form []int) *tableau {
	k, m := len(rows), len(form)
	t := &tableau{columns: k, artificial: zeros(k + m + 1), bounds: zeros(k + m + 1)}
	for i := range form {
		line := zeros(k + m + 1)
		sign := int64(1)
		if form[i] < 0 {
			sign = -1
		}
		for j := range rows {
			line[j].SetInt64(sign * int64(rows[j].Coeffs[i]))
		}
		line[k+i].SetInt64(1)
		line[k+m].SetInt64(sign * int64(form[i]))
		t.cell, t.basis = append(t.cell, line), append(t.basis, k+i)
		t.artificial[k+i].SetInt64(-1)
	}
	for j := range rows {
		t.bounds[j].SetInt64(int64(rows[j].Least))
	}
	return t
}

func zeros(k int) []*big.Rat {
	list := make([]*big.Rat, k)
	for i := range list {
		list[i] = new(big.Rat)
	}
	return list
}

func (t *tableau) value() *big.Rat { return new(big.Rat).Neg(t.cost[len(t.cost)-1]) }

// solve maximises an objective from the current basis. It returns false if the objective is
// unbounded.
func (t *tableau) solve(objective []*big.Rat) bool {
	t.cost = zeros(len(objective))
	for j := range objective {
		t.cost[j].Set(objective[j])
	}
	for i, b := range t.basis {
		if f := objective[b]; f.Sign() != 0 {
			t.subtract(t.cost, t.cell[i], new(big.Rat).Set(f))
		}
	}
	for {
		enter := -1
		for j := range t.columns {
			if t.cost[j].Sign() > 0 {
				enter = j
				break
			}
		}
		if enter < 0 {
			return true
		}
		leave := t.leaving(enter)
		if leave < 0 {
			return false
		}
		t.pivot(leave, enter)
	}
}

// leaving returns the equation whose basic column leaves the basis, by Bland's rule, or -1.
func (t *tableau) leaving(enter int) int {
	best, ratio := -1, new(big.Rat)
	for i, line := range t.cell {
		if line[enter].Sign() <= 0 {
			continue
		}
		r := new(big.Rat).Quo(line[len(line)-1], line[enter])
		if c := r.Cmp(ratio); best < 0 || c < 0 || c == 0 && t.basis[i] < t.basis[best] {
			best, ratio = i, r
		}
	}
	return best
}

func (t *tableau) pivot(i, j int) {
	inverse := new(big.Rat).Inv(t.cell[i][j])
	for _, x := range t.cell[i] {
		x.Mul(x, inverse)
	}
	for k, line := range t.cell {
		if k != i && line[j].Sign() != 0 {
			t.subtract(line, t.cell[i], new(big.Rat).Set(line[j]))
		}
	}
	t.subtract(t.cost, t.cell[i], new(big.Rat).Set(t.cost[j]))
	t.basis[i] = j
}

// subtract subtracts f times line from another line.
func (t *tableau) subtract(from, line []*big.Rat, f *big.Rat) {
	product := new(big.Rat)
	for j, x := range line {
		if x.Sign() != 0 {
			from[j].Sub(from[j], product.Mul(f, x))
		}
	}
}

// drop removes artificial columns, which are all 0, from the basis, and redundant equations.
func (t *tableau) drop() {
	for i := 0; i < len(t.cell); i++ {
		if t.basis[i] < t.columns {
			continue
		}
		out := true
		for j := range t.columns {
			if t.cell[i][j].Sign() != 0 {
				t.pivot(i, j)
				out = false
				break
			}
		}
		if out {
			t.cell, t.basis = append(t.cell[:i], t.cell[i+1:]...), append(t.basis[:i], t.basis[i+1:]...)
			i--
		}
	}
}
