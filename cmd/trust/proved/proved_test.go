package proved

import (
	"bytes"
	"context"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"turnproof/cmd/trust/stage"
	"turnproof/model/format"
	"turnproof/verify"
	"turnproof/verify/cert"
)

func originals(t *testing.T) []original {
	t.Helper()
	list, err := ofTopologies(context.Background(), []string{"line:3", "ring:4", "mesh:2x2", "mesh:2x2,vcs=2"})
	if err != nil {
		t.Fatal(err)
	}
	for _, routing := range []string{"ring4/dor", "ring4/dfsssp", "mesh3x3/file-missing-entries"} {
		list = append(list, original{routing, ofFabric(t, filepath.Join("..", "..", "..", "examples", "fabrics", routing))})
	}
	if len(list) < 20 {
		t.Fatalf("only %d certificates", len(list))
	}
	return withOtherEvidence(atMost(mutatedBytes, list))
}

// ofFabric is the certificate of a fabric's tables.
func ofFabric(t *testing.T, folder string) *cert.Certificate {
	t.Helper()
	net, _, err := format.ReadNetwork(first(filepath.Dir(folder), "topology.ibnetdiscover"), format.Options{})
	if err != nil {
		t.Fatal(err)
	}
	table, _, err := format.ReadTable(first(folder, "opensm-lfts.dump"), net, format.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if file := first(folder, "opensm-sl2vl.dump"); file != "" {
		vcs, err := format.ReadSL2VL(file, net, format.Options{})
		if err != nil {
			t.Fatal(err)
		}
		sets, err := format.ReadServiceLevels(first(folder, "path-sl.txt"), table, format.Options{})
		if err != nil {
			t.Fatal(err)
		}
		table.SetClasses(sets, vcs)
	}
	report, err := verify.Check(context.Background(), table, verify.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return report.Certificate
}

// first gives a file, packed or not, "" if there is none.
func first(folder, name string) string {
	for _, file := range []string{filepath.Join(folder, name), filepath.Join(folder, name+".gz")} {
		if _, err := os.Stat(file); err == nil {
			return file
		}
	}
	return ""
}

// TestMutations: each mutation does something, leaves its original alone, gives what can be written and, if its
// form is right, read; and of random ones a good share is accepted, and a good share rejected.
func TestMutations(t *testing.T) {
	list := originals(t)
	rng := rand.New(rand.NewPCG(1, 1))
	for _, m := range mutations() {
		changed := false
		for i := 0; i < 30 && !changed; i++ {
			for _, o := range list {
				before := written(o.c)
				changed = changed || !bytes.Equal(before, written(apply(o.c, []change{{m, rng.Uint64()}})))
				if !bytes.Equal(before, written(o.c)) {
					t.Fatalf("%s: the original is changed", m.name)
				}
				if changed {
					break
				}
			}
		}
		if !changed {
			t.Errorf("%s: changes nothing", m.name)
		}
	}
	accepted, all := 0, mutations()
	for range 1000 {
		m := apply(pick(rng, list).c, drawn(rng, all))
		if inGo(written(m)) == "" {
			accepted++
		}
	}
	if accepted < 100 || accepted > 800 {
		t.Errorf("%d of 1000 mutated certificates accepted", accepted)
	}
	t.Logf("%d of 1000 accepted", accepted)
}

func TestCompare(t *testing.T) {
	for _, x := range []struct {
		rejected, answer string
		want             outcome
	}{
		{"", "accepted", bothAccept},
		{"subject", "rejected: file", bothReject},
		{"", "rejected: connected", differ},
		{"connected", "accepted", differ},
		{"connected", "not judged: lines", notJudged},
		{"", "not judged: lines", notJudged},
		{"", "", differ},
	} {
		if got := compare(x.rejected, x.answer); got != x.want {
			t.Errorf("%q, %q: %v, want %v", x.rejected, x.answer, got, x.want)
		}
	}
}

// TestAgree holds the checkers against each other for a moment, and on what they have differed on before.
func TestAgree(t *testing.T) {
	program := filepath.Join("..", "..", "..", "bin", "turnproof-proved")
	if _, err := os.Stat(program); err != nil {
		t.Skip("no bin/turnproof-proved: make proved builds it where coqc is; optional, with CI=true, too, since it is no part of make test")
	}
	p, err := start(program)
	if err != nil {
		t.Fatal(err)
	}
	cases := 500
	if n, err := strconv.Atoi(os.Getenv("TURNPROOF_MUTANTS")); err == nil {
		cases = n
	}
	tr := &trial{prover: p, o: stage.Options{Root: t.TempDir(), Seed: uint64(cases), Progress: io.Discard}, tally: newTally()}
	list := originals(t)
	if folder := os.Getenv("TURNPROOF_CERTIFICATES"); folder != "" {
		more, err := readAll(folder)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, more...)
		tr.o.Root = folder
	}
	if err := tr.asTheyAre(list); err != nil {
		t.Fatal(err)
	}
	if err := tr.mutated(context.Background(), withOtherEvidence(atMost(mutatedBytes, list)), cases); err != nil {
		t.Fatal(err)
	}
	known, err := filepath.Glob(filepath.Join("testdata", "*.cert"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range known {
		file, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		answer, err := p.ask(file)
		if err != nil {
			t.Fatal(err)
		}
		if compare(inGo(file), answer) == differ {
			t.Errorf("%s: Go rejects %q, proved: %s", name, inGo(file), answer)
		}
	}
	if err := p.stop(); err != nil {
		t.Fatal(err)
	}
	for _, found := range tr.found {
		t.Errorf("they differ: %s", found)
	}
	if tr.tally.total[bothAccept] == 0 || tr.tally.total[bothReject] == 0 {
		t.Errorf("outcomes %v", tr.tally.total)
	}
	var table strings.Builder
	tr.tally.write(&table)
	t.Logf("\n%s", table.String())
}

// TestTellApart: a checker that accepts everything would be found out.
func TestTellApart(t *testing.T) {
	list := originals(t)
	c := clone(list[0].c)
	c.Subject.Network.VCs++
	if got := compare(inGo(written(c)), "accepted"); got != differ {
		t.Errorf("outcome %v", got)
	}
	if got := compare(inGo(written(list[0].c)), "rejected: file"); got != differ {
		t.Errorf("outcome %v", got)
	}
	var first cert.Certificate
	if compare(inGo(written(&first)), "accepted") != differ {
		t.Error("an empty certificate is accepted")
	}
}
