package demand

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/cmd/turnproof/input"
	"github.com/turnproof/turnproof/engine"
)

// This file reads gates and throttling for the simulator.

// ReadControl sets the options of the simulator that --gate, --throttle and --control state.
func ReadControl(c *cli.Context, e *engine.Options) (err error) {
	if e.Gate, err = input.ReadGate(c); err != nil {
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
