package plain

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

func TestText(t *testing.T) {
	for text, want := range map[string]string{
		"":                       "",
		"s1 (0x02)":              "s1 (0x02)",
		"Zürich \u65e5":          "Zürich \u65e5",
		"x\nPROVED":              `x\nPROVED`,
		"\x1b[31m\u009b31m\x7f":  `\x1b[31m\u009b31m\x7f`,
		"\u202egnp\u2066":        `\u202egnp\u2066`,
		"a\xffb\xfe":             `a\xffb\xfe`,
		"\t\r\x00":               `\t\r\x00`,
		"\ufeffone\u00a0\ufffd":  `\ufeffone\u00a0` + "\ufffd",
		`"quoted" \ backslashed`: `"quoted" \ backslashed`,
	} {
		if got := Text(text); got != want {
			t.Errorf("%q comes out as %q, want %q", text, got, want)
		}
	}
}

func TestLine(t *testing.T) {
	if got, want := Line("one\ntwo\n\nthree\n", 100), "one; two; three"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	got := Line("begin"+strings.Repeat("ä", 5000)+"end", 200)
	if len(got) > 240 || !strings.HasPrefix(got, "beginä") || !strings.HasSuffix(got, "äend") || !strings.Contains(got, " bytes) ") || !utf8.ValidString(got) {
		t.Errorf("got %q", got)
	}
}

func FuzzText(f *testing.F) {
	f.Add("x\n\x1b[31m\xff\u202e", 10)
	f.Fuzz(func(t *testing.T, text string, most int) {
		for _, got := range []string{Text(text), Line(text, most&0xfff)} {
			if strings.ContainsFunc(got, func(r rune) bool { return !unicode.IsPrint(r) }) || !utf8.ValidString(got) {
				t.Errorf("%q of %q", got, text)
			}
			if again := Text(got); again != got {
				t.Errorf("%q becomes %q", got, again)
			}
		}
	})
}
