// Package plain makes text of others safe to print: a name that holds a line end could pass for
// a verdict of ours, one that holds an escape sequence for a command to the terminal.
package plain

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Text returns a text with everything that is not printed (unicode.IsPrint: line ends, control
// characters, those that turn the direction of writing) as Go writes it, "\n" or "\u202e", and
// bytes that are no UTF-8 as "\xff". Blanks stay. A text without such comes back as it is.
func Text(text string) string {
	for i := 0; i < len(text); i++ {
		if c := text[i]; c < ' ' || c > '~' {
			return escaped(text)
		}
	}
	return text
}

func escaped(text string) string {
	var b strings.Builder
	for len(text) > 0 {
		r, k := utf8.DecodeRuneInString(text)
		switch {
		case r == utf8.RuneError && k == 1:
			fmt.Fprintf(&b, `\x%02x`, text[0])
		case unicode.IsPrint(r):
			b.WriteString(text[:k])
		default:
			quoted := strconv.QuoteToASCII(text[:k])
			b.WriteString(quoted[1 : len(quoted)-1])
		}
		text = text[k:]
	}
	return b.String()
}

// Line returns a text of several lines on one, these joined by "; ", plain as Text, and cut
// where it is longer than most bytes, which leaves out its middle.
func Line(text string, most int) string {
	line := Text(strings.Join(strings.FieldsFunc(text, func(r rune) bool { return r == '\n' }), "; "))
	if len(line) <= most {
		return line
	}
	head, tail := strings.ToValidUTF8(line[:most/2], ""), strings.ToValidUTF8(line[len(line)-most/4:], "")
	return fmt.Sprintf("%s... (%d bytes) ...%s", head, len(line)-len(head)-len(tail), tail)
}
