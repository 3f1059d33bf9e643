package turns

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/cmd/turnproof/demand"
	"github.com/turnproof/turnproof/cmd/turnproof/input"
	"github.com/turnproof/turnproof/cmd/turnproof/picture"
	"github.com/turnproof/turnproof/cmd/turnproof/rows"
	"github.com/turnproof/turnproof/cmd/turnproof/turnset"
	"github.com/turnproof/turnproof/internal/option"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format/lists"
	"github.com/turnproof/turnproof/model/format/native"
	"github.com/turnproof/turnproof/model/view/figure"
	"github.com/turnproof/turnproof/synth"
	"github.com/turnproof/turnproof/synth/resolve"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/cert"
)

// description returns the help of the command, below its usage.
func description() string {
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
	return "Methods:\n" + strings.Join(lines, "\n") + "\n\n" +
		"The independent checker accepts a proof that each set is acyclic and connected before it is\n" +
		"printed. Exit status: 0 both hold, 1 one is refuted, 2 wrong usage or input.\n\n" +
		"Examples:\n" +
		"  turnproof turns torus:8x8 --method lturn-alpha\n" +
		"  turnproof turns random:switches=64,degree=4,hosts=4 --compare\n" +
		"  turnproof turns topology.ibnetdiscover -m turn-addition --traffic jobs.txt -o set.json\n" +
		"  turnproof check topology.ibnetdiscover --routing set.json\n" +
		"  turnproof check torus:8x8 --routing lturn-alpha,root=9,paths=first"
}

// Command returns the command turns with its flags.
func Command() *cli.Command {
	flags := []cli.Flag{
		&cli.Words{StringFlag: cli.StringFlag{Name: "method", Aliases: []string{"m"}, Usage: "`METHOD`: " + strings.Join(synth.Names(), ", "),
			Category: cli.CategoryMethod}, List: synth.Names(), Open: true},
		&cli.BoolFlag{Name: "compare", Usage: "compare all published methods, or those that --method lists with commas", Category: cli.CategoryMethod},
		&cli.Input{StringFlag: cli.StringFlag{Name: "traffic",
			Usage: "weigh turns and measure loads by this traffic: uniform, halves[:BETWEEN] (1 inside each half of the hosts), " +
				"a permutation of sim such as bit-reversal or bit-reversal:switches, or a `FILE` of lines \"source destination amount\" " +
				"(default: uniform; for fattree-pair specs halves:0.01)", Category: cli.CategoryMethod},
			Words: demand.LoadWords()},
		&cli.Output{StringFlag: cli.StringFlag{Name: "output", Aliases: []string{"o"},
			Usage: "write the turn set to `FILE`, for --routing of other commands", Category: cli.CategoryOutput}},
		&cli.Output{StringFlag: cli.StringFlag{Name: "certificate", Usage: "write the evidence that it is acyclic and connected to `FILE`",
			Category: cli.CategoryOutput}},
		&cli.Output{StringFlag: cli.StringFlag{Name: "figure", Usage: "draw the prohibited turns to `FILE` (.svg, .png, .pdf, .dot)",
			Category: cli.CategoryOutput}},
		&cli.Input{StringFlag: cli.StringFlag{Name: "keep",
			Usage: "always allow the turns in `FILE`, for minimum: lines \"FROM BY TO\", switches by number or name, * for any", Category: cli.CategoryMethod}},
		&cli.Input{StringFlag: cli.StringFlag{Name: "prohibit", Usage: "always prohibit the turns in `FILE`, for minimum, in the same format",
			Category: cli.CategoryMethod}},
		&cli.BoolFlag{Name: "simulate", Usage: "test the verdict by simulation: run an acyclic set at saturation, drive a cyclic set into a deadlock",
			Category: cli.CategoryOpinions},
		rows.ResultFlag("print the comparison of --compare as `FORMAT`: text, csv, markdown, latex"),
		rows.ColumnsFlag(),
		&cli.BoolFlag{Name: "json", Usage: "print one JSON object (docs/schema/turns.json)", Category: cli.CategoryOutput},
		input.LMCFlag(),
	}
	for _, x := range synth.AllOptions() {
		if x.Kind != option.Value {
			flags = append(flags, optionFlag(x))
		}
	}
	return &cli.Command{
		Name:         "turns",
		Usage:        "make a set of allowed turns by a published method, prove it and measure it",
		ArgsUsage:    "NETWORK --method METHOD [flags]",
		BashComplete: cli.Complete(input.NetworkArgument()),
		Description:  description(),
		Flags:        append(flags, input.HostsFlag()),
		Action:       runTurns,
	}
}

func runTurns(c *cli.Context) error {
	methods, err := methodsWanted(c)
	if err != nil {
		return err
	}
	if err := turnOutputs(c, methods); err != nil {
		return err
	}
	if f, err := rows.ResultFormat(c); err != nil {
		return err
	} else if f != "text" && !c.Bool("compare") {
		return fmt.Errorf("--format %s goes with --compare", f)
	}
	names, err := columnsWanted(c)
	if err != nil {
		return err
	}
	run, err := readTurnsRun(c)
	if err != nil {
		return err
	}
	input.PrintNotes(c, run.In)
	made, err := synth.Each(c.Context, methods, func(name string) (*turnset.Made, error) { return run.Make(c, name) })
	if err != nil {
		return fmt.Errorf("%s: %w", run.In.Name, err)
	}
	if err := writeTurns(c, run, made[0]); err != nil {
		return err
	}
	if err := printTurns(c, run, made, names); err != nil {
		return err
	}
	for _, m := range made {
		if m.Proof.Acyclic.Verdict != verify.Proved || m.Proof.Connected.Verdict != verify.Proved {
			return cli.Status(cli.ExitRefuted)
		}
	}
	return nil
}

// methodsWanted returns the methods to use. It returns an error if a flag does not apply to one of
// them.
func methodsWanted(c *cli.Context) ([]string, error) {
	var names []string
	if c.String("method") != "" {
		names = strings.Split(c.String("method"), ",")
	}
	switch {
	case len(names) == 0 && c.Bool("compare"):
		names = synth.Published()
	case len(names) == 0:
		return nil, fmt.Errorf("--method is missing: want %s; or --compare", strings.Join(synth.Names(), ", "))
	case len(names) > 1 && !c.Bool("compare") && !strings.Contains(c.String("method"), "="):
		return nil, errors.New("several methods need --compare")
	}
	for at, name := range names {
		if slices.Contains(names[:at], name) {
			return nil, fmt.Errorf("--method: %s is given twice", name)
		}
		m, err := synth.Find(name)
		switch {
		case err != nil && strings.Contains(name, "="):
			return nil, fmt.Errorf("--method: no method %q; options of a method are flags here, such as --root 3", name)
		case err != nil:
			return nil, fmt.Errorf("--method: %w", err)
		}
		for _, x := range synth.AllOptions() {
			if c.IsSet(x.Name) && !m.Reads(x.Name) && !c.Bool("compare") {
				return nil, fmt.Errorf("--%s does not apply to method %s", x.Name, name)
			}
		}
	}
	return names, nil
}

// turnOutputs returns an error if an output flag is invalid or two of them name the same file.
func turnOutputs(c *cli.Context, methods []string) error {
	for _, flag := range []string{"output", "certificate", "figure"} {
		if len(methods) > 1 && c.String(flag) != "" {
			return fmt.Errorf("--%s needs a single method", flag)
		}
	}
	return picture.CheckOutputs(c, "output", "journal")
}

func readTurnsRun(c *cli.Context) (*turnset.Run, error) {
	path, err := cli.OneArgument(c, "NETWORK")
	if err != nil {
		return nil, err
	}
	run := &turnset.Run{}
	if run.In, err = input.Read(c, path, false, c.String("certificate") != "" || c.Bool("json")); err != nil {
		return nil, err
	}
	for _, x := range synth.AllOptions() {
		if !c.IsSet(x.Name) || x.Kind == option.Value {
			continue
		}
		if err := x.Set(&run.Options, fmt.Sprint(c.Value(x.Name))); err != nil {
			return nil, fmt.Errorf("--%w", err)
		}
	}
	if run.Traffic, run.Word, err = demand.LoadTraffic(c.String("traffic"), path, run.In, run.Options.Seed); err != nil {
		return nil, err
	}
	run.Options.Traffic = run.Traffic
	run.In.SumFile(run.Options.TreeFile)
	files := map[string]**model.TurnSet{"keep": &run.Options.Keep, "prohibit": &run.Options.Prohibit}
	for _, flag := range []string{"keep", "prohibit"} { // fixed order, so that the list of inputs is always the same
		if f, to := c.String(flag), files[flag]; f != "" {
			if *to, err = lists.ReadTurns(f, run.In.Net.WithVCs(1), run.In.SumsOnly()); err != nil {
				return nil, err
			}
		}
	}
	return run, nil
}

// writeTurns writes the files of --output, --certificate and --figure, if set. For a Pareto front,
// --output writes each set to its own file.
func writeTurns(c *cli.Context, run *turnset.Run, m *turnset.Made) error {
	if f := c.String("output"); f != "" {
		info := native.TurnSetInfo{Method: m.Method, Root: m.Root()}
		if err := cli.WriteFile(c, f, func(w io.Writer) error { return native.WriteTurnSet(w, m.Allowed, info) }); err != nil {
			return err
		}
	}
	for i, front := range m.Front[min(1, len(m.Front)):] { // the first set of the front is m.Allowed
		if f := c.String("output"); f != "" {
			ext := filepath.Ext(f)
			name := fmt.Sprintf("%s-%d%s", strings.TrimSuffix(f, ext), i+2, ext)
			if err := cli.WriteFile(c, name, func(w io.Writer) error {
				return native.WriteTurnSet(w, front.Allowed, native.TurnSetInfo{Method: m.Method})
			}); err != nil {
				return err
			}
		}
	}
	if f := c.String("certificate"); f != "" {
		if err := cli.WriteFile(c, f, func(w io.Writer) error { return cert.Write(w, m.Proof.Certificate) }); err != nil {
			return err
		}
	}
	f := c.String("figure")
	if f == "" {
		return nil
	}
	kind, err := picture.Format(f)
	if err != nil {
		return err
	}
	n := m.Allowed.Network()
	g := figure.ProhibitedTurns(m.Allowed.Complement(), m.Graph, figure.OptionsFor(n,
		fmt.Sprintf("Turns prohibited by %s in %s", m.Method, resolve.Title(run.In.Name))))
	return picture.Render(c, f, kind, g)
}

// optionFlag returns the flag for an option of the methods.
func optionFlag(x synth.Option) cli.Flag {
	category := cli.CategoryMethod
	if isPublished(x) {
		category = cli.CategoryReadings
	}
	switch x.Kind {
	case option.Input:
		return &cli.Input{StringFlag: cli.StringFlag{Name: x.Name, Usage: x.Help(), Category: category}}
	case option.File:
		return &cli.Output{StringFlag: cli.StringFlag{Name: x.Name, Usage: x.Help(), Category: category}, Stored: true}
	case option.Seconds:
		return &cli.Seconds{StringFlag: cli.StringFlag{Name: x.Name, Usage: x.Help(), Category: category}}
	case option.Bool:
		return &cli.BoolFlag{Name: x.Name, Usage: x.About, Category: category}
	case option.Word:
		return &cli.Words{StringFlag: cli.StringFlag{Name: x.Name, Usage: x.Help(), DefaultText: x.Default, Category: category}, List: x.Values}
	}
	return &cli.Text{StringFlag: cli.StringFlag{Name: x.Name, Usage: x.Help(), Category: category}}
}

// isPublished reports whether a published method reads the option. The seed does not count.
func isPublished(x synth.Option) bool {
	return x.Name != "seed" && slices.ContainsFunc(synth.Methods(), func(m synth.Method) bool { return !m.Searches && m.Reads(x.Name) })
}
