// Package papers lists the tables and figures of papers that the packages below compute. The command
// reproduce runs them and prints their rows.
//
// To add a reproduction, add an entry to the list of its paper's package. To add a paper, add a package
// and its list to All.
package papers

import (
	"fmt"
	"slices"

	"github.com/turnproof/turnproof/examples/papers/flowlimiting"
	"github.com/turnproof/turnproof/examples/papers/nfplus1"
	"github.com/turnproof/turnproof/examples/papers/paper"
	"github.com/turnproof/turnproof/examples/papers/turnaddition"
	"github.com/turnproof/turnproof/examples/papers/turnmodel"
	"github.com/turnproof/turnproof/examples/papers/vlan"
	"github.com/turnproof/turnproof/internal/registry"
	"github.com/turnproof/turnproof/internal/spelling"
)

// All returns the reproductions of all papers.
func All() []paper.Reproduction {
	return slices.Concat(turnmodel.Reproductions(), nfplus1.Reproductions(), turnaddition.Reproductions(), flowlimiting.Reproductions(), vlan.Reproductions())
}

// Find returns the reproduction with the given name.
func Find(name string) (paper.Reproduction, error) {
	p, err := registry.Find("reproduction", name, All(), nameOf)
	if err != nil { // the error would list too many names
		err = fmt.Errorf("nothing called %q to reproduce%s; --list lists the names", name, spelling.Suggest(name, Names()))
	}
	return p, err
}

// Names returns the names of All.
func Names() []string { return registry.Names(All(), nameOf) }

func nameOf(p paper.Reproduction) string { return p.Name }
