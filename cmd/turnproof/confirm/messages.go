package confirm

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/turnproof/turnproof/engine"
	"github.com/turnproof/turnproof/engine/replay"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/bubble"
	"github.com/turnproof/turnproof/model/gate"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/cert"
)

// This file simulates the messages of a protocol or of a list of classes.

// Messages is the outcome of simulations of classes of messages.
type Messages struct {
	Clocks       int64  `json:"clocks"`       // length of the run, or the clock of the deadlock
	Transactions int64  `json:"transactions"` // that have ended in the run
	Deadlock     bool   `json:"deadlock"`
	Tries        int    `json:"tries"` // simulations; 0 if the simulator does not run the protocol
	Note         string `json:"note"`  // why not, or empty
}

// messageTries bounds the runs that look for a deadlock, messageClocks the length of each of them.
const (
	messageTries  = 20
	messageClocks = 5000
)

// runMessages simulates the classes of messages of a report: all hosts have transactions to begin at any time. It returns nil without classes,
// and an error if messages that are proved free of deadlock freeze.
func runMessages(ctx context.Context, rep *verify.Report, seed uint64) (*Messages, error) {
	claim := rep.Added(cert.ClaimMessages)
	if claim == nil {
		return nil, nil
	}
	proved := claim.Claim.Verdict == verify.Proved
	if model.ConditionOf[*gate.Setup](rep.Conditions) != nil {
		return &Messages{Note: "gates with classes of messages"}, nil
	}
	if p := model.RulesOf(rep.Conditions); p != nil {
		if err := engine.CheckProtocol(p); err != nil {
			return &Messages{Note: err.Error()}, nil
		}
	}
	rel, err := model.Replicate(rep.Relation, model.ClassesOf(rep.Conditions))
	if err != nil {
		return nil, err
	}
	out := &Messages{}
	for !out.Deadlock && out.Tries < messageTries {
		random := rand.New(rand.NewPCG(seed, uint64(out.Tries)))
		out.Tries++
		s, err := engine.New(rel, transactions(rep, random), messageEngine(rep, random, proved), nil)
		if err != nil {
			return nil, err
		}
		clocks := engine.Clock(messageClocks)
		if proved {
			clocks *= 4
		}
		d, err := s.Watch(ctx, clocks)
		if err != nil {
			return nil, err
		}
		out.Clocks, out.Transactions = int64(s.Now()), s.Answered()
		if d != nil {
			out.Clocks, out.Deadlock = int64(d.Clock), true
		}
		if proved {
			break
		}
	}
	if out.Deadlock && proved {
		return nil, fmt.Errorf("internal error: messages proved free of deadlock, the simulator froze in clock %d", out.Clocks)
	}
	return out, nil
}

// messageEngine returns the options of a run. Sizes are drawn if a deadlock is looked for.
func messageEngine(rep *verify.Report, random *rand.Rand, proved bool) engine.Options {
	flits, service := 4, 0
	if !proved {
		flits, service = 1+random.IntN(6), random.IntN(4)
	}
	classes := model.ClassesOf(rep.Conditions)
	m := &engine.Messages{Queue: classes.Network, Service: engine.Clock(service)}
	for c := range classes.Names {
		m.Flits, m.Causes = append(m.Flits, flits), append(m.Causes, c+1)
	}
	m.Causes[len(m.Causes)-1] = -1
	if p := model.RulesOf(rep.Conditions); p != nil {
		m.Causes, m.Protocol, m.Outstanding = nil, p, p.Outstanding
	} else {
		m.Entries = 1
		for d := range model.DestID(rep.Relation.Destinations()) {
			m.Targets = append(m.Targets, d)
		}
	}
	o := engine.Options{Seed: random.Uint64(), Switching: rep.Switching, Waiting: rep.Waiting, MaxFlits: flits, BufferFlits: 4, Messages: m}
	// Some proofs suppose that a VC has flits of one packet at a time.
	o.Atomic = rep.Switching == model.Wormhole && (proved || random.IntN(2) == 0)
	if f := model.ConditionOf[*bubble.Flow](rep.Conditions); f != nil {
		o.MaxFlits, o.BufferFlits, o.Flow, flits = f.Packet, f.Buffer, &f.Rule, f.Packet
	}
	replay.Fit(rep.Facts(), rep.Relation.Network(), &o)
	for c := range m.Flits {
		m.Flits[c] = min(flits, o.MaxFlits)
	}
	return o
}

// transactions returns a source that begins a transaction in any host that may, whenever it has room.
func transactions(rep *verify.Report, random *rand.Rand) engine.Source {
	s := &demand{random: random, to: make([][]model.DestID, rep.Relation.Sources())}
	p := model.RulesOf(rep.Conditions)
	for h := range s.to {
		for d := range model.DestID(rep.Relation.Destinations()) {
			if s.mayBegin(p, model.HostID(h), rep.Relation.DestinationHost(d)) && model.Sends(rep.Relation, model.HostID(h), d) {
				s.to[h] = append(s.to[h], d)
			}
		}
	}
	return s
}

// demand is a source without end.
type demand struct {
	random *rand.Rand
	to     [][]model.DestID // by host
	id     int64
}

// mayBegin reports whether host h begins transactions with host to.
func (s *demand) mayBegin(p *model.Protocol, h, to model.HostID) bool {
	if p != nil && p.Begins != nil && !slices.ContainsFunc(p.Begins, func(f model.Flow) bool { return f.Source == h && f.Dest == to }) {
		return false
	}
	return p == nil || slices.ContainsFunc(p.Rules, func(r model.ClassRule) bool {
		return len(r.After) == 0 && slices.Contains(r.From, h) && slices.Contains(r.To, to)
	})
}

// Next implements engine.Source.
func (s *demand) Next(h model.HostID) (engine.Packet, bool) {
	if len(s.to[h]) == 0 {
		return engine.Packet{}, false
	}
	s.id++
	return engine.Packet{Source: h, Dest: s.to[h][s.random.IntN(len(s.to[h]))], Flits: 1, ID: s.id}, true
}
