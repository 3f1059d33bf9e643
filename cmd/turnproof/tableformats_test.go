package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/cmd/turnproof/table"
	"github.com/turnproof/turnproof/model/format"
)

// TestTableBookSim checks that a network for BookSim is written only if BookSim's own routing is
// that of the table.
func TestTableBookSim(t *testing.T) {
	dir := t.TempDir()
	config := filepath.Join(dir, "config")
	network := "router 0 node 0 router 1 router 2\nrouter 1 node 1 router 3\nrouter 2 node 2 router 3\nrouter 3 node 3 node 4\n"
	for name, text := range map[string]string{"config": "topology = anynet; routing_function = min; network_file = net; num_vcs = 1;", "net": network} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		line []string
		says string // part of the error; empty if the file is written
	}{
		{[]string{config}, ""},
		{[]string{"line:5", "-r", "updown,paths=table"}, ""}, // there is only one path
		{[]string{"star:6", "-r", "updown,paths=table"}, ""},
		{[]string{"ring:6", "-r", "updown,paths=table"}, "loads no routing table for anynet"},
		{[]string{"mesh:3x3", "-r", "dor"}, "--format booksim needs forwarding tables"},
	} {
		out := filepath.Join(t.TempDir(), "out.anynet")
		_, stderr, code := turnproof(t, append([]string{"table", "--kind", "next-hops", "--format", "booksim", "-o", out}, c.line...)...)
		if c.says != "" {
			if code != cli.ExitUsage || !strings.Contains(stderr, c.says) {
				t.Errorf("%v: exit status %d, %s", c.line, code, stderr)
			}
			continue
		}
		if code != 0 {
			t.Errorf("%v: %s", c.line, stderr)
			continue
		}
		if n, _, err := format.ReadNetwork(out, format.Options{}); err != nil || n.NumHosts() == 0 || n.NumLinks() == 0 {
			t.Errorf("%v: %v", c.line, err)
		}
	}
}

// TestTableSchema compares the kinds of docs/schema/table.json with those of the command, and validates a table of each kind.
func TestTableSchema(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(schemaFolder, "table.json"))
	if err != nil {
		t.Fatal(err)
	}
	var schema struct {
		Properties struct {
			Kind struct {
				Enum []string `json:"enum"`
			} `json:"kind"`
		} `json:"properties"`
	}
	if err := json.Unmarshal(text, &schema); err != nil {
		t.Fatal(err)
	}
	var kinds []string
	for _, k := range table.Kinds() {
		kinds = append(kinds, k.Name)
		network, routing := "torus:4x4", "lturn-alpha,paths=table"
		if k.Name == "comparators" { // of a program
			network, routing = "line:4", "dor"
		}
		stdout, stderr, code := turnproof(t, "table", network, "-r", routing, "--kind", k.Name, "--format", "json")
		if code != cli.ExitHolds {
			t.Errorf("--kind %s: exit status %d, %s", k.Name, code, stderr)
			continue
		}
		if rows := valid(t, "table.json", stdout)["rows"].([]any); len(rows) == 0 {
			t.Errorf("--kind %s: no rows", k.Name)
		}
	}
	slices.Sort(kinds)
	if slices.Sort(schema.Properties.Kind.Enum); !slices.Equal(schema.Properties.Kind.Enum, kinds) {
		t.Errorf("the schema has the kinds %q, the command %q", schema.Properties.Kind.Enum, kinds)
	}
}

// TestTableFormats checks that each format writes the kinds of tables that it declares.
func TestTableFormats(t *testing.T) {
	t.Parallel()
	for _, f := range table.Formats() {
		for _, k := range table.Kinds() {
			t.Run(f.Name+" "+k.Name, func(t *testing.T) {
				out := filepath.Join(t.TempDir(), "out")
				network, routing := "star:4", "lturn-alpha,paths=table"
				if k.Name == "comparators" { // of a program
					network, routing = "line:4", "dor"
				}
				_, stderr, code := turnproof(t, "table", network, "-r", routing, "--kind", k.Name, "--format", f.Name, "-o", out)
				st, err := os.Stat(out)
				switch held := f.Rows != nil || strings.Contains(strings.Join(f.Kinds, " "), k.Name); {
				case held && (code != 0 || err != nil || st.Size() == 0):
					t.Errorf("exit status %d, %s", code, stderr)
				case !held && (code != cli.ExitUsage || err == nil || !strings.Contains(stderr, "needs --kind")):
					t.Errorf("not refused: exit status %d, %s", code, stderr)
				}
			})
		}
	}
	stdout, _, _ := turnproof(t, "table", "--help")
	for _, f := range table.Formats() {
		if !strings.Contains(strings.Join(strings.Fields(stdout), " "), strings.Join(strings.Fields(f.About), " ")) {
			t.Errorf("the help does not tell of %s", f.Name)
		}
	}
	for line, says := range map[string]string{
		"mesh:3x3 -r dor --format vhdl":                                     "known are csv, json, markdown, latex, verilog, c, opensm, booksim",
		"mesh:3x3 -r dor --kind input-hops --to h1 --format c":              "remove --to",
		"torus:32x32,vcs=2 -r dor --kind input-hops --format verilog":       "too large: 12582912 entries",
		"mesh:3x3 -r dor --kind paths --format verilog":                     "--format verilog needs --kind turns, next-hops, input-hops",
		"star:1200 -r updown,paths=table --kind next-hops --format verilog": "one vector",
		"mesh:3x3 -r dor --kind area --format verilog":                      "needs --kind turns, next-hops, input-hops, ranges, comparators; got area",
		"mesh:3x3 -r dor --kind ranges --to h1":                             "--to needs one of these, next-hops or input-hops",
		"torus:4x4,vcs=2 -r dor --kind ranges":                              "the next hop depends on more than the destination",
		"mesh:3x3 -r minimal --kind comparators":                            "needs a routing program",
		"mesh:3x3,fail=4 -r west-first --kind comparators":                  "needs a routing program",
		"mesh:3x3 -r no-such.star --kind comparators":                       "no-such.star",
		"mesh:3x1 -r west-first --kind comparators":                         "dimension 1 of the network has side 1; comparators of west-first.mesh.star are",
	} {
		out := filepath.Join(t.TempDir(), "out")
		_, stderr, code := turnproof(t, append([]string{"table", "-o", out}, strings.Fields(line)...)...)
		if _, err := os.Stat(out); code != cli.ExitUsage || !strings.Contains(stderr, says) || err == nil {
			t.Errorf("%s: exit status %d, %s", line, code, stderr)
		}
	}
}
