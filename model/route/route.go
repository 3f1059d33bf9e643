package route

import (
	"fmt"
	"slices"

	"github.com/turnproof/turnproof/internal/option"
	"github.com/turnproof/turnproof/internal/registry"
	"github.com/turnproof/turnproof/model"
)

// This file is the table of the named relations. Help texts and docs are generated from the
// table.

// Routing describes a named relation.
type Routing struct {
	Name    string
	Needs   string   // requirement on the network
	Options []Option // the options that it reads
	Class   string   // meaning of the class; empty if there is one class only
	Source  string   // author, venue, year
	Text    string   // description in one line
	// Selection is the rule by which the source chooses among several free next hops, a value of
	// engine.Selection. It is empty if the source has no rule.
	Selection string

	make func(*model.Network, Options) (model.Relation, error)
}

var table []Routing

func init() { table = routings } // the routing escape looks up other routings in the table

var routings = []Routing{
	{"minimal", "any network", nil, "",
		"folklore", "every shortest path, on any VC", "", newMinimal},
	{"dor", "mesh or torus; on a torus 2 VCs for deadlock freedom", []Option{orderOption, bothWaysOption, vcRuleOption, keepFirstOption},
		"half of the VCs (entry and balanced, odd VCs)",
		"Dally and Seitz, IEEE Trans. Computers, 1987", "dimension order", "", newDOR},
	{"dor-booksim", "mesh or torus; a torus with 2 VCs", []Option{orderOption, vcRuleOption}, "half of the VCs (odd VCs)",
		"BookSim 2, dim_order_torus; Jiang et al., ISPASS, 2013",
		"dimension order, half of the VCs fixed on entering a ring, both ways at distance k/2", "drawn", newBookSimDOR},
	{"vlan-dor", "mesh", []Option{orderOption}, "the VLAN, one for each line along the first dimension",
		"Otsuka et al., VLAN Ethernet", "dimension order, in VLANs that are trees", "", newVLANDOR},
	{"west-first", "mesh of 2 dimensions", nil, "",
		"Glass and Ni, ISCA, 1992", "no turn to the west", "", newWestFirst},
	{"north-last", "mesh of 2 dimensions", nil, "",
		"Glass and Ni, ISCA, 1992", "no turn out of the north", "", newNorthLast},
	{"negative-first", "mesh", nil, "",
		"Glass and Ni, ISCA, 1992", "no turn from a plus to a minus direction", "", newNegativeFirst},
	{"odd-even", "mesh of 2 dimensions", nil, "",
		"Chiu, IEEE TPDS, 2000", "no turn out of the east in even columns, none to the west in odd ones", "", newOddEven},
	{"e-cube", "hypercube", []Option{orderOption}, "",
		"Sullivan and Bashkow, ISCA, 1977", "differing address bits in order", "", newECube},
	{"updown", "any network", []Option{rootOption}, "",
		"Schroeder et al., IEEE JSAC, 1991", "no up channel after a down channel, shortest such paths", "", newUpDown},
	{"dragonfly-minimal", "dragonfly with 2 VCs", []Option{vcsByOption, beyondOption}, "letters passed",
		"Kim et al., ISCA, 2008", "one global link to the group of the destination", "",
		newDragonfly(dragonflyKind{name: "dragonfly-minimal", vcsBy: VCsByGlobalHops})},
	{"dragonfly-valiant", "dragonfly with 3 VCs", []Option{viaOption, vcsByOption, beyondOption}, "letters passed",
		"Kim et al., ISCA, 2008; Valiant, SIAM J. Computing, 1982", "by any other group; also for UGAL", "valiant",
		newDragonfly(dragonflyKind{name: "dragonfly-valiant", valiant: true, vcsBy: VCsByGlobalHops})},
	{"dragonfly-ugal", "dragonfly with 3 VCs", []Option{viaOption, vcsByOption, beyondOption}, "letters passed",
		"Kim et al., ISCA, 2008; Singh, PhD thesis, Stanford, 2005", "minimal or Valiant, by load", "ugal",
		newDragonfly(dragonflyKind{name: "dragonfly-ugal", valiant: true, vcsBy: VCsByGlobalHops})},
	{"dragonfly-par", "dragonfly with 4 VCs", []Option{viaOption, vcsByOption, beyondOption}, "letters passed",
		"Jiang et al., ISCA, 2009", "minimal or Valiant, decided again after a local link", "par",
		newDragonfly(dragonflyKind{name: "dragonfly-par", valiant: true, par: true, vcsBy: VCsByStages})},
	{"nf", "mesh or torus of 2 dimensions", []Option{readingOption}, "",
		"Matoyama, Miura and Watanabe, RC-005; Glass and Ni, ISCA, 1992", "North-First: no turn to the north; cyclic on a torus", "ordered", newNF},
	{"nf+1", "torus of 2 dimensions, 2 VCs", []Option{readingOption}, "bound down and left (NF.FigureAsPrinted)",
		"Matoyama, Miura and Watanabe, RC-005", "North-First and no turn right>down", "ordered", newNF1},
	{"fully-adaptive", "mesh with 2 VCs", nil, "",
		"Duato, IEEE TPDS, 1993; Schwiebert and Jayasimha, JPDC, 1995",
		"every shortest path on 4n-2 channels a switch; the graph has cycles", "", newFullyAdaptive},
	{"linder-harden", "mesh of n dimensions with 2^(n-1) VCs", nil, "the network, one of 2^(n-1)",
		"Linder and Harden, IEEE Trans. Computers, 1991", "every shortest path on (n+1)*2^(n-1) channels a switch; the graph has no cycle",
		"", newLinderHarden},
	{"duato", "mesh with 2 VCs or torus with 3", []Option{orderOption, escapeVCsOption, stayOption}, "",
		"Duato, IEEE TPDS, 1993", "minimal adaptive, dimension order on the last VCs", "", newDuato},
	{"duato-nonminimal", "mesh with 2 VCs or torus with 3", []Option{orderOption, escapeVCsOption, stayOption, misroutesOption}, "misroutes used",
		"Duato, IEEE TPDS, 1993", "adaptive with bounded misroutes, dimension order on the last VCs", "", newDuatoNonMinimal},
	{"simple-adaptive", "mesh with 2 VCs or torus with 3", []Option{orderOption, escapeVCsOption}, "",
		"Yokota et al., flow limiting", "as duato; sim selects by the next buffers", "least-loaded", newSelectedAdaptive("simple-adaptive")},
	{"cross-line", "mesh with 2 VCs or torus with 3", []Option{orderOption, escapeVCsOption}, "",
		"Yokota et al., IPSJ Trans. ACS, 2005", "as duato; sim selects by the buffers straight ahead", "ahead", newSelectedAdaptive("cross-line")},
	{"o1turn", "mesh of 2 dimensions with 2 VCs", []Option{beyondOption}, "the order of the dimensions",
		"Seo et al., ISCA, 2005", "xy or yx, drawn by the source", "", newO1Turn},
	{"romm", "mesh with 2 VCs", []Option{beyondOption}, "the phase",
		"Nesson and Johnsson, SPAA, 1995", "dimension order by a switch of the minimal box", "", newROMM},
	{"planar-adaptive", "mesh of 2 or more dimensions with 3 VCs", []Option{beyondOption}, "",
		"Chien and Kim, ISCA, 1992", "minimal adaptive in planes of two dimensions, one after the other", "", newPlanarAdaptive},
	{"lbdr", "mesh of 2 dimensions", []Option{turnsOption}, "",
		"Flich and Duato, IEEE CAL, 2008", "minimal paths of a turn model by twelve bits a switch", "", newLBDR},
	{"hyperx-dor", "HyperX", []Option{orderOption}, "",
		"Ahn et al., SC, 2009", "dimension order", "", newHyperXDOR},
	{"hyperx-dal", "HyperX with 2 VCs", []Option{beyondOption}, "the dimensions with a deroute",
		"Ahn et al., SC, 2009", "any dimension, a deroute in each, dimension order on the last VC", "weighted", newHyperXDAL},
	{"hyperx-dimwar", "HyperX with 2 VCs", []Option{beyondOption}, "",
		"McDonald et al., SC, 2019", "dimension order with a deroute in each dimension", "weighted", newHyperXDimWAR},
	{"hyperx-omniwar", "HyperX with a VC for each dimension and each deroute", []Option{misroutesOption, beyondOption}, "hops and deroutes passed",
		"McDonald et al., SC, 2019", "any dimension, several deroutes, a VC for each hop", "weighted", newHyperXOmniWAR},
	{"d-mod-k", "fat tree", nil, "",
		"Zahavi, Technion CCIT report 776, 2010", "one path, up ports by digits of the destination", "", newModK("d-mod-k", false)},
	{"s-mod-k", "fat tree", nil, "the source",
		"Leiserson et al., SPAA, 1992; Rodriguez et al., CLUSTER, 2009", "one path, up ports by digits of the source", "", newModK("s-mod-k", true)},
	{"positive-hop", "any connected network with as many VCs as its diameter", []Option{beyondOption}, "hops passed",
		"Günther, IEEE Trans. Communications, 1981", "every shortest path, a VC for each hop", "", newHopVCs("positive-hop", false, 0)},
	{"negative-hop", "any connected network with a VC for each negative hop", []Option{beyondOption}, "negative hops passed",
		"Boppana and Chalasani, ISCA, 1993", "every shortest path, the next VC after a hop to a smaller colour", "", newHopVCs("negative-hop", true, 0)},
	{"valiant", "any connected network with twice as many VCs as its diameter", []Option{beyondOption}, "the source, or hops passed",
		"Valiant, SIAM J. Computing, 1982; Günther, IEEE Trans. Communications, 1981", "shortest paths by any switch, a VC for each hop", "valiant",
		newValiantHops("valiant", 0)},
	{"slimfly-minimal", "Slim Fly or other network of diameter 2, with 2 VCs", []Option{beyondOption}, "hops passed",
		"Besta and Hoefler, SC, 2014", "every shortest path, a VC for each hop", "", newHopVCs("slimfly-minimal", false, 2)},
	{"slimfly-valiant", "Slim Fly or other network of diameter 2, with 4 VCs", []Option{beyondOption}, "hops passed",
		"Besta and Hoefler, SC, 2014", "shortest paths by any switch, a VC for each hop; also for UGAL", "valiant", newValiantHops("slimfly-valiant", 2)},
	{"segments", "any network", []Option{rootOption}, "",
		"Mejía et al., IPDPS, 2006", "shortest paths without one turn in each segment of links", "", newSegments},
	{"nue", "any connected network", []Option{rootOption}, "",
		"Domke, Hoefler and Matsuoka, HPDC, 2016", "one balanced path, found among the dependencies that close no cycle", "", newNue},
	{"escape", "any network with 2 VCs", []Option{adaptiveOption, onOption, escapeVCsOption, rootOption, returnOption}, "that of the adaptive routing",
		"Silla and Duato, IEEE TPDS, 2000; Duato, IEEE TPDS, 1993", "one routing on the first VCs, another one as its escape on the last", "", newEscape},
}

// Routings returns the table of all named routings.
func Routings() []Routing { return slices.Clone(table) }

// Find returns the routing of a name.
func Find(name string) (Routing, error) {
	return registry.Find("routing", name, table, func(r Routing) string { return r.Name })
}

// Reads reports whether the routing has the option of this name.
func (r Routing) Reads(name string) bool { return option.Has(r.Options, name) }

// AllOptions returns the options of all routings.
func AllOptions() []Option {
	var lists [][]Option
	for _, r := range table {
		lists = append(lists, r.Options)
	}
	return option.Join(lists...)
}

// New returns the named relation on n. It fails if the name is unknown, if the relation does
// not fit the network, or if o has an option that the relation does not use.
func New(name string, n *model.Network, o Options) (model.Relation, error) {
	r, err := Find(name)
	if err != nil {
		return nil, err
	}
	if foreign := option.Foreign(&o, r.Options, AllOptions()); foreign != "" {
		return nil, fmt.Errorf("route: %s has no option %s", name, foreign)
	}
	return r.make(n, o)
}
