package compare_test

import (
	"strings"
	"testing"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/compare"
)

// TestAlign puts the entries of a table on the network of another one, also if cables are gone, and refuses two fabrics.
func TestAlign(t *testing.T) {
	old := alignTable(t, 4, 1, 0)
	if got, err := compare.Align(old, alignTable(t, 4, 1, 0)); err != nil || !got.Networks.Same() || len(compare.DiffTables(old, got.Old).Entries) > 0 {
		t.Errorf("%+v, %v", got, err)
	}
	gone := alignTable(t, 4, 1, 1)
	both, err := compare.Align(old, gone)
	if err != nil || len(both.Networks.CablesGone) != 1 || both.Old.Network() != gone.Network() {
		t.Fatalf("%+v, %v", both, err)
	}
	got := both.Old
	if p, ok := got.Port(3, 0); !ok || p != 1 || got.Row(0)[3] >= 0 { // the entry is there, and its port has no cable
		t.Errorf("port %d, %v, %d", p, ok, got.Row(0)[3])
	}
	for want, other := range map[string]*model.Table{
		"different fabrics: only the old network has the cable": alignTable(t, 5, 1, 1),
		"h0 has LID 7 with LMC 0, and had LID 1":                alignTable(t, 4, 7, 0),
	} {
		if _, err := compare.Align(old, other); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

// alignTable returns a ring of some switches, without its last links, and with one host at switch 0 whose entries lead round clockwise.
func alignTable(t *testing.T, switches int, lid uint16, without int) *model.Table {
	t.Helper()
	b := model.NewBuilder()
	for range switches {
		b.AddSwitch(model.Switch{})
	}
	for u := range switches - without {
		b.AddLink(model.SwitchID(u), 1, model.SwitchID((u+1)%switches), 2)
	}
	b.AddHost(model.Host{Name: "h0", Switch: 0, Port: 3, LID: lid})
	n, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	table := model.NewTable(n, model.AllAddresses(n))
	for u := range model.SwitchID(switches) {
		table.SetPort(u, 0, 1)
	}
	table.SetPort(0, 0, 3)
	return table
}
