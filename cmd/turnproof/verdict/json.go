package verdict

import (
	"github.com/turnproof/turnproof/cdg"
	"github.com/turnproof/turnproof/cmd/turnproof/confirm"
	"github.com/turnproof/turnproof/cmd/turnproof/say"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/bubble"
	"github.com/turnproof/turnproof/model/gate"
	"github.com/turnproof/turnproof/synth/resolve"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/explain"
	"github.com/turnproof/turnproof/verify/failures"
	"github.com/turnproof/turnproof/verify/protocols"
)

// This file makes the JSON output of check (docs/schema/check.json).

type CheckJSON struct {
	Schema            string           `json:"schema"`
	Network           string           `json:"network"`
	Verdict           string           `json:"verdict"`
	DeadlockFree      *bool            `json:"deadlock_free"`
	Connected         *bool            `json:"connected"`
	LivelockFree      *bool            `json:"livelock_free"`
	CDGAcyclic        bool             `json:"cdg_acyclic"`
	Reached           *bool            `json:"reached"`               // null if the deadlock is reached by no schedule, and not simulated
	Schedule          *ScheduleJSON    `json:"schedule,omitempty"`    // if it reaches the deadlock
	NotReached        string           `json:"not_reached,omitempty"` // why a refutation has no schedule
	Switching         string           `json:"switching"`
	Disciplines       []disciplineJSON `json:"disciplines"` // verdicts about deadlock-free for each switching discipline
	Premises          []model.Premise  `json:"premises"`
	Inputs            []model.Input    `json:"inputs"` // the files that were read
	Method            string           `json:"method"`
	Gate              string           `json:"gate,omitempty"`
	Flow              string           `json:"flow,omitempty"`
	CrossCheck        string           `json:"cross_check,omitempty"`
	Simulated         *confirm.Result  `json:"simulated,omitempty"`
	Switches          int              `json:"switches"`
	Hosts             int              `json:"hosts"`
	Links             int              `json:"links"`
	Channels          int              `json:"channels"`
	VCs               int              `json:"vcs"`
	UsedVCs           int64            `json:"used_vcs"`
	Entries           *int             `json:"entries"` // null if the routing is not a table
	Dependencies      int64            `json:"dependencies"`
	CyclicComponents  int64            `json:"cyclic_components"`
	CyclicVCs         int64            `json:"cyclic_vcs"`
	Pairs             int64            `json:"pairs"`
	UnreachablePairs  int64            `json:"unreachable_pairs"`
	PathlessPairs     int64            `json:"pathless_pairs"`
	MaxSwitchesOnPath *int             `json:"max_switches_on_path"`
	Symmetry          *symmetryJSON    `json:"symmetry,omitempty"` // if symmetries decided most destinations
	Cycle             []say.HopJSON    `json:"cycle"`
	Configuration     []say.WaitJSON   `json:"configuration"`
	Lost              *lostJSON        `json:"lost_packet"`
	Loop              *say.PacketJSON  `json:"forwarding_loop"`
	Claims            []ClaimJSON      `json:"claims"`
	Notes             []string         `json:"notes"`
	Warnings          []string         `json:"warnings"`             // notes that could change the verdict
	Messages          *messagesJSON    `json:"messages,omitempty"`   // only with --classes
	Management        []TrafficJSON    `json:"management,omitempty"` // verdicts if management packets are included, if decided
	Failures          *failures.Result `json:"failures,omitempty"`   // only with --fail
	CertificateClaims int              `json:"certificate_claims"`
	Seconds           float64          `json:"seconds"`
}

// symmetryJSON counts switches with hosts: those to which packets were explored, and all.
type symmetryJSON struct {
	Explored   int `json:"explored"`
	Switches   int `json:"switches"`
	Generators int `json:"generators"`
}

type lostJSON struct {
	say.PacketJSON
	End string `json:"end"`
}

type ClaimJSON struct {
	Claim    string   `json:"claim"`
	Verdict  string   `json:"verdict"`
	Theorem  string   `json:"theorem,omitempty"`
	Premises []string `json:"premises"`
	Reason   string   `json:"reason,omitempty"`
}

// disciplineJSON is the verdict about deadlock-free under some switching disciplines.
type disciplineJSON struct {
	Switching []string `json:"switching"`
	ClaimJSON
}

// newDisciplinesJSON returns the verdicts about deadlock-free, by discipline.
func newDisciplinesJSON(rep *verify.Report) []disciplineJSON {
	list := []disciplineJSON{}
	for _, d := range rep.Disciplines {
		list = append(list, disciplineJSON{say.WordsOf(d.Switching), newClaimJSON(rep, d.Claim)})
	}
	return list
}

// newClaimJSON has the premises that the facts of the report do not decide.
func newClaimJSON(rep *verify.Report, c verify.Claim) ClaimJSON {
	return ClaimJSON{c.Name, string(c.Verdict), c.Theorem, append([]string{}, rep.Open(c.Premises)...), c.Reason}
}

// NewCheckJSON returns the output of "check --json": a report, the judge that agreed or "", and a simulation or nil.
func NewCheckJSON(in *resolve.Subject, rep *verify.Report, judge string, sim *confirm.Result, seconds float64) CheckJSON {
	n := in.Net
	j := CheckJSON{
		Schema: "turnproof.check/1", Network: in.Name,
		Verdict: string(rep.Verdict()), DeadlockFree: rep.DeadlockFree.Holds(), Connected: rep.Connected.Holds(), LivelockFree: rep.LivelockFree.Holds(),
		CDGAcyclic: rep.Acyclic.Verdict == verify.Proved, Reached: rep.Reached, Switching: string(rep.Switching), Method: rep.Method(),
		CrossCheck: judge, Simulated: sim, Schedule: NewScheduleJSON(rep), NotReached: notReached(rep),
		Switches: n.NumSwitches(), Hosts: n.NumHosts(), Links: n.NumLinks(), Channels: n.NumLinkChannels() - n.OneWayLinks(), VCs: n.VCs(),
		UsedVCs: rep.Counts.UsedVCs, Entries: say.Entries(in.Rel), Dependencies: rep.Counts.Dependencies,
		CyclicComponents: rep.Counts.CyclicComponents, CyclicVCs: rep.Counts.CyclicVCs,
		Pairs: rep.Routes.Pairs, UnreachablePairs: rep.Routes.Unreachable, PathlessPairs: rep.Routes.Pathless,
		Notes: append([]string{}, in.Notes...), Warnings: append([]string{}, in.Warnings...),
		Disciplines: newDisciplinesJSON(rep), Premises: append([]model.Premise{}, rep.Premises...), Inputs: append([]model.Input{}, in.Files...),
		Cycle: newCycleJSON(in, rep), Configuration: newConfigurationJSON(in, rep), Messages: newMessagesJSON(rep), Management: NewTrafficJSON(rep),
		CertificateClaims: len(rep.Certificate.Claims), Seconds: seconds,
	}
	if rep.Symmetries != nil {
		j.Symmetry = &symmetryJSON{rep.Orbits, rep.Groups, len(rep.Symmetries)}
	}
	if g := model.ConditionOf[*gate.Setup](rep.Conditions); g != nil {
		j.Gate = g.Rule.String()
	}
	if f := model.ConditionOf[*bubble.Flow](rep.Conditions); f != nil {
		j.Flow = f.Rule.String()
	}
	if rep.Routes.Loop == nil {
		j.MaxSwitchesOnPath = &rep.Routes.Longest
	}
	if p := rep.Routes.Lost; p != nil {
		j.Lost = &lostJSON{*newPacketJSON(in.Rel, p), rep.Routes.LostEnd}
	}
	if p := rep.Routes.Loop; p != nil {
		j.Loop = newPacketJSON(in.Rel, p)
	}
	for _, c := range append(rep.Claims(), rep.Acyclic) {
		j.Claims = append(j.Claims, newClaimJSON(rep, c))
	}
	return j
}

// newCycleJSON returns the dependency cycle, with the packets that cause it.
func newCycleJSON(in *resolve.Subject, rep *verify.Report) []say.HopJSON {
	list := []say.HopJSON{}
	for i, v := range rep.Cycle {
		h := say.NewHopJSON(in.Net, v)
		h.Packet = newPacketJSON(in.Rel, rep.CyclePackets[i])
		if rep.CyclePairs != nil && rep.CyclePackets[i].Group == 0 {
			h.Pairs = &rep.CyclePairs[i]
		}
		list = append(list, h)
	}
	return list
}

// newConfigurationJSON returns the packets of a deadlock, with what each holds and waits for.
func newConfigurationJSON(in *resolve.Subject, rep *verify.Report) []say.WaitJSON {
	list := []say.WaitJSON{}
	for i, p := range rep.Configuration {
		wait := say.WaitJSON{Packet: newPacketJSON(in.Rel, p), WaitsFor: []say.HopJSON{}}
		for _, s := range rep.Held(i) {
			wait.Holds = append(wait.Holds, say.NewHopJSON(in.Net, s.VC))
		}
		for _, v := range rep.WaitsFor(i) {
			wait.WaitsFor = append(wait.WaitsFor, say.NewHopJSON(in.Net, v))
		}
		if rep.Flits != nil {
			wait.Flits = rep.HeldFlits(i)
		}
		wait.Behind = rep.Behind != nil && rep.Behind[i]
		list = append(list, wait)
	}
	return list
}

// messagesJSON is the result of --classes.
type messagesJSON struct {
	Classes         []string          `json:"classes"`
	VirtualNetworks []int             `json:"virtual_networks"` // by class
	VCs             int               `json:"vcs"`              // VCs of each channel, summed over all virtual networks
	Packets         []*say.PacketJSON `json:"packets"`
	// Places are the places of a deadlock of a protocol's messages.
	Places []messagePlaceJSON `json:"places,omitempty"`
	Fewest *FewestJSON        `json:"fewest,omitempty"` // only with --fewest-networks
}

func newMessagesJSON(rep *verify.Report) *messagesJSON {
	classes := model.ClassesOf(rep.Conditions)
	if classes == nil {
		return nil
	}
	m := &messagesJSON{Classes: classes.Names, VirtualNetworks: classes.Network,
		VCs: classes.Networks() * rep.Relation.Network().VCs(), Packets: []*say.PacketJSON{}, Places: newMessagePlaces(rep)}
	for _, p := range protocols.OutcomeOf(rep).Packets {
		m.Packets = append(m.Packets, newPacketJSON(rep.Relation, p))
	}
	return m
}

func newPacketJSON(r model.Relation, p *cdg.Packet) *say.PacketJSON {
	n := r.Network()
	j := &say.PacketJSON{Source: n.HostLabel(p.Source), Destination: explain.DestinationText(r, p), LID: p.MLID, Class: -1, Path: []say.HopJSON{}}
	if p.Group == 0 {
		j.LID = model.LIDOf(r, p.Dest)
	}
	if len(p.Path) > 0 {
		j.Class = int(p.Path[0].Class)
	}
	for _, s := range p.Path {
		j.Path = append(j.Path, say.NewHopJSON(n, s.VC))
	}
	return j
}
