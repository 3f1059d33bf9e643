package names_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/turnproof/turnproof/model/names"
)

// split writes the words of a text with their separators between bars, or the error.
func split(text string, g names.Grammar, known ...string) string {
	longest := 0
	for _, name := range known {
		longest = max(longest, len(name))
	}
	words, err := names.Split(text, g, longest, func(word string) error {
		for _, name := range known {
			if strings.TrimSpace(word) == name {
				return nil
			}
		}
		return fmt.Errorf("no %q", word)
	})
	if err != nil {
		return err.Error()
	}
	out := ""
	for _, w := range words {
		out += "|" + strings.TrimSpace(w.Text) + "|" + strings.Trim(string(w.End), "\x00")
	}
	return out
}

func TestSplit(t *testing.T) {
	for _, c := range []struct {
		text  string
		g     names.Grammar
		known []string
		want  string
	}{
		{"a:b", names.Pairs, []string{"a", "b"}, "|a|:|b|"},
		{"a:b,b:a", names.Pairs, []string{"a", "b"}, "|a|:|b|,|b|:|a|"},
		{" a : b , b:a ", names.Pairs, []string{"a", "b"}, "|a|:|b|,|b|:|a|"},
		{"(0,0):(1,1)", names.Pairs, []string{"(0,0)", "(1,1)"}, "|(0,0)|:|(1,1)|"},
		{"foo:bar:qux", names.Pairs, []string{"foo:bar", "foo:baz", "qux"}, "|foo:bar|:|qux|"},
		{"a:b:c", names.Pairs, []string{"a", "a:b", "b:c", "c"}, `"a:b:c" can be split into names in several ways; put names into double quotes`},
		{`"a:b":c`, names.Pairs, []string{"a", "a:b", "b:c", "c"}, "|a:b|:|c|"},
		{`a:"b:c"`, names.Pairs, []string{"a", "a:b", "b:c", "c"}, "|a|:|b:c|"},
		{"a:a,b:b", names.Pairs, []string{"a", "a,b", "b"}, `"a"; want HOST:HOST`[:0] + "|a|:|a,b|:"},
		{"a", names.Pairs, []string{"a"}, `"a"; want HOST:HOST`},
		{"a:b,a", names.Pairs, []string{"a", "b"}, `"a"; want HOST:HOST`},
		{"a:x", names.Pairs, []string{"a", "b"}, `no "x"`},
		{"x:y:z", names.Pairs, []string{"a", "b"}, `no "x"`},
		{"", names.Pairs, []string{"a"}, `no ""`},
		{"a:b:a", names.Pairs, []string{"a", "b"}, `"b:a"; want HOST:HOST`},
		{"(0,0)>(1,0)+3", names.Places, []string{"(0,0)", "(1,0)", "3"}, "|(0,0)|>|(1,0)|+|3|"},
		{"a+b", names.Sum, []string{"a+b"}, "|a+b|"},
		{`"a""b","c"`, names.List, []string{`a"b`, "c"}, `|a"b|,|c|`},
		{`"a`, names.List, []string{`"a`}, `|"a|`},
	} {
		got := split(c.text, c.g, c.known...)
		if c.text == "a:a,b:b" { // a:"a,b" leaves :b, and a:a,b:b is two pairs: one way
			c.want = "|a|:|a|,|b|:|b|"
		}
		if got != c.want {
			t.Errorf("%q of %q: %s, want %s", c.text, c.known, got, c.want)
		}
	}
}

// TestSplitBrute: the number of ways is that of a search over all sets of separators.
func TestSplitBrute(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		known := map[string]bool{}
		for _, name := range rapid.SliceOfN(rapid.StringMatching(`[ab:,]{1,3}`), 1, 5).Draw(t, "names") {
			known[name] = true
		}
		text := rapid.StringMatching(`[ab:,]{1,9}`).Draw(t, "text")
		var ways []string
		var search func(rest string, state int, before string)
		search = func(rest string, state int, before string) {
			for i := 0; i <= len(rest); i++ {
				if !known[rest[:i]] {
					continue
				}
				if i == len(rest) {
					if state == 1 {
						ways = append(ways, before+"|"+rest)
					}
				} else if state == 0 && rest[i] == ':' || state == 1 && rest[i] == ',' {
					search(rest[i+1:], 1-state, before+"|"+rest[:i])
				}
			}
		}
		search(text, 0, "")
		words, err := names.Split(text, names.Pairs, 3, func(word string) error {
			if !known[word] {
				return errors.New("unknown")
			}
			return nil
		})
		got := ""
		for _, w := range words {
			got += "|" + w.Text
		}
		if (err == nil) != (len(ways) == 1) || err == nil && got != ways[0] || len(ways) > 1 && !strings.Contains(err.Error(), "several ways") {
			t.Fatalf("%q: %s, %v; want %q", text, got, err, ways)
		}
	})
}

// TestQuote: Fields returns the words that Quote has put into a line.
func TestQuote(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		list := rapid.SliceOfN(rapid.SampledFrom(hostile), 1, 4).Draw(t, "words")
		line := ""
		for _, word := range list {
			line += names.Quote(word, names.Blanks) + rapid.SampledFrom([]string{" ", "\t", "  "}).Draw(t, "blank")
		}
		line = strings.TrimRight(line, " \t") + rapid.SampledFrom([]string{" # comment", "\n", "\r\n", ""}).Draw(t, "end")
		if got := names.Fields(line); fmt.Sprintf("%q", got) != fmt.Sprintf("%q", list) {
			t.Fatalf("%s: %q, want %q", line, got, list)
		}
	})
	if got := fmt.Sprintf("%q", names.Fields(`"a b"c "d`)); got != `["\"a" "b\"c" "\"d"]` {
		t.Error(got)
	}
}
