package prove

import (
	"slices"

	"github.com/turnproof/turnproof/cmd/turnproof/verdict"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/cert"
	"github.com/turnproof/turnproof/verify/parametric"
)

// This file has the report of prove as JSON (docs/schema/prove.json).

// proveJSON is the output of prove --json.
type proveJSON struct {
	Schema  string `json:"schema"`
	Program string `json:"program"`
	Verdict string `json:"verdict"`
	proofJSON
	Proofs  []proofJSON  `json:"proofs"`
	Search  *searchJSON  `json:"vc_search"` // null unless --find-vcs
	Inputs  []cert.Input `json:"inputs"`    // the program, if it was read from a file
	Seconds float64      `json:"seconds"`
}

// proofJSON is one proof: of one program, for one number of dimensions.
type proofJSON struct {
	File         string           `json:"file"`
	Result       string           `json:"result"`
	Family       string           `json:"family"`
	Dimensions   int              `json:"dimensions"`
	Sizes        string           `json:"sizes"`
	SmallestSize *int             `json:"smallest_size"` // the largest side of the smallest network that fails
	Switching    []string         `json:"switching"`
	Method       string           `json:"method"`
	DeadlockFree *bool            `json:"deadlock_free"`
	Connected    *bool            `json:"connected"`
	LivelockFree *bool            `json:"livelock_free"`
	Rank         []rankJSON       `json:"rank"`
	Escape       []string         `json:"escape"`
	Invariants   []string         `json:"invariants"`
	Obligations  []obligationJSON `json:"obligations"`
	Given        *givenJSON       `json:"given_rank"`
	LongestPath  *string          `json:"longest_path,omitempty"` // a bound in words, with --length
	Minimal      *bool            `json:"minimal"`                // null unless --claims asks for it
	Determined   *bool            `json:"deterministic"`
	Adaptive     *bool            `json:"fully_adaptive"`
	examplesJSON
	Witness      *verdict.CheckJSON `json:"witness"` // the output of check for the smallest network that fails
	Searched     []string           `json:"searched"`
	Rechecked    []string           `json:"rechecked"`
	Claims       []claimJSON        `json:"claims"`
	NotAsked     []string           `json:"not_asked"` // claims that --claims leaves out
	Premises     []model.Premise    `json:"premises"`
	Notes        []string           `json:"notes"`
	ProofSeconds float64            `json:"proof_seconds"`
}

// claimJSON is a claim for every size.
type claimJSON struct {
	verdict.ClaimJSON
	Network string `json:"network,omitempty"` // the smallest network that refutes the claim
}

type rankJSON struct {
	Channel string   `json:"channel"`
	Rank    []string `json:"rank"`
}

type obligationJSON struct {
	Kind    string  `json:"kind"`
	Name    string  `json:"name"`
	Result  string  `json:"result"` // unsat if proved
	Seconds float64 `json:"seconds"`
}

type givenJSON struct {
	Verdict  string        `json:"verdict"`
	Failures []failureJSON `json:"failures"`
	Left     []string      `json:"left"`
	Repair   []rankJSON    `json:"repair"`
}

type failureJSON struct {
	From     string  `json:"from"`
	To       string  `json:"to"`
	Network  string  `json:"network"`
	FromTail []int   `json:"from_tail"`
	ToTail   []int   `json:"to_tail"`
	FromRank []int64 `json:"from_rank"`
	ToRank   []int64 `json:"to_rank"`
}

func newProofJSON(r *parametric.Report) (proofJSON, error) {
	j := proofJSON{File: r.Program, Result: string(r.Verdict), Family: r.Family, Dimensions: r.Dims, Sizes: r.Sizes, Method: r.Method,
		Switching: []string{}, Rank: rankRows(r.Ranks), Escape: append([]string{}, r.Escape...), Invariants: append([]string{}, r.Invariants...),
		Obligations: []obligationJSON{}, NotAsked: notAsked(r), Searched: networkNames(r, r.Searched), Rechecked: networkNames(r, r.Rechecked),
		Notes: append([]string{}, r.Notes...), Premises: append([]model.Premise{}, r.Premises...), ProofSeconds: r.Seconds}
	for _, s := range r.Switching {
		j.Switching = append(j.Switching, string(s))
	}
	for _, o := range r.Obligations {
		j.Obligations = append(j.Obligations, obligationJSON{o.Kind, o.Name, o.Result.String(), o.Seconds})
	}
	fields := map[string]**bool{cert.ClaimDeadlockFree: &j.DeadlockFree, cert.ClaimConnected: &j.Connected, cert.ClaimLivelockFree: &j.LivelockFree,
		cert.ClaimMinimal: &j.Minimal, cert.ClaimDeterministic: &j.Determined, cert.ClaimFullyAdaptive: &j.Adaptive}
	for _, c := range r.Claims {
		if field := fields[c.Name]; c.Verdict != verify.Undecided {
			holds := c.Verdict == verify.Proved
			*field = &holds
		}
		j.Claims = append(j.Claims, claimJSON{verdict.ClaimJSON{Claim: c.Name, Verdict: string(c.Verdict), Theorem: c.Theorem,
			Premises: append([]string{}, c.Premises...), Reason: c.Reason}, c.Network})
	}
	if r.Length != nil {
		j.LongestPath = &r.Length.Text
	}
	if g := r.Given; g != nil {
		j.Given = &givenJSON{Verdict: string(g.Verdict), Failures: []failureJSON{}, Left: append([]string{}, g.Left...), Repair: rankRows(g.Repair)}
		for _, f := range g.Failures {
			j.Given.Failures = append(j.Given.Failures, failureJSON{f.From, f.To, r.NetworkName(f.Sides), f.FromTail, f.ToTail, f.FromRank, f.ToRank})
		}
	}
	for _, w := range r.Examples {
		side := slices.Max(w.Sides)
		j.SmallestSize = &side
	}
	j.examplesJSON = newExamplesJSON(r)
	if r.Witness != nil {
		side := slices.Max(r.Witness.Sides)
		j.SmallestSize = &side
		w := verdict.NewCheckJSON(witnessInput(r, r.Program), r.Witness.Report, "", nil, r.Seconds)
		j.Witness = &w
	}
	return j, nil
}

func rankRows(list []parametric.Rank) []rankJSON {
	rows := []rankJSON{}
	for _, r := range list {
		rows = append(rows, rankJSON{r.Channel, r.Tuple})
	}
	return rows
}
