// Package rows lists the formats in which the command table writes the tables of synth/tabulate. The command report
// writes tables, too.
package rows
