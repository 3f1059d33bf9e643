package all_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/internal/formattest"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format"
	"github.com/turnproof/turnproof/model/format/infiniband"
	"github.com/turnproof/turnproof/model/topo"
)

// losses says what a format does not keep: vcs, hosts (their number at each switch), or what it refuses
// to write, in the same words with "refuses ". Everything else a format must keep.
var losses = map[string]string{
	"ibnetdiscover":   "vcs", // virtual lanes are in the SL-to-VL tables
	"subnet":          "vcs",
	"db_csv":          "vcs",
	"iblinkinfo":      "vcs",
	"ibnetdiscover-p": "vcs",
	"json":            "",
	"yaml":            "",
	"graphml":         "",
	"dot":             "",
	"anynet":          "vcs", // num_vcs is in the configuration
	"csv":             "vcs, refuses mesh:3x2,hosts=2, refuses line:3,hosts=0",
	"rapidchiplet":    "vcs, refuses mesh:3x2,hosts=2",
	"edges":           "",
	"constellation":   "vcs, refuses line:3,hosts=0",
}

// TestEveryFormat writes small networks in every format and reads them again.
func TestEveryFormat(t *testing.T) {
	pages, err := os.ReadFile("../../../docs/network-files.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range format.NetworkFormats() {
		lost, known := losses[f.Name]
		switch {
		case f.About == "" || f.Is == nil || f.Read == nil || f.Write == nil:
			t.Errorf("format %s lacks a description, recogniser, reader or writer; add it where it registers", f.Name)
			continue
		case !known:
			t.Errorf("format %s has no entry in losses; say in model/format/all/everyformat_test.go what it does not keep", f.Name)
		case !strings.Contains(strings.ToLower(string(pages)), f.Name):
			t.Errorf("docs/network-files.md does not name the format %s; add a row to its table", f.Name)
		}
		for _, spec := range []string{"mesh:3x2", "mesh:3x2,hosts=2", "ring:5,vcs=2", "line:3,hosts=0"} {
			n, err := topo.Parse(spec)
			if err != nil {
				t.Fatal(err)
			}
			if n, err = infiniband.Addressed(n); err != nil { // InfiniBand files need GUIDs and LIDs
				t.Fatal(err)
			}
			var text bytes.Buffer
			err = format.WriteNetwork(&text, n, f.Name)
			var refused *format.CannotHold
			if errors.As(err, &refused) {
				if !strings.Contains(lost, "refuses "+spec) {
					t.Errorf("format %s refuses %s: %v; if this is meant, add \"refuses %s\" to losses in everyformat_test.go", f.Name, spec, err, spec)
				}
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			again, _, err := formattest.ParseNetwork(text.String())
			if err != nil {
				t.Errorf("format %s: cannot read what it wrote of %s: %v", f.Name, spec, err)
				continue
			}
			for _, x := range []struct {
				what      string
				got, want int
			}{{"switches", again.NumSwitches(), n.NumSwitches()}, {"links", again.NumLinks(), n.NumLinks()}, {"hosts", again.NumHosts(), n.NumHosts()},
				{"vcs", again.VCs(), n.VCs()}} {
				if x.got != x.want && !strings.Contains(lost, x.what) {
					t.Errorf("format %s, %s: %d %s after writing and reading; want %d, or name the loss in losses in everyformat_test.go",
						f.Name, spec, x.got, x.what, x.want)
				}
			}
		}
	}
}

// TestOneWayFormats writes links of one direction and reads them again, in formats that have them. The others refuse them.
func TestOneWayFormats(t *testing.T) {
	b := model.NewBuilder()
	for range 3 {
		b.AddSwitch(model.Switch{})
	}
	for u := range model.SwitchID(3) {
		b.AddHost(model.Host{Name: fmt.Sprint("h", u), Switch: u, Port: 9})
	}
	b.AddLink(0, 1, 1, 2)
	b.SetOneWay(b.AddLink(2, 1, 1, 1))
	b.SetOneWay(b.AddLink(0, 3, 2, 2))
	b.SetOneWay(b.AddLink(0, 4, 2, 3))
	n, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	kept := 0
	for _, f := range format.NetworkFormats() {
		var text bytes.Buffer
		err := format.WriteNetwork(&text, n, f.Name)
		var refused *format.CannotHold
		if errors.As(err, &refused) && (!f.OneWay || f.Name == "constellation") { // which has no parallel links
			continue
		}
		if err != nil || !f.OneWay {
			t.Errorf("format %s: error %v, OneWay %v", f.Name, err, f.OneWay)
			continue
		}
		kept++
		got, _, err := formattest.ParseNetwork(text.String())
		if err != nil {
			t.Errorf("format %s: %v\n%s", f.Name, err, text.String())
			continue
		}
		for l := range model.LinkID(n.NumLinks()) {
			if got.Link(l) != n.Link(l) || got.IsOneWay(l) != n.IsOneWay(l) {
				t.Errorf("format %s: link %d is %v, %v; want %v, %v", f.Name, l, got.Link(l), got.IsOneWay(l), n.Link(l), n.IsOneWay(l))
			}
		}
	}
	if kept != 4 {
		t.Errorf("%d formats keep links of one direction and their ports; want 4", kept)
	}
}
