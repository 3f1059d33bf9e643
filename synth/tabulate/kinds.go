// Package tabulate makes the tables of a routing: its turns, next hops, distances and paths, row by row or as a
// lookup for hardware and programs.
//
// A first call:
//
//	source := &tabulate.Source{Relation: relation, From: model.NoHost, To: model.NoHost}
//	err := tabulate.Write(ctx, w, tables.NewCSV, kind, source, tables.Schema{})
//
// Read first: kinds.go is the table, rows.go; lookup.go for hardware; nexthops.go (routings that look at the
// destination only).
package tabulate

import (
	"context"
	"io"
	"strings"

	"github.com/turnproof/turnproof/internal/registry"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/names"
	"github.com/turnproof/turnproof/model/program"
	"github.com/turnproof/turnproof/model/view/tables"
	"github.com/turnproof/turnproof/synth"
)

// Kind is a table of a routing: its columns, and a function that makes its rows one after the other, so that
// large tables need no memory.
type Kind struct {
	Name, About string
	Columns     []tables.Column
	// ReadsProgram says that rows need Source.Program, if the routing has one.
	ReadsProgram bool
	columnsOf    func(r model.Relation) []tables.Column // if not nil, the columns depend on the routing
	// Rows calls row with the values of each row.
	Rows func(ctx context.Context, s *Source, row func(...any) error) error
}

// Source is what tables are made of.
type Source struct {
	Relation model.Relation
	Made     *synth.Result    // the turn set that a method made for Relation, or nil
	Program  *program.Program // a program that permits the same hops as Relation, or nil
	From, To model.HostID     // the only source and destination of rows that have them; NoHost for all
}

// names returns the words for switches and hosts in rows, which the readers of tables read as the same ones.
func (s *Source) names() *names.Index { return names.New(s.Relation.Network()) }

// endName returns the name of the switch or host at the end of a channel.
func endName(n *model.Network, x *names.Index, c model.ChannelID) string {
	if h := n.HostOf(c); h != model.NoHost {
		return x.HostName(h)
	}
	return x.SwitchLabel(n.Head(c))
}

// Columns reads a list of columns: "name" has texts, "name#" whole numbers, "name?" booleans.
func Columns(list string) (made []tables.Column) {
	for _, word := range strings.Fields(list) {
		c := tables.Column{Name: strings.TrimRight(word, "#?")}
		switch word[len(word)-1] {
		case '#':
			c.Type = tables.Integer
		case '?':
			c.Type = tables.Bool
		}
		made = append(made, c)
	}
	return made
}

// Kinds returns the tables of this package in the order in which users see them.
func Kinds() []Kind {
	return []Kind{
		{Name: "turns", About: "each turn of each switch: is it allowed?",
			Columns: Columns("switch in_port# in_vc# out_port# out_vc# allowed? from to"), Rows: turnRows},
		{Name: "next-hops", About: "where each switch forwards each address, if that depends on nothing else",
			columnsOf: nextHopColumns, Rows: nextHopRows},
		{Name: "input-hops", About: "where a packet may go next, by input port and input VC",
			columnsOf: inputHopColumns, Rows: inputHopRows},
		{Name: "ranges", About: "next hops by ranges of destinations, the fewest of each switch", columnsOf: rangeColumns, Rows: rangeRows},
		{Name: "distances", About: "links on a shortest permitted path of each pair (-1: no path), and without prohibited turns",
			Columns: Columns("source destination lid# links# unrestricted#"), Rows: distanceRows},
		{Name: "worst-permutation", About: "the permutation of the hosts that loads a channel most, with even use of permitted hops",
			Columns: append(Columns("source destination"), tables.Column{Name: "load", Type: tables.Decimal, Digits: 4}), Rows: worstRows},
		{Name: "paths", About: "the path of each pair of hosts, for each service level that may be used",
			Columns: Columns("source destination lid# class# end switches# path vcs"), Rows: pathRows},
		{Name: "hv-switches", About: "coordinates of the switches in the H/V graph of a turn method: depth and horizontal spread",
			Columns: Columns("switch parent depth# spread#"), Rows: hvSwitchRows},
		{Name: "hv-channels", About: "directions of the channels in the H/V graph of a turn method",
			Columns: Columns("from out_port# to in_port# direction tree?"), Rows: hvChannelRows},
		{Name: "conditional-turns", About: "turns that L-turn or R-turn prohibits on a condition: does a cycle need it?",
			Columns: Columns("switch in_port# out_port# from to turn prohibited?"), Rows: conditionalRows},
		{Name: "da-starts", About: "the searches of the cycle-detection algorithm of L-turn or R-turn, in their order",
			Columns: Columns("number# switch out_port# to turn"), Rows: startRows},
		{Name: "da-cycles", About: "the cycles that the cycle-detection algorithm finds, channel by channel; it prohibits the turn from the last to the first",
			Columns: Columns("cycle# step# from out_port# to direction"), Rows: cycleRows},
	}
}

// Find returns the table of a name from a list such as Kinds.
func Find(list []Kind, name string) (Kind, error) {
	return registry.Find("table", name, list, func(k Kind) string { return k.Name })
}

// ColumnsOf returns the columns of the table for a routing.
func (k Kind) ColumnsOf(r model.Relation) []tables.Column {
	if k.columnsOf != nil {
		return k.columnsOf(r)
	}
	return k.Columns
}

// Write writes the rows of a table. newWriter is a function such as tables.NewCSV; about names network and routing.
func Write(ctx context.Context, w io.Writer, newWriter func(io.Writer, tables.Schema) tables.RowWriter, kind Kind,
	s *Source, about tables.Schema) error {
	about.Kind, about.Columns = kind.Name, kind.ColumnsOf(s.Relation)
	out := newWriter(w, about)
	if err := out.Begin(); err != nil {
		return err
	}
	if err := kind.Rows(ctx, s, out.Row); err != nil {
		return err
	}
	return out.End()
}
