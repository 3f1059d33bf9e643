package layers

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/internal/encode"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format/infiniband/levels"
	"github.com/turnproof/turnproof/model/format/native"
	"github.com/turnproof/turnproof/model/route"
	"github.com/turnproof/turnproof/model/view/tables"
	"github.com/turnproof/turnproof/synth"
	"github.com/turnproof/turnproof/synth/layers"
	"github.com/turnproof/turnproof/synth/resolve"
	"github.com/turnproof/turnproof/synth/tabulate"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/cert"
)

// This file collects the routes, gives them VCs, proves the result and writes its files.

// modes are the words of --per.
var modes = map[string]layers.Mode{"path": layers.PerPath, "pair": layers.PerPair, "rise": layers.PerRise, "hop": layers.PerHop}

func perWords() []string { return []string{"path", "pair", "rise", "hop"} }

// mostPaths is the largest number of paths of a routing with several for each pair.
const mostPaths = 1 << 20

// search is the routes, what was found for them, and the relation that it makes.
type search struct {
	in      *resolve.Subject
	per     string
	mode    layers.Mode
	routes  *layers.Routes
	choices []layers.Choice // the paths of all pairs, or nil if a pair has one path or packets choose at each hop
	found   *layers.Result
	hops    *layers.HopResult // for rise and hop, in place of found
	kept    *layers.Kept
	rel     model.Relation
}

// collect collects the routes in the form that --per needs.
func collect(c *cli.Context, in *resolve.Subject) (*search, error) {
	s := &search{in: in, per: c.String("per")}
	mode, ok := modes[s.per]
	if !ok {
		return nil, fmt.Errorf("--per %s: known are %s", s.per, strings.Join(perWords(), ", "))
	}
	s.mode = mode
	if c.IsSet("vcs") && (s.mode != layers.PerPath || in.Net.NumHosts() > resolve.MaxPairHosts) {
		if s.mode != layers.PerPath {
			return nil, errors.New("--vcs reroutes pairs within layers; it does not go with --per")
		}
		return nil, fmt.Errorf("--vcs stores a path for every pair: %d hosts are more than %d", in.Net.NumHosts(), resolve.MaxPairHosts)
	}
	single, err := layers.Collect(c.Context, in.Rel)
	switch {
	case err == nil && s.mode <= layers.PerPair && in.Rel.Network().VCs() == 1:
		s.routes = single
		return s, nil
	case c.IsSet("vcs") && err != nil:
		return nil, err
	case c.IsSet("vcs"):
		return nil, fmt.Errorf("--vcs: the routing has %d VCs per channel already, one was expected", in.Rel.Network().VCs())
	case s.mode == layers.PerPair:
		s.routes, err = layers.CollectPairs(c.Context, in.Rel)
	default:
		s.routes, s.choices, err = layers.CollectPaths(c.Context, in.Rel, mostPaths)
	}
	if err == nil && s.routes.Pairs == 0 {
		err = errors.New("no pair of hosts sends packets")
	}
	return s, err
}

// find searches for VCs, and makes the relation that uses them.
func (s *search) find(c *cli.Context, limit time.Duration) (err error) {
	o := layers.Options{Time: limit, Seed: c.Uint64("seed")}
	if s.mode == layers.PerRise || s.mode == layers.PerHop {
		made, err := synth.New(c.Context, "updown", s.in.Net.WithVCs(1), synth.Options{})
		if err != nil {
			return err
		}
		s.hops, err = layers.FindHops(c.Context, s.routes, s.mode, layers.ChannelOrder(made.Allowed), o)
		if err != nil {
			return err
		}
		return s.spread(s.hops.VCs, func(p int32) []int32 { return s.hops.Of[p] })
	}
	if s.found, err = layers.Find(c.Context, s.routes, o); err != nil {
		return err
	}
	if s.choices != nil {
		return s.spread(s.found.Layers, func(p int32) []int32 { return s.found.Of[p : p+1] })
	}
	if s.rel, err = layers.Layered(s.in.Rel, s.routes, s.found.Of); err != nil || !c.IsSet("vcs") {
		return err
	}
	return s.keepWithin(c, int(c.Uint("vcs")))
}

// spread makes the relation of all paths with these VCs.
func (s *search) spread(k int, vcs func(int32) []int32) (err error) {
	if k > model.MaxVCs {
		return fmt.Errorf("%d VCs, a network has at most %d per channel", k, model.MaxVCs)
	}
	n := s.in.Net.WithVCs(k)
	s.rel, err = route.Paths(n, layers.Spread(n, s.choices, vcs))
	return err
}

// keepWithin reroutes paths so that all routes fit into k layers. If they already fit, it keeps the relation.
func (s *search) keepWithin(c *cli.Context, k int) error {
	made, err := synth.New(c.Context, "updown", s.in.Net, synth.Options{Release: true})
	if err != nil {
		return err
	}
	if s.kept, err = layers.Within(s.in.Rel, s.routes, s.found, k, made.Allowed); err != nil || s.found.Layers <= k {
		return err
	}
	s.rel, err = route.Paths(s.in.Net.WithVCs(k), s.kept.Paths)
	return err
}

// noVC says that the paths of a pair close a cycle, and returns the exit status. Other errors it returns. With --json
// the message goes to stderr.
func (s *search) noVC(c *cli.Context, err error) error {
	var cycle *layers.CycleError
	if !errors.As(err, &cycle) {
		return fmt.Errorf("%s: %w", s.in.Name, err)
	}
	from, to := s.routes.PairOf(cycle.Pair)
	n, w := s.in.Net, c.App.Writer
	if c.Bool("json") {
		w = c.App.ErrWriter
	}
	fmt.Fprintf(w, "no number of VCs is enough: the paths from %s to %s close a dependency cycle, so they cannot share a VC\n",
		n.HostLabel(from), n.HostLabel(s.in.Rel.DestinationHost(to)))
	return cli.Status(cli.ExitRefuted)
}

// bound returns the core of the lower bound.
func (s *search) bound() layers.Core {
	if s.hops != nil {
		return layers.Core{Mode: s.mode, Bound: s.hops.Bound, Paths: s.hops.Core}
	}
	mode := layers.PerPath
	if s.routes.Paths == nil {
		mode = layers.PerPair
	}
	return layers.Core{Mode: mode, Bound: s.found.Bound, Paths: s.found.Core}
}

// prove decides the relation. It adds the evidence for the lower bound to the certificate, and reports whether the checker
// accepted it.
func (s *search) prove(c *cli.Context, limit time.Duration) (rep *verify.Report, certified bool, err error) {
	if rep, err = verify.Check(c.Context, s.rel, verify.Options{Switching: model.CutThrough, Inputs: encode.Inputs(s.in.Files)}); err != nil {
		return nil, false, err
	}
	core := s.bound()
	if core.Bound < 2 {
		return rep, true, nil
	}
	if len(core.Paths) == 0 || s.kept != nil && s.kept.Rerouted > 0 {
		return rep, false, nil
	}
	ctx, cancel := context.WithTimeout(c.Context, limit)
	defer cancel()
	claim, err := layers.Evidence(ctx, s.rel, s.routes, s.choices, core)
	if err != nil || claim == nil {
		return rep, false, err
	}
	rep.Certificate.Claims = append(rep.Certificate.Claims, *claim)
	if err := cert.Check(rep.Certificate); err != nil {
		return nil, false, fmt.Errorf("internal error: the checker rejects the lower bound: %w", err)
	}
	return rep, true, nil
}

// write writes the files of --certificate and --output, if set. --output holds service levels if the routing is a
// forwarding table with LIDs from a file, next hops if packets choose at each hop, otherwise the paths with their VCs.
func (s *search) write(c *cli.Context, rep *verify.Report) error {
	if f := c.String("certificate"); f != "" {
		if err := cli.WriteFile(c, f, func(w io.Writer) error { return cert.Write(w, rep.Certificate) }); err != nil {
			return err
		}
	}
	f := c.String("output")
	if f == "" {
		return nil
	}
	return cli.WriteFile(c, f, func(w io.Writer) error {
		if t, ok := s.rel.(*model.Table); ok && s.in.Table != nil && t.HasLIDs() {
			return levels.WriteServiceLevels(w, t)
		}
		if s.routes.Paths == nil && s.mode == layers.PerPair {
			kind, err := tabulate.Find(tabulate.Kinds(), "input-hops")
			if err != nil {
				return err
			}
			source := &tabulate.Source{Relation: s.rel, From: model.NoHost, To: model.NoHost}
			return tabulate.Write(c.Context, w, tables.NewCSV, kind, source, tables.Schema{})
		}
		return native.WritePaths(w, s.rel.Network(), route.WalkPaths(s.rel))
	})
}
