package nfplus1

import (
	"fmt"

	"github.com/turnproof/turnproof/examples/papers/paper"
)

// This file has the claims on deadlocks, channel numbers, failed links and future work.

// column returns the rows of a quantity, in order.
func column(r *paper.Result, quantity string) (list []paper.Row) {
	for _, x := range r.Rows {
		if x.Quantity == quantity {
			list = append(list, x)
		}
	}
	return list
}

// everywhere judges whether all rows of a quantity are zero, or all are not.
func everywhere(quantity string, zero bool, word string) func(*paper.Result) paper.Finding {
	return func(r *paper.Result) paper.Finding {
		list, as := column(r, quantity), 0
		for _, x := range list {
			if (x.Ours == 0) == zero {
				as++
			}
		}
		if len(list) == 0 {
			return paper.Lacking()
		}
		return paper.Decide(as == len(list), fmt.Sprintf("%s on %d of %d tori, %s to %s", word, as, len(list), list[0].Item, list[len(list)-1].Item))
	}
}

func northFirstClaims() []paper.Claim {
	return []paper.Claim{{Name: "nf1/north-first-cyclic", Statement: "North-First has a cycle of dependencies on the torus",
		Judge: everywhere("North-First", false, "refuted")}}
}

func everySizeClaims() []paper.Claim {
	free := func(name string, want float64, word string) func(*paper.Result) paper.Finding {
		return paper.Needs([][2]string{{name, "every torus"}}, func(v []float64) paper.Finding { return paper.Decide(v[0] == want, word) })
	}
	return []paper.Claim{
		{Name: "nf1/numbers-of-turns", Section: "section 3.2, section 4.1",
			Statement: "Dimension order prohibits 4 of the 8 turns, North-First 2 and NF+1 3", Published: "4, 2, 3",
			Judge: paper.Needs([][2]string{{"dimension-order", "prohibited turns"}, {"nf", "prohibited turns"}, {"nf+1", "prohibited turns"}},
				func(v []float64) paper.Finding {
					return paper.Decide(v[0] == 4 && v[1] == 2 && v[2] == 3, fmt.Sprintf("%g, %g, %g", v[0], v[1], v[2]))
				})},
		{Name: "nf1/deadlock-free", Statement: "NF+1 is deadlock-free on the torus of every size", Published: "general proof left as future work",
			Judge: free("nf+1", 1, "proved for every size")},
		{Name: "nf1/one-more-turn", Section: "section 4.1", Statement: "North-First itself needs one more prohibited turn on the torus",
			Judge: free("nf", 0, "North-First is refuted")},
		{Name: "nf1/others-need-a-turn", Section: "section 4.1",
			Statement: "Packets other than those down and left, if adaptive, need a turn that NF+1 prohibits",
			Judge: paper.Needs([][2]string{{"nf+1 without x+>y+", "prohibited turns"}, {"nf+1 without x+>y-", "prohibited turns"},
				{"nf+1 without x->y+", "prohibited turns"}}, func([]float64) paper.Finding {
				return paper.Decide(true, "x+ to y+ (up and right), x+ to y- (down and right), x- to y+ (up and left)")
			})},
		{Name: "nf1/only-down-left-adaptive", Section: "section 4.1", Statement: "Therefore they cannot be adaptive",
			Reason: "Under the rules of NF+1 it follows from the claim above. Of all safe routings it is not true: with x- to y+ allowed NF+1 stays " +
				"deadlock-free on the torus of every size, and packets up and left can be adaptive",
			Judge: func(r *paper.Result) paper.Finding {
				f := free("nf+1 without x->y+", 0, "up and left: proved for every size")(r)
				if f.Verdict == paper.Fails {
					f.Verdict = paper.Open // the sentence does not say of which rules it speaks
				}
				return f
			}},
	}
}

func dimensionOrderClaims() []paper.Claim {
	return []paper.Claim{
		{Name: "nf1/two-channels-suffice", Section: "section 2.2",
			Statement: "Dimension order on the torus is deadlock-free with 2 virtual channels", Judge: everywhere("2 VCs", true, "proved")},
		{Name: "nf1/two-channels-needed", Section: "section 2.2", Statement: "Dimension order on the torus needs 2 virtual channels, from 4x4 on",
			Judge: func(r *paper.Result) paper.Finding {
				list, cyclic := column(r, "without virtual channels"), 0
				for _, x := range list[1:] {
					if x.Ours > 0 {
						cyclic++
					}
				}
				return paper.Decide(cyclic == len(list)-1, fmt.Sprintf("without them %d of %d tori from 4x4 on have a cycle", cyclic, len(list)-1))
			}},
	}
}

func stateClaims() []paper.Claim {
	claims := []paper.Claim{{Name: "nf1/switching-rules", Section: "section 4.2",
		Statement: "With the rules of states 1 to 4 NF+1 has no deadlock", Judge: everywhere("NF+1", true, "proved")}}
	for _, k := range []string{"2", "3", "4"} {
		claims = append(claims, paper.Claim{Name: "nf1/state-" + k, Section: "section 4.2", Statement: "The rule of state " + k + " is needed",
			Reason: "On the smallest tori no cycle arises",
			Judge: func(r *paper.Result) paper.Finding {
				cyclic, first, list := 0, "", column(r, "without state "+k)
				for _, x := range list {
					if x.Ours > 0 {
						if cyclic++; first == "" {
							first = x.Item
						}
					}
				}
				return paper.Decide(cyclic > 0, fmt.Sprintf("without it %d of %d tori have a cycle, from %s on", cyclic, len(list), first))
			}})
	}
	return claims
}

func shortestClaims() []paper.Claim {
	return []paper.Claim{{Name: "nf1/minimal", Statement: "Paths are shortest", Judge: everywhere("not nearer", true, "true")}}
}

func numberClaims() []paper.Claim {
	return []paper.Claim{
		{Name: "nf1/numbers-on-4x4", Section: "section 4.3, figures 8 and 9", Statement: "On the 4x4 torus the channel numbers increase along every path",
			Judge: paper.Needs([][2]string{{"4x4", "not increasing"}, {"4x4", "dependencies"}}, func(v []float64) paper.Finding {
				return paper.Decide(v[0] == 0, fmt.Sprintf("on all but %g of %g dependencies", v[0], v[1]))
			})},
		{Name: "nf1/numbers-in-general", Statement: "The channel numbers increase along every path on n x n tori",
			Reason: "From n = 5 on they fall over the wraparound from x- of channel 0 to x- of channel 1. With a = 1 for the latter they increase",
			Judge: paper.Needs([][2]string{{"5x5", "not increasing"}, {"5x5", "dependencies"}, {"10x10", "not increasing"}, {"10x10",
				"dependencies"}}, func(v []float64) paper.Finding {
				return paper.Decide(v[0] == 0 && v[2] == 0, fmt.Sprintf("not on %g of %g dependencies of 5x5, %g of %g of 10x10", v[0], v[1], v[2], v[3]))
			})},
	}
}

func faultClaims() []paper.Claim {
	return []paper.Claim{{Name: "nf1/fault-tolerant", Statement: "NF+1 tolerates failed links better than dimension order",
		Judge: paper.Needs([][2]string{{adaptive, "mean"}, {fixed, "mean"}, {adaptive, "fewest pairs cut"}, {adaptive, "most"}},
			func(v []float64) paper.Finding {
				return paper.Decide(v[0] < v[1], fmt.Sprintf("a failed link cuts %.0f pairs in the mean (%.0f to %.0f), %.0f under dimension order", v[0],
					v[2], v[3], v[1]))
			})}}
}
