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
	if err != nil || len(list) < 8 {
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
		file := written(k.c)
		rejected := inGo(file)
		if answer, err := p.ask(file); err != nil || compare(rejected, answer) != bothAccept {
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
	record("%d certificates for every size: both accept.\n\nOf changed ones both accept %d and reject %d. Another %d are not judged. They differ on %d.\n\n",
		len(list), tally.count[bothAccept], tally.count[bothReject], tally.count[notJudged], len(tally.differ))
	if tally.count[bothAccept] == 0 || tally.count[bothReject] == 0 {
		t.Errorf("%+v: the test shows nothing", tally)
	}
	if err := p.stop(); err != nil {
		t.Fatal(err)
	}
}
