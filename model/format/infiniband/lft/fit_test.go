package lft_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/turnproof/turnproof/internal/formattest"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format"
	_ "github.com/turnproof/turnproof/model/format/all"
	"github.com/turnproof/turnproof/model/format/infiniband/lft"
)

// drawnFabric is a random InfiniBand fabric with tables of shortest paths.
type drawnFabric struct {
	net   *model.Network
	table *model.Table
	dump  string // the tables as OpenSM writes them
}

// newFabric draws a fabric whose hosts have the given LMC. The LIDs of a host may take different
// shortest paths.
func newFabric(t testing.TB, rng *rand.Rand, lmc uint8) *drawnFabric {
	t.Helper()
	b, switches := model.NewBuilder(), 3+rng.IntN(5)
	step := max(2, 1<<lmc)
	next := func() uint16 { step += 1 << max(lmc, 1); return uint16(step - 1<<max(lmc, 1)) }
	for u := range switches {
		lid, guid := next(), uint64(0x200000+u)
		b.AddSwitch(model.Switch{Name: fmt.Sprintf("S%d", u), GUID: guid, Ports: 20, LID: lid})
		b.AddHost(model.Host{Name: fmt.Sprintf("S%d", u), Switch: model.SwitchID(u), NodeGUID: guid, PortGUID: guid, LID: lid, Management: true})
		for i := range 2 {
			node := uint64(0x100000 + 16*u + 2*i)
			b.AddHost(model.Host{Name: fmt.Sprintf("H%d", 2*u+i), Switch: model.SwitchID(u), Port: model.Port(1 + i), NodeGUID: node,
				PortGUID: node + 1, NodePort: 1, LID: next(), LMC: lmc})
		}
	}
	port := make([]model.Port, switches)
	join := func(u, v int) {
		b.AddLink(model.SwitchID(u), port[u]+3, model.SwitchID(v), port[v]+3)
		port[u], port[v] = port[u]+1, port[v]+1
	}
	for u := 1; u < switches; u++ {
		join(u, rng.IntN(u))
	}
	for range switches {
		if u, v := rng.IntN(switches), rng.IntN(switches); u != v && port[u] < 15 && port[v] < 15 {
			join(u, v)
		}
	}
	n, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	f := &drawnFabric{net: n, table: model.NewTable(n, model.AllAddresses(n))}
	for d := range model.DestID(f.table.AllDestinations()) {
		f.route(rng, d)
	}
	var text bytes.Buffer
	if err := lft.Write(&text, f.table); err != nil {
		t.Fatal(err)
	}
	f.dump = text.String()
	return f
}

// route adds entries for shortest paths to d.
func (f *drawnFabric) route(rng *rand.Rand, d model.DestID) {
	n, h := f.net, f.table.DestinationHost(d)
	f.table.SetPort(n.Host(h).Switch, d, n.Host(h).Port)
	reached := []model.SwitchID{n.Host(h).Switch}
	seen := map[model.SwitchID]bool{reached[0]: true}
	for i := 0; i < len(reached); i++ {
		out := n.Out(reached[i])
		for _, k := range rng.Perm(len(out)) {
			if v := n.Head(out[k]); v != model.NoSwitch && !seen[v] {
				seen[v], reached = true, append(reached, v)
				f.table.SetPort(v, d, n.HeadPort(out[k]))
			}
		}
	}
}

var comments = regexp.MustCompile(`(?m)^(0x[0-9a-f]{4} \d+).*$`)

// files writes the network in the given format, and the tables. Plain tables have no GUIDs.
func (f *drawnFabric) files(t testing.TB, network, dump string, plain bool) (net, table string) {
	t.Helper()
	var b bytes.Buffer
	if err := format.WriteNetwork(&b, f.net, network); err != nil {
		t.Fatal(err)
	}
	if plain {
		dump = comments.ReplaceAllString(dump, "$1")
	}
	dir := t.TempDir()
	net, table = filepath.Join(dir, "topology"), filepath.Join(dir, "tables")
	if err := errors.Join(os.WriteFile(net, b.Bytes(), 0o644), os.WriteFile(table, []byte(dump), 0o644)); err != nil {
		t.Fatal(err)
	}
	return net, table
}

// readBoth reads a network and its tables as commands do.
func readBoth(net, table string, o format.Options) (*model.Table, *format.Findings, error) {
	o.Findings = &format.Findings{}
	n, _, err := format.ReadNetwork(net, o)
	if err != nil {
		return nil, o.Findings, err
	}
	tab, _, err := lft.Read(table, n, o)
	return tab, o.Findings, err
}

// TestInferLMC: opensm-subnet.lst does not state the LMC, and the reader determines it from the
// tables. The result is the same as with --lmc.
func TestInferLMC(t *testing.T) {
	rng := rand.New(rand.NewPCG(24, 1))
	for i := range 60 {
		lmc := uint8(i % 4)
		f := newFabric(t, rng, lmc)
		net, table := f.files(t, "subnet", f.dump, i%2 == 0)
		got, found, err := readBoth(net, table, format.Options{})
		if err != nil {
			t.Fatal(err)
		}
		want, _, err := readBoth(net, table, format.Options{LMC: lmc, IsLMCKnown: true})
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(formattest.Ports(want), formattest.Ports(got)); d != "" {
			t.Fatalf("LMC %d: (-given +inferred)\n%s", lmc, d)
		}
		premise := model.Premise{Name: model.PremiseLMC, Value: fmt.Sprint(lmc), Source: "inferred from tables"}
		if !slices.Contains(found.Premises, premise) || len(found.Doubts)+len(found.Warnings) > 0 {
			t.Fatalf("LMC %d: %+v", lmc, found)
		}
	}
}

// dropLID removes the lines of a LID from a dump.
func dropLID(dump string, lid uint16) string {
	var kept []string
	for _, line := range strings.SplitAfter(dump, "\n") {
		if !strings.HasPrefix(line, fmt.Sprintf("0x%04x ", lid)) {
			kept = append(kept, line)
		}
	}
	return strings.Join(kept, "")
}

// TestDoubtLMC: the LMC is in doubt if the hosts differ, or if the topology states a smaller one.
// Otherwise the topology decides.
func TestDoubtLMC(t *testing.T) {
	rng := rand.New(rand.NewPCG(24, 2))
	for range 20 {
		f := newFabric(t, rng, 1)
		one := f.net.Host(model.HostID(rng.IntN(f.net.NumHosts()))).LID + 1
		net, table := f.files(t, "subnet", dropLID(f.dump, one), true)
		_, found, err := readBoth(net, table, format.Options{})
		if err != nil || len(found.Doubts) != 1 || found.Doubts[0].Premise != model.PremiseLMC || !strings.Contains(found.Doubts[0].Next,
			"--lmc 1") || len(found.Warnings) != 1 || found.VirtualLIDs != f.net.NumHosts()-1 {
			t.Fatalf("one LID fewer: %v, %+v", err, found)
		}
		net, table = f.files(t, "subnet", f.dump, true)
		if _, found, err = readBoth(net, table, format.Options{IsLMCKnown: true}); err != nil || len(found.Doubts) != 1 {
			t.Fatalf("--lmc 0: %v, %+v", err, found)
		}
		net, table = f.files(t, "ibnetdiscover", f.dump, false)
		if tab, found, err := readBoth(net, table,
			format.Options{}); err != nil || len(found.Doubts)+len(found.Warnings) > 0 || tab.Destinations() != 2*f.net.NumHosts() {
			t.Fatalf("ibnetdiscover: %v, %+v", err, found)
		}
	}
}

// TestVirtualPorts: a LID that leads to a host with another LID is a further LID of it. LIDs that lead to no host are counted.
func TestVirtualPorts(t *testing.T) {
	f := newFabric(t, rand.New(rand.NewPCG(24, 3)), 0)
	lid := f.net.Host(0).LID
	again := regexp.MustCompile(fmt.Sprintf(`(?m)^0x%04x (\d+).*\n`, lid))
	dump := again.ReplaceAllString(f.dump, "${0}0x1001 $1\n0x1002 $1\n")
	dump = regexp.MustCompile(`(?m)^0x1002 \d+$`).ReplaceAllString(dump, "0x1002 020") // a port without a cable
	dump = strings.ReplaceAll(dump, "lids dumped", "lids dumped")
	dump = regexp.MustCompile(`(?m)^\d+ lids dumped$`).ReplaceAllString(dump, "4200 lids dumped")
	net, table := f.files(t, "ibnetdiscover", dump, false)
	tab, found, err := readBoth(net, table, format.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if found.VirtualLIDs != 1 || len(found.GoneLIDs) != 1 || len(found.Warnings) != 2 || tab.Destinations() != f.net.NumHosts()+1 ||
		!strings.Contains(found.Warnings[0], "4097 (H0)") || !strings.HasSuffix(found.Warnings[1], ": 4098") {
		t.Errorf("%+v", found)
	}
}

// TestContradictions: files of different fabrics, or of different times, are rejected or give a
// warning.
func TestContradictions(t *testing.T) {
	rng := rand.New(rand.NewPCG(24, 4))
	f := newFabric(t, rng, 0)
	for f.net.NumSwitches() < 6 {
		f = newFabric(t, rng, 0)
	}
	a, b := f.net.Host(0), f.net.Host(1)
	swap := func(s string) string { // swaps the LIDs of two hosts
		x, y := fmt.Sprintf("0x%04x ", a.LID), fmt.Sprintf("0x%04x ", b.LID)
		return strings.NewReplacer("\n"+x, "\n"+y, "\n"+y, "\n"+x).Replace(s)
	}
	half := f.dump
	for h := range model.HostID(f.net.NumHosts() / 2) {
		half = dropLID(half, f.net.Host(h).LID)
	}
	top := f.net.Host(0).LID
	for h := range model.HostID(f.net.NumHosts()) {
		top = max(top, f.net.Host(h).LID)
	}
	for name, c := range map[string]struct {
		dump, wants string
		plain       bool
	}{
		"LIDs moved":           {swap(f.dump), fmt.Sprintf("contradicts TOPOLOGY: LID %d", a.LID), false},
		"moved, without GUIDs": {swap(f.dump), "", true},
		"one GUID": {strings.Replace(f.dump, fmt.Sprintf("portguid 0x%016x", a.PortGUID), "portguid 0x0000000000999999", -1),
			"and 0x0000000000999999 here", false},
		"two GUIDs": {strings.Replace(f.dump, fmt.Sprintf("portguid 0x%016x", a.PortGUID), "portguid 0x0000000000999999", 1),
			"LIDs moved while the tables were dumped", false},
		"LID of another port": {regexp.MustCompile(fmt.Sprintf(`(?m)^0x%04x (.*)$`, a.LID)).ReplaceAllString(f.dump, "0x0bb8 $1"),
			fmt.Sprintf("(H0) has LID %d and LMC 0 there and LID 3000", a.LID), false},
		"half of the hosts": {half, "do these files belong together?", true},
		"another switch": {strings.ReplaceAll(f.dump, "guid 0x0000000000200001 ", "guid 0x0000000000300001 "),
			"is not in TOPOLOGY: do the files belong together?", true},
		"a port too many": {strings.Replace(f.dump, fmt.Sprintf("0x%04x 001 ", a.LID), fmt.Sprintf("0x%04x 099 ", a.LID), 1),
			"ports 0 to 20 in TOPOLOGY: do the files belong together?", false},
	} {
		dump := c.dump
		if strings.Contains(dump, "0x0bb8") {
			dump = regexp.MustCompile(`(?m)^\d+ lids dumped$`).ReplaceAllString(dump, "3000 lids dumped")
		}
		net, table := f.files(t, "ibnetdiscover", dump, c.plain)
		_, found, err := readBoth(net, table, format.Options{})
		if c.wants == "" {
			if err != nil || len(found.Warnings) != 1 || !strings.Contains(found.Warnings[0],
				"2 LIDs of hosts") || !strings.Contains(found.Warnings[0], "do these files belong together") {
				t.Errorf("%s: %v, %+v", name, err, found)
			}
			continue
		}
		if err == nil || !strings.Contains(err.Error(), strings.ReplaceAll(c.wants, "TOPOLOGY", net)) || !strings.Contains(err.Error(),
			table) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v, want %s", name, err, c.wants)
		}
	}
}

// TestDropped: dump_fts omits the last LID of a range if it is a multiple of 64, which is an error
// for the LID of a host.
func TestDropped(t *testing.T) {
	f := newFabric(t, rand.New(rand.NewPCG(24, 5)), 0)
	b := model.NewBuilder() // the same fabric, with 64 as its last LID
	last := model.HostID(f.net.NumHosts() - 1)
	for u := range model.SwitchID(f.net.NumSwitches()) {
		b.AddSwitch(*f.net.Switch(u))
	}
	for h := range model.HostID(f.net.NumEndpoints()) {
		e := *f.net.Host(h)
		if h == last {
			e.LID = 64
		}
		b.AddHost(e)
	}
	for l := range model.LinkID(f.net.NumLinks()) {
		k := f.net.Link(l)
		b.AddLink(k.A, k.APort, k.B, k.BPort)
	}
	n, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	old := f.net.Host(last).LID
	f.net = n
	fts := regexp.MustCompile(`(?m)^Unicast lids \[0-\d+\] of switch Lid \d+ (.*)$`).ReplaceAllString(f.dump,
		"Unicast lids [0x0-0x40] of switch DR path slid 0; dlid 0; 0,1 $1\n  Lid  Out   Destination\n       Port     Info ")
	lines := func(with bool) string {
		s, k := strings.ReplaceAll(fts, fmt.Sprintf("\n0x%04x ", old), "\n0x0040 "), f.table.AllDestinations()
		if !with {
			s, k = dropLID(s, 64), k-1
		}
		return regexp.MustCompile(`(?m)^\d+ lids dumped$`).ReplaceAllString(s, fmt.Sprintf("%d valid lids dumped ",
			k)) + "*** WARNING ***: this command has been replaced by dump_fts\n\n"
	}
	net, table := f.files(t, "ibnetdiscover", lines(true), false)
	if _, found, err := readBoth(net, table, format.Options{}); err != nil || len(found.Warnings) > 0 {
		t.Errorf("whole: %v, %+v", err, found)
	}
	net, table = f.files(t, "ibnetdiscover", lines(false), false)
	_, _, err = readBoth(net, table, format.Options{})
	if err == nil || !strings.Contains(err.Error(), "no entry for LID 64") || !strings.Contains(err.Error(), "dump_fts") || !strings.Contains(err.Error(), net) {
		t.Errorf("dropped: %v", err)
	}
}

// TestCableless: entries for a port without a cable are counted for each port.
func TestCableless(t *testing.T) {
	f := newFabric(t, rand.New(rand.NewPCG(24, 6)), 0)
	less, err := f.net.Without([]model.LinkID{0}, nil)
	if err != nil {
		t.Fatal(err)
	}
	want := 0
	for d := range model.DestID(f.table.AllDestinations()) {
		for _, c := range f.table.Row(d) {
			if c == 0 || c == 1 { // the two channels of link 0
				want++
			}
		}
	}
	f.net = less
	net, table := f.files(t, "ibnetdiscover", f.dump, false)
	_, found, err := readBoth(net, table, format.Options{})
	if err != nil || found.CablelessEntries != want || want == 0 || len(found.Warnings) != 1 || !strings.Contains(found.Warnings[0],
		fmt.Sprintf("%d entries lead to a port without a cable", want)) {
		t.Errorf("want %d entries: %v, %+v", want, err, found)
	}
}

// TestHostsWithoutLID: hosts without a LID are named once, and so are their LIDs in the tables.
func TestHostsWithoutLID(t *testing.T) {
	f := newFabric(t, rand.New(rand.NewPCG(24, 7)), 0)
	net, table := f.files(t, "ibnetdiscover", f.dump, false)
	raw, err := os.ReadFile(net)
	if err != nil {
		t.Fatal(err)
	}
	lost := strings.ReplaceAll(string(raw), fmt.Sprintf("# lid %d lmc", f.net.Host(0).LID), "# lid 0 lmc")
	if err := os.WriteFile(net, []byte(lost), 0o644); err != nil {
		t.Fatal(err)
	}
	tab, found, err := readBoth(net, table, format.Options{})
	if err != nil || tab.Network().NumHosts() != f.net.NumHosts()-1 || len(found.Warnings) != 2 ||
		!strings.Contains(found.Warnings[0], "not called connected: H0") || !strings.Contains(found.Warnings[1],
		fmt.Sprintf("1 LID with routes belong to a port that has no LID in %s", filepath.Base(net))) {
		t.Errorf("%v, %+v", err, found)
	}
	none := regexp.MustCompile(`# lid \d+ lmc`).ReplaceAllString(string(raw), "# lid 0 lmc")
	if err := os.WriteFile(net, []byte(none), 0o644); err != nil {
		t.Fatal(err)
	}
	var o format.Options
	o.Findings = &format.Findings{}
	n, _, err := format.ReadNetwork(net, o)
	if err != nil || n.NumHosts() != 0 || !strings.Contains(o.Findings.NoHosts(), fmt.Sprintf("none of the %d hosts of %s has a LID", f.net.NumHosts(), net)) {
		t.Errorf("%v, %s", err, o.Findings.NoHosts())
	}
}
