package synth

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/route"
)

// This file defines objectives: goals, weighted sums of goals, and sums in order of priority.

// Goals returns the name and a one-line description of each goal. Smaller values are better.
func Goals() [][2]string {
	var list [][2]string
	for _, g := range goals {
		list = append(list, [2]string{g.name, g.text})
	}
	return list
}

type goal struct {
	name, text string
	ways       bool // whether the goal depends on the paths of all pairs
	of         func(s *scored) float64
}

// scored is the data that goals are computed from.
type scored struct {
	count *Prohibitions
	ways  *PathStats
	loads *TurnTraffic
	set   *model.TurnSet
	// ratio returns the largest ratio of a legal path to a shortest path, and the number of pairs
	// whose ratio exceeds bound.
	ratio func(bound float64) (float64, int)
	bound float64
}

var goals = []goal{
	{"turns", "prohibited turns", false, func(s *scored) float64 { return float64(s.count.Prohibited) }},
	{"most", "prohibited turns at the switch that has most", false, func(s *scored) float64 {
		most := 0
		for _, k := range s.count.PerSwitch {
			most = max(most, k)
		}
		return float64(most)
	}},
	{"sdpt", "standard deviation of prohibited turns over the switches", false, func(s *scored) float64 { return s.count.SDPT }},
	{"pairs", "turns prohibited together with their reverse (PPT)", false, func(s *scored) float64 { return float64(s.count.PPT) }},
	{"traffic", "traffic of the prohibited turns, as if all turns were allowed", false, func(s *scored) float64 {
		sum := 0.0
		for t := range model.Turns(s.set.Network(), false) {
			if !s.set.Has(t) {
				sum += s.loads.Of(t)
			}
		}
		return sum
	}},
	{"path", "average number of links on a path, over the pairs", true, func(s *scored) float64 { return s.ways.MeanPath }},
	{"stretch", "largest ratio of a shortest legal path to a shortest path of the network", true, func(s *scored) float64 {
		most, _ := s.ratio(1)
		return most
	}},
	{"load", "load of the most loaded link between switches", true, func(s *scored) float64 {
		most := 0.0
		for _, x := range s.ways.Load[:s.set.Network().NumLinkChannels()] {
			most = max(most, x)
		}
		return most
	}},
}

// Objective is a list of sums, the most important first.
type Objective [][]Term

// Term is a goal with its weight.
type Term struct {
	Weight float64
	Goal   string
	goal   *goal
}

// ParseObjective reads sums separated by commas. "turns,load" minimizes the number of turns, then
// the load. "turns+0.5*pairs" minimizes a sum.
func ParseObjective(text string) (Objective, error) {
	var o Objective
	for _, level := range strings.Split(text, ",") {
		var sum []Term
		for _, part := range strings.Split(level, "+") {
			t := Term{Weight: 1, Goal: strings.TrimSpace(part)}
			if w, name, ok := strings.Cut(part, "*"); ok {
				x, err := strconv.ParseFloat(strings.TrimSpace(w), 64)
				if err != nil || !(x > 0) || math.IsInf(x, 1) {
					return nil, fmt.Errorf("objective: a weight above 0 was expected, not %q", w)
				}
				t.Weight, t.Goal = x, strings.TrimSpace(name)
			}
			for i := range goals {
				if goals[i].name == t.Goal {
					t.goal = &goals[i]
				}
			}
			if t.goal == nil {
				var names []string
				for _, g := range goals {
					names = append(names, g.name)
				}
				return nil, fmt.Errorf("objective: no goal %q, known are %s", t.Goal, strings.Join(names, ", "))
			}
			sum = append(sum, t)
		}
		o = append(o, sum)
	}
	return o, nil
}

// String returns the text that ParseObjective reads.
func (o Objective) String() string {
	var levels []string
	for _, sum := range o {
		var parts []string
		for _, t := range sum {
			if t.Weight != 1 {
				parts = append(parts, strconv.FormatFloat(t.Weight, 'g', -1, 64)+"*"+t.Goal)
			} else {
				parts = append(parts, t.Goal)
			}
		}
		levels = append(levels, strings.Join(parts, "+"))
	}
	return strings.Join(levels, ",")
}

// judge computes the sums of an objective for turn sets.
type judge struct {
	ctx     context.Context
	o       Objective
	d       *model.Demand
	loads   *TurnTraffic
	stretch float64       // if not 0, the first sum is the number of pairs whose stretch is larger, see beyond
	all     *route.Search // of the network with all turns
}

// beyond is the goal of a bound on the stretch: the number of pairs of switches beyond the bound.
var beyond = goal{"beyond", "", true, func(s *scored) float64 {
	_, k := s.ratio(s.bound)
	return float64(k)
}}

// values returns the sums of an acyclic set, or nil if the set leaves pairs unconnected. If the
// first sums do not depend on paths, stop receives their values; values returns nil if stop
// returns true.
func (j *judge) values(set *model.TurnSet, stop func(values []float64) bool) ([]float64, error) {
	s := &scored{count: Count(set), loads: j.loads, set: set, ratio: func(bound float64) (float64, int) { return j.ratio(set, bound) }, bound: j.stretch}
	values := make([]float64, len(j.o))
	sum := func(i int) {
		values[i] = 0
		for _, t := range j.o[i] {
			values[i] += t.Weight * t.goal.of(s)
		}
	}
	cheap := 0
	for ; cheap < len(j.o) && !looks(j.o[cheap]); cheap++ {
		sum(cheap)
	}
	if stop != nil && stop(values[:cheap]) {
		return nil, nil
	}
	var err error
	if s.ways, err = MeasurePaths(j.ctx, set, j.d); err != nil {
		return nil, err
	}
	if s.ways.Unreachable > 0 {
		return nil, nil
	}
	for i := cheap; i < len(values); i++ {
		sum(i)
	}
	return values, nil
}

// looks reports whether a sum depends on paths.
func looks(sum []Term) bool {
	for _, t := range sum {
		if t.goal.ways {
			return true
		}
	}
	return false
}

// ratio returns the largest ratio of a legal path to a shortest path, over the pairs of switches
// that have a legal path, and the number of pairs whose ratio exceeds bound.
func (j *judge) ratio(set *model.TurnSet, bound float64) (most float64, beyond int) {
	if j.all == nil {
		j.all = route.NewLegal(allTurns(set.Network())).NewSearch()
	}
	legal := route.NewLegal(set).NewSearch()
	most = 1
	for _, v := range j.d.Switches() {
		j.all.To(v)
		legal.To(v)
		for _, u := range j.d.Switches() {
			if u != v && legal.From(u) != route.Unreached {
				r := float64(legal.From(u)) / float64(j.all.From(u))
				if most = max(most, r); r > bound+1e-9 {
					beyond++
				}
			}
		}
	}
	return most, beyond
}
