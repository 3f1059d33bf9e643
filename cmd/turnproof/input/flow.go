package input

import (
	"errors"
	"fmt"
	"strings"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/cmd/turnproof/say"
	"github.com/turnproof/turnproof/model/bubble"
	"github.com/turnproof/turnproof/synth/resolve"
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

// ReadFlow returns the rule of --flow, or else that of the network's file, or nil. in may be nil.
func ReadFlow(c *cli.Context, in *resolve.Subject) (*bubble.Rule, error) {
	if c.String("flow") == "" {
		if in == nil || in.Net.FlowControl() == nil || c.String("gate") != "" {
			return nil, nil
		}
		rule, err := bubble.Parse(in.Net.FlowControl().Rule)
		return &rule, err
	}
	rule, err := bubble.Parse(c.String("flow"))
	if err != nil {
		return nil, fmt.Errorf("--flow: %w", err)
	}
	return &rule, nil
}

// ReadFlowSizes returns what --flow, --packet and --buffer state, or else the network's file, or nil without flow control. in
// may be nil.
func ReadFlowSizes(c *cli.Context, in *resolve.Subject) (*bubble.Flow, error) {
	rule, err := ReadFlow(c, in)
	if err != nil || rule == nil {
		return nil, err
	}
	f := &bubble.Flow{Rule: *rule}
	if f.Packet, f.Buffer, f.Source, err = flowSizes(c, in); err != nil {
		return nil, err
	}
	switch {
	case f.Packet == 0 || f.Buffer == 0:
		return nil, errors.New("--flow needs --packet and --buffer: the verdict holds for these sizes")
	case c.String("gate") != "":
		return nil, errors.New("--flow cannot be combined with --gate: the proof of each supposes that only room and its own rule hold a packet back")
	case c.String("fail") != "" && rule.Off != "":
		return nil, errors.New("--fail cannot be combined with off of --flow: it names places that may fail")
	case c.Bool("atomic") && rule.Kind != bubble.Worm:
		return nil, fmt.Errorf("--atomic does not go with --flow %s: a buffer holds several packets", rule.Kind)
	}
	return f, nil
}

// flowSizes returns the sizes of packets and buffers under flow control of rings, and what states the flow control and the
// sizes. A size that nothing states is 0.
func flowSizes(c *cli.Context, in *resolve.Subject) (packet, buffer int, source string, err error) {
	if in == nil {
		s, err := Sizes(c)
		return s.Packet, s.Buffer, "--packet, --buffer, --flow", err
	}
	packet, buffer, source = in.FlowSizes()
	if c.IsSet("flow") {
		source = strings.TrimPrefix(source+", --flow", ", ")
	}
	return packet, buffer, source, nil
}
