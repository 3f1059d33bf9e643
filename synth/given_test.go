package synth

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/topo"
)

// TestOrderFile: the turns of a file are tested first. On a ring only the turn tested last is prohibited.
func TestOrderFile(t *testing.T) {
	n, err := topo.Parse("ring:4")
	if err != nil {
		t.Fatal(err)
	}
	made := func(text string) (*Result, error) {
		file := filepath.Join(t.TempDir(), "order")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return New(context.Background(), "turn-addition", n, Options{OrderFile: file})
	}
	for last := range model.SwitchID(4) {
		var text strings.Builder
		for u := range model.SwitchID(4) {
			if u != last {
				text.WriteString(line(u))
			}
		}
		for _, order := range []string{text.String(), line(last)[:5] + " 1\n" + strings.ReplaceAll(text.String(), "\n", " 5\n")} {
			r, err := made(order)
			if err != nil {
				t.Fatal(err)
			}
			p := Count(r.Allowed)
			if p.Prohibited != 2 || p.PerSwitch[last] != 2 {
				t.Errorf("order %q: prohibited %v", order, p.PerSwitch)
			}
		}
	}
	for text, want := range map[string]string{"0 1\n": "want three switches", "0 1 9\n": "no switch 9 in the network", "0 2 1\n": "no turn leads from", "0 1 2 x\n": "weight",
		"0 1 2\n2 1 0\n": "is given twice"} {
		if _, err := made(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

// line is the turn through a switch of the ring.
func line(u model.SwitchID) string {
	digit := func(v model.SwitchID) string { return string(rune('0' + (v+4)%4)) }
	return digit(u-1) + " " + digit(u) + " " + digit(u+1) + "\n"
}
