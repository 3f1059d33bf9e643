package prove

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/cmd/turnproof/say"
	"github.com/turnproof/turnproof/cmd/turnproof/verdict"
	"github.com/turnproof/turnproof/internal/wording"
	"github.com/turnproof/turnproof/synth/resolve"
	"github.com/turnproof/turnproof/synth/vcrule"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/cert"
	"github.com/turnproof/turnproof/verify/explain"
	"github.com/turnproof/turnproof/verify/parametric"
)

// This file prints the result of prove as text or JSON (docs/schema/prove.json).

// finished is an entry of the list of programs and dimensions, with what was proved or refuted.
type finished struct {
	Entry  int         `json:"entry"`
	Texts  []string    `json:"texts"`
	Proofs []proofJSON `json:"proofs"`
	// EveryDimension says that the proofs hold for every number of dimensions.
	EveryDimension bool `json:"every_dimension"`

	reports []*parametric.Report // nil if the proofs were read from a journal
}

func newFinished(entry int, word string, reports []*parametric.Report) (*finished, error) {
	f := &finished{Entry: entry, reports: reports, EveryDimension: true}
	for _, r := range reports {
		var b strings.Builder
		printProof(&b, word, r)
		j, err := newProofJSON(r)
		if err != nil {
			return nil, err
		}
		f.EveryDimension = f.EveryDimension && r.EveryDimension && r.Verdict == verify.Proved
		f.Texts, f.Proofs = append(f.Texts, b.String()), append(f.Proofs, j)
	}
	return f, nil
}

func (f *finished) isRefuted() bool {
	return slices.ContainsFunc(f.Proofs, func(p proofJSON) bool { return p.Result == string(verify.Refuted) })
}

// printer prints each proof when it is finished.
type printer struct {
	c       *cli.Context
	word    string // the argument of the command
	family  string // of the given program, in dims dimensions
	dims    int
	began   time.Time
	search  *vcrule.Result // of --find-vcs, or nil
	proofs  []proofJSON
	reports []*parametric.Report
}

// found prints the next proofs as text. JSON is one object, which end prints.
func (p *printer) found(f *finished) {
	for i, text := range f.Texts {
		if !p.c.Bool("json") {
			if len(p.proofs) > 0 {
				fmt.Fprintln(p.c.App.Writer)
			} else {
				printSearch(p.c.App.Writer, p.search)
			}
			fmt.Fprint(p.c.App.Writer, text)
		}
		p.proofs = append(p.proofs, f.Proofs[i])
	}
	p.reports = append(p.reports, f.reports...)
}

// end prints what concerns all proofs.
func (p *printer) end(inputs []cert.Input) error {
	w, seconds := p.c.App.Writer, time.Since(p.began).Seconds()
	result := proveVerdict(p.proofs)
	if p.c.Bool("json") {
		j := proveJSON{Schema: "turnproof.prove/1", Program: p.word, Verdict: string(result), Proofs: p.proofs, Search: newSearchJSON(p.search),
			Inputs: inputs, Seconds: seconds}
		// The proof that decides the verdict is repeated in the top-level fields.
		j.proofJSON = j.Proofs[slices.IndexFunc(j.Proofs, func(p proofJSON) bool { return p.Result == j.Verdict })]
		return cli.PrintJSON(w, j)
	}
	if len(p.proofs) > 1 {
		fmt.Fprintf(w, "\n%s, %s. %.2f s\n", strings.ToUpper(string(result)), wording.Count(len(p.proofs), "proof", "s"), seconds)
	}
	return nil
}

// witnessInput returns the smallest network that fails as an input of check.
func witnessInput(r *parametric.Report, routing string) *resolve.Subject {
	rel := r.Witness.Report.Relation
	return &resolve.Subject{Fabric: resolve.Fabric{Name: r.Witness.Network, Net: rel.Network()},
		Routes: resolve.Routes{Rel: rel, Routing: routing}, Stated: resolve.Stated{Notes: r.Witness.Notes}}
}

func networkNames(r *parametric.Report, list [][]int) []string {
	names := []string{}
	for _, sides := range list {
		names = append(names, r.NetworkName(sides))
	}
	return names
}

// notAsked returns the usual claims that a report does not state.
func notAsked(r *parametric.Report) []string {
	list := []string{}
	for _, name := range parametric.AllClaims {
		if !slices.ContainsFunc(r.Claims, func(c parametric.Claim) bool { return c.Name == name }) {
			list = append(list, name)
		}
	}
	return list
}

// claimNote returns why a claim has its verdict, after the network that refutes it and the switching discipline, which may be empty.
func claimNote(network, discipline, note string) string {
	var parts []string
	if network != "" {
		parts = append(parts, "on "+network)
	}
	if discipline != "" {
		parts = append(parts, discipline)
	}
	if parts == nil {
		return note
	}
	return strings.Join(parts, ", ") + ": " + note
}

// dimensions says how many dimensions the networks of a proof have.
func dimensions(r *parametric.Report) string {
	if r.EveryDimension {
		return "proved in 1 dimension"
	}
	return wording.Count(r.Dims, "dimension", "s")
}

// printProof prints one proof.
func printProof(w io.Writer, word string, r *parametric.Report) {
	fmt.Fprintf(w, "%s: %s, %s, %s\n\n", r.Program, r.Family, dimensions(r), r.SizesText())
	printClaims(w, r)
	if r.Length != nil {
		fmt.Fprintf(w, "\nLengths: %s.\n", r.Length.Text)
	}
	for _, note := range r.Notes {
		fmt.Fprintf(w, "\nNote: %s.\n", note)
	}
	printGiven(w, r)
	printExamples(w, r)
	switch {
	case r.Witness != nil:
		printWitness(w, word, r)
	case r.Verdict == verify.Refuted:
		printAlone(w, r)
		var fails []string
		for _, x := range r.Examples {
			fails = append(fails, x.Example.Claim+" fails on "+x.Network)
		}
		fmt.Fprintf(w, "\nREFUTED: %s. %.2f s\n", strings.Join(fails, ", "), r.Seconds)
	case r.Verdict == verify.Undecided:
		if r.Claims[0].Verdict == verify.Proved {
			printRanks(w, r)
		}
		printAlone(w, r)
		fmt.Fprintf(w, "\nUNDECIDED for every size; %s. %.2f s\n", SearchedText(r), r.Seconds)
	default:
		printRanks(w, r)
		printHow(w, r)
	}
}

// printClaims prints the verdict of each claim, and the claims that were not asked for.
func printClaims(w io.Writer, r *parametric.Report) {
	for _, c := range r.Claims {
		note := c.Theorem
		if c.Verdict != verify.Proved {
			note = c.Reason
		}
		discipline := ""
		if c.Name == cert.ClaimDeadlockFree && (c.Verdict != verify.Undecided || r.Verdict == verify.Undecided) {
			discipline = explain.DisciplineWords(r.Switching)
		}
		note = claimNote(c.Network, discipline, note)
		fmt.Fprintf(w, "%-9s  %-14s %s\n", strings.ToUpper(string(c.Verdict)), c.Name, note)
	}
	for _, name := range notAsked(r) {
		fmt.Fprintf(w, "%-9s  %-14s left out by --claims\n", "NOT ASKED", name)
	}
}

// printWitness prints the smallest network on which the program fails, with its report.
func printWitness(w io.Writer, word string, r *parametric.Report) {
	printAlone(w, r)
	in := witnessInput(r, r.Program)
	fmt.Fprintf(w, "\nThe program fails on %s; no smaller network among those tried fails (%s).\n", in.Name,
		wording.Count(len(r.Searched), "network", "s"))
	if strings.HasSuffix(word, ".star") {
		how := "--switching " + string(r.Witness.Report.Switching)
		if f := r.Flow; f != nil {
			how = fmt.Sprintf("--flow %s --packet %d --buffer %d", f.Rule, f.Packet, f.Buffer)
		}
		fmt.Fprintf(w, "Reproduce: turnproof check %s --routing %s %s\n", in.Name, word, how)
	}
	fmt.Fprintf(w, "\nAll that follows is about %s, and not about other sizes.\n\n", in.Name)
	verdict.PrintMember(w, in, r.Witness.Report, r.Seconds)
}

// printAlone prints the ranks of claims that are proved although others are not.
func printAlone(w io.Writer, r *parametric.Report) {
	for _, alone := range r.Alone {
		printRanks(w, alone)
	}
}

// SearchedText says up to which size the networks were checked without finding one that fails.
func SearchedText(r *parametric.Report) string {
	if len(r.Searched) == 0 {
		return "its networks are too large to check one"
	}
	last := r.Searched[len(r.Searched)-1]
	return fmt.Sprintf("no network of the %d up to %s fails", len(r.Searched), r.NetworkName(last))
}

// printRanks prints the rank of each class of channels as a tuple of terms.
func printRanks(w io.Writer, r *parametric.Report) {
	if len(r.Ranks) == 0 { // paths are finite by distances
		return
	}
	what := "Rank of a channel that leaves switch " + r.Place + ", compared from left to right"
	if len(r.Escape) > 0 {
		what = "Escape, and the rank of its channels, that leave switch " + r.Place + ", compared from left to right"
	}
	if r.Method == "paths" {
		what = "Rank of a packet on a channel that leaves switch " + r.Place + " for switch " + r.Destination + ", compared from left to right"
	}
	fmt.Fprintf(w, "\n%s:\n", what)
	width := 0
	for _, row := range r.Ranks {
		width = max(width, len(row.Channel))
	}
	for _, row := range r.Ranks {
		fmt.Fprintf(w, "  %-*s  (%s)\n", width, row.Channel, strings.Join(row.Tuple, ", "))
	}
}

// printHow prints the premises, the number of proof obligations, and the networks on which the
// checker accepted the ranks.
func printHow(w io.Writer, r *parametric.Report) {
	p := func(format string, a ...any) { fmt.Fprintf(w, format, a...) }
	slowest := 0.0
	for _, o := range r.Obligations {
		slowest = max(slowest, o.Seconds)
	}
	say.PrintPremises(w, r.Premises)
	p("\n")
	p("%s of the program, %s of channels, %s kept by every hop.\n", wording.Count(r.Paths, "path", "s"), wording.Count(r.Classes, "class", "es"),
		wording.Count(len(r.Invariants), "condition", "s"))
	p("%s proved by Z3, the slowest in %.3f s\n", wording.Count(len(r.Obligations), "obligation", "s"), slowest)
	what := "ranks"
	if r.Method == "paths" {
		what = "claims"
	}
	if k := len(r.Rechecked); k > 0 {
		p("The independent checker accepted the %s on %s, %s to %s.\n", what, wording.Count(k, "network", "s"), r.NetworkName(r.Rechecked[0]),
			r.NetworkName(r.Rechecked[k-1]))
	} else {
		p("The smallest network is too large for the independent checker.\n")
	}
	p("It ran the text of the program itself, and accepted the proof of each obligation for %s.\n", r.SizesText())
	p("\nPROVED for %s. %.2f s\n", r.SizesText(), r.Seconds)
}

// printGiven prints whether the rank given in the program is correct. If not, it prints
// counterexamples and a repaired rank if one was found. It prints nothing if the program gives no
// rank.
func printGiven(w io.Writer, r *parametric.Report) {
	g := r.Given
	if g == nil {
		return
	}
	p := func(format string, a ...any) { fmt.Fprintf(w, format, a...) }
	switch g.Verdict {
	case verify.Proved:
		p("\nThe rank that the program gives rises on every dependency.\n")
		return
	case verify.Undecided:
		p("\nWhether the rank that the program gives rises is undecided for %s.\n", strings.Join(g.Left, ", "))
		return
	}
	p("\nThe rank that the program gives does not rise everywhere. The smallest example of each kind of dependency:\n")
	for _, f := range g.Failures {
		p("  %s: %s\n", r.NetworkName(f.Sides), f)
	}
	if g.Repair == nil {
		p("The search found no other rank for the channels of one direction and VC that repairs this.\n")
		return
	}
	p("With this rank for these channels, the rank rises on every dependency, for every size:\n")
	for _, row := range g.Repair {
		p("  %s  (%s)\n", row.Channel, strings.Join(row.Tuple, ", "))
	}
}
