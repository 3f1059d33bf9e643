//go:build z3 && cgo

package parametric_test

import (
	"context"
	"fmt"

	"github.com/turnproof/turnproof/model/program"
	"github.com/turnproof/turnproof/verify/parametric"
)

// Dimension order, proved for meshes of every size.
func ExampleProve() {
	p, err := program.Parse("xy.star", `family = mesh(n, m)

def route(cur, dst, inp):
    if dst.x > cur.x: return [E]
    if dst.x < cur.x: return [W]
    if dst.y > cur.y: return [N]
    return [S]
`)
	if err != nil {
		panic(err)
	}
	r, err := parametric.Prove(context.Background(), p, parametric.Options{})
	if err != nil {
		panic(err)
	}
	fmt.Println(r.Family, r.Sizes, r.Verdict)
	for _, c := range r.Claims {
		fmt.Println(c.Name, c.Verdict)
	}
	// Output:
	// mesh(n, m) n, m >= 2 proved
	// deadlock-free proved
	// connected proved
	// livelock-free proved
}
