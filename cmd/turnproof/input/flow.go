package input

import (
	"errors"
	"fmt"
	"strings"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/cmd/turnproof/say"
	"github.com/turnproof/turnproof/model/bubble"
	"github.com/turnproof/turnproof/verify"
)

// This file reads flow control of rings from the flags.

// FlowFlag returns the flag --flow.
func FlowFlag(category string) cli.Flag {
	var list []string
	for _, k := range bubble.Keys() {
		list = append(list, k[0]+" ("+k[1]+")")
	}
	return &cli.Words{StringFlag: cli.StringFlag{Name: "flow", Category: category,
		Usage: "keep rings from filling up by flow control, `KIND[,KEY=VALUE...]`: " + strings.Join(say.WordsOf(bubble.Kinds()), ", ") +
			"; keys: " + strings.Join(list, "; ")},
		List: say.WordsOf(bubble.Kinds()), Open: true}
}

// SizeFlags returns the flags --packet and --buffer of a command that takes --flow but simulates under no other sizes.
func SizeFlags() []cli.Flag {
	return []cli.Flag{
		&cli.IntFlag{Name: "packet", Usage: "length of every packet in `FLITS`, with --flow"},
		&cli.IntFlag{Name: "buffer", Usage: "size of the buffer of a VC in `FLITS`, with --flow"},
	}
}

// ReadFlow returns the rule of --flow, or nil.
func ReadFlow(c *cli.Context) (*bubble.Rule, error) {
	if c.String("flow") == "" {
		return nil, nil
	}
	rule, err := bubble.Parse(c.String("flow"))
	if err != nil {
		return nil, fmt.Errorf("--flow: %w", err)
	}
	return &rule, nil
}

// ReadFlowSizes returns what --flow, --packet and --buffer state, or nil without --flow.
func ReadFlowSizes(c *cli.Context) (*verify.Flow, error) {
	rule, err := ReadFlow(c)
	switch {
	case err != nil || rule == nil:
		return nil, err
	case !c.IsSet("packet") || !c.IsSet("buffer"):
		return nil, errors.New("--flow needs --packet and --buffer: the verdict holds for these sizes")
	case c.String("gate") != "":
		return nil, errors.New("--flow cannot be combined with --gate")
	case c.String("fail") != "":
		return nil, errors.New("--flow cannot be combined with --fail")
	case c.Bool("cross-check"):
		return nil, errors.New("--cross-check does not support flow control: remove --cross-check or --flow")
	case c.Bool("atomic") && rule.Kind != bubble.Worm:
		return nil, fmt.Errorf("--atomic does not go with --flow %s: a buffer holds several packets", rule.Kind)
	}
	return &verify.Flow{Rule: *rule, Packet: c.Int("packet"), Buffer: c.Int("buffer"), Source: "--flow, --packet, --buffer"}, nil
}
