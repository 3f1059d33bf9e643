package hv

import (
	"fmt"
	"slices"
	"strings"

	"github.com/turnproof/turnproof/model"
)

// This file orients channels up or down for up*/down* routing.
//
// Sources: breadth-first trees: Schroeder et al., Autonet, IEEE JSAC 9(8), 1991: up is to the
// smaller depth, at the same depth to the smaller ID. Depth-first trees: Sancho, Robles and
// Duato, CANPC 2000: up is to the smaller number in preorder.

// The rules that decide which of two switches at the same depth is up.
const (
	TiesByID     = "id"       // the smaller ID
	TiesBySpread = "preorder" // the smaller number in preorder
)

// TieRules returns the rules for two switches at the same depth, the default first.
func TieRules() []string {
	return []string{TiesByID, TiesBySpread}
}

// UpChannels reports for each channel between switches whether the channel is up. ties is one
// of TieRules and defaults to the first. Depth-first trees have no ties. It fails if ties is
// unknown.
func (t *Tree) UpChannels(ties string) ([]bool, error) {
	if ties == "" {
		ties = TieRules()[0]
	}
	if !slices.Contains(TieRules(), ties) {
		return nil, fmt.Errorf("hv: no tie rule %q; want one of %s", ties, strings.Join(TieRules(), ", "))
	}
	up := make([]bool, t.Net.NumLinkChannels())
	for c := range up {
		u, v := t.Net.Tail(model.ChannelID(c)), t.Net.Head(model.ChannelID(c))
		switch {
		case t.Options.Search == DFS || t.Depth[u] == t.Depth[v] && ties == TiesBySpread:
			up[c] = t.Spread[v] < t.Spread[u]
		case t.Depth[u] == t.Depth[v]:
			up[c] = v < u
		default:
			up[c] = t.Depth[v] < t.Depth[u]
		}
	}
	return up, nil
}
