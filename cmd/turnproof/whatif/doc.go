// Package whatif implements the command whatif. It routes a fabric by engines of the installed OpenSM, without and with failures, and judges
// each result.
//
// Read first: whatif.go, runs.go; judge.go (one run), text.go, json.go.
package whatif
