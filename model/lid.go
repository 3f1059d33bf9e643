package model

// LIDOf returns the LID of a destination, or 0 if the relation has no addresses.
func LIDOf(r Relation, d DestID) uint16 {
	if t, ok := r.(interface{ Destination(DestID) Destination }); ok {
		return t.Destination(d).LID
	}
	return 0
}
