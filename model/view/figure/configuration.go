package figure

// This file draws a deadlock: a set of packets that each wait for VCs held by other packets of the set (Duato,
// IEEE TPDS 4(12), 1993). Each packet has a colour and a number. The channels that it holds are a worm from its tail to
// its head, and the channels that it waits for are dotted. A cycle alone is not a deadlock of an adaptive routing,
// because a packet can move on when any of its next VCs becomes free.

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/turnproof/turnproof/model"
)

// Worm is a packet of a deadlock.
type Worm struct {
	Source      model.HostID // NoHost if unknown
	Destination model.HostID
	Holds       []model.VCID // from the tail to the head; channels of hosts are not drawn
	Waits       []model.VCID // its head waits for any of these
	Key         string       // key of its lines, see Edge
}

// Widths of the lines of a packet in points.
const (
	wormWidth = 4.0
	waitWidth = 2.0
)

// Configuration draws the packets of a deadlock on the network. Where a packet waits for a channel that no
// packet holds, the legend and a note say that it is free; then the packets are not in a deadlock.
func Configuration(n *model.Network, packets []Worm, o Options) *Graph {
	focus := focusOf(n, func(yield func(model.VCID)) {
		each(len(o.Focus), func(i int) { yield(o.Focus[i]) })
		for _, p := range packets {
			for _, v := range slices.Concat(p.Holds, p.Waits) {
				yield(v)
			}
		}
	})
	c := newCanvas(n, o, focus.keep(n, o), 1)
	c.g.air = max(c.g.air, 20) // for the badges between switches
	holder := make(map[model.VCID]int)
	free := false
	for i, p := range packets {
		for _, v := range p.Holds {
			holder[v] = i
		}
	}
	for _, p := range packets {
		for _, v := range slices.Concat(p.Holds, p.Waits) {
			ch, _ := n.Channel(v)
			c.cover(ch)
			c.highlight(n.Tail(ch))
			c.highlight(n.Head(ch))
			_, held := holder[v]
			free = free || !held
		}
	}
	c.likeNetwork()
	c.cables(lightGrey, false)
	c.joints(packets)
	for i, p := range packets {
		c.body(p, i, len(packets))
	}
	for i, p := range packets {
		c.waits(p, i, len(packets))
	}
	c.g.OwnLabels = true
	c.countHosts()
	c.wormLegend(packets, holder)
	c.wormNotes(packets, free)
	focus.note(c)
	return c.g
}

// body draws the channels that packet i of of packets holds.
func (c *canvas) body(p Worm, i, of int) {
	color, style := aroundAt(i, of)
	for _, v := range p.Holds {
		ch, _ := c.n.Channel(v)
		if !c.n.IsLinkVC(v) {
			continue
		}
		if from, to, ok := c.ends(ch); ok {
			c.g.join(Edge{From: from, To: to, Label: strconv.Itoa(i + 1), Badge: true, Color: color, Style: style, Width: wormWidth, Arrow: true,
				Tooltip: fmt.Sprintf("%d: %s, held by %s", i+1, c.vcText(v), c.packet(p.Source, p.Destination)), Key: p.Key})
		}
	}
}

// joints gives the switches inside a packet its colour, unless they are inside of several packets.
func (c *canvas) joints(packets []Worm) {
	inside := make(map[int]int) // by node: 1 + the packet, or 0 for several
	for i, p := range packets {
		for k := 1; k < len(p.Holds); k++ {
			ch, _ := c.n.Channel(p.Holds[k])
			u := c.n.Tail(ch)
			if u == model.NoSwitch || c.node[u] < 0 || !c.n.IsLinkVC(p.Holds[k-1]) || !c.n.IsLinkVC(p.Holds[k]) {
				continue
			}
			if was, ok := inside[c.node[u]]; ok && was != i+1 {
				inside[c.node[u]] = 0
			} else {
				inside[c.node[u]] = i + 1
			}
		}
	}
	for node, k := range inside {
		if k > 0 {
			c.g.Nodes[node].Stroke, _ = aroundAt(k-1, len(packets))
		}
	}
}

// waits draws the channels that the head of packet i waits for, each once.
func (c *canvas) waits(p Worm, i, of int) {
	color, _ := aroundAt(i, of)
	drawn := make(map[model.ChannelID]bool)
	for _, v := range p.Waits {
		ch, _ := c.n.Channel(v)
		if drawn[ch] {
			continue
		}
		drawn[ch] = true
		if from, to, ok := c.ends(ch); ok {
			c.g.join(Edge{From: from, To: to, Color: color, Style: Dotted, Width: waitWidth, Arrow: true,
				Tooltip: fmt.Sprintf("%d waits for %s", i+1, c.vcText(v)), Key: p.Key})
		}
	}
}

func (c *canvas) wormLegend(packets []Worm, holder map[model.VCID]int) {
	c.g.Legend.Head = []string{"packet", "holds, from tail to head", "waits for a channel of"}
	for i, p := range packets {
		if i == maxRows && len(packets) > maxRows+1 {
			c.g.Legend.Rows = append(c.g.Legend.Rows, Row{Cells: []string{fmt.Sprintf("and %d more", len(packets)-i), "", ""}})
			return
		}
		var waits []string
		for _, v := range p.Waits {
			text := "free: " + c.vcText(v)
			if j, ok := holder[v]; ok {
				text = strconv.Itoa(j + 1)
			}
			if !slices.Contains(waits, text) {
				waits = append(waits, text)
			}
		}
		color, _ := aroundAt(i, len(packets))
		c.g.Legend.Rows = append(c.g.Legend.Rows, Row{Mark: strconv.Itoa(i + 1), Color: color,
			Cells: []string{strings.TrimPrefix(c.packet(p.Source, p.Destination), "packet "), c.wormText(p.Holds), strings.Join(waits, ", ")}})
	}
}

// wormText writes the switches along the channels of a packet, with the VC of each channel if there are several VCs.
func (c *canvas) wormText(holds []model.VCID) string {
	var b strings.Builder
	end := model.NoSwitch
	for _, v := range holds {
		ch, i := c.n.Channel(v)
		if !c.n.IsLinkVC(v) {
			continue
		}
		if u := c.n.Tail(ch); u != end {
			if b.Len() > 0 {
				b.WriteString("; ")
			}
			b.WriteString(c.n.SwitchLabel(u))
		}
		end = c.n.Head(ch)
		b.WriteString(" → " + c.n.SwitchLabel(end))
		if c.n.VCs() > 1 {
			fmt.Fprintf(&b, " (%s %d)", c.o.vc(), i)
		}
	}
	return b.String()
}

func (c *canvas) wormNotes(packets []Worm, free bool) {
	if len(packets) == 0 {
		return
	}
	c.g.Notes = append(c.g.Notes, "Thick: the channels that a packet holds, with its number. Dotted, in its colour: the channels that it waits for.")
	if !free {
		c.g.Notes = append(c.g.Notes, "Every channel that a packet waits for is held by a packet shown: none of them can move.")
	} else {
		c.g.Notes = append(c.g.Notes, "A dotted line alone: a free channel, which no packet shown holds.")
	}
}
