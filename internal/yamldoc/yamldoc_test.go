package yamldoc

import (
	"errors"
	"strings"
	"testing"
)

// TestJSON: values become JSON; what JSON has not is an error with its line.
func TestJSON(t *testing.T) {
	for text, want := range map[string]string{
		"a: 1\nb: [x, 'y', true, null]\n":          `{"a":1,"b":["x","y",true,null]}`,
		"- {k: {}}\n- []\n":                        `[{"k":{}},[]]`,
		"a: |\n  <two\n  lines>\n":                 `{"a":"<two\nlines>\n"}`,
		"a: 18446744073709551615\nb: 0x10\nc: -1":  `{"a":18446744073709551615,"b":16,"c":-1}`,
		"a: 1\nb: 1.5\n":                           `{"a":1,"b":1.5}`,
		"1: a\n":                                   `{"1":"a"}`,
		"a: .inf\n":                                "line 1: json: unsupported value",
		"a: 1\nb: &x 1\n":                          "line 2: anchors, aliases and tags",
		"a: b\nc: *x\n":                            "line 2: anchors, aliases and tags",
		"a: !!binary eA==\n":                       "line 1: anchors, aliases and tags",
		"a: [&x [*x, *x], *x]\n":                   "line 1: anchors, aliases and tags",
		"a: {b: {*x : 1}}\n":                       "line 1: anchors, aliases and tags",
		"- {<<: *x}\n":                             "line 1: anchors, aliases and tags",
		"a: 1\nb: 2\na: 3\n":                       "line 3: YAML: mapping key \"a\" already defined",
		"a: [1\n":                                  "YAML: ",
		"a: \xff\n":                                "the text is no UTF-8",
		strings.Repeat("[", 100_000):               "values nest more than 50 deep",
		"a: " + strings.Repeat("&a ", 1000) + "b":  "",
		"a: " + strings.Repeat("!a ", 1000) + "b":  "",
		strings.Repeat("? ", 40) + "a":             "",
		"a: {b: [1, 2}\n":                          "YAML: ",
		"a: \"\\ud800\"\n":                         "",
		"{" + strings.Repeat("a: {", 40) + "\n---": "",
	} {
		docs, err := Parse([]byte(text))
		got := ""
		if err == nil {
			var raw []byte
			if raw, err = docs[0].JSON(); err == nil {
				got = string(raw)
			}
		}
		var e *Error
		if err != nil {
			if got = err.Error(); !errors.As(err, &e) {
				t.Errorf("%.40q: %v is no *Error", text, err)
			}
		}
		if !strings.HasPrefix(got, want) && (err == nil || !strings.Contains(got, want)) {
			t.Errorf("%.40q: %s, want %s", text, got, want)
		}
	}
}

// TestLines: pairs, lists and errors of Decode have their lines.
func TestLines(t *testing.T) {
	docs, err := Parse([]byte("# c\na: 1\nb:\n  - x\n  - 2.50\n---\n"))
	if err != nil || len(docs) != 1 {
		t.Fatal(docs, err)
	}
	pairs, ok := docs[0].Pairs()
	if !ok || len(pairs) != 2 || pairs[1].Key != "b" || pairs[1].Line != 3 || !pairs[1].Word {
		t.Fatal(pairs, ok)
	}
	list, ok := pairs[1].Value.List()
	if !ok || len(list) != 2 || list[1].Line() != 5 {
		t.Fatal(list, ok)
	}
	if text, ok := list[1].Scalar(); !ok || text != "2.50" {
		t.Errorf("%q, want the number as it is written", text)
	}
	var into struct {
		A int `yaml:"a"`
	}
	docs, _ = Parse([]byte("a: 1\nc: 2\n"))
	var e *Error
	if err := docs[0].Decode(&into); !errors.As(err, &e) || e.Line != 2 || !strings.Contains(e.Msg, `"c"`) {
		t.Error(err)
	}
	docs, _ = Parse([]byte("a: 7\n"))
	if err := docs[0].Decode(&into); err != nil || into.A != 7 {
		t.Error(into, err)
	}
}

// FuzzParse: no text makes the reader panic, and what becomes JSON becomes the same again.
func FuzzParse(f *testing.F) {
	for _, text := range []string{"a: 1\nb: [x]\n", "- {k: |}\n", "? a\n: b", "&a", "*a", "!!x y", "'", "\"\\u"} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		docs, err := Parse(text)
		if err != nil {
			return
		}
		for _, v := range docs {
			raw, err := v.JSON()
			if err != nil {
				continue
			}
			again, err := Parse(raw)
			if err != nil || len(again) != 1 {
				continue // JSON has escapes that YAML has not
			}
			if _, err := again[0].JSON(); err != nil {
				t.Errorf("%s: %v", raw, err)
			}
			v.Scalar()
			v.Null()
		}
	})
}
