package figure

import (
	"fmt"
	"math"
	"strconv"

	"github.com/turnproof/turnproof/model"
)

// ChangeClass is a range of changes with the line that is drawn for it.
type ChangeClass struct {
	Upto  float64 // the largest change of the range; the lower bound is that of the class before
	Color Color
	Width float64 // in points, on a network with few links
	Style Style
	Words string
}

// ChangeClasses divides changes from -top to top into losses, changes of at most a tenth of top, and
// gains. Losses are dashed, so that colour is not the only difference.
func ChangeClasses(top float64) []ChangeClass {
	half := rounded(top / 2)
	weak := rounded(half / 5)
	between := func(a, b float64) string { return trim(a) + " to " + trim(b) }
	top = max(rounded(top), half)
	return []ChangeClass{
		{-half, Blue, 5, Dashed, between(half, top) + " less"},
		{-weak, SkyBlue, 3, Dashed, between(weak, half) + " less"},
		{weak, lightGrey, 1.2, Solid, "within " + trim(weak)},
		{half, Orange, 3, Solid, between(weak, half) + " more"},
		{math.Inf(1), Vermillion, 5, Solid, between(half, top) + " more"},
	}
}

// rounded returns v with two significant digits.
func rounded(v float64) float64 {
	if v <= 0 {
		return 0
	}
	unit := math.Pow(10, math.Floor(math.Log10(v))-1)
	return math.Round(v/unit) * unit
}

// LoadChange draws by how much the load of every channel changes, in any unit, as colour, thickness
// and style of an arrow. change is indexed by channel; Options.Top is the end of the scale. If
// switches are dots, each link is one line with the larger change of its two channels.
func LoadChange(n *model.Network, change []float64, o Options) *Graph {
	o.spacing = 1.5
	focus := focusOn(n, o)
	c := newCanvas(n, o, focus.keep(n, o), 0)
	classes := ChangeClasses(o.Top)
	count := make([]int, len(classes))
	for ch := range model.ChannelID(n.NumLinkChannels()) {
		i := changeClass(classes, change[ch])
		count[i]++
		from, to, drawn := c.ends(ch)
		if !drawn || c.dots && ch%2 == 1 {
			continue
		}
		v, text := change[ch], c.vcText(n.VC(ch, 0))
		if c.dots {
			back := n.Reverse(ch)
			text = fmt.Sprintf("%s ↔ %s", n.SwitchLabel(n.Tail(ch)), n.SwitchLabel(n.Head(ch)))
			if math.Abs(change[back]) > math.Abs(v) {
				v = change[back]
			}
			i = changeClass(classes, v)
		}
		k := classes[i]
		c.g.join(Edge{From: from, To: to, Arrow: !c.dots, Color: k.Color, Width: c.thin(k.Width), Style: k.Style, Key: channelKey(ch),
			Tooltip: text + ": " + signed(v)})
	}
	c.g.OwnLabels = true
	c.g.Legend = Legend{Head: []string{"load of a channel", "how many"}}
	for i := len(classes) - 1; i >= 0; i-- {
		c.g.Legend.Rows = append(c.g.Legend.Rows, Row{Color: classes[i].Color, Cells: []string{classes[i].Words, strconv.Itoa(count[i])}})
	}
	c.g.Notes = append(c.g.Notes, "Dashed: the load is lower.")
	if c.dots {
		c.g.Notes = append(c.g.Notes, "Each link has the larger change of its two channels.")
	}
	focus.note(c)
	return c.g
}

func changeClass(classes []ChangeClass, v float64) int {
	for i, k := range classes {
		if v <= k.Upto {
			return i
		}
	}
	return len(classes) - 1
}

// signed formats a change with its sign.
func signed(v float64) string {
	if v > 0 {
		return "+" + trim(v)
	}
	return trim(v)
}

// thin returns the width of a line, which is less on a network with many links.
func (c *canvas) thin(width float64) float64 {
	if c.dots {
		return width / 2
	}
	if c.n.NumLinks() > 60 {
		return width * 0.7
	}
	return width
}
