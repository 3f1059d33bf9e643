package yamldoc

import (
	"strings"
	"testing"
)

func TestDepth(t *testing.T) {
	for text, want := range map[string]int{
		"": 0, "a: 1\n": 0, "[[a], [b]]": 2, "a: [\n{b: [\n1]}]": 3, "a: \"[[[\"\nb: '{{'\n": 0, `a: "\"[" [`: 1, "]]][": 1,
		"- - - a": 3, "a:\n  b:\n    c: 1\n": 2, "? ? a": 2, strings.Repeat("[", 100_000): 100_000, "- [\n- [": 3,
	} {
		if got := depth([]byte(text)); got != want {
			t.Errorf("%.40q: %d, want %d", text, got, want)
		}
	}
}
