package everysize_test

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/turnproof/turnproof/internal/arithmetic"
	"github.com/turnproof/turnproof/internal/longtest"
	"github.com/turnproof/turnproof/model/program"
	"github.com/turnproof/turnproof/verify/cert"
	"github.com/turnproof/turnproof/verify/cert/everysize"
	_ "github.com/turnproof/turnproof/verify/cert/kinds"
)

// Certificates in testdata are written by the test of package parametric with -update.

func kept(t testing.TB, name string) *cert.Certificate {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", name+".cert"))
	if err != nil {
		t.Fatal(err)
	}
	c, err := cert.Read(bytes.NewReader(text))
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return c
}

func keptNames(t testing.TB) (names []string) {
	t.Helper()
	files, err := filepath.Glob("testdata/*.cert")
	if err != nil || len(files) < 5 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, f := range files {
		names = append(names, strings.TrimSuffix(filepath.Base(f), ".cert"))
	}
	return names
}

func long() bool { return os.Getenv("TURNPROOF_LONG") != "" }

func parse(t testing.TB, s *cert.Subject) *program.Program {
	t.Helper()
	p, err := program.Parse(s.Program.Name, s.Program.Text)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestKept checks that the judge accepts the certificates, and that what they claim and say holds on small networks.
func TestKept(t *testing.T) {
	for _, name := range keptNames(t) {
		c := kept(t, name)
		if err := cert.Check(c); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		p := parse(t, &c.Subject)
		eachSides(p, c.Subject.Program.Dims, mostOf(p), func(sides []int) {
			n, err := newSmall(p, sides, c.Subject.Program.Flow)
			if err == nil {
				err = n.sound()
			}
			if err == nil {
				err = n.evidenceHolds(c.Claims[0].Sizes)
			}
			if err != nil {
				t.Errorf("%s on %v: %v", name, sides, err)
			}
		})
	}
}

// TestPathsAgree compares the paths of the judge with the interpreter, in every state of small networks.
func TestPathsAgree(t *testing.T) {
	for _, name := range keptNames(t) {
		c := kept(t, name)
		p := parse(t, &c.Subject)
		if err := pathsAgree(p, c.Subject.Program.Text, c.Subject.Program.Dims, mostOf(p)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestModulus checks that a great modulus, whose negation would fill the memory, is rejected.
func TestModulus(t *testing.T) {
	c := kept(t, "odd-even.mesh-vct")
	c.Claims[0].Sizes.Splits[0].Condition[0] = 1 << 13
	if err := cert.Check(c); err == nil || !strings.Contains(err.Error(), "a condition with modulus 8192") {
		t.Error(err)
	}
}

// mostOf returns the largest side of the networks that are enumerated. Express links are four switches long.
func mostOf(p *program.Program) int {
	if p.Family.Kind == program.Express {
		return 6
	}
	return 4
}

// TestLastLine checks that a program may end with blanks or a comment that no line end follows.
func TestLastLine(t *testing.T) {
	p := kept(t, "dor.torus-vct").Subject.Program
	for _, end := range []string{"", "  ", "# end", "\n    # end", "x y"} {
		e, err := everysize.Evaluate(p.Text+end, p.Dims, &arithmetic.Search{})
		if (err == nil) != (end != "x y") {
			t.Errorf("%q: %v, %v", end, e, err)
		}
	}
}

func pathsAgree(p *program.Program, text string, dims, most int) (failed error) {
	e, err := everysize.Evaluate(text, dims, &arithmetic.Search{})
	if err != nil {
		return err
	}
	eachSides(p, dims, most, func(sides []int) {
		n, err := newSmall(p, sides, nil)
		if err != nil {
			return // an error of the top level: every path ends with it
		}
		if failed == nil {
			failed = n.agreesEverywhere(e)
		}
	})
	return failed
}

// outcomes is the paths of a program.
type outcomes interface {
	At(point []int64, dir, vc, state int) []everysize.Outcome
}

// agreesEverywhere compares paths with the interpreter in all states.
func (n *small) agreesEverywhere(e outcomes) (failed error) {
	for _, at := range n.places() {
		for _, to := range n.places() {
			for dir := -1; dir < n.numDirs() && failed == nil; dir++ {
				if dir%2 <= 0 || n.p.Family.Kind != program.HyperX {
					failed = n.agrees(e, packetState{at: at, to: to, dir: dir})
				}
			}
		}
	}
	return failed
}

// agrees compares the paths with the interpreter for each VC and header state.
func (n *small) agrees(e outcomes, s packetState) error {
	if s.at == s.to && !n.p.Passes {
		return nil
	}
	if s.dir >= 0 && n.p.Family.Kind != program.HyperX {
		if _, _, ok := n.hop(s.at, s.dir^1); !ok {
			return nil // no channel of this direction enters the place
		}
	}
	for s.vc = range n.p.VCs {
		if s.dir < 0 && s.vc > 0 {
			break
		}
		for s.state = range n.p.States {
			var want everysize.Outcome
			outputs, err := n.route(s)
			want.Failed = err != nil
			for _, o := range outputs {
				if o.Dir == program.Eject {
					want.Ejects = true
				} else if n.p.Family.Kind == program.HyperX {
					d, v := n.hopOf(s.at, o)
					want.Hops = append(want.Hops, [4]int{d, v, o.VC, o.State})
				} else {
					want.Outputs = append(want.Outputs, [3]int{int(o.Dir), o.VC, o.State})
				}
			}
			got := e.At(n.point(s.at, s.to, [3]int{}), s.dir, s.vc, s.state)
			slices.SortFunc(want.Hops, func(a, b [4]int) int { return slices.Compare(a[:], b[:]) })
			if len(got) != 1 || got[0].Failed != want.Failed || !want.Failed && fmt.Sprint(got[0]) != fmt.Sprint(want) {
				return fmt.Errorf("on %v at %+v: %+v; the interpreter says %+v (%v)", n.sides, s, got, want, err)
			}
		}
	}
	return nil
}

// lists returns the lists of numbers of the evidence.
func lists(e *cert.EverySize) (list []cert.Ints) {
	list = append(list, e.Proofs, e.Proofs, e.Proofs, e.Channels, e.Detour)
	for i := range e.Classes {
		list = append(list, e.Classes[i].Kept)
	}
	for i := range e.Ranks {
		list = append(list, e.Ranks[i].Rank, e.Ranks[i].Rank)
	}
	for i := range e.Splits {
		list = append(list, e.Splits[i].Condition, e.Splits[i].Channels)
	}
	return slices.DeleteFunc(list, func(l cert.Ints) bool { return len(l) == 0 })
}

// TestMutatedEvidence changes numbers of certificates. A change that the judge accepts must hold on small networks.
func TestMutatedEvidence(t *testing.T) {
	count, accepted := longtest.Cases(60, 20_000), 0
	names := keptNames(t)
	rng := rand.New(rand.NewPCG(7, 31))
	for range count {
		name := names[rng.IntN(len(names))]
		c := kept(t, name)
		e := c.Claims[0].Sizes
		for range 1 + rng.IntN(2) {
			l := lists(e)
			numbers := l[rng.IntN(len(l))]
			numbers[rng.IntN(len(numbers))] += []int32{1, -1, 2, -2, 1 << 20}[rng.IntN(5)]
		}
		if rng.IntN(10) == 0 && len(e.Classes) > 1 { // a class without packets, it says
			i := rng.IntN(len(e.Classes))
			e.Classes = slices.Delete(e.Classes, i, i+1)
		}
		if cert.Check(c) != nil {
			continue
		}
		accepted++
		p := parse(t, &c.Subject)
		eachSides(p, c.Subject.Program.Dims, 4, func(sides []int) {
			n, err := newSmall(p, sides, c.Subject.Program.Flow)
			if err == nil {
				err = n.evidenceHolds(e)
			}
			if err != nil {
				t.Errorf("%s: accepted, but on %v: %v", name, sides, err)
			}
		})
	}
	t.Logf("%d of %d changes are accepted", accepted, count)
}

var word = regexp.MustCompile(`\w+|[<>=!]=|[<>%+*-]|//`)

// swaps are words of programs and what a mutant has instead.
var swaps = map[string][]string{
	"<": {">", "<="}, ">": {"<", ">="}, "==": {"!=", "<="}, "!=": {"=="}, "<=": {"<"}, "+": {"-"}, "-": {"+"}, "and": {"or"}, "or": {"and"},
	"E": {"W", "N"}, "W": {"E", "S"}, "N": {"S"}, "S": {"N"}, "x": {"y"}, "y": {"x"}, "0": {"1"}, "1": {"0", "2"}, "2": {"3"}, "plus": {"minus"},
	"minus": {"plus"}, "odd": {"not odd", "True"}, "cur": {"dst"}, "dst": {"cur"}, "out": {"[]"}, "vc": {"dim"}, "wrap": {"vc"}, "d": {"0"},
}

// mutant returns a program with a word changed, or "".
func mutant(text string, rng *rand.Rand) string {
	from := strings.Index(text, "def ")
	found := word.FindAllStringIndex(text[from:], -1)
	at := found[rng.IntN(len(found))]
	list := swaps[text[from+at[0]:from+at[1]]]
	if list == nil {
		return ""
	}
	return text[:from+at[0]] + list[rng.IntN(len(list))] + text[from+at[1]:]
}

// TestWrongPrograms changes a word of a program, and searches proofs again for the old ranks and conditions, and
// for those without any conditions. A program for which they are found must be right on small networks.
func TestWrongPrograms(t *testing.T) {
	count, proved, wrong := longtest.Cases(250, 6000), 0, 0
	names := keptNames(t)
	rng := rand.New(rand.NewPCG(1, 31))
	tried := map[string]bool{}
	for range count {
		c := kept(t, names[rng.IntN(len(names))])
		text := mutant(c.Subject.Program.Text, rng)
		p, err := program.Parse("mutant.star", text)
		if text == "" || err != nil || tried[text] {
			continue
		}
		tried[text] = true
		c.Subject.Program.Text, c.Subject.Inputs = text, nil
		bad := wrongOn(p, c.Subject.Program)
		if bad != nil {
			wrong++
		}
		ctx, stop := context.WithTimeout(context.Background(), time.Second)
		_, err = everysize.Prove(c, &arithmetic.Search{Limit: 300, Context: ctx})
		if stop(); err != nil {
			continue
		}
		if proved++; bad != nil {
			t.Errorf("proved, but %v:\n%s", bad, text)
		}
	}
	t.Logf("%d programs, %d are wrong on small networks, %d are proved", len(tried), wrong, proved)
	if wrong < 30 || proved < 3 {
		t.Errorf("%d wrong, %d proved: the test shows nothing", wrong, proved)
	}
}

func wrongOn(p *program.Program, s *cert.Program) (bad error) {
	most := 4
	if p.Family.Wrap() {
		most = 5
	}
	eachSides(p, s.Dims, most, func(sides []int) {
		if bad != nil {
			return
		}
		n, err := newSmall(p, sides, s.Flow)
		if err == nil {
			err = n.sound()
		}
		if err != nil {
			bad = fmt.Errorf("on %v: %w", sides, err)
		}
	})
	return bad
}
