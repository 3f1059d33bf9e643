// Package runs runs routing programs for any network on unknown switches, for the search for proofs.
//
// The independent checker has a runner of its own (verify/cert/everysize), which is written in another form: it runs a program again
// for each sequence of choices. This package executes all cases side by side. A claim counts as proved only if the obligations
// of both are. The two share no code.
//
//   - A case is a state of the program: what is known of the switches, the variables, and the contents of lists.
//   - A condition that a case does not decide splits the case in two.
//   - A bag is a part of a list: elements in an order that is not known. It has the ways in which they are made: for all switches at some
//     terms that satisfy a condition, a value.
//   - The body of a loop over a bag is executed for one unknown element. The loop ends at any element that returns or breaks in any way.
//
// A first call: Execute, whose result has the runs, the starts, the premise and the endpoint of the program.
//
// Reading order: condition.go, value.go, execute.go, facts.go, loop.go, loopend.go, expression.go, functions.go, run.go.
//
// Read first: condition.go, value.go, execute.go with facts.go, loop.go with loopend.go, expression.go,
// functions.go, run.go.
package runs
