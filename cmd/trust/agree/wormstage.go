package agree

import (
	"context"
	"fmt"
	"io"

	"github.com/turnproof/turnproof/cmd/trust/stage"
)

// This file is the stage of wormhole switching: what came of random relations.

// WormStage holds verify and replay against all states of small networks under wormhole switching.
var WormStage = stage.Stage{Name: "worms", Title: "All states of networks under wormhole switching", Run: runWorms}

func runWorms(ctx context.Context, o stage.Options, out io.Writer) error {
	count := manyRelations
	if o.Cases > 0 {
		count = o.Cases
	}
	p, bad := &section{out}, 0
	for _, one := range []bool{false, true} {
		t, err := tallyWorms(ctx, o.Seed, count, one, func(done int) {
			fmt.Fprintf(o.Progress, "%d of %d relations\n", done, count)
		})
		if err != nil {
			return err
		}
		p.line("%s", map[bool]string{false: "Packets wait for any permitted next hop (waiting any):", true: "Packets choose a next hop before they wait (waiting one):"}[one])
		p.worms(t)
		for _, text := range t.wrong {
			fmt.Fprintf(out, "- %s\n", text)
		}
		bad += len(t.wrong) + len(t.apart)
	}
	if bad > 0 {
		return &stage.Found{What: fmt.Sprintf("%d relations", bad)}
	}
	return nil
}

func (p *section) worms(t *wormTally) {
	p.line("%d random relations on networks of up to 9 switches and 3 virtual channels, of which any hop, shortest hops, rings, turn sets or an escape are drawn, "+
		"were searched to the end: every state of the network that packets of 1 to %d virtual channels lead to. "+
		"For %d more the search was not finished; they count nowhere else.", t.relations, mostWorm, t.drawn-t.relations)
	p.head("verify.Check, wormhole", "relations", "some state is a deadlock", "none is")
	for _, v := range []verdict{proved, refuted, undecided} {
		p.row(string(v), fmt.Sprint(t.verify[v]), fmt.Sprint(t.deadlock[v]), fmt.Sprint(t.verify[v]-t.deadlock[v]))
	}
	p.line("\nFalse proofs: %d. Refutations with a packet that cannot get to its place alone: %d. "+
		"Refutations though no state of the network is a deadlock: %d. Undecided: %d.",
		t.deadlock[proved], t.notAlone, len(t.apart), t.verify[undecided])
	if t.replayed == 0 {
		return
	}
	p.line("replay reached a deadlock of %d of the %d relations that are not proved. Each was judged by the relation itself, and by the search. "+
		"False ones: %d.", t.reached, t.replayed, t.falseReached)
}
