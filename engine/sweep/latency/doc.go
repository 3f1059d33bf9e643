// Package latency makes the section of a report on simulated latencies: charts of mean latency and
// accepted load over offered load, and a table of all runs.
//
// Read first: section.go.
package latency
