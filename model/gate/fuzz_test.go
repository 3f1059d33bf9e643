package gate

import "testing"

// FuzzRule checks that a rule is refused, or does not change when it is written and read again.
func FuzzRule(f *testing.F) {
	for _, text := range []string{"turn,f=f4,level=8", "injection,level=8", "both,f=f1", "turn", "injection,level=99999999999999999999", "both,f=(", "turn,=,="} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		r, err := Parse(text)
		if err != nil {
			return
		}
		again, err := Parse(r.String())
		if err != nil || again.String() != r.String() {
			t.Fatalf("%q is %s, then %s (%v)", text, r, again, err)
		}
	})
}
