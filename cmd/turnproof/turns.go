package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/synth/resolve"

	"github.com/turnproof/turnproof/internal/spelling"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format"
	"github.com/turnproof/turnproof/model/view/figure"
	"github.com/turnproof/turnproof/synth"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/cert"
)

// turnsCommand is job 2: turn sets for a network of any shape.
func turnsCommand() *cli.Command {
	var lines []string
	for _, m := range synth.Methods() {
		lines = append(lines, fmt.Sprintf("  %-16s %s", m.Name, m.Text))
	}
	lines = append(lines, "", "Rules for --root, which names a switch or one of:")
	for _, r := range synth.RootRules() {
		lines = append(lines, fmt.Sprintf("  %-16s %s", r.Name, r.Text))
	}
	lines = append(lines, "", "Goals for --objective and --pareto:")
	for _, g := range synth.Goals() {
		lines = append(lines, fmt.Sprintf("  %-16s %s", g[0], g[1]))
	}
	flags := []cli.Flag{
		&cli.Words{StringFlag: cli.StringFlag{Name: "method", Aliases: []string{"m"}, Usage: "`METHOD`: " + strings.Join(synth.Names(), ", "), Category: cli.CategoryMethod}, List: synth.Names(), Open: true},
		&cli.BoolFlag{Name: "compare", Usage: "all published methods side by side, or those that --method lists with commas", Category: cli.CategoryMethod},
		&cli.Input{StringFlag: cli.StringFlag{Name: "traffic", Usage: "what weighs turns and is measured: uniform, halves[:BETWEEN] (1 inside each half of the hosts), or a `FILE` of lines \"source destination amount\" (default: uniform; for fattree-pair specs halves:0.01)", Category: cli.CategoryMethod}, Words: loadWords()},
		&cli.Output{StringFlag: cli.StringFlag{Name: "output", Aliases: []string{"o"}, Usage: "write the turn set to `FILE`, for --routing of other commands", Category: cli.CategoryOutput}},
		&cli.Output{StringFlag: cli.StringFlag{Name: "certificate", Usage: "write the evidence that it is acyclic and connected to `FILE`", Category: cli.CategoryOutput}},
		&cli.Output{StringFlag: cli.StringFlag{Name: "figure", Usage: "draw the prohibited turns to `FILE` (.svg, .png, .pdf, .dot)", Category: cli.CategoryOutput}},
		&cli.Input{StringFlag: cli.StringFlag{Name: "keep", Usage: "`FILE` of turns that minimum allows for good: lines \"FROM BY TO\", switches by number or name, * for any", Category: cli.CategoryMethod}},
		&cli.Input{StringFlag: cli.StringFlag{Name: "prohibit", Usage: "`FILE` of turns, alike, that minimum prohibits for good", Category: cli.CategoryMethod}},
		&cli.BoolFlag{Name: "simulate", Usage: "put the verdict to the test: run the set at saturation if it is acyclic, else drive it into a deadlock", Category: cli.CategoryOpinions},
		&cli.BoolFlag{Name: "json", Usage: "print one JSON object (docs/schema/turns.json)", Category: cli.CategoryOutput},
		&cli.UintFlag{Name: "lmc", Usage: "LMC of the hosts in an opensm-subnet.lst, which does not tell it (0 to 7)", Category: cli.CategoryNetwork},
	}
	for _, k := range resolve.MethodKeys() {
		flags = append(flags, methodFlag(k))
	}
	return &cli.Command{
		Name:         "turns",
		Usage:        "make a set of allowed turns by a published method, prove it and measure it",
		ArgsUsage:    "NETWORK --method METHOD [flags]",
		BashComplete: cli.Complete(networkArgument()),
		Description: "Methods:\n" + strings.Join(lines, "\n") + "\n\n" +
			"Every set is proved acyclic and connected by the independent checker before it is\n" +
			"printed. Exit status: 0 both hold, 1 one is refuted, 2 wrong usage or input.\n\n" +
			"Examples:\n" +
			"  turnproof turns torus:8x8 --method lturn-alpha\n" +
			"  turnproof turns random:switches=64,degree=4,hosts=4 --compare\n" +
			"  turnproof turns topology.ibnetdiscover -m turn-addition --traffic jobs.txt -o set.json\n" +
			"  turnproof check topology.ibnetdiscover --routing set.json\n" +
			"  turnproof check torus:8x8 --routing lturn-alpha,root=9,paths=first",
		Flags:  append(flags, hostsFlag()),
		Action: runTurns,
	}
}

// turnsRun is what "turns" was asked for.
type turnsRun struct {
	in      *input
	traffic *model.Traffic
	word    string // for it
	options synth.Options
	pairs   int // hosts up to which each pair gets a way of its own; 0: resolve.MaxPairHosts
}

// turnsMade is a turn set, proved and measured.
type turnsMade struct {
	*synth.Result
	count   *synth.Prohibitions
	ways    *synth.Ways
	onePath *float64 // throughput with one balanced way per pair; nil: too many pairs
	proof   *verify.TurnReport
	sim     *simulated // nil: not asked for
	front   []*frontMade
	seconds float64
}

// frontMade is a set of a Pareto front, proved.
type frontMade struct {
	synth.Front
	proof *verify.TurnReport
}

func runTurns(c *cli.Context) error {
	methods, err := methodsWanted(c)
	if err != nil {
		return err
	}
	if err := turnOutputs(c, methods); err != nil {
		return err
	}
	run, err := readTurnsRun(c)
	if err != nil {
		return err
	}
	run.in.printNotes(c)
	var made []*turnsMade
	for _, name := range methods {
		m, err := run.make(c, name)
		if err != nil {
			return fmt.Errorf("%s: %w", run.in.name, err)
		}
		made = append(made, m)
	}
	if err := writeTurns(c, run, made[0]); err != nil {
		return err
	}
	if err := printTurns(c, run, made); err != nil {
		return err
	}
	for _, m := range made {
		if m.proof.Acyclic.Verdict != verify.Proved || m.proof.Connected.Verdict != verify.Proved {
			return cli.Status(cli.ExitRefuted)
		}
	}
	return nil
}

// methodsWanted lists the methods, and refuses flags that one of them does not read.
func methodsWanted(c *cli.Context) ([]string, error) {
	var names []string
	if c.String("method") != "" {
		names = strings.Split(c.String("method"), ",")
	}
	switch {
	case len(names) == 0 && c.Bool("compare"):
		names = synth.Published()
	case len(names) == 0:
		return nil, fmt.Errorf("--method is missing: %s; or --compare", strings.Join(synth.Names(), ", "))
	case len(names) > 1 && !c.Bool("compare") && !strings.Contains(c.String("method"), "="):
		return nil, errors.New("several methods go with --compare")
	}
	for at, name := range names {
		if slices.Contains(names[:at], name) {
			return nil, fmt.Errorf("--method: %s stands twice", name)
		}
		i := slices.IndexFunc(synth.Methods(), func(m synth.Method) bool { return m.Name == name })
		if i < 0 && strings.Contains(name, "=") {
			return nil, fmt.Errorf("--method: %q is no method; options of a method are flags here, as --root 3", name)
		}
		if i < 0 {
			return nil, fmt.Errorf("--method: no method %q%s, known are %s", name, spelling.Suggest(name, synth.Names()), strings.Join(synth.Names(), ", "))
		}
		for _, k := range resolve.MethodKeys() {
			if c.IsSet(k.Name) && !k.Reads(synth.Methods()[i]) && !c.Bool("compare") {
				return nil, fmt.Errorf("--%s is of no use to method %s", k.Name, name)
			}
		}
		for _, flag := range []string{"keep", "prohibit"} {
			if c.IsSet(flag) && !slices.Contains(synth.Methods()[i].Options, "Keep") && !c.Bool("compare") {
				return nil, fmt.Errorf("--%s is of no use to method %s", flag, name)
			}
		}
	}
	return names, nil
}

// turnOutputs refuses outputs that cannot be written.
func turnOutputs(c *cli.Context, methods []string) error {
	for _, flag := range []string{"output", "certificate", "figure"} {
		if len(methods) > 1 && c.String(flag) != "" {
			return fmt.Errorf("--%s goes with a single method", flag)
		}
	}
	return checkOutputs(c, "output", "journal")
}

func readTurnsRun(c *cli.Context) (*turnsRun, error) {
	path, err := cli.OneArgument(c, "NETWORK")
	if err != nil {
		return nil, err
	}
	run := &turnsRun{}
	if run.in, err = readInput(c, path, false, c.String("certificate") != "" || c.Bool("json")); err != nil {
		return nil, err
	}
	if run.traffic, run.word, err = resolve.Traffic(c.String("traffic"), path, run.in.net, run.in.sumsOnly()); err != nil {
		return nil, err
	}
	run.options.Traffic = run.traffic
	for _, k := range resolve.MethodKeys() {
		if !c.IsSet(k.Name) {
			continue
		}
		if err := resolve.SetMethodKey(&run.options, k.Name, fmt.Sprint(c.Value(k.Name))); err != nil {
			return nil, fmt.Errorf("--%w", err)
		}
	}
	lists := map[string]**model.TurnSet{"keep": &run.options.Keep, "prohibit": &run.options.Prohibit}
	for _, flag := range []string{"keep", "prohibit"} { // in this order, for the list of inputs
		if f, to := c.String(flag), lists[flag]; f != "" {
			if *to, err = format.ReadTurnList(f, run.in.net.WithVCs(1), run.in.sumsOnly()); err != nil {
				return nil, err
			}
		}
	}
	return run, nil
}

// forMethod leaves out what the method does not read, for comparisons.
func (run *turnsRun) forMethod(name string) synth.Options {
	o := run.options
	i := slices.IndexFunc(synth.Methods(), func(m synth.Method) bool { return m.Name == name })
	plain := synth.Options{}
	for _, k := range resolve.MethodKeys() {
		if k.Reads(synth.Methods()[i]) {
			continue
		}
		switch k.Field {
		case "Root":
			o.Root = ""
		case "Tree":
			o.Tree = plain.Tree
		case "Search":
			o.Tree.Search = ""
		case "Ties":
			o.Ties = ""
		case "DA":
			o.DA = plain.DA
		case "Select":
			o.Select = ""
		case "Totals":
			o.Totals = ""
		case "Form":
			o.Form = ""
		case "Equal":
			o.Equal = ""
		case "Seconds":
			o.Seconds = 0
		case "Journal":
			o.Journal = ""
		case "Cyclefree":
			o.Cyclefree = false
		case "Stretch":
			o.Stretch = 0
		case "Objective":
			o.Objective, o.Pareto = "", ""
		case "Keep":
			o.Keep, o.Prohibit, o.KeepTree = nil, nil, false
		}
	}
	return o
}

// make makes the set, proves it, measures it and, where asked to, simulates it.
func (run *turnsRun) make(c *cli.Context, name string) (*turnsMade, error) {
	began := time.Now()
	m, ctx, err := run.prove(c, name)
	if err == nil && c.Bool("simulate") {
		m.sim, err = simulateTurns(ctx, m.Allowed)
	}
	if err != nil {
		return nil, err
	}
	m.seconds = time.Since(began).Seconds()
	return m, nil
}

// prove makes the set, proves it and measures it. The context is for what comes after.
func (run *turnsRun) prove(c *cli.Context, name string) (*turnsMade, context.Context, error) {
	options := run.forMethod(name)
	line := cli.ProgressOf(c.App.ErrWriter)
	line.Say("turns by %s", name)
	if name == "minimum" && line != nil {
		line.Within(time.Duration(cmp.Or(options.Seconds, 10)*float64(time.Second)), "the fewest prohibited turns")
		options.Watcher = minimumWatch{line}
	}
	r, err := synth.New(c.Context, name, run.in.net, options)
	line.Say("proving the turns of %s", name)
	if err != nil {
		return nil, nil, err
	}
	ctx := c.Context
	if r.Bound != nil {
		ctx = context.WithoutCancel(ctx) // an interrupt ends the search, what it found is shown
	}
	m := &turnsMade{Result: r, count: synth.Count(r.Allowed)}
	o := verify.TurnOptions{Inputs: run.in.files}
	if r.Tree != nil {
		o.Tree = r.Tree.Up
	}
	if b := r.Bound; b != nil && b.Packing != nil {
		o.Packing, o.Steps, o.Least = b.Packing.Evidence(), b.Steps, b.Least
	} else if b != nil {
		o.Gossip = b.Gossip
	}
	o.Both = r.Bound != nil && r.Bound.Both
	if m.proof, err = verify.CheckTurns(ctx, r.Allowed, o); err != nil {
		return nil, nil, err
	}
	for _, f := range r.Front {
		proof, err := verify.CheckTurns(ctx, f.Allowed, verify.TurnOptions{Inputs: run.in.files})
		if err != nil {
			return nil, nil, err
		}
		m.front = append(m.front, &frontMade{f, proof})
	}
	if err := run.measure(ctx, m); err != nil {
		return nil, nil, err
	}
	return m, ctx, nil
}

func (run *turnsRun) measure(ctx context.Context, m *turnsMade) (err error) {
	d := model.NewDemand(m.Allowed.Network(), run.traffic)
	if m.ways, err = synth.MeasureWays(ctx, m.Allowed, d); err != nil {
		return err
	}
	if m.throughput() == nil {
		m.Notes = append(m.Notes, "the traffic has no packet to send, so there is no throughput")
	}
	if m.throughput() == nil || run.in.net.NumHosts() > cmp.Or(run.pairs, resolve.MaxPairHosts) || m.proof.Acyclic.Verdict != verify.Proved {
		return nil
	}
	m.onePath, err = onePathThroughput(ctx, m.Allowed, d)
	return err
}

// onePathThroughput is the throughput with one balanced way a pair.
func onePathThroughput(ctx context.Context, allowed *model.TurnSet, d *model.Demand) (*float64, error) {
	p, err := synth.NewOnePaths(ctx, allowed, d, synth.PathsBalanced)
	if err != nil {
		return nil, err
	}
	x := p.Throughput()
	return &x, nil
}

// writeTurns writes the files that were asked for.
func writeTurns(c *cli.Context, run *turnsRun, m *turnsMade) error {
	if f := c.String("output"); f != "" {
		info := format.TurnSetInfo{Method: m.Method, Root: m.root()}
		if err := cli.WriteFile(c, f, func(w io.Writer) error { return format.WriteTurnSet(w, m.Allowed, info) }); err != nil {
			return err
		}
	}
	for i, front := range m.front[min(1, len(m.front)):] { // the first is the set itself
		if f := c.String("output"); f != "" {
			ext := filepath.Ext(f)
			name := fmt.Sprintf("%s-%d%s", strings.TrimSuffix(f, ext), i+2, ext)
			if err := cli.WriteFile(c, name, func(w io.Writer) error {
				return format.WriteTurnSet(w, front.Allowed, format.TurnSetInfo{Method: m.Method})
			}); err != nil {
				return err
			}
		}
	}
	if f := c.String("certificate"); f != "" {
		if err := cli.WriteFile(c, f, func(w io.Writer) error { return cert.Write(w, m.proof.Certificate) }); err != nil {
			return err
		}
	}
	f := c.String("figure")
	if f == "" {
		return nil
	}
	kind, err := figureFormat(f)
	if err != nil {
		return err
	}
	n := m.Allowed.Network()
	g := figure.ProhibitedTurns(m.Allowed.Complement(), m.Graph, figureOptions(n, fmt.Sprintf("Turns prohibited by %s in %s", m.Method, subject(run.in.name))))
	return render(c, f, kind, g)
}

// root is the root of the tree, nil where there is none.
func (m *turnsMade) root() *model.SwitchID {
	if m.Tree == nil {
		return nil
	}
	u := m.Tree.Root
	return &u
}

// methodFlag returns the flag of turns for an option of a method.
func methodFlag(k resolve.MethodKey) cli.Flag {
	category := cli.CategoryReadings
	if slices.Contains([]string{"objective", "pareto", "keep-tree", "cycle-free-only", "seconds", "seed", "journal"}, k.Name) {
		category = cli.CategoryMethod
	}
	switch {
	case k.Name == "journal":
		return &cli.Output{StringFlag: cli.StringFlag{Name: k.Name, Usage: k.Help(), Category: category}, Stored: true}
	case k.Name == "seconds":
		return &cli.Seconds{StringFlag: cli.StringFlag{Name: k.Name, Usage: k.Help(), Category: category}}
	case len(k.Values) == 2 && k.Values[0] == "false":
		return &cli.BoolFlag{Name: k.Name, Usage: k.About, Category: category}
	case k.Values != nil:
		return &cli.Words{StringFlag: cli.StringFlag{Name: k.Name, Usage: k.Help(), DefaultText: k.Values[0], Category: category}, List: k.Values}
	}
	return &cli.Text{StringFlag: cli.StringFlag{Name: k.Name, Usage: k.Help(), Category: category}}
}
