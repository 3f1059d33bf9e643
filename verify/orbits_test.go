package verify_test

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/route"
	"github.com/turnproof/turnproof/model/topo"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/cert"
)

// symmetricCases are relations, and how many groups of destinations are explored by symmetry; 0: there is none.
var symmetricCases = []struct {
	network, routing string
	orbits           int
}{
	{"mesh:4x5,hosts=2", "west-first", 12}, {"mesh:4x3", "north-last", 6}, {"mesh:5x4", "odd-even", 10},
	{"fattree:k=4,levels=2", "minimal", 1}, {"fattree:k=4,levels=3", "minimal", 1}, {"fattree:k=6,levels=3,vcs=2", "minimal", 1},
	{"fattree:k=4,levels=3,fail=0-8", "minimal", 0},
	{"complete:5,hosts=2", "minimal", 1}, {"complete:5", "updown", 0},
	{"mesh:6", "minimal", 3}, {"mesh:5", "updown", 3}, {"mesh:3", "minimal", 2},
}

// TestSymmetries: one destination of each orbit decides the same as all destinations, and the certificate stands
// for the same states.
func TestSymmetries(t *testing.T) {
	for _, x := range symmetricCases {
		rel := relationOf(t, x.network, x.routing)
		sameBySymmetry(t, x.network+" "+x.routing, rel, x.orbits)
	}
	r := rand.New(rand.NewPCG(27, 5))
	used := 0
	for range 200 {
		rel := randomSymmetricTurns(t, r)
		if sameBySymmetry(t, "random turns", rel, -1) {
			used++
		}
	}
	if used < 50 {
		t.Errorf("symmetries decided %d of 200 random sets of turns", used)
	}
}

// sameBySymmetry compares the verdicts and certificates with and without symmetries, and the number of explored groups
// unless orbits is -1. It reports whether symmetries were used.
func sameBySymmetry(t *testing.T, name string, rel model.Relation, orbits int) bool {
	t.Helper()
	o := verify.Options{Switching: model.CutThrough, NoSearch: true, NoPairs: true}
	some, err := verify.Check(t.Context(), rel, o)
	if err != nil {
		t.Fatal(name, err)
	}
	o.AllStates = true
	all, err := verify.Check(t.Context(), rel, o)
	if err != nil {
		t.Fatal(name, err)
	}
	if orbits >= 0 && some.Orbits != orbits {
		t.Errorf("%s: %d groups explored, want %d", name, some.Orbits, orbits)
	}
	if factsOf(some) != factsOf(all) {
		t.Fatalf("%s: by symmetry %s, else %s", name, factsOf(some), factsOf(all))
	}
	if got, want := listedFile(t, some.Certificate), listedFile(t, all.Certificate); !bytes.Equal(got, want) {
		t.Fatalf("%s: the certificates stand for other states:\n%s\nwant\n%s", name, got, want)
	}
	return some.Symmetries != nil
}

// randomSymmetricTurns returns the relation of a random set of turns that the symmetries of a network keep.
func randomSymmetricTurns(t *testing.T, r *rand.Rand) model.Relation {
	t.Helper()
	specs := []string{"mesh:3x3", "mesh:2x4,hosts=2", "torus:4", "torus:3x3", "complete:4", "fattree:k=4,levels=2", "hyperx:3x2", "mesh:2x2,vcs=2"}
	n, err := topo.Parse(specs[r.IntN(len(specs))])
	if err != nil {
		t.Fatal(err)
	}
	set := model.NewTurnSet(n)
	removed := map[model.Turn]bool{}
	few := 1 + r.IntN(4)
	for turn := range model.Turns(n, false) {
		if removed[turn] {
			continue
		}
		drop := r.IntN(4) < few
		for queue := []model.Turn{turn}; len(queue) > 0; queue = queue[1:] { // the whole orbit, or nothing of it
			if removed[queue[0]] {
				continue
			}
			if removed[queue[0]] = true; !drop {
				set.Add(queue[0])
			}
			for _, a := range n.Symmetries() {
				queue = append(queue, model.Turn{In: a.VC(queue[0].In), Out: a.VC(queue[0].Out)})
			}
		}
	}
	return route.FromTurns(set, false)
}

// TestSymmetryRejects: the checker rejects certificates whose symmetries, blocks, ranks or counts are wrong.
func TestSymmetryRejects(t *testing.T) {
	for _, x := range symmetricCases[:5] {
		report, err := verify.Check(t.Context(), relationOf(t, x.network, x.routing), verify.Options{Switching: model.CutThrough})
		if err != nil {
			t.Fatal(err)
		}
		good := report.Certificate
		if err := cert.Check(good); err != nil || len(good.Subject.Relation.Symmetries) == 0 {
			t.Fatal(x, err)
		}
		rejects := func(what string, change func(rel *cert.Relation, claims []cert.Claim) cert.Blocks) {
			t.Helper()
			rejectsChanged(t, x.network+" "+x.routing+": "+what, good, change)
		}
		first := func(change func(s *cert.Symmetry)) func(*cert.Relation, []cert.Claim) cert.Blocks {
			return func(rel *cert.Relation, _ []cert.Claim) cert.Blocks {
				change(&rel.Symmetries[0])
				return nil
			}
		}
		rejects("a channel that is reversed", first(func(s *cert.Symmetry) { s.Channels[0] ^= 1 }))
		rejects("two links that change places", first(func(s *cert.Symmetry) { s.Channels[0], s.Channels[1] = s.Channels[1], s.Channels[0] }))
		rejects("a link that is an image twice", first(func(s *cert.Symmetry) { s.Channels[0] = s.Channels[1] }))
		rejects("an image out of range", first(func(s *cert.Symmetry) { s.Channels[0] = int32(2 * len(s.Channels)) }))
		rejects("a link without image", first(func(s *cert.Symmetry) { s.Channels = s.Channels[1:] }))
		rejects("an endpoint that is an image twice", first(func(s *cert.Symmetry) { s.Endpoints[0] = s.Endpoints[1] }))
		rejects("two endpoints that change places", first(func(s *cert.Symmetry) {
			last := len(s.Endpoints) - 1
			s.Endpoints[0], s.Endpoints[last] = s.Endpoints[last], s.Endpoints[0]
		}))
		rejects("destinations without block", func(rel *cert.Relation, _ []cert.Claim) cert.Blocks {
			rel.Symmetries = rel.Symmetries[1:]
			return nil
		})
		rejects("two blocks of one orbit", func(*cert.Relation, []cert.Claim) cert.Blocks { return twice{good.Blocks} })
		rejects("a source whose image sends nothing", func(rel *cert.Relation, _ []cert.Claim) cert.Blocks {
			rel.Sources--
			return nil
		})
		rejects("a destination whose image is none", func(rel *cert.Relation, _ []cert.Claim) cert.Blocks {
			rel.Destinations = rel.Destinations[:len(rel.Destinations)-1]
			return nil
		})
		rejects("a number of pairs of the blocks alone", func(_ *cert.Relation, claims []cert.Claim) cert.Blocks {
			pairs := *claims[2].Pairs - 1
			claims[2].Pairs = &pairs
			return nil
		})
		rejects("evidence of another kind", func(_ *cert.Relation, claims []cert.Claim) cert.Blocks {
			claims[1].Evidence, claims[1].Ranks = cert.EvidenceElimination, claims[0].Ranks
			return nil
		})
		// The dependencies are those of all states: each must rise, also if it is only an image.
		for dep := range report.Graph.All() {
			rejects("a dependency that does not rise", func(_ *cert.Relation, claims []cert.Claim) cert.Blocks {
				ranks := slices.Clone(*claims[0].Ranks)
				ranks[dep.In], ranks[dep.Out] = ranks[dep.Out], ranks[dep.In]
				claims[0].Ranks = &ranks
				return nil
			})
		}
	}
}

// rejectsChanged changes a copy of a certificate, which the checker must reject.
func rejectsChanged(t *testing.T, what string, good *cert.Certificate, change func(rel *cert.Relation, claims []cert.Claim) cert.Blocks) {
	t.Helper()
	c, rel := *good, *good.Subject.Relation
	c.Subject.Relation, c.Claims = &rel, slices.Clone(good.Claims)
	rel.Symmetries = slices.Clone(rel.Symmetries)
	for i, s := range rel.Symmetries {
		rel.Symmetries[i] = cert.Symmetry{Channels: slices.Clone(s.Channels), Endpoints: slices.Clone(s.Endpoints)}
	}
	if b := change(&rel, c.Claims); b != nil {
		c.Blocks = b
	}
	if err := cert.Check(&c); err == nil {
		t.Errorf("%s is accepted", what)
	}
}

// TestSymmetryRejectsOneDefect has changes that a single rule of the checker rejects.
func TestSymmetryRejectsOneDefect(t *testing.T) {
	certificateOf := func(network, routing string) *cert.Certificate {
		report, err := verify.Check(t.Context(), relationOf(t, network, routing), verify.Options{Switching: model.CutThrough})
		if err != nil || len(report.Symmetries) == 0 {
			t.Fatal(network, routing, err)
		}
		return report.Certificate
	}
	parallel := certificateOf("torus:2", "minimal") // two links between two switches
	rejectsChanged(t, "one image of two parallel links", parallel, func(rel *cert.Relation, _ []cert.Claim) cert.Blocks {
		rel.Symmetries[0].Channels[1] = rel.Symmetries[0].Channels[0] ^ 1 // link 1 leads back
		return nil
	})
	row := certificateOf("mesh:4x3", "north-last") // the symmetry maps 0 to 3 and 1 to 2
	rejectsChanged(t, "endpoints that leave their switches", row, func(rel *cert.Relation, _ []cert.Claim) cert.Blocks {
		copy(rel.Symmetries[0].Endpoints, []int32{2, 3, 0, 1})
		return nil
	})
	one := certificateOf("fattree:k=4,levels=2", "minimal")
	rejectsChanged(t, "an orbit that is counted twice", one, func(_ *cert.Relation, claims []cert.Claim) cert.Blocks {
		pairs := 2 * *claims[2].Pairs
		claims[2].Pairs = &pairs
		return twice{one.Blocks}
	})
}

// twice adds the image of the first block.
type twice struct{ cert.Blocks }

// Each implements cert.Blocks.
func (x twice) Each(workers int, visit func(worker int, b *cert.Block) error) error {
	seen := false
	return x.Blocks.Each(1, func(w int, b *cert.Block) error {
		err := visit(w, b)
		if !seen && err == nil {
			seen = true
			err = visit(w, b)
		}
		return err
	})
}
