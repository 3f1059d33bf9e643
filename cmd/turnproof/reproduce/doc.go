// Package reproduce implements the command reproduce. It computes a table or figure of a paper and
// prints it beside the published values.
package reproduce
