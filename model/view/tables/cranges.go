package tables

import (
	"fmt"
	"strings"

	"github.com/turnproof/turnproof/model"
)

// This file writes the ranges of destinations in a C header.

// ranges writes the ranges of all switches one after the other: the last destination and the set of each, and the first
// range of each switch. Set 0 is empty.
func (c *cHeader) ranges() {
	var first, last, sets []string
	format := c.wordFormat()
	words := func(set []uint64) string {
		text := "{"
		for _, w := range set {
			text += fmt.Sprintf(format, w)
		}
		return text + "},"
	}
	sets = append(sets, words(c.l.pool.sets[0]))
	for u := range model.SwitchID(c.l.Switches) {
		first = append(first, fmt.Sprintf("%d,", len(last)))
		for _, r := range c.l.Ranges(u) {
			last, sets = append(last, fmt.Sprintf("%d,", r.Last)), append(sets, words(r.Set))
		}
	}
	first = append(first, fmt.Sprintf("%d,", len(last)))
	c.array("uint32_t", "first", "", first)
	c.array("uint32_t", "last", "", append(last, "0"))
	c.array(c.prefix+"_word", "sets", fmt.Sprintf("[%d]", c.words()), sets)
}

// array writes an array of constants.
func (c *cHeader) array(kind, name, of string, values []string) {
	c.p("static const %s %s_%s[%d]%s = {", kind, c.prefix, name, len(values), of)
	for i, v := range values {
		if i%16 == 0 {
			c.p("\n  ")
		}
		c.p("%s", v)
	}
	c.p("\n};\n\n")
}

// rangeLookup writes the function that finds the range of a destination by bisection.
func (c *cHeader) rangeLookup() {
	text := `/* The set of an input: WORDS words. An input that is none has the empty set. */
static inline const P_word *P_F(unsigned at, unsigned destination)
{
  uint32_t lo, hi;
  if (at >= C_SWITCHES || destination >= C_DESTINATIONS || P_first[at] == P_first[at + 1])
    return P_sets[0];
  lo = P_first[at];
  hi = P_first[at + 1] - 1;
  while (lo < hi) {
    uint32_t middle = lo + (hi - lo) / 2;
    if (destination <= P_last[middle])
      hi = middle;
    else
      lo = middle + 1;
  }
  return P_sets[lo + 1];
}

`
	c.p("%s", strings.NewReplacer("P_F", c.prefix+"_"+c.l.function(), "P_", c.prefix+"_", "C_", c.caps+"_").Replace(text))
}
