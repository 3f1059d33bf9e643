// Package kinds registers the kinds of evidence that package cert does not judge
// itself. A program that checks certificates imports it for its effect:
//
//	import _ "github.com/turnproof/turnproof/verify/cert/kinds"
//
// To add a kind of evidence:
//
//  1. Add its name, and the fields of Claim that are new, to verify/cert/otherformats.go, or
//     to format.go if it is for tables and relations.
//  2. Write its judge, and add a cert.Kind to the list Kinds of the judge's package. For a
//     package that is new, add the list below as well.
//  3. Keep a certificate of it in testdata/kept, and run the tests of this package with -update.
//  4. Add it to verify/proved/kinds.ml.
//
// The tests of this package say which of these steps are missing.
package kinds

import (
	"slices"

	"github.com/turnproof/turnproof/verify/cert"
	"github.com/turnproof/turnproof/verify/cert/bounds"
	"github.com/turnproof/turnproof/verify/cert/family"
	"github.com/turnproof/turnproof/verify/cert/gates"
	"github.com/turnproof/turnproof/verify/cert/messages"
	"github.com/turnproof/turnproof/verify/cert/product"
	"github.com/turnproof/turnproof/verify/cert/turns"
)

func init() {
	cert.Register(
		[]cert.SubjectKind{turns.Subject(), gates.Subject(), product.Subject(), family.Subject()},
		slices.Concat(turns.Kinds(), bounds.Kinds(), gates.Kinds(), messages.Kinds(), product.Kinds(), family.Kinds()),
	)
}
