package prove

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/cmd/turnproof/input"
	"github.com/turnproof/turnproof/cmd/turnproof/picture"
	"github.com/turnproof/turnproof/internal/registry"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/verify/parametric"
	"github.com/turnproof/turnproof/verify/parametric/article"
)

// This file reads the flags that say what to prove, and checks those of output files.

// readOptions reads the options of a proof for every size from flags. An empty switching discipline means each.
func readOptions(c *cli.Context) (o parametric.Options, err error) {
	o.Each = true
	if word := c.String("switching"); word != "" {
		if o.Switching, err = model.ParseSwitching(word); err != nil {
			return o, fmt.Errorf("--switching: %w", err)
		}
	}
	if o.Flow, err = input.ReadFlowSizes(c, nil); err != nil {
		return o, err
	}
	if o.Faults, err = readFaults(c); err != nil {
		return o, err
	}
	if o.Claims, err = readClaims(c); err != nil {
		return o, err
	}
	for _, flag := range []string{"flow", "figure", "find-vcs"} {
		if o.Faults != nil && c.IsSet(flag) {
			return o, fmt.Errorf("--faults does not support --%s", flag)
		}
	}
	o.Limit, err = cli.ReadSeconds(c, "seconds")
	return o, err
}

// readFaults reads --faults, or returns nil.
func readFaults(c *cli.Context) (*parametric.Faults, error) {
	word := c.String("faults")
	if word == "" {
		return nil, nil
	}
	for _, f := range []parametric.Faults{{Most: 1}, {Most: 2}, {Switches: true, Most: 1}, {Switches: true, Most: 2}} {
		if f.String() == word {
			return &f, nil
		}
	}
	return nil, fmt.Errorf("--faults %s: want links:1, links:2, switches:1 or switches:2", word)
}

// readClaims reads --claims, or returns nil.
func readClaims(c *cli.Context) (list []string, err error) {
	if !c.IsSet("claims") {
		return nil, nil
	}
	for _, word := range strings.Split(c.String("claims"), ",") {
		if _, err := registry.Find("claim", word, parametric.KnownClaims, func(name string) string { return name }); err != nil {
			return nil, fmt.Errorf("--claims %s: %w", c.String("claims"), err)
		}
		list = append(list, word)
	}
	return list, nil
}

// checkOutputs returns an error if an output file has an unknown format, if it needs a proof that --journal does not
// store, or if it would have to hold several proofs.
func checkOutputs(c *cli.Context, proofs int) error {
	if f := c.String("proof"); f != "" {
		if _, err := article.FormatOf(filepath.Ext(f)); err != nil {
			return fmt.Errorf("--proof: %w", err)
		}
	}
	if f := c.String("figure"); f != "" {
		if _, err := picture.Format(f); err != nil {
			return fmt.Errorf("--figure: %w", err)
		}
	}
	for _, flag := range []string{"obligations", "certificate", "proof", "figure"} {
		if c.String(flag) != "" && c.String("journal") != "" {
			return fmt.Errorf("--%s needs the whole proof, which --journal does not store", flag)
		}
		if c.String(flag) != "" && proofs > 1 {
			return fmt.Errorf("--%s writes one proof, here are %d: choose one with --family and --dims", flag, proofs)
		}
	}
	return nil
}
