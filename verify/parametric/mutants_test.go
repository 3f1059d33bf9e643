package parametric

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/turnproof/turnproof/examples/routing-programs/published"
	"github.com/turnproof/turnproof/internal/longtest"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/program"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/smt"
)

// edits are small changes. Each is tried at every position of a program where it fits.
var edits = []struct{ from, to string }{
	{`\bE\b`, "W"}, {`\bW\b`, "E"}, {`\bN\b`, "S"}, {`\bS\b`, "N"}, {`\bE\b`, "N"}, {`\bW\b`, "S"},
	{`plus\(`, "minus("}, {`minus\(`, "plus("},
	{` < `, " <= "}, {` > `, " >= "}, {` < `, " > "}, {` == `, " != "}, {` != `, " == "},
	{` and `, " or "}, {` or `, " and "}, {`\bnot `, ""},
	{`\bcur\b`, "dst"}, {`\bdst\b`, "cur"}, {`\bx\b`, "y"}, {`\.x\b`, ".y"}, {`\.y\b`, ".x"},
	{`\b0\b`, "1"}, {`\b1\b`, "0"}, {`\b2\b`, "1"}, {`\binp\.vc\b`, "0"}, {`\binp\.wrap\b`, "False"},
	{`\bTrue\b`, "False"}, {` else 1`, " else 0"}, {`% 2`, "% 3"}, {` - `, " + "},
	{`if ([^:\n]*):`, "if True:"}, {`if ([^:\n]*):`, "if False:"},
	{`range\(len\(cur\)\)`, "reversed(range(len(cur)))"}, {`range\(len\(cur\)\)`, "range(1, len(cur))"},
	{`productive\(cur, dst\)`, "productive(dst, cur)"}, {`productive\(cur, dst\)`, "[W, E, S, N]"}, {`out\[0\]`, "out[-1]"},
	{`return out\b`, "return [out[0]]"}, {`return out \+ `, "return "}, {`\(a, 0\) for`, "a for"}, {`\(a, 0\) for`, "(-a, 0) for"},
	{`deroutes\(`, "others("}, {`others\(`, "deroutes("}, {`to\(d, dst\[d\]\)`, "others(d)"}, {`dst\[d\]\)`, "dst[d] + 1)"}, {`state \+ 1`, "state"},
	{`, state \+ [^)]*\)`, ")"}, {`\bvc\b`, "0"}, {`\+ 1\b`, "+ 0"}, {`inp\.dim == d`, "inp.dim != d"},
	{`escape = `, "other = "}, {`escape = \[`, "escape = [(E, 0), "},
}

// mutants returns the different texts that result from one edit of a program.
func mutants(text string) (list []string) {
	begin := strings.Index(text, "\nfamily")
	begin += 1 + strings.Index(text[begin+1:], "\n")
	seen := map[string]bool{text: true}
	for _, e := range edits {
		for _, at := range regexp.MustCompile(e.from).FindAllStringIndex(text[begin:], -1) {
			m := text[:begin+at[0]] + e.to + text[begin+at[1]:]
			if !seen[m] {
				seen[m] = true
				list = append(list, m)
			}
		}
	}
	return list
}

// changed returns the line that differs between two texts.
func changed(was, is string) string {
	a, b := strings.Split(was, "\n"), strings.Split(is, "\n")
	for i := range a {
		if a[i] != b[i] {
			return fmt.Sprintf("%q for %q", strings.TrimSpace(b[i]), strings.TrimSpace(a[i]))
		}
	}
	return "nothing"
}

// TestMutants: no edit leads to a wrong verdict. The checker confirms that a refuted program fails
// on its network. A proved program is correct on every network tried, including larger ones than
// the prover has examined.
func TestMutants(t *testing.T) {
	if !smt.Available() {
		t.Skip(smt.ErrUnavailable)
	}
	every := 60
	most := 8
	if long() {
		every, most = 20, 12
	}
	if longtest.IsFull() {
		every = 1
	}
	count := map[verify.Verdict]int{}
	type tried struct {
		published.File
		switching model.Switching
	}
	var list []tried
	for _, f := range published.All() {
		if strings.Contains(f.Text, "def rank") {
			continue // the routing function equals that of another mutant
		}
		if list = append(list, tried{f, model.CutThrough}); f.Name == "duato" && long() {
			list = append(list, tried{f, model.Wormhole})
		}
	}
	for k, f := range list {
		if k%3 != 0 && !long() {
			continue
		}
		all, judged := mutants(f.Text), 0
		for i, text := range all {
			if i%every != 0 {
				continue
			}
			began := time.Now()
			name := f.Path + ", " + string(f.switching) + ": " + changed(f.Text, text)
			p, err := program.Parse(f.Path, text)
			if err != nil {
				count["error"]++
				continue
			}
			r, err := Prove(t.Context(), p, Options{Dims: 2, Limit: 5 * time.Second, Switching: f.switching})
			if err != nil {
				if strings.Contains(err.Error(), "internal") {
					t.Errorf("%s: %v", name, err)
				}
				count["error"]++
				continue
			}
			count[r.Verdict]++
			judged++
			switch r.Verdict {
			case verify.Refuted:
				if r.Witness.Report.Verdict() != verify.Refuted {
					t.Errorf("%s: refuted, but holds on %s", name, r.Witness.Network)
				}
			case verify.Proved:
				confirm(t, name, p, r, f.switching, most)
			}
			if r.Verdict == verify.Undecided || time.Since(began) > 10*time.Second || testing.Verbose() {
				t.Logf("%s: %s %s %.1f s", name, r.Verdict, r.Claims[0].Reason, time.Since(began).Seconds())
			}
		}
		if every == 1 && judged < 10 && f.switching == model.CutThrough {
			t.Errorf("%s: %d mutants of %d that are programs", f.Path, judged, len(all))
		}
	}
	t.Log(count)
}

// confirm checks a proved program on networks of sizes up to most.
func confirm(t *testing.T, name string, p *program.Program, r *Report, switching model.Switching, most int) {
	t.Helper()
	for _, sides := range r.family.sizesUpTo(most*most, most) {
		if product(sides) < 30 && product(sides)%2 == 0 && most < 12 {
			continue // the prover has examined these sizes
		}
		n, err := r.family.network(sides)
		if err != nil {
			t.Fatal(err)
		}
		rel, _, err := p.Relation(t.Context(), n)
		if err != nil {
			t.Errorf("%s: proved, but on %v: %v", name, sides, err)
			continue
		}
		rep, err := verify.Check(t.Context(), rel, verify.Options{Switching: switching})
		if err != nil {
			t.Fatal(err)
		}
		if v := rep.Verdict(); v == verify.Refuted || v == verify.Undecided && switching != model.Wormhole {
			t.Errorf("%s: proved for %s, but on %v %s", name, r.Sizes, sides, rep.Verdict())
		}
	}
}
