package streams

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/turnproof/turnproof/model/streams/aie"
	"github.com/turnproof/turnproof/verify"
)

// TestHardware compares verdicts with what a chip did: TURNPROOF_AIE names a folder of designs whose first line is
// "// HW: HANG" or "// HW: PASS". A line "// cautious: REASON" says why a design passes that another schedule would hang.
func TestHardware(t *testing.T) {
	folder := os.Getenv("TURNPROOF_AIE")
	if folder == "" {
		t.Skip("TURNPROOF_AIE names no folder of designs with lines // HW:")
	}
	files, err := filepath.Glob(filepath.Join(folder, "*.mlir"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no designs in %s: %v", folder, err)
	}
	agree, cautious, undecided := 0, 0, 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		head := heading(string(text))
		p, err := aie.Read(string(text), filepath.Base(file), aie.Options{})
		if err != nil {
			t.Error(err)
			continue
		}
		began := time.Now()
		r, err := Check(context.Background(), p, Options{States: 20_000})
		if err != nil {
			t.Error(err)
			continue
		}
		if r.Verdict == verify.Undecided {
			t.Logf("%s: undecided: %s", filepath.Base(file), r.Reason)
			undecided++
			continue
		}
		if _, err := Certificate(p, r, nil, nil); err != nil {
			t.Errorf("%s: %v", file, err)
		}
		want := map[string]verify.Verdict{"HANG": verify.Refuted, "PASS": verify.Proved}[head["HW"]]
		t.Logf("%-24s %s %v %s, %d states, %d choices, %v %s", filepath.Base(file), head["HW"], r.Verdict, r.Reason, r.States, len(r.Schedule),
			time.Since(began).Round(time.Millisecond), head["cautious"])
		switch {
		case r.Verdict == want:
			agree++
		case head["cautious"] != "":
			cautious++
		default:
			t.Errorf("%s: %v, on the chip: %s", filepath.Base(file), r.Verdict, head["HW"])
		}
	}
	t.Logf("%d designs: %d as on the chip, %d differ by the authors' own remark, %d undecided", len(files), agree, cautious, undecided)
}

// heading returns the comments KEY: VALUE at the top of a design.
func heading(text string) map[string]string {
	head := map[string]string{}
	for line := range strings.SplitSeq(text, "\n") {
		comment, ok := strings.CutPrefix(line, "// ")
		if !ok {
			break
		}
		if key, value, ok := strings.Cut(comment, ": "); ok {
			head[key] = value
		}
	}
	return head
}
