package figure

import "github.com/turnproof/turnproof/model"

// ChangeSteps draws a change of forwarding tables as small pictures: a cycle of dependencies in the mixture of old and new entries, if there is
// one, and then for each step how many more, or fewer, entries lead to each channel. headings are those of the cycle, if there is one, and of
// the steps. Switches have the same positions in all pictures.
func ChangeSteps(n *model.Network, cycle []Step, steps [][]float64, headings []string, o Options) *Graph {
	title := o.Title
	o.air = 18
	if o.Position == nil && !newCanvas(n, o, nil, 2).g.pinned() {
		o = anyPlaces(n, o)
	}
	o.Top = 1
	for _, change := range steps {
		for _, v := range change {
			o.Top = max(o.Top, v, -v)
		}
	}
	var list []*Graph
	if len(cycle) > 0 {
		o.Title = headings[0]
		list, headings = append(list, CycleOnNetwork(n, cycle, o)), headings[1:]
	}
	for i, change := range steps {
		o.Title = headings[i]
		list = append(list, LoadChange(n, change, o))
	}
	notes := []string{title, "Solid: more entries lead there", "Dashed: fewer entries"}
	if len(cycle) > 0 {
		notes = append(notes, "Numbered: a cycle of channels")
	}
	return multiples(list, notes)
}

// multiples returns one graph with drawings in rows of at most three, and notes below them. All nodes must be pinned. Legends are left out.
func multiples(list []*Graph, notes []string) *Graph {
	const columns, gap = 3, 0.9
	g := &Graph{}
	wide, high := 0.0, 0.0
	for _, d := range list {
		b := d.bounds()
		wide, high = max(wide, b.width()), max(high, b.top-b.bottom)
		g.Length, g.Layout = max(g.Length, d.Length), max(g.Layout, d.Layout)
	}
	size := titleSize * max(wide*72/unitSide, 0.9)
	top := 0.2 + size/72
	for i, d := range list {
		b := d.bounds()
		x, y := float64(i%columns)*(wide+gap), -float64(i/columns)*(high+gap+2*top)
		g.take(d, string(rune('a'+i)), x-b.left, y-b.top, b.top+top, size)
	}
	rows := float64((len(list) + columns - 1) / columns)
	for i, note := range notes {
		y := -rows*(high+gap+2*top) - float64(i)*size/50
		g.add(Node{Name: "note" + note, Lines: []string{note}, Shape: Plain, Strong: i == 0, Pinned: true, X: wide / 2, Y: y, Tooltip: note, size: size})
	}
	return g
}
