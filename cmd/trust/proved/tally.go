package proved

import (
	"maps"
	"slices"
	"strings"

	"github.com/turnproof/turnproof/verify/cert"
)

// This file counts outcomes by kind of evidence.

// tally counts certificates. An accepted certificate counts once for each kind of evidence in it; a
// rejected one for the kind that the checker in Go rejects first.
type tally struct {
	total  [differ + 1]int
	counts map[string]*[differ + 1]int
}

func newTally() *tally { return &tally{counts: map[string]*[differ + 1]int{}} }

// add counts a certificate.
func (t *tally) add(c *cert.Certificate, rejected, answer string, o outcome) {
	t.total[o]++
	var kinds []string
	for i := range c.Claims {
		if o != bothReject || c.Claims[i].Claim == rejected && covered[c.Claims[i].Evidence] {
			kinds = append(kinds, c.Claims[i].Evidence)
		}
	}
	switch {
	case o == notJudged:
		kinds = append(kinds, strings.TrimPrefix(answer, "not judged: "))
	case o == bothReject && len(kinds) == 0:
		kinds = []string{"(the form or the subject)"}
	}
	for _, k := range kinds {
		if t.counts[k] == nil {
			t.counts[k] = new([differ + 1]int)
		}
		t.counts[k][o]++
	}
}

// covered has the kinds of evidence that the proved checker judges.
var covered = func() map[string]bool {
	names := map[string]bool{}
	for _, k := range cert.Kinds() {
		if k.Proved {
			names[k.Evidence] = true
		}
	}
	return names
}()

// write writes a table.
func (t *tally) write(record func(format string, a ...any)) {
	row := func(name string, n *[differ + 1]int) {
		record("| %s | %d | %d | %d | %d |\n", name, n[bothAccept], n[bothReject], n[notJudged], n[differ])
	}
	record("| evidence | both accept | both reject | not judged | differ |\n|---|---:|---:|---:|---:|\n")
	for _, kind := range slices.Sorted(maps.Keys(t.counts)) {
		row(kind, t.counts[kind])
	}
	row("certificates", &t.total)
	record("\n")
}
