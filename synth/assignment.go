package synth

import "math"

// This file assigns rows to columns with the largest sum of weights.
//
// Source: the Hungarian method by shortest augmenting paths (J. Munkres, J. SIAM 5(1), 1957; R. Jonker and A. Volgenant, Computing
// 38, 1987). Promise: no assignment has a larger sum. The prices prove it, and assign checks them. Cost: O(rows² × columns) time.

// assign returns a column for each row, no column twice, such that the sum of the weights is as large as possible, and this sum.
// weight has a row of columns after the other. It needs rows <= columns, weights >= 0 and a sum below 2^62.
func assign(rows, columns int, weight []int64) (to []int, sum int64) {
	// Lists of columns have an entry at the end that stands for the row that is assigned at present.
	u, v := make([]int64, rows), make([]int64, columns+1) // prices: u + v <= -weight, with equality for what is assigned
	row := make([]int, columns+1)                         // by column: its row, or -1
	from := make([]int, columns+1)                        // by column: the column before it on the augmenting path
	slack, done := make([]int64, columns), make([]bool, columns+1)
	for j := range row {
		row[j] = -1
	}
	for i := range rows {
		for j := range slack {
			slack[j], done[j] = math.MaxInt64, false
		}
		at := columns
		row[at], done[at] = i, false
		for row[at] >= 0 {
			done[at] = true
			r, step, next := row[at], int64(math.MaxInt64), -1
			for j := range columns {
				if done[j] {
					continue
				}
				if x := -weight[r*columns+j] - u[r] - v[j]; x < slack[j] {
					slack[j], from[j] = x, at
				}
				if slack[j] < step {
					step, next = slack[j], j
				}
			}
			for j := range columns + 1 {
				if done[j] {
					u[row[j]] += step
					v[j] -= step
				} else if j < columns {
					slack[j] -= step
				}
			}
			at = next
		}
		for at != columns {
			row[at] = row[from[at]]
			at = from[at]
		}
	}
	to = make([]int, rows)
	for j, i := range row[:columns] {
		if i >= 0 {
			to[i] = j
			sum += weight[i*columns+j]
		}
	}
	checkPrices(rows, columns, weight, u, v[:columns], sum)
	return to, sum
}

// checkPrices panics if the prices do not prove that no assignment has a larger sum.
func checkPrices(rows, columns int, weight, u, v []int64, sum int64) {
	bound := int64(0)
	for i := range rows {
		bound -= u[i]
		for j := range columns {
			if u[i]+v[j] > -weight[i*columns+j] {
				panic("synth: the prices of an assignment are wrong")
			}
		}
	}
	for _, x := range v {
		if bound -= x; x > 0 {
			panic("synth: a column has a positive price")
		}
	}
	if bound != sum {
		panic("synth: the prices do not prove the assignment")
	}
}
