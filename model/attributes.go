package model

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
)

// This file keeps attributes of switches: small integers with a name, such as the group of a dragonfly's switch or the
// level of a fat tree's. Routing programs read them.

// NoAttribute is the value of a switch that does not have an attribute.
const NoAttribute = math.MinInt32

// SetAttribute gives each switch a value of an attribute, in the order of AddSwitch. It replaces older values of this
// name.
func (b *Builder) SetAttribute(name string, values []int32) {
	if b.attributes == nil {
		b.attributes = map[string][]int32{}
	}
	b.attributes[name] = values
}

// checkAttributes returns an error if the name of an attribute is not a word, or values are missing.
func (b *Builder) checkAttributes() error {
	for _, name := range slices.Sorted(maps.Keys(b.attributes)) {
		if !IsAttributeName(name) {
			return fmt.Errorf("model: attribute %q; want a small letter, then small letters, digits and _", name)
		}
		if len(b.attributes[name]) != len(b.switches) {
			return fmt.Errorf("model: attribute %s has %d values for %d switches", name, len(b.attributes[name]), len(b.switches))
		}
	}
	return nil
}

// IsAttributeName reports whether name can be the name of an attribute: a small letter, then small letters, digits and _.
// The names id and name are not allowed, because every switch has them already.
func IsAttributeName(name string) bool {
	const letters, others = "abcdefghijklmnopqrstuvwxyz", "0123456789_"
	return name != "" && name != "id" && name != "name" && strings.Contains(letters, name[:1]) && strings.Trim(name, letters+others) == ""
}

// WithAttribute returns a copy of the network in which an attribute has the given values by switch, in place of older values. It
// fails if the name is none of an attribute, or values are missing. The caller must not change values afterwards.
func (n *Network) WithAttribute(name string, values []int32) (*Network, error) {
	b := Builder{switches: n.switches, attributes: maps.Clone(n.attributes)}
	b.SetAttribute(name, values)
	if err := b.checkAttributes(); err != nil {
		return nil, err
	}
	m := *n
	m.attributes = b.attributes
	return &m, nil
}

// Attribute returns the values of an attribute by switch, or nil if the network does not have it. On a grid, x, y and z are the
// first coordinates. The caller must not change the slice.
func (n *Network) Attribute(name string) []int32 {
	if values := n.attributes[name]; values != nil || n.grid == nil {
		return values
	}
	d := slices.Index(coordinateNames, name)
	if d < 0 || d >= n.grid.Dims() {
		return nil
	}
	values := make([]int32, n.NumSwitches())
	for u := range values {
		values[u] = int32(n.grid.Coord(SwitchID(u), d))
	}
	return values
}

// Attributes returns the names of all attributes, ascending.
func (n *Network) Attributes() []string {
	names := slices.Collect(maps.Keys(n.attributes))
	if n.grid != nil {
		names = append(names, coordinateNames[:min(n.grid.Dims(), len(coordinateNames))]...)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

var coordinateNames = []string{"x", "y", "z"}

// OwnAttributes returns the attributes without the coordinates of a grid, by name. The caller must not change them.
func (n *Network) OwnAttributes() map[string][]int32 { return n.attributes }
