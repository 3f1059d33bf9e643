// Package verify decides what is claimed of a routing relation, and says why.
//
// Five words:
//
//   - claim: acyclic, deadlock-free, connected, livelock-free;
//   - verdict: proved, refuted or undecided, never a bool;
//   - evidence: what shows it, a numbering, a cycle with its packets, a lost
//     packet; a certificate holds the evidence of all claims;
//   - theorem and premises: why the evidence is enough, and what is assumed
//     about the switches;
//   - checker: verify/cert, which shares no code with this package and has
//     accepted every verdict that Check returns.
//
// A first call:
//
//	report, err := verify.Check(ctx, relation, verify.Options{})
//	fmt.Println(report.Verdict(), report.DeadlockFree.Theorem)
//
// CheckTurns does the same for a set of turns, of which it is claimed that they
// close no cycle and that they join all hosts.
//
// The package does not read files (model/format), draw (model/view/figure) or
// simulate.
package verify
