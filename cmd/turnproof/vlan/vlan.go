package vlan

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/cmd/turnproof/confirm"
	"github.com/turnproof/turnproof/cmd/turnproof/input"
	"github.com/turnproof/turnproof/cmd/turnproof/judging"
	"github.com/turnproof/turnproof/cmd/turnproof/picture"
	"github.com/turnproof/turnproof/cmd/turnproof/verdict"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/vlan"
	"github.com/turnproof/turnproof/synth/resolve"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/cert"
)

// description is the help of the command, below its usage.
const description = "Each VLAN is a tree, and a host selects a path by the VLAN it sends in. All VLANs of one\n" +
	"priority share the buffers of a link, so under PAUSE or PFC their dependencies are checked together.\n" +
	"Without --routing, the routes are dimension order on a mesh. --routing FILE.json checks existing VLANs:\n" +
	"port memberships and the VLAN each host sends in (docs/schema/vlans.json).\n" +
	"--method lines is the construction of Otsuka et al. for dimension order on a mesh, a VLAN for each\n" +
	"line along the longest side (--pivot: along another); search packs the paths of any routing into\n" +
	"trees. \"At least\" is a lower bound on the number of VLANs.\n" +
	"--priorities 3,4 distributes the paths over priorities that PFC pauses separately, so that none has\n" +
	"a cycle of its own: routes with cycles become lossless.\n" +
	"Forwarding tables with several next hops (ECMP) are judged as well, because VLANs carry one path of each pair.\n" +
	"Exit status: 0 deadlock-free and connected, 1 not, 2 wrong usage, input or limits; of proved VLANs that of the tables.\n\n" +
	"Examples:\n" +
	"  turnproof vlan mesh:4x4\n" +
	"  turnproof vlan fabric.yaml -r lturn-alpha -o vlans.json --linux scripts\n" +
	"  turnproof vlan fabric.yaml -r vlans.json --sonic configs --addresses hosts.txt\n" +
	"  turnproof vlan torus:4x4 -r dor --priorities 3,4\n" +
	"  turnproof draw vlan mesh:4x4 -r vlan-dor -o vlans.svg"

// Command returns the command vlan with its flags.
func Command() *cli.Command {
	return &cli.Command{
		Name:         "vlan",
		Usage:        "find few VLANs that carry given routes over Ethernet, check them, write them for switches",
		ArgsUsage:    "NETWORK [--routing FILE|NAME] [flags]",
		BashComplete: cli.Complete(input.NetworkArgument()),
		Description:  description,
		Flags: []cli.Flag{
			input.HostsFlag(),
			&cli.Input{StringFlag: cli.StringFlag{Name: "routing", Aliases: []string{"r"},
				Usage:    "route by `FILE` or NAME: VLANs, forwarding tables, a turn set, or the name of a routing (default: dor)",
				Category: cli.CategoryNetwork}, Words: resolve.RoutingNames()},
			&cli.Words{StringFlag: cli.StringFlag{Name: "paths",
				Usage: "use these paths of a turn set, `WORD`: first, table, balanced, ... (default: balanced)", Category: cli.CategoryNetwork},
				List: resolve.PathWords()},
			&cli.Words{StringFlag: cli.StringFlag{Name: "method",
				Usage: "make VLANs by `METHOD`: lines or search (default: lines for dor on a mesh, else search)", Category: cli.CategoryVLANs},
				List: []string{"lines", "search"}},
			&cli.IntFlag{Name: "pivot", Value: -1,
				Usage:       "use lines along dimension number `D` of the order, from 0, for method lines; with 0 each host sends in one VLAN",
				DefaultText: "the longest side", Category: cli.CategoryVLANs},
			&cli.UintFlag{Name: "ways",
				Usage: "choose among `K` paths of a pair if the routing permits several: fewer VLANs, more load on their links", Value: 1,
				Category: cli.CategoryVLANs},
			&cli.Seconds{StringFlag: cli.StringFlag{Name: "seconds", Usage: "limit the search", Value: "10", Category: cli.CategoryVLANs}},
			&cli.Uint64Flag{Name: "seed", Usage: "seed for random orders", Category: cli.CategoryVLANs},
			&cli.IntFlag{Name: "first-id", Value: 2, Usage: "set the identifier of the first VLAN", Category: cli.CategoryVLANs},
			&cli.UintFlag{Name: "limit", Usage: "limit the number of VLANs (default: that of 802.1Q)", Category: cli.CategoryVLANs},
			&cli.UintFlag{Name: "per-switch", Usage: "limit the VLANs at one switch; removes links and hosts that no path needs", Category: cli.CategoryVLANs},
			&cli.BoolFlag{Name: "prune", Usage: "remove links and hosts from a VLAN if none of its paths needs them", Category: cli.CategoryVLANs},
			&cli.Text{StringFlag: cli.StringFlag{Name: "priorities", Usage: "use these priorities (PFC classes) for the VLANs, `P[,P...]`, 0 to 7",
				Value: "0", Category: cli.CategoryVLANs}},
			&cli.BoolFlag{Name: "untagged", Usage: "let hosts send and receive without tags; each must send in one VLAN", Category: cli.CategoryVLANs},
			&cli.Output{StringFlag: cli.StringFlag{Name: "output", Aliases: []string{"o"},
				Usage: "write the VLANs to `FILE.json`, which --routing reads", Category: cli.CategoryOutput}},
			&cli.Output{StringFlag: cli.StringFlag{Name: "linux", Usage: "write scripts for Linux bridges and hosts into the new folder `DIR`",
				Category: cli.CategoryConfigurations}, Stored: true},
			&cli.Output{StringFlag: cli.StringFlag{Name: "sonic",
				Usage:    "write config_db.json for SONiC switches, and scripts for hosts, into the new folder `DIR`",
				Category: cli.CategoryConfigurations}, Stored: true},
			&cli.Input{StringFlag: cli.StringFlag{Name: "addresses",
				Usage: "read addresses from `FILE`, a line HOST MAC [IP] for each host (default: placeholders)", Category: cli.CategoryConfigurations}},
			&cli.Text{StringFlag: cli.StringFlag{Name: "port-name",
				Usage: "name switch ports by `PATTERN` in the configuration (default: swp%d, Ethernet%d)", Category: cli.CategoryConfigurations}},
			&cli.Output{StringFlag: cli.StringFlag{Name: "certificate", Usage: "write the evidence to `FILE`", Category: cli.CategoryOutput}},
			&cli.Output{StringFlag: cli.StringFlag{Name: "figure", Usage: "draw the VLANs to `FILE` (.svg, .png, .pdf, .dot), as draw vlan does",
				Category: cli.CategoryOutput}},
			&cli.BoolFlag{Name: "simulate",
				Usage: "test the verdict by simulation: frames at full rate under PAUSE, or under PFC with several priorities", Category: cli.CategoryOpinions},
			&cli.BoolFlag{Name: "json", Usage: "print one JSON object (docs/schema/vlan.json)", Category: cli.CategoryOutput},
			input.LMCFlag(),
		},
		Action: runVLAN,
	}
}

// runVLAN is the action of the command.
func runVLAN(c *cli.Context) error {
	began := time.Now()
	if err := checkFlags(c); err != nil {
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
	tables := findECMP(in)
	made, err := makeVLANs(c, in)
	if err != nil {
		return fmt.Errorf("%s: %w", in.Name, err)
	}
	// The checked VLANs are those read back from the written text, so an error of writing is
	// found.
	text, err := made.Reread(made.method == vlanGiven)
	if err != nil {
		return err
	}
	rep, flood, err := checkVLANs(c, in, made)
	if err != nil {
		return err
	}
	if err := writeVLANs(c, in, made, rep, text); err != nil {
		return err
	}
	if err := tables.check(c.Context); err != nil {
		return err
	}
	out := newVLANJSON(in, made, rep, flood)
	out.Tables = tables.json()
	if c.Bool("simulate") && rep.Connected.Verdict == verify.Proved {
		if out.Simulated, err = confirm.VLANs(c.Context, made.Set, rep); err != nil {
			return err
		}
	}
	out.Seconds = time.Since(began).Seconds()
	if c.Bool("json") {
		if err := cli.PrintJSON(c.App.Writer, out); err != nil {
			return err
		}
	} else {
		input.PrintNotes(c, in)
		input.PrintWarnings(c, in)
		printVLANs(c.App.Writer, in, made, rep, tables, out)
	}
	if tables != nil && rep.Verdict() == verify.Proved {
		return verdict.Status(tables.rep.Verdict())
	}
	return verdict.Status(rep.Verdict())
}

// checkFlags returns an error if output files or folders are wrong, or if a flag lacks another one.
func checkFlags(c *cli.Context) error {
	if err := errors.Join(picture.CheckOutputs(c, "output", "linux", "sonic"), cli.NewFolder(c, "linux"), cli.NewFolder(c, "sonic")); err != nil {
		return err
	}
	for _, flag := range []string{"addresses", "port-name"} {
		if c.IsSet(flag) && c.String("linux") == "" && c.String("sonic") == "" {
			return fmt.Errorf("--%s needs --linux or --sonic", flag)
		}
	}
	return nil
}

// checkVLANs makes the VLANs the routing of the subject. It checks them, and the frames that switches flood.
func checkVLANs(c *cli.Context, in *resolve.Subject, made *madeVLANs) (rep, flood *verify.Report, err error) {
	in.Vlans, in.Rel, in.Net = made.Set, made.Set.Relation(), made.Set.Network()
	in.Switching, in.SwitchingFrom = model.StoreAndForward, "VLANs are Ethernet"
	o, err := judging.Options(c, in)
	if err != nil {
		return nil, nil, err
	}
	if rep, err = verify.Check(c.Context, in.Rel, o); err != nil {
		return nil, nil, err
	}
	flooding, err := made.Set.Flooding()
	if err != nil {
		return nil, nil, err
	}
	flood, err = verify.Check(c.Context, flooding, verify.Options{Switching: model.StoreAndForward})
	return rep, flood, err
}

// prioritiesFlag returns the values of --priorities.
func prioritiesFlag(c *cli.Context) (list []int, err error) {
	for _, word := range strings.Split(c.String("priorities"), ",") {
		p, err := strconv.Atoi(word)
		if err != nil || p < 0 || p > vlan.MaxPriority || slices.Contains(list, p) {
			return nil, fmt.Errorf("--priorities %s: want different numbers from 0 to %d, separated by commas", c.String("priorities"), vlan.MaxPriority)
		}
		list = append(list, p)
	}
	return list, nil
}

// writeVLANs writes the output files that flags name. It writes a configuration of switches only
// for proved VLANs.
func writeVLANs(c *cli.Context, in *resolve.Subject, made *madeVLANs, rep *verify.Report, text []byte) error {
	if f := c.String("output"); f != "" {
		if err := cli.WriteFile(c, f, func(w io.Writer) error { _, err := w.Write(text); return err }); err != nil {
			return err
		}
	}
	if f := c.String("certificate"); f != "" {
		if err := cli.WriteFile(c, f, func(w io.Writer) error { return cert.Write(w, rep.Certificate) }); err != nil {
			return err
		}
	}
	switch asked := c.String("linux") != "" || c.String("sonic") != ""; {
	case asked && rep.Verdict() != verify.Proved:
		in.Notes = append(in.Notes, "cannot write a configuration: the VLANs are not proved")
	case asked:
		if err := writeSwitches(c, made.Set); err != nil {
			return err
		}
		in.SumFile(c.String("addresses"))
	}
	f := c.String("figure")
	if f == "" {
		return nil
	}
	g, err := picture.DrawVLAN(c, in)
	if err != nil {
		return err
	}
	kind, err := picture.Format(f)
	if err != nil {
		return err
	}
	return picture.Render(c, f, kind, g)
}
