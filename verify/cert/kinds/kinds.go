// Package kinds registers the kinds of evidence that package cert does not judge
// itself. A program that checks certificates imports it for its effect:
//
//	import _ "github.com/turnproof/turnproof/verify/cert/kinds"
//
// To add a kind of evidence:
//
//  1. Add its name, and the fields of Claim that are new, to verify/cert/otherformats.go, to
//     turnsformat.go or streamsformat.go if it is for turns or streams, or to format.go if it is for tables and
//     relations. Describe a new field in fieldSummaries in verify/cert/summary/summary.go.
//  2. Write its judge, and add a cert.Kind to the list Kinds of the judge's package, or to
//     verify/cert/corekinds.go if it is for tables and relations. For a package that is new, add the
//     list below as well.
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
	"slices"

	"github.com/turnproof/turnproof/verify/cert"
	"github.com/turnproof/turnproof/verify/cert/bounds"
	"github.com/turnproof/turnproof/verify/cert/bubbles"
	"github.com/turnproof/turnproof/verify/cert/everysize"
	"github.com/turnproof/turnproof/verify/cert/family"
	"github.com/turnproof/turnproof/verify/cert/gates"
	"github.com/turnproof/turnproof/verify/cert/messages"
	"github.com/turnproof/turnproof/verify/cert/product"
	"github.com/turnproof/turnproof/verify/cert/streams"
	"github.com/turnproof/turnproof/verify/cert/turns"
)

func init() {
	cert.Register(
		[]cert.SubjectKind{turns.Subject(), gates.Subject(), bubbles.Subject(),
			product.Subject(), family.Subject(), streams.Subject(), everysize.Subject()},
		slices.Concat(turns.Kinds(), bounds.Kinds(), gates.Kinds(), bubbles.Kinds(), messages.Kinds(), product.Kinds(), family.Kinds(),
			streams.Kinds(), everysize.Kinds()),
	)
}
