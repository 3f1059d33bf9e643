// Package layers implements the command layers. It finds the fewest layers of virtual channels
// that make given paths deadlock-free.
package layers
