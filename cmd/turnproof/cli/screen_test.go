package cli

import (
	"bytes"
	"strings"
	"testing"
)

// terminal is what is on a terminal after the escape sequences of Screen.
type terminal struct {
	rows []string
	at   int
}

// read handles the output of one call of Show or End.
func (x *terminal) read(t *testing.T, text string) {
	t.Helper()
	for text != "" {
		var up int
		switch {
		case strings.HasPrefix(text, "\x1b[J"):
			x.rows, text = x.rows[:x.at], text[3:]
		case strings.HasPrefix(text, "\x1b["):
			end := strings.IndexByte(text, 'A')
			for _, c := range text[2:end] {
				up = up*10 + int(c-'0')
			}
			x.at, text = x.at-up, text[end+1:]
		case text[0] == '\r' && !strings.HasPrefix(text, "\r\n"):
			text = text[1:]
		case strings.HasPrefix(text, "\r\n"):
			x.at, text = x.at+1, text[2:]
		default:
			line, rest, ok := strings.Cut(text, "\x1b[K")
			if !ok {
				t.Fatalf("a line that is not cleared: %q", text)
			}
			for len(x.rows) <= x.at {
				x.rows = append(x.rows, "")
			}
			x.rows[x.at], text = line, rest
		}
	}
}

// TestScreen: each call of Show replaces the lines of the call before, and nothing else.
func TestScreen(t *testing.T) {
	var out bytes.Buffer
	s := &Screen{w: &out, size: func() (int, int, bool) { return 30, 10, true }}
	x := &terminal{rows: []string{"before"}, at: 1}
	for _, lines := range [][]string{{"a", "b", "c"}, {"dd", "e"}, {"f", "g", "h", "i"}} {
		out.Reset()
		s.Show(lines)
		x.read(t, out.String())
		if got, want := strings.Join(x.rows, "|"), "before|"+strings.Join(lines, "|"); got != want || strings.Contains(out.String(), "\x1b[2J") {
			t.Errorf("shown %q, want %q", got, want)
		}
	}
	out.Reset()
	s.End()
	x.read(t, out.String())
	if strings.Join(x.rows, "|") != "before|f|g|h|i" {
		t.Errorf("at the end %q", x.rows)
	}
	if w, h := s.Size(); w != 30 || h != 9 {
		t.Errorf("%d columns, %d lines", w, h)
	}
}

// TestScreenASCII: only an environment that names UTF-8 gets other characters than ASCII.
func TestScreenASCII(t *testing.T) {
	for _, c := range []struct {
		all, lang string
		want      bool
	}{{"", "en_US.UTF-8", false}, {"", "", true}, {"C", "en_US.UTF-8", true}, {"C.utf8", "C", false}} {
		t.Setenv("LC_ALL", c.all)
		t.Setenv("LC_CTYPE", "")
		t.Setenv("LANG", c.lang)
		if got := (&Screen{}).ASCII(); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
}
