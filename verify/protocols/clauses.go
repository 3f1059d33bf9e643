package protocols

import (
	"context"
	"fmt"
	"iter"
	"slices"

	"github.com/turnproof/turnproof/internal/clausal"
	"github.com/turnproof/turnproof/internal/encode"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/verify/cert"
	"github.com/turnproof/turnproof/verify/worms"
)

// This file states as clauses that messages of a protocol block each other, and decides it.
// docs/theorems/messages.md has the theorem, and verify/cert/messages/clauses.go specifies the clauses.
//
// Under wormhole switching a message holds the places of several states in a row, like a worm. A table waits for a message that is
// in the deadlock itself, or behind the front of a queue. Under virtual cut-through and store-and-forward each
// message is at one place.

// messageFormula is the clauses of a messageGraph. Its variables are, from 1 on: by place, it is held; by state, a
// message is in it; by edge, a message is in both of its states.
type messageFormula struct {
	*messageGraph
	worms.EdgeClauses
	reasons [][]tableLiteral // by table: why its transactions wait
}

func (f *messageFormula) held(at int32) int32 { return at + 1 }
func (f *messageFormula) lies(i int32) int32  { return int32(f.size()) + i + 1 }
func (f *messageFormula) heads(t int, i int32) int32 {
	return int32(f.size()+len(f.states)*(t+1)+len(f.To)) + i + 1
}

// newMessageFormula returns the clauses of g.
func newMessageFormula(g *messageGraph) *messageFormula {
	heads := 0
	if g.wormhole {
		heads = len(g.tables) * len(g.states)
	}
	places := g.size() + len(g.states)
	f := &messageFormula{messageGraph: g, EdgeClauses: worms.EdgeClauses{
		Solver: clausal.New(places + len(g.To) + heads), Graph: &g.Edges, Smaller: int32(places)}}
	some := make([]int32, g.size())
	for at := range g.on {
		some[at] = f.held(int32(at))
		if at >= f.firstTable() {
			continue
		}
		clause := []int32{-some[at]}
		for _, i := range g.on[at] {
			clause = append(clause, f.lies(i))
		}
		f.Solver.Add(0, clause...)
	}
	f.Solver.Add(0, some...)
	for i := range int32(len(g.states)) {
		f.addState(i)
	}
	for i := range g.tables {
		at := int32(f.firstTable() + i)
		clause := []int32{-f.held(at)}
		f.reasons = append(f.reasons, f.tableLiterals(i))
		for _, w := range f.reasons[i] {
			clause = append(clause, w.literal)
		}
		slices.Sort(clause[1:])
		f.Solver.Add(0, append(clause[:1], slices.Compact(clause[1:])...)...)
		for _, other := range g.tablesOf[g.tables[i].tableOwner] {
			if other < at {
				f.Solver.Add(worms.StepPair, -f.held(other), -f.held(at))
			}
		}
	}
	return f
}

func (x *Places) firstTable() int { return x.networks * (x.links + x.endpoints) }

// addState adds the clauses of a state: a message in it also is in the next state, or waits.
func (f *messageFormula) addState(i int32) {
	clause := []int32{-f.lies(i)}
	for e := f.First[i]; e < f.First[i+1]; e++ {
		f.Solver.Add(0, -f.Goes(e), f.lies(i))
		f.Solver.Add(0, -f.Goes(e), f.lies(f.To[e]))
		clause = append(clause, f.Goes(e))
	}
	s := &f.states[i]
	if s.commits || len(s.any) == 0 {
		var all []int32
		for _, one := range s.any {
			for _, at := range one {
				all = append(all, f.held(at))
			}
		}
		slices.Sort(all)
		f.Solver.Add(0, append(clause, slices.Compact(all)...)...)
		return
	}
	for _, one := range s.any {
		var all []int32
		for _, at := range one {
			all = append(all, f.held(at))
		}
		slices.Sort(all)
		f.Solver.Add(0, append(slices.Clone(clause), slices.Compact(all)...)...)
	}
}

// tableLiteral is a reason why the transactions of a table wait.
type tableLiteral struct {
	literal int32
	place   int32        // of the queue or the other table; -1 for a state
	state   int32        // -1 for a place
	flow    flow         // the awaited message, from the first host to the first one; without hosts for the queue of the table's host
	dest    model.DestID // of the awaited message
}

// tableLiterals returns the reasons why transactions of table k wait: one of them is true.
func (f *messageFormula) tableLiterals(k int) (list []tableLiteral) {
	t := &f.tables[k]
	if !f.wormhole {
		for _, at := range f.tableWait(t) {
			list = append(list, tableLiteral{literal: f.held(at), place: at, state: -1})
		}
		return list
	}
	if t.missing < 0 && f.hasQueue(t.join, t.host) {
		at := f.queue(t.join, t.host)
		list = append(list, tableLiteral{literal: f.held(at), place: at, state: -1})
	}
	seen := map[int32]bool{}
	for _, w := range f.awaitedFlows(t) {
		for _, s := range w.from {
			if w.class != t.join {
				for _, at := range f.tablesOf[tableOwner{w.class, s}] {
					list = append(list, tableLiteral{literal: f.held(at), place: at, state: -1})
				}
			}
			for _, d := range w.to {
				list = append(list, f.awaitedLiterals(k, flow{w.class, []model.HostID{s}, []model.HostID{d}}, seen)...)
			}
		}
	}
	return list
}

// awaitedLiterals returns where the head of a message from one host to another one, for which a transaction of table k waits, can
// be: in the queue, or in a state. seen has the states whose clauses are known.
func (f *messageFormula) awaitedLiterals(k int, w flow, seen map[int32]bool) (list []tableLiteral) {
	s := w.from[0]
	for d := range model.DestID(f.r.Destinations()) {
		if f.r.DestinationHost(d) != w.to[0] || !model.Sends(f.r, s, d) || !f.p.SendsTo(w.class, s, w.to[0]) {
			continue
		}
		at := f.queue(w.class, s)
		list = append(list, tableLiteral{f.held(at), at, -1, w, d})
		walk := newMessageWalk(f.r, d)
		for _, k := range f.r.Inject(s, d, nil) {
			walk.start(model.InjectState(f.r, s, d, k))
		}
		for i := 0; i < len(walk.states); i++ {
			walk.expand(i)
		}
		for n := range f.groups {
			g := &f.groups[n]
			if g.class != w.class || g.dest >= 0 && g.dest != d || !slices.Contains(g.from, s) {
				continue
			}
			for i := g.first; int(i) < len(f.states) && f.states[i].group == int32(n); i++ {
				if f.n.IsLinkVC(f.states[i].at.VC) && slices.ContainsFunc(walk.states, func(v model.State) bool {
					return v.VC == f.states[i].at.VC && (g.dest < 0 || v.Class == f.states[i].at.Class)
				}) {
					list = append(list, tableLiteral{f.heads(k, i), -1, i, w, d})
					if !seen[i] {
						f.addHead(k, i)
					}
					seen[i] = true
				}
			}
		}
	}
	return list
}

// addHead adds the clauses of a head in state i for which a transaction of table k waits. The message finds the entry of its
// transaction, so it does not wait for room in the table.
func (f *messageFormula) addHead(k int, i int32) {
	head := f.heads(k, i)
	f.Solver.Add(0, -head, f.lies(i))
	s := &f.states[i]
	if f.groups[s.group].dest < 0 {
		return // another copy can be the one that waits
	}
	for e := f.First[i]; e < f.First[i+1]; e++ {
		f.Solver.Add(0, -head, -f.Goes(e))
	}
	own := f.tablesOf[f.tables[k].tableOwner]
	alternatives := s.any
	if s.commits {
		alternatives = [][]int32{slices.Concat(s.any...)}
	}
	for _, one := range alternatives {
		clause := []int32{-head}
		for _, at := range one {
			if !slices.Contains(own, at) {
				clause = append(clause, f.held(at))
			}
		}
		slices.Sort(clause[1:])
		f.Solver.Add(0, append(clause[:1], slices.Compact(clause[1:])...)...)
	}
}

// DecideByClauses decides by clauses whether messages block each other. It returns a deadlock, a
// proof, or the reason why there is neither.
func (w *Waits) DecideByClauses(ctx context.Context, commits func(model.State) bool, wormhole bool) (*Deadlock, *cert.Ints, string) {
	g := newMessageGraph(w, commits, wormhole)
	if g == nil {
		return nil, nil, "the states are too many to search for messages that block each other"
	}
	ctx, stop := context.WithTimeout(ctx, worms.Limit)
	defer stop()
	f := newMessageFormula(g)
	for {
		switch f.Solver.Solve(ctx) {
		case clausal.Unknown:
			return nil, nil, fmt.Sprintf("the search for messages that block each other did not end within %v", worms.Limit)
		case clausal.Unsat:
			return nil, encode.Steps(f.Solver.Refutation()), ""
		}
		if f.addBroken() {
			continue
		}
		d, again := f.readDeadlock()
		if again {
			continue
		}
		if d == nil {
			return nil, nil, "messages would block each other, but it is open whether those that a table waits for are among them"
		}
		return d, nil, ""
	}
}

// addBroken adds the pairs and rings that the model breaks, and reports whether there are any.
func (f *messageFormula) addBroken() bool {
	if !f.wormhole {
		return false
	}
	return f.AddBrokenAmong(f.exclusive()) || f.AddRings()
}

// exclusive yields groups of literals of which at most one may be true: the states of a place in the network, and the edges
// into a state.
func (f *messageFormula) exclusive() iter.Seq[[]int32] {
	return func(yield func([]int32) bool) {
		for at := range f.networks * f.links { // several messages can wait in the queue of a host
			var literals []int32
			for _, i := range f.on[at] {
				literals = append(literals, f.lies(i))
			}
			if !yield(literals) {
				return
			}
		}
		into := make([][]int32, len(f.states))
		for e, i := range f.To {
			into[i] = append(into[i], f.Goes(int32(e)))
		}
		for _, literals := range into {
			if !yield(literals) {
				return
			}
		}
	}
}
