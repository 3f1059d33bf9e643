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

// TestAlignManagement: service levels of packets that switches send have to agree, and no switch may be gone.
func TestAlignManagement(t *testing.T) {
	table := func(switches int, level model.ClassSet) *model.Table {
		b := model.NewBuilder()
		for u := range switches {
			b.AddSwitch(model.Switch{GUID: uint64(10 + u)})
			b.AddHost(model.Host{Management: true, Switch: model.SwitchID(u), LID: uint16(10 + u)})
		}
		b.AddHost(model.Host{Name: "h0", Switch: 0, Port: 3, LID: 1, PortGUID: 1})
		for u := range switches - 1 {
			b.AddLink(model.SwitchID(u), 1, model.SwitchID(u+1), 2)
		}
		n, err := b.Build()
		if err != nil {
			t.Fatal(err)
		}
		x := model.NewTable(n, model.AllAddresses(n)).WithManagement(model.HostManagement)
		sets := make([]model.ClassSet, x.AllDestinations()*n.NumEndpoints())
		for i := range sets {
			if sets[i] = 1; i%n.NumEndpoints() == n.NumEndpoints()-1 { // the last switch sends
				sets[i] = level
			}
		}
		x.SetManagementClasses(sets)
		return x
	}
	for _, c := range []struct {
		old, now *model.Table
		want     string
	}{
		{table(3, 1), table(3, 1), ""},
		{table(3, 1), table(3, 2), "the service levels of management traffic from"},
		{table(3, 1), table(2, 1), "switches are gone"},
	} {
		_, err := compare.Align(c.old, c.now)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
}
