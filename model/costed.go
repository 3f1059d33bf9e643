package model

// Costed is a relation whose minimal paths are those of least cost, such as a dragonfly's paths with the fewest global
// links. The minimal paths of other relations are those with the fewest links.
type Costed interface {
	Relation
	// LinkCost returns the cost of a channel between switches, 1 to MaxLinkCost.
	LinkCost(c ChannelID) int
}

// MaxLinkCost is the largest cost of a link.
const MaxLinkCost = 16

// LinkCost returns the cost of a channel between switches, 1 if r is not Costed.
func LinkCost(r Relation, c ChannelID) int {
	if x, ok := r.(Costed); ok {
		return x.LinkCost(c)
	}
	return 1
}
