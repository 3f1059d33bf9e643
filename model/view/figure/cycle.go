package figure

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/turnproof/turnproof/model"
)

// Step is a VC of a cycle with a packet that holds it and waits for the VC of the next step.
type Step struct {
	VC          model.VCID
	Source      model.HostID // of the packet; NoHost if unknown
	Destination model.HostID
	Path        []model.VCID // from the packet's injection VC to VC; may be nil
	Key         string       // key of its lines, see Edge
}

// maxApproaches is the length of the longest cycle in which the path of each packet to its
// channel is drawn.
const maxApproaches = 7

// CycleOnNetwork draws the channels of a dependency cycle as numbered arrows
// on the network, and a table that names each channel and the packet holding it.
func CycleOnNetwork(n *model.Network, cycle []Step, o Options) *Graph {
	ways := len(cycle) <= maxApproaches
	focus := focusOf(n, func(yield func(model.VCID)) {
		each(len(o.Focus), func(i int) { yield(o.Focus[i]) })
		for _, s := range cycle {
			yield(s.VC)
			if ways {
				for _, v := range s.Path {
					yield(v)
				}
			}
		}
	})
	c := newCanvas(n, o, focus.keep(n, o), 2)
	numbered := make(map[model.ChannelID]bool)
	for _, s := range cycle {
		ch, _ := n.Channel(s.VC)
		numbered[ch] = true
		c.cover(ch)
		c.highlight(n.Tail(ch))
		c.highlight(n.Head(ch))
	}
	c.likeNetwork()
	c.cables(lightGrey, false)
	drawn := false
	for i, s := range cycle {
		if ways {
			drawn = c.approach(s, i, len(cycle), numbered) || drawn
		}
	}
	for i, s := range cycle {
		c.step(s, i, len(cycle))
	}
	c.countHosts()
	if len(cycle) == 0 {
		return c.g
	}
	c.cycleLegend(cycle)
	c.g.Notes = append(c.g.Notes, fmt.Sprintf("Each numbered channel is held by a packet that waits for the next one; %d waits for 1.", len(cycle)))
	if drawn {
		c.g.Notes = append(c.g.Notes, "Dotted, in the same colour: the path of this packet to the channel, except numbered channels.")
	}
	focus.note(c)
	return c.g
}

// step draws the channel of step i of of steps.
func (c *canvas) step(s Step, i, of int) {
	ch, _ := c.n.Channel(s.VC)
	from, to, ok := c.ends(ch)
	if !ok {
		return
	}
	color, style := aroundAt(i, of)
	c.g.join(Edge{From: from, To: to, Label: strconv.Itoa(i + 1), Badge: true, Color: color, Style: style, Width: 3, Arrow: true,
		Tooltip: fmt.Sprintf("%d: %s, held by %s, which waits for %d", i+1, c.vcText(s.VC), c.packet(s.Source, s.Destination), (i+1)%of+1), Key: s.Key})
}

// approach draws the path of the packet to the channel that it holds. It omits channels of the
// cycle, because their arrows would hide the path.
func (c *canvas) approach(s Step, i, of int, numbered map[model.ChannelID]bool) bool {
	color, _ := aroundAt(i, of)
	for k, v := range s.Path {
		if v == s.VC {
			return k > 0
		}
		ch, _ := c.n.Channel(v)
		if numbered[ch] {
			continue
		}
		if from, to, ok := c.ends(ch); ok {
			c.cover(ch)
			c.g.join(Edge{From: from, To: to, Color: color, Style: Dotted, Width: 1.8, Arrow: true, Short: c.n.Kind(ch) != model.SwitchToSwitch,
				Loose: c.n.Kind(ch) == model.SwitchToSwitch, Tooltip: fmt.Sprintf("path of packet %d: %s", i+1, c.vcText(v)), Key: s.Key})
		}
	}
	return len(s.Path) > 0
}

func (c *canvas) packet(source, destination model.HostID) string {
	if source == model.NoHost || destination == model.NoHost {
		return "a packet"
	}
	return "packet " + c.n.HostLabel(source) + " → " + c.n.HostLabel(destination)
}

// way describes the path of a packet by its switches, or says that the packet was injected at
// its switch.
func (c *canvas) way(s Step) string {
	var names []string
	for _, v := range s.Path {
		ch, _ := c.n.Channel(v)
		if u := c.n.Tail(ch); u != model.NoSwitch {
			names = append(names, c.n.SwitchLabel(u))
		}
	}
	switch k := len(names); {
	case k == 0:
		return "not known"
	case k == 1:
		return "injected at " + names[0]
	case k > 8:
		names = append(append(names[:3:3], "…"), names[k-4:]...)
	}
	return strings.Join(names, " → ")
}

func (c *canvas) cycleLegend(cycle []Step) {
	c.g.Legend.Head = []string{"channel held", "by packet", "came by", "waits for"}
	for i, s := range cycle {
		if i == maxRows && len(cycle) > maxRows+1 {
			c.g.Legend.Rows = append(c.g.Legend.Rows, Row{Cells: []string{fmt.Sprintf("and %d more", len(cycle)-i), "", "", ""}})
			break
		}
		color, _ := aroundAt(i, len(cycle))
		next := (i + 1) % len(cycle)
		c.g.Legend.Rows = append(c.g.Legend.Rows, Row{Mark: strconv.Itoa(i + 1), Color: color, Cells: []string{
			c.vcText(s.VC), strings.TrimPrefix(c.packet(s.Source, s.Destination), "packet "), c.way(s), strconv.Itoa(next + 1)}})
	}
	if c.o.Brief { // the drawing shows the path of each packet
		c.g.Legend.Head = slices.Delete(c.g.Legend.Head, 2, 3)
		for i := range c.g.Legend.Rows {
			c.g.Legend.Rows[i].Cells = slices.Delete(c.g.Legend.Rows[i].Cells, 2, 3)
		}
	}
}

// maxRows is the largest number of rows of a legend.
const maxRows = 32
