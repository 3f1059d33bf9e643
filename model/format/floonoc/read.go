package floonoc

import (
	"slices"
	"strings"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format"
	"github.com/turnproof/turnproof/model/format/textfile"
)

// This file reads network files of floogen, the generator of FlooNoC (T. Fischer et al.; github.com/pulp-platform/FlooNoC), in YAML:
// routers (one, an array, a tree), endpoints, and connections of them. The file also states the routing, route_algo:
//
//	XY, YX        dimension order by coordinates (hw/floo_route_select.sv)
//	ID            a table in each router, by the number of the endpoint (gen_router_tables)
//	SRC           a path for each pair of endpoints (gen_routes)
//	XY_MIRRORED   requests as XY, responses as YX; YX_MIRRORED the reverse
//
// An endpoint with mgr_port_protocol is a manager, and sends requests to all subordinates, the endpoints with sbr_port_protocol.
// These answer. So two endpoints talk unless both are managers only or both are subordinates only, as in gen_routes.
//
// The physical networks (req, rsp, and wide) have the same links and routers but no common buffer. The result is one of them,
// because they have the same routing; under a mirrored routing it has two VCs, one for the networks of requests and one for those of
// responses.

// maxConfig is the largest size of a file in bytes.
const maxConfig = 1 << 20

// isConfig reports whether a file is one of floogen: no other format has the key network_type, which old files lack, or the keys
// routing and two of those that describe the graph.
func isConfig(head []byte) bool {
	keys := textfile.TopKeys(head)
	return keys["network_type"] || keys["routing"] && textfile.CountKeys(keys, "routers", "endpoints", "connections") >= 2
}

// nocNetwork is a file that has been read.
type nocNetwork struct {
	*connections
	algo, kind string
	routers    []int32          // nodes, in the order of the network's switches
	faces      []int32          // interfaces, in the order of the network's hosts
	id         []int32          // by node: the number of its switch or host
	slots      [][]int32        // by switch: the nodes behind its ports as floogen numbers them, or -1
	ports      [][]model.Port   // by switch and slot: the port in the network
	coords     map[int32][2]int // by node, for dimension order
	sides      []int            // of the mesh of all routers, or nil
	settings   settings
	net        *model.Network
}

// read reads a file of floogen.
func read(src *textfile.File) (*format.Routed, error) {
	text, err := textfile.ReadWhole(src, maxConfig, "a network of floogen")
	if err != nil {
		return nil, err
	}
	top, err := parse(src, text)
	if err != nil {
		return nil, err
	}
	f := &nocNetwork{connections: &connections{src: src, at: map[string]int32{}, has: map[[2]int32]bool{}}}
	if err := f.read(top); err != nil {
		return nil, err
	}
	if err := f.build(); err != nil {
		return nil, err
	}
	r, err := f.routed()
	if err != nil {
		return nil, err
	}
	r.Notes = append(r.Notes, f.needs(top)...)
	return r, f.state(r)
}

// read fills the graph.
func (f *nocNetwork) read(top *object) (err error) {
	if !top.has("network_type") {
		return f.src.FileError("network_type is missing: want axi or narrow-wide (files of floogen before September 2024 have none)")
	}
	if f.kind, err = top.word("network_type"); err != nil {
		return err
	}
	if f.kind != "axi" && f.kind != "narrow-wide" {
		return top.fault("network_type", "%q, want axi or narrow-wide", textfile.Clip(f.kind))
	}
	if err := f.readRouting(top); err != nil {
		return err
	}
	for _, key := range []string{"routers", "endpoints", "connections"} {
		if !top.has(key) {
			return f.src.FileError("no %s in it: is the file truncated?", key)
		}
	}
	if err := top.list("routers", "a router", f.addRouters); err != nil {
		return err
	}
	if err := f.readProtocols(top); err != nil {
		return err
	}
	if err := top.list("endpoints", "an endpoint", f.readEndpoint); err != nil {
		return err
	}
	if err := f.checkCollective(); err != nil {
		return err
	}
	return top.list("connections", "a connection", f.connect)
}

// algorithms are the words for a routing algorithm, with the names that floogen gives to the hardware.
var algorithms = map[string]string{
	"XY": "XY", "YX": "YX", "ID": "ID", "SRC": "SRC", "XY_MIRRORED": "XY_MIRRORED", "YX_MIRRORED": "YX_MIRRORED",
	"XYROUTING": "XY", "YXROUTING": "YX", "IDTABLE": "ID", "SOURCEROUTING": "SRC", "XYROUTINGMIRRORED": "XY_MIRRORED", "YXROUTINGMIRRORED": "YX_MIRRORED",
}

func (f *nocNetwork) readRouting(top *object) error {
	if !top.has("routing") {
		return f.src.FileError("no routing in it: is the file truncated?")
	}
	m, err := mapOf(f.src, "routing", top.at["routing"].Value, top.at["routing"].Line)
	if err != nil {
		return err
	}
	word, err := m.word("route_algo")
	if err != nil {
		return err
	}
	f.algo = algorithms[strings.ToUpper(word)]
	if f.algo == "" {
		return m.fault("route_algo", "%q, known are XY, YX, ID, SRC, XY_MIRRORED, YX_MIRRORED", textfile.Clip(word))
	}
	return f.readSettings(m)
}

// build makes the network.
func (f *nocNetwork) build() error {
	f.id = make([]int32, len(f.nodes))
	for i := range f.nodes {
		switch f.nodes[i].kind {
		case routerNode:
			f.routers = append(f.routers, int32(i))
		case interfaceNode:
			f.faces = append(f.faces, int32(i))
		}
	}
	if len(f.routers) == 0 {
		return f.src.FileError("no router in it")
	}
	f.findMesh()
	for u, i := range f.routers {
		f.id[i] = int32(u)
	}
	for _, i := range f.routers {
		if err := f.fillSlots(i); err != nil {
			return err
		}
	}
	b := model.NewBuilder()
	for _, i := range f.routers {
		b.AddSwitch(model.Switch{Name: f.nodes[i].name})
	}
	f.numberPorts(b)
	for h, i := range f.faces {
		f.id[i] = int32(h)
		u, err := f.home(i)
		if err != nil {
			return err
		}
		b.AddHost(model.Host{Name: f.nodes[f.nodes[i].twin].name, Switch: model.SwitchID(f.id[u]), Port: f.port(u, i)})
	}
	for _, i := range f.routers {
		for _, e := range f.out[i] {
			if f.nodes[e.to].kind == routerNode && i < e.to {
				b.AddLink(model.SwitchID(f.id[i]), f.port(i, e.to), model.SwitchID(f.id[e.to]), f.port(e.to, i))
			}
		}
	}
	if f.sides != nil {
		b.SetGrid(&model.Grid{Sides: f.sides, Wrap: make([]bool, len(f.sides))})
	}
	var err error
	if f.net, err = b.Build(); err != nil {
		return f.src.FileError("%s", strings.TrimPrefix(err.Error(), "model: "))
	}
	return nil
}

// home returns the router of an interface.
func (f *nocNetwork) home(face int32) (int32, error) {
	n := &f.nodes[face]
	router := int32(-1)
	for _, e := range f.out[face] {
		switch {
		case f.nodes[e.to].kind == endpointNode:
		case f.nodes[e.to].kind == interfaceNode:
			return 0, f.src.ErrorAt(e.line, "connects two endpoints, %s and %s, without a router", f.nodes[n.twin].name, f.nodes[f.nodes[e.to].twin].name)
		case router >= 0:
			return 0, f.src.ErrorAt(e.line, "a second connection of endpoint %s: floogen uses one", f.nodes[n.twin].name)
		default:
			router = e.to
		}
	}
	if router < 0 {
		return 0, f.src.ErrorAt(n.line, "endpoint %s has no connection to a router", f.nodes[n.twin].name)
	}
	return router, nil
}

// findMesh sets sides and sorts the routers by position if they are one array of two dimensions, connected as a mesh.
func (f *nocNetwork) findMesh() {
	last := f.nodes[f.routers[len(f.routers)-1]].index
	links := 0
	for _, i := range f.routers {
		n := &f.nodes[i]
		if n.of != f.nodes[f.routers[0]].of || len(n.index) != 2 {
			return
		}
		for _, e := range f.out[i] {
			if f.nodes[e.to].kind == routerNode {
				links++
			}
		}
	}
	x, y := last[0]+1, last[1]+1
	if connect, _ := f.nodes[f.routers[0]].of.flag("auto_connect", true); !connect || links != 4*x*y-2*x-2*y {
		return
	}
	f.sides = []int{x, y}
	slices.SortFunc(f.routers, func(i, k int32) int {
		a, b := f.nodes[i].index, f.nodes[k].index
		return (a[1]-b[1])*x + a[0] - b[0]
	})
}

func init() {
	format.RegisterRouted(format.RoutedFormat{Name: "floogen", IsYAML: true, Is: isConfig, Read: read})
}
