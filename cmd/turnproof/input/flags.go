package input

import (
	"slices"
	"strings"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/cmd/turnproof/say"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/synth/resolve"
)

// This file declares the flags that name a routing and state premises.

// RoutingFlags returns the flags of all commands that take a routing.
func RoutingFlags() []cli.Flag {
	routing := network("routing", "route by `FILE` or NAME: forwarding tables (opensm-lfts.dump, dump_lfts, ibroute, .fdbs, ibdiagnet2.far), "+
		"a turn set, paths, a routing program FILE.star, or the name of a routing (turnproof routings lists them)")
	routing.Aliases = []string{"r"}
	paths := network("paths", "use these paths of a turn set, `WORD`: "+strings.Join(resolve.PathWords(), ", "))
	paths.DefaultText = resolve.PathsAll
	return append([]cli.Flag{
		&cli.Input{StringFlag: routing, Words: resolve.RoutingNames()},
		&cli.Input{StringFlag: network("sl", "read the service levels of the paths from `FILE` (default: all use SL 0)")},
		&cli.Input{StringFlag: network("sl2vl", "read SL-to-VL tables from `FILE` (default: VL = SL)")},
		&cli.Words{StringFlag: paths, List: resolve.PathWords()},
		ManagementFlag("none, with a note if they change the verdict"),
		HostsFlag(),
		LMCFlag(),
		&cli.Input{StringFlag: network("flows", "restrict the traffic to the pairs of `FILE`, with the columns source and destination, "+
			"to members of a partition (partitions.conf of OpenSM), "+
			"or of HOST:HOST[,HOST:HOST...] (default: all pairs of hosts talk); a column recipe makes it several lists, judged one by one")},
	}, settingFlags()...)
}

// network returns the common part of a flag about the network.
func network(name, usage string) cli.StringFlag {
	return cli.StringFlag{Name: name, Usage: usage, Category: cli.CategoryNetwork}
}

// LMCFlag returns the flag --lmc.
func LMCFlag() cli.Flag {
	return &cli.UintFlag{Name: "lmc", Category: cli.CategoryNetwork,
		Usage: "set the LMC of the hosts in an opensm-subnet.lst, which does not contain it (0 to 7)"}
}

// HostsFlag returns the flag --hosts, which says which nodes of a network file are hosts.
func HostsFlag() cli.Flag {
	return &cli.Text{StringFlag: network("hosts", "choose the hosts of a DOT, GraphML or edge list network: "+
		"nodes that match `GLOB[,GLOB...]`, or one host at each node that matches at:GLOB[,GLOB...]")}
}

// IsHostsFlag reports whether a flag is that of HostsFlag.
func IsHostsFlag(f cli.Flag) bool { return slices.Contains(f.Names(), "hosts") }

// ManagementFlagName is the flag for packets to and from the ports of switches themselves.
const ManagementFlagName = "management"

// ManagementFlag returns the flag --management. Without a word it means all, without the flag what standard says.
func ManagementFlag(standard string) cli.Flag {
	usage := "include packets to and from the LIDs of switches, `WORD`: none, hosts (between hosts and switches) or all " +
		"(default: " + standard + "; all if no word follows)"
	return &cli.Words{StringFlag: network(ManagementFlagName, usage), List: resolve.ManagementWords(), Bare: "all"}
}

// PremiseFlags returns the flags of all commands that judge a routing.
func PremiseFlags() []cli.Flag {
	assume := cli.StringFlag{Name: "assume", Category: cli.CategoryChecked,
		Usage: "accept these assumed premises under --strict, `NAME[,NAME...]` or all: " + strings.Join(resolve.AssumeWords(), ", ")}
	return []cli.Flag{
		cli.In(cli.CategoryChecked, SwitchingFlag()),
		MulticastFlag(),
		cli.In(cli.CategoryChecked, WaitingFlag()),
		&cli.BoolFlag{Name: "strict", Usage: "treat an assumed premise that could change the verdict as undecided", Category: cli.CategoryChecked},
		&cli.Words{StringFlag: assume, List: append(resolve.AssumeWords(), "all"), Open: true},
	}
}

// SwitchingFlag returns the flag --switching.
func SwitchingFlag() cli.Flag {
	usage := "check one switching `DISCIPLINE`: vct (virtual cut-through), saf (store-and-forward) or wormhole " +
		"(default: that of the input, else each)"
	return &cli.Words{StringFlag: cli.StringFlag{Name: "switching", Usage: usage},
		List: say.WordsOf([]model.Switching{model.CutThrough, model.StoreAndForward, model.Wormhole})}
}

// WaitingFlag returns the flag --waiting.
func WaitingFlag() cli.Flag {
	usage := "let a packet with several permitted next hops wait for `HOPS`: any (the first free hop is taken) or one " +
		"(chosen on arrival, as by a hash) (default: one for Ethernet, else that of the routing, else any)"
	return &cli.Words{StringFlag: cli.StringFlag{Name: "waiting", Usage: usage}, List: say.WordsOf([]model.Waiting{model.WaitAny, model.WaitOne})}
}

// MulticastFlag returns the flag for multicast tables.
func MulticastFlag() cli.Flag {
	usage := "read multicast tables from `FILE` (opensm.mcfdbs, dump_fts -M), or use none (default: the tables in NETWORK if NETWORK is a folder)"
	return &cli.Input{StringFlag: network("multicast", usage), Words: []string{resolve.NoMulticast}}
}
