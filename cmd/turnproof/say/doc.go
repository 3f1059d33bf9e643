// Package say puts channels, packets and paths into the JSON forms that
// several commands share. It decides nothing.
package say
