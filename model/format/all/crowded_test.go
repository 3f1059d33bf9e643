package all_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/internal/longtest"
	"github.com/turnproof/turnproof/model/format"
)

// TestCrowded: in every format, reading stops with an error as soon as a switch has more cables
// than ports.
func TestCrowded(t *testing.T) {
	const many = 1<<18 + 1
	for name, c := range map[string]struct{ head, unit, tail string }{
		"edges":       {"", "a b\n", ""},
		"DOT":         {"graph { ", "a -- b; ", "}\n"},
		"one way":     {"digraph { ", "a -> b; ", "}\n"},
		"GraphML":     {"<graphml><graph><node id='a'/><node id='b'/>", "<edge source='a' target='b'/>", "</graph></graphml>\n"},
		"JSON":        {`{"schema": "turnproof.network/1", "switches": [{}, {}], "links": [{"a": 0, "b": 1}`, `, {"a": 0, "b": 1}`, "]}\n"},
		"JSON, hosts": {`{"schema": "turnproof.network/1", "switches": [{}, {}], "hosts": [{"switch": 0}`, `, {"switch": 0}`, "]}\n"},
		"YAML":        {"schema: turnproof.network/1\nswitches: [{}, {}]\nlinks:\n", " - {a: 0, b: 1}\n", ""},
	} {
		if slices.Contains([]string{"YAML", "one way", "JSON, hosts"}, name) && !longtest.On() {
			continue // JSON and DOT have the same limit
		}
		path := filepath.Join(t.TempDir(), "x")
		if err := os.WriteFile(path, []byte(c.head+strings.Repeat(c.unit, many)+c.tail), 0o600); err != nil {
			t.Fatal(err)
		}
		_, _, err := format.ReadNetwork(path, format.Options{})
		if err == nil || !strings.Contains(err.Error(), "more cables than a switch can have ports") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
