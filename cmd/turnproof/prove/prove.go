package prove

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/cmd/turnproof/input"
	"github.com/turnproof/turnproof/cmd/turnproof/say"
	"github.com/turnproof/turnproof/cmd/turnproof/verdict"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/program"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/cert"
	"github.com/turnproof/turnproof/verify/parametric"
)

// description returns the help of the command, below its usage.
func description() string {
	return "FILE is a routing program (docs/routing-programs.md). check, sim and the other commands\n" +
		"accept it for --routing. NAME is a published algorithm that is included as a program:\n" +
		"  " + strings.Join(programNames(), ", ") + "\n\n" +
		"The program is run on symbols; Z3 proves that a rank rises along every dependency, for every\n" +
		"size, and the independent checker accepts a proof of this that needs no solver.\n" +
		"A refutation is the smallest network on which the program fails, with the counterexample.\n" +
		"Exit status: 0 proved, 1 refuted, 2 wrong usage, wrong input or an error in the program, 3 undecided.\n\n" +
		"Examples:\n" +
		"  turnproof prove west-first.star\n" +
		"  turnproof prove dor --family torus:3\n" +
		"  turnproof prove duato --switching wormhole\n" +
		"  turnproof prove detour.star --claims connected,livelock-free\n" +
		"  turnproof prove west-first --claims deterministic,fully-adaptive\n" +
		"  turnproof prove ring.star --flow bubble --packet 4 --buffer 8\n" +
		"  turnproof prove detour.star --faults links:1\n" +
		"  turnproof prove nf+1 --obligations nf.smt2 && z3 nf.smt2\n" +
		"  turnproof prove nf+1 --certificate nf.cert && turnproof-check nf.cert\n" +
		"  turnproof prove odd-even --proof odd-even.md\n" +
		"  turnproof prove odd-even --length\n" +
		"  turnproof prove shortest.star --find-vcs 3 --program duato.star"
}

// Command returns the command prove with its flags.
func Command() *cli.Command {
	return &cli.Command{
		Name:         "prove",
		Usage:        "prove a routing program for every size of its family, or find the smallest on which it fails",
		ArgsUsage:    "FILE|NAME [flags]",
		BashComplete: cli.Complete(cli.Argument{Words: programNames(), Files: true}),
		Description:  description(),
		Flags: append(input.SizeFlags(), input.FlowFlag(""),
			&cli.Words{StringFlag: cli.StringFlag{Name: "family",
				Usage: "prove for `FAMILY`: mesh, torus, hyperx and others, optionally with the number of dimensions, such as torus:3 " +
					"(default: every family of the program)"}, List: program.Kinds(), Open: true},
			&cli.Text{StringFlag: cli.StringFlag{Name: "dims",
				Usage: "prove for `K` or K-L dimensions, if the program accepts any number (default: 1-3, hypercubes 1-10, " +
					"or only 1 if that proves every number)"}},
			&cli.Words{StringFlag: cli.StringFlag{Name: "switching",
				Usage: "prove for one switching `DISCIPLINE`: vct (virtual cut-through), saf (store-and-forward) or wormhole (default: each)"},
				List: say.WordsOf([]model.Switching{model.CutThrough, model.StoreAndForward, model.Wormhole})},
			&cli.Words{StringFlag: cli.StringFlag{Name: "waiting",
				Usage: "prove a program for any network, where a packet with several next hops waits for `HOPS`: any (the first free " +
					"hop is taken) or one (chosen on arrival) (default: any)"}, List: say.WordsOf([]model.Waiting{model.WaitAny, model.WaitOne})},
			&cli.Text{StringFlag: cli.StringFlag{Name: "claims",
				Usage: "prove the claims of `LIST` only: deadlock-free, connected, livelock-free, minimal, deterministic, fully-adaptive " +
					"(default: the first three)"}},
			&cli.BoolFlag{Name: "length", Usage: "bound the hops of paths by a formula in the sizes, such as (n - 1) + (m - 1)"},
			&cli.Text{StringFlag: cli.StringFlag{Name: "faults",
				Usage: "prove for at most one or two failed links or switches, anywhere: `KIND:K` is links:1, links:2, switches:1 or switches:2"}},
			&cli.Seconds{StringFlag: cli.StringFlag{Name: "seconds", Value: "10", Usage: "limit the time of one question to Z3"}},
			&cli.IntFlag{Name: "find-vcs", Usage: "find a rule that assigns at most `N` VCs to a program that returns directions only, or to one for any " +
				"network that numbers its hops, and prove it"},
			&cli.Output{StringFlag: cli.StringFlag{Name: "program", Usage: "write the program with the rule of --find-vcs to `FILE`",
				Category: cli.CategoryOutput}},
			&cli.Output{StringFlag: cli.StringFlag{Name: "obligations", Usage: "write the proved obligations to `FILE` in SMT-LIB 2, for any solver",
				Category: cli.CategoryOutput}},
			&cli.Output{StringFlag: cli.StringFlag{Name: "certificate", Usage: "write the proof to `FILE`; turnproof-check judges it without a solver",
				Category: cli.CategoryOutput}},
			&cli.Output{StringFlag: cli.StringFlag{Name: "proof", Usage: "write the proof for readers to `FILE.md` or FILE.tex: theorem, ranks, cases",
				Category: cli.CategoryOutput}},
			&cli.Output{StringFlag: cli.StringFlag{Name: "figure", Usage: "draw the classes of channels with their ranks as `FILE` (.svg, .png, .pdf or .dot)",
				Category: cli.CategoryOutput}},
			&cli.Output{StringFlag: cli.StringFlag{Name: "journal", Usage: "store each finished proof in `FILE`; the same command resumes from it",
				Category: cli.CategoryOutput}},
			&cli.BoolFlag{Name: "json", Usage: "print one JSON object (docs/schema/prove.json)", Category: cli.CategoryOutput},
		),
		Action: runProve,
	}
}

// runProve is the action of the command.
func runProve(c *cli.Context) error {
	began := time.Now()
	word, err := cli.OneArgument(c, "FILE|NAME")
	if err != nil {
		return err
	}
	o, err := readOptions(c)
	if err != nil {
		return err
	}
	if err := cli.DistinctOutputs(c, "obligations", "certificate", "proof", "figure", "journal", "program"); err != nil {
		return err
	}
	list, err := programsToProve(c, word)
	if err != nil {
		return err
	}
	if err := checkOutputs(c, len(list)); err != nil {
		return err
	}
	line := cli.ProgressOf(c.App.ErrWriter)
	if isForNetworks(list) {
		return proveNetworks(c, word, list[0].program, o.Switching, o.Claims, began, line)
	}
	if c.IsSet("waiting") {
		return errors.New("--waiting is for programs for any network")
	}
	search, err := findVCs(c, list, o, line)
	if err != nil {
		return err
	}
	p := printer{c: c, word: word, family: list[0].program.Family.String(), dims: list[0].dims, began: began, search: search}
	if search != nil && search.Program == nil {
		return p.endSearch()
	}
	inputs := programInputs(word, list)
	stored, err := openStore(c, list)
	if err != nil {
		return fmt.Errorf("--journal: %w", err)
	}
	x := &prover{word: word, list: list, options: o, lengths: c.Bool("length"), inputs: inputs, stored: stored, line: line}
	if err := errors.Join(x.proveAll(c.Context, p.found), stored.close()); err != nil {
		return err
	}
	if err := writeProofs(c, p.reports, inputs); err != nil {
		return err
	}
	if err := p.end(inputs); err != nil {
		return err
	}
	return verdict.Status(proveVerdict(p.proofs))
}

// writeProofs writes the files of --obligations, --certificate, --proof and --figure.
func writeProofs(c *cli.Context, reports []*parametric.Report, inputs []cert.Input) error {
	if f := c.String("obligations"); f != "" && reports[0].Script != "" {
		if err := cli.WriteFile(c, f, func(w io.Writer) error { _, err := io.WriteString(w, reports[0].Script); return err }); err != nil {
			return err
		}
	}
	if err := writeCertificate(c, reports, inputs); err != nil {
		return err
	}
	return writeArticle(c, reports)
}

// proveVerdict returns refuted if a proof is refuted, else undecided if one is undecided, else
// proved.
func proveVerdict(proofs []proofJSON) verify.Verdict {
	v := verify.Proved
	for _, p := range proofs {
		switch verify.Verdict(p.Result) {
		case verify.Refuted:
			return verify.Refuted
		case verify.Undecided:
			v = verify.Undecided
		}
	}
	return v
}
