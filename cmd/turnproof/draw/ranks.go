package draw

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/turnproof/turnproof/cdg"
	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/cmd/turnproof/picture"
	"github.com/turnproof/turnproof/internal/wording"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/program"
	"github.com/turnproof/turnproof/model/view/figure"
	"github.com/turnproof/turnproof/synth/programs"
	"github.com/turnproof/turnproof/synth/resolve"
	"github.com/turnproof/turnproof/verify"
)

// This file draws numbers of channels: those of a proof, or those that a routing program states.

// drawRanks draws the numbers of the channels that prove the routing deadlock-free. If the
// dependency graph has a cycle, it draws the ranks from the proof of verify instead.
func drawRanks(c *cli.Context, in *resolve.Subject) (*figure.Graph, error) {
	g, err := cdg.Build(c.Context, in.Rel)
	if err != nil {
		return nil, err
	}
	o := picture.DrawOptions(c, in.Net, "Channel numbers of "+resolve.Title(in.Name)+", "+in.RoutingName())
	if c.IsSet("vc") {
		if int(c.Uint("vc")) >= in.Net.VCs() {
			return nil, fmt.Errorf("--vc %d, the channels of %s have %d", c.Uint("vc"), in.Name, in.Net.VCs())
		}
		o.OnlyVC = int(c.Uint("vc")) + 1
	}
	if c.Bool("stated") {
		return drawStatedRanks(in, g, o)
	}
	ranks, ok := g.Numbering()
	if !ok {
		rep, err := checkAs(c, in)
		if err != nil {
			return nil, err
		}
		if ranks = rep.Ranks; rep.DeadlockFree.Verdict != verify.Proved {
			return nil, fmt.Errorf("%s: the routing is not deadlock-free, so no such numbering exists; \"draw cycle\" shows why", in.Name)
		}
	}
	for v := range ranks {
		if !g.Used(model.VCID(v)) {
			ranks[v] = -1
		}
	}
	return figure.Ranks(in.Net, ranks, o), nil
}

// drawStatedRanks draws the numbers that rank of a routing program returns, and notes dependencies on
// which they do not increase.
func drawStatedRanks(in *resolve.Subject, g *cdg.Graph, o figure.Options) (*figure.Graph, error) {
	if programs.Of(in) == nil || !programs.Of(in).Ranked {
		return nil, errors.New("--stated needs --routing FILE.star with a function rank")
	}
	tuples, err := programs.Of(in).Ranks(in.Net)
	if err != nil {
		return nil, err
	}
	ranks := orderOf(tuples)
	o.RankTexts = make([]string, len(tuples))
	for v, t := range tuples {
		o.RankTexts[v] = strings.Trim(strings.ReplaceAll(fmt.Sprint(t), " ", ","), "[]")
		if !g.Used(model.VCID(v)) {
			ranks[v] = -1
		}
	}
	drawn := figure.Ranks(in.Net, ranks, o)
	all, falling, first := 0, 0, ""
	for t := range g.All() {
		all++
		if program.CompareRanks(tuples[t.In], tuples[t.Out]) >= 0 {
			if falling++; falling == 1 {
				first = wording.Channel(in.Net, t.In) + " to " + wording.Channel(in.Net, t.Out)
			}
		}
	}
	note := fmt.Sprintf("The numbers increase on all %s.", wording.Count(all, "dependenc", "ies", "y"))
	if falling > 0 {
		note = fmt.Sprintf("The numbers do not increase on %d of %s, such as %s.", falling, wording.Count(all, "dependenc", "ies", "y"), first)
	}
	drawn.Notes = append(drawn.Notes, note)
	return drawn, nil
}

// orderOf numbers tuples in their order, equal tuples get the same number.
func orderOf(tuples [][]int) []int32 {
	sorted := slices.Clone(tuples)
	slices.SortFunc(sorted, program.CompareRanks)
	sorted = slices.CompactFunc(sorted, slices.Equal)
	ranks := make([]int32, len(tuples))
	for v, t := range tuples {
		k, _ := slices.BinarySearchFunc(sorted, t, program.CompareRanks)
		ranks[v] = int32(k)
	}
	return ranks
}
