package parametric

import (
	"fmt"
	"runtime"
	"testing"

	"github.com/turnproof/turnproof/internal/longtest"
)

// TestProveOnProcessors: one and three processors prove the same obligations, with the same text, and recheck the same
// networks.
func TestProveOnProcessors(t *testing.T) {
	needZ3(t)
	longtest.Only(t, "scripts of cmd/turnproof with other numbers of processors have the same output")
	p := bundled(t, "dor.torus.star")
	var texts [2]string
	for i, k := range []int{1, 3} {
		before := runtime.GOMAXPROCS(k)
		r, err := Prove(t.Context(), p, Options{})
		runtime.GOMAXPROCS(before)
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Obligations) <= contextQuestions {
			t.Fatalf("%d obligations fit in one context", len(r.Obligations))
		}
		r.Seconds, r.family, r.made = 0, nil, nil
		for j := range r.Obligations {
			r.Obligations[j].Seconds, r.Obligations[j].pair = 0, nil
		}
		texts[i] = fmt.Sprintf("%+v", *r)
	}
	if texts[0] != texts[1] {
		t.Errorf("on one processor\n%s\non three\n%s", texts[0], texts[1])
	}
}
