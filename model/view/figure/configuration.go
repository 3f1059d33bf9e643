package figure

// This file draws a deadlock configuration of an adaptive routing: a set of packets that each
// wait for VCs held by other packets of the set (Duato, IEEE TPDS 4(12), 1993). A cycle alone
// is not a deadlock there, because a packet can move on when any of its next VCs becomes free.

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/turnproof/turnproof/model"
)

// Held is a VC of a configuration with the packet that holds it.
type Held struct {
	VC          model.VCID
	Source      model.HostID // of the packet; NoHost if unknown
	Destination model.HostID
	Waits       []model.VCID // the packet waits for any of these
	Key         string       // key of its lines, see Edge
}

// Configuration draws the held VCs as thick numbered arrows on the network. A thin arrow leads
// from each held VC to every held VC that its packet waits for. Thin grey arrows are VCs that a
// packet waits for and no packet of the configuration holds; with such a VC the configuration
// is not a deadlock.
func Configuration(n *model.Network, packets []Held, o Options) *Graph {
	focus := focusOf(n, func(yield func(model.VCID)) {
		for _, p := range packets {
			yield(p.VC)
			for _, v := range p.Waits {
				yield(v)
			}
		}
	})
	c := newCanvas(n, o, focus.keep(n, o), 1)
	number := make(map[model.VCID]int, len(packets))
	for i, p := range packets {
		number[p.VC] = i
	}
	free := c.freeOf(packets, number)
	for _, v := range append(heldVCs(packets), free...) {
		ch, _ := n.Channel(v)
		c.cover(ch)
		c.highlight(n.Tail(ch))
		c.highlight(n.Head(ch))
	}
	c.cables(lightGrey, false)
	edge := make([]int, len(packets)) // by packet: the edge of its VC
	for i, p := range packets {
		edge[i] = len(c.g.Edges)
		c.held(p, i, len(packets))
	}
	for _, v := range free {
		ch, _ := n.Channel(v)
		from, to, _ := c.ends(ch)
		c.g.join(Edge{From: from, To: to, Color: midGrey, Style: Dashed, Width: 1.5, Arrow: true, Tooltip: "free: " + c.vcText(v)})
	}
	for i, p := range packets {
		color, _ := aroundAt(i, len(packets))
		for _, v := range p.Waits {
			if j, ok := number[v]; ok {
				c.g.Ties = append(c.g.Ties, Tie{From: edge[i], To: edge[j], Color: color, Tooltip: fmt.Sprintf("%d waits for %d", i+1, j+1), Key: p.Key})
			}
		}
	}
	c.g.OwnLabels = true
	c.countHosts()
	c.heldLegend(packets, number)
	c.heldNotes(packets, free)
	focus.note(c)
	return c.g
}

func heldVCs(packets []Held) []model.VCID {
	list := make([]model.VCID, len(packets))
	for i, p := range packets {
		list[i] = p.VC
	}
	return list
}

// freeOf returns the VCs that packets wait for and no packet holds, ascending.
func (c *canvas) freeOf(packets []Held, number map[model.VCID]int) []model.VCID {
	var free []model.VCID
	for _, p := range packets {
		for _, v := range p.Waits {
			if _, ok := number[v]; !ok {
				free = append(free, v)
			}
		}
	}
	slices.Sort(free)
	return slices.Compact(free)
}

// held draws the VC that packet i of of packets holds.
func (c *canvas) held(p Held, i, of int) {
	ch, _ := c.n.Channel(p.VC)
	from, to, _ := c.ends(ch)
	color, style := aroundAt(i, of)
	c.g.join(Edge{From: from, To: to, Label: strconv.Itoa(i + 1), Badge: true, Color: color, Style: style, Width: 3, Arrow: true,
		Tooltip: fmt.Sprintf("%d: %s, held by %s", i+1, c.vcText(p.VC), c.packet(p.Source, p.Destination)), Key: p.Key})
}

func (c *canvas) heldLegend(packets []Held, number map[model.VCID]int) {
	c.g.Legend.Head = []string{"channel held", "by packet", "waits for any of"}
	for i, p := range packets {
		if i == maxRows && len(packets) > maxRows+1 {
			c.g.Legend.Rows = append(c.g.Legend.Rows, Row{Cells: []string{fmt.Sprintf("and %d more", len(packets)-i), "", ""}})
			return
		}
		var waits []string
		for _, v := range p.Waits {
			if j, ok := number[v]; ok {
				waits = append(waits, strconv.Itoa(j+1))
			} else {
				waits = append(waits, "free: "+c.vcText(v))
			}
		}
		color, _ := aroundAt(i, len(packets))
		c.g.Legend.Rows = append(c.g.Legend.Rows, Row{Mark: strconv.Itoa(i + 1), Color: color,
			Cells: []string{c.vcText(p.VC), strings.TrimPrefix(c.packet(p.Source, p.Destination), "packet "), strings.Join(waits, ", ")}})
	}
}

func (c *canvas) heldNotes(packets []Held, free []model.VCID) {
	if len(packets) == 0 {
		return
	}
	c.g.Notes = append(c.g.Notes, "Thick, numbered: a channel and the packet that holds it. Thin, in its colour: the channels that this packet waits for.")
	if len(free) == 0 {
		c.g.Notes = append(c.g.Notes, "Every channel that a packet waits for is held by another packet shown: none of them can move.")
	} else {
		c.g.Notes = append(c.g.Notes, fmt.Sprintf("Dashed grey: %s waited for that no packet shown holds.", plural(len(free), "channel")))
	}
}
