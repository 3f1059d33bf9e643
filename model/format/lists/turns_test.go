package lists

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format"
	"github.com/turnproof/turnproof/model/topo"
)

// TestLists: turns and channels are read with numbers, names and *. Errors name the mistake in a
// line.
func TestLists(t *testing.T) {
	n, err := topo.Parse("mesh:3x3")
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "list")
	for _, c := range []struct {
		text, want string // want: the turns, the channels, or an error
		k          int
	}{
		{"0 1 2 # a comment\n\n", "1", 3},
		{"* 4 *", "12", 3},
		{"* * *", "44", 3},
		{"\"(0,0)\" \"(1,0)\" *\n0 1 4\n", "2", 3},
		{"0 1\n", "1", 2},
		{"* 4\n", "4", 2},
		{"0 1 2\n0 2 1\n", ":2: \"0 2 1\": there is nothing between these switches", 3},
		{"0 1\n", ":1: \"0 1\": 3 switches were expected, from, by and to", 3},
		{"0 9\n", ":1: no switch 9", 2},
		{"0 0\n", ":1: \"0 0\": there is nothing", 2},
	} {
		if err := os.WriteFile(path, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		var got string
		if c.k == 3 {
			set, err := ReadTurns(path, n, format.Options{})
			if got = fmt.Sprint(err); err == nil {
				got = fmt.Sprint(set.Len())
			}
		} else {
			list, err := ReadChannels(path, n, format.Options{})
			if got = fmt.Sprint(err); err == nil {
				got = fmt.Sprint(len(list))
			}
		}
		if got != c.want && (c.want[0] != ':' || !strings.Contains(got, c.want)) {
			t.Errorf("%q: %s, want %s", c.text, got, c.want)
		}
	}
}

func FuzzTurnList(f *testing.F) {
	f.Add("0 1 2\n* 4 *\n")
	n, err := topo.Parse("mesh:3x3")
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text string) {
		path := filepath.Join(t.TempDir(), "list")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if set, err := ReadTurns(path, n, format.Options{}); err == nil && set.Len() > 44 {
			t.Errorf("%d turns of 44", set.Len())
		}
		if list, err := ReadChannels(path, n, format.Options{}); err == nil {
			for i, c := range list {
				if i > 0 && list[i-1] >= c || n.Kind(c) != model.SwitchToSwitch {
					t.Errorf("channel %d", c)
				}
			}
		}
	})
}
