// Package linear answers small questions about linear inequalities exactly: the
// least value of a form where inequalities hold, with the multipliers that show it.
//
// Five words:
//
//   - row: coefficients and a bound, Row·x ≥ Least;
//   - form: coefficients whose value is asked for;
//   - least value: over all real x that fulfil the rows;
//   - multipliers: one, not negative, for each row; the rows times these add up to
//     the form, the bounds times these to its least value (Farkas);
//   - unbounded: there is no least value.
//
// A first call:
//
//	m := linear.Minimum([]linear.Row{{[]int{1, -1}, 1}}, []int{2, -2})
//	// m.Value is 2, m.Multipliers is [2/1]
//
// Method: the simplex method on the dual problem, in rational numbers, by Bland's
// rule (R. G. Bland, New finite pivoting rules for the simplex method, Math. of
// Operations Research 2(2), 1977), which ends on every input. For tens of rows.
package linear

import "math/big"

// Row is the inequality Coeffs·x ≥ Least.
type Row struct {
	Coeffs []int
	Least  int
}

// Answer is what Minimum found.
type Answer struct {
	Bounded     bool       // there is a least value
	Empty       bool       // nothing fulfils the rows
	Value       *big.Rat   // the least value, if there is one
	Multipliers []*big.Rat // by row
}

// Minimum returns the least value of form over all x that fulfil the rows. Rows
// and form have the same length.
func Minimum(rows []Row, form []int) Answer {
	t := newTableau(rows, form)
	if !t.solve(t.artificial) { // phase 1: some multipliers add up to the form
		panic("linear: the sum of what is missing is bounded")
	}
	if t.value().Sign() != 0 {
		return Answer{} // unbounded, or nothing fulfils the rows; the form is not bounded by them
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

// tableau is the dual problem: maximise bounds·λ with Σ λ_j row_j = form, λ ≥ 0. The
// columns are the rows' multipliers, then an artificial one for each equation, then
// the right-hand side.
type tableau struct {
	cell       [][]*big.Rat
	cost       []*big.Rat // reduced, of the objective in use; the last is the value, negated
	basis      []int      // by equation: the column that is basic
	artificial []*big.Rat // objectives
	bounds     []*big.Rat
	columns    int // that may enter
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

// solve maximises an objective from the basis at hand; false if it has no bound.
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

// leaving returns the equation whose basic column leaves, by Bland's rule.
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

// subtract takes f times line from another.
func (t *tableau) subtract(from, line []*big.Rat, f *big.Rat) {
	product := new(big.Rat)
	for j, x := range line {
		if x.Sign() != 0 {
			from[j].Sub(from[j], product.Mul(f, x))
		}
	}
}

// drop drives artificial columns, all 0 by now, out of the basis, and with them
// equations that follow from the others.
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
