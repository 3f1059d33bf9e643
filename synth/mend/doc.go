// Package mend changes as few entries of a forwarding table as it can, so that the new table has
// no credit loop and delivers every packet.
//
// Five words:
//
//   - entry: the port by which a switch forwards packets to a destination;
//   - change: an entry that names another port, or is new;
//   - lost: a destination for which some packets are dropped or delivered to a wrong host;
//   - nearest: with the fewest changes;
//   - bound: no table without credit loops has fewer changes.
//
// A first call:
//
//	m, err := mend.Find(ctx, table, mend.Options{})
//	if m.Optimal() { ... } // m.Changes are the fewest
//
// Service levels and SL-to-VL tables are not changed. This package does not prove that the new
// table is deadlock-free. Use verify.Check for that.
//
// Read first: find.go, then local.go (soon) and exact.go (nearest) over formula.go.
package mend
