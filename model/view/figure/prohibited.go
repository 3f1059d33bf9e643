package figure

import (
	"fmt"
	"slices"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/hv"
)

// maxArcs is the largest number of legible arcs at one switch. A switch with more shows their
// number.
const maxArcs = 28

// ProhibitedTurns draws every prohibited turn as an arc at its switch, from the link in to the
// link out. A pair of opposite prohibited turns is one arc with two heads. Switches are at
// their coordinates in the H/V graph g of the same network. If g is nil, they are at
// Options.Position or placed by the layout. Networks of more than Options.MaxSwitches, and
// switches with too many arcs, show numbers instead. Turns between parallel cables drawn as one
// line are counted but not drawn, and so are U-turns.
//
// After figures 2 and 7 of Jouraku, Koibuchi and Amano, IPSJ Trans. ACS 44(SIG 11), 2003.
func ProhibitedTurns(prohibited *model.TurnSet, g *hv.Graph, o Options) *Graph {
	n := prohibited.Network()
	many := n.NumSwitches() > orDefault(o.MaxSwitches, MaxSwitches)
	o.onHV, o.spacing = g, 1.5
	if !many {
		o.air = 26
	}
	c := newCanvas(n, o, nil, 0)
	c.cables(midGrey, false)
	b := c.barriers(prohibited)
	c.barrierLegend(b)
	if many {
		c.colorByTurns(b)
		return c.g
	}
	if n.NumSwitches() > 30 {
		for i := range c.g.Nodes {
			c.g.Nodes[i].Small = true
		}
	}
	for _, k := range b.order {
		if len(b.at[k.at]) <= maxArcs {
			c.g.Arcs = append(c.g.Arcs, c.barrierArc(b, k))
		}
	}
	c.writeTurns(b)
	return c.g
}

// barrier identifies the turns between two lines at a switch; a is the smaller of the two edges.
type barrier struct {
	at   model.SwitchID
	a, b int
}

// barriers has the prohibited turns of a network, as they are drawn.
type barriers struct {
	order  []barrier
	count  map[barrier]*[2]int // number of prohibited turns from a to b, and from b to a
	at     map[model.SwitchID][]barrier
	turns  []int // by switch: number of prohibited turns
	total  int
	uTurns int
	hidden int // number of turns between cables drawn as one line
}

// barriers groups the prohibited turns by the lines that they connect.
func (c *canvas) barriers(s *model.TurnSet) *barriers {
	b := &barriers{count: make(map[barrier]*[2]int), at: make(map[model.SwitchID][]barrier), turns: make([]int, c.n.NumSwitches())}
	for t := range s.All() {
		if t.IsUTurn(c.n) {
			b.uTurns++
			continue
		}
		in, _ := c.n.Channel(t.In)
		out, _ := c.n.Channel(t.Out)
		u := c.n.Head(in)
		b.turns[u]++
		b.total++
		i, j := c.line[in/2], c.line[out/2]
		if i == j {
			b.hidden++
			continue
		}
		k := barrier{u, min(i, j), max(i, j)}
		if b.count[k] == nil {
			b.count[k] = new([2]int)
			b.order = append(b.order, k)
			b.at[u] = append(b.at[u], k)
		}
		b.count[k][btoi(i > j)]++
	}
	return b
}

// turnsBetween returns the number of turns from one line to the other, in one direction.
func (c *canvas) turnsBetween(k barrier) int {
	links := func(edge int) (count int) {
		for _, i := range c.line {
			count += btoi(i == edge)
		}
		return count
	}
	return links(k.a) * links(k.b) * c.n.VCs() * c.n.VCs()
}

// barrierArc returns the arc of a barrier. It is dashed if turns between some VCs are allowed.
func (c *canvas) barrierArc(b *barriers, k barrier) Arc {
	there, back := b.count[k][0], b.count[k][1]
	a := Arc{At: c.node[k.at], In: k.a, Out: k.b, Both: there > 0 && back > 0, Color: Vermillion}
	if there == 0 {
		a.In, a.Out = k.b, k.a
	}
	far := func(edge int) string {
		e := &c.g.Edges[edge]
		return c.g.Nodes[e.From+e.To-a.At].Lines[0]
	}
	way := " → "
	if a.Both {
		a.Color, way = Blue, " ↔ "
	}
	a.Tooltip = "prohibited: " + far(a.In) + way + c.n.SwitchLabel(k.at) + way + far(a.Out)
	if all := c.turnsBetween(k); there%all != 0 || back%all != 0 {
		a.Style = Dashed
		a.Tooltip += fmt.Sprintf(", %d of %d pairs of VCs", max(there, back), all)
	}
	return a
}

// barrierLegend adds a legend with the number of prohibited turns, and how many of them are
// opposite pairs.
func (c *canvas) barrierLegend(b *barriers) {
	all := 0
	for range model.Turns(c.n, false) {
		all++
	}
	oneWay, pairs := b.kinds()
	note := fmt.Sprintf("%d of %s prohibited, %s a switch.", b.total, pluralOf(all, "turn is", "turns are"),
		trim(float64(b.total)/float64(max(c.n.NumSwitches(), 1))))
	c.g.Notes = append(c.g.Notes, note)
	if c.o.onHV != nil {
		c.g.Notes = append(c.g.Notes, "Tree links are solid, cross links dashed; h: horizontal spread, d: depth.")
	}
	if b.uTurns > 0 {
		c.g.Notes = append(c.g.Notes, fmt.Sprintf("Not counted and not drawn: %s prohibited.", pluralOf(b.uTurns, "U-turn", "U-turns")))
	}
	if b.hidden > 0 {
		c.g.Notes = append(c.g.Notes, fmt.Sprintf("Not drawn: %s between cables that are one line here.", plural(b.hidden, "prohibited turn")))
	}
	c.g.Legend = Legend{Head: []string{"prohibited", "turns"}, Rows: []Row{
		{Color: Vermillion, Cells: []string{"one way, from the link where the arc begins to the one it points at", fmt.Sprint(oneWay)}},
		{Color: Blue, Cells: []string{"both ways, in pairs", fmt.Sprint(2 * pairs)}},
	}}
	if len(b.order) > 0 { // a row without turns has no information
		c.g.Legend.Rows = slices.DeleteFunc(c.g.Legend.Rows, func(r Row) bool { return r.Cells[1] == "0" })
	}
}

// kinds returns the number of prohibited turns whose opposite is allowed, and the number of pairs
// of opposite turns that are both prohibited.
func (b *barriers) kinds() (oneWay, pairs int) {
	for _, n := range b.count {
		pairs += min(n[0], n[1])
		oneWay += max(n[0], n[1]) - min(n[0], n[1])
	}
	return oneWay, pairs
}

// writeTurns adds the number of prohibited turns to the labels of switches with too many arcs.
func (c *canvas) writeTurns(b *barriers) {
	for u := range model.SwitchID(c.n.NumSwitches()) {
		if len(b.at[u]) > maxArcs {
			n := &c.g.Nodes[c.node[u]]
			n.Fill, n.Lines = scale[0], append(n.Lines, plural(b.turns[u], "turn"))
			c.g.Notes = append(c.g.Notes, fmt.Sprintf("At %s %s prohibited, too many for arcs.",
				c.n.SwitchLabel(u), pluralOf(b.turns[u], "turn is", "turns are")))
		}
	}
}

// colorByTurns colours every switch by its number of prohibited turns, and shows the number if
// switches have names.
func (c *canvas) colorByTurns(b *barriers) {
	amounts, top := make([]float64, len(b.turns)), 0.0
	for u, k := range b.turns {
		amounts[u] = float64(k)
		top = max(top, amounts[u])
	}
	k := newClasses(top, true)
	for u, i := range c.node {
		n := &c.g.Nodes[i]
		n.Fill = k.color(k.of(amounts[u]))
		n.Tooltip += fmt.Sprintf(", %d prohibited", b.turns[u])
		if !c.dots {
			n.Lines = append(n.Lines, fmt.Sprint(b.turns[u]))
		}
	}
	oneWay, pairs := b.kinds()
	says := "colour and number say"
	if c.dots {
		says = "its colour says"
		c.g.Notes[0] = fmt.Sprintf("%d switches are too many for names: each is a dot.", len(c.node))
	}
	c.g.Notes = append(c.g.Notes, fmt.Sprintf("%d switches are too many for arcs: %s how many turns are prohibited at each. "+
		"Of all, %d are one way and %d in pairs both ways.",
		len(c.node), says, oneWay, 2*pairs))
	c.g.Legend = k.rows(amounts, "prohibited turns at a switch")
}
