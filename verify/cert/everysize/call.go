package everysize

import (
	"fmt"
	"slices"

	"github.com/turnproof/turnproof/verify/cert"
)

// This file runs the functions route and inject of a program, and reads what they return.

// run runs the program, for all obligations that come from its text alone.
func (t *theorem) run() (err error) {
	t.count = map[string]int{}
	m := &machine{family: t.family, base: t.domain(), possible: t.possible}
	if err := t.inject(m); err != nil {
		return err
	}
	t.paths, err = m.explore(func() { m.route() })
	return err
}

// route runs the function route once.
func (m *machine) route() {
	top := m.load()
	state := 0
	if m.states > 1 {
		state = m.chooseOf(m.states)
		m.path.state = state
	}
	args := []any{m.coordinates(m.here), m.coordinates(m.there), input{}}
	if m.reads {
		args = append(args, int64(state))
	}
	made, ok := m.apply(top.values["route"], args).(*list)
	if !ok {
		fail("route returned no list")
	}
	for _, v := range made.items {
		m.output(v, state)
	}
}

func (m *machine) coordinates(at func(int) Form) place {
	var p place
	for d := range m.dims {
		p = append(p, value(at(d), 1))
	}
	return p
}

// output adds an output of route. A direction alone means all of its VCs.
func (m *machine) output(v any, state int) {
	if _, ok := v.(ejection); ok {
		m.path.ejects = true
		return
	}
	hop, from, to := v, 0, m.vcs
	if t, isTuple := v.(tuple); isTuple && (len(t) == 2 || len(t) == 3) {
		hop = t[0]
		from = index(t[1], m.vcs)
		to = from + 1
		if t[1].(int64) < 0 {
			fail("a negative VC")
		}
		if len(t) == 3 {
			if state = index(t[2], m.states); t[2].(int64) < 0 {
				fail("a negative header state")
			}
		}
	}
	var o output
	switch hop := hop.(type) {
	case target: // only programs for hyperx have them
		if o.dir, o.kind = direction(2*hop.dim), hop.kind; hop.to != nil {
			o.to = hop.to.num
		}
	case direction:
		if o.dir = hop; m.complete() || hop.dim() >= m.numAxes() {
			fail("an output that is not a direction of the network")
		}
	default:
		fail("an output that is not a direction of the network")
	}
	o.state = state
	for o.vc = from; o.vc < to; o.vc++ {
		if !slices.ContainsFunc(m.path.outputs, o.isSame) {
			m.path.outputs = append(m.path.outputs, o)
		}
	}
}

// inject finds the header states of created packets: all that inject returns for some source and
// destination. If a run of inject ends with an error, they are all states.
func (t *theorem) inject(m *machine) error {
	if !t.draws {
		t.starts = []int{0}
		return nil
	}
	paths, err := m.explore(func() {
		m.path.result = m.apply(m.load().values["inject"], []any{m.coordinates(m.here), m.coordinates(m.there)})
	})
	if err != nil {
		return err
	}
	for i := range paths {
		states, err := t.startsOf(&paths[i])
		if (err != nil || len(states) == 0) && (t.claims[cert.ClaimConnected] || t.claims[cert.ClaimFullyAdaptive]) {
			if err := t.refute("inject", fmt.Sprintf("path %d", i+1), t.domain(), paths[i].guard); err != nil {
				return err
			}
		}
		if err := t.drawsOnce(i+1, &paths[i], states, err); err != nil {
			return err
		}
		for state := 0; err != nil && state < t.states; state++ {
			states = append(states, state)
		}
		t.starts = append(t.starts, states...)
	}
	slices.Sort(t.starts)
	t.starts = slices.Compact(t.starts)
	return nil
}

// startsOf returns the header states of a list of states, or of pairs of a state and a weight.
func (t *theorem) startsOf(p *path) (states []int, err error) {
	made, ok := p.result.(*list)
	if p.failed != nil || !ok {
		return nil, fmt.Errorf("no list of states")
	}
	for _, v := range made.items {
		if pair, ok := v.(tuple); ok && len(pair) == 2 {
			if weight, ok := pair[1].(int64); !ok || weight < 1 || weight > 1_000_000 {
				return nil, fmt.Errorf("a weight out of range")
			}
			v = pair[0]
		}
		state, ok := v.(int64)
		if !ok || state < 0 || state >= int64(t.states) {
			return nil, fmt.Errorf("a header state out of range")
		}
		states = append(states, int(state))
	}
	return states, nil
}
