// Package compare implements the command compare. It lists what changed between two states of a
// fabric, and checks the routing of both.
package compare
