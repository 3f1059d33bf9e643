package input

import (
	"errors"
	"fmt"
	"strings"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/model/gate"
	"github.com/turnproof/turnproof/synth/resolve"
)

// This file reads gates from the flags.

func GateKeys() string {
	var list []string
	for _, k := range gate.Keys() {
		list = append(list, k[0]+" ("+k[1]+")")
	}
	return strings.Join(list, "; ")
}

// ReadGate returns the rule of --gate, or nil.
func ReadGate(c *cli.Context) (*gate.Rule, error) {
	if c.String("gate") == "" {
		return nil, nil
	}
	rule, err := gate.Parse(c.String("gate"))
	if err != nil {
		return nil, fmt.Errorf("--gate: %w", err)
	}
	return &rule, nil
}

// ReadGating returns the gates of --gate with the sizes of packets and buffers, or nil without gates.
func ReadGating(c *cli.Context, in *resolve.Subject) (*gate.Setup, error) {
	rule, err := ReadGate(c)
	if err != nil {
		return nil, err
	}
	if rule == nil {
		return nil, nil
	}
	if c.Bool("cross-check") {
		return nil, errors.New("--cross-check does not support gates: no question for Z3 has the packets that pass them; remove --cross-check or --gate")
	}
	g := &gate.Setup{Rule: *rule}
	g.Packet, g.Buffer = in.GatedSizes()
	return g, nil
}
