// Package layers is the command layers: the fewest layers of virtual channels that make given paths
// deadlock-free.
package layers
