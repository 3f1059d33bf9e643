// Package mend changes as few entries of a forwarding table as it can, so that no credit loop is
// left and every packet arrives.
//
// Five words:
//
//   - entry: the port by which a switch forwards packets to a destination;
//   - change: an entry that names another port, or is new;
//   - lost: a destination to which some packets are dropped, or that a wrong host gets;
//   - nearest: with the fewest changes;
//   - bound: no table without credit loops has fewer changes.
//
// A first call:
//
//	m, err := mend.Find(ctx, table, mend.Options{})
//	if m.Optimal() { ... } // m.Changes are the fewest
//
// Service levels and SL-to-VL tables stay as they are. That the new table is deadlock-free is for
// verify.Check to prove: the search knows its own clauses only.
package mend
