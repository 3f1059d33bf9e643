package proved

import (
	"cmp"
	"path/filepath"
	"testing"

	"github.com/turnproof/turnproof/cmd/trust/stage"
)

// TestSizes compares the checkers on certificates for every size, as they are and changed. The stage proves all published
// programs first.
func TestSizes(t *testing.T) {
	o, record, isStage := stage.FromEnvironment(t)
	count := 80
	list, err := keptSizes()
	if err != nil || len(list) < 6 {
		t.Fatalf("%d certificates, %v", len(list), err)
	}
	if isStage {
		count = cmp.Or(o.Cases, 100_000)
		published, err := publishedSizes(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, published...)
	} else {
		o.Bin = filepath.Dir(program(t))
	}
	p, err := start(filepath.Join(o.Bin, "turnproof-proved"))
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range list {
		if o, rejected, answer, err := p.judgeSizes(k.c); err != nil || o.outcome != bothAccept {
			t.Errorf("%s: Go rejects %q, proved: %s, %v", k.name, rejected, answer, err)
		}
	}
	tally, err := p.changedSizes(o.Seed, list, count)
	if err != nil {
		t.Fatal(err)
	}
	for _, found := range tally.differ {
		t.Errorf("they differ: %s", found)
	}
	record("%d certificates for every size: both accept.\n\nOf changed ones both accept %d and reject %d. Another %d are rejected in Go because of paths. They differ on %d.\n\n",
		len(list), tally.accepted, tally.rejected, tally.inPaths, len(tally.differ))
	if tally.accepted == 0 || tally.rejected == 0 {
		t.Errorf("%+v: the test shows nothing", tally)
	}
	if err := p.stop(); err != nil {
		t.Fatal(err)
	}
}
