package cert

import (
	"strings"
	"testing"
)

// Parts that the certificates of this package's generators do not use fully.

func TestIsProduct(t *testing.T) {
	for _, c := range []struct {
		n, a, b int
		want    bool
	}{
		{0, 0, 0, true}, {0, 3, 0, true}, {0, 0, 3, true}, {3, 3, 0, false}, {3, 0, 3, false}, {3, 0, 0, false},
		{6, 2, 3, true}, {6, 3, 2, true}, {7, 2, 3, false}, {8, 2, 3, false}, {6, 3, 3, false}, {9, 2, 3, false}, {5, 2, 3, false},
		{0, 1 << 62, 4, false}, // whose product does not fit
	} {
		if got := isProduct(c.n, c.a, c.b); got != c.want {
			t.Errorf("%d is %d times %d: %v", c.n, c.a, c.b, got)
		}
	}
}

func TestExcerpt(t *testing.T) {
	long := strings.Repeat("0123456789", 20)
	for _, c := range []struct {
		text string
		at   int
		want string
	}{{"a\nb", 0, "a"}, {long, 60, long[:100]}, {long, 61, long[41:141]}, {long, 200, long[180:]}, {long, 201, long[:100]}, {long + "\nx", 150, long[130:]}} {
		if got := string(excerpt([]byte(c.text), c.at)); got != c.want {
			t.Errorf("%d: %q, want %q", c.at, got, c.want)
		}
	}
}
