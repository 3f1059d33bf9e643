package streams

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/model/streams"
	"github.com/turnproof/turnproof/model/streams/aie"
	"github.com/turnproof/turnproof/verify"
)

func example(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "examples", "streams", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestDesigns decides a design of two streams that a core joins, and variants of it.
func TestDesigns(t *testing.T) {
	join := example(t, "join.mlir")
	for _, x := range []struct {
		name, old, now string
		want           verify.Verdict
	}{
		{"as it is", "", "", verify.Refuted},
		{"an arbiter for each stream", "%1 = aie.amsel<2> (1)", "%1 = aie.amsel<3> (1)", verify.Proved},
		{"one block", "repeat_count = 1", "repeat_count = 0", verify.Refuted}, // the host waits for two blocks
		{"one block everywhere", "", "", verify.Proved},
		{"windows of two blocks", "_free\"}", "_free\"}", verify.Proved},
		{"no consumer", "aie.use_lock(%sum_full, Release, %1)", "", verify.Refuted},
		{"5 words too many", "len = 64) {packet", "len = 69) {packet", verify.Refuted},
	} {
		text := join
		switch x.name {
		case "one block everywhere":
			text = strings.NewReplacer("repeat_count = 1", "repeat_count = 0", "[1, 1, 1, 128]", "[1, 1, 1, 64]", "%blocks = arith.constant 2",
				"%blocks = arith.constant 1").Replace(text)
		case "windows of two blocks":
			text = strings.ReplaceAll(text, `init = 1 : i32`, `init = 2 : i32`)
		case "as it is":
		default:
			if text = strings.ReplaceAll(text, x.old, x.now); text == join {
				t.Fatalf("%s: the design has no %q", x.name, x.old)
			}
		}
		p, err := aie.Read(text, "join.mlir", aie.Options{})
		if err != nil {
			t.Fatalf("%s: %v", x.name, err)
		}
		r, err := Check(context.Background(), p, Options{})
		if err != nil {
			t.Fatalf("%s: %v", x.name, err)
		}
		if r.Verdict != x.want {
			t.Errorf("%s: %v %s", x.name, r.Verdict, r.Reason)
		}
		if _, err := Certificate(p, r, nil, nil); err != nil {
			t.Errorf("%s: %v", x.name, err)
		}
	}
}

// TestExamples decides the examples in the neutral format.
func TestExamples(t *testing.T) {
	for name, want := range map[string]verify.Verdict{"one-arbiter": verify.Refuted, "two-arbiters": verify.Proved, "broadcast": verify.Refuted} {
		p, err := streams.Read(example(t, name+".yaml"), name)
		if err != nil {
			t.Fatal(err)
		}
		r, err := Check(context.Background(), p, Options{})
		if err != nil || r.Verdict != want {
			t.Errorf("%s: %+v, %v; want %v", name, r, err, want)
			continue
		}
		if _, err := Certificate(p, r, nil, nil); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
