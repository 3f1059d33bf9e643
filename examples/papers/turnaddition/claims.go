package turnaddition

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/turnproof/turnproof/examples/papers/paper"
)

// This file has the claims on the figures and tables of throughput.

var nan = math.NaN()

// list shows values.
func list(v []float64) string {
	var parts []string
	for _, x := range v {
		parts = append(parts, fmt.Sprintf("%.3g", x))
	}
	return strings.Join(parts, ", ")
}

// table1Claims are the entries of table 1. Inside the trees counts before between them, as section 3.2.2 says.
func table1Claims() []paper.Claim {
	var claims []paper.Claim
	at := map[string]string{"top": "at the top", "middle": "in the middle", "bottom": "at the bottom"}
	for _, place := range places {
		for _, m := range methods[:2] {
			says := map[string]string{"×": "bad inside the trees", "△": "good inside and bad between the trees", "○": "good"}[published1[place][m.name]]
			if place == "top" {
				says += ", also with failed links"
			}
			if place == "top" && m.name == updown {
				says = "bad inside the trees once links fail"
			}
			evidence := paper.Check
			if place == "top" { // links that fail at random
				evidence = paper.Sample
			}
			claims = append(claims, paper.Claim{Name: "turn-addition/" + place + "-" + m.name, Published: published1[place][m.name],
				Evidence:  evidence,
				Statement: fmt.Sprintf("Joined %s, %s is %s", at[place], map[string]string{updown: "up*/down*", "tp": "TP"}[m.name], says),
				LeftOpen:  map[string]string{"top": "The paper does not say how many links fail"}[place],
				Judge:     judgeGrade(place, m.name)})
		}
	}
	return append(claims, paper.Claim{Name: "turn-addition/practicality",
		Statement: "Only joints in the middle are practical", Published: "×, ○, ×",
		LeftOpen: "We do not compute ports, cables and repairs",
		Judge:    func(*paper.Result) paper.Finding { return paper.Finding{Verdict: paper.Open} }})
}

// published1 has the grades of table 1.
var published1 = map[string]map[string]string{"top": {updown: "×", "tp": "○"}, "middle": {updown: "×", "tp": "△"}, "bottom": {updown: "△", "tp": "△"}}

// judgeGrade compares the grade of a method with that of table 1. At the top it has a grade for each number of failed links; if they
// differ, the claim is open.
func judgeGrade(place, method string) func(*paper.Result) paper.Finding {
	return func(r *paper.Result) paper.Finding {
		in, out := r.Row(place, method+" inside"), r.Row(place, method+" between")
		if in == nil || out == nil {
			return paper.Lacking()
		}
		if place != "top" {
			x := r.Row(place, "grade of "+method)
			return paper.Decide(x.Text == published1[place][method], fmt.Sprintf("%s %.3g, %.3g", x.Text, in.Ours, out.Ours))
		}
		same, text := 0, fmt.Sprintf("%.3g, with 1 and 4 of 16 links failed", in.Ours)
		for _, failures := range failedLinks {
			x, in := r.Row(failedItem(failures), "grade of "+method), r.Row(failedItem(failures), method+" inside")
			if x == nil || in == nil {
				return paper.Lacking()
			}
			if x.Text == published1[place][method] {
				same++
			}
			text += fmt.Sprintf(" %s %.3g,", x.Text, in.Ours)
		}
		f := paper.Decide(same == len(failedLinks), strings.TrimSuffix(text, ","))
		if 0 < same && same < len(failedLinks) {
			f.Verdict = paper.Open
		}
		return f
	}
}

// failedLinks are the numbers of failed links of table 1.
var failedLinks = []int{1, 4}

func failedItem(failures int) string { return fmt.Sprintf("top, %d of 16 links failed", failures) }

// gradeRows adds the grades of a reading: bad if the trees lose throughput inside, also compared with the best method if links at the top
// have failed; fair if only traffic between them is slow.
func gradeRows(r *paper.Result, reading string) {
	add := func(item, whole string, full float64) {
		for _, m := range methods[:2] {
			grade, number := "○", 2.0
			switch {
			case r.RowBy(reading, item, m.name+" inside").Ours < paper.High*full:
				grade, number = "×", 0
			case r.RowBy(reading, whole, m.name+" between").Ours < paper.High:
				grade, number = "△", 1
			}
			r.AddText(item, "grade of "+m.name, reading, grade, number)
		}
	}
	for _, place := range places {
		if place != "top" {
			add(place, place, 1)
		}
	}
	for _, failures := range failedLinks {
		best := 0.0
		for _, m := range methods {
			best = max(best, r.RowBy(reading, failedItem(failures), m.name+" inside").Ours)
		}
		add(failedItem(failures), "top", best)
	}
}

func randomClaims() []paper.Claim {
	ratio := func(size int, a, b string) [2][2]string {
		item := fmt.Sprintf("%d switches", size)
		return [2][2]string{{item, a}, {item, b}}
	}
	at := ratio(100, "turn-addition", "updown")
	tp := ratio(100, "turn-addition", "tp")
	return []paper.Claim{
		{Name: "turn-addition/gain-at-100", Statement: "At 100 switches turn addition has about 2.08 times the throughput of up*/down*",
			Published: "2.08 times", Judge: paper.Needs(at[:], func(v []float64) paper.Finding {
				return paper.Decide(paper.Near(v[0]/v[1], 2.08), fmt.Sprintf("%.2f times", v[0]/v[1]))
			}), LeftOpen: "How paths are chosen is not said: greedy ones give 2.18 times, balanced ones up to 2.93"},
		{Name: "turn-addition/gain-at-most", Section: "abstract, section 7", Statement: "The gain is at most 2.05 times",
			Reason: "A mean is not above the maximum",
			Judge: func(*paper.Result) paper.Finding {
				return paper.Decide(false, "a mean of 2.08 (§5.2)")
			}},
		{Name: "turn-addition/gain-grows", Statement: "From 20 switches on turn addition is above up*/down*, the more the larger the network",
			Judge: paper.Needs([][2]string{{"20 switches", "turn-addition"}, {"20 switches", "updown"}, {"50 switches", "turn-addition"},
				{"50 switches", "updown"},
				at[0], at[1]}, func(v []float64) paper.Finding {
				a, b, c := v[0]/v[1], v[2]/v[3], v[4]/v[5]
				return paper.Decide(a > 1+paper.Noise && b > a && c > b, fmt.Sprintf("%.2f, %.2f, %.2f times at 20, 50, 100 switches", a, b, c))
			})},
		{Name: "turn-addition/as-tp", Statement: "Turn addition has about the throughput of TP", Published: "about equal",
			Judge: paper.Needs(tp[:], func(v []float64) paper.Finding {
				return paper.Decide(paper.Near(v[0], v[1]), fmt.Sprintf("%.2f times at 100 switches", v[0]/v[1]))
			}), Reason: "Turn addition is clearly above TP here"},
	}
}

func placeClaims() []paper.Claim {
	in := func(place string, methods ...string) (keys [][2]string) {
		for _, m := range methods {
			keys = append(keys, [2]string{place, m})
		}
		return keys
	}
	full := func(v []float64) bool {
		return paper.Near(slices.Min(v), 1)
	}
	claim := func(name, statement, published, open string, keys [][2]string, ok func(v []float64) bool) paper.Claim {
		return paper.Claim{Name: "turn-addition/" + name, Statement: statement, Published: published, LeftOpen: open,
			Judge: paper.Needs(keys, func(v []float64) paper.Finding { return paper.Decide(ok(v), list(v)) })}
	}
	inside := append(append(in("top", "tp inside", "turn-addition inside"), in("middle", "tp inside", "turn-addition inside")...),
		in("bottom", "tp inside", "turn-addition inside")...)
	return []paper.Claim{
		claim("full-inside", "Inside the trees TP and turn addition have full bandwidth, wherever the trees are joined", "", "", inside, full),
		claim("updown-inside", "Inside the trees up*/down* is worse if they are joined at the top or in the middle", "worse",
			"The paper does not give the number of links at the top",
			append(in("top", "updown inside"), in("middle", "updown inside")...), func(v []float64) bool {
				return !paper.Near(v[0],
					1) && !paper.Near(v[1], 1)
			}),
		claim("top-between", "Joined at the top, all methods have high throughput between the trees", "high", "",
			in("top", "updown between", "tp between", "turn-addition between"), full),
		claim("middle-between", "Joined in the middle, turn addition is high between the trees and above TP", "high", "",
			in("middle", "turn-addition between", "tp between"), func(v []float64) bool { return v[0] > paper.High && v[0] > v[1] }),
		claim("bottom-between", "Joined at the bottom, all methods are low between the trees, and turn addition is the highest", "low",
			"", in("bottom", "turn-addition between", "tp between", "updown between"), func(v []float64) bool {
				return v[0] < paper.High && v[0] > v[1] && v[0] > v[2]
			}),
	}
}

// falls reports whether each value is less than the one before, divided by a factor.
func falls(v []float64, factor float64) bool {
	for i := range v[1:] {
		if v[i+1] >= v[i]/factor {
			return false
		}
	}
	return true
}

// bySize judges quantities of figure 25, each as a list of values by size. It needs three sizes at least.
func bySize(decide func(v [][]float64) paper.Finding, quantities ...string) func(*paper.Result) paper.Finding {
	return func(r *paper.Result) paper.Finding {
		values := make([][]float64, len(quantities))
		for i, q := range quantities {
			for _, k := range treeSizes(false) {
				if x := r.Row(servers(k), q); x != nil {
					values[i] = append(values[i], x.Ours)
				}
			}
			if len(values[i]) < 3 {
				return paper.Lacking()
			}
		}
		return decide(values)
	}
}

// sizeClaims are the statements on figure 25.
func sizeClaims() []paper.Claim {
	four := func(quantity string, ok func(v []float64) bool) func(*paper.Result) paper.Finding {
		return bySize(func(v [][]float64) paper.Finding { return paper.Decide(ok(v[0]), list(v[0])) }, quantity)
	}
	full := func(v []float64) bool { return paper.Near(slices.Min(v), 1) }
	return []paper.Claim{
		{Name: "turn-addition/full-inside-by-size", Statement: "Turn addition has full bandwidth inside the trees at every size",
			Judge: four("turn-addition inside", full)},
		{Name: "turn-addition/tp-inside-by-size", Statement: "TP has full bandwidth inside the trees at every size",
			Reason: "The weight 1/100 of section 5.1 decides: with 1/10000 it is 1 (--readings all)",
			Judge:  four("tp inside", full)},
		{Name: "turn-addition/updown-inside-falls", Statement: "Inside the trees up*/down* falls steeply with the size", Published: "steeply",
			Judge: four("updown inside", func(v []float64) bool { return falls(v, paper.Far) })},
		{Name: "turn-addition/updown-prohibits-no-joint", Statement: "Between the trees up*/down* prohibits no turn",
			Judge: bySize(func(v [][]float64) paper.Finding {
				return paper.Decide(slices.Max(v[0]) == 0, fmt.Sprintf("%.3g %% at most", slices.Max(v[0])))
			}, "updown joining turns, %")},
		{Name: "turn-addition/updown-between", Statement: "Between the trees up*/down* has high throughput", Published: "high",
			Judge: four("updown between", func(v []float64) bool { return slices.Min(v) >= paper.High })},
		{Name: "turn-addition/tp-between-falls", Statement: "Between the trees TP falls with the size",
			Judge: four("tp between", func(v []float64) bool { return falls(v, 1) })},
		{Name: "turn-addition/dip-at-128", Statement: "Between the trees turn addition falls at 128 servers and rises at 1,024 and 8,192",
			Judge: four("turn-addition between", func(v []float64) bool {
				return v[1] < v[0] && v[2] > v[1] && (len(v) < 4 || v[3] > v[2])
			})},
		{Name: "turn-addition/always-above-tp", Statement: "Between the trees turn addition is above TP at every size",
			Judge: bySize(func(v [][]float64) paper.Finding {
				var ratios []float64
				for i := range v[0] {
					ratios = append(ratios, v[0][i]/v[1][i])
				}
				text := fmt.Sprintf("%.3g times at least", slices.Min(ratios))
				if len(ratios) < len(treeSizes(false)) {
					text += ", at three of four sizes"
				}
				return paper.Decide(slices.Min(ratios) > 1, text)
			}, "turn-addition between", "tp between")},
		{Name: "turn-addition/4.77-times", Statement: "Between trees of 8,192 servers turn addition has 4.77 times the throughput of TP",
			Published: "4.77 times",
			LeftOpen:  "Wires and paths decide",
			Judge: paper.Needs([][2]string{{servers(32), "turn-addition between"}, {servers(32), "tp between"}}, func(v []float64) paper.Finding {
				ratio := v[0] / v[1]
				return paper.Decide(paper.Near(ratio, 4.77), fmt.Sprintf("%.2f times", ratio))
			})},
	}
}

// growth returns the growth of a quantity of table 2 from size to size, or nil if a size is missing. If printed, it takes the values of
// the printed table instead of ours.
func growth(r *paper.Result, quantity string, printed bool) (ratios []float64) {
	var values []float64
	for _, k := range treeSizes(false) {
		x := r.Row(servers(k), quantity)
		if x == nil {
			return nil
		}
		v := x.Ours
		if printed {
			v = *x.Published
		}
		values = append(values, v)
	}
	for i := range values[1:] {
		ratios = append(ratios, values[i+1]/values[i])
	}
	return ratios
}

// asSaid reports whether ratios agree with those that the text gives with two decimals.
func asSaid(ratios, want []float64) bool {
	for i, w := range want {
		if !paper.AsPrinted(ratios[i], w, 2) {
			return false
		}
	}
	return true
}

// times shows ratios with two decimals, or none if they are whole.
func times(ratios []float64) string {
	var parts []string
	for _, x := range ratios {
		parts = append(parts, strings.TrimSuffix(fmt.Sprintf("%.2f", x), ".00"))
	}
	return strings.Join(parts, ", ")
}

func shareClaims() []paper.Claim {
	const q = "prohibited, %"
	sizes := []int{4, 8, 16, 32}
	var keys [][2]string
	for _, k := range sizes {
		keys = append(keys, [2]string{servers(k), q})
	}
	return []paper.Claim{
		{Name: "turn-addition/shares", Statement: "The shares of prohibited turns at joining links are those of table 2",
			LeftOpen: "The order of equal turns decides, which is not given: " +
				"seven orders give 36 to 42 pairs at 128 servers",
			Judge: paper.Needs(keys, func(v []float64) paper.Finding {
				ok := true
				for i, want := range []float64{6.25, 15.23, 19.78, 23.43} {
					ok = ok && paper.AsPrinted(v[i], want, 2)
				}
				return paper.Decide(ok, fmt.Sprintf("%.2f, %.2f, %.2f, %.2f %%", v[0], v[1], v[2], v[3]))
			})},
		{Name: "turn-addition/growth", Statement: "The shares of table 2 grow from size to size as the text says",
			Published: "2.43, 1.30, 1.23 times", Reason: "23.43 / 19.78 is 1.18", Judge: func(r *paper.Result) paper.Finding {
				printed := growth(r, q, true)
				if printed == nil {
					return paper.Lacking()
				}
				return paper.Decide(asSaid(printed, []float64{2.43, 1.30, 1.23}),
					fmt.Sprintf("%s times by the printed shares", times(printed)))
			}},
		{Name: "turn-addition/fourfold", Statement: "Joining links and nodes both grow 4 times from size to size", Published: "4 times",
			Reason: "Only the links do", Judge: func(r *paper.Result) paper.Finding {
				links, nodes := growth(r, "joining links", false), growth(r, "nodes", false)
				if links == nil {
					return paper.Lacking()
				}
				four := []float64{4, 4, 4}
				return paper.Decide(asSaid(links, four) && asSaid(nodes, four), fmt.Sprintf("links %s, nodes %s", times(links), times(nodes)))
			}},
		{Name: "turn-addition/nodes", Statement: "Two trees of 8,192 servers have 8,192 nodes", Published: "8,192",
			Reason: "The other rows count both trees",
			Judge: paper.Needs([][2]string{{servers(32), "nodes"}}, func(v []float64) paper.Finding {
				return paper.Decide(v[0] == 8192, fmt.Sprintf("%.0f", v[0]))
			})},
	}
}
