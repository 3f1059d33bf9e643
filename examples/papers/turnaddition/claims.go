package turnaddition

import (
	"fmt"
	"math"
	"slices"

	"github.com/turnproof/turnproof/examples/papers/paper"
)

// This file has the claims on the figures and tables of throughput.

var nan = math.NaN()

func table1Claims() []paper.Claim {
	grade := func(name, statement, published, reason string, ok func(v []float64) bool, keys ...[2]string) paper.Claim {
		return paper.Claim{Name: "turn-addition/" + name, Statement: statement, Published: published, Reason: reason,
			Judge: paper.Needs(keys, func(v []float64) paper.Finding {
				text := ""
				for i, x := range v {
					if i > 0 {
						text += ", "
					}
					text += fmt.Sprintf("%.3g", x)
				}
				return paper.Decide(ok(v), text)
			})}
	}
	const failed = "top, 4 of 16 links failed"
	return []paper.Claim{
		grade("top-updown", "Joined at the top, up*/down* is good while all links are there, and far below TP with failed links", "×", "",
			func(v []float64) bool { return v[0] > 0.95 && v[1] > 0.95 && v[2] < 0.75*v[3] },
			[2]string{"top", "updown inside"}, [2]string{"top", "updown between"}, [2]string{failed, "updown inside"}, [2]string{failed, "tp inside"}),
		grade("top-tp", "Joined at the top, TP is good in both cases", "○", "",
			func(v []float64) bool { return v[0] > 0.95 && v[1] > 0.95 && v[2] > 0.4 },
			[2]string{"top", "tp inside"}, [2]string{"top", "tp between"}, [2]string{failed, "tp inside"}),
		grade("middle-updown", "Joined in the middle, up*/down* is bad inside the trees", "×", "",
			func(v []float64) bool { return v[0] < 0.5 }, [2]string{"middle", "updown inside"}),
		grade("middle-tp", "Joined in the middle, TP is good inside the trees and bad between them", "△", "",
			func(v []float64) bool { return v[0] > 0.95 && v[1] < 0.8 }, [2]string{"middle", "tp inside"}, [2]string{"middle", "tp between"}),
		grade("bottom-both", "Joined at the bottom, both are good inside the trees and bad between them", "△, △", "",
			func(v []float64) bool { return v[0] > 0.95 && v[1] > 0.95 && v[2] < 0.5 && v[3] < 0.5 }, [2]string{"bottom", "updown inside"},
			[2]string{"bottom", "tp inside"}, [2]string{"bottom", "updown between"}, [2]string{"bottom", "tp between"}),
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
			Published: "2.08 times (abstract: 2.05)", Band: "1.83 to 2.33 times", Judge: paper.Needs(at[:], func(v []float64) paper.Finding {
				return paper.Decide(math.Abs(v[0]/v[1]-2.08) < 0.25, fmt.Sprintf("%.2f times", v[0]/v[1]))
			}), LeftOpen: "How paths are chosen decides, which the paper does not say: greedy paths give 2.18 times, balanced ones up to 2.93"},
		{Name: "turn-addition/gain-grows", Statement: "From 20 switches on turn addition is above up*/down*, the more the larger the network",
			Judge: paper.Needs([][2]string{{"20 switches", "turn-addition"}, {"20 switches", "updown"}, {"50 switches", "turn-addition"},
				{"50 switches", "updown"},
				at[0], at[1]}, func(v []float64) paper.Finding {
				a, b, c := v[0]/v[1], v[2]/v[3], v[4]/v[5]
				return paper.Decide(a > 1 && b > a && c > b, fmt.Sprintf("%.2f, %.2f, %.2f times at 20, 50, 100 switches", a, b, c))
			})},
		{Name: "turn-addition/as-tp", Statement: "Turn addition has about the throughput of TP", Published: "about equal",
			Judge: paper.Needs(tp[:], func(v []float64) paper.Finding {
				return paper.Decide(math.Abs(v[0]/v[1]-1) < 0.12, fmt.Sprintf("%.2f times at 100 switches", v[0]/v[1]))
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
		for _, x := range v {
			if x < 0.95 {
				return false
			}
		}
		return true
	}
	list := func(v []float64) (text string) {
		for i, x := range v {
			if i > 0 {
				text += ", "
			}
			text += fmt.Sprintf("%.3g", x)
		}
		return text
	}
	claim := func(name, statement, published, reason string, keys [][2]string, ok func(v []float64) bool) paper.Claim {
		return paper.Claim{Name: "turn-addition/" + name, Statement: statement, Published: published, Reason: reason,
			Judge: paper.Needs(keys, func(v []float64) paper.Finding { return paper.Decide(ok(v), list(v)) })}
	}
	inside := append(append(in("top", "tp inside", "turn-addition inside"), in("middle", "tp inside", "turn-addition inside")...),
		in("bottom", "tp inside", "turn-addition inside")...)
	return []paper.Claim{
		claim("full-inside", "Inside the trees TP and turn addition have full bandwidth, wherever the trees are joined", "1", "", inside, full),
		claim("updown-inside", "Inside the trees up*/down* is worse if they are joined at the top or in the middle", "worse",
			"At the top only with failed or fewer joining links (--readings all); figure 8 prohibits nothing there either",
			append(in("top", "updown inside"), in("middle", "updown inside")...), func(v []float64) bool { return v[0] < 0.95 && v[1] < 0.95 }),
		claim("top-between", "Joined at the top, all methods have high throughput between the trees", "high", "",
			in("top", "updown between", "tp between", "turn-addition between"), full),
		claim("middle-between", "Joined in the middle, turn addition is high between the trees and above TP", "high", "",
			in("middle", "turn-addition between", "tp between"), func(v []float64) bool { return v[0] > 0.8 && v[0] > 1.2*v[1] }),
		claim("bottom-between", "Joined at the bottom, all methods are low between the trees, and turn addition is the highest", "low",
			"", in("bottom", "turn-addition between", "tp between", "updown between"), func(v []float64) bool {
				return v[0] < 0.8 && v[0] > v[1] &&
					v[0] > v[2]
			}),
	}
}

func sizeClaims() []paper.Claim {
	at := func(quantity string) [][2]string {
		return [][2]string{{servers(4), quantity}, {servers(8), quantity}, {servers(16), quantity}, {servers(32), quantity}}
	}
	both := append(at("turn-addition between"), at("tp between")...)
	return []paper.Claim{
		{Name: "turn-addition/full-inside-by-size", Statement: "Turn addition has full bandwidth inside the trees at every size", Published: "1",
			Judge: paper.Needs(at("turn-addition inside"), func(v []float64) paper.Finding {
				return paper.Decide(slices.Min(v) > 0.99, fmt.Sprintf("at least %.3f", slices.Min(v)))
			})},
		{Name: "turn-addition/tp-inside-by-size", Statement: "TP has full bandwidth inside the trees at every size", Published: "1",
			LeftOpen: "The weight of traffic between the trees decides, which the paper does not give: with 1/10000 it is 1 at 8,192 servers, too",
			Judge: paper.Needs(at("tp inside"), func(v []float64) paper.Finding {
				return paper.Decide(slices.Min(v) > 0.99, fmt.Sprintf("%.3g, %.3g, %.3g, %.3g", v[0], v[1], v[2], v[3]))
			})},
		{Name: "turn-addition/updown-inside-falls", Statement: "Inside the trees up*/down* falls steeply with the size", Published: "steeply",
			Judge: paper.Needs(at("updown inside"), func(v []float64) paper.Finding {
				return paper.Decide(v[3] < 0.5*v[0], fmt.Sprintf("%.3g, %.3g, %.3g, %.3g", v[0], v[1], v[2], v[3]))
			}), Reason: "With crossed wires it falls from the start (--readings all)"},
		{Name: "turn-addition/updown-between", Statement: "Between the trees up*/down* prohibits no turn, so that its throughput is high", Published: "high",
			LeftOpen: "How the joining links are wired decides, which the paper does not give: " +
				"with straight wires and few servers the root prohibits such turns",
			Judge: paper.Needs(at("updown between"), func(v []float64) paper.Finding {
				return paper.Decide(slices.Min(v) > 0.8, fmt.Sprintf("%.3g, %.3g, %.3g, %.3g", v[0], v[1], v[2], v[3]))
			})},
		{Name: "turn-addition/tp-between-falls", Statement: "Between the trees TP falls with the size",
			Judge: paper.Needs(at("tp between"), func(v []float64) paper.Finding {
				return paper.Decide(v[0] > v[1] && v[1] > v[2] && v[2] > v[3], fmt.Sprintf("%.3f, %.3f, %.3f, %.3f", v[0], v[1], v[2], v[3]))
			})},
		{Name: "turn-addition/dip-at-128", Statement: "Between the trees turn addition falls at 128 servers and rises at 1,024 and 8,192",
			Published: "falls, rises",
			Judge: paper.Needs(at("turn-addition between"), func(v []float64) paper.Finding {
				return paper.Decide(v[1] < v[0] && v[2] > v[1] && v[3] > v[2], fmt.Sprintf("%.3f, %.3f, %.3f, %.3f", v[0], v[1], v[2], v[3]))
			})},
		{Name: "turn-addition/always-above-tp", Statement: "Between the trees turn addition is above TP at every size", Judge: paper.Needs(both,
			func(v []float64) paper.Finding {
				ok, text := true, ""
				for i := range 4 {
					ok = ok && v[i] > v[4+i]
					text += fmt.Sprintf(", %.2f", v[i]/v[4+i])
				}
				return paper.Decide(ok, text[2:]+" times")
			})},
		{Name: "turn-addition/4.77-times", Statement: "Between trees of 8,192 servers turn addition has 4.77 times the throughput of TP",
			Published: "4.77 times", Band: "4.53 to 5.01 times",
			LeftOpen: "What the text leaves open moves the ratio: the wires, the root, and the weight of traffic between the trees (1/10000 gives 8.6)",
			Judge: paper.Needs(both, func(v []float64) paper.Finding {
				ratio := v[3] / v[7]
				return paper.Decide(math.Abs(ratio-4.77) < 0.24, fmt.Sprintf("%.2f times", ratio))
			})},
	}
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
			Published: "6.25, 15.23, 19.78, 23.43 %",
			LeftOpen: "The order of equal turns decides, which the paper does not give: " +
				"seven orders give 36 to 42 pairs at 128 servers. The other three agree",
			Judge: paper.Needs(keys, func(v []float64) paper.Finding {
				ok := true
				for i, want := range []float64{6.25, 15.23, 19.78, 23.43} {
					ok = ok && math.Abs(v[i]-want) < 0.01
				}
				return paper.Decide(ok, fmt.Sprintf("%.2f, %.2f, %.2f, %.2f %%", v[0], v[1], v[2], v[3]))
			})},
		{Name: "turn-addition/nodes", Statement: "Two trees of 8,192 servers have 8,192 nodes (table 2)", Published: "8,192",
			Reason: "The other rows count both trees, so that it is 16,384",
			Judge: paper.Needs([][2]string{{servers(32), "nodes"}}, func(v []float64) paper.Finding {
				return paper.Decide(v[0] == 8192, fmt.Sprintf("%.0f", v[0]))
			})},
	}
}
