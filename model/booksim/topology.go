package booksim

import (
	"fmt"
	"slices"

	"github.com/turnproof/turnproof/model"
)

// Shape has the keys of a configuration that determine a network.
type Shape struct {
	K, N, C   int  // k, n, c
	X, Y      int  // x, y: routers by direction, for the places of nodes
	XR, YR    int  // xr, yr: nodes of a router by direction
	Distances bool // use_noc_latency: latencies of channels by their length
}

// Topology is a topology of BookSim 2.
type Topology struct {
	Name     string
	routings []function
	build    func(Shape) (*Fabric, error)
}

// function is a routing function of a topology.
type function struct {
	name    string
	leastVC int    // the fewest VCs with which BookSim runs it
	exact   int    // if not 0: the only number of VCs that it runs with
	choice  string // how the source or a router chooses, as a selection of package engine: "" or "drawn"
	differs string // how BookSim chooses otherwise; for simulations
	rule    func(f *Fabric) rule
	why     string // the routing in one line
}

// Fabric is a network of a topology.
type Fabric struct {
	Topology string
	Shape    Shape
	Net      *model.Network // with one VC a channel
	// Split is true if nodes send and receive at different routers: host i sends for node i, and host i plus the number of nodes receives.
	Split bool

	nodes int // nodes of BookSim
}

// limitSwitches bounds the size of networks.
const limitSwitches = 1 << 16

// topologies is the table.
var topologies = []Topology{
	{"cmesh", cmeshRoutings, buildCMesh},
	{"dragonflynew", dragonflyRoutings, buildDragonfly},
	{"fattree", fatTreeRoutings, buildFatTree},
	{"flatfly", flatflyRoutings, buildFlatfly},
	{"fly", flyRoutings, buildFly},
	{"qtree", qTreeRoutings, buildQTree},
	{"tree4", tree4Routings, buildTree4},
}

// Names returns the names of the topologies.
func Names() (names []string) {
	for _, t := range topologies {
		names = append(names, t.Name)
	}
	return names
}

// Find returns the topology of a name. ok is false if there is none.
func Find(name string) (t Topology, ok bool) {
	i := slices.IndexFunc(topologies, func(t Topology) bool { return t.Name == name })
	if i < 0 {
		return Topology{}, false
	}
	return topologies[i], true
}

// Routings returns the names of the routing functions of the topology that have a relation.
func (t Topology) Routings() (names []string) {
	for _, r := range t.routings {
		if r.rule != nil {
			names = append(names, r.name)
		}
	}
	return names
}

// Build returns the network of a shape. It fails if BookSim refuses the shape, or cannot build a network of it.
func (t Topology) Build(s Shape) (*Fabric, error) {
	f, err := t.build(s)
	if err != nil {
		return nil, fmt.Errorf("topology = %s: %w", t.Name, err)
	}
	f.Topology, f.Shape = t.Name, s
	return f, nil
}

// Function is a routing function on a network.
type Function struct {
	Relation model.Relation
	Why      string // the routing in one line
	Choice   string // the selection of package engine with which it is simulated; "" for the default
	Differs  string // how BookSim chooses otherwise, or ""
}

// Routing returns a routing function with a number of VCs. It fails if the topology has no such function, if BookSim does not run it
// with this number of VCs, or if no relation of states has its hops.
func (f *Fabric) Routing(name string, vcs int) (*Function, error) {
	t, _ := Find(f.Topology)
	i := slices.IndexFunc(t.routings, func(r function) bool { return r.name == name })
	if i < 0 {
		return nil, fmt.Errorf("routing_function = %.40s is none that BookSim 2 has for topology %s; known: %s", name, t.Name, list(t.Routings()))
	}
	r := t.routings[i]
	switch {
	case r.rule == nil:
		return nil, fmt.Errorf("routing_function = %s with topology %s has no equal routing here: %s; supported: %s", name, t.Name, r.why, list(t.Routings()))
	case r.exact > 0 && vcs != r.exact:
		return nil, fmt.Errorf("%s with num_vcs = %d: BookSim runs it with %d only", name, vcs, r.exact)
	case vcs < r.leastVC:
		return nil, fmt.Errorf("%s with num_vcs = %d: BookSim needs %d", name, vcs, r.leastVC)
	}
	return &Function{Relation: &relation{net: f.Net.WithVCs(vcs), nodes: f.nodes, split: f.Split, rule: r.rule(f), vcs: vcs}, Why: r.why,
		Choice: r.choice, Differs: r.differs}, nil
}

func list(names []string) string {
	text := ""
	for i, name := range names {
		if i > 0 {
			text += ", "
		}
		text += name
	}
	return text
}

// power returns b to the power e, or limitSwitches+1 if that is more than limitSwitches.
func power(b, e int) int {
	p := 1
	for range e {
		if p *= b; p > limitSwitches {
			return limitSwitches + 1
		}
	}
	return p
}

// tooLarge returns an error if a network would have too many routers or nodes.
func tooLarge(routers, nodes int) error {
	if routers > limitSwitches || nodes > limitSwitches {
		return fmt.Errorf("more than %d routers or nodes", limitSwitches)
	}
	return nil
}

// port is the port here of BookSim's port p.
func port(p int) model.Port { return model.Port(p + 1) }

// builder collects a network with latencies.
type builder struct {
	*model.Builder
	latency []int // by link: of its channels
	local   []int // by host: of its channels
}

func newBuilder(routers int) *builder {
	b := &builder{Builder: model.NewBuilder()}
	for range routers {
		b.AddSwitch(model.Switch{})
	}
	return b
}

// node adds the next node, at port p of a router.
func (b *builder) node(name string, router, p, latency int) {
	b.AddHost(model.Host{Name: name, Switch: model.SwitchID(router), Port: port(p)})
	b.local = append(b.local, latency)
}

// link joins port p of router u and port q of router v.
func (b *builder) link(u, p, v, q, latency int) model.LinkID {
	l := b.AddLink(model.SwitchID(u), port(p), model.SwitchID(v), port(q))
	b.latency = append(b.latency, latency)
	return l
}

// fabric builds the network.
func (b *builder) fabric(nodes int) (*Fabric, error) {
	n, err := b.Build()
	if err != nil {
		return nil, err
	}
	attributes := make([]model.ChannelAttributes, n.NumChannels())
	for c := range model.ChannelID(n.NumChannels()) {
		latency := b.latency
		index := int(c) / 2
		if n.Kind(c) != model.SwitchToSwitch {
			latency, index = b.local, int(n.HostOf(c))
		}
		if latency[index] > 1 {
			attributes[c].Latency = int32(latency[index])
		}
	}
	if n, err = n.WithChannelAttributes(attributes); err != nil {
		return nil, err
	}
	return &Fabric{Net: n, nodes: nodes}, nil
}
