package program_test

import (
	"context"
	"fmt"

	"github.com/turnproof/turnproof/cdg"
	"github.com/turnproof/turnproof/model/program"
	"github.com/turnproof/turnproof/model/topo"
)

const westFirst = `family = mesh(n, m)

def route(cur, dst, inp):
    if dst.x < cur.x:
        return [W]
    out = []
    if dst.x > cur.x: out.append(E)
    if dst.y > cur.y: out.append(N)
    if dst.y < cur.y: out.append(S)
    return out
`

// A program, compiled for one network of its family.
func ExampleProgram_Relation() {
	p, err := program.Parse("west-first.star", westFirst)
	if err != nil {
		panic(err)
	}
	net, err := topo.Parse("mesh:4x4")
	if err != nil {
		panic(err)
	}
	relation, notes, err := p.Relation(context.Background(), net)
	if err != nil {
		panic(err)
	}
	g, err := cdg.Build(context.Background(), relation)
	if err != nil {
		panic(err)
	}
	_, acyclic := g.Numbering()
	fmt.Println(&p.Family, "with", p.VCs, "VC,", len(notes), "notes")
	fmt.Println(g.NumDependencies(), "dependencies, acyclic:", acyclic)
	// Output:
	// mesh(n, m) with 1 VC, 0 notes
	// 86 dependencies, acyclic: true
}

// Errors name the position in the text.
func ExampleParse() {
	_, err := program.Parse("loop.star", "family = mesh(n, n)\n\ndef route(cur, dst, inp):\n    while True:\n        pass\n")
	fmt.Println(err)
	// Output:
	// program: loop.star:4:5: while is not available: loops run over lists and ranges
}
