package report

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"github.com/turnproof/turnproof/internal/wording"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/hv"
	"github.com/turnproof/turnproof/model/view/page"
)

// This file makes the tables that the page shows.

// Limits of tables and files. Larger ones make the page slow.
const (
	mostRows        = 1000    // rows of a table
	mostTable       = 1 << 20 // bytes of a table to save
	mostCertificate = 4 << 20 // bytes of a certificate
	mostLoaded      = 20      // channels in the table of the busiest
)

// turnTable lists the turns that are not in the set allowed.
func (x *Routing) turnTable(allowed *model.TurnSet, caption string) []page.Block {
	n := allowed.Network()
	var graph *hv.Graph
	t := &page.Table{ID: x.id + "-turns-table", Filter: true, Columns: []page.Column{
		{Name: "At switch"}, {Name: "From"}, {Name: "by port", Number: true}, {Name: "To"}, {Name: "by port", Number: true},
		{Name: "Opposite", About: "the turn the other way"}}}
	if n.VCs() > 1 {
		t.Columns = append(t.Columns, page.Column{Name: wording.VC(n) + " in", Number: true}, page.Column{Name: wording.VC(n) + " out", Number: true})
	}
	if x.made != nil && x.made.Graph != nil && n.VCs() == 1 {
		graph = x.made.Graph
		t.Columns = append(t.Columns, page.Column{Name: "Directions", About: "of the two channels on the H/V graph"})
	}
	total := 0
	for turn := range model.Turns(n, false) {
		if allowed.Has(turn) {
			continue
		}
		if total++; total <= mostRows {
			t.Rows = append(t.Rows, page.Row{Cells: x.turnRow(allowed, turn, graph, x.allowed != nil)})
		}
	}
	t.Caption = fmt.Sprintf("%s: %s", caption, wording.Thousands(int64(total)))
	switch {
	case total == 0:
		return []page.Block{page.Text("There is none.")}
	case total <= mostRows:
		return []page.Block{t}
	}
	t.Caption += fmt.Sprintf(", the first %s", wording.Thousands(mostRows))
	return []page.Block{t, page.Note{Text: fmt.Sprintf("The page shows no table of more than %s rows; the file of turns has all rows.",
		wording.Thousands(mostRows))}}
}

// turnRow returns the row of turn t, which is not in the set allowed. set is true if the turns are
// prohibited, false if packets do not make them.
func (x *Routing) turnRow(allowed *model.TurnSet, t model.Turn, g *hv.Graph, set bool) []string {
	n := allowed.Network()
	in, i := n.Channel(t.In)
	out, j := n.Channel(t.Out)
	words := [2]string{"not made", "made"}
	if set {
		words = [2]string{"prohibited", "allowed"}
	}
	opposite := words[0]
	if allowed.Has(model.Turn{In: n.VC(n.Reverse(out), j), Out: n.VC(n.Reverse(in), i)}) {
		opposite = words[1]
	}
	cells := []string{n.SwitchName(n.Head(in)), n.SwitchLabel(n.Tail(in)), fmt.Sprint(n.HeadPort(in)), n.SwitchLabel(n.Head(out)),
		fmt.Sprint(n.TailPort(out)), opposite}
	if n.VCs() > 1 {
		cells = append(cells, strconv.Itoa(i), strconv.Itoa(j))
	}
	if g != nil {
		cells = append(cells, fmt.Sprintf("%s>%s", g.Dir(in), g.Dir(out)))
	}
	return cells
}

// mostLoaded returns the busiest channels between switches, in the order of their load.
func (x *Routing) mostLoaded() []model.ChannelID {
	var order []model.ChannelID
	for c := range model.ChannelID(x.Subject.Net.NumLinkChannels()) {
		order = append(order, c)
	}
	slices.SortStableFunc(order, func(a, b model.ChannelID) int { return cmp.Compare(x.flow.Load[b], x.flow.Load[a]) })
	return order[:min(len(order), mostLoaded)]
}

// loadTable lists channels with their load.
func (x *Routing) loadTable(list []model.ChannelID) *page.Table {
	n := x.Subject.Net
	t := &page.Table{ID: x.id + "-load-table", Caption: "The busiest channels between switches, " + x.Name, Columns: []page.Column{
		{Name: "From"}, {Name: "Port", Number: true}, {Name: "To"}, {Name: "Port", Number: true}, {Name: "Load", Number: true}}}
	for _, c := range list {
		t.Rows = append(t.Rows, page.Row{Cells: []string{n.SwitchName(n.Tail(c)), fmt.Sprint(n.TailPort(c)), n.SwitchName(n.Head(c)),
			fmt.Sprint(n.HeadPort(c)), fmt.Sprintf("%.3f", x.flow.Load[c])}})
	}
	return t
}
