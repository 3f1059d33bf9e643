package sweep

import (
	"io"
	"strings"

	"github.com/turnproof/turnproof/model/view/sheet"
)

// This file draws a panel for each traffic. A network and routing has the same look in all panels, and all
// panels have the same axes.

// byTraffic returns the curves of each traffic, in the order of their first curves.
func byTraffic(list []Curve) (groups [][]Curve) {
	at := map[string]int{}
	for _, c := range list {
		i, ok := at[c.Traffic]
		if !ok {
			i = len(groups)
			at[c.Traffic] = i
			groups = append(groups, nil)
		}
		groups[i] = append(groups[i], c)
	}
	return groups
}

// subject is what a line of a panel is about.
type subject struct{ network, routing string }

// subjects returns the different subjects of the curves in order, their names in the legend, and what all share.
func subjects(list []Curve) (order []subject, names []string, common string) {
	seen := map[subject]bool{}
	networks, routings := map[string]bool{}, map[string]bool{}
	for _, c := range list {
		k := subject{c.Network, c.Routing}
		networks[c.Network], routings[c.Routing] = true, true
		if !seen[k] {
			seen[k] = true
			order = append(order, k)
		}
	}
	for _, k := range order {
		var parts []string
		if len(networks) > 1 {
			parts = append(parts, k.network)
		}
		if len(routings) > 1 || len(parts) == 0 {
			parts = append(parts, k.routing)
		}
		names = append(names, strings.Join(parts, ", "))
	}
	var shared []string
	if len(networks) == 1 {
		shared = append(shared, order[0].network)
	}
	if len(routings) == 1 && len(networks) > 1 {
		shared = append(shared, order[0].routing)
	}
	return order, names, strings.Join(shared, ", ")
}

// writePanels draws a panel for each group of curves.
func writePanels(w io.Writer, format string, list []Curve, groups [][]Curve, d Drawing, of func(some, all []Curve, d Drawing) *chart) ([]string, error) {
	order, names, common := subjects(list)
	orElse(&d.Title, common)
	var panels []panel
	empty, right, froze := true, 0.0, false
	for _, group := range groups {
		c := of(group, list, d)
		for i := range c.lines {
			for k, s := range order {
				if s == (subject{group[i].Network, group[i].Routing}) {
					c.lines[i].look, c.lines[i].name = k, names[k]
				}
			}
			froze = froze || len(c.lines[i].froze) > 0
		}
		empty, right = empty && c.empty(), max(right, c.right)
		panels = append(panels, panel{c, group[0].Traffic})
	}
	if empty {
		return nil, errNothing
	}
	legend := &chart{ideal: panels[0].ideal, anyFroze: froze}
	for k, name := range names {
		legend.lines = append(legend.lines, line{name: name, look: k})
	}
	for i := range panels {
		panels[i].right, panels[i].legend = right, legend
	}
	return sheet.WriteGrid(w, format, d.Title, panels)
}
