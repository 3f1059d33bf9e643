package turnmodel

import (
	"testing"

	"github.com/turnproof/turnproof/examples/papers/paper"
)

// TestJudges checks that claims on tables 2 and 3 hold and fail as the values of the table say.
func TestJudges(t *testing.T) {
	fill := func(scale float64) *paper.Result {
		r := &paper.Result{}
		for _, m := range turnMethods {
			for k, q := range columns {
				v := table3[m][k]
				if m != "updown" {
					v *= scale
				}
				r.AddRow(m, q, "x", table3[m][k], v)
			}
		}
		return r
	}
	for scale, want := range map[float64]paper.Verdict{1: paper.Holds, 0.3: paper.Fails} {
		for _, c := range table3Claims() {
			got := c.Judge(fill(scale)).Verdict
			switch c.Name {
			case "turn-model/torus-more-even", "turn-model/torus-rturn-below-lturn":
				continue // both scales keep the order
			}
			if got != want {
				t.Errorf("%s: %s for published values times %g, want %s", c.Name, got, scale, want)
			}
		}
	}
	for _, c := range table2Claims() {
		if got := c.Judge(&paper.Result{}).Verdict; got == paper.Holds {
			t.Errorf("%s holds without rows", c.Name)
		}
	}
}
