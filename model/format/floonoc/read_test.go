package floonoc

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format"
	"github.com/turnproof/turnproof/model/format/textfile"
	"github.com/turnproof/turnproof/model/route"
)

// parseText reads a text as a file of floogen.
func parseText(text string) (*format.Routed, error) {
	src, err := textfile.New("noc.yml", strings.NewReader(text), nil)
	if err != nil {
		return nil, err
	}
	return read(src)
}

// configText returns a file of floogen with one of its parts replaced.
func configText(algo, endpoints, routers, connections string) string {
	return "name: own\nnetwork_type: narrow-wide\nrouting:\n  route_algo: " + algo + "\n  decouple_rw: Phys\nendpoints:\n" + endpoints +
		"routers:\n" + routers + "connections:\n" + connections
}

const (
	cores     = "  - {name: core, array: [3, 2], mgr_port_protocol: [in], sbr_port_protocol: [out], addr_range: {base: 0x0000_1000, size: 16}}\n"
	meshText  = "  - {name: r, array: [3, 2], degree: 5}\n"
	ejectText = "  - {src: core, dst: r, src_range: [[0, 2], [0, 1]], dst_range: [[0, 2], [0, 1]], dst_dir: Eject}\n"
	memories  = "  - {name: mem, array: [2], sbr_port_protocol: [out]}\n"
	westText  = "  - {src: mem, dst: r, src_range: [[0, 1]], dst_range: [[0, 0], [0, 1]], dst_dir: West}\n"
)

// walkFirst returns the names of the switches on the path of the first class from a host to another, and where the packet ends.
func walkFirst(r model.Relation, h model.HostID, d model.DestID) (text string) {
	classes := r.Inject(h, d, nil)
	if len(classes) == 0 {
		return "silent"
	}
	n := r.Network()
	for s := model.InjectState(r, h, d, classes[0]); ; {
		c, _ := n.Channel(s.VC)
		if n.Kind(c) == model.Eject {
			return text + n.HostLabel(n.HostOf(c))
		}
		text += n.SwitchName(n.Head(c)) + " "
		hops := r.Next(s, nil)
		if len(hops) == 0 {
			return text + "dropped"
		}
		s = model.State{VC: hops[0].VC, Dest: d, Class: hops[0].Class}
	}
}

// TestDimensionOrder compares XY and YX with the routing dor on the same mesh.
func TestDimensionOrder(t *testing.T) {
	for algo, order := range map[string][]int{"XY": {0, 1}, "YXRouting": {1, 0}} {
		f, err := parseText(configText(algo, cores, meshText, ejectText))
		if err != nil {
			t.Fatal(err)
		}
		if f.Flows != nil {
			t.Fatalf("%d flows, want none: all pairs talk", len(f.Flows))
		}
		dor, err := route.New("dor", f.Network, route.Options{Order: order})
		if err != nil {
			t.Fatal(err)
		}
		for h := range model.HostID(6) {
			for d := range model.DestID(6) {
				if got, want := walkFirst(f.Relation, h, d), walkFirst(dor, h, d); int(h) != int(d) && got != want {
					t.Errorf("%s from %d to %d: %s, want %s", algo, h, d, got, want)
				}
			}
		}
	}
}

// TestEdges routes to endpoints at the edge of the mesh, which are beyond it by their coordinates: XY reaches mem_1 from its own
// row only, and delivers packets of other rows to the endpoint that it meets.
func TestEdges(t *testing.T) {
	f, err := parseText(configText("XY", cores+memories, meshText, ejectText+westText))
	if err != nil {
		t.Fatal(err)
	}
	got := []string{walkFirst(f.Relation, 5, 7), walkFirst(f.Relation, 0, 7), walkFirst(f.Relation, 6, 5)}
	want := []string{"r_2_1 r_1_1 r_0_1 mem_1", "r_0_0 mem_0", "r_0_0 r_1_0 r_2_0 r_2_1 core_2_1"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if len(f.Flows) != 6*5+2*6*2 {
		t.Errorf("%d flows", len(f.Flows)) // the memories do not talk to each other
	}
	moved := strings.Replace(meshText, "degree", "xy_id_offset: {x: 4, y: -1}, degree", 1)
	again, err := parseText(configText("XY", cores+memories, moved, ejectText+westText))
	if err != nil {
		t.Fatal(err)
	}
	for h := range model.HostID(8) {
		for d := range model.DestID(8) {
			if int(h) != int(d) && walkFirst(f.Relation, h, d) != walkFirst(again.Relation, h, d) {
				t.Errorf("an offset of all routers changes the path from %d to %d", h, d)
			}
		}
	}
}

// TestMirrored checks that requests go x first on VC 0 and responses y first on VC 1.
func TestMirrored(t *testing.T) {
	manager := "  - {name: cpu, mgr_port_protocol: [in]}\n  - {name: ram, sbr_port_protocol: [out]}\n"
	f, err := parseText(configText("XY_MIRRORED", manager, "  - {name: r, array: [2, 2], degree: 5}\n",
		"  - {src: cpu, dst: r, dst_idx: [0, 0], dst_dir: Eject}\n  - {src: r, dst: ram, src_idx: [1, 1], src_dir: Eject}\n"))
	if err != nil {
		t.Fatal(err)
	}
	got := walkFirst(f.Relation, 0, 1) + ", " + walkFirst(f.Relation, 1, 0)
	if want := "r_0_0 r_1_0 r_1_1 ram, r_1_1 r_1_0 r_0_0 cpu"; got != want || f.Network.VCs() != 2 {
		t.Errorf("%s, want %s", got, want)
	}
	s := model.InjectState(f.Relation, 1, 0, f.Relation.Inject(1, 0, nil)[0])
	if _, vc := f.Network.Channel(f.Relation.Next(s, nil)[0].VC); vc != 1 {
		t.Errorf("responses leave on VC %d", vc)
	}
}

// ringText is a ring of six routers, written such that the order of edges differs from that of names.
func ringText(algo string) string {
	ends := "  - {name: e, array: 6, mgr_port_protocol: [in], sbr_port_protocol: [out]}\n  - {name: m, mgr_port_protocol: [in]}\n"
	return configText(algo, ends, "  - {name: r, array: [6, 1], auto_connect: false}\n", `
  - {src: r, src_idx: [5, 0], dst: r, dst_idx: [0, 0]}
  - {src: r, src_range: [[0, 2], [0, 0]], dst: r, dst_range: [[1, 3], [0, 0]]}
  - {src: r, src_range: [[5, 4], [0, 0]], dst: r, dst_range: [[4, 3], [0, 0]]}
  - {src: e, src_range: [[0, 5]], dst: r, dst_range: [[0, 5], [0, 0]]}
  - {src: m, dst: r, dst_idx: [2, 0]}
`)
}

// TestShortest compares the choice among paths of equal length with the answers of networkx 2.8.8 to the same graph, as
// floogen's Network.create_network builds it.
func TestShortest(t *testing.T) {
	f, err := parseText(ringText("SRC"))
	if err != nil {
		t.Fatal(err)
	}
	want := map[string][2]model.HostID{
		"r_0_0 r_1_0 r_2_0 r_3_0 e_3": {0, 3},
		"r_1_0 r_0_0 r_5_0 r_4_0 e_4": {1, 4},
		"r_2_0 r_1_0 r_0_0 r_5_0 e_5": {2, 5},
		"r_3_0 r_4_0 r_5_0 r_0_0 e_0": {3, 0},
		"r_4_0 r_5_0 r_0_0 r_1_0 e_1": {4, 1},
		"r_5_0 r_0_0 r_1_0 r_2_0 e_2": {5, 2},
		"r_5_0 r_0_0 r_1_0 r_2_0 m":   {5, 6},
	}
	for path, pair := range want {
		if got := walkFirst(f.Relation, pair[0], model.DestID(pair[1])); got != path {
			t.Errorf("%s, want %s", got, path)
		}
	}
	f, err = parseText(ringText("IdTable"))
	if err != nil {
		t.Fatal(err)
	}
	table := f.Relation.(*model.Table)
	var next []string
	for u := range model.SwitchID(6) {
		c := table.Row(model.DestID((u + 3) % 6))[u]
		next = append(next, fmt.Sprint(f.Network.Head(c)))
	}
	if got := strings.Join(next, " "); got != "1 0 1 4 5 0" {
		t.Errorf("next switches for the opposite endpoint: %s", got)
	}
	if table.Entries() != 36 || len(f.Warnings) != 1 || !strings.Contains(f.Warnings[0], "answers to m") {
		t.Errorf("%d entries, warnings %q", table.Entries(), f.Warnings)
	}
}

// TestTree reads a tree with endpoints at its levels.
func TestTree(t *testing.T) {
	f, err := parseText(configText("ID", cores+memories, "  - {name: r, tree: [1, 3]}\n",
		"  - {src: core, dst: r, src_range: [[0, 2], [0, 1]], dst_lvl: 1, allow_multi: true}\n  - {src: r, dst: mem, src_lvl: 0, dst_range: [[0, 1]], allow_multi: true}\n"))
	if err != nil {
		t.Fatal(err)
	}
	if got := walkFirst(f.Relation, 0, 5) + ", " + walkFirst(f.Relation, 7, 2); got != "r_0_0 r_0 r_0_2 core_2_1, r_0 r_0_1 core_1_0" {
		t.Error(got)
	}
}

// TestErrors gives wrong files, with the line and words of the error.
func TestErrors(t *testing.T) {
	good := configText("XY", cores, meshText, ejectText)
	for _, c := range []struct{ old, new, want string }{
		{"XY", "WEST", `noc.yml:4: route_algo: "WEST", known are XY, YX, ID, SRC`},
		{"narrow-wide", "wide", "noc.yml:2: network_type"},
		{"dst: r,", "dst: rr,", "noc.yml:11: dst: no router or endpoint rr"},
		{"[[0, 2], [0, 1]], dst_dir", "[[0, 3], [0, 1]], dst_dir", "noc.yml:11: dst: no router or endpoint r_3_0"},
		{"[[0, 2], [0, 1]], dst_dir", "[[0, 1], [0, 1]], dst_dir", "noc.yml:11: connects 6 nodes to 4"},
		{"Eject", "East", "noc.yml:11: port 1 (East) of router r_0_0 has two connections, to r_1_0 and core_ni_0_0"},
		{"Eject", "Up", `noc.yml:11: dst_dir: "Up", want a port number or North`},
		{", dst_dir: Eject", "", "noc.yml:11: the connection of core_0_0 needs a direction"},
		{", degree: 5", "", "noc.yml:11: port 4 (Eject) of router r_0_0, which has 3 ports: set its degree"},
		{"degree: 5", "degree: \"${ports}\"", "noc.yml:9: degree: ${ports} is a parameter"},
		{"degree: 5", "degre: 5", `noc.yml:9: a router has an unknown key "degre"`},
		{"array: [3, 2], degree", "array: [3, 0], degree", "noc.yml:9: array: 0, want a whole number"},
		{"name: r,", "name: core,", "two nodes have the name core_0_0"},
		{"src_range", "src_lvl: 0, src_range", "noc.yml:11: src: src_idx, src_range and src_lvl exclude each other"},
		{ejectText, ejectText + ejectText, "noc.yml:12: a second connection of core_ni_0_0 and r_0_0"},
		{ejectText, "", "no connections in it: is the file truncated?"},
		{"connections:\n" + ejectText, "", "no connections in it: is the file truncated?"},
		{ejectText, ejectText[:40], "noc.yml:11:"},
		{"[[0, 2], [0, 1]], dst_range: [[0, 2], [0, 1]]", "[[0, 1], [0, 1]], dst_range: [[0, 1], [0, 1]]", "noc.yml:7: endpoint core_2_0 has no connection to a router"},
		{"array: [3, 2], degree", "array: 6, degree", "no router or endpoint r_0_0"},
	} {
		_, err := parseText(strings.Replace(good, c.old, c.new, 1))
		var e *textfile.Error
		if !errors.As(err, &e) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q for %q: %v, want %s", c.new, c.old, err, c.want)
		}
	}
}

func FuzzConfig(f *testing.F) {
	f.Add(configText("XY", cores+memories, meshText, ejectText+westText))
	f.Add(ringText("SRC"))
	f.Add(configText("YX_MIRRORED", cores, meshText, ejectText))
	f.Add(configText("ID", memories, "  - {name: r, tree: [1, 2]}\n", "  - {src: mem, dst: r, src_range: [[0, 1]], dst_lvl: 1}\n"))
	f.Fuzz(func(t *testing.T, text string) {
		isConfig([]byte(text))
		if strings.ContainsAny(text, "3456789") || strings.Count(text, "00") > 3 {
			return // arrays are small, so that one input takes little time
		}
		r, err := parseText(text)
		var e *textfile.Error
		switch {
		case err != nil && !errors.As(err, &e):
			t.Fatalf("%v is no *Error", err)
		case err == nil && (r.Relation == nil || len(r.Network.Check()) > 0):
			t.Fatalf("%+v", r)
		}
	})
}
