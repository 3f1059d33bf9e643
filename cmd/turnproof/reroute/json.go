package reroute

import (
	"slices"

	"github.com/turnproof/turnproof/cmd/turnproof/say"
	"github.com/turnproof/turnproof/cmd/turnproof/states"
	"github.com/turnproof/turnproof/internal/wording"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/verify/explain"
	"github.com/turnproof/turnproof/verify/transition"
)

// This file prints the result as JSON.

type rerouteJSON struct {
	Schema     string           `json:"schema"`
	Old        string           `json:"old"`
	New        string           `json:"new"`
	OldVerdict string           `json:"old_verdict"` // of the old tables alone
	NewVerdict string           `json:"new_verdict"`
	Switches   int              `json:"switches"`
	Hosts      int              `json:"hosts"`
	Entries    int              `json:"entries"`
	Changed    int              `json:"changed_entries"`
	Levels     int              `json:"changed_service_levels"`
	Gone       []string         `json:"gone"`  // switches, hosts and cables that only the old network has
	Added      []string         `json:"added"` // that only the new network has
	Verdict    verdictJSON      `json:"verdict"`
	Order      orderJSON        `json:"order"`
	Steps      []stepJSON       `json:"steps"`
	WayOut     string           `json:"way_out"`     // the one that disturbs traffic least
	Ways       *waysJSON        `json:"ways_out"`    // null if an order is found, or one of the tables alone has a cycle
	Simulated  []simulationJSON `json:"simulations"` // empty without --simulate
	Premises   []model.Premise  `json:"premises"`
	Warnings   []string         `json:"warnings"`
	Notes      []string         `json:"notes"`
	Inputs     []model.Input    `json:"inputs"`
	Seconds    float64          `json:"seconds"`
}

// verdictJSON is the verdict on all entries that change in any order.
type verdictJSON struct {
	Atomic       string        `json:"atomic"`
	Drained      bool          `json:"drained"`
	Verdict      string        `json:"verdict"`
	Reason       string        `json:"reason,omitempty"` // if undecided
	Channels     int           `json:"channels"`
	Dependencies int           `json:"dependencies"`
	Cycle        []say.HopJSON `json:"cycle"`
	Loops        []partJSON    `json:"destinations_with_a_loop"`
	Drops        int           `json:"places_that_drop"`
}

type orderJSON struct {
	By       string     `json:"by"`
	Drained  bool       `json:"drained"`
	Answer   string     `json:"answer"`
	Reason   string     `json:"reason,omitempty"`
	Blocked  []partJSON `json:"blocked"`  // parts that block each other
	AtLeast  *int       `json:"at_least"` // steps in service that are needed; null if not known
	Visited  int        `json:"sets_visited"`
	SafeSets *int       `json:"safe_sets"` // of switches; null if not counted
	Sets     *int       `json:"sets"`
}

// stepJSON is the parts that change together.
type stepJSON struct {
	Kind    string     `json:"kind"`
	Parts   []partJSON `json:"parts"`
	Entries int        `json:"entries"` // that change
}

// waysJSON is what helps where there is no order.
type waysJSON struct {
	Stopped []partJSON `json:"stopped"`          // destinations whose packets stop, while all others change in service
	AtLeast int        `json:"stopped_at_least"` // without as many, not all others can change in service
	Stop    []stepJSON `json:"stop"`
	Lane    *laneJSON  `json:"lane"`          // null if there are not enough VLs
	NoLane  string     `json:"lane_reason"`   // why lane is null, or ""
	Via     string     `json:"via,omitempty"` // an intermediate routing
	ViaTo   []stepJSON `json:"via_to"`
	ViaFrom []stepJSON `json:"via_from"`
}

// laneJSON is a change by a second lane.
type laneJSON struct {
	VCs          int `json:"vcs"`          // of both lanes
	Destinations int `json:"destinations"` // that need a second address
}

// kindWords names the kinds of steps.
var kindWords = map[transition.Kind]string{transition.InService: "in-service", transition.Drained: "drained", transition.Stop: "stop",
	transition.Resume: "resume"}

// partJSON is a switch or a destination.
type partJSON struct {
	Name string  `json:"name"`
	GUID string  `json:"guid,omitempty"`
	LID  *uint16 `json:"lid,omitempty"`
}

func (r *result) json() *rerouteJSON {
	n := r.In[1].Net
	out := &rerouteJSON{Schema: "turnproof.reroute/1", Old: r.Names[0], New: r.Names[1], OldVerdict: string(r.Rep[0].Verdict()),
		NewVerdict: string(r.Rep[1].Verdict()), Switches: n.NumSwitches(), Hosts: n.NumHosts(), Entries: r.Entries, Changed: r.Changed, Levels: r.Levels,
		Gone:    append([]string{}, slices.Concat(r.Diff.SwitchesGone, r.Diff.HostsGone, r.Diff.CablesGone)...),
		Added:   append([]string{}, slices.Concat(r.Diff.SwitchesNew, r.Diff.HostsNew, r.Diff.CablesNew)...),
		Verdict: r.verdictJSON(), Steps: []stepJSON{}, Premises: append([]model.Premise{}, r.Premises...),
		Warnings: append(append([]string{}, r.In[0].Warnings...), r.In[1].Warnings...),
		Notes:    append(append([]string{}, r.In[0].Notes...), r.In[1].Notes...),
		Inputs:   append(append([]model.Input{}, r.In[0].Files...), r.In[1].Files...), Seconds: r.seconds,
		Order: orderJSON{By: string(r.part), Drained: r.drained, Answer: string(r.order.Answer), Reason: r.order.Reason,
			Blocked: r.parts(r.part, r.order.Blocked), Visited: r.order.Visited},
	}
	if r.sets > 0 {
		out.Order.SafeSets, out.Order.Sets = &r.safe, &r.sets
	}
	if b := r.order.Bound; b != nil {
		out.Order.AtLeast = &b.Steps
	}
	out.Simulated = r.simulationsJSON()
	out.Steps = r.steps(r.Any, r.part, r.order.Steps)
	out.WayOut = r.wayOut()
	if w := r.ways; w != nil {
		d := transition.Destination
		out.Ways = &waysJSON{Stopped: []partJSON{}, Stop: r.steps(r.Any, d, w.Steps), ViaTo: []stepJSON{}, ViaFrom: []stepJSON{}}
		if w.Count > 0 {
			out.Ways.Stopped = r.parts(d, w.Steps[0].Parts)
		}
		if out.Ways.NoLane = w.noLanes; w.lanes != nil {
			out.Ways.Lane = &laneJSON{w.lanes.vcs, w.lanes.destinations}
		}
		if w.Bound != nil {
			out.Ways.AtLeast = w.Bound.Stops
		}
		if v := w.via; v != nil {
			out.Ways.Via = v.Name
			out.Ways.ViaTo, out.Ways.ViaFrom = r.steps(v.To.(states.Changing), d, v.ToSteps), r.steps(v.From.(states.Changing), d, v.FromSteps)
		}
	}
	return out
}

// steps describes steps.
func (r *result) steps(c states.Changing, part transition.Part, list []transition.Step) []stepJSON {
	out := []stepJSON{}
	for _, s := range list {
		out = append(out, stepJSON{kindWords[s.Kind], r.parts(part, s.Parts), entriesOf(c, part, s)})
	}
	return out
}

func (r *result) verdictJSON() verdictJSON {
	m := r.mixture
	v := verdictJSON{Atomic: string(r.atomic), Drained: r.drained, Verdict: string(states.Verdict(r.mixture)), Reason: m.Undecided,
		Channels: m.Channels, Dependencies: m.Dependencies, Cycle: []say.HopJSON{}, Loops: []partJSON{}, Drops: m.Drops}
	n := r.Any.Network()
	for i, vc := range m.Cycle {
		hop, p := say.NewHopJSON(n, vc), m.Packets[i]
		hop.Packet = &say.PacketJSON{Source: n.HostLabel(p.Source), Destination: explain.DestinationText(r.Any.Relation(), p),
			LID: model.LIDOf(r.Any.Relation(), p.Dest), Class: int(p.Path[0].Class), Path: []say.HopJSON{}}
		for _, s := range p.Path {
			hop.Packet.Path = append(hop.Packet.Path, say.NewHopJSON(n, s.VC))
		}
		v.Cycle = append(v.Cycle, hop)
	}
	for _, d := range m.Loops {
		v.Loops = append(v.Loops, r.destination(d))
	}
	return v
}

// destination describes a destination.
func (r *result) destination(d model.DestID) partJSON {
	n := r.Any.Network()
	h := r.Any.Relation().DestinationHost(d)
	p := partJSON{Name: n.HostLabel(h), GUID: wording.GUID(n.Host(h).PortGUID)}
	if lid := model.LIDOf(r.Any.Relation(), d); lid != 0 {
		p.LID = &lid
	}
	return p
}

// parts describes parts by number.
func (r *result) parts(part transition.Part, list []int32) []partJSON {
	out, n := []partJSON{}, r.Any.Network()
	for _, i := range list {
		if part == transition.Switch {
			u := model.SwitchID(i)
			out = append(out, partJSON{Name: n.SwitchLabel(u), GUID: wording.GUID(n.Switch(u).GUID)})
			continue
		}
		out = append(out, r.destination(model.DestID(i)))
	}
	return out
}

// entriesOf counts the entries that change in a step.
func entriesOf(c states.Changing, part transition.Part, s transition.Step) (k int) {
	if s.Kind == transition.Stop {
		return 0
	}
	for _, i := range s.Parts {
		if part == transition.Switch {
			for d := range model.DestID(c.NumDestinations()) {
				if c.Differs(d, model.SwitchID(i)) {
					k++
				}
			}
			continue
		}
		for u := range model.SwitchID(c.Network().NumSwitches()) {
			if c.Differs(model.DestID(i), u) {
				k++
			}
		}
	}
	return k
}
