package check

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/cmd/turnproof/input"
	"github.com/turnproof/turnproof/cmd/turnproof/quality"
	"github.com/turnproof/turnproof/cmd/turnproof/verdict"
	"github.com/turnproof/turnproof/internal/parallel"
	"github.com/turnproof/turnproof/internal/plain"
	"github.com/turnproof/turnproof/internal/wording"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/bubble"
	"github.com/turnproof/turnproof/model/format"
	"github.com/turnproof/turnproof/model/format/lists"
	"github.com/turnproof/turnproof/model/ttfabric"
	"github.com/turnproof/turnproof/synth/recipes"
	"github.com/turnproof/turnproof/synth/resolve"
	"github.com/turnproof/turnproof/verify"
)

// This file checks recipes: many lists of pairs under one routing.

// withoutRecipes are the flags that say nothing of recipes.
var withoutRecipes = append(quality.Names(),
	"mend", "sarif", "junit", "fail", "classes", "initiators", "targets", "fewest-networks", "gate", "figure",
	"cross-check", "simulate", "multicast", "management", "waiting", "strict")

// recipeSeconds is the default limit of the searches for the fewest pairs, together.
const recipeSeconds = 15

// recipesCheck is one check of recipes.
type recipesCheck struct {
	c       *cli.Context
	in      *resolve.Subject
	recipes []lists.Recipe
	answers []*recipes.Answer
	began   time.Time
}

func runRecipes(c *cli.Context, network, file string) error {
	r := &recipesCheck{c: c, began: time.Now()}
	for _, name := range withoutRecipes {
		if c.IsSet(name) {
			return fmt.Errorf("--%s does not go with recipes, and %s has some", name, file)
		}
	}
	if c.String("certificate") == "-" {
		return errors.New("--certificate of recipes writes a folder: want its name")
	}
	if err := r.read(network, file); err != nil {
		return err
	}
	if err := r.decide(); err != nil {
		return err
	}
	if dir := c.String("certificate"); dir != "" {
		if err := cli.WriteFolder(c, dir, r.certify); err != nil {
			return err
		}
	}
	if c.Bool("json") {
		if err := cli.PrintJSON(c.App.Writer, r.json()); err != nil {
			return err
		}
	} else {
		input.PrintNotes(c, r.in)
		r.print(c.App.Writer)
	}
	return verdict.Status(r.verdict())
}

// read reads network and recipes.
func (r *recipesCheck) read(network, file string) error {
	q, err := input.Request(r.c, network)
	if err != nil {
		return err
	}
	q.Flows, q.NeedsRouting, q.Sums = "", true, true
	if r.in, err = input.Load(r.c, q); err != nil {
		return err
	}
	cli.Reads(r.c, file)
	r.in.SumFile(file)
	var place func([4]int) (model.Flow, error)
	if f, ok := r.in.Source.(*ttfabric.Fabric); ok {
		if faults := f.Faults(); len(faults) > 0 {
			return fmt.Errorf("%s: %s; recipes want a fabric that moves packets", r.in.Name, faults[0])
		}
		if err := f.CheckRestriction(); err != nil {
			return fmt.Errorf("--flows: %w", err)
		}
		place = func(p [4]int) (flow model.Flow, err error) {
			from, err := f.Worker(ttfabric.Chip{Mesh: p[0], Chip: p[1]})
			if err != nil {
				return flow, err
			}
			to, err := f.Worker(ttfabric.Chip{Mesh: p[2], Chip: p[3]})
			if err == nil && from == to {
				err = fmt.Errorf("M%dD%d sends to itself", p[0], p[1])
			}
			return model.Flow{Source: from, Dest: to}, err
		}
	}
	if r.recipes, err = lists.ReadRecipes(file, r.in.Net, format.Options{}, place); err != nil {
		return err
	}
	for i := range r.recipes { // the order of a certificate
		slices.SortFunc(r.recipes[i].Pairs, func(a, b model.Flow) int {
			return slices.Compare([]model.HostID{a.Source, a.Dest}, []model.HostID{b.Source, b.Dest})
		})
	}
	return nil
}

// rings returns the rings of flow control, or nil, and whether one is not protected.
func (r *recipesCheck) rings() (*bubble.Rings, func(int) bool, error) {
	flow, err := input.ReadFlowSizes(r.c, r.in)
	if err != nil || flow == nil {
		return nil, nil, err
	}
	if flow.Rule.Kind != bubble.Local || flow.Buffer < 2*flow.Packet || flow.Rule.Assumed(flow.Packet) != flow.Packet {
		return nil, nil, errors.New("recipes go with --flow bubble and buffers of two packets or more")
	}
	if flow.Rule.From != "" && flow.Rule.From != bubble.FromAny {
		return nil, nil, errors.New("recipes go with --flow without from: whether a ring can fill up depends on the pairs of a recipe")
	}
	g, err := flow.Rule.On(r.in.Rel)
	if err != nil {
		return nil, nil, err
	}
	return g, func(k int) bool { return slices.ContainsFunc(g.List[k], g.IsWeak) }, nil
}

// decide decides all recipes. Each search for the fewest pairs gets its share of the time that is left.
func (r *recipesCheck) decide() error {
	limit := recipeSeconds * time.Second
	if r.c.IsSet("seconds") {
		var err error
		if limit, err = cli.ReadSeconds(r.c, "seconds"); err != nil {
			return err
		}
	}
	rings, weak, err := r.rings()
	if err != nil {
		return err
	}
	s, err := recipes.New(r.in.Rel, rings, weak)
	if err != nil {
		return err
	}
	pairs := make([][]recipes.Pair, len(r.recipes))
	for i, x := range r.recipes {
		for _, f := range x.Pairs {
			pairs[i] = append(pairs[i], recipes.Pair{Source: f.Source, Dest: f.Dest})
		}
		if err := s.Add(pairs[i]); err != nil {
			return fmt.Errorf("recipe %s: %w", x.Name, err)
		}
	}
	r.answers = make([]*recipes.Answer, len(pairs))
	workers := parallel.Workers(len(pairs))
	end := r.began.Add(limit)
	return parallel.Do(r.c.Context, workers, len(pairs), func(_, i int) error {
		left := max(len(pairs)-i, workers) / workers
		ctx, stop := context.WithTimeout(r.c.Context, time.Until(end)/time.Duration(left))
		defer stop()
		var err error
		r.answers[i], err = s.Decide(r.c.Context, ctx, pairs[i])
		return err
	})
}

func (r *recipesCheck) verdict() verify.Verdict {
	if slices.ContainsFunc(r.answers, func(a *recipes.Answer) bool { return a.Cycle != nil }) {
		return verify.Refuted
	}
	return verify.Proved
}

// mostPairs is the number of pairs that the text output lists for a recipe.
const mostPairs = 6

func (r *recipesCheck) print(w io.Writer) {
	fmt.Fprintf(w, "%s: %s, %s\nrouting: %s\n\n", plain.Text(r.in.Name), wording.Count(r.in.Net.NumSwitches(), "switch", "es"),
		wording.Count(len(r.recipes), "recipe", "s"), plain.Text(r.in.Routing))
	cyclic := 0
	for i, a := range r.answers {
		name := plain.Text(r.recipes[i].Name)
		if a.Cycle == nil {
			fmt.Fprintf(w, "PROVED     %-8s  no dependency cycle among %s\n", name, wording.Count(len(r.recipes[i].Pairs), "pair", "s"))
			continue
		}
		cyclic++
		drop := fmt.Sprintf("none is left without %d of %d pairs", len(a.Drop), len(r.recipes[i].Pairs))
		if a.Least < len(a.Drop) {
			drop += fmt.Sprintf(" (at least %d)", a.Least)
		} else {
			drop += " (the fewest)"
		}
		fmt.Fprintf(w, "REFUTED    %-8s  a dependency cycle of %s; %s: %s\n", name, wording.Count(len(a.Cycle), "channel", "s"), drop, r.pairsText(i, a.Drop))
	}
	fmt.Fprintf(w, "\n%d of %s have a dependency cycle that nothing protects. The independent judge accepted each line. %.3f s\n", cyclic,
		wording.Count(len(r.recipes), "recipe", "s"), time.Since(r.began).Seconds())
}

func (r *recipesCheck) pairsText(i int, drop []int) string {
	var list []string
	for k, p := range drop {
		if k == mostPairs && len(drop) > mostPairs+1 {
			list = append(list, fmt.Sprintf("and %d more", len(drop)-k))
			break
		}
		f := r.recipes[i].Pairs[p]
		list = append(list, plain.Text(r.in.Net.HostLabel(f.Source)+" > "+r.in.Net.HostLabel(f.Dest)))
	}
	return strings.Join(list, ", ")
}

// recipesJSON is the output of --json (docs/schema/recipes.json).
type recipesJSON struct {
	Schema  string          `json:"schema"`
	Network string          `json:"network"`
	Verdict verify.Verdict  `json:"verdict"`
	Cyclic  int             `json:"cyclic"`
	Recipes []recipeJSON    `json:"recipes"`
	Inputs  []model.Input   `json:"inputs"`
	Premise []model.Premise `json:"premises"`
	Seconds float64         `json:"seconds"`
}

type recipeJSON struct {
	Name    string         `json:"name"`
	Pairs   int            `json:"pairs"`
	Verdict verify.Verdict `json:"verdict"`
	Cycle   []string       `json:"cycle"`
	Drop    [][2]string    `json:"drop"`
	Least   int            `json:"at_least"`
}

func (r *recipesCheck) json() *recipesJSON {
	j := &recipesJSON{Schema: "turnproof.recipes/1", Network: r.in.Name, Verdict: r.verdict(), Inputs: input.InputsJSON(r.in),
		Premise: append([]model.Premise{}, r.in.Premises...), Seconds: time.Since(r.began).Seconds()}
	for i, a := range r.answers {
		x := recipeJSON{Name: r.recipes[i].Name, Pairs: len(r.recipes[i].Pairs), Verdict: verify.Proved, Cycle: []string{}, Drop: [][2]string{}, Least: a.Least}
		for _, v := range a.Cycle {
			x.Cycle = append(x.Cycle, r.vcName(v))
		}
		for _, p := range a.Drop {
			f := r.recipes[i].Pairs[p]
			x.Drop = append(x.Drop, [2]string{r.in.Net.HostLabel(f.Source), r.in.Net.HostLabel(f.Dest)})
		}
		if a.Cycle != nil {
			x.Verdict = verify.Refuted
			j.Cyclic++
		}
		j.Recipes = append(j.Recipes, x)
	}
	return j
}

// vcName returns the name of a VC between switches.
func (r *recipesCheck) vcName(v model.VCID) string {
	if f, ok := r.in.Source.(*ttfabric.Fabric); ok {
		return f.VCName(v)
	}
	c, i := r.in.Net.Channel(v)
	return fmt.Sprintf("%s > %s, VC %d", r.in.Net.SwitchLabel(r.in.Net.Tail(c)), r.in.Net.SwitchLabel(r.in.Net.Head(c)), i)
}
