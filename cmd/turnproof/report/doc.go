// Package report is the command report: it reads flags, simulates, and writes the page that
// synth/report makes.
package report
