// Package rows lists the formats of tables. The command table writes the tables of synth/tabulate
// in these formats; the command report offers them for download.
package rows
