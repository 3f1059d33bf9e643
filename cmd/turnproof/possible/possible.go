package possible

import (
	"fmt"
	"io"
	"time"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/cmd/turnproof/input"
	"github.com/turnproof/turnproof/cmd/turnproof/verdict"
	"github.com/turnproof/turnproof/internal/encode"
	"github.com/turnproof/turnproof/internal/wording"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format/lists"
	"github.com/turnproof/turnproof/synth/minimum"
	"github.com/turnproof/turnproof/synth/resolve"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/cert"
)

// Command returns the command possible with its flags.
func Command() *cli.Command {
	return &cli.Command{
		Name:         "possible",
		Usage:        "decide whether any routing without virtual channels is deadlock-free, also with one-way links",
		ArgsUsage:    "NETWORK [--closed FILE] [flags]",
		BashComplete: cli.Complete(input.NetworkArgument()),
		Description: "turnproof searches for a set of allowed turns that closes no cycle and connects all hosts, or\n" +
			"for a proof that none exists. The independent checker accepts either. If all links are\n" +
			"bidirectional, a spanning tree always works. If no set exists, no routing exists, not even an\n" +
			"adaptive one: the hops to higher ranks of a deadlock-free routing would be a set.\n" +
			"--closed names channels that no packet may use, which makes their links one-way (or\n" +
			"removes them): one line FROM TO for each, with switches by number or name and * for any.\n" +
			"Exit status: 0 a set exists, 1 none exists, 2 wrong usage or input, 3 undecided.\n\n" +
			"Examples:\n" +
			"  turnproof possible ring:5 --closed one-way.txt --certificate none.cert\n" +
			"  turnproof possible torus:4x4",
		Flags: []cli.Flag{
			&cli.Input{StringFlag: cli.StringFlag{Name: "closed", Usage: "read channels that no packet may use from `FILE`: lines \"FROM TO\""}},
			&cli.Seconds{StringFlag: cli.StringFlag{Name: "seconds", Usage: "limit the search", Value: "60"}},
			&cli.Output{StringFlag: cli.StringFlag{Name: "certificate", Usage: "write the evidence to `FILE`", Category: cli.CategoryOutput}},
			&cli.BoolFlag{Name: "json", Usage: "print one JSON object (docs/schema/possible.json)", Category: cli.CategoryOutput},
			input.HostsFlag(),
			input.LMCFlag(),
		},
		Action: runPossible,
	}
}

type possibleJSON struct {
	Schema   string        `json:"schema"`
	Network  string        `json:"network"`
	Verdict  string        `json:"verdict"`
	Closed   int           `json:"closed"`
	Channels int           `json:"channels"`
	Turns    [][3]int      `json:"turns"`  // allowed turns: three switches, before, at and after the turn
	Inputs   []model.Input `json:"inputs"` // the files that were read
	Seconds  float64       `json:"seconds"`
}

func runPossible(c *cli.Context) error {
	began := time.Now()
	limit, err := cli.ReadSeconds(c, "seconds")
	if err != nil {
		return err
	}
	path, err := cli.OneArgument(c, "NETWORK")
	if err != nil {
		return err
	}
	if err := cli.DistinctOutputs(c, "certificate"); err != nil {
		return err
	}
	in, err := input.Read(c, path, false, c.String("certificate") != "" || c.Bool("json"))
	if err != nil {
		return err
	}
	n := in.Net.WithVCs(1)
	var closed []model.ChannelID
	if f := c.String("closed"); f != "" {
		cli.Reads(c, f)
		if closed, err = lists.ReadChannels(f, n, in.SumsOnly()); err != nil {
			return err
		}
	}
	line := cli.ProgressOf(c.App.ErrWriter)
	line.Within(limit, "looking for a set of turns, or a proof that there is none")
	p, err := minimum.FindPossible(c.Context, n, closed, limit)
	if err != nil {
		return err
	}
	line.Say("proving it")
	answer, rep := verify.Undecided, (*verify.TurnReport)(nil)
	o := verify.TurnOptions{Inputs: encode.Inputs(in.Files), Closed: closed, NoSet: p.NoSet}
	switch {
	case p.Allowed != nil:
		answer = verify.Proved
		rep, err = verify.CheckTurns(c.Context, p.Allowed, o)
	case p.NoSet != nil:
		answer = verify.Refuted
		rep, err = verify.CheckTurns(c.Context, model.NewTurnSet(n), o)
	}
	if err != nil {
		return err
	}
	if p.Allowed != nil && (rep.Acyclic.Verdict != verify.Proved || rep.Connected.Verdict != verify.Proved) {
		return fmt.Errorf("internal error: the set that was found is not acyclic and connected")
	}
	if f := c.String("certificate"); f != "" && rep != nil {
		if err := cli.WriteFile(c, f, func(w io.Writer) error { return cert.Write(w, rep.Certificate) }); err != nil {
			return err
		}
	}
	if err := printPossible(c, in, p, answer, len(closed), time.Since(began).Seconds()); err != nil {
		return err
	}
	return verdict.Status(answer)
}

func printPossible(c *cli.Context, in *resolve.Subject, p *minimum.Possible, answer verify.Verdict, closed int, seconds float64) error {
	n, w := in.Net, c.App.Writer
	out := possibleJSON{Schema: "turnproof.possible/1", Network: in.Name, Verdict: string(answer), Closed: closed, Channels: n.NumLinkChannels(),
		Turns: [][3]int{}, Inputs: input.InputsJSON(in), Seconds: seconds}
	if p.Allowed != nil {
		for t := range p.Allowed.All() {
			a, b := model.ChannelID(t.In), model.ChannelID(t.Out)
			out.Turns = append(out.Turns, [3]int{int(n.Tail(a)), int(n.Head(a)), int(n.Head(b))})
		}
	}
	if c.Bool("json") {
		return cli.PrintJSON(w, out)
	}
	input.PrintNotes(c, in)
	fmt.Fprintf(w, "%s: %s, %s, %d of %d channels closed\n\n", in.Name, wording.Count(n.NumSwitches(), "switch", "es"),
		wording.Count(n.NumHosts(), "host", "s"), closed, n.NumLinkChannels())
	switch answer {
	case verify.Proved:
		fmt.Fprintf(w, "possible:    proved: %s close no cycle and connect all hosts\n", wording.Count(len(out.Turns), "allowed turn", "s"))
	case verify.Refuted:
		fmt.Fprintln(w, "possible:    refuted: every set of turns closes a cycle or leaves hosts unconnected, so no routing")
		fmt.Fprintln(w, "             is free of deadlock without virtual channels or gates, be it adaptive or not")
	default:
		fmt.Fprintln(w, "possible:    undecided within the time; --seconds allows more")
	}
	fmt.Fprintf(w, "%.2f s\n", seconds)
	return nil
}
