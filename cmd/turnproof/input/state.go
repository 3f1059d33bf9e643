package input

import (
	"fmt"
	"os"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/synth/resolve"
)

// This file reads one of two states of a fabric, for the commands compare and reroute.

// State reads one of the two states: a folder of dumps, or a file of tables for the network of
// --network. sl is a file of service levels, or "". before is the state read earlier, or nil. If --network is standard input, State
// takes the network from before, because standard input can be read only once.
func State(c *cli.Context, path, sl string, before *resolve.Subject) (in *resolve.Subject, err error) {
	q, err := Request(c, path)
	if err != nil {
		return nil, err
	}
	q.SL, q.NeedsRouting, q.Sums = sl, true, c.Bool("json")
	if c.String("network") == "-" {
		q.Like = before
	}
	st, serr := os.Stat(path)
	isFile := path == "-" || serr == nil && !st.IsDir()
	if routed := resolve.IsRouted(path) || resolve.IsBookSim(path); isFile && !routed {
		if c.String("network") == "" {
			return nil, fmt.Errorf("%s is a file: name its network with --network", path)
		}
		q.Network, q.Routing = c.String("network"), path
	}
	if in, err = Load(c, q); err != nil {
		return nil, err
	}
	in.Name = path
	in.Table, _ = in.Rel.(*model.Table)
	return in, nil
}
