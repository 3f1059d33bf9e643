package sim

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/cmd/turnproof/input"
	"github.com/turnproof/turnproof/engine/ethernet"
	"github.com/turnproof/turnproof/engine/traffic"
	"github.com/turnproof/turnproof/internal/spelling"
	"github.com/turnproof/turnproof/internal/wording"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/synth/resolve"
)

// This file implements "sim --ethernet": it simulates Ethernet frames that hosts send at a
// constant rate.

// ethernetKey is a key of --ethernet. set stores its value.
type ethernetKey struct {
	name, about string
	set         func(s *ethernetSettings, x float64)
	orNone      bool // whether 0 is permitted; other keys require a value above 0
}

// ethernetSettings are the settings of a simulation of Ethernet.
type ethernetSettings struct {
	O     ethernet.Options
	Host  float64 // bit/s of payload that a host sends at load 1; 0 means the capacity of its link
	Flows int     // flows of each pair of hosts, which a hash may send on different paths; 0: 1
}

var ethernetKeys = []ethernetKey{
	{"host", "most Mbit/s of payload that a host sends; default: the capacity of a link", func(s *ethernetSettings, x float64) { s.Host = 1e6 * x }, false},
	{"link", "Mbit/s of links; 1000", func(s *ethernetSettings, x float64) { s.O.LinkRate = int64(1e6 * x) }, false},
	{"servers", "links of hosts are this many times faster: a host stands for as many servers; 1", func(s *ethernetSettings, x float64) {
		s.O.Servers = int(x)
	}, false},
	{"flows", "flows of a pair; a hash chooses the path of each (ECMP); 1", func(s *ethernetSettings, x float64) { s.Flows = int(min(x, 1000)) }, false},
	{"watchdog", "us for which a priority may be stopped, before its frames are dropped (pfc); default: for ever", func(s *ethernetSettings, x float64) {
		s.O.Watchdog = 1000 * nanoseconds(x)
	}, false},
	{"restore", "us for which it must be released, before no more are dropped; as watchdog", func(s *ethernetSettings, x float64) {
		s.O.Restore = 1000 * nanoseconds(x)
	}, false},
	{"payload", "bytes of a frame; 1470", func(s *ethernetSettings, x float64) { s.O.PayloadBytes = int(x) }, false},
	{"tagged", "1: frames are 4 bytes longer", func(s *ethernetSettings, x float64) { s.O.Tagged = x != 0 }, true},
	{"buffer", "KiB of a port and priority; 64", func(s *ethernetSettings, x float64) { s.O.BufferBytes = int(1024 * x) }, false},
	{"xoff", "KiB above which a port pauses; default: leaves the headroom", func(s *ethernetSettings, x float64) { s.O.XoffBytes = int(1024 * x) }, false},
	{"xon", "KiB below which a port resumes; half of xoff", func(s *ethernetSettings, x float64) { s.O.XonBytes = int(1024 * x) }, false},
	{"reaction", "ns from a PAUSE received to the last frame begun; 1024 bit times",
		func(s *ethernetSettings, x float64) { s.O.Reaction = nanoseconds(x) }, true},
	{"latency", "ns of a switch; 1000", func(s *ethernetSettings, x float64) { s.O.Latency = nanoseconds(x) }, true},
	{"cable", "ns of a cable; 50", func(s *ethernetSettings, x float64) { s.O.Propagation = nanoseconds(x) }, true},
	{"egress", "1: with drop, the limit applies to the output queue", func(s *ethernetSettings, x float64) {
		if x != 0 {
			s.O.DropAt = ethernet.AtEgress
		}
	}, true},
	{"ms", "milliseconds that are measured, after a warm-up of a tenth; 100", func(s *ethernetSettings, x float64) {
		s.O.Window, s.O.Warmup = ethernet.Time(x*float64(ethernet.Millisecond)), ethernet.Time(x*float64(ethernet.Millisecond)/10)
	}, false},
}

// nanoseconds converts a value in ns. The simulator takes -1 for 0, because 0 selects the default.
func nanoseconds(x float64) ethernet.Time {
	if x == 0 {
		return -1
	}
	return ethernet.Time(x * float64(ethernet.Nanosecond))
}

func ethernetFlags() []cli.Flag {
	var list []string
	for _, k := range ethernetKeys {
		list = append(list, k.name+" ("+k.about+")")
	}
	return []cli.Flag{
		&cli.Words{StringFlag: cli.StringFlag{Name: "ethernet",
			Usage: "simulate frames instead of flits, `CONTROL[,KEY=VALUE...]`: drop, pause (802.3x) or pfc (802.1Qbb); keys: " + strings.Join(list,
				"; "), Category: cli.CategoryEthernet}, List: []string{"drop", "pause", "pfc"}, Open: true},
	}
}

// withEthernet are the flags that --ethernet may be combined with.
var withEthernet = []string{"routing", "r", "paths", "ethernet", "flows", "traffic", "load", "seed", "json", "sl", "sl2vl", "lmc"}

func ParseEthernet(text string) (*ethernetSettings, error) {
	words := strings.Split(text, ",")
	s := &ethernetSettings{O: ethernet.Options{Control: ethernet.Control(words[0])}}
	seen := map[string]bool{}
	for _, item := range words[1:] {
		key, value, _ := strings.Cut(item, "=")
		i := slices.IndexFunc(ethernetKeys, func(k ethernetKey) bool { return k.name == key })
		if i < 0 {
			var names []string
			for _, k := range ethernetKeys {
				names = append(names, k.name)
			}
			return nil, fmt.Errorf("no key %q%s, known are %s", key, spelling.Suggest(key, names), strings.Join(names, ", "))
		}
		if seen[key] {
			return nil, fmt.Errorf("%s is given twice", key)
		}
		seen[key] = true
		x, err := strconv.ParseFloat(value, 64)
		if err != nil || !(x >= 0 && x <= 1e9) {
			return nil, fmt.Errorf("%s is %q; want a number from 0 to 1e9", key, value)
		}
		if x < 0.001 && !ethernetKeys[i].orNone || x > 0 && x < 1 && key == "payload" {
			return nil, fmt.Errorf("%s is %q; want more than 0", key, value)
		}
		ethernetKeys[i].set(s, x)
	}
	return s, nil
}

// readConsistent reads a network. It fails if the input contradicts itself.
func readConsistent(c *cli.Context, path string) (*resolve.Subject, error) {
	in, err := input.Read(c, path, true, c.Bool("json"))
	if err == nil {
		err = in.Contradiction()
	}
	return in, err
}

// runEthernet runs sim with --ethernet.
func runEthernet(c *cli.Context) error {
	for _, name := range c.LocalFlagNames() {
		if !slices.Contains(withEthernet, name) {
			return fmt.Errorf("--%s applies to flits, not to --ethernet", name)
		}
	}
	s, err := ParseEthernet(c.String("ethernet"))
	if err != nil {
		return fmt.Errorf("--ethernet %s: %w", c.String("ethernet"), err)
	}
	path, err := cli.OneArgument(c, "NETWORK")
	if err != nil {
		return err
	}
	in, err := readConsistent(c, path)
	if err != nil {
		return err
	}
	s.O.Seed = c.Uint64("seed")
	if s.Host == 0 {
		if s.Host, err = s.O.Goodput(); err != nil {
			return err
		}
		s.Host *= float64(max(s.O.Servers, 1))
	}
	load := 1.0
	if c.IsSet("load") {
		if load = c.Float64("load"); !(load > 0 && load <= 1) {
			return fmt.Errorf("--load %g: with --ethernet want a fraction of the rate of a host, above 0, up to 1", load)
		}
	}
	flows, err := flows(in, c, load*s.Host)
	if err != nil {
		return err
	}
	if flows = arriving(in, flows); len(flows) == 0 {
		return errors.New("no flow arrives; turnproof check says why")
	}
	flows = divided(flows, max(s.Flows, 1))
	input.PrintNotes(c, in)
	input.PrintWarnings(c, in)
	began := time.Now()
	r, err := ethernet.Run(c.Context, in.Rel, flows, s.O)
	if err != nil {
		return fmt.Errorf("%s: %w", in.Name, err)
	}
	if c.String("flows") == "" {
		in.SumTraffic(c.String("traffic"))
	}
	j := newEthernetJSON(in, s, flows, r, time.Since(began).Seconds())
	if c.Bool("json") {
		err = cli.PrintJSON(c.App.Writer, j)
	} else {
		printEthernet(c.App.Writer, in, s, j, r, c.String("traffic") == trafficCycle)
	}
	if err == nil && r.Deadlock != nil {
		err = cli.Status(cli.ExitRefuted)
	}
	return err
}

// flows returns the flows that --flows or --traffic selects. rate is the sum of the flows of a
// host in bit/s of payload.
func flows(in *resolve.Subject, c *cli.Context, rate float64) (list []ethernet.Flow, err error) {
	if c.String("traffic") == trafficCycle && in.Flows == nil {
		return cycleFlows(c, in, rate)
	}
	address, err := traffic.Destinations(in.Rel)
	if err != nil {
		return nil, err
	}
	to := map[model.HostID][]model.HostID{}
	if in.Flows != nil {
		if c.IsSet("traffic") {
			return nil, errors.New("--flows and --traffic both choose the flows: remove one of them")
		}
		for _, x := range in.Flows {
			to[x.Source] = append(to[x.Source], x.Dest)
		}
	} else if to, err = patternFlows(in, c); err != nil {
		return nil, err
	}
	for h := range model.HostID(in.Net.NumHosts()) {
		for _, d := range to[h] {
			list = append(list, ethernet.Flow{Source: h, Dest: address[d], Class: ethernet.FirstClass, Rate: rate / float64(len(to[h]))})
		}
	}
	if len(list) == 0 {
		return nil, errors.New("no host sends")
	}
	return list, nil
}

// arriving leaves out the flows whose frames are dropped by some choice of a hash, and adds a warning.
func arriving(in *resolve.Subject, list []ethernet.Flow) []ethernet.Flow {
	if _, ok := in.Rel.(model.Committer); !ok {
		return list
	}
	kept := slices.DeleteFunc(slices.Clone(list), func(f ethernet.Flow) bool { return !ethernet.Arrives(in.Rel, f) })
	if lost := len(list) - len(kept); lost > 0 {
		in.Warnings = append(in.Warnings, wording.Count(lost, "flow", "s")+
			" left out: the switches drop the frames, or may drop them; turnproof check names the pairs")
	}
	return kept
}

// divided divides each flow into k equal ones.
func divided(list []ethernet.Flow, k int) (out []ethernet.Flow) {
	for _, f := range list {
		f.Rate /= float64(k)
		out = append(out, slices.Repeat([]ethernet.Flow{f}, k)...)
	}
	return out
}

// patternFlows returns the destinations of each host under a traffic pattern: all other hosts for
// uniform, otherwise at most one.
func patternFlows(in *resolve.Subject, c *cli.Context) (map[model.HostID][]model.HostID, error) {
	name, to := c.String("traffic"), map[model.HostID][]model.HostID{}
	if strings.HasPrefix(name, "trace:") {
		return nil, errors.New("--traffic trace: a trace has no rate, but --ethernet sends at a constant rate")
	}
	if name == "uniform" && in.Net.NumHosts() > resolve.MaxPairHosts {
		return nil, fmt.Errorf("a flow for each pair of %d hosts is more than %d flows", in.Net.NumHosts(), resolve.MaxPairHosts)
	}
	p, err := traffic.NewPattern(name, in.Net, c.Uint64("seed"))
	if err != nil {
		return nil, err
	}
	random := rand.New(rand.NewPCG(c.Uint64("seed"), 3))
	for h := range model.HostID(in.Net.NumHosts()) {
		if name == "uniform" {
			for d := range model.HostID(in.Net.NumHosts()) {
				if d != h {
					to[h] = append(to[h], d)
				}
			}
			continue
		}
		if d := p.Dest(h, random); d != model.NoHost && d != h {
			to[h] = []model.HostID{d}
		}
	}
	return to, nil
}
