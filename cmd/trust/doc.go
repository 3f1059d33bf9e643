// Command trust tries to show that turnproof is wrong, and records how that went.
//
// Each stage is a package of its own: random cases that all judges must agree on, seeded
// defects that the tests must catch, hostile input, faults of the machine, limits. The
// sections of docs/trust.md between markers are written by it; `make trust` runs all stages.
package main
