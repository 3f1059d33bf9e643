package main

import (
	"context"
	"fmt"
	"iter"
	"time"

	"turnproof/cdg"
	"turnproof/verify"
	"turnproof/verify/smt"
)

// crossCheckLimit bounds Z3's time; its "unknown" is no disagreement.
const crossCheckLimit = 60 * time.Second

// crossCheck asks Z3 whether the dependency graph has a numbering, and holds
// its answer against the graph search.
func crossCheck(ctx context.Context, rep *verify.Report) (string, error) {
	answer, err := smt.Acyclic(ctx, rep.Graph.NumVCs(), edges(rep.Graph), smt.Limit{Time: crossCheckLimit})
	if err != nil {
		return "", fmt.Errorf("--cross-check: %w", err)
	}
	acyclic := rep.Acyclic.Verdict == verify.Proved
	switch {
	case answer.Result == smt.Unknown:
		return fmt.Sprintf("Z3 %s did not decide within %v", smt.Version(), crossCheckLimit), nil
	case acyclic != (answer.Result == smt.Sat):
		return "", fmt.Errorf("internal error: graph search says that the dependency graph is acyclic: %v, Z3 says %v", acyclic, answer.Result == smt.Sat)
	case acyclic:
		return fmt.Sprintf("Z3 %s finds a numbering, too", smt.Version()), nil
	}
	return fmt.Sprintf("Z3 %s finds no numbering either", smt.Version()), nil
}

func edges(g *cdg.Graph) iter.Seq2[int32, int32] {
	return func(yield func(int32, int32) bool) {
		for t := range g.All() {
			if !yield(int32(t.In), int32(t.Out)) {
				return
			}
		}
	}
}
