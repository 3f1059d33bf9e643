package proved

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/turnproof/turnproof/cmd/trust/mutate"
	"github.com/turnproof/turnproof/cmd/trust/stage"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/route"
	"github.com/turnproof/turnproof/model/topo"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/cert"
)

// This file collects the certificates that are judged as they are, and then changed.

// original is a certificate as a program wrote it.
type original struct {
	name string
	c    *cert.Certificate
}

// written returns the file of a certificate.
func written(c *cert.Certificate) []byte {
	var file bytes.Buffer
	if err := cert.Write(&file, c); err != nil {
		panic(err) // writing to a buffer does not fail
	}
	return file.Bytes()
}

// ofTopologies returns the certificates of every routing that fits on some networks.
func ofTopologies(ctx context.Context, specs []string) ([]original, error) {
	var list []original
	for _, spec := range specs {
		net, err := topo.Parse(spec)
		if err != nil {
			return nil, err
		}
		for _, r := range route.Routings() {
			relation, err := route.New(r.Name, net, route.Options{})
			if err != nil {
				continue // it does not fit
			}
			for _, s := range []model.Switching{model.CutThrough, model.StoreAndForward, model.Wormhole} {
				for _, w := range []model.Waiting{model.WaitAny, model.WaitOne, model.WaitMixed} {
					report, err := verify.Check(ctx, committing{relation}, verify.Options{Switching: s, Waiting: w, AllStates: true, NoPairs: true,
						Listed: true})
					if err != nil {
						return nil, fmt.Errorf("%s, %s: %w", spec, r.Name, err)
					}
					c := report.Certificate
					if c == nil || len(c.Claims) == 0 || w != model.WaitAny && c.Subject.Waiting == "" {
						continue
					}
					list = append(list, original{fmt.Sprintf("%s %s %s %s", spec, r.Name, s, w), mutate.Clone(c)})
				}
			}
		}
	}
	return list, nil
}

// committing is a relation whose packets wait for one next hop in every third state.
type committing struct{ model.Relation }

// Commits implements model.Committer.
func (committing) Commits(s model.State) bool { return (int(s.VC)+int(s.Dest)+int(s.Class))%3 == 0 }

// ofTests returns the certificates of the tests of verify/cert.
func ofTests(ctx context.Context, o stage.Options) ([]original, error) {
	folder := filepath.Join(o.Work, "certificates")
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return nil, err
	}
	command := exec.CommandContext(ctx, "go", "test", "-count=1", "-run", "^TestCorpus$", "./verify/cert")
	command.Dir, command.Env = o.Root, append(os.Environ(), "TURNPROOF_CERTIFICATES="+folder)
	if out, err := command.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%w\n%s", err, out)
	}
	return readAll(folder)
}

func readAll(folder string) ([]original, error) {
	files, err := filepath.Glob(filepath.Join(folder, "*.cert"))
	if err != nil || len(files) == 0 {
		return nil, fmt.Errorf("no certificates in %s (%v)", folder, err)
	}
	var list []original
	for _, name := range files {
		file, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		c, err := cert.Read(bytes.NewReader(file))
		if err == nil {
			c, err = cert.List(c) // the proved checker reads version 1
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		list = append(list, original{strings.TrimSuffix(filepath.Base(name), ".cert"), c})
	}
	return list, nil
}

// ofFabrics returns the certificates of all fabrics in a folder that is organised as examples/fabrics.
func ofFabrics(ctx context.Context, o stage.Options, folder string) ([]original, error) {
	truths, err := filepath.Glob(filepath.Join(folder, "*", "*", "truth.json"))
	if err != nil {
		return nil, err
	}
	var list []original
	for _, truth := range truths {
		at := filepath.Dir(truth)
		name := filepath.Base(filepath.Dir(at)) + " " + filepath.Base(at)
		out := filepath.Join(o.Work, strings.ReplaceAll(name, " ", "-")+".fabric")
		said, err := exec.CommandContext(ctx, filepath.Join(o.Bin, "turnproof"), "check", at, "--certificate", out).CombinedOutput()
		file, missing := os.ReadFile(out)
		if missing != nil {
			return nil, fmt.Errorf("%s: %w: %w\n%s", name, err, missing, said)
		}
		c, err := cert.Read(bytes.NewReader(file))
		if err == nil {
			c, err = cert.List(c) // the proved checker reads version 1
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		list = append(list, original{name, c})
	}
	return list, nil
}

// atMost returns the originals whose files have at most a number of bytes.
func atMost(bytes int, list []original) []original {
	return slices.DeleteFunc(slices.Clone(list), func(o original) bool { return len(written(o.c)) > bytes })
}

const (
	judgedBytes  = 100_000 // of certificates that are judged as they are; the proved checker visits each pair of endpoints
	changedBytes = 20_000  // of certificates that are changed
)

// withOtherEvidence adds the same certificates with evidence of deadlock-free of another kind, if it is
// accepted. The provers write few worms, escapes and elimination orders.
func withOtherEvidence(list []original) []original {
	for _, o := range slices.Clone(list) {
		for seed := range uint64(2) {
			c := edited(o.c, withoutMessages, func(c *cert.Certificate) { otherEvidence(rand.New(rand.NewPCG(seed, 2)), c) })
			if !bytes.Equal(written(c), written(o.c)) && inGo(written(c)) == "" {
				list = append(list, original{fmt.Sprintf("%s, other evidence %d", o.name, seed), c})
				break
			}
		}
	}
	return list
}

// networks are small, so that many changes of their certificates can be judged.
var networks = []string{"line:3", "ring:4", "ring:5,vcs=2", "mesh:2x2",
	"mesh:2x2,vcs=2", "mesh:2x3,vcs=2", "torus:3x3,vcs=2", "hypercube:3", "fattree:k=4,levels=2"}

// gather returns the certificates of the stage: of tests, of topologies, and of fabrics.
func gather(ctx context.Context, o stage.Options) ([]original, error) {
	tests, err := ofTests(ctx, o)
	if err != nil {
		return nil, err
	}
	topologies, err := ofTopologies(ctx, networks)
	if err != nil {
		return nil, err
	}
	folder := os.Getenv("TURNPROOF_FABRICS")
	if folder == "" {
		folder = filepath.Join(o.Root, "examples", "fabrics")
	}
	fabrics, err := ofFabrics(ctx, o, folder)
	return slices.Concat(tests, topologies, fabrics), err
}
