package lists

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/internal/formattest"
	"github.com/turnproof/turnproof/model/format"
)

// TestFlowFiles reads flows as rows and as words.
func TestFlowFiles(t *testing.T) {
	n := formattest.SquareNetwork(t)
	for text, want := range map[string]string{
		"source,destination\na,b\nh2,d\na,b\n":               "[{0 1 2} {2 3 1}]",
		"destination,source,amount\nb,a,0.5\n":               "[{0 1 0.5}]",
		`[{"source": "a", "destination": "b", "weight": 3}]`: "[{0 1 3}]",
		"source,destination\na,a\n":                          "flows:2: a flow from a to itself",
		"source,destination,amount\na,b,0\n":                 "flows:2: amount 0",
		"source,destination,amount\na,b,NaN\n":               "flows:2: amount NaN",
		"source,destination\na,x\n":                          "flows:2: no node \"x\"",
		"source,destination\n":                               "no flow in it",
		"from,to\na,b\n":                                     "flows:1: the columns source and destination are missing",
	} {
		file := filepath.Join(t.TempDir(), "flows")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		list, err := ReadFlows(file, n, format.Options{})
		if got := fmt.Sprint(list); err != nil && !strings.Contains(err.Error(), want) || err == nil && got != want {
			t.Errorf("%q: %v, %v, want %s", text, got, err, want)
		}
	}
	if list, err := ParseFlows("a:b,c:h3", n, format.Options{}); err != nil || fmt.Sprint(list) != "[{0 1 1} {2 3 1}]" {
		t.Errorf("%v, %v", list, err)
	}
	if _, err := ParseFlows("a-b", n, format.Options{}); err == nil {
		t.Error("no error")
	}
}
