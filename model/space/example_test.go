package space_test

import (
	"fmt"

	"github.com/turnproof/turnproof/model/space"
)

// West-first is a published set of the eight turns of 2-D meshes. It prohibits the two turns to
// the west.
func ExampleParse() {
	s, err := space.Parse("mesh:2", space.Options{})
	if err != nil {
		panic(err)
	}
	fmt.Println(len(s.Turns), "class turns,", len(s.Symmetries), "symmetries")
	for _, p := range s.Published() {
		fmt.Println(p.Name, "prohibits", s.Names(p.Prohibited))
	}
	// Output:
	// 8 class turns, 8 symmetries
	// dimension-order prohibits [y+>x+ y+>x- y->x+ y->x-]
	// negative-first prohibits [x+>y- y+>x-]
	// west-first prohibits [y+>x- y->x-]
	// north-last prohibits [y+>x+ y+>x-]
}

func ExampleSpace_ParseSet() {
	s, err := space.Parse("mesh:2", space.Options{})
	if err != nil {
		panic(err)
	}
	xy, err := s.ParseSet("x+>y+ x+>y- x->y+ x->y-")
	if err != nil {
		panic(err)
	}
	fmt.Println(xy.Len(), "allowed,", s.Names(s.All().Minus(xy)), "prohibited")
	_, err = s.ParseSet("x+>z+")
	fmt.Println(err)
	// Output:
	// 4 allowed, [y+>x+ y+>x- y->x+ y->x-] prohibited
	// space mesh:2: no class turn "x+>z+" (did you mean x+>y+?); want one of x+>y+, x+>y-, x->y+, x->y-, y+>x+, y+>x-, y->x+, y->x-
}
