package turnmodel

import (
	"context"
	"fmt"
	"math"

	"github.com/turnproof/turnproof/examples/papers/paper"
	"github.com/turnproof/turnproof/model/hv"
	"github.com/turnproof/turnproof/synth"
)

// This file computes the columns of tables 2 and 3 that count prohibited turns.

// published is a row of table 2 or 3: PT, SDPT, PPT, and the throughput for uniform and bit-reversal traffic.
type published [5]float64

var columns = []string{"PT", "SDPT", "PPT", "uniform", "bit reversal"}

var table2 = map[string]published{
	"updown": {3.019, 3.669, 96.6, 0.0452, 0.0477}, "lturn-alpha": {2.875, 2.225, 18.9, 0.0576, 0.0707},
	"lturn-beta": {2.990, 2.269, 20.6, 0.0572, 0.0711}, "rturn-alpha": {2.882, 2.238, 19.4, 0.0468, 0.0485},
	"rturn-beta": {2.900, 2.272, 20.8, 0.0471, 0.0472},
}

var table3 = map[string]published{
	"updown": {2.500, 2.264, 80, 0.0455, 0.0414}, "lturn-alpha": {2.640, 1.789, 17, 0.0771, 0.0812},
	"lturn-beta": {2.625, 2.012, 20, 0.0691, 0.0800}, "rturn-alpha": {2.641, 1.789, 17, 0.0507, 0.0513},
	"rturn-beta": {2.625, 2.012, 20, 0.0491, 0.0513},
}

// counts returns PT, SDPT and PPT of a turn set.
func counts(m *synth.Result) []float64 {
	p := synth.Count(m.Allowed)
	return []float64{p.PT, p.SDPT, float64(p.PPT)}
}

// setup is how a reading makes the turn sets and simulates them. Without a throughput reading only turns are
// counted.
type setup struct {
	name   string
	o      synth.Options
	engine *switchReading
	beside bool // whether claims are judged under it, too
}

// irregularSetups are the readings of table 2. The paper's root has the least crossing paths, a term that it
// does not define.
func irregularSetups() (list []setup) {
	free := synth.Options{Root: "crossing-free"}
	list = append(list, setup{crossingRoot + ", " + switchReadings[0].name, free, &switchReadings[0], true},
		setup{"root crossing-channel, " + switchReadings[0].name, synth.Options{Root: "crossing-channel"}, &switchReadings[0], false})
	for i := range switchReadings[1:] {
		list = append(list, setup{crossingRoot + ", " + switchReadings[1+i].name, free, &switchReadings[1+i], switchReadings[1+i].ofHosts})
	}
	return append(list, []setup{{name: "root crossing-root", o: synth.Options{Root: "crossing-root"}}, {name: "root auto"},
		{name: "root mean", o: synth.Options{Root: "mean"}},
		{name: crossingRoot + ", ties by preorder", o: synth.Options{Root: "crossing-free", Ties: hv.TiesBySpread}},
		{name: crossingRoot + ", released", o: synth.Options{Root: "crossing-free", Release: true}}}...)
}

// besides are the readings of a list that are judged side by side.
func besides(list []setup) (names []string) {
	for i := range list {
		if list[i].beside {
			names = append(names, list[i].name)
		}
	}
	return names
}

// crossingRoot names the rule crossing-free for the root.
const crossingRoot = "root by crossing paths"

func irregularTable(ctx context.Context, r *paper.Result) error {
	var networks []string
	for seed := 1; seed <= r.Seeds; seed++ {
		networks = append(networks, irregular(seed))
	}
	for i, x := range irregularSetups() {
		if r.Wants(i, x.name) {
			if err := tableRows(ctx, r, networks, x, table2, 1_000_000); err != nil {
				return err
			}
		}
	}
	return nil
}

// tableRows adds the rows of a table under one reading.
func tableRows(ctx context.Context, r *paper.Result, networks []string, x setup, table map[string]published, clocks int) error {
	for _, method := range turnMethods {
		v, err := r.Points(ctx, len(networks), func(i int) string { return fmt.Sprintf("%s, %s, %s: turns", networks[i], method, x.key()) },
			func(ctx context.Context, i int) ([]float64, error) {
				m, err := x.made(ctx, networks[i], method)
				if err != nil {
					return nil, err
				}
				return counts(m), nil
			})
		if err != nil {
			return err
		}
		for k := range 3 {
			r.AddRow(method, columns[k], x.name, table[method][k], column(v, k)...)
		}
		if x.engine == nil {
			continue
		}
		if err := throughputRows(ctx, r, networks, x, method, table, clocks); err != nil {
			return err
		}
	}
	return nil
}

// key names the options that make the turn sets.
func (x *setup) key() string {
	text := fmt.Sprintf("root %s", x.o.Root)
	for _, part := range []string{x.o.TreeFile, x.o.Ties, x.o.Tree.Neighbours} {
		if part != "" {
			text += " " + part
		}
	}
	if x.o.Release {
		text += " released"
	}
	return text
}

// made makes a turn set. The tree of table-3.tree is embedded, and methods read files only.
func (x *setup) made(ctx context.Context, spec, method string) (m *synth.Result, err error) {
	if x.o.TreeFile == "" {
		return made(ctx, spec, method, x.o)
	}
	err = paper.WithFile(files, x.o.TreeFile, func(file string) error {
		o := x.o
		o.TreeFile = file
		m, err = made(ctx, spec, method, o)
		return err
	})
	return m, err
}

const treeFile = "files/table-3.tree"

func column(v [][]float64, k int) (list []float64) {
	for _, x := range v {
		list = append(list, x[k])
	}
	return list
}

// torusSetups are the readings of table 3.
func torusSetups() []setup {
	fitted := synth.Options{TreeFile: treeFile}
	list := []setup{{"fitted tree (table-3.tree), " + switchReadings[0].name, fitted, &switchReadings[0], true},
		{"canonical tree, root 0, " + switchReadings[0].name, synth.Options{Root: "0"}, &switchReadings[0], false}}
	for i := range switchReadings[1:] {
		list = append(list, setup{"fitted tree (table-3.tree), " + switchReadings[1+i].name, fitted, &switchReadings[1+i], switchReadings[1+i].ofHosts})
	}
	list = append(list, setup{"canonical tree, counts only", synth.Options{Root: "0"}, nil, true})
	return list
}

func torusTable(ctx context.Context, r *paper.Result) error {
	setups := torusSetups()
	for i, x := range setups {
		if r.Wants(i, x.name) {
			if err := tableRows(ctx, r, []string{"torus:8x8,hosts=4"}, x, table3, 1_000_000); err != nil {
				return err
			}
		}
	}
	if least, most := "least of all roots and conventions", "most of all roots and conventions"; r.Wants(len(setups), least) {
		return torusRange(ctx, r, least, most)
	}
	return nil
}

// torusRange adds the least and the largest counts over roots and the conventions of trees.
func torusRange(ctx context.Context, r *paper.Result, least, most string) error {
	for _, method := range turnMethods {
		ways := conventions()
		if method == "updown" {
			ways = ways[:1]
		}
		v, err := r.Points(ctx, 64, func(root int) string { return fmt.Sprintf("%s, root %d, all conventions", method, root) },
			func(ctx context.Context, root int) ([]float64, error) { return rangeOf(ctx, method, root, ways) })
		if err != nil {
			return err
		}
		for k := range 3 {
			low, high := math.Inf(1), math.Inf(-1)
			for _, x := range v {
				low, high = min(low, x[k]), max(high, x[3+k])
			}
			r.AddRow(method, columns[k], least, table3[method][k], low)
			r.AddRow(method, columns[k], most, table3[method][k], high)
		}
	}
	return nil
}

// rangeOf returns the least PT, SDPT and PPT over conventions, and then the largest.
func rangeOf(ctx context.Context, method string, root int, ways []hv.Options) ([]float64, error) {
	list := []float64{math.Inf(1), math.Inf(1), math.Inf(1), 0, 0, 0}
	for _, way := range ways {
		m, err := made(ctx, "torus:8x8", method, synth.Options{Root: fmt.Sprint(root), Tree: way})
		if err != nil {
			return nil, err
		}
		for k, x := range counts(m) {
			list[k], list[3+k] = min(list[k], x), max(list[3+k], x)
		}
	}
	return list, nil
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
