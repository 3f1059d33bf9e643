package garnet

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/internal/formattest"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format"
	"github.com/turnproof/turnproof/model/format/textfile"
	"github.com/turnproof/turnproof/model/route"
)

// configFile makes a config.json in the form in which gem5's SimObject.get_config_as_dict writes it.
type configFile struct {
	algorithm, nets, rows int
	routers               int
	links                 []map[string]any
	hosts                 []map[string]any
}

// link adds a link of one direction.
func (f *configFile) link(from, to, weight int, port string, nets ...int) {
	f.links = append(f.links, map[string]any{"type": "GarnetIntLink", "cxx_class": "gem5::ruby::garnet::GarnetIntLink", "weight": weight, "src_outport": port,
		"src_node": routerPath(from), "dst_node": routerPath(to), "supported_vnets": append([]int{}, nets...), "latency": 1,
		"network_link": map[string]any{"type": "NetworkLink", "supported_vnets": []int{}, "width": 16}})
}

// host adds a controller.
func (f *configFile) host(name string, router int) {
	f.hosts = append(f.hosts, map[string]any{"type": "GarnetExtLink", "ext_node": "system.ruby." + name, "int_node": routerPath(router), "weight": 1,
		"network_links": []any{map[string]any{"type": "NetworkLink"}, map[string]any{"type": "NetworkLink"}}})
}

func routerPath(id int) string { return fmt.Sprintf("system.ruby.network.routers%02d", id) }

func (f *configFile) text() string {
	var routers []any
	for i := range f.routers {
		k := f.routers - 1 - i // the file need not list them in order
		routers = append(routers, map[string]any{"type": "GarnetRouter", "path": routerPath(k), "router_id": k, "vcs_per_vnet": 4})
	}
	network := map[string]any{"type": "GarnetNetwork", "routing_algorithm": f.algorithm, "number_of_virtual_networks": f.nets, "vcs_per_vnet": 4, "num_rows": f.rows,
		"routers": routers, "int_links": f.links, "ext_links": f.hosts, "netifs": []any{}}
	text, err := json.MarshalIndent(map[string]any{"type": "Root", "cxx_class": "gem5::Root", "name": nil, "full_system": false,
		"system": map[string]any{"type": "System", "mem_ranges": []string{"0:1"}, "ruby": map[string]any{"type": "RubySystem", "network": network}}}, "", "    ")
	if err != nil {
		panic(err)
	}
	return string(text) + "\n"
}

// mesh returns a mesh with a controller at each router. weight has the weights of links to the E, W, N and S.
func mesh(x, y, algorithm int, weight [4]int) *configFile {
	f := &configFile{algorithm: algorithm, nets: 3, rows: y, routers: x * y}
	for u := range x * y {
		f.host(fmt.Sprintf("l1_cntrl%d", u), u)
		if u%x+1 < x {
			f.link(u, u+1, weight[0], "East")
			f.link(u+1, u, weight[1], "West")
		}
		if u/x+1 < y {
			f.link(u, u+x, weight[2], "North")
			f.link(u+x, u, weight[3], "South")
		}
	}
	return f
}

func parse(text string) (*format.Routed, error) {
	src, err := textfile.New("config.json", strings.NewReader(text), nil)
	if err != nil {
		return nil, err
	}
	return read(src)
}

// TestMeshes compares the weights of gem5's Mesh_XY.py (1, 1, 2, 2) and Mesh_westfirst.py (2, 1, 2, 2), equal weights and
// routing_algorithm 1 with our own routings: every pair has the same paths.
func TestMeshes(t *testing.T) {
	for _, c := range []struct {
		algorithm int
		weight    [4]int
		routing   string
	}{{0, [4]int{1, 1, 2, 2}, "dor"}, {0, [4]int{2, 1, 2, 2}, "west-first"}, {0, [4]int{1, 1, 1, 1}, "minimal"}, {1, [4]int{1, 1, 1, 1}, "dor"}} {
		f, err := parse(mesh(4, 3, c.algorithm, c.weight).text())
		if err != nil {
			t.Fatal(err)
		}
		own, err := route.New(c.routing, f.Network, route.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for h := range model.HostID(12) {
			for d := range model.DestID(12) {
				if got, want := formattest.AllPaths(f.Relation, h, d), formattest.AllPaths(own, h, d); int(h) != int(d) && (!slices.Equal(got, want) || len(want) == 0) {
					t.Fatalf("%+v from %d to %d: %q, want %q", c, h, d, got, want)
				}
			}
		}
		if w, ok := f.Relation.(model.Committer); !ok || !w.Commits(model.State{}) {
			t.Error("packets do not wait for the link that they chose")
		}
	}
}

// TestVirtualNetworks gives virtual network 0 a ring of one direction and the others a line: the tables are made for each.
func TestVirtualNetworks(t *testing.T) {
	f := &configFile{nets: 3, routers: 4}
	for u := range 4 {
		f.host(fmt.Sprintf("c%d", u), u)
		f.link(u, (u+1)%4, 1, "", 0)
	}
	for u := range 3 {
		f.link(u, u+1, 1, "", 1, 2)
		f.link(u+1, u, 1, "", 1, 2)
	}
	r, err := parse(f.text())
	if err != nil {
		t.Fatal(err)
	}
	if got := formattest.AllPaths(r.Relation, 3, 1); !slices.Equal(got, []string{"3 0 1 ", "3 2 1 "}) || r.Network.VCs() != 2 {
		t.Errorf("%q with %d VCs", got, r.Network.VCs())
	}
	for _, k := range r.Relation.Inject(3, 1, nil) {
		s := model.InjectState(r.Relation, 3, 1, k)
		if _, vc := r.Network.Channel(r.Relation.Next(s, nil)[0].VC); vc != int(k) {
			t.Errorf("class %d leaves on VC %d", k, vc)
		}
	}
	if len(r.Notes) != 2 || !strings.Contains(r.Notes[0], "VC 0 for 0, VC 1 for 1, 2") || !strings.Contains(r.Notes[1], "one direction") {
		t.Errorf("notes %q", r.Notes)
	}
}

// TestWeights checks that the least weight among the links of equally short paths decides: from 0 to 3, both paths weigh 4.
func TestWeights(t *testing.T) {
	f := &configFile{nets: 1, routers: 4}
	f.host("a", 0)
	f.host("b", 3)
	for _, l := range [][3]int{{0, 1, 1}, {1, 3, 3}, {0, 2, 3}, {2, 3, 1}} {
		f.link(l[0], l[1], l[2], "")
		f.link(l[1], l[0], l[2], "")
	}
	r, err := parse(f.text())
	if err != nil {
		t.Fatal(err)
	}
	if got := append(formattest.AllPaths(r.Relation, 0, 1), formattest.AllPaths(r.Relation, 1, 0)...); !slices.Equal(got, []string{"0 1 3 ", "3 2 0 "}) {
		t.Errorf("%q", got)
	}
}

// TestErrors gives wrong files.
func TestErrors(t *testing.T) {
	good := mesh(2, 2, 0, [4]int{1, 1, 2, 2}).text()
	line := func(part string) int { return 1 + strings.Count(good[:strings.Index(good, part)], "\n") }
	for _, c := range []struct{ old, new, want string }{
		{`"GarnetNetwork"`, `"SimpleNetwork"`, "no GarnetNetwork in it"},
		{`"dst_node": "system.ruby.network.routers01"`, `"dst_node": "system.ruby.network.routers09"`, "no GarnetRouter system.ruby.network.routers09"},
		{`"dst_node": "system.ruby.network.routers01"`, `"dst_node": "system.ruby.network.routers00"`, "a link of system.ruby.network.routers00 to itself"},
		{`"router_id": 3`, `"router_id": 2`, "a second GarnetRouter with router_id 2"},
		{`"router_id": 3`, `"router_id": 4`, `router_id of a GarnetRouter is "4", want a whole number from 0 to 3`},
		{`"router_id": 3`, `"id": 3`, "a GarnetRouter without router_id"},
		{`"weight": 2`, `"weight": 0`, `weight of a GarnetIntLink is "0"`},
		{`"routing_algorithm": 0`, `"routing_algorithm": "x"`, "routing_algorithm of a GarnetNetwork"},
		{`"ext_node": "system.ruby.l1_cntrl1"`, `"ext_node": "system.ruby.l1_cntrl0"`, "a second GarnetExtLink of system.ruby.l1_cntrl0"},
		{`"supported_vnets": []`, `"supported_vnets": [7]`, `supported_vnets of a GarnetIntLink is "7"`},
		{good[len(good)/2:], "", "truncated"},
		{good[len(good)-4:], good[len(good)-4:] + "{}", "more text after the object"},
	} {
		text := strings.Replace(good, c.old, c.new, 1)
		if strings.Contains(c.old, "vnets") {
			text = strings.ReplaceAll(good, c.old, c.new)
		}
		_, err := parse(text)
		var e *textfile.Error
		if !errors.As(err, &e) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q for %q: %v, want %s", c.new, c.old, err, c.want)
		}
	}
	_, err := parse(strings.Replace(good, `"weight": 2`, `"weight": -1`, 1))
	var e *textfile.Error
	if !errors.As(err, &e) || e.Line < line(`"GarnetIntLink"`)-10 {
		t.Errorf("%v names line %d", err, e.Line)
	}
	double := mesh(2, 2, 0, [4]int{1, 1, 1, 1})
	double.link(0, 1, 1, "", 2)
	cut := mesh(2, 1, 0, [4]int{1, 1, 1, 1})
	cut.links = cut.links[:1]
	for want, f := range map[string]*configFile{
		"a second link from system.ruby.network.routers00 to system.ruby.network.routers01 for virtual network 2": double,
		"no path from system.ruby.network.routers01 to system.ruby.network.routers00":                             cut,
		"XY) with num_rows 0":                             {algorithm: 1, nets: 1, routers: 4, hosts: double.hosts},
		"no link with src_outport East, which XY routing": {algorithm: 1, rows: 2, nets: 1, routers: 4, hosts: double.hosts},
	} {
		if _, err := parse(f.text()); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	custom, err := parse(mesh(2, 2, 2, [4]int{1, 1, 1, 1}).text())
	if err != nil || custom.Relation != nil || custom.Unrouted == nil || !strings.Contains(custom.Unrouted.Error(), "routing_algorithm 2") {
		t.Errorf("%v, %+v", err, custom)
	}
}

func FuzzConfig(f *testing.F) {
	f.Add(mesh(2, 2, 0, [4]int{1, 1, 2, 2}).text())
	f.Add(mesh(3, 1, 1, [4]int{1, 1, 2, 2}).text())
	f.Fuzz(func(t *testing.T, text string) {
		isConfig([]byte(text))
		r, err := parse(text)
		var e *textfile.Error
		switch {
		case err != nil && !errors.As(err, &e):
			t.Fatalf("%v is no *Error", err)
		case err == nil && (r.Relation == nil && r.Unrouted == nil || len(r.Network.Check()) > 0):
			t.Fatalf("%+v", r)
		}
	})
}
