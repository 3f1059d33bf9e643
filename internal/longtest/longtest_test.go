package longtest

import "testing"

// TestRuns checks what the runs try.
func TestRuns(t *testing.T) {
	for _, c := range []struct {
		value                 string
		half, hundredth, five int
		isLong, isFull        bool
	}{{"", 60, 1, 5, false, false}, {"1", 120, 10, 50, true, false}, {Full, 120, 120, 700, true, true}} {
		t.Setenv(Variable, c.value)
		if half, hundredth, five := Share(120, 2), Share(120, 100), Cases(5, 700); half != c.half || hundredth != c.hundredth || five != c.five || On() != c.isLong {
			t.Errorf("%s=%q: %d, %d and %d cases; long: %v; want %+v", Variable, c.value, half, hundredth, five, On(), c)
		}
		only, onlyFull := false, false
		t.Run("only", func(t *testing.T) {
			Only(t, "nothing is covered")
			only = true
		})
		t.Run("full", func(t *testing.T) {
			OnlyFull(t, "nothing is covered")
			onlyFull = true
		})
		if only != c.isLong || onlyFull != c.isFull {
			t.Errorf("%s=%q: long tests run: %v, full tests run: %v", Variable, c.value, only, onlyFull)
		}
	}
}
