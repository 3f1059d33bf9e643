// Package say puts counts, channels, packets and paths into words and into the JSON forms that
// several commands share. It decides nothing.
package say
