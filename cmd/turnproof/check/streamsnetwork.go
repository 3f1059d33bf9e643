package check

import (
	"fmt"
	"slices"
	"time"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/cmd/turnproof/input"
	"github.com/turnproof/turnproof/internal/encode"
	"github.com/turnproof/turnproof/internal/wording"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format"
	"github.com/turnproof/turnproof/model/format/lists"
	"github.com/turnproof/turnproof/synth/resolve"
)

// This file checks a flow problem whose packets go between hosts of a network, by the paths of a routing.

// withFlows are the flags for networks that go with a flow problem.
var withFlows = []string{"routing", "sl", "sl2vl", "paths", "hosts", "lmc", "flows"}

func runFlowsOn(c *cli.Context, network, flows string) error {
	began := time.Now()
	for _, name := range append(slices.Clone(forNetworks), "buffer") {
		if c.IsSet(name) && !slices.Contains(withFlows, name) {
			return fmt.Errorf("--%s does not go with a flow problem, and %s is one", name, flows)
		}
	}
	q, err := input.Request(c, network)
	if err != nil {
		return err
	}
	q.Flows, q.NeedsRouting, q.Sums = "", true, true
	in, err := input.Load(c, q)
	if err != nil {
		return err
	}
	if f, ok := in.Source.(interface{ CheckRestriction() error }); ok {
		if err := f.CheckRestriction(); err != nil {
			return fmt.Errorf("--flows: %w", err)
		}
	}
	input.PrintNotes(c, in)
	s := &streamsCheck{path: flows, kind: "problem", inputs: encode.Inputs(in.Files)}
	s.paths = func(from, to string) ([]string, error) { return channelsBetween(in, from, to) }
	if err := s.read(c); err != nil {
		return err
	}
	s.premises = append(s.premises, model.Premise{Name: model.PremiseBuffers,
		Value: "each virtual channel is a buffer, which a packet can enter behind another one", Source: s.path})
	return s.run(c, began)
}

// channelsBetween returns the virtual channels of the path of a packet. The routing must leave no choice.
func channelsBetween(in *resolve.Subject, from, to string) ([]string, error) {
	flows, err := lists.ParseFlows(from+":"+to, in.Net, format.Options{})
	if err != nil {
		return nil, err
	}
	if len(flows) != 1 {
		return nil, fmt.Errorf("%s to %s are %s of hosts; want one", from, to, wording.Count(len(flows), "pair", "s"))
	}
	r, n := in.Rel, in.Rel.Network()
	for d := range model.DestID(r.Destinations()) {
		if r.DestinationHost(d) != flows[0].Dest {
			continue
		}
		classes := r.Inject(flows[0].Source, d, nil)
		if len(classes) != 1 {
			return nil, fmt.Errorf("%s to %s: %s; want one path", from, to, wording.Count(len(classes), "class", "es"))
		}
		at := model.InjectState(r, flows[0].Source, d, classes[0])
		names := []string{wording.Channel(n, at.VC)}
		for len(names) <= n.NumVCs()*r.Classes() {
			if c, _ := n.Channel(at.VC); c == n.EjectChannel(flows[0].Dest) {
				return names, nil
			}
			hops := r.Next(at, nil)
			if len(hops) != 1 {
				return nil, fmt.Errorf("%s to %s: %s at %s; a flow problem needs a routing without a choice", from, to,
					wording.Count(len(hops), "next hop", "s"), names[len(names)-1])
			}
			at = model.State{VC: hops[0].VC, Dest: d, Class: hops[0].Class}
			names = append(names, wording.Channel(n, at.VC))
		}
		return nil, fmt.Errorf("%s to %s: the packet is forwarded for ever", from, to)
	}
	return nil, fmt.Errorf("%s is no destination of the routing", to)
}
