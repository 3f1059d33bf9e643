package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/turnproof/turnproof/cmd/trust/agree"
	"github.com/turnproof/turnproof/cmd/trust/defects"
	"github.com/turnproof/turnproof/cmd/trust/faults"
	"github.com/turnproof/turnproof/cmd/trust/hostile"
	"github.com/turnproof/turnproof/cmd/trust/limits"
	"github.com/turnproof/turnproof/cmd/trust/proved"
	"github.com/turnproof/turnproof/cmd/trust/relationchanges"
	"github.com/turnproof/turnproof/cmd/trust/seams"
	"github.com/turnproof/turnproof/cmd/trust/stage"
	"github.com/turnproof/turnproof/cmd/trust/transitions"
	"github.com/turnproof/turnproof/cmd/turnproof/machines"

	_ "github.com/turnproof/turnproof/synth/makers"      // stages read routings by name
	_ "github.com/turnproof/turnproof/verify/conditions" // stages decide them
)

// stages lists the stages in the order of docs/trust.md.
var stages = []stage.Stage{
	agree.Stage,
	agree.WormStage,
	agree.RingStage,
	agree.GateStage,
	transitions.Stage,
	relationchanges.Stage,
	seams.Stage,
	proved.Stage,
	defects.Stage,
	hostile.Stage,
	faults.Stage,
	limits.Stage,
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := app().RunContext(ctx, arguments(os.Args)); err != nil {
		fmt.Fprintln(os.Stderr, "trust:", err)
		os.Exit(1)
	}
}

// command is the name of the only command. Tasks of Slurm name it, users do not.
const command = "run"

// arguments returns the command line with the name of the command.
func arguments(words []string) []string {
	if len(words) > 1 && words[1] == command {
		return words
	}
	return slices.Insert(slices.Clone(words), 1, command)
}

func app() *cli.App {
	o := stage.Options{Progress: os.Stderr}
	return &cli.App{
		Name:           "trust",
		Metadata:       map[string]any{},
		Commands:       []*cli.Command{runCommand(&o)},
		ExitErrHandler: func(*cli.Context, error) {}, // main prints errors
	}
}

func runCommand(o *stage.Options) *cli.Command {
	return &cli.Command{
		Name:      command,
		HelpName:  "trust",
		Usage:     "try to show that turnproof is wrong, and record the result",
		ArgsUsage: "[STAGE...]",
		Description: "Without arguments, run all stages in this order:\n\n" + list() +
			"\nExit status: 0 if no stage finds anything wrong, else 1.",
		HideHelpCommand: true,
		Flags: append([]cli.Flag{
			&cli.StringFlag{Name: "root", Value: ".", Usage: "the `FOLDER` of go.mod", Destination: &o.Root},
			&cli.StringFlag{Name: "bin", Value: "bin", Usage: "the `FOLDER` of turnproof and turnproof-check", Destination: &o.Bin},
			&cli.Uint64Flag{Name: "seed", Value: 1, Usage: "seed of random cases", Destination: &o.Seed},
			&cli.IntFlag{Name: "cases", Usage: "number of `CASES`, for stages that count cases (0: the default of each stage)", Destination: &o.Cases},
			&cli.DurationFlag{Name: "time", Usage: "`TIME` for one command, for stage limits (0: its default)", Destination: &o.Time},
			&cli.StringFlag{Name: "record", Usage: "write STAGE.md into `FOLDER` for each stage (default: print)"},
			&cli.IntFlag{Name: "parts", Value: 16, Usage: "divide a stage into `N` parts, with --journal"},
			&cli.StringFlag{Name: "config", Hidden: true}, // tasks of Slurm set it
		}, machines.Flags("parts", "none")...),
		Action: func(c *cli.Context) error {
			chosen, err := choose(c.Args().Slice())
			if err != nil {
				return err
			}
			if machines.Given(c) != "" {
				return runParts(c, chosen, *o)
			}
			return runAll(c.Context, chosen, *o, c.String("record"))
		},
	}
}

func list() string {
	var text strings.Builder
	for _, s := range stages {
		fmt.Fprintf(&text, "   %-10s %s\n", s.Name, s.Title)
	}
	return text.String()
}

// choose returns the stages with those names, or all stages if there are no names.
func choose(names []string) ([]stage.Stage, error) {
	if len(names) == 0 {
		return stages, nil
	}
	var chosen []stage.Stage
	for _, name := range names {
		i := slices.IndexFunc(stages, func(s stage.Stage) bool { return s.Name == name })
		if i < 0 {
			return nil, fmt.Errorf("no stage %q; there are:\n%s", name, list())
		}
		chosen = append(chosen, stages[i])
	}
	return chosen, nil
}

// runAll runs stages one after the other. If a stage fails, the next ones still run.
func runAll(ctx context.Context, chosen []stage.Stage, o stage.Options, record string) error {
	var failed []error
	for _, s := range chosen {
		if err := ctx.Err(); err != nil {
			return errors.Join(append(failed, err)...)
		}
		fmt.Fprintf(o.Progress, "== %s: %s\n", s.Name, s.Title)
		if err := runOne(ctx, s, o, record); err != nil {
			failed = append(failed, fmt.Errorf("%s: %w", s.Name, err))
			fmt.Fprintf(o.Progress, "trust: %v\n", failed[len(failed)-1])
		}
	}
	return errors.Join(failed...)
}
