package tables

import (
	"bufio"
	"fmt"
	"io"
	"strings"
)

// This file writes a table as a C header (C99, also C++11): sizes, the distinct rows, the row
// of each input, and two functions. All are static and need only stdint.h.

// WriteC writes a table as a C header. Its names contain the names of network and routing. A
// set is one word, or several if it has more than 64 bits. It fails with *TooLarge if the
// distinct rows exceed 64 Mbit. Cost: O(entries), and the text of the distinct rows.
func WriteC(w io.Writer, l *Lookup) error {
	c := &cHeader{w: bufio.NewWriter(w), l: l, prefix: l.identifier(), caps: strings.ToUpper(l.identifier()), bits: 64}
	if !l.Ranged {
		c.r = l.rows()
		if err := l.fits(c.r); err != nil {
			return err
		}
	}
	for _, bits := range []int{32, 16, 8} {
		if l.Outputs() <= bits {
			c.bits = bits
		}
	}
	c.head()
	c.sizes()
	if l.Ranged {
		c.ranges()
		c.rangeLookup()
	} else {
		c.sets()
		c.ofInput()
		c.lookup()
	}
	c.member()
	c.p("\n#endif\n")
	return c.w.Flush()
}

type cHeader struct {
	w            *bufio.Writer
	l            *Lookup
	r            rows
	prefix, caps string
	bits         int // bits of a word
}

func (c *cHeader) p(format string, a ...any) { fmt.Fprintf(c.w, format, a...) }

func (c *cHeader) head() {
	c.p("/*\n")
	for _, line := range c.l.about() {
		c.p("%s\n", strings.TrimRight(" * "+line, " "))
	}
	c.p(" */\n#ifndef %s_H\n#define %s_H\n\n#include <stdint.h>\n\n", c.caps, c.caps)
}

// words returns the number of words of a set.
func (c *cHeader) words() int { return len(c.l.pool.sets[0]) }

func (c *cHeader) sizes() {
	for _, k := range c.l.constants() {
		c.p("#define %s_%s %d\n", c.caps, k.constant, k.size)
	}
	c.p("#define %s_WORDS %d\n\n", c.caps, c.words())
	c.p("/* A set of outputs is WORDS of these, bit i in bit i %% %d of word i / %d. */\n", c.bits, c.bits)
	c.p("typedef uint%d_t %s_word;\n\n", c.bits, c.prefix)
}

// wordFormat returns the format of a word.
func (c *cHeader) wordFormat() string {
	if c.bits == 64 {
		return "0x%016xu,"
	}
	return fmt.Sprintf("0x%%0%dx,", c.bits/4)
}

// sets writes the distinct rows: the words of the set of each destination.
func (c *cHeader) sets() {
	format := c.wordFormat()
	c.p("static const %s_word %s_rows[%d][%d] = {\n", c.prefix, c.prefix, len(c.r.list), c.l.Dest*c.words())
	for _, row := range c.r.list {
		c.p("  {")
		for i, s := range row {
			if i > 0 && i%8 == 0 {
				c.p("\n   ")
			}
			for _, w := range c.l.pool.sets[s] {
				c.p(format, w)
			}
		}
		c.p("},\n")
	}
	c.p("};\n\n")
}

// ofInput writes the row number of each input without its destination.
func (c *cHeader) ofInput() {
	c.p("static const uint32_t %s_row[%d] = {", c.prefix, len(c.r.of))
	for i, row := range c.r.of {
		if i%16 == 0 {
			c.p("\n  ")
		}
		c.p("%d,", row)
	}
	c.p("\n};\n\n")
}

// lookup writes the function that returns the set of an input.
func (c *cHeader) lookup() {
	var list, checks []string
	place := ""
	for _, a := range c.l.arguments() {
		list = append(list, "unsigned "+a.name)
		checks = append(checks, fmt.Sprintf("%s >= %s_%s", a.name, c.caps, a.constant))
		switch {
		case a.name == "destination":
		case place == "":
			place = a.name
		default:
			if strings.Contains(place, " ") {
				place = "(" + place + ")"
			}
			place = fmt.Sprintf("%s * %s_%s + %s", place, c.caps, a.constant, a.name)
		}
	}
	c.p("/* The set of an input: WORDS words. An input that is none has the empty set. */\n")
	c.p("static inline const %s_word *%s_%s(%s)\n{\n", c.prefix, c.prefix, c.l.function(), strings.Join(list, ", "))
	c.p("  if (%s)\n    return %s_rows[0];\n", strings.Join(checks, " ||\n      "), c.prefix)
	c.p("  return %s_rows[%s_row[%s]]", c.prefix, c.prefix, place)
	if c.l.Form != Turns {
		c.p(" + destination * %s_WORDS", c.caps)
	}
	c.p(";\n}\n\n")
}

// member writes the function that reports whether an output is in a set.
func (c *cHeader) member() {
	args, place, check := "unsigned port", "port", "port >= "+c.caps+"_PORTS"
	if c.l.hasVCs() {
		args, place, check = args+", unsigned vc", fmt.Sprintf("(port * %s_VCS + vc)", c.caps), check+" || vc >= "+c.caps+"_VCS"
	}
	if c.l.Classes > 1 {
		args, check = args+", unsigned next_class", check+" || next_class >= "+c.caps+"_CLASSES"
		place = fmt.Sprintf("((next_class * %s_PORTS + port) * %s_VCS + vc)", c.caps, c.caps)
	}
	c.p("/* Is an output in the set? */\n")
	c.p("static inline int %s_permits(const %s_word *outputs, %s)\n{\n", c.prefix, c.prefix, args)
	c.p("  if (%s)\n    return 0;\n", check)
	c.p("  return (int)(outputs[%s / %d] >> (%s %% %d) & 1);\n}\n", place, c.bits, place, c.bits)
}
