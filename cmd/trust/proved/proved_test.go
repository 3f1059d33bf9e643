package proved

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/cmd/trust/stage"
	"github.com/turnproof/turnproof/model/format"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/cert"
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
	for range 500 {
		m := apply(pick(rng, list).c, drawn(rng, all))
		if inGo(written(m)) == "" {
			accepted++
		}
	}
	if accepted < 50 || accepted > 400 {
		t.Errorf("%d of 500 mutated certificates accepted", accepted)
	}
	t.Logf("%d of 500 accepted", accepted)
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
		{"", "accepted in part, not judged: connected proved by x", notJudged},
		{"connected", "accepted in part, not judged: connected proved by x", notJudged},
		{"connected", "accepted in part, not judged: a proved by y; connected proved by x", notJudged},
		{"deadlock-free", "accepted in part, not judged: connected proved by x", differ},
		{"subject", "accepted in part, not judged: connected proved by x", differ},
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

// TestSaysWhatItJudged: the program names each claim, and whether it judged it, in lines that nothing
// forges.
func TestSaysWhatItJudged(t *testing.T) {
	program := filepath.Join("..", "..", "..", "bin", "turnproof-proved")
	if _, err := os.Stat(program); err != nil {
		t.Skip("no bin/turnproof-proved: make proved builds it where coqc is")
	}
	whole := originals(t)[0].c
	whole.Claims = slices.DeleteFunc(whole.Claims, func(c cert.Claim) bool { return c.Claim == cert.ClaimMessages })
	messages := clone(whole)
	messages.Claims = append(messages.Claims, cert.Claim{Claim: cert.ClaimMessages, Verdict: cert.Proved, Evidence: cert.EvidenceNetworks, Messages: &cert.Ints{0, 1}})
	hostile := clone(messages)
	hostile.Subject.Network.Switches[0] = "a\naccepted\n  judged: all"
	hostile.Claims[0].Evidence = "x\naccepted"
	two := clone(whole)
	two.Subject.Product = &cert.Product{Hosts: 1}
	for _, x := range []struct {
		name   string
		c      *cert.Certificate
		status int
		first  string
		judged int
		others int
	}{
		{"whole", whole, 0, "accepted", 4, 0},
		{"messages", messages, 3, "accepted in part", 4, 1},
		{"hostile text", hostile, 1, "rejected: file", 0, 0},
		{"two kinds", two, 1, "rejected: file", 0, 0},
		{"product", ofKept(t, "product"), 3, "not judged: product", 0, 4},
		{"family", ofKept(t, "family-given-free"), 3, "not judged: family", 0, 1},
		{"turns", ofKept(t, "gossip"), 3, "not judged: turns", 0, 3},
	} {
		file := filepath.Join(t.TempDir(), "a.cert")
		if err := os.WriteFile(file, written(x.c), 0o644); err != nil {
			t.Fatal(err)
		}
		out, err := exec.Command(program, file).Output()
		status := 0
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			status = exit.ExitCode()
		}
		lines := strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")
		count := func(prefix string) (k int) {
			for _, line := range lines[1:] {
				if strings.HasPrefix(line, prefix) {
					k++
				}
			}
			return k
		}
		if status != x.status || lines[0] != x.first || count("  judged: ") != x.judged || count("  not judged: ") != x.others || len(lines) != 1+x.judged+x.others {
			t.Errorf("%s: status %d\n%s", x.name, status, out)
		}
	}
}

// ofKept reads a certificate that the tests of verify/cert keep.
func ofKept(t *testing.T, name string) *cert.Certificate {
	t.Helper()
	file, err := os.ReadFile(filepath.Join("..", "..", "..", "verify", "cert", "testdata", "kept", name+".cert"))
	if err != nil {
		t.Fatal(err)
	}
	c, err := cert.Read(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	return c
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
