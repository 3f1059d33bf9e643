package layers

import (
	"fmt"
	"time"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/cmd/turnproof/input"
	"github.com/turnproof/turnproof/cmd/turnproof/verdict"
	"github.com/turnproof/turnproof/synth/layers"
	"github.com/turnproof/turnproof/synth/resolve"
)

// Command returns the command layers with its flags.
func Command() *cli.Command {
	return &cli.Command{
		Name:         "layers",
		Usage:        "find the fewest virtual channels that make given routes deadlock-free",
		ArgsUsage:    "NETWORK [--routing FILE|NAME] [flags]",
		BashComplete: cli.Complete(input.NetworkArgument()),
		Description: "The routes stay as they are. They get virtual channels (VCs) such that no dependency cycle is left.\n" +
			"Without --routing the routes are shortest paths with balanced load. A routing may have several\n" +
			"paths for a pair of hosts: adaptive routings, drawn paths, lists of paths in a file.\n" +
			"--per says what gets a VC:\n" +
			"  path  each path keeps one VC, its layer; the source draws one of the paths of a pair\n" +
			"  pair  all paths of a pair keep the same VC (InfiniBand: a service level, mapped to the virtual\n" +
			"        lane of the same number); packets may still choose at each hop\n" +
			"  rise  a path may change to a greater VC at each hop\n" +
			"  hop   a path may change to any VC at each hop\n" +
			"The independent checker accepts a proof that the result is deadlock-free. \"At least\" is a lower\n" +
			"bound for these routes, and --certificate holds the evidence for it. Other routes may need fewer.\n" +
			"The layers that LASH and DFSSSP give these routes are listed for comparison. For rise and hop it is\n" +
			"a VC for each hop, and a VC for each part of a path that obeys up*/down*.\n" +
			"For forwarding tables with LIDs, --output writes service levels for --sl. For pairs whose packets\n" +
			"choose at each hop it writes next hops by input (CSV). For other routes it writes the paths with\n" +
			"their VCs. check, sim, sweep and table read these files by --routing.\n" +
			"--vcs K uses at most K layers: pairs that do not fit are rerouted in the last layer, along turns of\n" +
			"up*/down* and further turns that close no cycle. So K = 1 is always enough.\n" +
			"Exit status: 0 done, 1 the routes are not connected, or the paths of a pair close a cycle and cannot\n" +
			"share a VC, 2 wrong usage or input.\n\n" +
			"Examples:\n" +
			"  turnproof layers torus:8x8\n" +
			"  turnproof layers torus:8x8 --vcs 2 -o paths.json\n" +
			"  turnproof layers torus:4x4 -r minimal --per pair -o hops.csv\n" +
			"  turnproof layers slimfly:5,vcs=4 -r slimfly-valiant --per rise -o paths.json\n" +
			"  turnproof check torus:8x8 --routing paths.json\n" +
			"  turnproof layers topology.ibnetdiscover --routing opensm-lfts.dump -o path-sl.txt\n" +
			"  turnproof check topology.ibnetdiscover --routing opensm-lfts.dump --sl path-sl.txt",
		Flags: []cli.Flag{
			&cli.Input{StringFlag: cli.StringFlag{Name: "routing", Aliases: []string{"r"},
				Usage:    "route by `FILE` or by the NAME of a routing (default: shortest paths)",
				Category: cli.CategoryNetwork}, Words: resolve.RoutingNames()},
			&cli.Words{StringFlag: cli.StringFlag{Name: "paths", Usage: "use these paths of a turn set: first, table, balanced, ...",
				Category: cli.CategoryNetwork}, List: resolve.PathWords()},
			&cli.Words{StringFlag: cli.StringFlag{Name: "per", Usage: "give a VC to each `WORD`: path, pair, rise or hop", Value: "path"}, List: perWords()},
			&cli.UintFlag{Name: "vcs", Usage: "use at most `K` layers, and reroute pairs that do not fit (default: no limit)"},
			&cli.Seconds{StringFlag: cli.StringFlag{Name: "seconds", Usage: "limit the search", Value: "10"}},
			&cli.Uint64Flag{Name: "seed", Usage: "seed for random orders"},
			&cli.Output{StringFlag: cli.StringFlag{Name: "output", Aliases: []string{"o"},
				Usage:    "write the routes with their VCs to `FILE`: service levels for --sl, or paths or next hops for --routing",
				Category: cli.CategoryOutput}},
			&cli.Output{StringFlag: cli.StringFlag{Name: "certificate", Usage: "write the evidence for the result and for the lower bound to `FILE`",
				Category: cli.CategoryOutput}},
			&cli.BoolFlag{Name: "json", Usage: "print one JSON object (docs/schema/layers.json)", Category: cli.CategoryOutput},
			input.HostsFlag(),
			input.LMCFlag(),
		},
		Action: runLayers,
	}
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
	s, err := collect(c, in)
	if err != nil {
		return fmt.Errorf("%s: %w", in.Name, err)
	}
	line := cli.ProgressOf(c.App.ErrWriter)
	line.Within(limit, "looking for virtual channels")
	if err := s.find(c, limit); err != nil {
		return s.noVC(c, err)
	}
	line.Say("proving the result")
	rep, certified, err := s.prove(c, limit)
	if err != nil {
		return fmt.Errorf("%s: %w", in.Name, err)
	}
	if err := s.write(c, rep); err != nil {
		return err
	}
	out := s.json(rep, certified, time.Since(began).Seconds())
	if c.Bool("json") {
		if err := cli.PrintJSON(c.App.Writer, out); err != nil {
			return err
		}
	} else {
		input.PrintNotes(c, in)
		s.text(c.App.Writer, out)
	}
	return verdict.Status(rep.Verdict())
}
