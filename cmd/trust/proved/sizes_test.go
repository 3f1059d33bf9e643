package proved

import (
	"cmp"
	"path/filepath"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/cmd/trust/mutate"
	"github.com/turnproof/turnproof/cmd/trust/stage"
	"github.com/turnproof/turnproof/verify/cert"
)

// TestSizes compares the checkers on certificates for every size, as they are and changed. The stage proves all published
// programs first.
func TestSizes(t *testing.T) {
	o, record, isStage := stage.FromEnvironment(t)
	count, rows, kept := 80, map[string]string{}, 0
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
		kept = len(list)
		list = append(list, published...)
		rows = tableRows(t)
	} else {
		o.Bin = filepath.Dir(program(t))
	}
	p, err := start(filepath.Join(o.Bin, "turnproof-proved"))
	if err != nil {
		t.Fatal(err)
	}
	for i, k := range list {
		file := written(k.c)
		rejected := inGo(file)
		answer, err := p.ask(file)
		if err != nil || compare(rejected, answer) != bothAccept {
			t.Errorf("%s: Go rejects %q, proved: %s, %v", k.name, rejected, answer, err)
		}
		if row, ok := rows[k.name]; ok && i >= kept {
			if want := rowOf(k, rejected, answer); row != want {
				t.Errorf("docs/theorems/all-sizes.md has\n%s\nwant\n%s", row, want)
			}
			delete(rows, k.name)
		}
	}
	for name, row := range rows {
		t.Errorf("%s: no certificate for the row %s", name, row)
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

// TestNotJudged checks that the proved checker says so of certificates for every size that its theorem does not cover.
func TestNotJudged(t *testing.T) {
	list, err := keptSizes()
	if err != nil {
		t.Fatal(err)
	}
	p, err := start(program(t))
	if err != nil {
		t.Fatal(err)
	}
	for part, change := range map[string]func(c *cert.Certificate){
		"claims without connected": func(c *cert.Certificate) { c.Claims = c.Claims[:1] },
		"two failures":             func(c *cert.Certificate) { c.Subject.Program.Faults = "links:2" },
		"flow control of rings":    func(c *cert.Certificate) { c.Subject.Program.Flow = &cert.ProgramFlow{} },
		"a part of the language of pr": func(c *cert.Certificate) {
			c.Subject.Program.Text += "\ndef outer():\n    def inner():\n        return 0\n    return 0\nunused = outer()\n"
		},
	} {
		for _, o := range list {
			c := mutate.Clone(o.c)
			if change(c); o.c.Subject.Program.Faults != "" || o.c.Subject.Program.Every {
				continue
			}
			c.Subject.Inputs = nil // the digests are those of the original text
			if answer, err := p.ask(written(c)); err != nil || !strings.HasPrefix(answer, "not judged: "+part) {
				t.Errorf("%s, %s: %s, %v", o.name, part, answer, err)
			}
		}
	}
	all, err := readAll(filepath.Join("..", "..", "..", "verify", "cert", "everysize", "testdata"))
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range all {
		if !o.c.Subject.Program.Every || withoutEscape(o.c.Subject.Program.Text) {
			continue
		}
		if answer, err := p.ask(written(o.c)); err != nil || answer != "not judged: an escape for every number of dimensions" {
			t.Errorf("%s: %s, %v", o.name, answer, err)
		}
	}
	if err := p.stop(); err != nil {
		t.Fatal(err)
	}
}
