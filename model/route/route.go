package route

import (
	"fmt"
	"slices"
	"strings"

	"github.com/turnproof/turnproof/internal/spelling"
	"github.com/turnproof/turnproof/model"
)

// This file is the table of the named relations. It feeds help and docs too.

// Options of all named relations; the zero value is the default of each. A
// relation that has no use for an option refuses it.
type Options struct {
	// Order is the order of dimensions, 0 for x, of dor, e-cube and the escape
	// of duato. Nil: x, y, z, ...
	Order []int
	// BothWays lets dor go both ways round at distance k/2 of a ring. Default:
	// the plus direction only.
	BothWays bool
	// VCRule says how dor uses VCs on a ring: RuleDateline (the default from 2
	// VCs on), RulePlain (the default with one), RulePosition, RuleEntry,
	// RuleBalanced; see dor.go.
	VCRule string
	// Root is up*/down*'s root. Nil: the switch of least eccentricity.
	Root *model.SwitchID
	// EscapeVCs is how many VCs, the last ones, are duato's escape. 0: one on a
	// mesh, two on a torus.
	EscapeVCs int
	// StayOnEscape keeps a packet of duato on the escape once it is there, as
	// the flow-limiting paper and BookSim's min_adapt have it.
	StayOnEscape bool
	// Misroutes bounds the hops in unproductive directions of
	// duato-nonminimal. 0: DefaultMisroutes.
	Misroutes int
	// NF are the readings of nf and nf+1.
	NF NFOptions
}

// Routing is an entry of the table.
type Routing struct {
	Name    string
	Needs   string   // what the network must be
	Options []string // fields of Options that it reads
	Class   string   // what a packet carries; empty: nothing
	Source  string   // author, venue, year
	Text    string   // in a line

	make func(*model.Network, Options) (model.Relation, error)
}

var table = []Routing{
	{"minimal", "any network", nil, "",
		"folklore", "every shortest path, on any VC", newMinimal},
	{"dor", "mesh or torus; on a torus 2 VCs for deadlock freedom", []string{"Order", "BothWays", "VCRule"}, "half of the VCs (entry and balanced, odd VCs)",
		"Dally and Seitz, IEEE Trans. Computers, 1987", "dimension order", newDOR},
	{"dor-booksim", "mesh or torus; a torus with 2 VCs", []string{"Order", "VCRule"}, "half of the VCs (odd VCs)",
		"BookSim 2, dim_order_torus; Jiang et al., ISPASS, 2013", "dimension order, half of the VCs fixed on entering a ring, both ways at distance k/2", newBookSimDOR},
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
		"Schroeder et al., IEEE JSAC, 1991", "no channel up after one down, shortest such ways", newUpDown},
	{"nf", "mesh or torus of 2 dimensions", []string{"NF"}, "",
		"Matoyama, Miura and Watanabe, RC-005; Glass and Ni, ISCA, 1992", "North-First: no turn to the north; cyclic on a torus", newNF},
	{"nf+1", "torus of 2 dimensions, 2 VCs", []string{"NF"}, "bound down and left (NF.FigureAsPrinted)",
		"Matoyama, Miura and Watanabe, RC-005", "North-First and no turn right>down", newNF1},
	{"fully-adaptive", "mesh with 2 VCs", nil, "",
		"Duato, IEEE TPDS, 1993; Schwiebert and Jayasimha, JPDC, 1995", "every shortest path on 4n-2 channels a switch; the graph has cycles", newFullyAdaptive},
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

// Names returns the table of the named relations.
func Names() []Routing { return slices.Clone(table) }

// New returns the named relation on n. It fails for a name that is not in the
// table, a network that the relation does not fit, and an option that it does
// not read.
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
	return nil, fmt.Errorf("route: no routing %q%s, known are %s", name, spelling.Suggest(name, names), strings.Join(names, ", "))
}

// given lists the options that are not the default.
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
