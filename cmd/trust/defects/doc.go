// Package defects checks that the tests of turnproof fail on a wrong turnproof.
//
// Each file of the folder patches is a seeded defect: a unified diff that makes a prover, the
// checker, the simulator or a synthesis wrong. The first line says what is wrong. Lines that
// begin with "tests:" name the tests that must fail:
//
//	the clique of paths is one too great: the bound on layers counts a path twice
//	tests: synth/layers TestClique
//
//	--- a/synth/layers/bound.go
//	+++ b/synth/layers/bound.go
//	@@ ...
//
// A line of tests is a package and, if not all of its tests are run, the pattern of go test
// -run; a pattern that begins with "-" is that of -skip.
//
// To look at one defect by hand:
//
//	git apply cmd/trust/defects/patches/synthesis/the-clique-of-paths-is-one-too-great.patch
//	go test ./synth/layers -run TestClique
//	git checkout synth/layers
//
// To add a defect: change the code, write `git diff -U1` into a file of patches, put the first
// lines above it. TestPatches checks that every patch applies and that the result compiles.
//
// The stage never changes the source tree: go test -overlay replaces the patched files.
//
// Read first: doc.go, patches.
package defects

import "github.com/turnproof/turnproof/cmd/trust/stage"

// Stage runs TestDefects, which tries every seeded defect.
var Stage = stage.Stage{Name: "defects", Title: "Seeded defects", Run: stage.Tests("cmd/trust/defects", "^TestDefects$"), Divisible: true}
