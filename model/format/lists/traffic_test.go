package lists

import (
	"math"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/internal/formattest"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format/textfile"
)

func parseTraffic(text string, n *model.Network) (*model.Traffic, error) {
	src, err := textfile.New("traffic", strings.NewReader(text), nil)
	if err != nil {
		return nil, err
	}
	return readTraffic(src, n)
}

func TestTraffic(t *testing.T) {
	n := formattest.Line3(t)
	tr, err := parseTraffic("# all\n* * 2 # ground\n0 * 3\n\n* 2 0.5\n0 1 7", n)
	if err != nil {
		t.Fatal(err)
	}
	want := [3][3]float64{{0, 7, 0.5}, {2, 0, 0.5}, {2, 2, 0}}
	for a := range want {
		for b := range want[a] {
			if got := tr.Between(model.HostID(a), model.HostID(b)); got != want[a][b] {
				t.Errorf("%d to %d: %v, want %v", a, b, got, want[a][b])
			}
		}
	}
	for text, want := range map[string]string{
		"0 9 1\n":       "traffic:1: no host 9",
		"0 1\n":         "source, destination and amount",
		"* * 1\n0 1 x":  "traffic:2: \"x\" is no amount",
		"0 1 -1\n":      "want 0 or 1e-100 to",
		"0 1 NaN\n":     "want 0 or 1e-100 to",
		"* * Inf\n":     "want 0 or 1e-100 to",
		"unknown * 1\n": "no host \"unknown\"",
		"0 1 1 1\n":     "source, destination and amount",
		"0 1 1e999\n":   "is no amount",
		"0 1 1\n\x00\n": "source, destination and amount",
	} {
		if _, err := parseTraffic(text, n); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want one with %q", text, err, want)
		}
	}
}

// TestTrafficNames: hosts are found by quoted descriptions and by GUIDs in any notation, also
// after a byte order mark.
func TestTrafficNames(t *testing.T) {
	b := model.NewBuilder()
	u := b.AddSwitch(model.Switch{})
	for i, name := range []string{"node 08 HCA-1", "plain"} {
		b.AddHost(model.Host{Switch: u, Port: model.Port(1 + i), Name: name, PortGUID: uint64(0xab00 + i), LID: uint16(10 + i)})
	}
	n, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"\xef\xbb\xbf\"node 08 HCA-1\" plain 3", "0xab00 0x000000000000AB01 3 # text", "10\t11  3", "\"plain\" * 9\n0xAB00 plain 3#"} {
		tr, err := parseTraffic(text, n)
		if err != nil || tr.Between(0, 1) != 3 {
			t.Errorf("%q: %v", text, err)
		}
	}
	for _, text := range []string{"node 08 HCA-1 plain 3", "\"node 08 HCA-1 plain 3", "0xab02 plain 3"} {
		if _, err := parseTraffic(text, n); err == nil {
			t.Errorf("%q was read", text)
		}
	}
}

func FuzzTraffic(f *testing.F) {
	n := formattest.Line3(f)
	f.Add([]byte("* * 2\n0 * 3\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		tr, err := parseTraffic(string(text), n)
		if err != nil {
			return
		}
		for a := range model.HostID(3) {
			for b := range model.HostID(3) {
				if x := tr.Between(a, b); !(x >= 0 && x <= math.MaxFloat64) {
					t.Errorf("%d to %d: %v", a, b, x)
				}
			}
		}
	})
}
