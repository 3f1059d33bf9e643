package model

// This file has what some relations say of themselves, also on some flows.

// Classified is a relation whose classes depend on more than its kind, such as the maps of a fabric. Two such relations have the same classes if
// their texts are equal.
type Classified interface {
	Relation
	ClassText() string
}

// ClassText returns the text of a Classified, also on some flows, or "".
func ClassText(r Relation) string {
	if f, ok := r.(Flowing); ok {
		r = f.AllPairs()
	}
	if c, ok := r.(Classified); ok {
		return c.ClassText()
	}
	return ""
}

// ManagementOf returns the management traffic that a table, an adaptive table, or one of these on some flows must route.
func ManagementOf(r Relation) Management {
	if f, ok := r.(Flowing); ok {
		r = f.AllPairs()
	}
	if m, ok := r.(interface{ Management() Management }); ok {
		return m.Management()
	}
	return NoManagement
}

// AllWaiter is a relation whose packets may wait for all of several next hops, each of which is a hop of its own. This is safe where the next hop
// is chosen on arrival, and not under WaitAny.
type AllWaiter interface {
	Relation
	WaitsForAll() bool
}

// WaitsForAll reports whether packets of r may wait for all of several next hops.
func WaitsForAll(r Relation) bool {
	if f, ok := r.(Flowing); ok {
		r = f.AllPairs()
	}
	w, ok := r.(AllWaiter)
	return ok && w.WaitsForAll()
}
