# Makes states.hex from the table of next hops by input (CSV): switch, input port, input VC, class, destination, output port,
# output VC. A state has 51 bits: 7, 3, 2, 7 and 32, a bit for each permitted output.
BEGIN { FS = "," }
NR > 1 {
	state = ((substr($1, 2) * 8 + $2) * 4 + $3) * 128 + substr($5, 2)
	outputs[state] += 2 ^ ($6 * 4 + $7)
}
END { for (state in outputs) printf "%x%08x\n", state, outputs[state] }
