package layers

import (
	"fmt"
	"io"
	"time"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/cmd/turnproof/input"
	"github.com/turnproof/turnproof/cmd/turnproof/verdict"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format"
	"github.com/turnproof/turnproof/model/route"
	"github.com/turnproof/turnproof/model/view/wording"
	"github.com/turnproof/turnproof/synth"
	"github.com/turnproof/turnproof/synth/layers"
	"github.com/turnproof/turnproof/synth/resolve"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/cert"
)

// Command returns the command layers with its flags.
func Command() *cli.Command {
	return &cli.Command{
		Name:         "layers",
		Usage:        "find the fewest layers of virtual channels that make given routes deadlock-free",
		ArgsUsage:    "NETWORK [--routing FILE|NAME] [flags]",
		BashComplete: cli.Complete(input.NetworkArgument()),
		Description: "Each pair of hosts uses one layer (InfiniBand: a service level, mapped to the virtual\n" +
			"lane of the same number), and no layer has a dependency cycle. The routes stay as they are.\n" +
			"Without --routing the routes are shortest paths with balanced load.\n" +
			"The independent checker accepts a proof that the layers are deadlock-free. \"At least\" is a\n" +
			"lower bound for these routes: 2 if one layer has a cycle; more if as many paths close cycles in\n" +
			"pairs, or if an exhaustive search found none. Other routes may need fewer. The layers that LASH\n" +
			"and DFSSSP give these routes are listed for comparison.\n" +
			"For forwarding tables with LIDs, --output writes service levels for --sl. For other routes it\n" +
			"writes the paths with their virtual channels, for --routing of check, sim and table.\n" +
			"--vcs K uses at most K layers: pairs that do not fit are rerouted in the last layer, along turns of\n" +
			"up*/down* and further turns that close no cycle. So K = 1 is always enough.\n" +
			"Exit status: 0 done, 1 the routes are not connected, 2 wrong usage or input.\n\n" +
			"Examples:\n" +
			"  turnproof layers torus:8x8\n" +
			"  turnproof layers torus:8x8 --vcs 2 -o paths.json\n" +
			"  turnproof check torus:8x8 --routing paths.json\n" +
			"  turnproof layers topology.ibnetdiscover --routing opensm-lfts.dump -o path-sl.txt\n" +
			"  turnproof check topology.ibnetdiscover --routing opensm-lfts.dump --sl path-sl.txt",
		Flags: []cli.Flag{
			&cli.Input{StringFlag: cli.StringFlag{Name: "routing", Aliases: []string{"r"},
				Usage:    "route by forwarding tables `FILE`, or by the NAME of a routing with one path for each pair (default: shortest paths)",
				Category: cli.CategoryNetwork}, Words: resolve.RoutingNames()},
			&cli.Words{StringFlag: cli.StringFlag{Name: "paths", Usage: "use these paths of a turn set: first, table, balanced, ...",
				Category: cli.CategoryNetwork}, List: resolve.PathWords()},
			&cli.UintFlag{Name: "vcs", Usage: "use at most `K` layers, and reroute pairs that do not fit (default: no limit)"},
			&cli.Seconds{StringFlag: cli.StringFlag{Name: "seconds", Usage: "limit the search", Value: "10"}},
			&cli.Uint64Flag{Name: "seed", Usage: "seed for random orders"},
			&cli.Output{StringFlag: cli.StringFlag{Name: "output", Aliases: []string{"o"},
				Usage: "write the routes in their layers to `FILE`: service levels for --sl, or paths for --routing", Category: cli.CategoryOutput}},
			&cli.Output{StringFlag: cli.StringFlag{Name: "certificate", Usage: "write the evidence that the layers are deadlock-free to `FILE`",
				Category: cli.CategoryOutput}},
			&cli.BoolFlag{Name: "json", Usage: "print one JSON object (docs/schema/layers.json)", Category: cli.CategoryOutput},
			input.HostsFlag(),
			input.LMCFlag(),
		},
		Action: runLayers,
	}
}

type layersJSON struct {
	Schema       string       `json:"schema"`
	Network      string       `json:"network"`
	Routing      string       `json:"routing"`
	Verdict      string       `json:"verdict"`
	Pairs        int64        `json:"pairs"`
	Paths        int          `json:"paths"`
	Layers       int          `json:"layers"`
	LowerBound   int          `json:"lower_bound"`
	LowerBoundBy string       `json:"lower_bound_by"`
	Optimal      bool         `json:"optimal"`
	LASH         *int         `json:"lash"`
	DFSSSP       *int         `json:"dfsssp"`
	PathsByLayer []int        `json:"paths_by_layer"`
	Within       *within      `json:"within,omitempty"` // only with --vcs
	Inputs       []cert.Input `json:"inputs"`           // the files that were read
	Seconds      float64      `json:"seconds"`
}

// within describes the routes after rerouting into at most VCs layers (--vcs).
type within struct {
	VCs        int     `json:"vcs"`
	Layers     int     `json:"layers"`
	Rerouted   int64   `json:"rerouted"`
	MeanPath   float64 `json:"mean_path"`
	MeanBefore float64 `json:"mean_path_before"`
}

func runLayers(c *cli.Context) error {
	began := time.Now()
	if err := cli.DistinctOutputs(c, "output", "certificate"); err != nil {
		return err
	}
	limit, err := cli.ReadSeconds(c, "seconds")
	if err != nil {
		return err
	}
	path, err := cli.OneArgument(c, "NETWORK")
	if err != nil {
		return err
	}
	in, err := input.Read(c, path, false, c.String("certificate") != "" || c.Bool("json"))
	if err != nil {
		return err
	}
	if in.Rel == nil {
		t, err := layers.Shortest(in.Net)
		if err != nil {
			return fmt.Errorf("%s: %w", in.Name, err)
		}
		in.Rel, in.Net, in.Routing = t, t.Network(), "shortest paths"
	}
	routes, err := layers.Collect(c.Context, in.Rel)
	if err != nil {
		return fmt.Errorf("%s: %w", in.Name, err)
	}
	line := cli.ProgressOf(c.App.ErrWriter)
	line.Within(limit, "looking for layers")
	r, err := layers.Find(c.Context, routes, layers.Options{Time: limit, Seed: c.Uint64("seed")})
	if err != nil {
		return err
	}
	line.Say("proving the layers")
	layered, err := layers.Layered(in.Rel, routes, r.Of)
	if err != nil {
		return fmt.Errorf("%s: %w", in.Name, err)
	}
	var kept *layers.Kept
	if k := int(c.Uint("vcs")); c.IsSet("vcs") {
		if kept, layered, err = keepWithin(c, in, routes, r, k, layered); err != nil {
			return fmt.Errorf("%s: %w", in.Name, err)
		}
	}
	rep, err := verify.Check(c.Context, layered, verify.Options{Switching: model.CutThrough, Inputs: in.Files})
	if err != nil {
		return err
	}
	if err := writeLayers(c, in, layered, rep); err != nil {
		return err
	}
	out := newLayersJSON(in, routes, r, rep, time.Since(began).Seconds())
	if kept != nil {
		pairs := float64(max(1, len(kept.Paths)))
		out.Within = &within{int(c.Uint("vcs")), kept.Layers, kept.Rerouted, float64(kept.Links) / pairs, float64(kept.Before) / pairs}
	}
	if c.Bool("json") {
		if err := cli.PrintJSON(c.App.Writer, out); err != nil {
			return err
		}
	} else {
		input.PrintNotes(c, in)
		layersText(c.App.Writer, in, out, routes, r)
	}
	return verdict.Status(rep.Verdict())
}

// keepWithin reroutes paths so that all routes fit into k layers. layered is the relation of the
// routes in their layers; keepWithin returns it if the routes already fit.
func keepWithin(c *cli.Context, in *resolve.Subject, routes *layers.Routes, r *layers.Result, k int, layered model.Relation) (*layers.Kept,
	model.Relation, error) {
	if in.Net.NumHosts() > resolve.MaxPairHosts {
		return nil, nil, fmt.Errorf("--vcs stores a path for every pair: %d hosts are more than %d", in.Net.NumHosts(), resolve.MaxPairHosts)
	}
	made, err := synth.New(c.Context, "updown", in.Net, synth.Options{Release: true})
	if err != nil {
		return nil, nil, err
	}
	kept, err := layers.Within(in.Rel, routes, r, k, made.Allowed)
	if err != nil || r.Layers <= k {
		return kept, layered, err
	}
	rel, err := route.Paths(in.Net.WithVCs(k), kept.Paths)
	return kept, rel, err
}

// writeLayers writes the files of --certificate and --output, if set. --output holds service
// levels if the routing is a forwarding table with LIDs from a file, otherwise the paths with
// their VCs.
func writeLayers(c *cli.Context, in *resolve.Subject, layered model.Relation, rep *verify.Report) error {
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
		if t, ok := layered.(*model.Table); ok && in.Table != nil && t.HasLIDs() {
			return format.WriteServiceLevels(w, t)
		}
		return format.WritePaths(w, layered.Network(), route.WalkPaths(layered))
	})
}

func newLayersJSON(in *resolve.Subject, routes *layers.Routes, r *layers.Result, rep *verify.Report, seconds float64) *layersJSON {
	out := &layersJSON{Schema: "turnproof.layers/1", Network: in.Name, Routing: in.Routing, Verdict: string(rep.Verdict()), Pairs: routes.Pairs,
		Paths: len(routes.Paths), Layers: r.Layers, LowerBound: r.Bound, LowerBoundBy: r.By, Optimal: r.Layers == r.Bound,
		PathsByLayer: make([]int, r.Layers), Inputs: input.InputsJSON(in), Seconds: seconds}
	if r.LASH > 0 {
		out.LASH = &r.LASH
	}
	if r.DFSSSP > 0 {
		out.DFSSSP = &r.DFSSSP
	}
	for _, l := range r.Of {
		out.PathsByLayer[l]++
	}
	return out
}

func layersText(w io.Writer, in *resolve.Subject, out *layersJSON, routes *layers.Routes, r *layers.Result) {
	n := in.Net
	fmt.Fprintf(w, "%s: %s, %s, %s; %s\n\n", in.Name, wording.Count(n.NumSwitches(), "switch", "es"), wording.Count(n.NumHosts(), "host", "s"),
		wording.Count(n.NumLinks(), "link", "s"), in.Routing)
	fmt.Fprintf(w, "layers:    %d\n", out.Layers)
	fmt.Fprintf(w, "at least:  %d", out.LowerBound)
	switch r.By {
	case layers.ByCycle:
		fmt.Fprintf(w, " for %s: in one layer these routes close a dependency cycle", in.Routing)
	case layers.ByClique:
		fmt.Fprintf(w, " for %s: every two of this many routes close a cycle", in.Routing)
	case layers.BySearch:
		fmt.Fprintf(w, " for %s: an exhaustive search found no assignment to fewer layers", in.Routing)
	}
	fmt.Fprintln(w)
	for i, p := range r.Clique {
		if i == 10 {
			fmt.Fprintf(w, "           and %d more\n", len(r.Clique)-i)
			break
		}
		fmt.Fprint(w, "           ")
		for k, c := range routes.Paths[p] {
			if k == 0 {
				fmt.Fprint(w, n.SwitchName(n.Tail(c)))
			}
			fmt.Fprintf(w, " > %s", n.SwitchName(n.Head(c)))
		}
		fmt.Fprintln(w)
	}
	fmt.Fprintf(w, "paths:     %d with dependencies, of %d pairs of hosts; by layer", out.Paths, out.Pairs)
	for _, k := range out.PathsByLayer {
		fmt.Fprintf(w, " %d", k)
	}
	fmt.Fprintln(w)
	if k := out.Within; k != nil {
		fmt.Fprintf(w, "within %d:  %s, %d rerouted; %.3f links on average, %.3f before\n", k.VCs, wording.Count(k.Layers, "layer", "s"), k.Rerouted,
			k.MeanPath, k.MeanBefore)
	}
	if out.LASH != nil {
		fmt.Fprintf(w, "LASH:      %d\n", *out.LASH)
	}
	if out.DFSSSP != nil {
		fmt.Fprintf(w, "DFSSSP:    %d\n", *out.DFSSSP)
	}
	fmt.Fprintf(w, "deadlock-free, connected, livelock-free: %s\n%.2f s\n", out.Verdict, out.Seconds)
}
