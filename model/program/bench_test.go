package program_test

import (
	"testing"

	"github.com/turnproof/turnproof/model/program"
	"github.com/turnproof/turnproof/model/topo"
)

// BenchmarkRelation compiles a program whose route reads how the packet came.
func BenchmarkRelation(b *testing.B) {
	p, err := program.Read("../../examples/routing-programs/published/nf+1.torus.star")
	if err != nil {
		b.Fatal(err)
	}
	n, err := topo.Parse("torus:12x12")
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, _, err := p.Relation(b.Context(), n); err != nil {
			b.Fatal(err)
		}
	}
}
