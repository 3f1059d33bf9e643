// Package hostile gives input that is made to hurt to the programs themselves: sizes that
// cannot be meant, nesting without end, bombs of gzip, devices, names that are commands to
// whoever reads the output.
//
// A Case says what is done and what must come of it: mostly status 2, one line on standard
// error, nothing on standard output, no file left, within MostTime and MostMemory. Cases lists
// them; those that are not Long are ordinary tests of cmd/turnproof and cmd/turnproof-check, all
// of them the stage.
//
//	for _, c := range hostile.Cases() {
//		outcome, err := c.Run(ctx, hostile.Programs{Turnproof: []string{"bin/turnproof"}}, dir)
//	}
//
// Input that nobody has thought of is the work of the fuzz targets (cmd/trust/fuzz).
package hostile
