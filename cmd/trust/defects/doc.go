// Package defects holds the tests of turnproof against defects: a test that passes over a
// wrong prover or a lax checker is none.
//
// Five words:
//
//   - defect: a change of our code that makes it wrong, with what it makes wrong in words;
//     list/*.txt holds those that people thought of, an area each;
//   - mutant: a small change made by rule at one place, such as < into <=;
//   - caught: a test fails, crashes or does not end because of it;
//   - survivor: not caught, so a hole in our tests;
//   - equivalent: a mutant that changes no answer; equivalent.txt says why not.
//
// The tree is never touched: `go test -overlay` puts changed files in the place of ours.
// Mutants of a package are compiled into one test binary, and a variable of the
// environment turns on one of them, as R. H. Untch, A. J. Offutt and M. J. Harrold, "Mutation
// analysis using mutant schemata", ISSTA 1993, have it.
//
// What it does not do: it says nothing of defects that are neither on the list nor made by
// the rules of operators.go.
package defects
