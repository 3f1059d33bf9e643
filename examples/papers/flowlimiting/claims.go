package flowlimiting

import (
	"fmt"
	"math"
	"strings"

	"github.com/turnproof/turnproof/engine/congestion"
	"github.com/turnproof/turnproof/examples/papers/paper"
)

// This file has the claims of the paper.

func baseClaims() []paper.Claim {
	return []paper.Claim{
		{Name: "flow-limiting/base-times", Section: "section 4.1.4", Statement: "One-to-one collectives take some hundreds to about 2,500 clocks at most",
			Published: "at most about 2,500",
			LeftOpen: "The number of VCs decides, which the paper does not give; ours are 2 for dimension order. With 4 VCs and room for a flit " +
				"all patterns come near the bound (--readings all)",
			Judge: func(r *paper.Result) paper.Finding {
				most, where := 0.0, ""
				for _, x := range r.DefaultRows() {
					if x.Item != congestion.AllToAll && x.Ours > most {
						most, where = x.Ours, x.Item+" "+x.Quantity
					}
				}
				return paper.Decide(most < 2500 || paper.Near(most, 2500), fmt.Sprintf("at most %.0f (%s)", most, where))
			}},
		{Name: "flow-limiting/all-to-all-time", Section: "section 4.1.4", Statement: "All-to-all can take about 50 times as long as other patterns",
			Published: "about 50 times", Judge: judgeAllToAll,
			LeftOpen: "The number of VCs decides the times of the other patterns, too"},
	}
}

// judgeAllToAll compares all-to-all with each other pattern under each routing. Some ratio must be about 50.
func judgeAllToAll(r *paper.Result) paper.Finding {
	least, most, near := math.Inf(1), 0.0, 0
	for _, x := range r.DefaultRows() {
		all := r.Row(congestion.AllToAll, x.Quantity)
		if x.Item == congestion.AllToAll || all == nil {
			continue
		}
		ratio := all.Ours / x.Ours
		if least, most = min(least, ratio), max(most, ratio); paper.Near(ratio, 50) {
			near++
		}
	}
	if most == 0 {
		return paper.Lacking()
	}
	return paper.Decide(near > 0, fmt.Sprintf("%.0f to %.0f times, %d cases near 50", least, most, near))
}

// gain returns the best gating of a pattern and routing, relative to the base.
func gain(r *paper.Result, item string, groups ...string) (float64, bool) {
	base, least := r.Row(item, "BA"), math.Inf(1)
	for _, g := range groups {
		if x := r.Row(item, g); x != nil {
			least = min(least, x.Ours)
		}
	}
	if base == nil || math.IsInf(least, 1) {
		return 0, false
	}
	return least / base.Ours, true
}

// little reports whether a ratio is a gain of at most 10 %.
func little(ratio float64) bool { return ratio > 1 || paper.Near(ratio, 1) }

var gates = []string{"GT(0)", "GT(4)", "GT(8)"}

var anyLimit = append([]string{"TE"}, gates...)

// ratioClaim judges the best of some groups for an item, relative to the base.
func ratioClaim(item string, holds func(float64) bool, groups ...string) func(*paper.Result) paper.Finding {
	return func(r *paper.Result) paper.Finding {
		x, ok := gain(r, item, groups...)
		if !ok {
			return paper.Lacking()
		}
		return paper.Decide(holds(x), fmt.Sprintf("%.2f of the base", x))
	}
}

func bestClaims() []paper.Claim {
	return []paper.Claim{
		{Name: "flow-limiting/torn-halves", Statement: "Flow limiting nearly halves the clocks of tornado under dimension order", Published: "nearly half",
			LeftOpen: "The best is throttling. With room for a flit gating has 0.69, and bit rotation is nearest to a half; a closed gate that stops " +
				"each flit, as the " +
				"paper says, freezes",
			Judge: ratioClaim("torn do", func(x float64) bool { return x < 0.5 || paper.Near(x, 0.5) }, anyLimit...)},
		{Name: "flow-limiting/trns-gains-little", Statement: "Transpose gains little under dimension order", Published: "not much",
			Judge: ratioClaim("trns do", little, anyLimit...)},
		{Name: "flow-limiting/do-gains", Statement: "Flow limiting improves dimension order in some patterns, by an amount that depends on the pattern",
			Judge: judgeAmounts},
		{Name: "flow-limiting/adaptive-gains", Statement: "Flow limiting is effective for adaptive routing, too", Judge: judgeAdaptive},
		{Name: "flow-limiting/level-helps", Statement: "In most cases a larger occupancy level makes collectives shorter", Published: "many cases",
			Judge: judgeLevels},
		{Name: "flow-limiting/gating-beats-throttling", Section: "section 5", Statement: "Gating improves more than throttling",
			Judge: judgeMeans},
	}
}

// judgeAmounts says whether dimension order gains, and by an amount that differs between patterns.
func judgeAmounts(r *paper.Result) paper.Finding {
	least, most, where := 1.0, 0.0, ""
	for _, p := range congestion.PatternNames(congestion.AllToAll) {
		x, ok := gain(r, p+" do", anyLimit...)
		if !ok {
			return paper.Lacking()
		}
		if most = max(most, x); x < least {
			least, where = x, p
		}
	}
	return paper.Decide(!paper.Near(least, 1) && !paper.Near(least, most), fmt.Sprintf("%.2f (%s) to %.2f of the base", least, where, most))
}

// judgeAdaptive counts the patterns and adaptive routings that gain.
func judgeAdaptive(r *paper.Result) paper.Finding {
	better, all := 0, 0
	for _, p := range congestion.PatternNames(congestion.AllToAll) {
		for _, a := range algorithmNames()[1:] {
			if x, ok := gain(r, p+" "+a, anyLimit...); ok {
				if all++; x < 1-paper.Noise {
					better++
				}
			}
		}
	}
	if all == 0 {
		return paper.Lacking()
	}
	return paper.Decide(2*better > all, fmt.Sprintf("%d of %d cases gain", better, all))
}

// judgeLevels counts the cases in which each larger level of occupancy is no worse, and the largest better than the smallest.
func judgeLevels(r *paper.Result) paper.Finding {
	better, soon, all := 0, 0, 0
	for _, x := range r.DefaultRows() {
		if x.Quantity != "GT(8)" {
			continue
		}
		low, middle := r.Row(x.Item, "GT(0)"), r.Row(x.Item, "GT(4)")
		if low == nil || middle == nil {
			continue
		}
		const less, same = 1 - paper.Noise, 1 + paper.Noise
		if all++; x.Ours < less*low.Ours && x.Ours <= same*middle.Ours && middle.Ours <= same*low.Ours {
			better++
		}
		if middle.Ours < less*low.Ours {
			soon++
		}
	}
	if all == 0 {
		return paper.Lacking()
	}
	return paper.Decide(2*better > all, fmt.Sprintf("%d of %d cases; from level 0 to 4 alone %d", better, all, soon))
}

// judgeMeans compares the geometric means of gating and of throttling, relative to the base.
func judgeMeans(r *paper.Result) paper.Finding {
	logs, n := [2]float64{}, 0.0
	for _, x := range r.DefaultRows() {
		if x.Quantity != "BA" {
			continue
		}
		g, ok := gain(r, x.Item, gates...)
		t, also := gain(r, x.Item, "TE")
		if ok && also {
			logs[0], logs[1], n = logs[0]+math.Log(g), logs[1]+math.Log(t), n+1
		}
	}
	if n == 0 {
		return paper.Lacking()
	}
	g, t := math.Exp(logs[0]/n), math.Exp(logs[1]/n)
	return paper.Decide(g < t*(1-paper.Noise), fmt.Sprintf("mean %.3f of the base by gating, %.3f by throttling", g, t))
}

func bestOfAllClaims() []paper.Claim {
	return []paper.Claim{{Name: "flow-limiting/no-single-winner", Statement: "Which routing is best depends on the pattern",
		Judge: func(r *paper.Result) paper.Finding {
			winners := map[string]string{}
			for _, x := range r.DefaultRows() {
				if w := r.Row(x.Item, winners[x.Item]); w == nil || x.Ours < w.Ours {
					winners[x.Item] = x.Quantity
				}
			}
			count := map[string]int{}
			for _, w := range winners {
				count[w]++
			}
			var words []string
			for _, a := range algorithmNames() {
				if count[a] > 0 {
					words = append(words, fmt.Sprintf("%s %d", a, count[a]))
				}
			}
			return paper.Decide(len(count) > 1, "patterns in which each is best: "+strings.Join(words, ", "))
		}}}
}

func controlClaims() []paper.Claim {
	mean := func(r *paper.Result, quantity string) (least, most float64, ok bool) {
		least, most = math.Inf(1), math.Inf(-1)
		for _, a := range algorithmNames() {
			if x := r.Row(a, quantity); x != nil {
				least, most, ok = min(least, x.Ours), max(most, x.Ours), true
			}
		}
		return least, most, ok
	}
	return []paper.Claim{
		{Name: "flow-limiting/dedicated-better", Statement: "A dedicated control network tends to be better", Judge: func(r *paper.Result) paper.Finding {
			least, most, ok := mean(r, "virtual / dedicated, mean")
			if !ok {
				return paper.Lacking()
			}
			return paper.Decide(least > 1-paper.Noise && most > 1+paper.Noise,
				fmt.Sprintf("virtual channels take %.3f to %.3f of its clocks in the mean", least, most))
		}},
		{Name: "flow-limiting/virtual-suffice", Statement: "Virtual control channels give nearly the same performance, with few exceptions",
			Published: "near y = x", Judge: func(r *paper.Result) paper.Finding {
				least, most, ok := mean(r, withinTenth)
				if !ok {
					return paper.Lacking()
				}
				return paper.Decide(least >= 90, fmt.Sprintf("%.0f to %.0f %% of the points within 10 %%", least, most))
			}},
	}
}

func courseClaims() []paper.Claim {
	return []paper.Claim{
		{Name: "flow-limiting/trns-gate-no-effect", Statement: "In transpose, gating and the base are exactly equal (figure 8a)", Published: "equal",
			Judge: paper.Needs([][2]string{{"trns BA", "clocks"}, {"trns GT", "clocks"}}, func(v []float64) paper.Finding {
				return paper.Decide(v[0] == v[1], fmt.Sprintf("%.0f and %.0f clocks", v[0], v[1]))
			})},
		{Name: "flow-limiting/throttling-oscillates", Statement: "In shuffle under throttling, packets sent vary far more than packets received (figure 8b)",
			Published: "sent extreme, received smooth",
			Judge: paper.Needs([][2]string{{"shfl TE", "sent, deviation / mean"}, {"shfl TE", "received, deviation / mean"},
				{"shfl BA", "sent, deviation / mean"}, {"shfl BA", "received, deviation / mean"}},
				func(v []float64) paper.Finding {
					return paper.Decide(v[0] > paper.Far*v[1] && v[0] > v[2], fmt.Sprintf("deviation / mean %.2f sent, %.2f received; base %.2f, %.2f",
						v[0], v[1], v[2], v[3]))
				}), Reason: "With rule (4) as printed a full network is released, so that hosts are held back only in a part of the time"},
		{Name: "flow-limiting/all-to-all-oscillates", Statement: "In all-to-all under throttling, packets sent and received oscillate (figure 8c)",
			Judge: paper.Needs([][2]string{{"atoa BA", "sent, deviation / mean"}, {"atoa TE", "sent, deviation / mean"}, {"atoa BA",
				"received, deviation / mean"}, {"atoa TE", "received, deviation / mean"}}, func(v []float64) paper.Finding {
				return paper.Decide(v[1] > paper.Far*v[0] && v[3] > paper.Far*v[2], fmt.Sprintf("deviation / mean %.2f sent, %.2f received; base %.2f, %.2f",
					v[1], v[3], v[0], v[2]))
			}), Reason: "With rule (4) as printed a full network is released, and throttling acts less"},
	}
}

func allToAllClaims() []paper.Claim {
	return []paper.Claim{{Name: "flow-limiting/all-to-all-gains-little", Statement: "All-to-all gains little under dimension order", Published: "not much",
		LeftOpen: "At level 8 the best gates gain 15 %; throttling and the other levels gain less than 1 %",
		Judge:    ratioClaim(congestion.AllToAll, little, anyLimit...)}}
}

func rampClaims() []paper.Claim {
	worst := func(r *paper.Result, kind string) (least float64, where string) {
		least = math.Inf(1)
		for _, x := range r.DefaultRows() {
			base := r.Row(strings.TrimSuffix(x.Item, kind)+"BA", "critical load, least")
			if x.Quantity == "critical load, least" && strings.HasSuffix(x.Item, " "+kind) && base != nil && x.Ours/base.Ours < least {
				least, where = x.Ours/base.Ours, strings.TrimSuffix(x.Item, " "+kind)
			}
		}
		return least, where
	}
	return []paper.Claim{
		{Name: "flow-limiting/bad-cases-throttle", Statement: "The cases with a strikingly bad critical load are throttling", Published: "nearly all",
			Judge: func(r *paper.Result) paper.Finding {
				t, where := worst(r, "TE")
				g, _ := worst(r, "GT")
				if math.IsInf(t, 1) || math.IsInf(g, 1) {
					return paper.Lacking()
				}
				return paper.Decide(t < 1/paper.Far && g > paper.Far*t, fmt.Sprintf("down to %.2f of the base by throttling (%s), %.2f by gating", t, where, g))
			}},
		{Name: "flow-limiting/steady-order-differs", Statement: "The order of gains under steady traffic is not always that of collectives (figure 5)",
			Judge: paper.Needs([][2]string{{"do", sameOrder}, {"dp", sameOrder}}, func(v []float64) paper.Finding {
				return paper.Decide(!paper.Near(v[0], 100) && !paper.Near(v[1], 100),
					fmt.Sprintf("%.0f and %.0f %% of the pairs of methods are in the same order", v[0], v[1]))
			})},
		{Name: "flow-limiting/steady-gain", Statement: "Some points of gating have a higher critical load than the base",
			Judge: func(r *paper.Result) paper.Finding {
				better, all := 0, 0
				for _, x := range r.DefaultRows() {
					base := r.Row(strings.TrimSuffix(x.Item, "GT")+"BA", "critical load, best")
					if x.Quantity == "critical load, best" && strings.HasSuffix(x.Item, " GT") && base != nil {
						if all++; x.Ours > base.Ours*(1+paper.Noise) {
							better++
						}
					}
				}
				if all == 0 {
					return paper.Lacking()
				}
				return paper.Decide(better > 0, fmt.Sprintf("in %d of %d pairs of routing and pattern", better, all))
			}},
	}
}

// deadlockClaims are those of section 4.4. The reading of heads with bits of any VC fits all of them.
func deadlockClaims() []paper.Claim {
	need := func(want float64, word string, keys ...[2]string) func(*paper.Result) paper.Finding {
		return paper.Needs(keys, func(v []float64) paper.Finding {
			as := 0
			for _, x := range v {
				if x == want {
					as++
				}
			}
			return paper.Decide(as == len(v), fmt.Sprintf("%s %d of %d", word, as, len(v)))
		})
	}
	const duato, simple, do = "duato", "simple-adaptive", "dor"
	return []paper.Claim{
		{Name: "flow-limiting/turn-gating-deadlocks", Statement: "Adaptive routing with gated turns, or gated turns and injection, can deadlock",
			Judge: need(refuted, "deadlock in", [2]string{duato, "turn"}, [2]string{duato, "both"}, [2]string{simple, "turn"}, [2]string{simple, "both"})},
		{Name: "flow-limiting/injection-gating-safe", Statement: "Adaptive routing with gated injection does not deadlock",
			Judge: need(proved, "proved in", [2]string{duato, "injection"}, [2]string{simple, "injection"})},
		{Name: "flow-limiting/dimension-order-safe", Statement: "Dimension order does not deadlock under gates",
			Judge: need(proved, "proved in", [2]string{do, "turn"}, [2]string{do, "injection"}, [2]string{do, "both"})},
	}
}
