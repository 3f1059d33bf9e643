package whatif

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/turnproof/turnproof/internal/plain"
	"github.com/turnproof/turnproof/internal/wording"
	"github.com/turnproof/turnproof/verify"
)

// This file prints the text output.

// shown is the number of runs that are listed for an engine.
const shown = 3

func (x *whatifJSON) print(w io.Writer) {
	fmt.Fprintf(w, "%s: %s, %s, %s. Routed by OpenSM %s over ibsim.\n\n", plain.Text(x.Network), wording.Count(x.Switches, "switch", "es"),
		wording.Count(x.Hosts, "host", "s"), wording.Count(x.Links, "link", "s"), x.OpenSM)
	x.printNow(w)
	x.printAfter(w)
	x.printReasons(w)
	if len(x.Missing) > 0 {
		fmt.Fprintf(w, "\nNot in OpenSM %s: %s.\n", x.OpenSM, plain.Text(strings.Join(x.Missing, ", ")))
	}
	fmt.Fprint(w, "\nJudged: packets between hosts, with the service levels that OpenSM gives to the paths; no multicast, no management traffic.\n")
	switch cases := ""; {
	case !x.Complete:
		fmt.Fprintf(w, "Interrupted: %s.", wording.Count(len(x.Runs), "run", "s"))
	case len(x.Proved) == 0:
		fmt.Fprint(w, "No engine is proved in all cases.")
	default:
		if x.Failures > 0 {
			cases = " in all cases"
		}
		fmt.Fprintf(w, "Proved%s, the least loaded first: %s.", cases, strings.Join(x.Proved, ", "))
	}
	fmt.Fprintf(w, " %.1f s\n", x.Seconds)
}

// printNow prints the runs without failures.
func (x *whatifJSON) printNow(w io.Writer) {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "engine\tverdict\tlost pairs\tVLs\tbusiest link\tworst permutation\tmean hops\tmost hops\tunused links\trouted by")
	for _, e := range x.Engines {
		r := e.Now
		if r == nil {
			continue
		}
		by := r.Routed
		if by == present {
			by = "the tables of the input"
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t%s\n", e.Engine, strings.ToUpper(r.Verdict), wording.Thousands(r.Lost), number(r.Lanes), r.Quality.text(), by)
	}
	_ = t.Flush() // w keeps its errors
}

// text returns the columns of the measures.
func (q *use) text() string {
	if q == nil {
		return "-\t-\t-\t-\t-"
	}
	worst := "-"
	if q.Permutation != nil {
		worst = fmt.Sprint(*q.Permutation)
	}
	return fmt.Sprintf("%s\t%s\t%.3f\t%d\t%d", wording.Thousands(q.MaxLoad), worst, q.MeanHops, q.MaxHops, q.Unused)
}

// number writes a number, or - for 0.
func number(k int) string {
	if k == 0 {
		return "-"
	}
	return fmt.Sprint(k)
}

// printAfter prints the runs with failures.
func (x *whatifJSON) printAfter(w io.Writer) {
	if x.Failures == 0 {
		return
	}
	kind, many, _ := strings.Cut(x.Fail, ":")
	what := map[string]string{"links": "a link", "switches": "a switch"}[kind]
	if many == "2" {
		what = "a pair of " + kind
	}
	fmt.Fprintf(w, "\nAfter each of %s of %s:\n\n", wording.Count(x.Failures, "failure", "s"), what)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "engine\tproved\trefuted\tcan deadlock\tundecided\tnot routed\tby another engine\tmost lost pairs\tbusiest link\tmost hops")
	for _, e := range x.Engines {
		a := e.After
		fmt.Fprintf(t, "%s\t%d\t%d\t%d\t%d\t%d\t%d\t%s\t%s\t%d\n", e.Engine, a.Proved, a.Refuted, a.Deadlocks, a.Undecided, a.Unrouted, a.Fallbacks,
			wording.Thousands(a.LostPairs), wording.Thousands(a.MaxLoad), a.MaxHops)
	}
	_ = t.Flush() // w keeps its errors
}

// printReasons prints why runs are not proved, the first of each engine.
func (x *whatifJSON) printReasons(w io.Writer) {
	for _, e := range x.Engines {
		listed, more := 0, 0
		for _, r := range x.Runs {
			if r.Engine != e.Engine || r.Verdict == string(verify.Proved) && r.Fallback == "" {
				continue
			}
			if listed == shown {
				more++
				continue
			}
			if listed == 0 {
				fmt.Fprintln(w)
			}
			listed++
			r.print(w)
		}
		if more > 0 {
			fmt.Fprintf(w, "  and %d more of %s (--json has all)\n", more, e.Engine)
		}
	}
}

// print prints why a run is not proved, or what another engine routed.
func (r *run) print(w io.Writer) {
	when := ""
	if r.Failed != "" {
		when = " without " + r.Failed
	}
	fmt.Fprintf(w, "%s%s: %s", r.Engine, plain.Text(when), strings.ToUpper(r.Verdict))
	if r.Fallback != "" {
		fmt.Fprintf(w, " by %s (%s)", r.Routed, plain.Text(r.Fallback))
	}
	if r.Reason != "" {
		fmt.Fprintf(w, ": %s", plain.Text(r.Reason))
	}
	fmt.Fprintln(w)
	for i, c := range r.Loop {
		if i == shown && len(r.Loop) > shown+1 {
			fmt.Fprintf(w, "    and %d more channels\n", len(r.Loop)-i)
			break
		}
		fmt.Fprintf(w, "    %s\n", plain.Text(c))
	}
}
