package input

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/cmd/turnproof/say"
	"github.com/turnproof/turnproof/internal/plain"
	"github.com/turnproof/turnproof/internal/spelling"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/explain"
)

// This file handles the premises of verdicts: switching, the flags, the output.

// PremiseFlags are the flags of all commands that judge a routing.
func PremiseFlags() []cli.Flag {
	return []cli.Flag{
		cli.In(cli.CategoryChecked, SwitchingFlag()),
		multicastFlag(),
		cli.In(cli.CategoryChecked, WaitingFlag()),
		&cli.BoolFlag{Name: "strict", Usage: "treat an assumed premise that could change the verdict as undecided", Category: cli.CategoryChecked},
		&cli.Words{StringFlag: cli.StringFlag{Name: "assume", Usage: "accept these assumed premises under --strict, `NAME[,NAME...]` or all: " + strings.Join(assumeWords(), ", "), Category: cli.CategoryChecked}, List: append(assumeWords(), "all"), Open: true},
	}
}

// SwitchingFlag chooses a switching discipline.
func SwitchingFlag() cli.Flag {
	return &cli.Words{StringFlag: cli.StringFlag{Name: "switching", Usage: "check one switching `DISCIPLINE`: vct (virtual cut-through), saf (store-and-forward) or wormhole (default: that of the input, else each)"}, List: say.WordsOf([]model.Switching{model.CutThrough, model.StoreAndForward, model.Wormhole})}
}

// WaitingFlag chooses what packets wait for.
func WaitingFlag() cli.Flag {
	return &cli.Words{StringFlag: cli.StringFlag{Name: "waiting", Usage: "let a packet with several permitted next hops wait for `HOPS`: any (the first free hop is taken) or one (chosen on arrival, as by a hash) (default: one for Ethernet, else that of the routing, else any)"}, List: say.WordsOf([]model.Waiting{model.WaitAny, model.WaitOne})}
}

// assumeWords are the names of premises as --assume takes them.
func assumeWords() (words []string) {
	for _, name := range model.PremiseNames() {
		words = append(words, strings.ReplaceAll(name, " ", "-"))
	}
	return words
}

// Judging returns the options of verify.Check that flags and input determine.
// It must be called after the routing was read.
func (in *Input) Judging(c *cli.Context) (o verify.Options, err error) {
	if o.Switching, o.Open, err = in.Discipline(c); err != nil {
		return o, err
	}
	if o.Multicast, err = in.readMulticast(c); err != nil {
		return o, err
	}
	if o.Waiting, err = in.Waiting(c); err != nil {
		return o, err
	}
	o.Inputs, o.Doubts, o.Strict = in.Files, in.doubts, c.Bool("strict")
	if o.Sizes, err = in.sizesOf(c); err != nil {
		return o, err
	}
	o.Premises, err = accepted(c.String("assume"), in.Premises)
	return o, err
}

// Discipline returns the switching discipline, or that it is open. It adds the
// premise.
func (in *Input) Discipline(c *cli.Context) (s model.Switching, open bool, err error) {
	source := "--switching"
	switch word := c.String("switching"); {
	case word != "":
		if s, err = model.ParseSwitching(word); err != nil {
			return s, false, fmt.Errorf("--switching: %w", err)
		}
	case c.String("gate") != "":
		s, source = model.CutThrough, "--gate"
	case in.Switching != "":
		s, source = in.Switching, in.SwitchingFrom
	case in.Vlans != nil:
		s, source = model.StoreAndForward, "the VLANs are Ethernet"
	case in.Net.IsInfiniBand():
		s, source = model.CutThrough, fileWord(in.From.Network)+" is InfiniBand"
	default:
		return "", true, nil
	}
	in.Premise(model.PremiseSwitching, string(s), source)
	return s, false, nil
}

// sizesOf returns the sizes of packets and buffers: those of the flags of check,
// else those of the input, else nil.
func (in *Input) sizesOf(c *cli.Context) (*verify.Sizes, error) {
	if c.Command.Name != "check" || c.String("gate") != "" || !c.IsSet("packet") && !c.IsSet("buffer") && !c.Bool("atomic") {
		return in.sizes, nil
	}
	if !c.IsSet("packet") || !c.IsSet("buffer") {
		return nil, errors.New("--packet and --buffer go together, and --atomic needs both, except with --gate")
	}
	s := &verify.Sizes{Packet: c.Int("packet"), Buffer: c.Int("buffer"), Atomic: c.Bool("atomic"), Source: "--packet, --buffer"}
	if s.Packet < 1 || s.Buffer < 1 {
		return nil, fmt.Errorf("--packet %d --buffer %d: at least 1 flit each", s.Packet, s.Buffer)
	}
	return s, nil
}

// Waiting returns which next hops packets wait for, empty if neither the flag nor the input says it.
// It adds the source of the premise, to which verify adds the value.
func (in *Input) Waiting(c *cli.Context) (model.Waiting, error) {
	_, byState := in.Rel.(model.Committer)
	switch word := c.String("waiting"); {
	case word != "":
		w, err := model.ParseWaiting(word)
		if err != nil {
			return "", fmt.Errorf("--waiting: %w", err)
		}
		in.Premise(model.PremiseWaiting, "", "--waiting")
		return w, nil
	case in.Vlans != nil:
		in.Premise(model.PremiseWaiting, "", "the VLANs are Ethernet")
		return model.WaitOne, nil
	case in.far.table != nil:
		return in.adaptiveWaiting(), nil
	case byState:
		in.Premise(model.PremiseWaiting, "", "routing "+in.Routing)
	}
	return "", nil
}

// Premise adds a premise of the input.
func (in *Input) Premise(name, value, source string) {
	in.Premises = append(in.Premises, model.Premise{Name: name, Value: value, Source: source})
}

// doubt adds evidence against an assumption. If no claims are named, it is
// against deadlock-free alone.
func (in *Input) doubt(d model.Doubt) { in.doubts = append(in.doubts, d) }

// accepted gives the assumed premises that --assume names the flag as their source.
func accepted(words string, list []model.Premise) ([]model.Premise, error) {
	list = slices.Clone(list)
	if words == "" {
		return list, nil
	}
	known := assumeWords()
	for _, word := range strings.Split(words, ",") {
		if word != "all" && !slices.Contains(known, word) {
			return nil, fmt.Errorf("--assume: no premise %s%s; known are all, %s", word, spelling.Suggest(word, known), strings.Join(known, ", "))
		}
		for i, name := range model.PremiseNames() {
			if word == known[i] || word == "all" {
				list = acceptOne(name, list)
			}
		}
	}
	return list, nil
}

// acceptOne marks a premise as accepted by a flag, whatever value verify gives it.
func acceptOne(name string, list []model.Premise) []model.Premise {
	for i, p := range list {
		if p.Name == name {
			if p.IsAssumed() {
				list[i].Source = "--assume"
			}
			return list
		}
	}
	return append(list, model.Premise{Name: name, Source: "--assume"})
}

// PrintPremises lists the premises.
func PrintPremises(w io.Writer, list []model.Premise) {
	fmt.Fprintf(w, "\nPremises:\n")
	for _, line := range explain.PremiseLines(list) {
		fmt.Fprintf(w, "  %s\n", line)
	}
}

// PrintWarnings prints what could change the verdict; --quiet does not hide it.
func (in *Input) PrintWarnings(c *cli.Context) {
	for _, text := range in.Warnings {
		fmt.Fprintln(cli.Warnings(c), "warning:", plain.Text(text))
	}
}

// Remarks lists the warnings and notes of the input, each with its kind.
func (in *Input) Remarks() (list []string) {
	for _, text := range in.Warnings {
		list = append(list, "Warning: "+text)
	}
	for _, text := range in.Notes {
		list = append(list, "Note: "+text)
	}
	return list
}

// fileWord names a file for readers by its base name.
func fileWord(file string) string {
	if file == "-" {
		return "standard input"
	}
	return filepath.Base(file)
}
