package booksim

import (
	"fmt"
	"slices"
	"strings"

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

// topologies are the topologies of BookSim 2 that are not supported.
var topologies = []string{"cmesh", "dragonflynew", "fattree", "flatfly", "fly", "qtree", "tree4"}

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

// topology fails if the topology is not supported.
func (c *configReader) topology(b *Config) error {
	switch {
	case len(knownRoutings(b.Topology)) > 0:
		return nil
	case slices.Contains(topologies, b.Topology):
		return c.fault("topology", "topology = %s is not read, supported are mesh, torus and anynet", b.Topology)
	}
	return c.fault("topology", "topology = %s is none of BookSim 2's; supported are mesh, torus and anynet", textfile.Clip(b.Topology))
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
