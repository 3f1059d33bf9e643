package figure

// This file makes text from input files safe. Descriptions of nodes are set by the operators of a
// fabric and may contain anything.

import (
	"html"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Largest number of runes that are shown. A tooltip may be longer than a label.
const (
	maxLabel   = 48
	maxTooltip = 240
)

// clean returns s as one line of at most limit printable runes. Control characters, invalid bytes,
// characters that XML 1.0 does not allow and characters that reorder the text around them become
// U+FFFD.
func clean(s string, limit int) string {
	var b strings.Builder
	count := 0
	for _, r := range s {
		if count == limit {
			return b.String() + "…"
		}
		count++
		if !showable(r) {
			r = utf8.RuneError
		}
		b.WriteRune(r)
	}
	return b.String()
}

func showable(r rune) bool {
	return !unicode.In(r, unicode.Cc, unicode.Cf, unicode.Cs, unicode.Co, unicode.Zl, unicode.Zp) &&
		r&0xfffe != 0xfffe && r != 0x2028 && r != 0x2029
}

// quote returns s as a DOT string that Graphviz shows literally. The DOT parser only knows the
// escape \", and label processing converts \\ and entities back. So s cannot contain working
// escapes of Graphviz (\N, \G, \n) or entities.
func quote(s string, limit int) string { return quoteLines([]string{s}, limit) }

// quoteLines returns a DOT string of several centred lines.
func quoteLines(lines []string, limit int) string {
	escape := strings.NewReplacer(`\`, `\\`, `"`, `\"`, `&`, `&amp;`)
	var b strings.Builder
	b.WriteByte('"')
	for i, s := range lines {
		if i > 0 {
			b.WriteString(`\n`)
		}
		b.WriteString(escape.Replace(clean(s, limit)))
	}
	b.WriteByte('"')
	return b.String()
}

// markup returns s as text inside an HTML-like label or an XML element.
func markup(s string, limit int) string { return html.EscapeString(clean(s, limit)) }
