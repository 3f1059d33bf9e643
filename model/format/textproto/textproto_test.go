package textproto

import (
	"strings"
	"testing"
)

// flat writes a message as one line.
func flat(m *Message) string {
	var b strings.Builder
	for _, f := range m.Fields {
		b.WriteString(f.Name)
		switch {
		case f.Message != nil:
			b.WriteString("{" + flat(f.Message) + "}")
		case f.IsString:
			b.WriteString(`="` + f.Text + `"`)
		default:
			b.WriteString("=" + f.Text)
		}
		b.WriteString(";")
	}
	return b.String()
}

func TestParse(t *testing.T) {
	for text, want := range map[string]string{
		"a: 1 b: -2, c: \"x\\n\\x41\\101\" 'y';": "a=1;b=-2;c=\"x\nAAy\";",
		"a { b: [ 1, 2 ] } # end":                "a{b=1;b=2;};",
		"a: < b: LINE > a [ {c: 1}, <d: 2> ]":    "a{b=LINE;};a{c=1;};a{d=2;};",
		"[x.y/z]: 1e-3 l: []":                    "[x.y/z]=1e-3;",
		"":                                       "",
	} {
		m, err := Parse("f", []byte(text))
		if err != nil {
			t.Errorf("%s: %v", text, err)
		} else if got := flat(m); got != want {
			t.Errorf("%s: got %q, want %q", text, got, want)
		}
	}
}

func TestFaults(t *testing.T) {
	for text, want := range map[string]string{
		"a: 1\nb":                "f:2: want : or { after b",
		"a {\n b: 1":             "f:2: the message that begins at line 1 does not end",
		"a: \"x\n":               "f:1: a string that does not end",
		"a: [1 2]":               "want , or ], got 2",
		"\n\na: ]":               "f:3: want a value of a, got ]",
		"a: 1 ! b":               "unexpected character '!'",
		"a: \"\\q\"":             "unknown escape",
		"a: -\"x\"":              "want a value of a",
		": 1":                    "want the name of a field",
		"a {b: 1 >":              "want the name of a field, got >",
		strings.Repeat("a{", 80): "nest deeper than 64",
	} {
		if _, err := Parse("f", []byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want %q", text, err, want)
		}
	}
}

func TestInt(t *testing.T) {
	m, err := Parse("f", []byte("a: 017 b: 0x1F c: -3 d: 1.5 e: \"1\" f: 99999999999 g: 1_0"))
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]int{"a": 15, "b": 31, "c": -3}
	for _, f := range m.Fields {
		v, ok := f.Int()
		if w, isInt := want[f.Name]; ok != isInt || ok && v != w {
			t.Errorf("%s: got %d, %v", f.Text, v, ok)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add("a: 1 b { c: \"x\" d: [1, 2] } # end")
	f.Fuzz(func(t *testing.T, text string) {
		m, err := Parse("f", []byte(text))
		if (m == nil) && err == nil {
			t.Error("neither a message nor an error")
		}
	})
}
