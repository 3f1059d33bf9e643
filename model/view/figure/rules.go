package figure

// This file has rules: thin grey lines behind the drawing, such as axes and frames.

// rule is a Rule in points, y downwards.
type rule struct {
	at   [2]point
	text string
}

const ruleSize = 8.0

// newRules returns the rules of a graph whose nodes are all pinned, scaled by scale.
func newRules(g *Graph, scale point) []rule {
	if !g.pinned() {
		return nil
	}
	list := make([]rule, len(g.Rules))
	for i, r := range g.Rules {
		x, y := 72*scale.x, -72*scale.y
		list[i] = rule{[2]point{{r.X1 * x, r.Y1 * y}, {r.X2 * x, r.Y2 * y}}, clean(r.Text, maxLabel)}
	}
	return list
}

// half returns the space that a rule needs around its ends.
func (r *rule) half(unit float64) point {
	if r.text == "" {
		return point{1, 1}
	}
	return point{textWidth(r.text, ruleSize*unit, false) + 4, ruleSize*unit + 3}
}
