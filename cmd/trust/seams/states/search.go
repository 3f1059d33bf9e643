package states

import "context"

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
		n.eachMove(s, func(_ string, to state) { v.add(to.key(), at) })
	}
	return Result{Verdict: Free, States: len(v.keys), Circles: n.circles}, nil
}

// neverEnters returns the state with a packet at its host that cannot enter the network though no other packet is there, or "".
// Only flow control and gates keep such a packet.
func (n *net) neverEnters() string {
	for _, y := range n.Streams {
		for _, flits := range y.Flits {
			s := make(state, len(n.Buffers))
			s.push(n.Places[y.Start].Buffer, node{place: uint16(y.Start), flits: uint8(flits), in: uint8(flits)})
			if n.stuck(s) > 0 {
				return "enter: " + n.text(s)
			}
		}
	}
	return ""
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
