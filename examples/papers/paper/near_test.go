package paper

import "testing"

// TestNear checks the bands at their ends.
func TestNear(t *testing.T) {
	for _, c := range []struct {
		name      string
		got, want bool
	}{
		{"10 % above", Near(1.1, 1), true}, {"more than 10 % above", Near(1.101, 1), false}, {"10 % below", Near(0.9, 1), true},
		{"of nothing", Near(0.01, 0), false}, {"gains as ratios", NearGain(34.2, 49), true}, {"a gain too small", NearGain(34, 49), false},
		{"rounded", AsPrinted(2.640625, 2.641, 3), true}, {"cut off", AsPrinted(2.640625, 2.640, 3), true},
		{"another digit", AsPrinted(23.43/19.78, 1.23, 2), false}, {"whole numbers", AsPrinted(17, 17, 0), true}, {"one more", AsPrinted(18, 17, 0), false},
	} {
		if c.got != c.want {
			t.Errorf("%s: %t", c.name, c.got)
		}
	}
}
