package figure

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/turnproof/turnproof/model"
)

// cables draws in grey the links that no other line covers. Many parallel links become one line
// with their number.
func (c *canvas) cables(color Color, ports bool) {
	groups := make(map[[2]model.SwitchID][]model.LinkID)
	var order [][2]model.SwitchID
	for l := range model.LinkID(c.n.NumLinks()) {
		k := c.n.Link(l)
		if c.covered[l] || c.node[k.A] < 0 || c.node[k.B] < 0 {
			continue
		}
		if c.n.IsOneWay(l) {
			c.cable(l, color, ports)
			continue
		}
		pair := [2]model.SwitchID{min(k.A, k.B), max(k.A, k.B)}
		if groups[pair] == nil {
			order = append(order, pair)
		}
		groups[pair] = append(groups[pair], l)
	}
	for _, pair := range order {
		g := groups[pair]
		if len(g) > 3 || len(g) > 1 && c.n.NumLinks() > 2*maxPortLinks {
			i := c.g.join(Edge{From: c.node[pair[0]], To: c.node[pair[1]], Color: color, Width: 2.5, Label: fmt.Sprintf("×%d", len(g)),
				Tooltip: fmt.Sprintf("%d cables between %s and %s", len(g), c.n.SwitchLabel(pair[0]), c.n.SwitchLabel(pair[1])), Key: linkKeys(g...)})
			for _, l := range g {
				c.line[l] = i
			}
			continue
		}
		for _, l := range g {
			c.cable(l, color, ports)
		}
	}
}

// linkKeys returns the value of Edge.Key for a line that represents the given links.
func linkKeys(list ...model.LinkID) string {
	keys := make([]string, len(list))
	for i, l := range list {
		keys[i] = "l" + strconv.Itoa(int(l))
	}
	return strings.Join(keys, " ")
}

func (c *canvas) cable(l model.LinkID, color Color, ports bool) {
	k := c.n.Link(l)
	e := Edge{From: c.node[k.A], To: c.node[k.B], Color: color, Arrow: c.n.IsOneWay(l),
		Tooltip: fmt.Sprintf("cable %s port %s – %s port %s", c.n.SwitchLabel(k.A), c.n.PortLabel(k.A, k.APort), c.n.SwitchLabel(k.B),
			c.n.PortLabel(k.B, k.BPort)), Key: linkKeys(l)}
	if ports {
		e.AtFrom, e.AtTo = strconv.Itoa(int(k.APort)), strconv.Itoa(int(k.BPort))
	}
	if c.dots {
		e.Width, e.Color = 0.4, lightGrey
	}
	if c.dots && c.o.onHV != nil {
		e.Color = midGrey // few lines overlap in a large drawing, so they may be darker
	}
	if c.o.onHV != nil && !c.o.onHV.Has(model.ChannelID(2*l)) {
		e.Style = Dashed
	}
	c.o.plan.between(&e, k.A, k.B)
	c.line[l] = c.g.join(e)
}
