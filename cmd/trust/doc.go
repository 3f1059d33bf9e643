// Command trust tries to show that turnproof is wrong, and records the result.
//
// Each stage is a package: random cases on which all judges must agree, seeded defects that the
// tests must catch, hostile input, faults of the machine, limits. `make trust` runs all stages
// and writes a file per stage into the folder trust-record. docs/trust.md is a summary.
//
// Read first: main.go, record.go.
package main
