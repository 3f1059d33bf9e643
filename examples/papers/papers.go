// Package papers lists the tables and figures of papers that the packages below compute. The command
// reproduce runs them and prints their rows.
//
// To add a reproduction, add an entry to the list of its paper's package. To add a paper, add a package
// and its list to All.
package papers

import (
	"slices"

	"github.com/turnproof/turnproof/examples/papers/flowlimiting"
	"github.com/turnproof/turnproof/examples/papers/nfplus1"
	"github.com/turnproof/turnproof/examples/papers/paper"
	"github.com/turnproof/turnproof/examples/papers/turnaddition"
	"github.com/turnproof/turnproof/examples/papers/turnmodel"
	"github.com/turnproof/turnproof/examples/papers/vlan"
)

// All returns the reproductions of all papers.
func All() []paper.Reproduction {
	return slices.Concat(turnmodel.Reproductions(), nfplus1.Reproductions(), turnaddition.Reproductions(), flowlimiting.Reproductions(), vlan.Reproductions())
}
