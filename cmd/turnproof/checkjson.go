package main

import (
	"github.com/turnproof/turnproof/cdg"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/cert"
)

// This file is the JSON output of check: docs/schema/check.json.

type checkJSON struct {
	Schema            string           `json:"schema"`
	Network           string           `json:"network"`
	Verdict           string           `json:"verdict"`
	DeadlockFree      *bool            `json:"deadlock_free"`
	Connected         *bool            `json:"connected"`
	LivelockFree      *bool            `json:"livelock_free"`
	CDGAcyclic        bool             `json:"cdg_acyclic"`
	Reached           *bool            `json:"reached"` // null: not tried
	Switching         string           `json:"switching"`
	Disciplines       []disciplineJSON `json:"disciplines"` // the verdicts on deadlock-free by discipline
	Premises          []model.Premise  `json:"premises"`
	Inputs            []cert.Input     `json:"inputs"` // the files that were read
	Method            string           `json:"method"`
	Gate              string           `json:"gate,omitempty"`
	CrossCheck        string           `json:"cross_check,omitempty"`
	Simulated         *simulated       `json:"simulated,omitempty"`
	Switches          int              `json:"switches"`
	Hosts             int              `json:"hosts"`
	Links             int              `json:"links"`
	Channels          int              `json:"channels"`
	VCs               int              `json:"vcs"`
	UsedVCs           int64            `json:"used_vcs"`
	Entries           *int             `json:"entries"` // null: the routing is no table
	Dependencies      int64            `json:"dependencies"`
	CyclicComponents  int64            `json:"cyclic_components"`
	CyclicVCs         int64            `json:"cyclic_vcs"`
	Pairs             int64            `json:"pairs"`
	UnreachablePairs  int64            `json:"unreachable_pairs"`
	MaxSwitchesOnPath *int             `json:"max_switches_on_path"`
	Cycle             []hopJSON        `json:"cycle"`
	Configuration     []waitJSON       `json:"configuration"`
	Lost              *lostJSON        `json:"lost_packet"`
	Loop              *packetJSON      `json:"forwarding_loop"`
	Claims            []claimJSON      `json:"claims"`
	Mend              *mendJSON        `json:"mend,omitempty"` // only with --mend, where something was to be mended
	Notes             []string         `json:"notes"`
	Warnings          []string         `json:"warnings"`             // notes that could change the verdict
	Messages          *messagesJSON    `json:"messages,omitempty"`   // only with --classes
	Management        []trafficJSON    `json:"management,omitempty"` // with management traffic, too, where decided
	Failures          *failuresJSON    `json:"failures,omitempty"`   // only with --fail
	CertificateClaims int              `json:"certificate_claims"`
	Seconds           float64          `json:"seconds"`
}

// hopJSON is a channel: in a cycle the packet beside it holds it and waits for
// the next one.
type hopJSON struct {
	From     string      `json:"from"`
	FromGUID string      `json:"from_guid,omitempty"`
	FromPort model.Port  `json:"from_port"`
	To       string      `json:"to"`
	ToGUID   string      `json:"to_guid,omitempty"`
	ToPort   model.Port  `json:"to_port"`
	VC       int         `json:"vc"`
	Packet   *packetJSON `json:"packet,omitempty"`
	Pairs    *int64      `json:"pairs,omitempty"` // of hosts whose packets do the same
}

// waitJSON is a packet of a deadlock: it holds channels and waits for others.
type waitJSON struct {
	Holds    []hopJSON   `json:"holds"`
	Packet   *packetJSON `json:"packet"`
	WaitsFor []hopJSON   `json:"waits_for"`
	Flits    []int       `json:"flits,omitempty"` // by channel held, with gates
}

type packetJSON struct {
	Source      string    `json:"source"`
	Destination string    `json:"destination"`
	LID         uint16    `json:"lid,omitempty"`
	Class       int       `json:"class"`
	Path        []hopJSON `json:"path"`
}

type lostJSON struct {
	packetJSON
	End string `json:"end"`
}

type claimJSON struct {
	Claim    string   `json:"claim"`
	Verdict  string   `json:"verdict"`
	Theorem  string   `json:"theorem,omitempty"`
	Premises []string `json:"premises"`
	Reason   string   `json:"reason,omitempty"`
}

// disciplineJSON is the verdict on deadlock-free under some switching disciplines.
type disciplineJSON struct {
	Switching []string `json:"switching"`
	claimJSON
}

// newDisciplinesJSON writes the verdicts by discipline.
func newDisciplinesJSON(rep *verify.Report) []disciplineJSON {
	list := []disciplineJSON{}
	for _, d := range rep.Disciplines {
		list = append(list, disciplineJSON{wordsOf(d.Switching), newClaimJSON(d.Claim)})
	}
	return list
}

func newClaimJSON(c verify.Claim) claimJSON {
	return claimJSON{c.Name, string(c.Verdict), c.Theorem, append([]string{}, c.Premises...), c.Reason}
}

func newCheckJSON(in *input, rep *verify.Report, judge string, sim *simulated, seconds float64) checkJSON {
	n := in.net
	j := checkJSON{
		Schema: "turnproof.check/1", Network: in.name,
		Verdict: string(rep.Verdict()), DeadlockFree: rep.DeadlockFree.Holds(), Connected: rep.Connected.Holds(), LivelockFree: rep.LivelockFree.Holds(),
		CDGAcyclic: rep.Acyclic.Verdict == verify.Proved, Reached: rep.Reached, Switching: string(rep.Switching), Method: rep.Method(), CrossCheck: judge, Simulated: sim,
		Switches: n.NumSwitches(), Hosts: n.NumHosts(), Links: n.NumLinks(), Channels: n.NumLinkChannels(), VCs: n.VCs(),
		UsedVCs: rep.Counts.UsedVCs, Entries: entries(in.rel), Dependencies: rep.Counts.Dependencies,
		CyclicComponents: rep.Counts.CyclicComponents, CyclicVCs: rep.Counts.CyclicVCs,
		Pairs: rep.Routes.Pairs, UnreachablePairs: rep.Routes.Unreachable,
		Cycle: []hopJSON{}, Notes: append([]string{}, in.notes...), Warnings: append([]string{}, in.warnings...), Disciplines: newDisciplinesJSON(rep), Premises: append([]model.Premise{}, rep.Premises...), Inputs: append([]cert.Input{}, in.files...), CertificateClaims: len(rep.Certificate.Claims), Seconds: seconds,
	}
	if rep.Gating != nil {
		j.Gate = rep.Gating.Rule.String()
	}
	if rep.Routes.Loop == nil {
		j.MaxSwitchesOnPath = &rep.Routes.Longest
	}
	for i, v := range rep.Cycle {
		h := newHopJSON(n, v)
		h.Packet = newPacketJSON(in.rel, rep.CyclePackets[i])
		if rep.CyclePairs != nil && rep.CyclePackets[i].Group == 0 {
			h.Pairs = &rep.CyclePairs[i]
		}
		j.Cycle = append(j.Cycle, h)
	}
	j.Messages, j.Management = newMessagesJSON(rep), newTrafficJSON(rep)
	j.Configuration = []waitJSON{}
	for i, p := range rep.Configuration {
		wait := waitJSON{Packet: newPacketJSON(in.rel, p), WaitsFor: []hopJSON{}}
		for _, s := range heldBy(rep, i) {
			wait.Holds = append(wait.Holds, newHopJSON(n, s.VC))
		}
		for _, v := range waitsFor(rep, i) {
			wait.WaitsFor = append(wait.WaitsFor, newHopJSON(n, v))
		}
		if rep.Flits != nil {
			wait.Flits = heldFlits(rep, i)
		}
		j.Configuration = append(j.Configuration, wait)
	}
	if p := rep.Routes.Lost; p != nil {
		j.Lost = &lostJSON{*newPacketJSON(in.rel, p), rep.Routes.LostEnd}
	}
	if p := rep.Routes.Loop; p != nil {
		j.Loop = newPacketJSON(in.rel, p)
	}
	for _, c := range append(rep.Claims(), rep.Acyclic) {
		j.Claims = append(j.Claims, newClaimJSON(c))
	}
	return j
}

// messagesJSON is --classes.
type messagesJSON struct {
	Classes         []string      `json:"classes"`
	VirtualNetworks []int         `json:"virtual_networks"` // by class
	VCs             int           `json:"vcs"`              // per channel, over all virtual networks
	Packets         []*packetJSON `json:"packets"`
}

func newMessagesJSON(rep *verify.Report) *messagesJSON {
	if rep.Messages == nil {
		return nil
	}
	m := &messagesJSON{Classes: rep.Messages.Names, VirtualNetworks: rep.Messages.Network, VCs: rep.Messages.Networks() * rep.Relation.Network().VCs(), Packets: []*packetJSON{}}
	for _, p := range rep.MessagePackets {
		m.Packets = append(m.Packets, newPacketJSON(rep.Relation, p))
	}
	return m
}

func newHopJSON(n *model.Network, v model.VCID) hopJSON {
	c, i := n.Channel(v)
	h := hopJSON{FromPort: n.TailPort(c), ToPort: n.HeadPort(c), VC: i}
	switch n.Kind(c) {
	case model.Inject:
		h.FromPort = model.Port(n.Host(n.HostOf(c)).NodePort)
	case model.Eject:
		h.ToPort = model.Port(n.Host(n.HostOf(c)).NodePort)
	}
	h.From, h.FromGUID = endName(n, n.Tail(c), n.HostOf(c))
	h.To, h.ToGUID = endName(n, n.Head(c), n.HostOf(c))
	return h
}

// endName names the switch u, or endpoint h where there is no switch.
func endName(n *model.Network, u model.SwitchID, h model.HostID) (name, guid string) {
	if u == model.NoSwitch {
		return n.HostLabel(h), guidText(n.Host(h).PortGUID)
	}
	return n.SwitchLabel(u), guidText(n.Switch(u).GUID)
}

// entries returns the number of table entries, nil where there is no table.
func entries(r model.Relation) *int {
	t, ok := r.(*model.Table)
	if !ok {
		return nil
	}
	k := t.Entries()
	return &k
}

func newPacketJSON(r model.Relation, p *cdg.Packet) *packetJSON {
	n := r.Network()
	j := &packetJSON{Source: n.HostLabel(p.Source), Destination: destinationText(r, p), LID: p.MLID, Class: -1, Path: []hopJSON{}}
	if p.Group == 0 {
		j.LID = lid(r, p.Dest)
	}
	if len(p.Path) > 0 {
		j.Class = int(p.Path[0].Class)
	}
	for _, s := range p.Path {
		j.Path = append(j.Path, newHopJSON(n, s.VC))
	}
	return j
}
