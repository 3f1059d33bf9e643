// Package ttfabric says what a verdict means for a TT-Fabric: one word for the fabric, the channels of a cycle by the names of the
// fabric, the rings with their protection, the cables whose ends disagree. Package verify decides.
//
// A first call is verify.Check of the relation of a fabric, then NewAnswer.
//
// Read first: answer.go, any.go.
package ttfabric
