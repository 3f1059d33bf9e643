package route

import (
	"fmt"
	"slices"
	"strings"

	"github.com/turnproof/turnproof/internal/spelling"
	"github.com/turnproof/turnproof/model"
)

// This file is the table of the named relations. Help texts and docs are generated from the
// table.

// Options are the options of all named relations. The zero value is the default. New fails if a
// relation is given an option that it does not use.
type Options struct {
	// Order is the order of dimensions of dor, e-cube and the escape of duato; 0 is x. If nil,
	// the order is x, y, z, ...
	Order []int
	// BothWays lets dor use both directions at distance k/2 of a ring. Default: the plus
	// direction only.
	BothWays bool
	// VCRule is the rule by which dor uses VCs on a ring: RulePlain, RuleDateline,
	// RulePosition, RuleEntry or RuleBalanced (see dor.go). Defaults to RuleDateline with two
	// or more VCs, else RulePlain.
	VCRule string
	// Root is the root of up*/down*. If nil, the switch of least eccentricity.
	Root *model.SwitchID
	// EscapeVCs is the number of escape VCs of duato, the last VCs. Defaults to one on a mesh
	// and two on a torus.
	EscapeVCs int
	// StayOnEscape keeps a packet of duato on the escape once it is there, as in the
	// flow-limiting paper and in min_adapt of BookSim.
	StayOnEscape bool
	// Misroutes is the maximum number of unproductive hops in duato-nonminimal. Defaults to
	// DefaultMisroutes.
	Misroutes int
	// NF selects the reading of nf and nf+1.
	NF NFOptions
}

// Routing describes a named relation.
type Routing struct {
	Name    string
	Needs   string   // requirement on the network
	Options []string // the fields of Options that it uses
	Class   string   // meaning of the class; empty if there is one class only
	Source  string   // author, venue, year
	Text    string   // description in one line

	make func(*model.Network, Options) (model.Relation, error)
}

var table = []Routing{
	{"minimal", "any network", nil, "",
		"folklore", "every shortest path, on any VC", newMinimal},
	{"dor", "mesh or torus; on a torus 2 VCs for deadlock freedom", []string{"Order", "BothWays", "VCRule"}, "half of the VCs (entry and balanced, odd VCs)",
		"Dally and Seitz, IEEE Trans. Computers, 1987", "dimension order", newDOR},
	{"dor-booksim", "mesh or torus; a torus with 2 VCs", []string{"Order", "VCRule"}, "half of the VCs (odd VCs)",
		"BookSim 2, dim_order_torus; Jiang et al., ISPASS, 2013",
		"dimension order, half of the VCs fixed on entering a ring, both ways at distance k/2", newBookSimDOR},
	{"vlan-dor", "mesh", []string{"Order"}, "the VLAN, one for each line along the first dimension",
		"Otsuka et al., VLAN Ethernet", "dimension order, in VLANs that are trees", newVLANDOR},
	{"west-first", "mesh of 2 dimensions", nil, "",
		"Glass and Ni, ISCA, 1992", "no turn to the west", newWestFirst},
	{"north-last", "mesh of 2 dimensions", nil, "",
		"Glass and Ni, ISCA, 1992", "no turn out of the north", newNorthLast},
	{"negative-first", "mesh", nil, "",
		"Glass and Ni, ISCA, 1992", "no turn from a plus to a minus direction", newNegativeFirst},
	{"odd-even", "mesh of 2 dimensions", nil, "",
		"Chiu, IEEE TPDS, 2000", "no turn out of the east in even columns, none to the west in odd ones", newOddEven},
	{"e-cube", "hypercube", []string{"Order"}, "",
		"Sullivan and Bashkow, ISCA, 1977", "differing address bits in order", newECube},
	{"updown", "any network", []string{"Root"}, "",
		"Schroeder et al., IEEE JSAC, 1991", "no up channel after a down channel, shortest such paths", newUpDown},
	{"nf", "mesh or torus of 2 dimensions", []string{"NF"}, "",
		"Matoyama, Miura and Watanabe, RC-005; Glass and Ni, ISCA, 1992", "North-First: no turn to the north; cyclic on a torus", newNF},
	{"nf+1", "torus of 2 dimensions, 2 VCs", []string{"NF"}, "bound down and left (NF.FigureAsPrinted)",
		"Matoyama, Miura and Watanabe, RC-005", "North-First and no turn right>down", newNF1},
	{"fully-adaptive", "mesh with 2 VCs", nil, "",
		"Duato, IEEE TPDS, 1993; Schwiebert and Jayasimha, JPDC, 1995",
		"every shortest path on 4n-2 channels a switch; the graph has cycles", newFullyAdaptive},
	{"linder-harden", "mesh of n dimensions with 2^(n-1) VCs", nil, "the network, one of 2^(n-1)",
		"Linder and Harden, IEEE Trans. Computers, 1991", "every shortest path on (n+1)*2^(n-1) channels a switch; the graph has no cycle", newLinderHarden},
	{"duato", "mesh with 2 VCs or torus with 3", []string{"Order", "EscapeVCs", "StayOnEscape"}, "",
		"Duato, IEEE TPDS, 1993", "minimal adaptive, dimension order on the last VCs", newDuato},
	{"duato-nonminimal", "mesh with 2 VCs or torus with 3", []string{"Order", "EscapeVCs", "StayOnEscape", "Misroutes"}, "misroutes used",
		"Duato, IEEE TPDS, 1993", "adaptive with bounded misroutes, dimension order on the last VCs", newDuatoNonMinimal},
	{"simple-adaptive", "mesh with 2 VCs or torus with 3", []string{"Order", "EscapeVCs"}, "",
		"Yokota et al., flow limiting", "as duato; sim selects by the next buffers", newSelectedAdaptive("simple-adaptive")},
	{"cross-line", "mesh with 2 VCs or torus with 3", []string{"Order", "EscapeVCs"}, "",
		"Yokota et al., IPSJ Trans. ACS, 2005", "as duato; sim selects by the buffers straight ahead", newSelectedAdaptive("cross-line")},
}

// Names returns the table of all named relations.
func Names() []Routing { return slices.Clone(table) }

// New returns the named relation on n. It fails if the name is unknown, if the relation does
// not fit the network, or if o has an option that the relation does not use.
func New(name string, n *model.Network, o Options) (model.Relation, error) {
	var names []string
	for _, r := range table {
		if r.Name == name {
			for _, field := range o.given() {
				if !slices.Contains(r.Options, field) {
					return nil, fmt.Errorf("route: %s has no option %s", name, field)
				}
			}
			return r.make(n, o)
		}
		names = append(names, r.Name)
	}
	return nil, fmt.Errorf("route: no routing %q%s; want one of %s", name, spelling.Suggest(name, names), strings.Join(names, ", "))
}

// given returns the names of the options that differ from their default.
func (o Options) given() (list []string) {
	for _, f := range []struct {
		name string
		set  bool
	}{
		{"Order", o.Order != nil}, {"BothWays", o.BothWays}, {"VCRule", o.VCRule != ""}, {"Root", o.Root != nil},
		{"EscapeVCs", o.EscapeVCs != 0}, {"StayOnEscape", o.StayOnEscape}, {"Misroutes", o.Misroutes != 0}, {"NF", o.NF != NFOptions{}},
	} {
		if f.set {
			list = append(list, f.name)
		}
	}
	return list
}
