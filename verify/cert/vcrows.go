package cert

import "slices"

// This file finds the VC of a packet by the cable in, the cable out and its class.

// vcRows are the validated VC rows of a table, or of multicast packets.
type vcRows struct {
	wires    *Wiring
	rows     []int32 // VCRows, or nil
	rowOf    []int32 // VCRowOf
	rowsFrom []int   // by switch: where its part of rowOf begins
}

// newVCRows judges VC rows: canonical, and one for each two cables of a switch.
func newVCRows(wires *Wiring, rows, rowOf *Ints) (*vcRows, error) {
	t := &vcRows{wires: wires}
	switch {
	case rows == nil && rowOf == nil:
		return t, nil
	case rows == nil || rowOf == nil:
		return nil, Reject("subject", "VC rows and their index: one without the other")
	}
	t.rows, t.rowOf = *rows, *rowOf
	if t.rows == nil {
		t.rows = []int32{} // present, if empty
	}
	return t, t.check()
}

// check judges the rows.
func (t *vcRows) check() error {
	if len(t.rows)%classesMax != 0 {
		return Reject("subject", "VC rows: %d numbers, not 16 per row", len(t.rows))
	}
	for i, v := range t.rows {
		if v < 0 || v > dropVC {
			return Reject("subject", "VC row %d: VC %d is not in 0..15", i/classesMax, v)
		}
	}
	for i := classesMax; i < len(t.rows); i += classesMax {
		if slices.Compare(t.rows[i-classesMax:i], t.rows[i:i+classesMax]) >= 0 {
			return Reject("subject", "VC row %d is not greater than the one before", i/classesMax)
		}
	}
	return t.checkRowOf()
}

func (t *vcRows) checkRowOf() error {
	t.rowsFrom = make([]int, t.wires.Switches)
	size := 0
	for u := range t.wires.Switches {
		t.rowsFrom[u] = size
		degree := t.wires.first[u+1] - t.wires.first[u]
		size += degree * degree
	}
	if len(t.rowOf) != size {
		return Reject("subject", "VC rows are given for %d pairs of cables, not for %d", len(t.rowOf), size)
	}
	used := make([]bool, len(t.rows)/classesMax)
	for i, r := range t.rowOf {
		if r < 0 || int(r) >= len(used) {
			return Reject("subject", "pair of cables %d: VC row %d of %d", i, r, len(used))
		}
		used[r] = true
	}
	if i := slices.Index(used, false); i >= 0 {
		return Reject("subject", "VC row %d is not used", i)
	}
	return nil
}

// vcOn returns the index of the VC on channel b for a packet with class k that
// arrives on channel a, or -1 if it has no next hop.
func (t *vcRows) vcOn(a, b, k int32) int32 {
	if t.rows == nil {
		if k == dropVC {
			return -1
		}
		return k
	}
	return t.vcByRow(a, b, k)
}

func (t *vcRows) vcByRow(a, b, k int32) int32 {
	u := t.wires.Head[a]
	degree := t.wires.first[u+1] - t.wires.first[u]
	row := t.rowOf[t.rowsFrom[u]+int(t.wires.slot[a])*degree+int(t.wires.slot[t.wires.Back(b)])]
	if v := t.rows[int(row)*classesMax+int(k)]; v != dropVC {
		return v
	}
	return -1
}
