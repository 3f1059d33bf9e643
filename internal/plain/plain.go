// Package plain makes foreign text safe to print. A name with a line end could imitate a
// verdict, and a name with an escape sequence could send a command to the terminal.
package plain

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Text escapes all unprintable characters (see unicode.IsPrint) as Go does, for example "\n" or
// "\u202e", and invalid UTF-8 as "\xff". Unprintable are line ends, control characters and
// characters that change the writing direction. Spaces do not change.
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

// Line joins the lines of a text by "; " and escapes them like Text. A result of more than most
// bytes is shortened in the middle.
func Line(text string, most int) string {
	line := Text(strings.Join(strings.FieldsFunc(text, func(r rune) bool { return r == '\n' }), "; "))
	if len(line) <= most {
		return line
	}
	head, tail := strings.ToValidUTF8(line[:most/2], ""), strings.ToValidUTF8(line[len(line)-most/4:], "")
	return fmt.Sprintf("%s... (%d bytes) ...%s", head, len(line)-len(head)-len(tail), tail)
}
