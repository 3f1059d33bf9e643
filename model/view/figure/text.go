package figure

// This file makes text from files harmless: node descriptions come from
// whoever configured a fabric and may hold anything.

import (
	"html"
	"strings"
	"unicode"
	"unicode/utf8"
)

// How much of a text is shown. A tooltip may be longer than a label.
const (
	maxLabel   = 48
	maxTooltip = 240
)

// clean returns s as one line of at most limit runes that can be shown:
// control characters, invalid bytes, characters that XML 1.0 does not allow
// and those that reorder the text around them become U+FFFD.
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

// quote returns s as a DOT string that stands for itself: DOT knows \" only,
// and label processing undoes \\ and the entity; so no escape of Graphviz
// (\N, \G, \n) and no entity can be smuggled in.
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
