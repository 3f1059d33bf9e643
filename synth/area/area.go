// Package area compares what routers need for a routing in several designs: tables, LBDR, comparators. It makes tables
// of package tabulate.
//
// Read first: area.go, lbdr.go.
package area

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/program"
	"github.com/turnproof/turnproof/model/view/tables"
	"github.com/turnproof/turnproof/synth/comparators"
	"github.com/turnproof/turnproof/synth/tabulate"
)

// Kinds returns the tables about routers.
func Kinds() []tabulate.Kind {
	return []tabulate.Kind{
		{Name: "comparators", About: "the comparisons of a routing program as a circuit for every size",
			Columns: tabulate.Columns("number# condition bits# uses#"), Rows: comparatorRows, ReadsProgram: true},
		{Name: "area", About: "what routers store and compare in each design: tables, ranges, LBDR, comparators",
			Columns: tabulate.Columns("design routers# entries# bits# comparators# compared_bits# most_entries# most_bits# most_comparators# " +
				"most_compared_bits#"),
			Rows: areaRows, ReadsProgram: true},
		{Name: "router-area", About: "the same for each router",
			Columns: tabulate.Columns("switch design entries# bits# comparators# compared_bits#"), Rows: routerAreaRows, ReadsProgram: true},
	}
}

// design is the areas of all routers.
type design []tables.Area // by switch

// designs returns the designs that give exactly the routing: tables of package tables, lbdr, and the comparators of the
// routing's program. A table that exceeds the limits of tables.Lookup is left out, and so is a program that is not linear.
func designs(ctx context.Context, s *tabulate.Source) (list []design, err error) {
	r := s.Relation
	next, err := tabulate.Lookup(ctx, r, "next-hops")
	if list, err = withTable(list, next, err); err != nil {
		return nil, err
	}
	isLBDR := len(list) > 0 && expressibleAsLBDR(r, next)
	input, err := tabulate.Lookup(ctx, r, "input-hops")
	if list, err = withTable(list, input, err); err != nil {
		return nil, err
	}
	if isLBDR {
		list = append(list, slices.Repeat(design{lbdrArea(r.Network().Grid())}, r.Network().NumSwitches()))
	}
	if s.Program != nil {
		if c, sides, err := Circuit(ctx, s); err == nil {
			list = append(list, slices.Repeat(design{c.Area(sides)}, r.Network().NumSwitches()))
		}
	}
	return list, ctx.Err()
}

// withTable appends the designs of a table, or none if the routing has no such table or it is too large.
func withTable(list []design, l *tables.Lookup, err error) ([]design, error) {
	var input *tabulate.NotByDestination
	var large *tables.TooLarge
	if errors.As(err, &input) || errors.As(err, &large) {
		return list, nil
	}
	if err != nil {
		return nil, err
	}
	first := len(list)
	for u := range model.SwitchID(l.Switches) {
		for i, a := range l.Areas(u) {
			if u == 0 {
				list = append(list, nil)
			}
			list[first+i] = append(list[first+i], a)
		}
	}
	return list, nil
}

// Circuit returns the comparators of the routing's program, and the sides of its network. It fails if there is no
// program, or the network lacks switches or links of the family.
func Circuit(ctx context.Context, s *tabulate.Source) (*comparators.Circuit, []int, error) {
	n := s.Relation.Network()
	if s.Program == nil {
		return nil, nil, errors.New("--kind comparators needs a routing program (FILE.star), or a routing that turnproof has as a program: turnproof prove " +
			"--help lists these")
	}
	sides, err := s.Program.SidesOn(n)
	if err != nil && s.Program.Family.Kind != program.AnyNetwork {
		return nil, nil, err
	}
	if s.Program.Family.Kind == program.AnyNetwork || s.Program.Family.HasAxes() { // SidesOn refuses failures of families with axes
		return circuitOn(ctx, s.Program, sides)
	}
	if err := wholeGrid(n); err != nil {
		return nil, nil, fmt.Errorf("comparators of %s: %w", s.Program.Name, err)
	}
	return circuitOn(ctx, s.Program, sides)
}

// circuitOn returns the comparators of a program, with the sides of the network that they fit.
func circuitOn(ctx context.Context, p *program.Program, sides []int) (*comparators.Circuit, []int, error) {
	c, err := comparators.Make(ctx, p, len(sides))
	if err == nil {
		err = c.Fits(sides)
	}
	return c, sides, err
}

// wholeGrid returns an error if a grid lacks switches or links.
func wholeGrid(n *model.Network) error {
	g := n.Grid()
	if g == nil {
		return errors.New("the network has no coordinates")
	}
	switches := 1
	for _, side := range g.Sides {
		switches *= side
	}
	if switches != n.NumSwitches() {
		return fmt.Errorf("the network has %d of %d switches of its grid; comparators know no holes or failures", n.NumSwitches(), switches)
	}
	for u := range model.SwitchID(n.NumSwitches()) {
		for d, side := range g.Sides {
			for minus := range 2 {
				edge := g.Coord(u, d) == (1-minus)*(side-1)
				if port := model.Port(2*d + 1 + minus); n.OutAt(u, port) == model.NoChannel && side > 1 && (g.Wrap[d] || !edge) {
					return fmt.Errorf("switch %s has no link at port %d; comparators know no holes or failures", n.SwitchName(u), port)
				}
			}
		}
	}
	return nil
}

// areaRows lists the designs, with sums over all routers and the largest values of one.
func areaRows(ctx context.Context, s *tabulate.Source, row func(...any) error) error {
	list, err := designs(ctx, s)
	if err != nil {
		return err
	}
	for _, d := range list {
		var sum, most tables.Area
		for _, a := range d {
			sum.Entries, most.Entries = sum.Entries+a.Entries, max(most.Entries, a.Entries)
			sum.Bits, most.Bits = sum.Bits+a.Bits, max(most.Bits, a.Bits)
			sum.Comparators, most.Comparators = sum.Comparators+a.Comparators, max(most.Comparators, a.Comparators)
			sum.ComparedBits, most.ComparedBits = sum.ComparedBits+a.ComparedBits, max(most.ComparedBits, a.ComparedBits)
		}
		if err := row(d[0].Design, len(d), sum.Entries, sum.Bits, sum.Comparators, sum.ComparedBits,
			most.Entries, most.Bits, most.Comparators, most.ComparedBits); err != nil {
			return err
		}
	}
	return nil
}

// routerAreaRows lists the designs of each router.
func routerAreaRows(ctx context.Context, s *tabulate.Source, row func(...any) error) error {
	list, err := designs(ctx, s)
	if err != nil {
		return err
	}
	n := s.Relation.Network()
	for u := range model.SwitchID(n.NumSwitches()) {
		for _, d := range list {
			a := d[u]
			if err := row(n.SwitchName(u), a.Design, a.Entries, a.Bits, a.Comparators, a.ComparedBits); err != nil {
				return err
			}
		}
	}
	return nil
}

// comparatorRows lists the comparators of the routing's program.
func comparatorRows(ctx context.Context, s *tabulate.Source, row func(...any) error) error {
	c, sides, err := Circuit(ctx, s)
	if err != nil {
		return err
	}
	for i, x := range c.Comparators(sides) {
		if err := row(i, x.Text, x.Bits, x.Uses); err != nil {
			return err
		}
	}
	return nil
}
