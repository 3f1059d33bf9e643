// Package transitions judges changes from one forwarding table to another on random tiny networks, by walking packets in all
// interleavings with changes of entries. It shares no code with verify/transition, synth/reroute and the checker.
//
//   - single packets: each packet walks from its source while entries change at any time, each once. It gives the dependencies of all
//     packets, and the destinations to which a packet can circle.
//   - orders: all sets of changed parts, with the dependencies of single packets while one part changes.
//   - whole runs: on the smallest networks, all runs of all packets together with all changes, until packets block each other.
//
// Read first: doc.go, draw.go, walk.go, orders.go, atomic.go, runs.go, stops.go, judge.go.
package transitions

import (
	"context"
	"fmt"
	"io"

	"github.com/turnproof/turnproof/cmd/trust/stage"
)

// Stage judges random transitions.
var Stage = stage.Stage{Name: "transitions", Title: "Random changes of tables, against all interleavings", Run: run}

const defaultCases = 100_000

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
	fmt.Fprintf(out, "%s\n", t.text())
	if len(t.wrong) > 0 {
		return &stage.Found{What: fmt.Sprintf("%d of %d cases: %s", len(t.wrong), cases, t.wrong[0])}
	}
	return nil
}
