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
	p.line("%d random relations, with packets of 1 to %d virtual channels. The search did not finish for %d more.", t.relations, mostWorm, t.drawn-t.relations)
	p.head("verify.Check, wormhole", "relations", "with a deadlock", "without")
	for _, v := range []verdict{proved, refuted, undecided} {
		p.row(string(v), fmt.Sprint(t.verify[v]), fmt.Sprint(t.deadlock[v]), fmt.Sprint(t.verify[v]-t.deadlock[v]))
	}
	p.line("\nFalse proofs: %d. Refutations with a packet that cannot get to its place alone: %d. Refutations without a deadlock: %d. Undecided: %d.",
		t.deadlock[proved], t.notAlone, len(t.apart), t.verify[undecided])
	p.line("replay reached %d of %d deadlocks, %d of them false.", t.reached, t.replayed, t.falseReached)
}
