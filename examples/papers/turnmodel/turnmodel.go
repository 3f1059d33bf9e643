package turnmodel

import (
	"context"
	"fmt"
	"math"

	"github.com/turnproof/turnproof/examples/papers/paper"
	"github.com/turnproof/turnproof/model/hv"
	"github.com/turnproof/turnproof/model/topo"
	"github.com/turnproof/turnproof/synth"
)

// This file reproduces the columns that count prohibited turns.

const source = "Jouraku, Koibuchi and Amano, IPSJ Trans. ACS 44(SIG 11), 2003"

// Reproductions returns the tables and figures of the paper.
func Reproductions() []paper.Reproduction {
	return []paper.Reproduction{
		{Name: "turn-model/table-2", About: "prohibited turns and throughput on random networks of 64 switches with 4 links", Source: source,
			Seeds: 10, Compute: irregularTable},
		{Name: "turn-model/table-3", About: "prohibited turns and throughput on the 8x8 torus", Source: source, Compute: torusTable},
	}
}

// triple has PT, SDPT and PPT: prohibited turns per switch, their standard deviation, and
// prohibited opposite pairs.
type triple [3]float64

var tripleNames = []string{"PT", "SDPT", "PPT"}

type publishedTriple struct {
	method string
	triple triple
}

var table2 = []publishedTriple{
	{"updown", triple{3.019, 3.669, 96.6}},
	{"lturn-alpha", triple{2.875, 2.225, 18.9}},
	{"lturn-beta", triple{2.990, 2.269, 20.6}},
	{"rturn-alpha", triple{2.882, 2.238, 19.4}},
	{"rturn-beta", triple{2.900, 2.272, 20.8}},
}

var table3 = []publishedTriple{
	{"updown", triple{2.500, 2.264, 80}},
	{"lturn-alpha", triple{2.640, 1.789, 17}},
	{"lturn-beta", triple{2.625, 2.012, 20}},
	{"rturn-alpha", triple{2.641, 1.789, 17}},
	{"rturn-beta", triple{2.625, 2.012, 20}},
}

// counted runs a method on a network and returns the metrics of its turn set.
func counted(ctx context.Context, spec, method string, o synth.Options) (triple, error) {
	n, err := topo.Parse(spec)
	if err != nil {
		return triple{}, err
	}
	if method == "updown" {
		o.DA = synth.DAOptions{}
	} else {
		o.Ties = ""
	}
	r, err := synth.New(ctx, method, n, o)
	if err != nil {
		return triple{}, fmt.Errorf("%s on %s: %w", method, spec, err)
	}
	p := synth.Count(r.Allowed)
	return triple{p.PT, p.SDPT, float64(p.PPT)}, nil
}

// distance returns the mean relative difference of two triples.
func (t triple) distance(u triple) (d float64) {
	for i := range t {
		d += math.Abs(t[i]-u[i]) / u[i] / 3
	}
	return d
}

func irregularTable(ctx context.Context, r *paper.Result) error {
	readings := []struct {
		name string
		o    synth.Options
	}{
		{"root crossing-channel", synth.Options{Root: "crossing-channel"}},
		{"root crossing-root", synth.Options{Root: "crossing-root"}},
		{"root crossing-free", synth.Options{Root: "crossing-free"}},
		{"root auto", synth.Options{}},
		{"root mean", synth.Options{Root: "mean"}},
		{"root crossing-channel, ties by preorder", synth.Options{Root: "crossing-channel", Ties: hv.TiesBySpread}},
		{"root crossing-channel, released", synth.Options{Root: "crossing-channel", Release: true}},
	}
	if r.Quick {
		readings = readings[:1]
	}
	for _, reading := range readings {
		off, rows := 0.0, 0
		for _, p := range table2 {
			if p.method != "updown" && reading.o.Ties != "" {
				continue
			}
			var values [3][]float64
			for seed := 1; seed <= r.Seeds; seed++ {
				t, err := counted(ctx, fmt.Sprintf("random:switches=64,degree=4,hosts=4,seed=%d", seed), p.method, reading.o)
				if err != nil {
					return err
				}
				for i := range t {
					values[i] = append(values[i], t[i])
				}
			}
			for i, name := range tripleNames {
				r.AddRow(p.method, name, reading.name, p.triple[i], values[i]...)
			}
			off += triple{paper.Mean(values[0]), paper.Mean(values[1]), paper.Mean(values[2])}.distance(p.triple)
			rows++
		}
		r.AddNote("%s: the means are off by %.1f %% of the published figures on average.", reading.name, 100*off/float64(rows))
	}
	r.AddNote("Networks: random 4-regular ones without parallel links, seeds 1 to %d; the paper's own ten are not given. Trees are "+
		"canonical. The paper's root has the least crossing paths, a term that it does not define: the readings are of that.", r.Seeds)
	return irregularThroughput(ctx, r)
}

// conventions returns the tie-breaking rules of tree and preorder that are tried.
func conventions() (list []hv.Options) {
	for _, search := range []string{hv.ByID, hv.ByIDDown} {
		for _, parent := range hv.ParentRules() {
			for _, children := range []string{hv.ByFound, hv.ByID, hv.ByIDDown, hv.BySize, hv.BySmall} {
				list = append(list, hv.Options{Neighbours: search, Parent: parent, Children: children})
			}
		}
	}
	return list
}

func torusTable(ctx context.Context, r *paper.Result) error {
	roots := 64
	if r.Quick {
		roots = 4
	}
	for _, p := range table3 {
		plain, err := counted(ctx, "torus:8x8", p.method, synth.Options{Root: "0"})
		if err != nil {
			return err
		}
		low, high := plain, plain
		best, bestName := plain, "canonical"
		ways := conventions()
		if p.method == "updown" {
			ways = ways[:1]
		}
		for root := range roots {
			for _, way := range ways {
				t, err := counted(ctx, "torus:8x8", p.method, synth.Options{Root: fmt.Sprint(root), Tree: way})
				if err != nil {
					return err
				}
				for i := range t {
					low[i], high[i] = min(low[i], t[i]), max(high[i], t[i])
				}
				if t.distance(p.triple) < best.distance(p.triple) {
					best, bestName = t, fmt.Sprintf("root %d, neighbours %s, parent %s, children %s", root, way.Neighbours, way.Parent, way.Children)
				}
			}
		}
		for i, name := range tripleNames {
			r.AddRow(p.method, name, "canonical tree, root 0", p.triple[i], plain[i])
			r.AddRow(p.method, name, "least of all roots and conventions", p.triple[i], low[i])
			r.AddRow(p.method, name, "most of them", p.triple[i], high[i])
			r.AddRow(p.method, name, "closest triple: "+bestName, p.triple[i], best[i])
		}
	}
	r.AddNote("Conventions: neighbours by ascending or descending ID, %d rules for parents, 5 orders of children, %d roots.", len(hv.ParentRules()), roots)
	return torusThroughput(ctx, r)
}
