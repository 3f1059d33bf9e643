package bubbles

import (
	"context"
	"encoding/binary"
	"iter"

	"github.com/turnproof/turnproof/model"
)

// This file searches the states of a network whose flow control keeps rings from filling up, the fullest state first. It
// finds the deadlocks that need packets in an order that neither fill nor wander makes.
// Cost: mostExplored states and mostCopied copies of states, fewer on networks with many VCs.

const (
	mostExplored = 1 << 19 // states times VCs of the network
	mostCopied   = 1 << 25 // the same of all states that follow
)

// explore returns a run into a deadlock, or nil.
func (b *Network) explore(ctx context.Context, r model.Relation, routes *routes) (*Run, error) {
	first := b.NewRun(r)
	seen := map[string]bool{string(first.key()): true}
	work := [][]*Run{{first}} // by packets in the network
	copies := mostCopied / b.n.NumVCs()
	for range mostExplored / b.n.NumVCs() {
		k := len(work) - 1
		for k >= 0 && len(work[k]) == 0 {
			k--
		}
		if k < 0 || copies < 0 || ctx.Err() != nil {
			break
		}
		x := work[k][0]
		work[k] = work[k][1:]
		if _, number := x.stuck(); number > 0 {
			return x, nil
		}
		for y := range x.successors(routes) {
			if copies--; copies < 0 {
				break
			}
			if key := string(y.key()); !seen[key] {
				seen[key] = true
				for len(work) <= y.held {
					work = append(work, nil)
				}
				work[y.held] = append(work[y.held], y)
			}
		}
	}
	return nil, ctx.Err()
}

// successors yields the run after each next move. A packet that is created moves to its second VC at once.
func (x *Run) successors(routes *routes) iter.Seq[*Run] {
	return func(yield func(*Run) bool) {
		step := func(y *Run, i int32, h model.Hop) bool {
			at := y.at(i)
			return !y.Step(i, model.State{VC: h.VC, Dest: at.Dest, Class: h.Class}) || yield(y)
		}
		for _, s := range routes.starts {
			for _, h := range x.rel.Next(s, nil) {
				if x.isOut(h.VC) || !x.canMove(model.NoVC, s.VC) || !x.canMove(s.VC, h.VC) {
					continue
				}
				y := x.clone()
				c, _ := x.n.Channel(s.VC)
				if y.Create(x.n.HostOf(c), s) && !step(y, int32(len(y.Packets)-1), h) {
					return
				}
			}
		}
		for v, q := range x.queue {
			if len(q) == 0 || x.at(q[0]).VC != model.VCID(v) {
				continue
			}
			for _, h := range x.rel.Next(x.at(q[0]), nil) {
				if x.canMove(model.VCID(v), h.VC) && !step(x.clone(), q[0], h) {
					return
				}
			}
		}
	}
}

// key identifies the state: by VC, the packets with their destinations, classes and VCs.
func (x *Run) key() (key []byte) {
	for v, q := range x.queue {
		for _, i := range q {
			if x.at(i).VC != model.VCID(v) {
				continue
			}
			key = binary.AppendUvarint(key, uint64(v)+1)
			key = binary.AppendUvarint(key, uint64(x.at(i).Dest))
			key = binary.AppendUvarint(key, uint64(x.at(i).Class))
			for _, s := range x.heldBy(x.Packets[i]) {
				key = binary.AppendUvarint(key, uint64(s.VC)+1)
			}
			key = append(key, 0)
		}
	}
	return key
}
