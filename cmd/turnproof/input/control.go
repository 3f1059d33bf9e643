package input

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/engine"
	"github.com/turnproof/turnproof/model/gate"
	"github.com/turnproof/turnproof/synth/resolve"
	"github.com/turnproof/turnproof/verify"
)

// This file reads gates and throttling from the flags.

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
func ReadGating(c *cli.Context, in *resolve.Subject) (*verify.Gating, error) {
	rule, err := ReadGate(c)
	if err != nil {
		return nil, err
	}
	if rule == nil {
		return nil, nil
	}
	if c.Bool("cross-check") {
		return nil, errors.New("--cross-check does not support gates: remove --cross-check or --gate")
	}
	g := &verify.Gating{Rule: *rule}
	g.Packet, g.Buffer = in.GatedSizes()
	return g, nil
}

// ReadControl sets the options of the simulator that --gate, --throttle and --control state.
func ReadControl(c *cli.Context, e *engine.Options) (err error) {
	if e.Gate, err = ReadGate(c); err != nil {
		return err
	}
	if text := c.String("throttle"); text != "" {
		if e.Throttle, err = ParseThrottle(text); err != nil {
			return fmt.Errorf("--throttle %s: %w", text, err)
		}
	}
	e.Control = engine.ControlPath(c.String("control"))
	if e.Control != "" && e.Gate == nil && e.Throttle == nil && !strings.HasPrefix(c.String("routing"), "cross-line") && e.Select != engine.SelectAhead {
		return errors.New("--control goes with --gate, --throttle or the selection ahead")
	}
	return nil
}

func ParseThrottle(text string) (*engine.Throttle, error) {
	t := &engine.Throttle{}
	seen := map[string]bool{}
	for _, item := range strings.Split(text, ",") {
		key, value, _ := strings.Cut(item, "=")
		if seen[key] {
			return nil, fmt.Errorf("%s is given twice", key)
		}
		seen[key] = true
		var err error
		switch key {
		case "rth":
			t.Mobility, err = strconv.ParseFloat(value, 64)
		case "pn":
			t.Occupancy, err = strconv.ParseFloat(value, 64)
		case "release":
			if t.ReleaseEmpty = value == "empty"; !t.ReleaseEmpty && value != "full" {
				return nil, fmt.Errorf("release is %q; want full or empty", value)
			}
		default:
			return nil, fmt.Errorf("no key %q, known are rth, pn, release", key)
		}
		if err != nil {
			return nil, fmt.Errorf("%s is %q; want a number from 0 to 1", key, value)
		}
	}
	if !seen["rth"] || !seen["pn"] {
		return nil, errors.New("want rth and pn, such as rth=0.8,pn=0.4")
	}
	return t, nil
}
