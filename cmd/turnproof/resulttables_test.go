package main

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"
)

// csvRows runs a command and returns the rows of its CSV output by the names of the columns.
func csvRows(t *testing.T, status int, arguments ...string) (rows []map[string]string) {
	t.Helper()
	out := ok(t, status, append(arguments, "--format", "csv")...)
	list, err := csv.NewReader(strings.NewReader(out)).ReadAll()
	if err != nil || len(list) < 2 {
		t.Fatalf("%q: %v", out, err)
	}
	for _, line := range list[1:] {
		row := map[string]string{}
		for i, name := range list[0] {
			row[name] = line[i]
		}
		rows = append(rows, row)
	}
	return rows
}

// TestComparisonTables: the CSV of turns --compare has the values of its JSON, LaTeX and Markdown have as many rows.
func TestComparisonTables(t *testing.T) {
	t.Parallel()
	command := []string{"turns", "mesh:3x3", "--compare", "--method", "updown,lturn-alpha,minimum"}
	rows := csvRows(t, 0, command...)
	var want struct {
		Compare []map[string]any
	}
	if err := json.Unmarshal([]byte(ok(t, 0, append(command, "--json")...)), &want); err != nil {
		t.Fatal(err)
	}
	if len(rows) != 3 || len(want.Compare) != 3 {
		t.Fatalf("%d rows, %d objects", len(rows), len(want.Compare))
	}
	for i, row := range rows {
		w := want.Compare[i]
		for column, key := range map[string]string{"pt": "pt", "sdpt": "sdpt", "ppt": "ppt", "mean_path": "mean_path", "max_path": "max_path", "paths": "paths_per_pair",
			"max_load": "max_link_load", "throughput": "throughput", "one_path": "throughput_one_path", "worst": "throughput_worst", "prohibited": "prohibited", "at_least": "lower_bound"} {
			switch x, err := strconv.ParseFloat(row[column], 64); {
			case w[key] == nil && row[column] == "":
			case err != nil || w[key] == nil || math.Abs(x-w[key].(float64)) > 1e-12:
				t.Errorf("%s: %s is %q, want %v", row["method"], column, row[column], w[key])
			}
		}
		if row["method"] != w["method"] || (row["acyclic"] == "proved") != w["acyclic"].(bool) {
			t.Errorf("%v, want %v", row, w)
		}
	}
	tex := ok(t, 0, append(command, "--format", "latex")...)
	if strings.Count(tex, " \\\\\n") != 4 || strings.Count(tex, " & ") != 4*7 || !strings.Contains(tex, `\caption{Turn methods on mesh:3x3, traffic uniform}`) {
		t.Error(tex)
	}
	if md := ok(t, 0, append(command, "--format", "markdown")...); strings.Count(md, "\n") != 5 {
		t.Error(md)
	}
}

// TestSweepTables: the CSV on standard output is that of --csv, and LaTeX has a row for each point.
func TestSweepTables(t *testing.T) {
	t.Parallel()
	command := []string{"sweep", "mesh:3x3", "-r", "dor", "-r", "west-first", "--loads", "0.1,0.2", "--clocks", "400"}
	rows := csvRows(t, 0, command...)
	if len(rows) != 4 || rows[3]["routing"] != "west-first" || rows[3]["load"] != "0.2" || len(rows[0]) < 20 {
		t.Errorf("%v", rows)
	}
	text := strings.Split(strings.TrimSpace(ok(t, 0, command...)), "\n")
	tex := ok(t, 0, append(command, "--format", "latex")...)
	_, body, _ := strings.Cut(tex, "\\midrule\n")
	for i, line := range strings.Split(body, "\n")[:4] {
		cells := strings.Split(strings.TrimSuffix(strings.TrimSpace(line), ` \\`), " & ")
		if got := strings.Join(strings.Fields(text[i+1]), " "); strings.ReplaceAll(strings.Join(cells, " "), " - ", " ") != strings.ReplaceAll(got, " - ", " ") {
			t.Errorf("%q, want %q", cells, got)
		}
	}
	found := csvRows(t, 0, "sweep", "mesh:3x3", "-r", "dor", "--saturation", "0.1", "--clocks", "400")
	if x, err := strconv.ParseFloat(found[0]["saturation"], 64); err != nil || x <= 0 || x > 1 {
		t.Errorf("%v", found)
	}
}

// TestSetTables: a row for each set that enumerate lists, with a complement.
func TestSetTables(t *testing.T) {
	t.Parallel()
	rows := csvRows(t, 0, "enumerate", "mesh:2", "--limit", "5")
	kinds := map[string]int{}
	for i, row := range rows {
		kinds[row["kind"]]++
		if n := len(strings.Fields(row["allowed"])) + len(strings.Fields(row["prohibited"])); n != 8 {
			t.Errorf("%d class turns in %v", n, row)
		}
		if row["number"] != fmt.Sprint(i+1) || (row["deadlock_free"] == "refuted") != (row["kind"] == "conflict") {
			t.Errorf("%v", row)
		}
	}
	if kinds["set"] != 5 || kinds["published"] != 4 || kinds["conflict"] == 0 {
		t.Errorf("%v", kinds)
	}
	if tex := ok(t, 0, "enumerate", "mesh:2", "--limit", "5", "--format", "latex"); strings.Count(tex, " \\\\\n") != len(rows)+1 {
		t.Error(tex)
	}
}

// TestReproduceTables: the table in LaTeX has the cells of the one in Markdown.
func TestReproduceTables(t *testing.T) {
	t.Parallel()
	tex := ok(t, 0, "reproduce", "turn-model/table-3", "--recorded", "--format", "latex")
	md := ok(t, 0, "reproduce", "turn-model/table-3", "--recorded", "--format", "markdown")
	_, body, _ := strings.Cut(tex, "\\midrule\n")
	body, _, _ = strings.Cut(body, "  \\bottomrule")
	rows := strings.Split(strings.TrimSpace(body), "\n")
	for _, row := range rows {
		line := "| " + strings.ReplaceAll(strings.TrimSuffix(strings.TrimSpace(row), ` \\`), " & ", " | ") + " |"
		if !strings.Contains(md, line) {
			t.Errorf("%q is not in %s", line, md)
		}
	}
	if len(rows) < 5 {
		t.Error(tex)
	}
}

// TestFormatErrors: unknown formats, and formats that do not apply, are wrong usage.
func TestFormatErrors(t *testing.T) {
	t.Parallel()
	for want, command := range map[string]string{
		"--format csv goes with --compare":                            "turns mesh:3x3 -m updown --format csv",
		"--format: no format \"xml\"":                                 "sweep mesh:3x3 -r dor --loads 0.1 --format xml",
		"--format and --json exclude each other":                      "enumerate mesh:2 --format csv --json",
		"known are text, csv, markdown, latex":                        "reproduce turn-model/table-3 --format pdf",
		"(did you mean latex?), known are text, csv, markdown, latex": "turns mesh:3x3 --compare --format latx",
	} {
		stdout, stderr, code := turnproof(t, strings.Fields(command)...)
		if code != 2 || stdout != "" || !strings.Contains(stderr, want) {
			t.Errorf("%s: status %d, %q, %q", command, code, stdout, stderr)
		}
	}
}

// ok runs a command that must end with a status, and returns its standard output.
func ok(t *testing.T, status int, line ...string) string {
	t.Helper()
	stdout, stderr, code := turnproof(t, line...)
	if code != status {
		t.Fatalf("%q: status %d: %s", line, code, stderr)
	}
	return stdout
}
