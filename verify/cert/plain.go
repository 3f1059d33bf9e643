package cert

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// This file escapes text of a certificate, so that it cannot forge lines of output or
// control the terminal.

// IsPlain reports whether a text is UTF-8 of printable characters only: no line
// ends, no control characters, and none that change the direction of writing.
func IsPlain(text string) bool {
	return utf8.ValidString(text) && !strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsPrint(r) })
}

// Plain returns a text in which characters that are not plain are escaped as in Go: \n, \u202e, \xff.
func Plain(text string) string {
	if IsPlain(text) {
		return text
	}
	var b strings.Builder
	for len(text) > 0 {
		r, k := utf8.DecodeRuneInString(text)
		if unicode.IsPrint(r) && !(r == utf8.RuneError && k == 1) {
			b.WriteString(text[:k])
		} else {
			quoted := strconv.QuoteToASCII(text[:k])
			b.WriteString(quoted[1 : len(quoted)-1])
		}
		text = text[k:]
	}
	return b.String()
}
