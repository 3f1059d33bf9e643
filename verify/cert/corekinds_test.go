package cert

import (
	"slices"
	"testing"
)

// TestCoreKinds checks the kinds that this package judges itself, as Register checks the others.
func TestCoreKinds(t *testing.T) {
	all := kinds
	t.Cleanup(func() { kinds = all })
	kinds = nil
	for _, k := range coreKinds {
		k.Subjects = slices.DeleteFunc(slices.Clone(k.Subjects), func(s string) bool { return s == "gates" }) // package kinds registers it
		if err := checkKind(&k); err != nil {
			t.Errorf("%s %s by %s in corekinds.go: %v", k.Claim, k.Verdict, k.Evidence, err)
		}
		kinds = append(kinds, k)
	}
}
