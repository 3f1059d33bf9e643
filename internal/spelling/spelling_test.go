package spelling_test

import (
	"testing"

	"github.com/turnproof/turnproof/internal/spelling"
)

func TestNearest(t *testing.T) {
	names := []string{"dor", "duato", "updown", "west-first", "xy"}
	for word, want := range map[string]string{
		"updwon": "updown", "DUATO": "duato", "west": "west-first", "west-frist": "west-first", "dir": "dor",
		"zzz": "", "d": "", "": "", "downup": "", "yx": "xy",
	} {
		if got := spelling.Nearest(word, names); got != want {
			t.Errorf("%q: %q, want %q", word, got, want)
		}
	}
	if got := spelling.Suggest("updwon", names); got != " (did you mean updown?)" {
		t.Errorf("got %q", got)
	}
	if got := spelling.Suggest("nothing", names); got != "" {
		t.Errorf("got %q", got)
	}
}
