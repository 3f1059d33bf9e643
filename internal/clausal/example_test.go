package clausal_test

import (
	"context"
	"fmt"

	"github.com/turnproof/turnproof/internal/clausal"
)

// Two clauses have a model. With a third one they have none.
func ExampleSolver() {
	s := clausal.New(2)
	s.Add(0, 1, 2)
	s.Add(0, -1)
	fmt.Println(s.Solve(context.Background()), s.True(2))
	s.Add(0, -2)
	fmt.Println(s.Solve(context.Background()))
	// Output:
	// sat true
	// unsat
}
