// Package kinds registers all kinds of evidence that package cert does not judge
// itself. A program that checks any certificate imports it for its effect; a prover
// imports the judges of its own evidence only:
//
//	import _ "github.com/turnproof/turnproof/verify/cert/kinds"
//
// To add a kind of evidence:
//
//  1. Add its name, and the fields of Claim that are new, to verify/cert/otherformats.go, to
//     turnsformat.go, streamsformat.go or transitionformat.go if it is for turns, streams or transitions, or to format.go if it is for tables and
//     relations. Describe a new field in fieldSummaries in verify/cert/summary/summary.go.
//  2. Write its judge, and add a cert.Kind to the list evidenceKinds of the judge's package, or to
//     verify/cert/corekinds.go if it is for tables and relations. A package that is new registers its
//     list in init; import it below, and in the package of its prover.
//  3. Keep a certificate of it in verify/cert/testdata/kept, and run the tests of verify/cert with
//     -update. Issue it in certify in verify/cert/check_test.go, so that it is mutated.
//  4. Add it to verify/proved/kinds.ml, and new fields to form.ml. The proved checker refuses what it
//     does not judge.
//
// To add a claim, also add it to claimOrder in verify/cert/kinds.go, to Report.Claims in
// verify/claim.go, to ClaimNote in verify/explain/claims.go, to rules in
// cmd/turnproof/check/findings.go, to docs/schema/check.json, and a page to docs/theorems.
//
// Tests say which of these steps are missing.
package kinds

import (
	_ "github.com/turnproof/turnproof/verify/cert/bounds"
	_ "github.com/turnproof/turnproof/verify/cert/bubbles"
	_ "github.com/turnproof/turnproof/verify/cert/everysize"
	_ "github.com/turnproof/turnproof/verify/cert/family"
	_ "github.com/turnproof/turnproof/verify/cert/gates"
	_ "github.com/turnproof/turnproof/verify/cert/messages"
	_ "github.com/turnproof/turnproof/verify/cert/product"
	_ "github.com/turnproof/turnproof/verify/cert/recipes"
	_ "github.com/turnproof/turnproof/verify/cert/streams"
	_ "github.com/turnproof/turnproof/verify/cert/transition"
	_ "github.com/turnproof/turnproof/verify/cert/turns"
)
