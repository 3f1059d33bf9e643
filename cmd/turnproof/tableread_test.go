package main

import (
	"encoding/csv"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestCSVAndJSON checks that both formats contain the same rows.
func TestCSVAndJSON(t *testing.T) {
	line := []string{"table", "mesh:3x3", "-r", "west-first", "--kind", "turns", "--format"}
	text, _, _ := turnproof(t, append(line, "csv")...)
	lines, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	object, _, _ := turnproof(t, append(line, "json")...)
	d := json.NewDecoder(strings.NewReader(object))
	d.UseNumber()
	var doc struct{ Rows []map[string]any }
	if err := d.Decode(&doc); err != nil {
		t.Fatal(err)
	}
	if len(doc.Rows) != len(lines)-1 {
		t.Fatalf("%d lines and %d", len(doc.Rows), len(lines)-1)
	}
	for j, row := range doc.Rows {
		var cells []string
		for _, name := range lines[0] {
			text, err := json.Marshal(row[name])
			if err != nil {
				t.Fatal(err)
			}
			cells = append(cells, strings.Trim(string(text), `"`))
		}
		if d := cmp.Diff(lines[j+1], cells); d != "" {
			t.Fatal(d)
		}
	}
}
