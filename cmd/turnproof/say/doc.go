// Package say declares the JSON forms of channels, packets and paths that several commands print.
//
// Read first: json.go.
package say
