package proved

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"

	"github.com/turnproof/turnproof/cmd/trust/mutate"
	"github.com/turnproof/turnproof/verify/cert"
)

// This file changes certificates and gives them to both checkers.

// trial compares the checkers.
type trial struct {
	prover *prover
	folder string // for certificates on which they differ
	tally  *tally
	found  []string // files in folder, with both answers
}

// enough is the number of disagreements after which a trial stops.
const enough = 10

// edit changes a certificate, always in the same way.
type edit func(c *cert.Certificate)

// withoutMessages removes the claims about messages, of which nothing is proved.
func withoutMessages(c *cert.Certificate) {
	c.Claims = slices.DeleteFunc(c.Claims, func(c cert.Claim) bool { return c.Claim == cert.ClaimMessages })
}

// edited returns a copy of a certificate with some edits.
func edited(c *cert.Certificate, edits ...edit) *cert.Certificate {
	m := mutate.Clone(c)
	for _, e := range edits {
		e(m)
	}
	return m
}

// draw returns one to five random edits. others are certificates that values can come from.
func draw(rng *rand.Rand, others []original) (edits []edit) {
	if rng.IntN(20) > 0 {
		edits = append(edits, withoutMessages)
	}
	for again := true; again && len(edits) < 5; again = rng.IntN(3) == 0 {
		seed, at := rng.Uint64(), rng.IntN(3*len(structured))
		edits = append(edits, func(c *cert.Certificate) {
			rng := rand.New(rand.NewPCG(seed, 2))
			if at < len(structured) {
				structured[at](rng, c)
			} else {
				change(rng, c, others)
			}
		})
	}
	return edits
}

// judge returns whether the checkers agree on a certificate.
func (t *trial) judge(c *cert.Certificate) (o outcome, rejected, answer string, err error) {
	file := written(c)
	if answer, err = t.prover.ask(file); err != nil {
		return differ, "", "", err
	}
	rejected = inGo(file)
	return compare(rejected, answer), rejected, answer, nil
}

// count judges a certificate, counts the outcome, and keeps the certificate if the checkers differ.
func (t *trial) count(c *cert.Certificate) error {
	o, rejected, answer, err := t.judge(c)
	if err != nil {
		return err
	}
	t.tally.add(c, rejected, answer, o)
	if o != differ {
		return nil
	}
	name := fmt.Sprintf("differ-%d.cert", len(t.found))
	t.found = append(t.found, fmt.Sprintf("%s: Go rejects %q, proved: %s", name, rejected, answer))
	return os.WriteFile(filepath.Join(t.folder, name), written(c), 0o644)
}

// changed judges random changes of certificates.
func (t *trial) changed(seed uint64, from []original, count int, progress func(done int)) error {
	rng := rand.New(rand.NewPCG(seed, 1))
	for i := 0; i < count && len(t.found) < enough; i++ {
		if i%10_000 == 0 {
			progress(i)
		}
		original, edits := mutate.Pick(rng, from), draw(rng, from)
		c := edited(original.c, edits...)
		o, _, _, err := t.judge(c)
		if err == nil && o == differ {
			c = t.shrink(original.c, edits)
		}
		if err == nil {
			err = t.count(c)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", original.name, err)
		}
	}
	return nil
}

// shrink leaves out edits, and then claims, as long as the checkers differ.
func (t *trial) shrink(c *cert.Certificate, edits []edit) *cert.Certificate {
	differs := func(c *cert.Certificate) bool {
		o, _, _, err := t.judge(c)
		return err == nil && o == differ
	}
	for i := len(edits) - 1; i >= 0; i-- {
		if fewer := slices.Delete(slices.Clone(edits), i, i+1); differs(edited(c, fewer...)) {
			edits = fewer
		}
	}
	c = edited(c, edits...)
	for i := len(c.Claims) - 1; i >= 0; i-- {
		if fewer := edited(c, func(c *cert.Certificate) { c.Claims = slices.Delete(c.Claims, i, i+1) }); differs(fewer) {
			c = fewer
		}
	}
	return c
}
