package enumerate_test

import (
	"context"
	"fmt"

	"github.com/turnproof/turnproof/model/space"
	"github.com/turnproof/turnproof/synth/enumerate"
)

// Glass and Ni, ISCA 1992: of the 16 ways to prohibit one turn of each cycle of the
// plane 12 are free of deadlock, 3 up to symmetry.
func ExampleEnumerator_Count() {
	s, err := space.Parse("mesh:2", space.Options{})
	if err != nil {
		panic(err)
	}
	e, err := enumerate.New(s)
	if err != nil {
		panic(err)
	}
	sets, _, err := e.Choose(0)
	if err != nil {
		panic(err)
	}
	counts, err := e.Count(context.Background(), enumerate.OnePerCycle)
	if err != nil {
		panic(err)
	}
	fmt.Println(sets, "sets,", counts.Free, "free,", counts.Connected, "connected,", counts.Classes, "classes")
	// Output:
	// 16 sets, 12 free, 12 connected, 3 classes
}

// ByOrders finds the maximal sets of 2-D meshes. If a turn is added to one, some mesh has a cycle.
func ExampleEnumerator_ByOrders() {
	s, err := space.Parse("mesh:2", space.Options{})
	if err != nil {
		panic(err)
	}
	e, err := enumerate.New(s)
	if err != nil {
		panic(err)
	}
	list, err := e.ByOrders(context.Background())
	if err != nil {
		panic(err)
	}
	_, classes, _ := e.Group(list)
	fmt.Println(len(list), "maximal sets,", classes, "up to symmetry; the first prohibits", s.Names(s.All().Minus(list[0])))
	// Output:
	// 12 maximal sets, 3 up to symmetry; the first prohibits [y->x+ y->x-]
}
