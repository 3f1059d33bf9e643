// Package replay is the command replay: it drives a refuted routing into its deadlock.
package replay
