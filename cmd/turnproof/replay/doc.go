// Package replay implements the command replay. It drives a refuted routing into its deadlock.
package replay
