// Package papers lists the papers whose figures, tables and claims turnproof computes, and keeps the
// record of the results. The command reproduce prints them.
//
// To add an item or a claim, add an entry to the list of its paper's package. To add a paper, add a package
// and its paper to All.
//
// Read first: papers.go lists them; paper has what all share (points.go stores long computations, plan.go lists
// them for several machines); then a package for each paper.
package papers

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"fmt"
	"slices"
	"strings"

	"github.com/turnproof/turnproof/examples/papers/classics"
	"github.com/turnproof/turnproof/examples/papers/flowlimiting"
	"github.com/turnproof/turnproof/examples/papers/nfplus1"
	"github.com/turnproof/turnproof/examples/papers/paper"
	"github.com/turnproof/turnproof/examples/papers/turnaddition"
	"github.com/turnproof/turnproof/examples/papers/turnmodel"
	"github.com/turnproof/turnproof/examples/papers/vlan"
	"github.com/turnproof/turnproof/internal/spelling"

	_ "github.com/turnproof/turnproof/synth/makers" // experiments read routings by name
)

// All returns all papers.
func All() []paper.Paper {
	return slices.Concat([]paper.Paper{turnmodel.Paper(), nfplus1.Paper(), turnaddition.Paper(), flowlimiting.Paper(), vlan.Paper()}, classics.Papers())
}

// Found is what a name of a paper, an item or a claim stands for. Claim is nil for an item; Item and Claim
// are nil for a paper.
type Found struct {
	Paper *paper.Paper
	Item  *paper.Item
	Claim *paper.Claim
}

// Find returns the paper, item or claim with the given name.
func Find(name string) (Found, error) {
	for f := range everything() {
		if f.Name() == name {
			return f, nil
		}
	}
	var parts []string // of a figure in several parts
	for _, letter := range "abcd" {
		if part := name + string(letter); slices.Contains(Names(), part) {
			parts = append(parts, part)
		}
	}
	if parts != nil {
		return Found{}, fmt.Errorf("%s has parts: %s", name, strings.Join(parts, ", "))
	}
	return Found{}, fmt.Errorf("nothing called %q to reproduce%s; --list lists the names", name, spelling.Suggest(name, Names()))
}

// Names returns the names of all papers, items and claims.
func Names() (list []string) {
	for f := range everything() {
		list = append(list, f.Name())
	}
	return list
}

// everything goes through all papers, with their items and claims.
func everything() func(yield func(Found) bool) {
	return func(yield func(Found) bool) {
		for _, p := range All() {
			if !yield(Found{Paper: &p}) {
				return
			}
			for i := range p.Items {
				x := &p.Items[i]
				if !yield(Found{&p, x, nil}) {
					return
				}
				for k := range x.Claims {
					if !yield(Found{&p, x, &x.Claims[k]}) {
						return
					}
				}
			}
		}
	}
}

// Name returns the name of the paper, item or claim.
func (f Found) Name() string {
	switch {
	case f.Claim != nil:
		return f.Claim.Name
	case f.Item != nil:
		return f.Item.Name
	}
	return f.Paper.Name
}

// recorded is a journal of the points of all items, compressed.
//
//go:embed record.jsonl.gz
var recorded []byte

// Record returns a store with the recorded results of all items' default readings, at the full lengths. It has those of other
// readings, too, where the reason of a claim names them.
func Record() (*paper.Store, error) {
	s := paper.NewStore()
	z, err := gzip.NewReader(bytes.NewReader(recorded))
	if err == nil {
		err = s.ReadRecord(z)
	}
	if err != nil {
		return nil, fmt.Errorf("record: %w", err)
	}
	return s, nil
}
