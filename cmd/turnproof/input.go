package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/synth/resolve"

	"github.com/turnproof/turnproof/internal/plain"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format"
	"github.com/turnproof/turnproof/model/topo"
	"github.com/turnproof/turnproof/model/vlan"
	"github.com/turnproof/turnproof/synth"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/cert"
)

// This file reads what the commands work on: a network and its routing.

// input is a network and, where --routing was given, its routing.
type input struct {
	name  string // of the network, for headings
	net   *model.Network
	whole *model.Network // as it was read, with the VCs that it has by itself
	rel   model.Relation // nil: none was given

	booksim *format.BookSim // the configuration that the network was read from, or nil

	routing string        // how it was given
	table   *model.Table  // rel, if its file held forwarding tables
	far     adaptive      // what rel is of, if that is adaptive forwarding tables
	vlans   *vlan.Set     // what rel is of, if that is VLANs
	made    *synth.Result // the turn set that it keeps to, nil if none was made by a method
	from    sources
	prepare func(*model.Network) (*model.Network, error) // of the network as it was read; nil: nothing
	files   []cert.Input                                 // as they were read, with their sums where asked for
	notes   []string
	// warnings are notes that could change the verdict, which --quiet does not hide.
	warnings []string
	premises []model.Premise // that the input states
	doubts   []model.Doubt
	// switching is the discipline that the input names, if it names one, and switchingFrom
	// the place.
	switching     verify.Switching
	switchingFrom string
	sizes         *verify.Sizes    // of packets and buffers, nil if the input does not name them
	format        format.Options   // with which files are read
	found         *format.Findings // what the files of a fabric tell besides
	network       format.Findings  // what was found in the file of the network alone
}

// sources are the words or files that network and routing come from.
type sources struct{ network, routing, sl, sl2vl, multicast string }

// sourcesOf returns what the command line names; of a folder, the dumps in it.
func (in *input) sourcesOf(c *cli.Context, path string) (sources, error) {
	s := sources{path, c.String("routing"), c.String("sl"), c.String("sl2vl"), ""}
	if st, err := os.Stat(path); topo.IsSpec(path) || err != nil || !st.IsDir() {
		return s, nil
	}
	f, err := format.ReadFolder(path, s.routing)
	if err != nil {
		return s, err
	}
	in.notes, s.network, s.multicast, in.far.folder = append(in.notes, f.Notes...), f.Network, f.Multicast, f
	s.routing = cmp.Or(s.routing, f.Adaptive)
	s.routing, s.sl, s.sl2vl = cmp.Or(s.routing, f.Tables), cmp.Or(s.sl, f.Levels), cmp.Or(s.sl2vl, f.SL2VL)
	return s, nil
}

// routingFlags are the flags of all commands that take a routing.
func routingFlags() []cli.Flag {
	return []cli.Flag{
		&cli.Input{StringFlag: cli.StringFlag{Name: "routing", Aliases: []string{"r"}, Usage: "forwarding tables `FILE` (opensm-lfts.dump, dump_lfts, ibroute, .fdbs, ibdiagnet2.far), a turn set FILE, paths FILE, a routing program FILE.star, or the NAME of a routing (turnproof routings lists them)", Category: cli.CategoryNetwork}, Words: resolve.RoutingNames()},
		&cli.Input{StringFlag: cli.StringFlag{Name: "sl", Usage: "service levels of the paths, `FILE` (default: all use SL 0)", Category: cli.CategoryNetwork}},
		&cli.Input{StringFlag: cli.StringFlag{Name: "sl2vl", Usage: "SL-to-VL tables, `FILE` (default: VL = SL)", Category: cli.CategoryNetwork}},
		&cli.Words{StringFlag: cli.StringFlag{Name: "paths", Usage: "which ways of those that a turn set allows, `WORD`: " + strings.Join(resolve.PathWords(), ", "), DefaultText: resolve.PathsAll, Category: cli.CategoryNetwork}, List: resolve.PathWords()},
		managementFlag(),
		hostsFlag(),
		&cli.UintFlag{Name: "lmc", Usage: "LMC of the hosts in an opensm-subnet.lst, which does not tell it (0 to 7)", Category: cli.CategoryNetwork},
	}
}

// hostsFlag chooses the hosts of a network file that does not name them.
func hostsFlag() cli.Flag {
	return &cli.Text{StringFlag: cli.StringFlag{Name: "hosts", Usage: "hosts of a DOT, GraphML or edge list network: nodes that match `GLOB[,GLOB...]`, or one host at each node that matches at:GLOB[,GLOB...]", Category: cli.CategoryNetwork}}
}

// isHostsFlag reports whether a flag is that of hostsFlag.
func isHostsFlag(f cli.Flag) bool { return slices.Contains(f.Names(), "hosts") }

// hostsPattern returns the pattern of --hosts. That of draw says how hosts are drawn.
func hostsPattern(c *cli.Context) string {
	if c.Command != nil && c.Command.Name == "draw" {
		return ""
	}
	return c.String("hosts")
}

// take adds a premise that a reader made or read.
func (in *input) take(p model.Premise) { in.premises = append(in.premises, p) }

// states reports whether the input has a premise of this name.
func (in *input) states(name string) bool {
	return slices.ContainsFunc(in.premises, func(p model.Premise) bool { return p.Name == name })
}

// readInput reads the network, and the routing if needRouting or if given.
// sums asks for the files' SHA-256.
func readInput(c *cli.Context, path string, needRouting, sums bool) (*input, error) {
	return readPrepared(c, path, needRouting, sums, nil)
}

// readPrepared is readInput with a network that prepare, if not nil, makes of the one
// read before the routing is read for it.
func readPrepared(c *cli.Context, path string, needRouting, sums bool, prepare func(*model.Network) (*model.Network, error)) (in *input, err error) {
	in = &input{name: path, prepare: prepare}
	if in.from, err = in.sourcesOf(c, path); err != nil {
		return nil, err
	}
	return in, in.read(c, needRouting, sums)
}

// read reads what in.from names.
func (in *input) read(c *cli.Context, needRouting, sums bool) (err error) {
	if c.Uint("lmc") > 7 {
		return fmt.Errorf("--lmc %d, allowed are 0 to 7", c.Uint("lmc"))
	}
	if in.found == nil {
		in.found = &format.Findings{}
	}
	o := format.Options{LMC: uint8(c.Uint("lmc")), IsLMCKnown: c.IsSet("lmc"), Findings: in.found, Hosts: hostsPattern(c), Premise: in.take}
	if sums {
		o.Sums = func(path, sum string) {
			in.files = append(in.files, cert.Input{Name: filepath.Base(path), SHA256: sum})
		}
	}
	in.format = o
	for _, file := range []string{in.from.network, in.from.routing, in.from.sl, in.from.sl2vl, c.String("traffic"), c.String("against")} {
		cli.Reads(c, file)
	}
	if !topo.IsSpec(in.from.network) && format.IsBookSimConfig(in.from.network) {
		err = in.readBookSim(in.from.routing, o)
	} else {
		err = in.readNetwork(o)
	}
	if err == nil && in.prepare != nil && in.rel == nil {
		if in.net, err = in.prepare(in.net); err != nil {
			err = fmt.Errorf("%s: %w", in.name, err)
		}
	}
	if err != nil {
		return err
	}
	in.network = *in.found
	if hostsPattern(c) != "" && !in.states(model.PremiseHosts) {
		return fmt.Errorf("--hosts goes with networks from DOT, GraphML and edge lists, not with %s", in.from.network)
	}
	in.whole = in.net
	err = in.readRouting(c, o, needRouting)
	in.tell()
	return err
}

// readNetwork makes the network of a spec, or reads that of a file, unless it is there already.
func (in *input) readNetwork(o format.Options) (err error) {
	if in.net != nil {
		return nil
	}
	var notes []string
	in.net, notes, err = resolve.Network(in.from.network, o)
	in.notes = append(in.notes, notes...)
	return err
}

func (in *input) readRouting(c *cli.Context, o format.Options, need bool) error {
	word := in.from.routing
	switch {
	case word == "" && in.rel != nil:
		return nil // the network's file named it
	case word == "" && need:
		return errors.New("--routing FILE|NAME is missing: forwarding tables (opensm-lfts.dump, dump_lfts, ibroute or .fdbs), a turn set or a routing by name (\"turnproof routings\" lists them)")
	case word == "" && (in.from.sl != "" || in.from.sl2vl != "" || c.String("paths") != ""):
		return errors.New("--sl, --sl2vl and --paths go with --routing")
	case word == "":
		return nil
	case in.net.NumHosts() == 0:
		return errors.New(in.found.NoHosts())
	}
	if err := in.route(c.Context, word, c.String("paths"), o); err != nil {
		return err
	}
	t := in.table
	if in.far.table != nil {
		t = in.far.table.Table
	}
	if t == nil {
		for _, flag := range []string{"sl", "sl2vl", "lmc", "management"} {
			if c.IsSet(flag) {
				return fmt.Errorf("--%s goes with forwarding tables from a file, not with --routing %s", flag, word)
			}
		}
		return nil
	}
	err := format.ReadLevels(in.from.sl, in.from.sl2vl, t, o)
	if err == nil {
		err = in.compareLinear(t, o)
	}
	if err == nil {
		err = in.lostManagement(c)
	}
	if err != nil {
		return err
	}
	if t, err = in.withManagement(c, t); err != nil {
		return err
	}
	in.rel, in.net = in.adaptively(t), t.Network()
	in.whole = in.net.WithVCs(in.whole.VCs()) // the tables may tell the LMC
	return nil
}

// route takes the routing that a word names. paths, if not empty, chooses among the paths of
// a turn set.
func (in *input) route(ctx context.Context, word, paths string, o format.Options) error {
	in.routing = word
	r, err := resolve.Routing(ctx, word, paths, in.net, o)
	if err != nil {
		return err
	}
	in.rel, in.table, in.vlans, in.made, in.far.table = r.Relation, r.Table, r.VLANs, r.Made, r.Adaptive
	in.notes, in.warnings = append(in.notes, r.Notes...), append(in.warnings, r.Warnings...)
	if r.Table == nil && r.Adaptive == nil && r.Turns == nil {
		in.net = in.rel.Network()
	}
	return nil
}

// lid returns the address of a destination, 0 where there is none.
func lid(r model.Relation, d model.DestID) uint16 {
	if t, ok := r.(interface {
		Destination(model.DestID) model.Destination
	}); ok {
		return t.Destination(d).LID
	}
	return 0
}

// printNotes tells on stderr what was read otherwise than may be expected.
func (in *input) printNotes(c *cli.Context) {
	for _, note := range in.notes {
		fmt.Fprintln(c.App.ErrWriter, "note:", plain.Text(note))
	}
}

// host finds a host by name, GUID or LID.
func (in *input) host(word string) (model.HostID, error) {
	var found []model.HostID
	for h := range model.HostID(in.net.NumEndpoints()) {
		e := in.net.Host(h)
		number, err := strconv.ParseUint(word, 0, 64) // a LID or a GUID
		if word == in.net.HostLabel(h) || word == e.Name && !e.Management || err == nil && number != 0 && (number == e.PortGUID || number == uint64(e.LID)) {
			found = append(found, h)
		}
	}
	switch len(found) {
	case 0:
		return 0, fmt.Errorf("no host %q in %s: give its description, port GUID or LID", word, in.name)
	case 1:
		return found[0], nil
	}
	return 0, fmt.Errorf("%d hosts are called %q: give the port GUID or the LID", len(found), word)
}
