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

// RoutingFlags are the flags of all commands that take a routing.
func RoutingFlags() []cli.Flag {
	return []cli.Flag{
		&cli.Input{StringFlag: cli.StringFlag{Name: "routing", Aliases: []string{"r"}, Usage: "route by `FILE` or NAME: forwarding tables (opensm-lfts.dump, dump_lfts, ibroute, .fdbs, ibdiagnet2.far), a turn set, paths, a routing program FILE.star, or the name of a routing (turnproof routings lists them)", Category: cli.CategoryNetwork}, Words: resolve.RoutingNames()},
		&cli.Input{StringFlag: cli.StringFlag{Name: "sl", Usage: "read the service levels of the paths from `FILE` (default: all use SL 0)", Category: cli.CategoryNetwork}},
		&cli.Input{StringFlag: cli.StringFlag{Name: "sl2vl", Usage: "read SL-to-VL tables from `FILE` (default: VL = SL)", Category: cli.CategoryNetwork}},
		&cli.Words{StringFlag: cli.StringFlag{Name: "paths", Usage: "use these paths of a turn set, `WORD`: " + strings.Join(resolve.PathWords(), ", "), DefaultText: resolve.PathsAll, Category: cli.CategoryNetwork}, List: resolve.PathWords()},
		managementFlag(),
		HostsFlag(),
		LMCFlag(),
	}
}

// LMCFlag returns the flag for the LMC of hosts whose file does not contain it.
func LMCFlag() cli.Flag {
	return &cli.UintFlag{Name: "lmc", Usage: "set the LMC of the hosts in an opensm-subnet.lst, which does not contain it (0 to 7)", Category: cli.CategoryNetwork}
}

// HostsFlag chooses the hosts of a network file that does not name them.
func HostsFlag() cli.Flag {
	return &cli.Text{StringFlag: cli.StringFlag{Name: "hosts", Usage: "choose the hosts of a DOT, GraphML or edge list network: nodes that match `GLOB[,GLOB...]`, or one host at each node that matches at:GLOB[,GLOB...]", Category: cli.CategoryNetwork}}
}

// IsHostsFlag reports whether a flag is that of HostsFlag.
func IsHostsFlag(f cli.Flag) bool { return slices.Contains(f.Names(), "hosts") }

// ManagementFlagName is the flag for packets to and from the ports of switches themselves.
const ManagementFlagName = "management"

// managementFlag returns the flag. Without a word it means all.
func managementFlag() cli.Flag {
	return &cli.Words{StringFlag: cli.StringFlag{Name: ManagementFlagName, Usage: "include packets to and from the LIDs of switches, `WORD`: none, hosts (between hosts and switches) or all (default: none, with a note if they change the verdict; all if no word follows)", Category: cli.CategoryNetwork}, List: resolve.ManagementWords(), Bare: "all"}
}

// PremiseFlags are the flags of all commands that judge a routing.
func PremiseFlags() []cli.Flag {
	return []cli.Flag{
		cli.In(cli.CategoryChecked, SwitchingFlag()),
		multicastFlag(),
		cli.In(cli.CategoryChecked, WaitingFlag()),
		&cli.BoolFlag{Name: "strict", Usage: "treat an assumed premise that could change the verdict as undecided", Category: cli.CategoryChecked},
		&cli.Words{StringFlag: cli.StringFlag{Name: "assume", Usage: "accept these assumed premises under --strict, `NAME[,NAME...]` or all: " + strings.Join(resolve.AssumeWords(), ", "), Category: cli.CategoryChecked}, List: append(resolve.AssumeWords(), "all"), Open: true},
	}
}

// SwitchingFlag chooses a switching discipline.
func SwitchingFlag() cli.Flag {
	return &cli.Words{StringFlag: cli.StringFlag{Name: "switching", Usage: "check one switching `DISCIPLINE`: vct (virtual cut-through), saf (store-and-forward) or wormhole (default: that of the input, else each)"}, List: say.WordsOf([]model.Switching{model.CutThrough, model.StoreAndForward, model.Wormhole})}
}

// WaitingFlag chooses what packets wait for.
func WaitingFlag() cli.Flag {
	return &cli.Words{StringFlag: cli.StringFlag{Name: "waiting", Usage: "let a packet with several permitted next hops wait for `HOPS`: any (the first free hop is taken) or one (chosen on arrival, as by a hash) (default: one for Ethernet, else that of the routing, else any)"}, List: say.WordsOf([]model.Waiting{model.WaitAny, model.WaitOne})}
}

func multicastFlag() cli.Flag {
	return &cli.Input{StringFlag: cli.StringFlag{Name: "multicast", Usage: "read multicast tables from `FILE` (opensm.mcfdbs, dump_fts -M), or use none (default: the tables in NETWORK if NETWORK is a folder)", Category: cli.CategoryNetwork}, Words: []string{resolve.NoMulticast}}
}
