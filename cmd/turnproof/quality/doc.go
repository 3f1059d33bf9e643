// Package quality has the flags, text, JSON and CSV of commands that measure how a routing uses the links (model/quality).
//
// Read first: flags.go, result.go; change.go (before and after).
package quality
