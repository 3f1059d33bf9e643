package vlan

import (
	"fmt"
	"io"
	"strings"

	"github.com/turnproof/turnproof/cmd/turnproof/confirm"
	"github.com/turnproof/turnproof/cmd/turnproof/input"
	"github.com/turnproof/turnproof/cmd/turnproof/say"
	"github.com/turnproof/turnproof/cmd/turnproof/verdict"
	"github.com/turnproof/turnproof/internal/wording"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/vlan"
	"github.com/turnproof/turnproof/synth/resolve"
	"github.com/turnproof/turnproof/synth/vlans"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/explain"
)

// This file prints the result of vlan as text or JSON.

type vlanJSON struct {
	Schema        string          `json:"schema"`
	Network       string          `json:"network"`
	Routing       string          `json:"routing"`
	Method        string          `json:"method"`
	Verdict       string          `json:"verdict"`
	Premises      []model.Premise `json:"premises"`
	Inputs        []model.Input   `json:"inputs"` // the files that were read
	DeadlockFree  *bool           `json:"deadlock_free"`
	Connected     *bool           `json:"connected"`
	LivelockFree  *bool           `json:"livelock_free"`
	CDGAcyclic    bool            `json:"cdg_acyclic"`
	FloodAcyclic  bool            `json:"flood_acyclic"`
	VLANs         int             `json:"vlans"`
	LowerBound    int             `json:"lower_bound"`
	LowerBoundBy  string          `json:"lower_bound_by"`
	Optimal       bool            `json:"optimal"`
	Search        int             `json:"search"`
	Priorities    []int           `json:"priorities"`
	Spanning      int             `json:"spanning"`
	MostAtSwitch  int             `json:"most_at_switch"`
	StaticEntries int             `json:"static_entries"`
	Pairs         int64           `json:"pairs"`
	Unreachable   int64           `json:"unreachable_pairs"`
	Shortest      bool            `json:"shortest"`
	MeanPath      float64         `json:"mean_path"`
	MostPairs     int             `json:"most_pairs"` // largest number of pairs of hosts whose paths use one channel
	Cycle         []say.HopJSON   `json:"cycle"`

	Tables    *tablesJSON         `json:"tables"`    // null unless --routing is a file of tables with several next hops
	Simulated *confirm.VLANResult `json:"simulated"` // null without --simulate
	Notes     []string            `json:"notes"`
	Seconds   float64             `json:"seconds"`
}

func newVLANJSON(in *resolve.Subject, made *madeVLANs, rep, flood *verify.Report) *vlanJSON {
	s := made.Set
	check := verdict.NewCheckJSON(in, rep, "", nil, 0)
	out := &vlanJSON{Schema: "turnproof.vlan/1", Network: in.Name, Routing: in.Routing, Method: made.method, Verdict: string(rep.Verdict()),
		Premises: append([]model.Premise{}, rep.Premises...), Inputs: input.InputsJSON(in),
		DeadlockFree: check.DeadlockFree, Connected: check.Connected, LivelockFree: check.LivelockFree,
		CDGAcyclic: check.CDGAcyclic, FloodAcyclic: flood.Acyclic.Verdict == verify.Proved,
		VLANs: s.Len(), LowerBound: 1, Search: s.Len(),
		Priorities: s.Priorities(), Pairs: check.Pairs, Unreachable: check.UnreachablePairs, Cycle: check.Cycle, Notes: check.Notes}
	if f := made.Found; f != nil {
		out.LowerBound, out.LowerBoundBy, out.Optimal = f.Bound, f.By, f.Bound == s.Len()
		if made.Whole {
			out.Search = f.VLANs
		}
	}
	size := vlans.Measure(s)
	out.Spanning, out.MostAtSwitch, out.StaticEntries = size.Spanning, size.MostAtSwitch, size.StaticEntries
	out.Shortest, out.MeanPath, out.MostPairs = size.Shortest, size.MeanPath, size.MostPairs
	return out
}

func printVLANs(w io.Writer, in *resolve.Subject, made *madeVLANs, rep *verify.Report, tables *ecmpTables, out *vlanJSON) {
	n, s := in.Net, made.Set
	p := func(format string, a ...any) { fmt.Fprintf(w, format, a...) }
	p("%s: %s, %s, %s; %s\n\n", in.Name, wording.Count(n.NumSwitches(), "switch", "es"), wording.Count(n.NumHosts(), "host", "s"),
		wording.Count(n.NumLinks(), "link", "s"), in.Routing)
	p("VLANs:      %d%s, %s; %s\n", out.VLANs, ids(s), treeText(out), methodText(made))
	p("at least:   %d%s%s\n", out.LowerBound, boundText(made), within(out, made))
	switch {
	case out.Search < out.VLANs && made.method == vlanSearch:
		p("fewer:      %d with one priority, but with cycles\n", out.Search)
	case out.Search < out.VLANs:
		p("fewer:      --method search has found %d\n", out.Search)
	}
	shortest := "all shortest"
	if !out.Shortest {
		shortest = "not all shortest"
	}
	p("paths:      %s pairs, %.3f links on average, %s; %s at most on one channel\n", wording.Thousands(out.Pairs-out.Unreachable), out.MeanPath,
		shortest, wording.Thousands(int64(out.MostPairs)))
	p("switches:   %s at most, %s in all\n", wording.Count(out.MostAtSwitch, "VLAN", "s"), wording.Count(out.StaticEntries, "static entr", "ies", "y"))
	p("priorities: %s\n\n", priorityText(s))
	for _, c := range rep.Claims() {
		p("%-9s  %-14s %s\n", strings.ToUpper(string(c.Verdict)), c.Name, explain.ClaimNote(c, rep))
	}
	if out.Simulated != nil {
		p("%-9s  %-14s %s\n", "SIMULATED", "", simulatedVLANsText(out.Simulated))
	}
	if len(s.Priorities()) > 1 {
		p("This holds under PFC, priority by priority. It does not cover plain PAUSE, which stops all priorities of a link together.\n")
	}
	if out.FloodAcyclic {
		p("Flooded frames, such as broadcasts, close no cycle either.\n")
	} else if out.CDGAcyclic {
		p("Flooded frames would close a cycle: disable flooding, or keep it out of the lossless priorities.\n")
	}
	verdict.PrintCycle(w, in, rep)
	if f := rep.Routes.Lost; f != nil {
		p("\nNot connected: %s of %s pairs. One of them:\n  %s\n  %s\n", wording.Thousands(rep.Routes.Unreachable),
			wording.Thousands(rep.Routes.Pairs), explain.PacketText(in.Rel, f), explain.LostText(rep))
	}
	say.PrintPremises(w, rep.Premises)
	if tables != nil {
		tables.print(w)
		p("\nVLANs %s, tables %s. The independent checker accepted %d claims. %.2f s\n", strings.ToUpper(out.Verdict),
			strings.ToUpper(string(tables.rep.Verdict())), len(rep.Certificate.Claims)+len(tables.rep.Certificate.Claims), out.Seconds)
		return
	}
	p("\n%s. The independent checker accepted %d claims. %.2f s\n", strings.ToUpper(out.Verdict), len(rep.Certificate.Claims), out.Seconds)
}

// ids returns the range of the VLAN identifiers, or "" if they are not consecutive.
func ids(s *vlan.Set) string {
	first, last := s.At(0).ID, s.At(s.Len()-1).ID
	if last-first != s.Len()-1 || s.Len() == 1 {
		return ""
	}
	return fmt.Sprintf(" (%d to %d)", first, last)
}

func treeText(out *vlanJSON) string {
	switch out.Spanning {
	case out.VLANs:
		return "each a spanning tree"
	case 0:
		return "none of them spanning"
	}
	return fmt.Sprintf("%d of them spanning trees", out.Spanning)
}

func methodText(made *madeVLANs) string {
	switch {
	case made.method == vlanGiven:
		return "as given"
	case made.method == vlanSearch:
		return "found by search"
	}
	text := fmt.Sprintf("one for each line along dimension %d", made.along)
	if made.along < len("xyz") {
		text = "one for each line along " + "xyz"[made.along:made.along+1]
	}
	if made.pivot == 0 {
		text += " (Otsuka et al., definition 4)"
	}
	return text
}

// within names the time of the search for a bound that leaves a gap: more time may find a higher one.
func within(out *vlanJSON, made *madeVLANs) string {
	if made.Found == nil || out.Optimal || made.limit == 0 {
		return ""
	}
	return fmt.Sprintf(" (search of %g s)", made.limit.Seconds())
}

func boundText(made *madeVLANs) string {
	f := made.Found
	if f == nil {
		return ": not computed, because a pair has no path"
	}
	if !made.Whole && f.Bound > 1 {
		return fmt.Sprintf(": %s pairs in a corner already need this number", wording.Thousands(made.Paths.Pairs))
	}
	switch f.By {
	case vlans.ByCount:
		return fmt.Sprintf(": trees have too few paths of %d links for the %d that are needed", f.Links, f.Counted)
	case vlans.ByClash:
		return fmt.Sprintf(": no two of %d paths fit into one tree", len(f.Clash))
	case vlans.BySearch:
		return ": an exhaustive search found no assignment of the paths to fewer"
	}
	return ""
}

func priorityText(s *vlan.Set) string {
	var parts []string
	for _, p := range s.Priorities() {
		k := 0
		for i := range s.Len() {
			if s.At(i).Priority == p {
				k++
			}
		}
		parts = append(parts, fmt.Sprintf("%d for %s", p, wording.Count(k, "VLAN", "s")))
	}
	return strings.Join(parts, ", ")
}

func simulatedVLANsText(s *confirm.VLANResult) string {
	switch {
	case s.Deadlock:
		return fmt.Sprintf("frozen forever from %.3f ms on, under %s", 1e3**s.FrozenAt, s.Control)
	case s.Tries > 1:
		return fmt.Sprintf("not frozen in %d simulations under %s, which proves nothing", s.Tries, s.Control)
	}
	return fmt.Sprintf("not frozen and nothing lost under %s, %.0f of %.0f Mbit/s delivered", s.Control, s.Accepted/1e6, s.Offered/1e6)
}
