// Package lists reads lists that options name, about a network that is known: flows and traffic of hosts, attributes of channels, lists and
// orders of turns, channels, and spanning trees. People write them, or scripts. Package names finds the switches and hosts.
//
// Read first: one file per list.
package lists
