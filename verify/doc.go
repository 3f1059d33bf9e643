// Package verify decides claims about a routing relation and gives the evidence.
//
// Terms:
//
//   - A claim is acyclic, deadlock-free, connected or livelock-free.
//   - A verdict is proved, refuted or undecided; it is never a bool.
//   - Evidence shows that a verdict is right. Examples are a numbering, a cycle
//     with its packets, and a lost packet. A certificate holds all evidence.
//   - A theorem says why the evidence suffices. Premises say what the theorem
//     assumes about the switches.
//   - The checker is package verify/cert. The checker shares no code with this
//     package and has accepted every verdict that Check returns.
//
// A first call:
//
//	report, err := verify.Check(ctx, relation, verify.Options{})
//	fmt.Println(report.Verdict(), report.DeadlockFree.Theorem)
//
// CheckTurns decides two claims about a set of turns: the set closes no cycle, and
// the set connects all hosts.
//
// Gates, flow control of rings and classes of messages are conditions (model.Condition). Packages that decide them
// register with RegisterCondition; package verify/conditions links all of them.
//
// The package does not read files (model/format), draw (model/view/figure) or
// simulate.
//
// Read first: check.go, claim.go, premises.go; then "Inside verify" in docs/packages.md.
package verify
