package booksim

import (
	"fmt"
	"slices"
	"strings"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/booksim"
	"github.com/turnproof/turnproof/model/format/textfile"
)

// This file maps the routing functions of BookSim 2 to relations.

// routingFunction says which of our relations equals a routing function of BookSim.
type routingFunction struct {
	topology, name string
	set            func(*Config) error // sets the relation in the result; nil if there is none
	why            string              // why the relation is equal, or why there is none
}

// routingFunctions lists every routing function that BookSim 2 registers for the supported
// topologies.
var routingFunctions = []routingFunction{
	{"mesh", "dor", relation("dor"), "dimension order, x first, any VC"},
	{"mesh", "dim_order", relation("dor"), "dimension order, x first, any VC"},
	{"mesh", "dim_order_ni", nil, "each destination has VCs of its own"},
	{"mesh", "dim_order_pni", nil, "each coordinate of the destination has VCs of its own"},
	{"mesh", "xy_yx", xyYX, "x first on the lower half of the VCs or last dimension first on the upper, chosen at the source"},
	{"mesh", "adaptive_xy_yx", adaptiveXYYX, "x first on the lower half of the VCs or last dimension first on the upper, chosen at the source (by " +
		"credits, which does not change the possible paths)"},
	{"mesh", "romm", nil, "packets go by way of a random switch between source and destination"},
	{"mesh", "romm_ni", nil, "packets go by way of a random switch, and each destination has VCs of its own"},
	{"mesh", "min_adapt", minAdaptMesh, "dimension order, x first; a packet on VC 0 stays there. BookSim 2 loses the adaptive VCs of other " +
		"dimensions, as its " +
		"route set has one range of VCs for each priority"},
	{"mesh", "planar_adapt", nil, "planar adaptive routing (Chien and Kim, 1992) is not among ours"},
	{"mesh", "valiant", nil, "packets go by way of a random switch"},
	{"mesh", "chaos", nil, "chaos routing drops minimality and needs a router of its own, which BookSim 2 cannot start"},
	{"torus", "dim_order", torusRouting("entry"), "dimension order, the half of the VCs fixed on entering each dimension, both ways round at distance k/2"},
	{"torus", "dim_order_bal", torusRouting("balanced"),
		"dimension order, two datelines, the half of the VCs fixed on entering each dimension, both ways round at distance k/2"},
	{"torus", "dim_order_ni", nil, "each destination has VCs of its own"},
	{"torus", "min_adapt", nil, "its escape keeps the half of the VCs chosen on entering a dimension, and its adaptive hops use only VC " +
		"3; our duato chooses the half by position and uses all other VCs"},
	{"torus", "valiant", nil, "packets go by way of a random switch"},
	{"torus", "valiant_ni", nil, "packets go by way of a random switch, and each destination has VCs of its own"},
	{"torus", "chaos", nil, "chaos routing drops minimality and needs a router of its own, which BookSim 2 cannot start"},
	{"anynet", "min", func(*Config) error { return nil }, "BookSim's own table: one shortest path by latency for each router and node, any VC"},
}

func relation(name string) func(*Config) error {
	return func(b *Config) error { b.Relation = name; return nil }
}

func xyYX(b *Config) error {
	if b.VCs < 2 || b.VCs%2 == 1 {
		return fmt.Errorf("%s with num_vcs = %d: want an even number; with an odd one the halves overlap in BookSim, and packets can "+
			"change from one order to the other", b.Routing, b.VCs)
	}
	b.Relation = "dor"
	up := make([]int, b.N)
	for d := range up {
		up[d] = d
	}
	down := slices.Clone(up)
	slices.Reverse(down)
	b.Layers = [][]int{up, down}
	return nil
}

// adaptiveXYYX has the paths of xy_yx. BookSim compares the numbers of flits on the two next channels when the packet enters.
func adaptiveXYYX(b *Config) error {
	b.Run.Warnings = append(b.Run.Warnings, fmt.Sprintf("%s:%d: routing_function = adaptive_xy_yx is approximate: BookSim takes the order whose "+
		"first channel has fewer flits ahead, the simulation draws the order; latencies and saturation differ", b.file, b.lines["routing_function"]))
	return xyYX(b)
}

func minAdaptMesh(b *Config) error {
	if b.VCs < 2 {
		return fmt.Errorf("min_adapt with num_vcs = %d: it needs 2, one of them for the escape", b.VCs)
	}
	b.Relation, b.KeepFirst = "dor", true
	return nil
}

func torusRouting(rule string) func(*Config) error {
	return func(b *Config) error {
		if b.VCs < 2 {
			return fmt.Errorf("%s on a torus with num_vcs = %d: BookSim needs 2", b.Routing, b.VCs)
		}
		b.Relation, b.VCRule = "dor-booksim", rule
		return nil
	}
}

// routing returns the entry of the configuration's routing function.
func (c *configReader) routing(b *Config) (routingFunction, error) {
	known := strings.Join(knownRoutings(b.Topology), ", ")
	if b.Routing == "none" {
		return routingFunction{}, c.fault("routing_function", "no routing_function is given; known for topology %s: %s", b.Topology, known)
	}
	for _, r := range routingFunctions {
		switch {
		case r.topology != b.Topology || r.name != b.Routing:
		case r.set == nil:
			return r, c.fault("routing_function", "routing_function = %s with topology %s has no equal routing here: %s; supported: %s",
				r.name, r.topology, r.why, known)
		default:
			return r, nil
		}
	}
	return routingFunction{}, c.fault("routing_function", "routing_function = %s is none that BookSim 2 has for topology %s; known: %s",
		textfile.Clip(b.Routing), b.Topology, known)
}

// topology fails if BookSim 2 has no such topology.
func (c *configReader) topology(b *Config) error {
	if len(knownRoutings(b.Topology)) > 0 || c.built() {
		return nil
	}
	return c.fault("topology", "topology = %s is none of BookSim 2's; these are mesh, torus, anynet, %s", textfile.Clip(b.Topology),
		strings.Join(booksim.Names(), ", "))
}

// built reports whether package model/booksim has the topology.
func (c *configReader) built() bool {
	_, ok := booksim.Find(c.value["topology"])
	return ok
}

// build sets the network of a topology of package model/booksim.
func (c *configReader) build(b *Config) (err error) {
	s := booksim.Shape{Distances: c.value["use_noc_latency"] == "1"}
	for _, x := range []struct {
		key string
		to  *int
	}{{"k", &s.K}, {"n", &s.N}, {"c", &s.C}, {"x", &s.X}, {"y", &s.Y}, {"xr", &s.XR}, {"yr", &s.YR}} {
		if *x.to, err = c.number(x.key, 1, 1<<16); err != nil {
			return err
		}
	}
	t, _ := booksim.Find(b.Topology)
	if c.fabric, err = t.Build(s); err != nil {
		return c.fault("topology", "%s", err)
	}
	b.Network, b.K, b.N = c.fabric.Net.WithVCs(b.VCs), s.K, s.N
	if b.Topology == "flatfly" && s.N > 1 {
		b.Run.Warnings = append(b.Run.Warnings, fmt.Sprintf("%s: the routers of a flatfly of several dimensions have their inputs in another order than "+
			"in BookSim; packets that ask for the same channel may go in another order", c.place("topology")))
	}
	if c.fabric.Split {
		b.Run.Fault = c.fault("topology", "topology = %s: its nodes send and receive at different routers, which no simulation here does", b.Topology)
	}
	return nil
}

// routeBuilt sets the relation of a routing function on a network of package model/booksim.
func (c *configReader) routeBuilt(b *Config) error {
	key := "routing_function"
	if b.Routing == "none" {
		t, _ := booksim.Find(b.Topology)
		return c.fault(key, "no routing_function is given; known for topology %s: %s", b.Topology, strings.Join(t.Routings(), ", "))
	}
	r, err := c.fabric.Routing(b.Routing, b.VCs)
	if err != nil {
		return c.fault(key, "%s", err)
	}
	if r.Differs != "" {
		b.Run.Warnings = append(b.Run.Warnings, fmt.Sprintf("%s: routing_function = %s is approximate: %s, the simulation draws; latencies and "+
			"saturation differ", c.place(key), b.Routing, r.Differs))
	}
	b.Made, b.Selection, b.Why = r.Relation, r.Choice, r.Why
	if b.Run.Replies != nil {
		return c.replyNetworks(b)
	}
	return nil
}

// replyNetworks lets each type of message of use_read_write use its range of VCs.
func (c *configReader) replyNetworks(b *Config) error {
	if b.Topology == "dragonflynew" {
		return c.fault("use_read_write", "use_read_write = 1 with topology = dragonflynew: its routing functions ignore the ranges of VCs, so messages of "+
			"all types share VCs; give the configuration without it to check the paths")
	}
	var parts []model.VirtualNetwork
	for i, first := range b.Run.Replies.First {
		r, err := c.fabric.Routing(b.Routing, b.Run.Replies.Last[i]-first+1)
		if err != nil {
			return c.fault("use_read_write", "VCs %d to %d: %s", first, b.Run.Replies.Last[i], err)
		}
		parts = append(parts, model.VirtualNetwork{Relation: r.Relation, First: first})
	}
	var err error
	b.Made, err = model.NewVirtualNetworks(b.Network, parts)
	return err
}

// knownRoutings returns the routing functions of a topology that have a relation.
func knownRoutings(topology string) (names []string) {
	for _, r := range routingFunctions {
		if r.topology == topology && r.set != nil {
			names = append(names, r.name)
		}
	}
	return names
}
