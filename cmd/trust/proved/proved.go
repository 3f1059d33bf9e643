package proved

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/turnproof/turnproof/cmd/trust/stage"
	"github.com/turnproof/turnproof/verify/cert"
)

// Stage is the stage.
var Stage = stage.Stage{Name: "proved", Title: "A checker that is proved correct says the same", Run: run}

const (
	defaultCases = 100_000
	enough       = 10 // disagreements, to stop at
)

// networks are small, so that much can be tried of them.
var networks = []string{"line:3", "ring:4", "ring:5,vcs=2", "mesh:2x2", "mesh:2x2,vcs=2", "mesh:2x3,vcs=2", "torus:3x3,vcs=2", "hypercube:3", "fattree:k=4,levels=2"}

func run(ctx context.Context, o stage.Options, out io.Writer) error {
	build := exec.CommandContext(ctx, "sh", filepath.Join(o.Root, ".build", "proved.sh"), o.Bin)
	build.Stderr = o.Progress
	begun := time.Now()
	if err := build.Run(); err != nil {
		return fmt.Errorf(".build/proved.sh: %w", err)
	}
	took := time.Since(begun)
	all, err := gather(ctx, o)
	if err != nil {
		return err
	}
	originals := atMost(judgedBytes, all)
	p, err := start(filepath.Join(o.Bin, "turnproof-proved"))
	if err != nil {
		return err
	}
	t := &trial{prover: p, o: o, tally: newTally()}
	cases := o.Cases
	if cases == 0 {
		cases = defaultCases
	}
	if err := t.asTheyAre(originals); err != nil {
		return err
	}
	whole := t.tally
	t.tally = newTally()
	if err := t.mutated(ctx, withOtherEvidence(atMost(mutatedBytes, originals)), cases); err != nil {
		return err
	}
	if err := p.stop(); err != nil {
		return err
	}
	fmt.Fprintf(out, "`verify/proved` is a checker of certificates written in Coq, with a proof of what it accepts, in terms of\n"+
		"packets that move through finite buffers (verify/proved/README.md). Coq has judged the proof in this run, and OCaml\n"+
		"compiled the program, in %v; it rests on no axiom. The checker in Go, `verify/cert`, shares no line with it.\n\n", took.Round(time.Second))
	fmt.Fprintf(out, "%d certificates as they were written but for claims about messages, by the tests of `verify/cert`, by `verify` for\ntopologies and routings, and by `turnproof check` for fabrics; %d of more than %d bytes left out:\n\n", len(originals), len(all)-len(originals), judgedBytes)
	whole.write(out)
	fmt.Fprintf(out, "\n%d certificates made of these by one to four changes of subject, claims and evidence, digests put right:\n\n", cases)
	t.tally.write(out)
	if len(t.found) > 0 {
		fmt.Fprintf(out, "\nThe checkers differ on %d certificates; kept: %s.\n", len(t.found), strings.Join(t.found, ", "))
		return &stage.Found{What: fmt.Sprintf("the proved checker and the one in Go differ on %d certificates", len(t.found))}
	}
	fmt.Fprintf(out, "\nThey agree on all that the proved checker judges.\n")
	return nil
}

// gather gets all originals.
func gather(ctx context.Context, o stage.Options) ([]original, error) {
	tests, err := ofTests(ctx, o)
	if err != nil {
		return nil, err
	}
	topologies, err := ofTopologies(ctx, networks)
	if err != nil {
		return nil, err
	}
	fabrics := os.Getenv("TURNPROOF_FABRICS")
	if fabrics == "" {
		fabrics = filepath.Join(o.Root, "examples", "fabrics")
	}
	real, err := ofFabrics(ctx, o, fabrics)
	return slices.Concat(tests, topologies, real), err
}

// A trial holds the checkers against each other.
type trial struct {
	prover *prover
	o      stage.Options
	tally  *tally
	found  []string // files with certificates that they differ on
}

// asTheyAre judges the originals, without their claims about messages, of which nothing is proved.
func (t *trial) asTheyAre(list []original) error {
	fmt.Fprintf(t.o.Progress, "%d certificates as they are\n", len(list))
	for _, original := range list {
		if _, err := t.judge(apply(original.c, []change{{noMessages, 0}}), true); err != nil {
			return fmt.Errorf("%s: %w", original.name, err)
		}
	}
	return nil
}

// judge has a certificate judged by both; with keep, a disagreement is written down.
func (t *trial) judge(c *cert.Certificate, keep bool) (outcome, error) {
	file := written(c)
	answer, err := t.prover.ask(file)
	if err != nil {
		return differ, err
	}
	rejected := inGo(file)
	o := compare(rejected, answer)
	if !keep {
		return o, nil
	}
	t.tally.add(c, rejected, answer, o)
	if o == differ {
		name := filepath.Join(t.o.Root, "cmd", "trust", "proved", "testdata", fmt.Sprintf("differ-%d-%d.cert", t.o.Seed, len(t.found)))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			return o, err
		}
		t.found = append(t.found, fmt.Sprintf("%s (Go: %q, proved: %q)", filepath.Base(name), rejected, answer))
		fmt.Fprintf(t.o.Progress, "they differ: %s\n", t.found[len(t.found)-1])
		return o, os.WriteFile(name, file, 0o644)
	}
	return o, nil
}

// A change is a mutation with the seed of its random choices.
type change struct {
	mutation mutation
	seed     uint64
}

// apply makes a certificate of an original by changes.
func apply(c *cert.Certificate, changes []change) *cert.Certificate {
	m := clone(c)
	for _, x := range changes {
		x.mutation.change(rand.New(rand.NewPCG(x.seed, 2)), m)
	}
	return m
}

// drawn gives random changes, one to four; claims about messages, of which nothing is proved, are
// mostly left out.
func drawn(rng *rand.Rand, all []mutation) []change {
	var list []change
	if rng.IntN(20) > 0 {
		list = append(list, change{noMessages, 0})
	}
	for again := true; again && len(list) < 5; again = rng.IntN(3) == 0 {
		list = append(list, change{pick(rng, all), rng.Uint64()})
	}
	return list
}

var noMessages = mutation{"no messages", func(_ *rand.Rand, c *cert.Certificate) bool {
	c.Claims = slices.DeleteFunc(c.Claims, func(c cert.Claim) bool { return c.Claim == cert.ClaimMessages })
	return true
}}

// mutated judges so many mutated certificates.
func (t *trial) mutated(ctx context.Context, from []original, cases int) error {
	rng, all := rand.New(rand.NewPCG(t.o.Seed, 1)), mutations()
	for i := range cases {
		if i%10_000 == 0 {
			fmt.Fprintf(t.o.Progress, "%d of %d mutated certificates\n", i, cases)
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		original, changes := pick(rng, from), drawn(rng, all)
		m := apply(original.c, changes)
		o, err := t.judge(m, false)
		if err == nil && o == differ {
			m, err = t.shrink(original.c, changes)
		}
		if err == nil {
			_, err = t.judge(m, true)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", original.name, err)
		}
		if len(t.found) >= enough {
			return nil
		}
	}
	return nil
}

// shrink leaves changes out, and then claims, as long as the checkers differ.
func (t *trial) shrink(c *cert.Certificate, changes []change) (*cert.Certificate, error) {
	for i := 0; i < len(changes); {
		fewer := slices.Delete(slices.Clone(changes), i, i+1)
		o, err := t.judge(apply(c, fewer), false)
		if err != nil {
			return nil, err
		}
		if o == differ {
			changes = fewer
		} else {
			i++
		}
	}
	m := apply(c, changes)
	for i := 0; i < len(m.Claims); {
		fewer := clone(m)
		fewer.Claims = slices.Delete(fewer.Claims, i, i+1)
		o, err := t.judge(fewer, false)
		if err != nil {
			return nil, err
		}
		if o == differ {
			m = fewer
		} else {
			i++
		}
	}
	return m, nil
}
