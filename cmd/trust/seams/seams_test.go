package seams

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/turnproof/turnproof/cmd/trust/stage"
	"github.com/turnproof/turnproof/internal/longtest"
)

// stageLines is the number of lines of the stage.
const stageLines = 100_000

// TestSeams judges random lines. Options of the stage select them.
func TestSeams(t *testing.T) {
	o, record, isStage := stage.FromEnvironment(t)
	switch {
	case !isStage:
		o.Seed, o.Cases = 3, longtest.Cases(30, 1_000)
	case o.Cases == 0:
		o.Cases = stageLines
	}
	small := 1
	if !isStage {
		small = 0 // takes long
	}
	first, end := o.Range(o.Cases)
	began := time.Now()
	r := runner{seed: o.Seed, small: small, tell: func(line uint64, text string) { tell(t, isStage, o.Work, line, text) }}
	if err := r.runLines(t.Context(), uint64(first), uint64(end)); err != nil {
		t.Fatal(err)
	}
	for _, f := range r.tally.list {
		say := t.Errorf
		if !isStage && f.small.isOpen() {
			say = t.Logf
		}
		say("line %d: %s: %s\n%s\n$ turnproof %s", f.line, f.small.judge, f.small.text, f.small.line, quoted(f.small.words))
	}
	t.Logf("%d lines in %v", r.tally.Lines, time.Since(began).Round(time.Second))
	if isStage {
		text, err := json.Marshal(r.tally)
		if err != nil {
			t.Fatal(err)
		}
		record("%s\n", text)
	}
}

// tell logs a finding. In a stage it also writes the number of the line before it runs, because a panic outside the
// judged goroutine ends this process.
func tell(t *testing.T, isStage bool, work string, line uint64, text string) {
	if text != "" {
		t.Logf("line %d: %s", line, text)
	} else if isStage {
		if err := os.WriteFile(filepath.Join(work, "line"), fmt.Appendln(nil, line), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}
