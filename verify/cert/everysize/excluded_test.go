package everysize_test

import (
	"bytes"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/internal/arithmetic"
	"github.com/turnproof/turnproof/verify/cert"
	"github.com/turnproof/turnproof/verify/cert/everysize"
)

// TestExcluded accepts a certificate with sets of conditions that no packet satisfies. Without one of its sets, with sets that packets
// satisfy, or with lists that end early, it has no proof.
func TestExcluded(t *testing.T) {
	text, err := os.ReadFile("testdata/faults/excluded/other-way.cert")
	if err != nil {
		t.Fatal(err)
	}
	fresh := func() *cert.Certificate {
		c, err := cert.Read(bytes.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	proves := func(change func(c *cert.SizeClass)) bool {
		c := fresh()
		for _, one := range c.Claims[0].Sizes.Cases {
			for i := range one.Classes {
				change(&one.Classes[i])
			}
		}
		_, err := everysize.Prove(c, &arithmetic.Search{Limit: 2000})
		return err == nil
	}
	if err := cert.Check(fresh()); err != nil || !strings.Contains(everysize.Theorem(fresh()), "at most one failed link anywhere") {
		t.Fatal(err, everysize.Theorem(fresh()))
	}
	if !proves(func(*cert.SizeClass) {}) {
		t.Error("no proof was found again")
	}
	sets := 0
	for _, one := range fresh().Claims[0].Sizes.Cases {
		for _, c := range one.Classes {
			if len(c.Excluded) == 0 {
				continue
			}
			sets++
			at := func(other *cert.SizeClass) bool {
				return other.Direction == c.Direction && other.Wrap == c.Wrap && other.State == c.State
			}
			width := (len(c.Excluded) - 1) / int(c.Excluded[0]) // of a condition, if there is one set
			for name, excluded := range map[string]cert.Ints{
				"no set":                    nil,
				"the set of all packets":    {0},
				"the first condition alone": append(cert.Ints{1}, c.Excluded[1:1+width]...),
				"a list that ends early":    c.Excluded[:len(c.Excluded)-1],
				"a number more":             append(slices.Clone(c.Excluded), 1),
			} {
				if proves(func(other *cert.SizeClass) {
					if at(other) {
						other.Excluded = excluded
					}
				}) {
					t.Errorf("proved with %s in direction %d, wrap %v, state %d", name, c.Direction, c.Wrap, c.State)
				}
			}
		}
	}
	if sets == 0 {
		t.Error("no sets")
	}
}
