package tables_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/turnproof/turnproof/model/view/tables"
)

// readCells reads the rows between \midrule and \bottomrule of a tabular, as TeX shows them. It knows the few commands that cells
// may have, and fails for anything else that means something to TeX.
func readCells(text string) (rows [][]string, err error) {
	_, body, found := strings.Cut(text, "\\midrule\n")
	body, _, ended := strings.Cut(body, "\\bottomrule")
	if !found || !ended {
		return nil, fmt.Errorf("no rows in %q", text)
	}
	commands := map[string]string{"textbackslash": `\`, "textasciitilde": "~", "textasciicircum": "^", "textless": "<", "textgreater": ">", "textbar": "|",
		"textquotedbl": `"`, "textquotesingle": "'", "textasciigrave": "`", "to": "→", "pm": "±", "times": "×", "le": "≤", "ge": "≥", "alpha": "α", "beta": "β",
		"triangle": "△", "circ": "○"}
	var row []string
	cell, depth, math := "", 0, false
	end := func() { row, cell = append(row, strings.TrimSpace(cell)), "" }
	for i := 0; i < len(body); i++ {
		rest := body[i:]
		switch c := body[i]; {
		case strings.HasPrefix(rest, `\\`):
			end()
			rows, row = append(rows, row), nil
			i++
		case c == '\\' && strings.IndexByte("{}$&#%_", body[i+1]) >= 0:
			i++
			cell += body[i : i+1]
		case c == '\\':
			name := rest[1 : 1+len(rest[1:])-len(strings.TrimLeft(rest[1:], "abcdefghijklmnopqrstuvwxyz"))]
			shown, ok := commands[name]
			if !ok {
				return nil, fmt.Errorf("command %q", name)
			}
			cell += shown
			if i += len(name); strings.HasPrefix(body[i+1:], "{}") {
				i += 2
			}
		case c == '&':
			end()
		case c == '{':
			depth++
		case c == '}':
			depth--
		case c == '$':
			math = !math
		case strings.IndexByte("#%_~^\"'`<>|", c) >= 0 && !math:
			return nil, fmt.Errorf("%q is not escaped in %q", c, rest[:min(len(rest), 20)])
		case strings.HasPrefix(rest, "--") && strings.TrimSpace(cell) != "":
			return nil, fmt.Errorf("a dash in %q", rest[:min(len(rest), 20)])
		case (c == '[' || c == '*') && depth == 0:
			return nil, fmt.Errorf("%q may be an argument", c)
		default:
			cell += string(c)
		}
	}
	if depth != 0 || math {
		return nil, fmt.Errorf("%d open braces, in mathematics: %v", depth, math)
	}
	return rows, nil
}

// TestLaTeXCells: an independent reader finds the same texts in the cells.
func TestLaTeXCells(t *testing.T) {
	check := func(t interface{ Fatalf(string, ...any) }, cells []string) {
		s := tables.Schema{Kind: "test", Caption: "a test"}
		row := []any{}
		for i, c := range cells {
			s.Columns = append(s.Columns, tables.Column{Name: fmt.Sprint("c", i)})
			row = append(row, c)
		}
		var b bytes.Buffer
		if err := tables.WriteAll(tables.NewLaTeX(&b, s), [][]any{row}); err != nil {
			t.Fatalf("%v", err)
		}
		got, err := readCells(b.String())
		if err != nil {
			t.Fatalf("%q: %v", cells, err)
		}
		for i, c := range cells {
			cells[i] = strings.TrimSpace(strings.NewReplacer("\n", " ", "\t", " ").Replace(c))
		}
		if len(got) != 1 || !slices.Equal(got[0], cells) {
			t.Fatalf("%q, want %q, of %s", got, cells, b.String())
		}
	}
	for _, text := range hostile {
		check(t, []string{"first", text, "last"})
	}
	check(t, []string{"α → β", "3 ± 4", "2 × 2", "%", `\\`, "a--b", "$x$"})
	rapid.Check(t, func(t *rapid.T) {
		check(t, rapid.SliceOfN(rapid.StringMatching(`[ -~]{1,12}`), 2, 4).Draw(t, "cells"))
	})
}

// TestReadCellsSees: the reader refuses what it should.
func TestReadCellsSees(t *testing.T) {
	for _, bad := range []string{"50% off", "a_b", "#1", "{", "$", `\evil`, "x--y", "[2cm]"} {
		if rows, err := readCells("\\midrule\n  a & " + bad + " \\\\\n  \\bottomrule"); err == nil {
			t.Errorf("%q gives %q", bad, rows)
		}
	}
}

// TestNumbers: programs get all digits, readers those of the column; values that are missing are empty or a dash.
func TestNumbers(t *testing.T) {
	s := tables.Schema{Kind: "test", Columns: []tables.Column{{Name: "name"}, {Name: "share", Type: tables.Decimal, Digits: 2}, {Name: "any", Type: tables.Decimal, Digits: -1},
		{Name: "count", Type: tables.Integer}}}
	rows := [][]any{{"one", 1.0 / 3, 0.05, -7}, {"none", math.NaN(), math.Inf(1), nil}}
	written := func(format func(io.Writer, tables.Schema) tables.RowWriter) string {
		var b bytes.Buffer
		if err := tables.WriteAll(format(&b, s), rows); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	list, err := csv.NewReader(strings.NewReader(written(tables.NewCSV))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if third, err := strconv.ParseFloat(list[1][1], 64); err != nil || third != 1.0/3 || !slices.Equal(list[2], []string{"none", "", "", ""}) {
		t.Errorf("%q, %v", list, err)
	}
	if got, want := written(tables.NewText), "name  share  any   count\none   0.33   0.05  -7\nnone  -      -     -\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got := written(tables.NewMarkdown); !strings.Contains(got, "| one | 0.33 | 0.05 | -7 |\n| none | - | - | - |\n") {
		t.Error(got)
	}
	if got := written(tables.NewLaTeX); !strings.Contains(got, "  one & 0.33 & 0.05 & $-$7 \\\\\n  none & -- & -- & -- \\\\\n") || !strings.Contains(got, "{lrrr}") {
		t.Error(got)
	}
	var object struct{ Rows []map[string]any }
	if err := json.Unmarshal([]byte(written(tables.NewJSON)), &object); err != nil || object.Rows[1]["share"] != nil || object.Rows[0]["share"] != 1.0/3 {
		t.Errorf("%v, %v", object, err)
	}
}
