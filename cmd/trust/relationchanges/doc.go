// Package relationchanges judges changes from one routing relation to another on random tiny networks, by walking packets in all
// interleavings with changes of entries. It shares no code with verify/transition, synth/reroute and the checker.
//
//   - single packets: each packet walks from its source while entries change at any time, each once. That gives the dependencies that some
//     packet can have.
//   - the packets of a cycle: all interleavings of their lookups with all changes.
//   - orders: all sets of changed parts, with the dependencies of single packets while one part changes.
//   - the simulator performs some of the changes under load.
//   - forged certificates: certificates are changed at random. What the checker accepts has to be true of the subject that they state then.
//   - whole runs: on the smallest networks, runs of all packets together with all changes, until packets block each other.
//
// Read first: doc.go, draw.go, walk.go, meet.go, runs.go, judge.go, forge.go, stated.go.
package relationchanges

import (
	"context"
	"fmt"
	"io"

	"github.com/turnproof/turnproof/cmd/trust/stage"
)

// Stage judges random changes of relations.
var Stage = stage.Stage{Name: "relationchanges", Title: "Random changes of relations, against all interleavings", Run: run}

const (
	defaultCases = 100_000
	forgedShare  = 10 // one certificate is changed for this many cases
)

// run judges the cases of the stage.
func run(ctx context.Context, o stage.Options, out io.Writer) error {
	cases := o.Cases
	if cases == 0 {
		cases = defaultCases
	}
	t, err := judgeAll(ctx, o.Seed, cases)
	if err != nil {
		return err
	}
	f, err := forgeAll(ctx, o.Seed, cases/forgedShare)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "%s\n%s\n", t.text(), f.text())
	if wrong := append(t.wrong, f.wrong...); len(wrong) > 0 {
		return &stage.Found{What: fmt.Sprintf("%d of %d cases: %s", len(wrong), cases, wrong[0])}
	}
	return nil
}
