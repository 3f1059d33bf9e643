// Package hostile starts the programs with input that is made to harm them: huge sizes, endless
// nesting, gzip bombs, devices, and names that are commands for a shell, browser or terminal.
//
// The files of scripts list the cases, a file for each kind; script.go explains them. A Case is
// the input and the expected result: mostly status 2, one line on standard error, nothing on
// standard output, no file left, within MostTime and MostMemory.
//
// The stage runs all cases. The tests of cmd/turnproof and cmd/turnproof-check run some:
//
//	tally := hostile.Run(t, hostile.Programs{Turnproof: []string{program}}, hostile.Options{Most: 2})
//
// The fuzz targets (make fuzz) look for input that this list does not have.
//
// Read first: scripts, a file per kind; script.go.
package hostile
