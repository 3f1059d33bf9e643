// Package report is the command report: one HTML page about some routings of a network.
package report
