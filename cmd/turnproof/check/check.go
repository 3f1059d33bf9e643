package check

import (
	"slices"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/cmd/turnproof/input"
	"github.com/turnproof/turnproof/cmd/turnproof/quality"
)

// description is the help of the command, below its usage.
const description = "Exit status: 0 all three hold, 1 one is refuted, 2 wrong usage or input, 3 undecided.\n" +
	"The independent checker accepts every verdict before it is printed;\n" +
	"--certificate writes the evidence, which turnproof-check judges again.\n" +
	"--fail runs on several machines by --slurm or --shard; see docs/cluster.md.\n" +
	"NETWORK may be a folder with the dumps of a fabric: topology, tables, service levels of InfiniBand,\n" +
	"or the routes and neighbours of each Ethernet switch (docs/lossless-ethernet.md).\n" +
	"NETWORK may also be a flow problem, or a routed design of mlir-aie: finite lists of packets\n" +
	"that hold arbiters, links and buffers (docs/finite-flows.md). Then no routing is named.\n" +
	"Several NETWORKs, or a folder of such folders, are the subnets or rails of a cluster: a verdict on each.\n" +
	"A flow problem behind --flows has packets between hosts of NETWORK.\n\n" +
	"Examples:\n" +
	"  turnproof check topology.ibnetdiscover --routing opensm-lfts.dump\n" +
	"  turnproof check topology.ibnetdiscover -r opensm.fdbs --sl path-sl.txt --sl2vl opensm-sl2vl.dump\n" +
	"  turnproof check opensm-subnet.lst -r lfts.dump --figure loop.svg --certificate loop.cert\n" +
	"  turnproof check dumps/ --mend mended.lfts\n" +
	"  turnproof check dumps/rail1 dumps/rail2 --junit rails.xml\n" +
	"  turnproof check dumps/ --routing updown --fail links:1\n" +
	"  turnproof check dumps/ --routing updown --fail links:1 --journal failures.journal --slurm --slurm-tasks 50\n" +
	"  turnproof check dumps/ --sarif findings.sarif --junit findings.xml\n" +
	"  turnproof check dumps/ --quality --max-load 500 --max-hops 6 --max-unused 0\n" +
	"  turnproof check mesh:8x8 --routing west-first\n" +
	"  turnproof check torus:8x8,vcs=3 --routing duato --switching wormhole\n" +
	"  turnproof check torus:8x8,vcs=2 -r dor --classes request,reply\n" +
	"  turnproof check mesh:8x8 -r minimal --waiting one\n" +
	"  turnproof check torus:8x8,vcs=2 -r dor --gate injection,level=8\n" +
	"  turnproof check torus:8x8 -r dor --flow bubble --packet 4 --buffer 8\n" +
	"  turnproof check design.mlir --certificate design.cert"

// Command returns the command check with its flags.
func Command() *cli.Command {
	return &cli.Command{
		Name:         "check",
		Usage:        "decide whether a routing is deadlock-free, connected and livelock-free",
		ArgsUsage:    "NETWORK... --routing FILE|NAME [flags]",
		BashComplete: cli.Complete(input.NetworkArgument()),
		Description:  description,
		Flags: append(slices.Concat(input.RoutingFlags(), input.PremiseFlags(), mendFlags(), findingFlags(), failFlags(), quality.Flags()),
			&cli.Text{StringFlag: cli.StringFlag{Name: "classes",
				Usage: "check messages that cause other messages, `request,reply`: one virtual network for each class; classes joined by + share one; " +
					"aw:,w:,b:aw&w names causes; a file .yaml or .json describes a protocol",
				Category: cli.CategoryChecked}},
			&cli.Text{StringFlag: cli.StringFlag{Name: "initiators", Usage: "with --classes: only these `HOSTS` begin transactions (default: all)",
				Category: cli.CategoryChecked}},
			&cli.Text{StringFlag: cli.StringFlag{Name: "targets", Usage: "with --classes: only these `HOSTS` answer (default: all)",
				Category: cli.CategoryChecked}},
			&cli.BoolFlag{Name: "fewest-networks", Usage: "with --classes: find which classes may share a virtual network, and the fewest networks",
				Category: cli.CategoryChecked},
			&cli.Words{StringFlag: cli.StringFlag{Name: "gate",
				Usage:    "add gates, `PLACE[,KEY=VALUE...]`, as in sim: packets also wait there for the buffers ahead (switching vct, mesh or torus)",
				Category: cli.CategoryChecked}, List: []string{"turn", "injection", "both"}, Open: true},
			input.FlowFlag(cli.CategoryChecked),
			&cli.IntFlag{Name: "packet", Value: 8,
				Usage: "length of the longest packet in `FLITS`, with --buffer; with --gate or --flow of every packet", Category: cli.CategoryChecked},
			&cli.IntFlag{Name: "buffer", Value: 15, Usage: "size of the buffer of a VC in `FLITS`, with --packet; words before a receiver of a routed design",
				Category: cli.CategoryChecked},
			&cli.BoolFlag{Name: "atomic", Usage: "give a VC to a packet only when the VC is empty"},
			&cli.Output{StringFlag: cli.StringFlag{Name: "certificate", Usage: "write the evidence to `FILE`; of recipes, to the new folder FILE",
				Category: cli.CategoryOutput}},
			&cli.Output{StringFlag: cli.StringFlag{Name: "figure",
				Usage: "draw the dependency cycle, or the dependency graph if it has none, to `FILE` (.svg, .png, .pdf, .dot)", Category: cli.CategoryOutput}},
			&cli.BoolFlag{Name: "cross-check", Usage: "let Z3 also answer the finite questions; a disagreement is an error", Category: cli.CategoryOpinions},
			&cli.BoolFlag{Name: "simulate",
				Usage:    "test the verdict by simulation: run a proved routing at saturation, drive a refuted one into its deadlock",
				Category: cli.CategoryOpinions},
			&cli.BoolFlag{Name: "check", Usage: "check the network and the graph for internal inconsistencies", Category: cli.CategoryOpinions},
			&cli.BoolFlag{Name: "json", Usage: "print one JSON object (docs/schema/check.json)", Category: cli.CategoryOutput},
		),
		Action: runCheck,
	}
}
