package check

import (
	"fmt"
	"io"
	"regexp"
	"slices"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/cmd/turnproof/input"
	"github.com/turnproof/turnproof/cmd/turnproof/judging"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/synth/recipes"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/cert"
)

// This file writes certificates of recipes: of each, of the pairs that are kept, and that fewer pairs are not enough.

// notInNames matches what is left out of the names of files.
var notInNames = regexp.MustCompile(`[^A-Za-z0-9._-]+`)

// certify writes the certificates into a folder.
func (r *recipesCheck) certify(write cli.FileWriter) error {
	o, err := judging.Options(r.c, r.in)
	if err != nil {
		return err
	}
	flow, err := input.ReadFlowSizes(r.c, r.in)
	if err != nil {
		return err
	}
	o.Conditions, o.Listed = append(o.Conditions, conditions(nil, flow, nil)...), true
	for i, x := range r.recipes {
		name := fmt.Sprintf("%03d-%s", i+1, notInNames.ReplaceAllString(x.Name, "_"))
		if err := r.certifyRecipe(write, name, x.Pairs, r.answers[i], o); err != nil {
			return fmt.Errorf("recipe %s: %w", x.Name, err)
		}
	}
	return nil
}

// certifyRecipe writes the certificates of a recipe.
func (r *recipesCheck) certifyRecipe(write cli.FileWriter, name string, pairs []model.Flow, a *recipes.Answer, o verify.Options) error {
	made, err := r.certifyPairs(write, name, pairs, o)
	if err != nil || a.Cycle == nil {
		return err
	}
	fewest, bound, steps := *made, int64(a.Least), cert.Ints(a.Bound)
	fewest.Claims = []cert.Claim{{Claim: cert.ClaimLowerBound, Verdict: cert.Proved, Evidence: cert.EvidenceFewestPairs, Bound: &bound, Steps: &steps}}
	if err := cert.Check(&fewest); err != nil {
		return fmt.Errorf("internal error: %w", err)
	}
	if err := write(name+"-fewest.cert", func(w io.Writer) error { return cert.Write(w, &fewest) }); err != nil {
		return err
	}
	kept := slices.Clone(pairs)
	for _, p := range slices.Backward(a.Drop) {
		kept = slices.Delete(kept, p, p+1)
	}
	_, err = r.certifyPairs(write, name+"-kept", kept, o)
	return err
}

// certifyPairs writes the certificate of the routing with these pairs.
func (r *recipesCheck) certifyPairs(write cli.FileWriter, name string, pairs []model.Flow, o verify.Options) (*cert.Certificate, error) {
	rep, err := verify.Check(r.c.Context, model.WithFlows(r.in.Rel, pairs), o)
	if err != nil {
		return nil, err
	}
	return rep.Certificate, write(name+".cert", func(w io.Writer) error { return cert.Write(w, rep.Certificate) })
}
