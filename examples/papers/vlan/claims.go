package vlan

import (
	"fmt"
	"math"

	"github.com/turnproof/turnproof/examples/papers/paper"
)

// This file has the claims on tables 1 and 2, and on theorem 1.

// worstRatio returns the largest relative difference between ours and the published values of a column.
func worstRatio(r *paper.Result, quantity string) float64 {
	worst := 0.0
	for _, x := range r.DefaultRows() {
		if x.Quantity == quantity && x.Ratio != nil {
			worst = max(worst, math.Abs(*x.Ratio-1))
		}
	}
	return worst
}

func table1Claims() []paper.Claim {
	return []paper.Claim{
		{Name: "vlan/table-1-bandwidth", Statement: "The bandwidths are those of table 1", Published: "14 values",
			Fitted: "8 of them are multiples of the 820 Mbit/s that hosts send",
			Judge: func(r *paper.Result) paper.Finding {
				worst := max(worstRatio(r, "Mbit/s without FC"), worstRatio(r, "Mbit/s with FC"))
				return paper.Decide(paper.Near(1+worst, 1), fmt.Sprintf("all within %.2f %%", 100*worst))
			}},
		{Name: "vlan/shared-link-loses", Statement: "Without flow control many frames are lost where paths share a link", Published: "41.6, 70.8, 85.2 %",
			Judge: paper.Needs([][2]string{{"2-SW-SW-2", "% lost without FC"}, {"4-SW-SW-4", "% lost without FC"}, {"8-SW-SW-8", "% lost without FC"}},
				func(v []float64) paper.Finding {
					ok := paper.Near(v[0], 41.6) && paper.Near(v[1], 70.8) && paper.Near(v[2], 85.2)
					return paper.Decide(ok, fmt.Sprintf("%.1f, %.1f, %.1f %%", v[0], v[1], v[2]))
				})},
		{Name: "vlan/same-bandwidth", Statement: "Flow control hardly changes the bandwidth", Judge: func(r *paper.Result) paper.Finding {
			worst := 0.0
			for _, x := range rows1 {
				a, b := r.Row(x.name, "Mbit/s without FC"), r.Row(x.name, "Mbit/s with FC")
				if a == nil || b == nil {
					return paper.Lacking()
				}
				worst = max(worst, math.Abs(b.Ours/a.Ours-1))
			}
			return paper.Decide(paper.Near(1+worst, 1), fmt.Sprintf("by %.2f %% at most", 100*worst))
		}},
		{Name: "vlan/pause-loses-nothing", Statement: "With flow control no frame is lost where paths share a link", Published: "0 %",
			Judge: paper.Needs([][2]string{{"2-SW-SW-2", "% lost with FC"}, {"4-SW-SW-4", "% lost with FC"}, {"8-SW-SW-8", "% lost with FC"}},
				func(v []float64) paper.Finding { return paper.Decide(v[0]+v[1]+v[2] == 0, "0 %") })},
		{Name: "vlan/small-losses", Statement: "Some frames are lost where no link is full, probably at the adapters of hosts", Published: "0.02 to 0.09 %",
			Reason: "We do not simulate adapters that lose frames",
			Judge: paper.Needs([][2]string{{"1-SW-1", "% lost without FC"}}, func(v []float64) paper.Finding {
				if v[0] == 0 {
					return paper.Finding{Verdict: paper.Open, Ours: "0 %"}
				}
				return paper.Decide(v[0] < 0.1, fmt.Sprintf("%.3f %%", v[0]))
			})},
	}
}

func table2Claims() []paper.Claim {
	const dl = "DL / without FC"
	return []paper.Claim{
		{Name: "vlan/acyclic-full-rate", Statement: "Without a cycle the pairs have their full bandwidth, with and without flow control",
			Published: "816.5 and 814.8 Mbit/s", Judge: paper.Needs([][2]string{{"DF / without FC", "Mbit/s a pair"}, {"DF / with FC", "Mbit/s a pair"}},
				func(v []float64) paper.Finding {
					return paper.Decide(paper.Near(v[0], 816.5) && paper.Near(v[1], 814.8), fmt.Sprintf("%.1f and %.1f Mbit/s", v[0], v[1]))
				})},
		{Name: "vlan/cyclic-loses-half", Statement: "With a cycle and without flow control about half of the frames are lost",
			Published: "412.4 Mbit/s, 49.5 %",
			Judge: paper.Needs([][2]string{{dl, "Mbit/s a pair"}, {dl, "% lost"}}, func(v []float64) paper.Finding {
				return paper.Decide(paper.Near(v[0], 412.4) && paper.Near(v[1], 49.5), fmt.Sprintf("%.1f Mbit/s, %.1f %%", v[0], v[1]))
			})},
		{Name: "vlan/cycle-costs-bandwidth", Statement: "Without flow control the cycle of dependencies is what costs bandwidth", Published: "half",
			Reason: "The same cycle at half the rate loses nothing, and as many paths on each link without a cycle lose as much: the full links cost",
			Judge: paper.Needs([][2]string{{"DL at half the rate / without FC", "% lost"}, {"no cycle, two pairs on each link / without FC", "% lost"}},
				func(v []float64) paper.Finding {
					return paper.Decide(v[0] > 5 && v[1] < 5, fmt.Sprintf("cycle alone %.1f %% lost, full links alone %.1f %%", v[0], v[1]))
				})},
		{Name: "vlan/cyclic-freezes", Statement: "With a cycle and flow control the network freezes until switches are reset", Published: "no end",
			Judge: func(r *paper.Result) paper.Finding {
				x := r.Row("DL / with FC", "Mbit/s a pair")
				if x == nil {
					return paper.Lacking()
				}
				return paper.Decide(x.Text != "", x.Text)
			}},
	}
}

func theoremClaims() []paper.Claim {
	same := func(quantity, word string) func(*paper.Result) paper.Finding {
		return func(r *paper.Result) paper.Finding {
			all, has := 0.0, 0.0
			for _, x := range r.Rows {
				switch x.Quantity {
				case "meshes":
					all += x.Ours
				case quantity:
					has += x.Ours
				}
			}
			return paper.Decide(all > 0 && all == has, fmt.Sprintf("%s on %g of %g meshes", word, has, all))
		}
	}
	return []paper.Claim{
		{Name: "vlan/dimension-order-paths", Statement: "The set gives every pair its shortest path in dimension order",
			Judge: same("with all pairs on dimension order", "true")},
		{Name: "vlan/number-of-vlans", Statement: "The set has N^(M-1) VLANs", Judge: same("with N^(M-1) VLANs", "true")},
		{Name: "vlan/number-in-abstract", Section: "abstract, section 1, section 4",
			Statement: "On a k-ary n-cube the routing can be realised with n^(k-1) VLANs", Published: "n^(k-1)",
			Reason: "Definition 4 has k^(n-1); both agree for n = 1 and for n = k. Neither is a minimum: 2x2x2 needs 4, where n^(k-1) is 3, and " +
				"2x2x2x2 no more than 6, where k^(n-1) is 8 (turnproof vlan)",
			Judge: same(withSwapped, "true")},
		{Name: "vlan/number-of-lines", Section: "definition 3", Statement: "A VLAN has (N^M - 1)/(N - 1) straight lines",
			Judge: same("with (N^M-1)/(N-1) lines a VLAN", "true")},
		{Name: "vlan/deadlock-free", Section: "section 3", Statement: "The set is deadlock-free", Judge: same("free of deadlock", "proved")},
	}
}
