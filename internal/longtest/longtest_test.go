package longtest

import "testing"

func TestShare(t *testing.T) {
	for _, c := range []struct {
		value string
		want  int
	}{{"", 30}, {"1", 120}} {
		t.Setenv(Variable, c.value)
		if got := Share(120, 4); got != c.want || On() != (c.value != "") {
			t.Errorf("%s=%q: %d cases, want %d; long: %v", Variable, c.value, got, c.want, On())
		}
		skipped := true
		t.Run("only", func(t *testing.T) {
			Only(t, "nothing is covered")
			skipped = false
		})
		if skipped == On() {
			t.Errorf("%s=%q: skipped %v", Variable, c.value, skipped)
		}
	}
}
