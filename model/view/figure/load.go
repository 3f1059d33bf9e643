package figure

import (
	"fmt"
	"math"

	"github.com/turnproof/turnproof/model"
)

// maxLoadLabels is the largest number of links for which every channel shows its load as text.
const maxLoadLabels = 24

// Load draws the load of every channel between switches, in any unit, as colour and thickness
// of an arrow. load is indexed by channel. A load that is missing, negative, infinite or not a
// number is drawn as unknown. If switches are dots, each link is one line with the higher load
// of its two channels.
func Load(n *model.Network, load []float64, o Options) *Graph {
	o.spacing = 1.5
	focus := focusOn(n, o)
	c := newCanvas(n, o, focus.keep(n, o), 0)
	amounts, unknown := c.loads(load)
	top, sum := 0.0, 0.0
	for _, v := range amounts {
		top = max(top, v)
		sum += v
	}
	k := newClasses(max(top, o.Top), false)
	for ch := range model.ChannelID(n.NumLinkChannels()) {
		if _, _, drawn := c.ends(ch); !drawn {
			continue
		}
		if !c.dots {
			c.loadArrow(ch, amounts, unknown, k)
		} else if ch%2 == 0 {
			c.loadLine(ch, amounts, k)
		}
	}
	c.g.OwnLabels = true
	c.g.Legend = k.rows(amounts, "load of a channel")
	if n.NumLinkChannels() > 0 {
		c.g.Notes = append(c.g.Notes, fmt.Sprintf("Highest load: %s, mean: %s.", trim(top), trim(sum/float64(n.NumLinkChannels()))))
	}
	if c.dots {
		c.g.Notes = append(c.g.Notes, "Each link has the colour of the higher load of its two channels.")
	}
	if len(unknown) > 0 {
		c.g.Notes = append(c.g.Notes, fmt.Sprintf("Of %s the load is not known: drawn dotted, counted as 0.", plural(len(unknown), "channel")))
	}
	focus.note(c)
	return c.g
}

// loads returns the load of every channel between switches, with 0 for channels whose load is
// unknown, and the set of the latter.
func (c *canvas) loads(load []float64) (amounts []float64, unknown map[model.ChannelID]bool) {
	amounts, unknown = make([]float64, c.n.NumLinkChannels()), make(map[model.ChannelID]bool)
	for ch := range amounts {
		if ch < len(load) && load[ch] >= 0 && !math.IsInf(load[ch], 1) {
			amounts[ch] = load[ch]
		} else {
			unknown[model.ChannelID(ch)] = true
		}
	}
	return amounts, unknown
}

// loadEdge returns an edge for a load. If there are many lines, it is thinner.
func (c *canvas) loadEdge(v float64, k classes) Edge {
	most := 5.4
	if c.n.NumLinks() > 60 {
		most = 3
	}
	i := k.of(v)
	return Edge{Color: k.color(i), Width: 0.9 + most*float64(i+1)/float64(max(k.len(), 1))}
}

func (c *canvas) loadArrow(ch model.ChannelID, amounts []float64, unknown map[model.ChannelID]bool, k classes) {
	e := c.loadEdge(amounts[ch], k)
	e.From, e.To, _ = c.ends(ch)
	e.Arrow, e.Tooltip, e.Key = true, c.vcText(c.n.VC(ch, 0))+": "+trim(amounts[ch]), channelKey(ch)
	if c.n.NumLinks() <= maxLoadLabels && amounts[ch] > 0 && c.o.Top == 0 {
		e.Label, e.Badge = trim(amounts[ch]), true
	}
	if unknown[ch] {
		e.Style = Dotted
	}
	c.g.join(e)
}

// loadLine draws a link as one line in the colour of the higher load of its channels.
func (c *canvas) loadLine(ch model.ChannelID, amounts []float64, k classes) {
	back := c.n.Reverse(ch)
	e := c.loadEdge(max(amounts[ch], amounts[back]), k)
	e.From, e.To, _ = c.ends(ch)
	e.Width /= 2
	e.Key = channelKey(ch)
	e.Tooltip = fmt.Sprintf("%s ↔ %s: %s and %s", c.n.SwitchLabel(c.n.Tail(ch)), c.n.SwitchLabel(c.n.Head(ch)), trim(amounts[ch]), trim(amounts[back]))
	c.g.join(e)
}

// channelKey is the key of the line of a channel, or of a link if it has one line.
func channelKey(ch model.ChannelID) string { return fmt.Sprintf("c%d", ch) }

// LoadClass is a range of loads with the line that is drawn for it.
type LoadClass struct {
	Upto  float64 // the largest load of the range; the lower bound is that of the class before
	Color Color
	Width float64
	Words string
}

// LoadClasses returns the ranges of Load on network n for loads up to top, the first for 0.
func LoadClasses(n *model.Network, top float64, dots bool) (list []LoadClass) {
	k := newClasses(top, false)
	c := &canvas{n: n, dots: dots}
	for i := -1; i < k.len(); i++ {
		v := k.step * float64(i+1)
		e := c.loadEdge(v, k)
		if dots {
			e.Width /= 2
		}
		list = append(list, LoadClass{v, e.Color, e.Width, k.words(i)})
	}
	return list
}
