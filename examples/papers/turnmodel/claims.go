package turnmodel

import (
	"fmt"
	"math"
	"strings"

	"github.com/turnproof/turnproof/examples/papers/paper"
)

// This file has the claims on tables 2 and 3.

// best returns the larger value of a column for two methods.
func best(r *paper.Result, quantity string, methods ...string) (v float64) {
	for _, m := range methods {
		if x := r.Row(m, quantity); x != nil {
			v = max(v, x.Ours)
		}
	}
	return v
}

// gainClaim completes a claim on the gains of methods on up*/down*: each must agree with the published one, in per cent.
func gainClaim(c paper.Claim, quantity string, published float64, methods ...string) paper.Claim {
	c.Judge = judgeGain(quantity, func(gain float64) bool { return paper.NearGain(gain, published) }, methods...)
	return c
}

// judgeGain judges the gains of methods on up*/down*, in per cent: each must hold.
func judgeGain(quantity string, holds func(gain float64) bool, methods ...string) func(*paper.Result) paper.Finding {
	return func(r *paper.Result) paper.Finding {
		base, text, ok := best(r, quantity, "updown"), []string{}, true
		for _, m := range methods {
			v := best(r, quantity, m)
			if base == 0 || v == 0 {
				return paper.Lacking()
			}
			gain := 100 * (v/base - 1)
			ok = ok && holds(gain)
			text = append(text, fmt.Sprintf("%+.0f %% (%s)", gain, forms.Replace(m)))
		}
		return paper.Decide(ok, strings.Join(text, ", "))
	}
}

// forms makes a Greek letter of the name of a form.
var forms = strings.NewReplacer("lturn-", "", "rturn-", "", "alpha", "α", "beta", "β")

// The two forms of L-turn and R-turn.
var (
	bothL = []string{"lturn-alpha", "lturn-beta"}
	bothR = []string{"rturn-alpha", "rturn-beta"}
)

func atLeast(least float64) func(float64) bool {
	return func(gain float64) bool { return gain >= least }
}

// below judges whether both forms of R-turn have less throughput than both forms of L-turn. It shows the ratio of the better R-turn to
// the worse L-turn.
func below(r *paper.Result) paper.Finding {
	text, ok := "", true
	for _, q := range columns[3:] {
		l, m := min(best(r, q, bothL[0]), best(r, q, bothL[1])), best(r, q, bothR...)
		if l == 0 || m == 0 {
			return paper.Lacking()
		}
		ok = ok && m < l
		text += fmt.Sprintf(", %.2f times (%s)", m/l, q)
	}
	return paper.Decide(ok, text[2:])
}

// countsClaim judges whether all counts of prohibited turns agree with the published ones. agree gets the decimals that are printed.
func countsClaim(agree func(ours, published float64, decimals int) bool) func(*paper.Result) paper.Finding {
	return func(r *paper.Result) paper.Finding {
		n, worst, ok := 0, 0.0, true
		for _, x := range r.DefaultRows() {
			decimals, counts := map[string]int{"PT": 3, "SDPT": 3, "PPT": 0}[x.Quantity]
			if counts && x.Ratio != nil {
				d := math.Abs(*x.Ratio - 1)
				n, worst = n+1, max(worst, d)
				ok = ok && agree(x.Ours, *x.Published, decimals)
			}
		}
		if n < 15 {
			return paper.Lacking()
		}
		return paper.Decide(ok, fmt.Sprintf("off by %.2g %% at most", 100*worst))
	}
}

// near is paper.Near for numbers of any decimals.
func near(ours, published float64, _ int) bool { return paper.Near(ours, published) }

// reversalClaim judges whether all throughputs under bit reversal agree with the published ones.
func reversalClaim(r *paper.Result) paper.Finding {
	n, worst, ok := 0, 0.0, true
	for _, m := range turnMethods {
		if x := r.Row(m, "bit reversal"); x != nil && x.Ratio != nil {
			n, worst, ok = n+1, max(worst, math.Abs(*x.Ratio-1)), ok && paper.Near(x.Ours, *x.Published)
		}
	}
	if n < len(turnMethods) {
		return paper.Lacking()
	}
	return paper.Decide(ok, fmt.Sprintf("off by %.2g %% at most", 100*worst))
}

// all judges a relation of a column between each L-turn and R-turn and up*/down*.
func all(quantity, word string, holds func(v, updown float64) bool) func(*paper.Result) paper.Finding {
	return func(r *paper.Result) paper.Finding {
		base := r.Row("updown", quantity)
		n := 0
		for _, m := range turnMethods[1:] {
			x := r.Row(m, quantity)
			if x == nil || base == nil {
				return paper.Lacking()
			}
			if holds(x.Ours, base.Ours) {
				n++
			}
		}
		return paper.Decide(n == 4, fmt.Sprintf("%s for %d of 4", word, n))
	}
}

func less(v, updown float64) bool { return v < updown }

// addresses is what the paper leaves open of bit reversal.
const addresses = "Whether the bits are those of switches or hosts is not said"

// noTree is what the paper leaves open of table 3.
const noTree = "The paper does not give the tree"

const treeReason = "It depends on the tree and the network, which the paper does not give"

func table2Claims() []paper.Claim {
	return []paper.Claim{
		{Name: "turn-model/table-2-counts", Statement: "The counts of prohibited turns are those of table 2, up to random networks",
			Judge: countsClaim(near), Reason: treeReason},
		{Name: "turn-model/fewer-turns", Statement: "L-turn and R-turn prohibit fewer turns than up*/down*", Judge: all("PT", "fewer", less)},
		{Name: "turn-model/more-even", Statement: "Their prohibited turns are spread more evenly over the switches (SDPT)", Judge: all("SDPT",
			"smaller", less)},
		{Name: "turn-model/fifth-of-pairs", Statement: "They prohibit about 20 % of the pairs that up*/down* prohibits (PPT)", Published: "about 20 %",
			Judge: all("PPT", "18 to 22 %", func(v, updown float64) bool { return paper.Near(v/updown, 0.2) })},
		gainClaim(paper.Claim{Name: "turn-model/uniform-gain", Statement: "Both L-turns gain on up*/down* under uniform traffic",
			Published: "about +28 %", Reason: treeReason}, "uniform", 28, bothL...),
		gainClaim(paper.Claim{Name: "turn-model/reversal-gain", Statement: "Both L-turns gain on up*/down* under bit reversal",
			Published: "about +49 %", LeftOpen: addresses}, "bit reversal", 49, bothL...),
		gainClaim(paper.Claim{Name: "turn-model/rturn-as-updown", Statement: "Both R-turns have about the throughput of up*/down* under uniform traffic",
			Published: "+4 %", Reason: treeReason}, "uniform", 4, bothR...),
		{Name: "turn-model/rturn-below-lturn", Statement: "R-turn has less throughput than L-turn", Judge: below, Reason: treeReason},
	}
}

// fittedTree says what readings (a) and (b) of table 3 are fitted to.
const fittedTree = "Our tree was fitted to these counts"

func table3Claims() []paper.Claim {
	return []paper.Claim{
		{Name: "turn-model/table-3-counts", Statement: "The counts of prohibited turns are those of table 3",
			Fitted:   fittedTree,
			Judge:    countsClaim(paper.AsPrinted),
			Evidence: paper.Check,
			LeftOpen: noTree},
		{Name: "turn-model/table-3-reversal", Statement: "The throughputs under bit reversal are those of table 3", Published: "5 values",
			Judge: reversalClaim, LeftOpen: addresses},
		{Name: "turn-model/torus-more-turns", Statement: "On the torus L-turn and R-turn prohibit more turns than up*/down*",
			Evidence: paper.Check, Judge: all("PT", "more", func(v, updown float64) bool { return v > updown }), Fitted: fittedTree, LeftOpen: noTree},
		{Name: "turn-model/torus-more-even", Statement: "On the torus they prohibit turns more evenly, with fewer pairs", Evidence: paper.Check,
			Judge: func(r *paper.Result) paper.Finding {
				a, b := all("SDPT", "SDPT less", less)(r), all("PPT", "PPT less", less)(r)
				return paper.Both(a, b, a.Ours+", "+b.Ours)
			}},
		gainClaim(paper.Claim{Name: "turn-model/torus-uniform-gain", Statement: "On the torus L-turn/α gains on up*/down* under uniform traffic",
			Published: "about +70 %", Reason: treeReason}, "uniform", 70, "lturn-alpha"),
		gainClaim(paper.Claim{Name: "turn-model/torus-reversal-gain", Section: "section 5.4, section 6",
			Statement: "On the torus L-turn/α gains on up*/down* under bit reversal, its largest gain",
			Published: "about +96 %", LeftOpen: addresses},
			"bit reversal", 96, "lturn-alpha"),
		gainClaim(paper.Claim{Name: "turn-model/torus-rturn-gain", Statement: "On the torus both R-turns gain on up*/down* under bit reversal",
			Published: "about +24 %", Reason: treeReason}, "bit reversal", 24, bothR...),
		{Name: "turn-model/torus-rturn-below-lturn", Statement: "On the torus R-turn has less throughput than L-turn", Judge: below, Reason: treeReason},
		{Name: "turn-model/torus-highest", Section: "section 6", Statement: "L-turn has more throughput than up*/down* on the torus under both patterns",
			Judge: func(r *paper.Result) paper.Finding {
				a, b := judgeGain("uniform", atLeast(0), bothL...)(r), judgeGain("bit reversal", atLeast(0), bothL...)(r)
				return paper.Both(a, b, "both forms")
			}},
	}
}
