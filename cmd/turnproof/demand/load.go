// Package demand reads what loads a network, from flags of several commands: traffic, and the control that holds it back.
//
// Read first: load.go, control.go.
package demand

import (
	"fmt"
	"strings"

	"github.com/turnproof/turnproof/engine/traffic"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/synth/resolve"
)

// LoadTraffic reads a value of --traffic of turns and report: a permutation pattern of sim, whose random choices are seeded, or
// what resolve.Traffic reads. It returns the word too. spec is the network as the user named it.
func LoadTraffic(value, spec string, in *resolve.Subject, seed uint64) (*model.Traffic, string, error) {
	name, _, _ := strings.Cut(value, ":")
	if k, err := traffic.Find(name); err != nil || !k.Permutes() {
		return resolve.Traffic(value, spec, in.Net, in.SumsOnly())
	}
	t, _, err := traffic.Amounts(value, in.Net, seed)
	switch {
	case err != nil:
		return nil, "", err
	case t == nil:
		return nil, "", fmt.Errorf("--traffic %s: the network has %d hosts, at least 2 are needed", value, in.Net.NumHosts())
	}
	in.SumTraffic(value)
	return t, value, nil
}
