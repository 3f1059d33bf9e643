package proved

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/turnproof/turnproof/cmd/trust/stage"
	"github.com/turnproof/turnproof/verify/cert"
	"github.com/turnproof/turnproof/verify/cert/everysize"
)

// This file compares the checkers on certificates of routing programs for every size. The proved checker reads the paths that
// the checker in Go obtained from the text of the program.

// keptSizes returns the certificates of the tests of package everysize that the proved checker can judge.
func keptSizes() ([]original, error) {
	all, err := readAll(filepath.Join("..", "..", "..", "verify", "cert", "everysize", "testdata"))
	return listable(all), err
}

// listable removes the certificates that are about HyperX networks or flow control of rings.
func listable(list []original) []original {
	return slices.DeleteFunc(list, func(o original) bool {
		return o.c.Subject.Program.Flow != nil || strings.Contains(o.c.Subject.Program.Text, "hyperx")
	})
}

// publishedSizes proves the published programs for two dimensions, and returns their certificates. It returns none without Z3.
func publishedSizes(ctx context.Context, o stage.Options) ([]original, error) {
	files, err := filepath.Glob(filepath.Join(o.Root, "examples", "routing-programs", "published", "*.star"))
	if err != nil {
		return nil, err
	}
	folder := filepath.Join(o.Work, "sizes")
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return nil, err
	}
	for _, file := range files {
		for _, switching := range []string{"vct", "wormhole"} {
			if switching == "wormhole" && !strings.HasPrefix(filepath.Base(file), "duato.") {
				continue
			}
			out := filepath.Join(folder, strings.TrimSuffix(filepath.Base(file), ".star")+"-"+switching+".cert")
			for _, dims := range [][]string{{"--dims", "2"}, nil} { // some programs have a fixed number
				arguments := append([]string{"prove", file, "--switching", switching, "--certificate", out}, dims...)
				said, err := exec.CommandContext(ctx, filepath.Join(o.Bin, "turnproof"), arguments...).CombinedOutput()
				if bytes.Contains(said, []byte("without Z3")) {
					return nil, nil
				}
				if _, missing := os.Stat(out); missing == nil || ctx.Err() != nil {
					break
				} else if dims == nil && err == nil {
					return nil, fmt.Errorf("%s: no certificate\n%s", file, said)
				}
			}
		}
	}
	list, err := readAll(folder)
	return listable(list), err
}

// sizesOutcome is the outcome for a certificate for every size.
type sizesOutcome struct {
	outcome
	inPaths bool // the checker in Go rejects the proofs about paths, so nothing is listed
}

// judgeSizes asks both checkers about a certificate for every size.
func (p *prover) judgeSizes(c *cert.Certificate) (o sizesOutcome, rejected, answer string, err error) {
	rejected = inGo(written(c))
	listing, unlisted := everysize.List(c)
	if unlisted != nil {
		if rejected == "" {
			return o, rejected, "", fmt.Errorf("accepted, but not listed: %w", unlisted)
		}
		return sizesOutcome{bothReject, true}, rejected, "", nil
	}
	if answer, err = p.ask(listing); err != nil {
		return o, rejected, answer, err
	}
	accepts := strings.HasPrefix(answer, "accepted in part, not judged: that these are all paths of the program ")
	switch {
	case accepts && rejected == "":
		o.outcome = bothAccept
	case strings.HasPrefix(answer, "rejected: ") && rejected != "":
		o.outcome = bothReject
	default:
		o.outcome = differ
	}
	return o, rejected, answer, nil
}

// changeSizes changes values of the evidence for every size.
func changeSizes(rng *rand.Rand, c *cert.Certificate) {
	all := fields(c)
	names := slices.DeleteFunc(slices.Sorted(maps.Keys(all)), func(name string) bool {
		return !strings.HasPrefix(name, ".Claims.Sizes.") || isAbsent(all[name])
	})
	for again := true; again; again = rng.IntN(3) == 0 {
		name := ".Claims.Sizes.Proofs"
		if rng.IntN(2) == 0 {
			name = pick(rng, names)
		}
		v := pick(rng, all[name])
		switch x := v.Addr().Interface().(type) {
		case *bool:
			*x = !*x
		case *string:
			*x = pick(rng, []string{"none", "channels", "first", "last", "detour"})
		default:
			changeValue(rng, v)
		}
	}
}

// sizesTally counts the outcomes of changed certificates.
type sizesTally struct {
	accepted, rejected, inPaths int
	differ                      []string
}

// changedSizes compares the checkers on changed copies of certificates.
func (p *prover) changedSizes(seed uint64, list []original, count int) (t sizesTally, err error) {
	rng := rand.New(rand.NewPCG(seed, 31))
	for i := 0; i < count && len(t.differ) < enough; i++ {
		of := pick(rng, list)
		for len(of.c.Claims[0].Sizes.Proofs) > 20_000 && rng.IntN(100) > 0 {
			of = pick(rng, list) // the other takes a second
		}
		c := clone(of.c)
		changeSizes(rng, c)
		o, rejected, answer, err := p.judgeSizes(c)
		if err != nil {
			return t, fmt.Errorf("%s: %w", of.name, err)
		}
		switch {
		case o.inPaths:
			t.inPaths++
		case o.outcome == bothAccept:
			t.accepted++
		case o.outcome == bothReject:
			t.rejected++
		default:
			t.differ = append(t.differ, fmt.Sprintf("%s, change %d: Go rejects %q, proved: %s", of.name, i, rejected, answer))
		}
	}
	return t, nil
}
