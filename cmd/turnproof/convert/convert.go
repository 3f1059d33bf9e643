package convert

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/cmd/turnproof/input"
	"github.com/turnproof/turnproof/internal/registry"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format"
	_ "github.com/turnproof/turnproof/model/format/base"
	"github.com/turnproof/turnproof/model/format/infiniband"
	"github.com/turnproof/turnproof/model/format/infiniband/levels"
	"github.com/turnproof/turnproof/model/format/infiniband/lft"
	"github.com/turnproof/turnproof/model/format/infiniband/qospolicy"
)

// routingFormats are the formats in which convert writes a routing.
var routingFormats = []struct {
	name, about string
	write       func(io.Writer, *model.Table) error
}{
	{"lfts", "forwarding tables as OpenSM's file engine loads them (opensm -R file -U FILE)", lft.Write},
	{"sl", "service levels of the paths, as ibdmchk -c reads them", levels.WriteServiceLevels},
	{"qos-policy", "service levels of the paths as a QoS policy of OpenSM (opensm -Q -Y FILE)", qospolicy.Write},
	{"sl2vl", "SL-to-VL tables, as OpenSM dumps them", levels.WriteSL2VL},
}

// description returns the help of the command, below its usage.
func description() string {
	var lines []string
	for _, f := range format.NetworkFormats() {
		lines = append(lines, fmt.Sprintf("  %-14s %s", f.Name, f.About))
	}
	for _, f := range routingFormats {
		lines = append(lines, fmt.Sprintf("  %-14s %s", f.name, f.about))
	}
	return "Formats:\n" + strings.Join(lines, "\n") + "\nThe last four need --routing.\n\n" +
		"Examples:\n" +
		"  turnproof convert opensm-subnet.lst --to ibnetdiscover -o topology.ibnetdiscover\n" +
		"  turnproof convert topology.ibnetdiscover --routing opensm.fdbs --to lfts -o lfts.dump\n" +
		"  turnproof convert topology.ibnetdiscover --routing opensm-lfts.dump --sl path-sl.txt --to qos-policy -o qos-policy.conf"
}

// Command returns the command convert with its flags.
func Command() *cli.Command {
	return &cli.Command{
		Name:         "convert",
		Usage:        "write a network or its routing in another format",
		ArgsUsage:    "NETWORK --to FORMAT [--routing FILE] [-o FILE]",
		BashComplete: cli.Complete(input.NetworkArgument()),
		Description:  description(),
		Flags: append(input.RoutingFlags(), cli.OutputFlag(), &cli.Words{StringFlag: cli.StringFlag{Name: "to", Usage: "`FORMAT` to write",
			Category: cli.CategoryOutput}, List: convertWords()}),
		Action: runConvert,
	}
}

// runConvert writes forwarding tables or what goes with them if --to names a format of routings, else the network.
func runConvert(c *cli.Context) error {
	to := c.String("to")
	if to == "" {
		return fmt.Errorf("--to FORMAT is missing: want %s", strings.Join(convertWords(), ", "))
	}
	path, err := cli.OneArgument(c, "NETWORK")
	if err != nil {
		return err
	}
	for _, f := range routingFormats {
		if f.name == to {
			return convertRouting(c, path, to, f.write)
		}
	}
	return convertNetwork(c, path, to)
}

// convertRouting writes forwarding tables, whose hosts must have LIDs, by write.
func convertRouting(c *cli.Context, path, to string, write func(io.Writer, *model.Table) error) error {
	in, err := input.Read(c, path, true, false)
	if err != nil {
		return err
	}
	input.PrintNotes(c, in)
	t, ok := in.Rel.(*model.Table)
	if !ok {
		return fmt.Errorf("--to %s writes forwarding tables; the routing %s is not a table (for a turn set, --paths table makes one)",
			to, c.String("routing"))
	}
	if t.Destinations() > 0 && t.Destination(0).LID == 0 {
		return fmt.Errorf("--to %s: the hosts of %s have no LIDs, but forwarding tables use LIDs (turnproof table --kind "+
			"next-hops --format opensm assigns LIDs)", to, in.Name)
	}
	return cli.WriteFile(c, c.String("output"), func(w io.Writer) error { return write(w, t) })
}

// convertNetwork writes the network, and notes what the format cannot contain.
func convertNetwork(c *cli.Context, path, to string) error {
	if _, err := registry.Find("format", to, convertWords(), func(name string) string { return name }); err != nil {
		return err
	}
	if c.String("routing") != "" {
		return errors.New("a network file contains no routing: --routing needs --to lfts, sl, qos-policy or sl2vl")
	}
	in, err := input.Read(c, path, false, false)
	if err != nil {
		return err
	}
	in.Notes = append(in.Notes, namesGone(in.Net, to)...)
	input.PrintNotes(c, in)
	for h := range model.HostID(in.Net.NumHosts()) {
		if lmc := in.Net.Host(h).LMC; to == "subnet" && lmc > 0 {
			fmt.Fprintf(c.App.ErrWriter, "note: this format does not contain the LMC of hosts, %s has %d: read the file with --lmc\n",
				in.Net.HostLabel(h), lmc)
			break
		}
	}
	if to == "ibnetdiscover" || to == "subnet" {
		in.Net = addressed(c, in.Net)
	}
	return cli.WriteFile(c, c.String("output"), func(w io.Writer) error { return format.WriteNetwork(w, in.Net, to) })
}

// addressed returns a copy of n with the LIDs that "table --format opensm" assigns. It returns n
// itself if n is an InfiniBand fabric, or if its hosts cannot have LIDs; the second case is noted
// on standard error.
func addressed(c *cli.Context, n *model.Network) *model.Network {
	for u := range model.SwitchID(n.NumSwitches()) {
		if n.Switch(u).GUID != 0 {
			return n
		}
	}
	made, err := infiniband.Addressed(n)
	if err != nil {
		fmt.Fprintf(c.App.ErrWriter, "note: written without LIDs: %v\n", err)
		return n
	}
	return made
}
