package yamldoc

import "bytes"

// depth returns an upper bound of how deep a text nests, by its brackets and by the dashes,
// question marks and blanks before its lines. The parser needs gigabytes for a hundred
// thousand brackets, so the bound is checked first. Cost: linear.
func depth(text []byte) int {
	deepest, open := 0, 0
	for line := range bytes.SplitSeq(text, []byte("\n")) {
		steps := 0 // each level needs a dash, question mark or space
		for _, c := range line {
			if c != ' ' && c != '-' && c != '?' {
				break
			}
			steps++
		}
		quote := byte(0)
		for i := 0; i < len(line); i++ {
			switch c := line[i]; {
			case quote == '"' && c == '\\':
				i++
			case quote != 0:
				if c == quote {
					quote = 0
				}
			case c == '"', c == '\'':
				quote = c
			case c == '[', c == '{':
				open++
			case c == ']', c == '}':
				open = max(open-1, 0)
			}
			deepest = max(deepest, open+steps/2)
		}
		deepest = max(deepest, open+steps/2)
	}
	return deepest
}
