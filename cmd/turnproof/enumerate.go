package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"turnproof/model/space"
	"turnproof/synth/enumerate"
	"turnproof/synth/sat"
	"turnproof/verify/smt"
)

// This file is the command "enumerate": sets of class turns, each decided for all
// networks of a family.

func enumerateCommand() *cli.Command {
	var kinds []string
	for _, k := range space.Kinds {
		kinds = append(kinds, fmt.Sprintf("  %-26s %s", k[0], k[1]))
	}
	var rules []string
	for _, r := range space.Rules {
		rules = append(rules, fmt.Sprintf("  %-6s %s", r.Name, r.About))
	}
	return &cli.Command{
		Name:      "enumerate",
		Usage:     "count and list sets of class turns, each proved for every network of a family or refuted by one",
		ArgsUsage: "SPACE [flags]",
		Description: "Straight on, in the same direction, is always allowed. Deadlock-free: on no network of\n" +
			"the family do allowed turns close a cycle. Connected: of these, on every network some\n" +
			"way of allowed turns joins each pair. Classes: up to the symmetries of the family. Every\n" +
			"set that is listed has its proof (a rank that allowed turns raise) or its counterexample (a\n" +
			"network with a cycle), and the independent checker has accepted it.\n" +
			"Exit status: 0 done, 2 wrong usage or input, 3 interrupted or at its limit, not complete.\n\n" +
			"Spaces:\n" + strings.Join(kinds, "\n") + "\n\n" +
			"Rules of tori with two virtual channels:\n" + strings.Join(rules, "\n") + "\n\n" +
			"Examples:\n" +
			"  turnproof enumerate mesh:2\n" +
			"  turnproof enumerate mesh:3 --choices one-per-cycle --json\n" +
			"  turnproof enumerate hv --tree canonical --figure classes.svg\n" +
			"  turnproof enumerate torus:2,vcs=2,rule=nf+1 --files proofs",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "choices", Value: string(enumerate.All), Usage: "which sets: all, one-per-cycle (all turns but one of each basic cycle) or maximal (deadlock-free, and no turn can be added)"},
			&cli.BoolFlag{Name: "u-turns", Usage: "turns back over the same cable are class turns, too"},
			&cli.StringFlag{Name: "tree", Usage: "of H/V graphs: any, coordinates or canonical", DefaultText: "any"},
			&cli.IntFlag{Name: "limit", Value: 50, Usage: "list at most so many `SETS`; 0: none"},
			&cli.IntFlag{Name: "search", Usage: "end the search for maximal sets when so many `SETS`, or some more, are found (default: none ends it)"},
			&cli.StringFlag{Name: "engine", Value: "gini", Usage: "solver that drives the search for maximal sets: gini (embedded) or z3"},
			&cli.StringFlag{Name: "files", Usage: "write to the folder `DIR` a certificate for each set listed, and of each that is refuted the network and its turn set, for check"},
			&cli.StringFlag{Name: "figure", Usage: "draw the classes of the sets listed to `FILE` (.svg, .png, .dot)"},
			&cli.BoolFlag{Name: "cross-check", Usage: "let Z3 decide the sets listed, too; a disagreement is an error"},
			&cli.BoolFlag{Name: "simulate", Usage: "put what is listed to the test: run at saturation on a network what is proved, drive into a deadlock what is not"},
			&cli.BoolFlag{Name: "json", Usage: "print one JSON object (docs/schema/enumerate.json)"},
		},
		Action: runEnumerate,
	}
}

// enumeration is what "enumerate" found.
type enumeration struct {
	e        *enumerate.Enumerator
	choices  enumerate.Choices
	sets     *big.Int
	tally    enumerate.Tally
	maximal  []space.Set // all maximal free sets, if they were listed
	complete bool
	classes  *big.Int
	reversal *big.Int
	maximals [2]int // maximal sets among those looked at, and those connected

	list      []*decided // with the conflicts, for spaces that are small, last
	published []*decided
	left      int // sets not listed
	undecided int // of those listed
	seconds   float64
}

func runEnumerate(c *cli.Context) error {
	began := time.Now()
	x, err := newEnumeration(c)
	if err != nil {
		return err
	}
	if err := distinctOutputs(c, "figure"); err != nil {
		return err
	}
	if f := c.String("figure"); f != "" {
		if _, err := figureFormat(f); err != nil {
			return err
		}
	}
	err = x.count(c)
	if errors.Is(err, context.Canceled) {
		fmt.Fprintln(c.App.ErrWriter, "turnproof: interrupted, nothing is counted to the end")
		return status(exitUndecided)
	}
	if err != nil {
		return err
	}
	if err := x.decide(c); err != nil {
		return err
	}
	x.seconds = time.Since(began).Seconds()
	if err := x.write(c); err != nil {
		return err
	}
	if c.Bool("json") {
		err = x.json(c)
	} else {
		x.text(c.App.Writer)
	}
	if err == nil && !x.complete {
		return status(exitUndecided)
	}
	return err
}

func newEnumeration(c *cli.Context) (*enumeration, error) {
	name, err := oneArgument(c, "SPACE")
	if err != nil {
		return nil, err
	}
	o := space.Options{UTurns: c.Bool("u-turns"), Tree: space.Tree(c.String("tree"))}
	var s *space.Space
	if _, statErr := os.Stat(name); statErr == nil || strings.ContainsAny(name, "/.") {
		if s, err = space.Read(name, o); err == nil {
			reads(c, name)
		}
	} else {
		s, err = space.Parse(name, o)
	}
	if err != nil {
		return nil, err
	}
	e, err := enumerate.New(s)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	x := &enumeration{e: e, choices: enumerate.Choices(c.String("choices")), complete: true}
	for _, k := range enumerate.Kinds {
		if k == x.choices {
			if c.Int("limit") < 0 || c.Int("search") < 0 {
				return nil, errors.New("--limit and --search are numbers of sets, 0 or more")
			}
			return x, nil
		}
	}
	return nil, fmt.Errorf("--choices %s: all, one-per-cycle or maximal", x.choices)
}

// count finds the figures, and the sets to be listed.
func (x *enumeration) count(c *cli.Context) (err error) {
	stop := x.progress(c.App.ErrWriter)
	defer stop()
	switch x.choices {
	case enumerate.Maximal:
		return x.countMaximal(c)
	case enumerate.OnePerCycle:
		return x.countChoices(c)
	}
	x.sets = new(big.Int).Lsh(big.NewInt(1), uint(len(x.e.Space.Turns)))
	if err := x.countFree(c.Context); err != nil {
		return err
	}
	if err := x.findMaximal(c); err != nil {
		return err
	}
	x.tallyMaximal(x.maximal)
	x.listMaximal(c)
	return nil
}

// countFree counts free sets, connected ones and classes.
func (x *enumeration) countFree(ctx context.Context) error {
	tally, err := x.e.Count(ctx, x.choices)
	if err != nil {
		return err
	}
	x.tally = *tally
	x.classes, x.reversal, err = x.e.Classes(ctx, x.choices, tally.Free)
	return err
}

func (x *enumeration) tallyMaximal(sets []space.Set) {
	x.maximals = [2]int{}
	for _, set := range sets {
		x.maximals[0]++
		if x.e.Connected(set) {
			x.maximals[1]++
		}
	}
}

// findMaximal lists the maximal free sets, and for small spaces the conflicts.
func (x *enumeration) findMaximal(c *cli.Context) (err error) {
	s := x.e.Space
	if s.Kind == space.Mesh && s.Dims > 2 {
		x.maximal, err = x.e.ByOrders(c.Context)
		return err
	}
	solver := sat.New
	switch c.String("engine") {
	case "gini":
	case "z3":
		if !smt.Available() {
			return smt.ErrUnavailable
		}
		solver = enumerate.Z3
	default:
		return fmt.Errorf("--engine %s: gini or z3", c.String("engine"))
	}
	b, err := x.e.Border(c.Context, solver, c.Int("search"))
	if err != nil && !errors.Is(err, context.Canceled) {
		return err
	}
	x.maximal, x.complete = b.Maximal, b.Complete
	if len(b.Conflicts) <= mostConflicts && b.Complete {
		for _, set := range b.Conflicts {
			x.list = append(x.list, &decided{set: set, conflict: true})
		}
	}
	return nil
}

// mostConflicts bounds the conflicts that are listed beside the sets.
const mostConflicts = 100

func (x *enumeration) countMaximal(c *cli.Context) error {
	if err := x.findMaximal(c); err != nil {
		return err
	}
	k := big.NewInt(int64(len(x.maximal)))
	x.sets, x.tally = k, enumerate.Tally{Free: k}
	if x.maximals[0] = len(x.maximal); c.Context.Err() == nil {
		x.tallyMaximal(x.maximal)
		x.tally.Connected = big.NewInt(int64(x.maximals[1]))
		_, classes, reversal := x.e.Group(x.maximal)
		x.classes, x.reversal = big.NewInt(int64(classes)), big.NewInt(int64(reversal))
	}
	x.listMaximal(c)
	return nil
}

// listMaximal puts the maximal sets before the conflicts.
func (x *enumeration) listMaximal(c *cli.Context) {
	sets := x.maximal
	if limit := c.Int("limit"); len(sets) > limit {
		sets, x.left = sets[:limit], len(sets)-limit
	}
	class, _, _ := x.e.Group(sets)
	var list []*decided
	for i, set := range sets {
		list = append(list, &decided{set: set, class: class[i] + 1})
	}
	if c.Int("limit") == 0 {
		x.list = nil
	}
	x.list = append(list, x.list...)
}

// countChoices counts and lists sets with one turn of each basic cycle prohibited.
func (x *enumeration) countChoices(c *cli.Context) error {
	sets, listed, err := x.e.Choose(mostChoices)
	if err != nil {
		return err
	}
	x.sets = sets
	if listed == nil {
		if err := x.countFree(c.Context); err != nil {
			return err
		}
		// All of them are maximal: of each basic cycle one turn is prohibited, and
		// with it allowed the cycle would close.
		x.maximals = [2]int{int(x.tally.Free.Int64()), int(x.tally.Connected.Int64())}
		return x.listFree(c)
	}
	var free []space.Set
	connected := 0
	for _, set := range listed {
		if x.e.Free(set) {
			if free = append(free, set); x.e.Connected(set) {
				connected++
			}
		}
	}
	x.tally = enumerate.Tally{Free: big.NewInt(int64(len(free))), Connected: big.NewInt(int64(connected))}
	_, classes, reversal := x.e.Group(free)
	x.classes, x.reversal = big.NewInt(int64(classes)), big.NewInt(int64(reversal))
	var largest []space.Set
	for _, set := range free {
		if x.e.Maximal(set) {
			largest = append(largest, set)
		}
	}
	x.tallyMaximal(largest)
	if limit := c.Int("limit"); len(listed) > limit {
		listed, x.left = listed[:limit], len(listed)-limit
	}
	class, _, _ := x.e.Group(listed)
	for i, set := range listed {
		x.list = append(x.list, &decided{set: set, class: class[i] + 1})
	}
	return nil
}

// mostChoices is how many choices are listed one by one.
const mostChoices = 4096

// listFree lists the first free sets.
func (x *enumeration) listFree(c *cli.Context) error {
	var sets []space.Set
	limit := c.Int("limit")
	if limit > 0 {
		err := x.e.Each(c.Context, x.choices, func(set space.Set) bool {
			sets = append(sets, set)
			return len(sets) < limit
		})
		if err != nil {
			return err
		}
	}
	class, _, _ := x.e.Group(sets)
	for i, set := range sets {
		x.list = append(x.list, &decided{set: set, class: class[i] + 1})
	}
	x.left = int(x.tally.Free.Int64()) - len(sets)
	return nil
}

// progress shows how far the count is, on a terminal.
func (x *enumeration) progress(w io.Writer) (stop func()) {
	f, ok := w.(*os.File)
	if ok {
		st, err := f.Stat()
		ok = err == nil && st.Mode()&os.ModeCharDevice != 0
	}
	if !ok {
		return func() {}
	}
	began, last := time.Now(), time.Time{}
	x.e.Progress = func(done float64, found uint64) {
		if time.Since(last) < 200*time.Millisecond {
			return
		}
		last = time.Now()
		left := ""
		if done > 0.02 {
			left = fmt.Sprintf(", %s left", time.Duration(float64(time.Since(began))*(1-done)/done).Round(time.Second))
		}
		fmt.Fprintf(f, "\r%3.0f %%, %s found%s   ", 100*done, thousands(int64(found)), left)
	}
	return func() {
		if !last.IsZero() {
			fmt.Fprint(f, "\r\033[K")
		}
	}
}

// write writes the files that were asked for.
func (x *enumeration) write(c *cli.Context) error {
	if f := c.String("figure"); f != "" {
		if err := x.figure(c, f); err != nil {
			return err
		}
	}
	dir := c.String("files")
	if dir == "" {
		return nil
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return cannotWrite(dir, err)
	}
	for i, d := range append(append([]*decided{}, x.list...), x.published...) {
		if err := d.write(c, filepath.Join(dir, d.file(i+1))); err != nil {
			return err
		}
	}
	return nil
}
