package input

import (
	"fmt"
	"slices"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/internal/plain"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/synth/resolve"
)

// This file reads what the command line names.

// Read reads the network at path, and the routing if needRouting is true or a flag names one. If
// sums is true, it computes the SHA-256 of each file.
func Read(c *cli.Context, path string, needRouting, sums bool) (*resolve.Subject, error) {
	return ReadPrepared(c, path, needRouting, sums, nil)
}

// ReadPrepared is Read with a function that replaces the network before the routing is read. The
// function may be nil.
func ReadPrepared(c *cli.Context, path string, needRouting, sums bool, prepare func(*model.Network) (*model.Network, error)) (*resolve.Subject, error) {
	q, err := Request(c, path)
	if err != nil {
		return nil, err
	}
	q.NeedsRouting, q.Sums, q.Prepare = needRouting, sums, prepare
	return Load(c, q)
}

// takeOneWay are the commands that read networks with links of one direction.
var takeOneWay = []string{"check", "compare", "convert", "draw", "replay", "sim", "sweep", "table"}

// Load reads what q names, and tells cli which files are inputs.
func Load(c *cli.Context, q resolve.Request) (*resolve.Subject, error) {
	in, err := resolve.Load(c.Context, q)
	if err != nil {
		return nil, err
	}
	if c.Command != nil && in.Net.OneWayLinks() > 0 && !slices.Contains(takeOneWay, c.Command.Name) {
		return nil, fmt.Errorf("%s has links of one direction, and %s needs both directions of each link", in.Name, c.Command.Name)
	}
	for _, file := range append(in.From.Files(), c.String("traffic"), c.String("against")) {
		cli.Reads(c, file)
	}
	return in, nil
}

// Request returns what the flags of the command say about a network at path.
func Request(c *cli.Context, path string) (q resolve.Request, err error) {
	q = resolve.Request{Network: path, Routing: c.String("routing"), SL: c.String("sl"), SL2VL: c.String("sl2vl"), Paths: c.String("paths"),
		Management: c.String(ManagementFlagName), Multicast: c.String("multicast"),
		Flows: c.String("flows"), Switching: c.String("switching"), Waiting: c.String("waiting"),
		Settings: Settings(c), Assume: c.String("assume"), Strict: c.Bool("strict"), Gated: c.String("gate") != "", TakesFlow: takesFlow(c)}
	rule, err := ReadFlow(c, nil)
	if err != nil {
		return q, err
	}
	if rule != nil {
		q.Flow = rule.Switching()
	}
	q.FewLevels = c.Command != nil && c.Command.Name == "check" && !slices.ContainsFunc(beyondTables, c.IsSet)
	if c.IsSet("lmc") {
		lmc := c.Uint("lmc")
		q.LMC = &lmc
	}
	if c.Command != nil && c.Command.Name != "draw" { // --hosts of draw says how hosts are drawn
		q.Hosts = c.String("hosts")
	}
	q.Sizes, err = Sizes(c)
	return q, err
}

// beyondTables are the flags of check whose verdicts are about more than the dependency graph of the tables as they are.
var beyondTables = []string{"fail", "mend", "classes", "initiators", "targets", "fewest-networks", "gate", "flow"}

// takesFlow reports whether the command uses the flow control that a network's file states.
func takesFlow(c *cli.Context) bool {
	return c.Command != nil && slices.Contains([]string{"check", "replay", "sim", "sweep", "convert"}, c.Command.Name)
}

// Sizes returns the sizes of packets and buffers that flags of check, replay and prove state.
func Sizes(c *cli.Context) (s resolve.Sizes, err error) {
	if c.Command == nil || !slices.Contains([]string{"check", "replay", "prove"}, c.Command.Name) {
		return s, nil
	}
	for _, x := range []struct {
		flag string
		to   *int
	}{{"packet", &s.Packet}, {"buffer", &s.Buffer}} {
		if !c.IsSet(x.flag) {
			continue
		}
		if *x.to = c.Int(x.flag); *x.to < 1 || *x.to > model.MaxChannelAttribute {
			return s, fmt.Errorf("--%s %d: want 1 to %d flits", x.flag, *x.to, model.MaxChannelAttribute)
		}
	}
	s.Atomic = c.Bool("atomic")
	return s, nil
}

// PrintNotes prints the notes of the readers to stderr.
func PrintNotes(c *cli.Context, in *resolve.Subject) {
	for _, note := range in.Notes {
		fmt.Fprintln(c.App.ErrWriter, "note:", plain.Text(note))
	}
}

// PrintWarnings prints what could change the verdict. --quiet does not hide it.
func PrintWarnings(c *cli.Context, in *resolve.Subject) {
	for _, text := range in.Warnings {
		fmt.Fprintln(cli.Warnings(c), "warning:", plain.Text(text))
	}
}

// InputsJSON returns the files of the input as a list that is never null.
func InputsJSON(in *resolve.Subject) []model.Input { return append([]model.Input{}, in.Files...) }
