package proved

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/turnproof/turnproof/verify/cert"
)

// This file counts outcomes by kind of evidence.

// A tally counts certificates: by the evidence in them where both accept, by what both reject, by what
// is not judged.
type tally struct {
	total  [differ + 1]int
	counts map[string]*[differ + 1]int
	names  map[string]int // of all that was not judged, by the program's words
}

func newTally() *tally { return &tally{counts: map[string]*[differ + 1]int{}, names: map[string]int{}} }

func (t *tally) at(kind string) *[differ + 1]int {
	if t.counts[kind] == nil {
		t.counts[kind] = new([differ + 1]int)
	}
	return t.counts[kind]
}

// add counts one certificate.
func (t *tally) add(c *cert.Certificate, rejected, answer string, o outcome) {
	t.total[o]++
	switch o {
	case bothReject:
		t.at(rejectedFor(c, rejected))[o]++
	case notJudged:
		t.names[strings.TrimPrefix(answer, "not judged: ")]++
		fallthrough
	default:
		for i := range c.Claims {
			t.at(c.Claims[i].Evidence)[o]++
		}
	}
}

// rejectedFor names the evidence of the claim that was rejected, or what else was.
func rejectedFor(c *cert.Certificate, rejected string) string {
	if i := slices.IndexFunc(c.Claims, func(c cert.Claim) bool { return c.Claim == rejected }); i >= 0 && covered[c.Claims[i].Evidence] {
		return c.Claims[i].Evidence
	}
	return map[bool]string{true: "(the subject)", false: "(the form)"}[rejected == "subject"]
}

// covered are the kinds of evidence that the proved checker judges.
var covered = func() map[string]bool {
	names := map[string]bool{}
	for _, k := range cert.Kinds() {
		if k.Proved {
			names[k.Evidence] = true
		}
	}
	return names
}()

// write writes the table.
func (t *tally) write(out io.Writer) {
	fmt.Fprintf(out, "| evidence | both accept | both reject | not judged | differ |\n|---|---:|---:|---:|---:|\n")
	kinds := make([]string, 0, len(t.counts))
	for kind := range t.counts {
		kinds = append(kinds, kind)
	}
	slices.SortFunc(kinds, func(a, b string) int {
		if covered[a] != covered[b] {
			return map[bool]int{true: -1, false: 1}[covered[a]]
		}
		return strings.Compare(a, b)
	})
	for _, kind := range kinds {
		n := t.counts[kind]
		fmt.Fprintf(out, "| %s | %d | %d | %d | %d |\n", kind, n[bothAccept], n[bothReject], n[notJudged], n[differ])
	}
	fmt.Fprintf(out, "| certificates in all | %d | %d | %d | %d |\n", t.total[bothAccept], t.total[bothReject], t.total[notJudged], t.total[differ])
	fmt.Fprintf(out, "\nA certificate counts once for each kind of evidence in it, but where it is rejected: then for what the\n"+
		"checker in Go rejects first. Not judged, because something in it is not covered by what is proved:\n")
	words := make([]string, 0, len(t.names))
	for name, n := range t.names {
		words = append(words, fmt.Sprintf(" %s %d", name, n))
	}
	slices.Sort(words)
	fmt.Fprintf(out, "%s.\n", strings.TrimSpace(strings.Join(words, ",")))
}
