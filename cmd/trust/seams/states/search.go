package states

import (
	"context"
	"math/rand/v2"
)

// This file visits the states.

// Search visits all states of a case that a run from the empty network reaches, and looks in each for packets that can never
// move. The error says which features of the case contradict each other.
func Search(ctx context.Context, c Case, o Limits) (Result, error) {
	n, err := newNet(&c, o.Plain)
	if err != nil {
		return Result{}, err
	}
	most := o.States
	if most == 0 {
		most = DefaultStates
	}
	if line := n.neverEnters(); line != "" {
		return Result{Verdict: Stuck, States: 1, Run: []string{line}, Packets: 1, Circles: n.circles}, nil
	}
	v := &visit{net: n, seen: map[string]bool{}}
	v.add(make(state, len(n.Buffers)).key(), -1)
	for len(v.work) > 0 {
		at := v.work[len(v.work)-1]
		v.work = v.work[:len(v.work)-1]
		s := decode(v.keys[at], len(n.Buffers))
		if left := n.stuck(s); left > 0 {
			return Result{Verdict: Stuck, States: len(v.keys), Run: v.run(at), Packets: left, Circles: n.circles}, nil
		}
		if len(v.keys) > most || at%4096 == 0 && ctx.Err() != nil {
			return Result{Verdict: Unknown, States: len(v.keys), Circles: n.circles}, ctx.Err()
		}
		before := len(v.keys)
		n.eachMove(s, func(_ string, to state) { v.add(to.key(), at) })
		if before <= mostSmall && len(v.keys) > mostSmall {
			if run, left := n.walk(most); left > 0 {
				return Result{Verdict: Stuck, States: len(v.keys), Run: run, Packets: left, Circles: n.circles}, nil
			}
		}
	}
	return Result{Verdict: Free, States: len(v.keys), Circles: n.circles}, nil
}

// neverEnters returns the state with a packet at its host that cannot enter the network though no other packet is there, or "".
// Only flow control and gates keep such a packet.
func (n *net) neverEnters() string {
	for _, y := range n.Streams {
		for _, flits := range y.Flits {
			s := make(state, len(n.Buffers))
			s.push(n.Places[y.Start].Buffer, n.packet(y.Start, flits))
			if n.stuck(s) > 0 {
				return "enter: " + n.text(s)
			}
		}
	}
	return ""
}

// mostSmall is the number of states after which random runs are tried, and mostSteps bounds such a run.
const (
	mostSmall = 2_000
	mostSteps = 300
)

// walk makes some random runs, and returns one that gets stuck, with the number of its stuck nodes. Where there are too many states,
// such a run is often found all the same.
func (n *net) walk(states int) (run []string, left int) {
	rng := rand.New(rand.NewPCG(1, uint64(states)))
	for steps := 0; steps < states/10; steps++ {
		s, lines := make(state, len(n.Buffers)), []string(nil)
		for range mostSteps {
			var next state
			line, count := "", 0
			n.eachMove(s, func(text string, to state) {
				if count++; rng.IntN(count) == 0 {
					next, line = to, text
				}
			})
			if next == nil {
				break
			}
			s, lines = next, append(lines, line+": "+n.text(next))
			steps++
		}
		if left := n.stuck(s); left > 0 {
			return lines, left
		}
	}
	return nil, 0
}

// visit is the states that have been found.
type visit struct {
	*net
	seen map[string]bool
	keys []string
	from []int32 // by state: the one before it in a run
	work []int   // states to visit
}

func (v *visit) add(key string, from int) {
	if v.seen[key] {
		return
	}
	v.seen[key] = true
	v.work = append(v.work, len(v.keys))
	v.keys, v.from = append(v.keys, key), append(v.from, int32(from))
}

// run returns the moves of a run to a state, each with the state after it.
func (v *visit) run(at int) (lines []string) {
	for from := int(v.from[at]); from >= 0; at, from = from, int(v.from[from]) {
		line := ""
		v.eachMove(decode(v.keys[from], len(v.Buffers)), func(text string, to state) {
			if line == "" && to.key() == v.keys[at] {
				line = text + ": " + v.text(to)
			}
		})
		lines = append([]string{line}, lines...)
	}
	return lines
}
