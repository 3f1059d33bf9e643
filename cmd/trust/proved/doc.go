// Package proved compares the checker that is proved correct in Coq (verify/proved) with the one in
// Go (verify/cert), on certificates as they are written and on changed ones.
//
// Both checkers must say the same about everything that the proved checker judges. A certificate on
// which they differ is made smaller and kept in testdata.
package proved

import "github.com/turnproof/turnproof/cmd/trust/stage"

// Stage builds the proved checker and runs TestAgree with 100,000 changed certificates, then TestSizes with as many for every
// size.
var Stage = stage.Stage{Name: "proved", Title: "A checker that is proved correct says the same", Run: stage.Tests("cmd/trust/proved", "^Test(Agree|Sizes)$")}
