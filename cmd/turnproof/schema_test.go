package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/internal/modeltest"
)

// TestSchemaIDs checks that each schema has an absolute $id and refers to no other document. So no
// validator needs the network.
func TestSchemaIDs(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(schemaFolder, "*.json"))
	if err != nil || len(files) < 15 {
		t.Fatalf("%d schemas, %v", len(files), err)
	}
	outside := regexp.MustCompile(`"\$ref": *"[^#]`)
	for _, path := range files {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var s struct {
			Schema string `json:"$schema"`
			ID     string `json:"$id"`
		}
		if err := json.Unmarshal(text, &s); err != nil {
			t.Errorf("%s: %v", path, err)
		}
		if want := "https://turnproof.example/schema/" + filepath.Base(path); s.ID != want || s.Schema != "https://json-schema.org/draft/2020-12/schema" {
			t.Errorf("%s: $id %q of %q, want %q", path, s.ID, s.Schema, want)
		}
		if found := outside.Find(text); found != nil {
			t.Errorf("%s: %s... leads to another file", path, found)
		}
	}
}

// pythonWithJSONSchema returns a Python interpreter that has the module jsonschema.
func pythonWithJSONSchema(t *testing.T) string {
	t.Helper()
	for _, name := range []string{"/usr/bin/python3", "python3"} {
		if exec.Command(name, "-c", "import jsonschema").Run() == nil {
			return name
		}
	}
	modeltest.Missing(t, "no Python with jsonschema here")
	return ""
}

// TestSchemasInPython validates output against its schema with Debian's python3-jsonschema.
func TestSchemasInPython(t *testing.T) {
	longOnly(t, "the validator in Go checks outputs")
	python := pythonWithJSONSchema(t)
	for line, schema := range map[string]string{
		"check mesh:3x3 -r dor":          "check.json",
		"check ring:4 -r dor":            "check.json",
		"turns mesh:3x3 --method updown": "turns.json",
		"layers torus:3x3":               "layers.json",
		"table mesh:2x2 -r dor":          "table.json",
		"version":                        "version.json",
	} {
		args := append(strings.Fields(line), "--json")
		if strings.HasPrefix(line, "table") {
			args[len(args)-1] = "--format=json"
		}
		stdout, stderr, _ := turnproof(t, args...)
		for text, want := range map[string]bool{stdout: true, strings.Replace(stdout, `"turnproof.`, `"other.`, 1): false} {
			file := filepath.Join(t.TempDir(), "output.json")
			if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
			out, err := exec.Command(python, "-m", "jsonschema", "-i", file, filepath.Join(schemaFolder, schema)).CombinedOutput()
			if (err == nil) != want || strings.Contains(string(out), "Traceback") {
				t.Errorf("%s: valid %v, want %v: %.500s%s", line, err == nil, want, out, stderr)
			}
		}
	}
}
