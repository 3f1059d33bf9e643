package proved

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/cmd/trust/mutate"
	"github.com/turnproof/turnproof/cmd/trust/stage"
	"github.com/turnproof/turnproof/model/format"
	_ "github.com/turnproof/turnproof/model/format/all"
	"github.com/turnproof/turnproof/model/format/infiniband/levels"
	"github.com/turnproof/turnproof/model/format/infiniband/lft"
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
	return withOtherEvidence(atMost(changedBytes, list))
}

// ofFabric is the certificate of a fabric's tables.
func ofFabric(t *testing.T, folder string) *cert.Certificate {
	t.Helper()
	net, _, err := format.ReadNetwork(first(filepath.Dir(folder), "topology.ibnetdiscover"), format.Options{})
	if err != nil {
		t.Fatal(err)
	}
	table, _, err := lft.Read(first(folder, "opensm-lfts.dump"), net, format.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if file := first(folder, "opensm-sl2vl.dump"); file != "" {
		vcs, err := levels.ReadSL2VL(file, net, format.Options{})
		if err != nil {
			t.Fatal(err)
		}
		sets, err := levels.ReadServiceLevels(first(folder, "path-sl.txt"), table, format.Options{})
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

// TestChanges checks that changes leave the original alone, reach most fields, and leave a good share
// of certificates true.
func TestChanges(t *testing.T) {
	list := originals(t)
	rng, accepted, reached := rand.New(rand.NewPCG(1, 1)), 0, map[string]bool{}
	for range 1000 {
		o, edits := mutate.Pick(rng, list), draw(rng, list)
		before := written(o.c)
		c := edited(o.c, edits...)
		if !bytes.Equal(before, written(o.c)) {
			t.Fatalf("%s: the original is changed", o.name)
		}
		if inGo(written(c)) == "" {
			accepted++
		}
		old := mutate.Fields(o.c)
		for name, now := range mutate.Fields(c) {
			if len(old[name]) != len(now) || !slices.EqualFunc(old[name], now, func(a, b reflect.Value) bool { return reflect.DeepEqual(a.Interface(), b.Interface()) }) {
				reached[name] = true
			}
		}
	}
	if t.Logf("%d of 1000 accepted, %d fields changed", accepted, len(reached)); accepted < 200 || accepted > 800 || len(reached) < 60 {
		t.Errorf("%d of 1000 changed certificates accepted, %d fields changed: %v", accepted, len(reached), reached)
	}
	for i := range structured {
		if !slices.ContainsFunc(list, func(o original) bool {
			return slices.ContainsFunc([]uint64{1, 2, 3, 4, 5}, func(seed uint64) bool {
				c := edited(o.c, func(c *cert.Certificate) { structured[i](rand.New(rand.NewPCG(seed, 2)), c) })
				return !bytes.Equal(written(c), written(o.c))
			})
		}) {
			t.Errorf("change %d changes nothing", i)
		}
	}
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

// TestAgree compares the checkers on certificates as they are and on changed ones, and on those on
// which they differed before. The stage builds the proved checker and takes more certificates.
func TestAgree(t *testing.T) {
	o, record, isStage := stage.FromEnvironment(t)
	count, list := 500, originals(t)
	if isStage {
		build := exec.CommandContext(t.Context(), "sh", filepath.Join(o.Root, ".build", "proved.sh"), o.Bin)
		if out, err := build.CombinedOutput(); err != nil {
			t.Fatalf(".build/proved.sh: %v\n%s", err, out)
		}
		all, err := gather(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		count, list = cmp.Or(o.Cases, 100_000), atMost(judgedBytes, all)
	} else {
		o.Bin = filepath.Dir(program(t))
	}
	p, err := start(filepath.Join(o.Bin, "turnproof-proved"))
	if err != nil {
		t.Fatal(err)
	}
	tr := &trial{prover: p, folder: "testdata", tally: newTally()}
	if !isStage {
		tr.folder = t.TempDir()
	}
	for _, o := range list {
		if err := tr.count(edited(o.c, withoutMessages)); err != nil {
			t.Fatalf("%s: %v", o.name, err)
		}
	}
	record("%d certificates of at most %d bytes as they are, without claims about messages:\n\n", len(list), judgedBytes)
	tr.tally.write(record)
	tr.tally = newTally()
	if err := tr.changed(o.Seed, withOtherEvidence(atMost(changedBytes, list)), count, func(done int) { t.Logf("%d of %d", done, count) }); err != nil {
		t.Fatal(err)
	}
	record("%d changed certificates:\n\n", count)
	tr.tally.write(record)
	known, err := readAll("testdata")
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range known {
		if outcome, rejected, answer, err := tr.judge(k.c); err != nil || outcome == differ {
			t.Errorf("%s: Go rejects %q, proved: %s, %v", k.name, rejected, answer, err)
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
}

// program returns the path of turnproof-proved, and skips the test if it is not built.
func program(t *testing.T) string {
	t.Helper()
	path := filepath.Join("..", "..", "..", "bin", "turnproof-proved")
	if _, err := os.Stat(path); err != nil {
		t.Skip("no bin/turnproof-proved: make proved builds it if coqc is there; it is optional, also with CI=true")
	}
	return path
}

// TestSaysWhatItJudged checks that the program prints each claim with whether it judged the claim.
// A certificate cannot forge these lines.
func TestSaysWhatItJudged(t *testing.T) {
	program := program(t)
	whole := originals(t)[0].c
	whole.Claims = slices.DeleteFunc(whole.Claims, func(c cert.Claim) bool { return c.Claim == cert.ClaimMessages })
	messages := mutate.Clone(whole)
	messages.Claims = append(messages.Claims, cert.Claim{Claim: cert.ClaimMessages, Verdict: cert.Proved, Evidence: cert.EvidenceNetworks, Messages: &cert.Ints{0, 1}})
	hostile := mutate.Clone(messages)
	hostile.Subject.Network.Switches[0] = "a\naccepted\n  judged: all"
	hostile.Claims[0].Evidence = "x\naccepted"
	two := mutate.Clone(whole)
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

// TestTellApart checks that the comparison detects a checker that accepts everything.
func TestTellApart(t *testing.T) {
	list := originals(t)
	c := mutate.Clone(list[0].c)
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
