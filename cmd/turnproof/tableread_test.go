package main

import (
	"encoding/csv"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/turnproof/turnproof/model/modeltest"
	"github.com/turnproof/turnproof/model/view/tables"
	"github.com/turnproof/turnproof/synth/tabulate"
)

// hyparquet installs a reader of Parquet that shares no code with the writer. It is one JavaScript
// package of half a megabyte without dependencies. Apache's Go reader would add eight modules to
// go.mod and update four others.
func hyparquet(t *testing.T) string {
	t.Helper()
	modeltest.Tool(t, "node")
	dir := t.TempDir()
	out, err := exec.CommandContext(t.Context(), modeltest.Tool(t, "npm"), "install", "--prefix", dir, "--prefer-offline", "--no-save",
		"--ignore-scripts", "--no-audit", "--no-fund", "hyparquet@1.31.5").CombinedOutput()
	if err != nil {
		modeltest.Missing(t, "npm cannot install hyparquet: "+string(out))
	}
	script, err := os.ReadFile("testdata/parquet.mjs")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "parquet.mjs"), script, 0o644); err != nil {
		t.Fatal(err)
	}
	return dir
}

// parquetFile is the output of parquet.mjs.
type parquetFile struct {
	Columns [][4]string // name, type, kind of string, repetition
	Meta    map[string]string
	Rows    []map[string][2]string // by column: type in JavaScript, value
}

// TestParquet reads Parquet files with another reader. The columns have the right order and types,
// and the rows are those of the CSV file.
func TestParquet(t *testing.T) {
	reader := hyparquet(t)
	for _, c := range []struct {
		kind string
		line []string
	}{
		{"turns", []string{"random:switches=12,degree=3,seed=2", "-r", "lturn-beta"}},
		{"next-hops", []string{"@ring4/topology.ibnetdiscover", "-r", "@ring4/dor/opensm-lfts.dump"}},
		{"input-hops", []string{"torus:8x8,vcs=3", "-r", "duato"}},
		{"distances", []string{"@mesh3x3/topology.ibnetdiscover", "-r", "@mesh3x3/file-missing-entries/opensm-lfts.dump.gz"}}, // contains -1
		{"paths", []string{"mesh:3x3", "-r", "west-first"}},
	} {
		t.Run(c.kind, func(t *testing.T) {
			if c.kind != "distances" && c.kind != "turns" {
				longOnly(t, "turns, and distances with -1, are read")
			}
			file := filepath.Join(t.TempDir(), "table.parquet")
			line := append([]string{"table", "--kind", c.kind}, c.line...)
			if _, stderr, code := turnproof(t, append(line, "--format", "parquet", "-o", file)...); code != 0 {
				t.Fatal(stderr)
			}
			text, stderr, code := turnproof(t, append(line, "--format", "csv")...)
			if code != 0 {
				t.Fatal(stderr)
			}
			lines, err := csv.NewReader(strings.NewReader(text)).ReadAll()
			if err != nil {
				t.Fatal(err)
			}
			out, err := exec.CommandContext(t.Context(), "node", filepath.Join(reader, "parquet.mjs"), file).Output()
			if err != nil {
				t.Fatal(err, string(out))
			}
			var got parquetFile
			if err := json.Unmarshal(out, &got); err != nil {
				t.Fatal(err)
			}
			sameTable(t, c.kind, lines, &got)
			if got.Meta["turnproof.kind"] != c.kind || got.Meta["turnproof.network"] == "" || got.Meta["turnproof.routing"] == "" {
				t.Errorf("metadata %v", got.Meta)
			}
		})
	}
}

// columnsHere are the columns of the tables of TestParquet whose columns depend on the routing.
var columnsHere = map[string][]tables.Column{
	"next-hops": {{Name: "switch"}, {Name: "lid", Type: tables.Integer}, {Name: "destination"}, {Name: "out_port", Type: tables.Integer}, {Name: "next"}},
	"input-hops": {{Name: "switch"}, {Name: "in_port", Type: tables.Integer}, {Name: "in_vc", Type: tables.Integer}, {Name: "class", Type: tables.Integer},
		{Name: "destination"}, {Name: "out_port", Type: tables.Integer}, {Name: "out_vc", Type: tables.Integer}, {Name: "next_class", Type: tables.Integer},
		{Name: "next"}},
}

// sameTable compares a Parquet file with the lines of a CSV file.
func sameTable(t *testing.T, kind string, lines [][]string, got *parquetFile) {
	t.Helper()
	types := map[tables.Type][3]string{tables.Text: {"BYTE_ARRAY", "UTF8", "string"}, tables.Integer: {"INT64", "", "bigint"},
		tables.Bool: {"BOOLEAN", "", "boolean"}}
	columns := columnsHere[kind]
	if columns == nil {
		k, err := tabulate.Find(kind)
		if err != nil {
			t.Fatal(err)
		}
		columns = k.Columns
	}
	if len(got.Columns) != len(columns) || len(got.Rows) != len(lines)-1 || len(lines) < 10 {
		t.Fatalf("%d columns and %d rows, the CSV has %d and %d", len(got.Columns), len(got.Rows), len(columns), len(lines)-1)
	}
	for i, c := range columns {
		want := [4]string{lines[0][i], types[c.Type][0], types[c.Type][1], "REQUIRED"}
		if c.Type == tables.Integer {
			want[2] = got.Columns[i][2] // the reader may add the sign and width
		}
		if got.Columns[i] != want {
			t.Errorf("column %v, want %v", got.Columns[i], want)
		}
	}
	for j, row := range lines[1:] {
		for i, c := range columns {
			if want := [2]string{types[c.Type][2], row[i]}; got.Rows[j][c.Name] != want {
				t.Fatalf("row %d, %s: %v, want %v", j, c.Name, got.Rows[j][c.Name], want)
			}
		}
	}
}

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
