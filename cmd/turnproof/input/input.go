package input

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
	"github.com/turnproof/turnproof/engine"
	"github.com/turnproof/turnproof/internal/plain"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format"
	"github.com/turnproof/turnproof/model/route"
	"github.com/turnproof/turnproof/model/topo"
	"github.com/turnproof/turnproof/model/vlan"
	"github.com/turnproof/turnproof/synth"
	"github.com/turnproof/turnproof/synth/resolve"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/cert"
)

// LoadedSet is the turn set of one VC per channel that the routing keeps to, nil where
// there is none.
func (in *Input) LoadedSet() *model.TurnSet {
	if in.Made != nil {
		return in.Made.Allowed
	}
	if r, ok := in.Rel.(route.Restricted); ok && r.Turns().Network().VCs() == 1 {
		return r.Turns()
	}
	return nil
}

// RoutingName names the routing in a title: a file without its folder.
func (in *Input) RoutingName() string {
	if resolve.IsRoutingName(in.Routing) {
		return in.Routing
	}
	return filepath.Base(in.Routing)
}

// This file reads what the commands work on: a network and its routing.

// Input is a network and, where --routing was given, its routing.
type Input struct {
	Name  string // of the network, for headings
	Net   *model.Network
	Whole *model.Network // as it was read, with the VCs that it has by itself
	Rel   model.Relation // nil: none was given

	Booksim *format.BookSim // the configuration that the network was read from, or nil

	Routing string        // how it was given
	Table   *model.Table  // rel, if its file held forwarding tables
	far     adaptive      // what rel is of, if that is adaptive forwarding tables
	Vlans   *vlan.Set     // what rel is of, if that is VLANs
	Made    *synth.Result // the turn set that it keeps to, nil if none was made by a method
	From    Sources
	prepare func(*model.Network) (*model.Network, error) // of the network as it was read; nil: nothing
	Files   []cert.Input                                 // as they were read, with their sums where asked for
	Notes   []string
	// warnings are notes that could change the verdict, which --quiet does not hide.
	Warnings []string
	Premises []model.Premise // that the input states
	doubts   []model.Doubt
	// switching is the discipline that the input names, if it names one, and switchingFrom
	// the place.
	Switching     model.Switching
	SwitchingFrom string
	sizes         *verify.Sizes    // of packets and buffers, nil if the input does not name them
	format        format.Options   // with which files are read
	Found         *format.Findings // what the files of a fabric tell besides
	Network       format.Findings  // what was found in the file of the network alone
}

// Sources are the words or files that network and routing come from.
type Sources struct{ Network, Routing, sl, sl2vl, multicast string }

// SourcesOf returns what the command line names; of a folder, the dumps in it.
func (in *Input) SourcesOf(c *cli.Context, path string) (Sources, error) {
	s := Sources{path, c.String("routing"), c.String("sl"), c.String("sl2vl"), ""}
	if st, err := os.Stat(path); topo.IsSpec(path) || err != nil || !st.IsDir() {
		return s, nil
	}
	f, err := format.ReadFolder(path, s.Routing)
	if err != nil {
		return s, err
	}
	in.Notes, s.Network, s.multicast, in.far.folder = append(in.Notes, f.Notes...), f.Network, f.Multicast, f
	s.Routing = cmp.Or(s.Routing, f.Adaptive)
	s.Routing, s.sl, s.sl2vl = cmp.Or(s.Routing, f.Tables), cmp.Or(s.sl, f.Levels), cmp.Or(s.sl2vl, f.SL2VL)
	return s, nil
}

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

// hostsPattern returns the pattern of --hosts. That of draw says how hosts are drawn.
func hostsPattern(c *cli.Context) string {
	if c.Command != nil && c.Command.Name == "draw" {
		return ""
	}
	return c.String("hosts")
}

// take adds a premise that a reader made or read.
func (in *Input) take(p model.Premise) { in.Premises = append(in.Premises, p) }

// states reports whether the input has a premise of this name.
func (in *Input) states(name string) bool {
	return slices.ContainsFunc(in.Premises, func(p model.Premise) bool { return p.Name == name })
}

// Read reads the network, and the routing if needRouting or if given.
// sums asks for the files' SHA-256.
func Read(c *cli.Context, path string, needRouting, sums bool) (*Input, error) {
	return ReadPrepared(c, path, needRouting, sums, nil)
}

// ReadPrepared is readInput with a network that prepare, if not nil, makes of the one
// read before the routing is read for it.
func ReadPrepared(c *cli.Context, path string, needRouting, sums bool, prepare func(*model.Network) (*model.Network, error)) (in *Input, err error) {
	in = &Input{Name: path, prepare: prepare}
	if in.From, err = in.SourcesOf(c, path); err != nil {
		return nil, err
	}
	return in, in.Read(c, needRouting, sums)
}

// Read reads what in.from names.
func (in *Input) Read(c *cli.Context, needRouting, sums bool) (err error) {
	if c.Uint("lmc") > 7 {
		return fmt.Errorf("--lmc %d: want 0 to 7", c.Uint("lmc"))
	}
	if in.Found == nil {
		in.Found = &format.Findings{}
	}
	o := format.Options{LMC: uint8(c.Uint("lmc")), IsLMCKnown: c.IsSet("lmc"), Findings: in.Found, Hosts: hostsPattern(c), Premise: in.take}
	if sums {
		o.Sums = func(path, sum string) {
			in.Files = append(in.Files, cert.Input{Name: filepath.Base(path), SHA256: sum})
		}
	}
	in.format = o
	for _, file := range []string{in.From.Network, in.From.Routing, in.From.sl, in.From.sl2vl, c.String("traffic"), c.String("against")} {
		cli.Reads(c, file)
	}
	if !topo.IsSpec(in.From.Network) && format.IsBookSimConfig(in.From.Network) {
		err = in.ReadBookSim(in.From.Routing, o)
	} else {
		err = in.ReadNetwork(o)
	}
	if err == nil && in.prepare != nil && in.Rel == nil {
		if in.Net, err = in.prepare(in.Net); err != nil {
			err = fmt.Errorf("%s: %w", in.Name, err)
		}
	}
	if err != nil {
		return err
	}
	in.Network = *in.Found
	in.compareNetworks(o)
	if hostsPattern(c) != "" && !in.states(model.PremiseHosts) {
		return fmt.Errorf("--hosts applies to networks from DOT, GraphML and edge lists, not to %s", in.From.Network)
	}
	in.Whole = in.Net
	err = in.readRouting(c, o, needRouting)
	in.tell()
	return err
}

// ReadNetwork makes the network of a spec, or reads that of a file, unless it is there already.
func (in *Input) ReadNetwork(o format.Options) (err error) {
	if in.Net != nil {
		return nil
	}
	var notes []string
	in.Net, notes, err = resolve.Network(in.From.Network, o)
	in.Notes = append(in.Notes, notes...)
	return err
}

func (in *Input) readRouting(c *cli.Context, o format.Options, need bool) error {
	word := in.From.Routing
	switch {
	case word == "" && in.Rel != nil:
		return nil // the network's file named it
	case word == "" && need:
		return errors.New("--routing FILE|NAME is missing: want forwarding tables (opensm-lfts.dump, dump_lfts, ibroute or .fdbs), a turn set or the name of a routing (\"turnproof routings\" lists them)")
	case word == "" && (in.From.sl != "" || in.From.sl2vl != "" || c.String("paths") != ""):
		return errors.New("--sl, --sl2vl and --paths need --routing")
	case word == "":
		return nil
	case in.Net.NumHosts() == 0:
		return errors.New(in.Found.NoHosts())
	}
	if err := in.Route(c.Context, word, c.String("paths"), o); err != nil {
		return err
	}
	t := in.Table
	if in.far.table != nil {
		t = in.far.table.Table
	}
	if t == nil {
		for _, flag := range []string{"sl", "sl2vl", "lmc", "management"} {
			if c.IsSet(flag) {
				return fmt.Errorf("--%s applies to forwarding tables from a file, not to --routing %s", flag, word)
			}
		}
		return nil
	}
	err := format.ReadLevels(in.From.sl, in.From.sl2vl, t, o)
	if err == nil {
		err = in.compareOther(t, o)
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
	in.Rel, in.Net = in.adaptively(t), t.Network()
	in.Whole = in.Net.WithVCs(in.Whole.VCs()) // the tables may tell the LMC
	return nil
}

// Route takes the routing that a word names. paths, if not empty, chooses among the paths of
// a turn set.
func (in *Input) Route(ctx context.Context, word, paths string, o format.Options) error {
	in.Routing = word
	r, err := resolve.Routing(ctx, word, paths, in.Net, o)
	if err != nil {
		return err
	}
	in.Rel, in.Table, in.Vlans, in.Made, in.far.table = r.Relation, r.Table, r.VLANs, r.Made, r.Adaptive
	in.Notes, in.Warnings = append(in.Notes, r.Notes...), append(in.Warnings, r.Warnings...)
	if r.Table == nil && r.Adaptive == nil && r.Turns == nil {
		in.Net = in.Rel.Network()
	}
	return nil
}

// PrintNotes tells on stderr what was read otherwise than may be expected.
func (in *Input) PrintNotes(c *cli.Context) {
	for _, note := range in.Notes {
		fmt.Fprintln(c.App.ErrWriter, "note:", plain.Text(note))
	}
}

// Host finds a host by name, GUID or LID.
func (in *Input) Host(word string) (model.HostID, error) {
	var found []model.HostID
	for h := range model.HostID(in.Net.NumEndpoints()) {
		e := in.Net.Host(h)
		number, err := strconv.ParseUint(word, 0, 64) // a LID or a GUID
		if word == in.Net.HostLabel(h) || word == e.Name && !e.Management || err == nil && number != 0 && (number == e.PortGUID || number == uint64(e.LID)) {
			found = append(found, h)
		}
	}
	switch len(found) {
	case 0:
		return 0, fmt.Errorf("no host %q in %s: want a description, port GUID or LID", word, in.Name)
	case 1:
		return found[0], nil
	}
	return 0, fmt.Errorf("%d hosts have the name %q: want a port GUID or LID", len(found), word)
}

// SimDelays returns the flags that set delays, in the order of help.
func SimDelays() []SimDelay {
	return []SimDelay{
		{"routing-delay", "route computation; 0: computed one switch ahead", func(d *engine.Delays) *int { return &d.Route }},
		{"vc-alloc-delay", "VC allocation", func(d *engine.Delays) *int { return &d.VCAlloc }},
		{"switch-alloc-delay", "switch allocation", func(d *engine.Delays) *int { return &d.SwitchAlloc }},
		{"traversal-delay", "crossing the switch", func(d *engine.Delays) *int { return &d.Traversal }},
		{"link-delay", "a channel between switches", func(d *engine.Delays) *int { return &d.Link }},
		{"credit-delay", "the return of a credit, in addition to the channel's", func(d *engine.Delays) *int { return &d.Credit }},
	}
}

// SimDelay is a flag that sets a delay of the router.
type SimDelay struct {
	Name, About string
	At          func(*engine.Delays) *int
}

// BookSimName is BookSim 2's name for a routing of a network.
func BookSimName(network, routing string) string {
	if routing != "dor" || !strings.HasPrefix(network, "torus:") {
		return routing
	}
	if n, err := topo.Parse(network); err != nil || n.VCs() < 2 {
		return routing // what is wrong will be said, and one VC has no classes
	}
	return "dor-booksim"
}
