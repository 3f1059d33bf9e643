package family_test

import (
	"context"
	"fmt"

	"github.com/turnproof/turnproof/model/space"
	"github.com/turnproof/turnproof/verify/cert"
	"github.com/turnproof/turnproof/verify/family"
)

// West-first has no cycle on any mesh of two dimensions, by ranks.
func ExampleDecider_Decide() {
	s, err := space.Parse("mesh:2", space.Options{})
	if err != nil {
		panic(err)
	}
	prohibited, err := s.ParseSet("y+>x- y->x-")
	if err != nil {
		panic(err)
	}
	d := family.New(s)
	v, err := d.Decide(s.All().Minus(prohibited))
	if err != nil {
		panic(err)
	}
	fmt.Println("acyclic on", s.About, v.Acyclic)
	for p, rank := range v.Ranks {
		fmt.Println(s.Places[p].Name, d.String(rank))
	}
	certificate, err := d.Certificate(v.Set, family.Evidence{Verdict: v, Connected: true})
	if err != nil {
		panic(err)
	}
	fmt.Println("the checker says:", cert.Check(certificate))
	// Output:
	// acyclic on all meshes of 2 dimensions with sides of 2 or more true
	// x+ (1, x, 1)
	// x- (0, -x)
	// y+ (1, x, 3, y)
	// y- (1, x, 2, -y)
	// the checker says: <nil>
}

// With all turns allowed, a member of the family has a cycle.
func ExampleDecider_Refute() {
	s, err := space.Parse("mesh:2", space.Options{})
	if err != nil {
		panic(err)
	}
	w, err := family.New(s).Refute(context.Background(), s.All())
	if err != nil {
		panic(err)
	}
	fmt.Println("a cycle of", len(w.Cycle), "on", w.Name)
	// Output:
	// a cycle of 4 on mesh:2x2
}
