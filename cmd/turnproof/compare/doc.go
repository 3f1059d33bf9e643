// Package compare is the command compare: what changed between two states of a fabric, and whether
// the new state holds.
package compare
