package prove

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/cmd/turnproof/say"
	"github.com/turnproof/turnproof/cmd/turnproof/verdict"
	"github.com/turnproof/turnproof/internal/wording"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/program"
	"github.com/turnproof/turnproof/synth/resolve"
	"github.com/turnproof/turnproof/synth/vcrule"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/cert"
	"github.com/turnproof/turnproof/verify/explain"
	"github.com/turnproof/turnproof/verify/local"
)

// This file proves programs for any network, and prints the result.

// isForNetworks reports whether the programs are for any network.
func isForNetworks(list []toProve) bool {
	return len(list) == 1 && list[0].program.Family.Kind == program.AnyNetwork
}

// proveNetworks proves a program for any network.
func proveNetworks(c *cli.Context, word string, p *program.Program, switching model.Switching, claims []string, began time.Time,
	line *cli.Progress) error {
	for _, flag := range []string{"obligations", "flow", "family", "dims", "length", "faults", "proof", "figure", "journal"} {
		if c.IsSet(flag) {
			return fmt.Errorf("--%s is for programs of grids; %s is for any network", flag, p.Name)
		}
	}
	for _, name := range claims {
		if !slices.Contains(local.AllClaims, name) {
			return fmt.Errorf("--claims: %s is decided for grids only; for any network choose of %s", name, strings.Join(local.AllClaims, ", "))
		}
	}
	var waiting model.Waiting
	if word := c.String("waiting"); word != "" {
		var err error
		if waiting, err = model.ParseWaiting(word); err != nil {
			return fmt.Errorf("--waiting: %w", err)
		}
	}
	search, err := findNumbered(c, p, vcrule.Options{Switching: switching, Waiting: waiting}, line)
	if err != nil {
		return err
	}
	if search != nil && search.Program == nil {
		return printer{c: c, word: word, family: "network()", began: began, search: search}.endSearch()
	}
	if search != nil {
		p = search.Program
	}
	inputs := programInputs(word, []toProve{{program: p}})
	r, err := local.Prove(c.Context, p, local.Options{Switching: switching, Waiting: waiting, Claims: claims, Inputs: inputs, Progress: func(what string) {
		line.Tell("%s: %s", p.Name, what)
	}})
	if err != nil {
		return fmt.Errorf("prove: %w", err)
	}
	if err := writeNetworksCertificate(c, r); err != nil {
		return err
	}
	if c.Bool("json") {
		err = printNetworksJSON(c, word, inputs, search, r)
	} else {
		if printSearch(c.App.Writer, search); search != nil {
			fmt.Fprintln(c.App.Writer)
		}
		printNetworks(c.App.Writer, word, r)
	}
	if err != nil {
		return err
	}
	return verdict.Status(r.Verdict)
}

// writeNetworksCertificate writes the certificate of the theorem about every network, or of the network that refutes a claim. If both exist, it
// writes the refutation, and a note.
func writeNetworksCertificate(c *cli.Context, r *local.Report) error {
	file := c.String("certificate")
	if file == "" {
		return nil
	}
	made := r.Certificate
	if w := r.Witness; w != nil && w.Report != nil {
		if made != nil {
			fmt.Fprintf(c.App.ErrWriter, "turnproof: %s has the refutation; --claims with the proved claims writes their proof\n", file)
		}
		made = w.Report.Certificate
	}
	if made == nil {
		fmt.Fprintf(c.App.ErrWriter, "turnproof: no certificate is written to %s: nothing is proved for every network\n", file)
		return nil
	}
	return cli.WriteFile(c, file, func(w io.Writer) error { return cert.Write(w, made) })
}

// failing returns the network of the witness as an input of check, or nil if the program ends with an error on it.
func failing(r *local.Report) *resolve.Subject {
	if r.Witness == nil || r.Witness.Report == nil {
		return nil
	}
	rel := r.Witness.Report.Relation
	return &resolve.Subject{Fabric: resolve.Fabric{Name: r.Witness.Name, Net: rel.Network()},
		Routes: resolve.Routes{Rel: rel, Routing: r.Program, Flows: r.Witness.Flows}}
}

// printNetworks prints a proof for every network.
func printNetworks(w io.Writer, word string, r *local.Report) {
	p := func(format string, a ...any) { fmt.Fprintf(w, format, a...) }
	p("%s: %s\n\n", r.Program, r.Networks)
	for _, c := range r.Claims {
		note := c.Theorem
		if c.Verdict != verify.Proved {
			note = c.Reason
		}
		discipline := ""
		if c.Name == cert.ClaimDeadlockFree && c.Verdict != verify.Undecided {
			discipline = explain.DisciplineWords(r.Switching)
		}
		note = claimNote(c.Network, discipline, note)
		p("%-9s  %-14s %s\n", strings.ToUpper(string(c.Verdict)), c.Name, note)
	}
	for _, name := range local.AllClaims {
		if !slices.ContainsFunc(r.Claims, func(c local.Claim) bool { return c.Name == name }) {
			p("%-9s  %-14s left out by --claims\n", "NOT ASKED", name)
		}
	}
	if r.Certificate != nil && !r.Paths {
		p("\nRank of a channel from switch tail to switch head, compared from left to right:\n")
		width := 0
		for _, row := range r.Ranks {
			width = max(width, len(row.Channel))
		}
		for _, row := range r.Ranks {
			p("  %-*s  (%s)\n", width, row.Channel, strings.Join(row.Tuple, ", "))
		}
	}
	if r.Certificate != nil {
		say.PrintPremises(w, r.Premises)
		total := 0
		for _, k := range r.Proved {
			total += k
		}
		p("\n%s of classes of packets, %s.\n", wording.Count(len(r.Invariant), "condition", "s"), wording.Count(total, "obligation", "s"))
		p("The independent checker ran the text of the program itself, and accepted the proof of each obligation.\n")
	}
	if s := r.Witness; s != nil {
		p("\nThe claim %s fails on this network; it fails on no smaller one among those tried (%s):\n  %s\n", s.Claim,
			wording.Count(s.Tried, "network", "s"), s.Name)
		if s.Spec {
			p("Reproduce: turnproof check %s --routing %s%s\n", s.Name, word, flowsFlag(s))
		}
		if in := failing(r); in != nil {
			p("\nAll that follows is about this network, and not about others.\n\n")
			verdict.PrintMember(w, in, s.Report, r.Seconds)
		}
		return
	}
	if r.Verdict == verify.Undecided {
		p("\nNext: turnproof check NETWORK --routing %s decides one network.\n", word)
	}
	p("\n%s for %s. %s checked one by one. %.2f s\n", strings.ToUpper(string(r.Verdict)), r.Networks,
		wording.Count(len(r.Searched), "small network", "s"), r.Seconds)
}

// mostFlows bounds the pairs of hosts that a command line to reproduce a failure has.
const mostFlows = 8

// flowsFlag returns the flag of the pairs of hosts that a failure needs, or "" if they are many.
func flowsFlag(w *local.Witness) string {
	if len(w.Flows) == 0 || len(w.Flows) > mostFlows {
		return ""
	}
	var list []string
	for _, f := range w.Flows {
		list = append(list, w.Network.HostLabel(f.Source)+":"+w.Network.HostLabel(f.Dest))
	}
	return " --flows " + strings.Join(list, ",")
}

// printNetworksJSON prints a proof for every network as JSON.
func printNetworksJSON(c *cli.Context, word string, inputs []cert.Input, search *vcrule.Result, r *local.Report) error {
	j := proofJSON{File: r.Program, Result: string(r.Verdict), Family: "network()", Sizes: r.Networks, Switching: []string{},
		Rank: []rankJSON{}, Escape: []string{}, Invariants: append([]string{}, r.Invariant...), Obligations: []obligationJSON{}, NotAsked: []string{},
		Searched: append([]string{}, r.Searched...), Rechecked: []string{}, Notes: []string{},
		Premises: append([]model.Premise{}, r.Premises...), ProofSeconds: r.Seconds}
	for _, s := range r.Switching {
		j.Switching = append(j.Switching, string(s))
	}
	switch {
	case r.Verdict == verify.Refuted:
		j.Method = "smallest network"
	case r.Certificate != nil && len(r.Escape) > 0:
		j.Method = "escape"
	case r.Certificate != nil && !r.Paths:
		j.Method = "rank"
	case r.Paths:
		j.Method = "measure"
	}
	for _, name := range local.AllClaims {
		if !slices.ContainsFunc(r.Claims, func(c local.Claim) bool { return c.Name == name }) {
			j.NotAsked = append(j.NotAsked, name)
		}
	}
	for _, row := range r.Ranks {
		j.Rank = append(j.Rank, rankJSON{row.Channel, row.Tuple})
	}
	for _, vc := range r.Escape {
		j.Escape = append(j.Escape, fmt.Sprintf("VC %d", vc))
	}
	for _, kind := range slices.Sorted(maps.Keys(r.Proved)) {
		for range r.Proved[kind] {
			j.Obligations = append(j.Obligations, obligationJSON{Kind: kind, Result: "unsat"})
		}
	}
	fields := map[string]**bool{cert.ClaimDeadlockFree: &j.DeadlockFree, cert.ClaimConnected: &j.Connected, cert.ClaimLivelockFree: &j.LivelockFree}
	for _, x := range r.Claims {
		if x.Verdict != verify.Undecided {
			holds := x.Verdict == verify.Proved
			*fields[x.Name] = &holds
		}
		j.Claims = append(j.Claims, claimJSON{verdict.ClaimJSON{Claim: x.Name, Verdict: string(x.Verdict), Theorem: x.Theorem,
			Premises: []string{}, Reason: x.Reason}, x.Network})
	}
	if in := failing(r); in != nil {
		w := verdict.NewCheckJSON(in, r.Witness.Report, "", nil, r.Seconds)
		j.Witness = &w
	}
	return cli.PrintJSON(c.App.Writer, proveJSON{Schema: "turnproof.prove/1", Program: word, Verdict: string(r.Verdict), Inputs: inputs,
		Search: newSearchJSON(search), Seconds: r.Seconds, Proofs: []proofJSON{j}, proofJSON: j})
}
