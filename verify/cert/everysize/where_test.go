package everysize_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/internal/arithmetic"
	"github.com/turnproof/turnproof/model/program"
	"github.com/turnproof/turnproof/verify/cert/everysize"
)

// TestSizesOfConditions: for random conditions, the judge and package program have the same networks.
func TestSizesOfConditions(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 31))
	pick := func(list ...string) string { return list[rng.IntN(len(list))] }
	read, wide := 0, 0
	for range 150 {
		family := pick("mesh(n, m)", "torus(n, m)", `torus(n, m, wrap = "y")`, "mesh(n, n)", "torus(*n)", "mesh(m, 3)")
		var list []string
		for range 1 + rng.IntN(3) {
			sum := func() string {
				return pick("n", "m", "n + m", "2 * n - m", "3", "n * 1", "4 - m", "(n + 2) * 2 - n", "n - n", "7")
			}
			list = append(list, pick(sum()+pick(" < ", " <= ", " > ", " >= ", " == ")+sum(), "("+sum()+") % "+pick("2", "3")+" == "+pick("0", "1", "4"),
				pick("n", "m")+" >= "+pick("1", "2", "3", "4")))
		}
		text := fmt.Sprintf("family = %s\nwhere = [%s]\ndef route(cur, dst, inp):\n    return productive(cur, dst)\n", family, strings.Join(list, ", "))
		p, err := program.Parse("p.star", text)
		e, errOf := everysize.Evaluate(text, 2, &arithmetic.Search{})
		if (err == nil) != (errOf == nil) {
			t.Fatalf("%v, the judge: %v\n%s", err, errOf, text)
		}
		if err != nil {
			continue
		}
		read++
		shape, _ := p.Family.Shape(2)
		for x := range 9 {
			for y := range 9 {
				sides := []int{x, y}
				fits := p.Family.Failing(sides) == nil && !(shape[0].Name == shape[1].Name && x != y)
				for d, s := range shape {
					name := s.Name
					if p.Family.AnyDims != "" {
						name = p.Family.AnyDims
					}
					fits = fits && (s.Name == "" && sides[d] == s.Length || s.Name != "" && sides[d] >= p.Family.Least(name))
				}
				if !fits && shape[0].Name == shape[1].Name && x != y || shape[1].Name == "" && y != 3 {
					continue // the point has no such sides
				}
				n := &small{p: p, sides: sides}
				last := [3]int{max(x-1, 0), max(y-1, 0)}
				if got := e.Allows(n.point([3]int{}, last, [3]int{})); got != (fits && last != [3]int{}) {
					t.Errorf("%v: the judge says %v\n%s", sides, got, text)
				}
				if fits {
					wide++
				}
			}
		}
	}
	if read < 40 || wide < 500 {
		t.Errorf("%d programs, %d networks", read, wide)
	}
}
