package verify

import (
	"errors"
	"fmt"
	"slices"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/verify/cert"
)

// This file decides classes of messages if only some pairs of hosts talk. The pairs are those on which transactions begin; other messages go
// where these lead them, such as replies back.

// followFlows returns r for all pairs that messages of o go between, if r is restricted to flows and o has classes. It restricts the protocol
// to the flows; a plain list of classes becomes a protocol.
func followFlows(r model.Relation, o *Options) (model.Relation, error) {
	f, ok := r.(model.Flowing)
	if !ok || o.Messages == nil {
		return r, nil
	}
	if o.Flow != nil || o.Multicast != nil && len(o.Multicast.Groups) > 0 {
		return nil, errors.New("cannot decide classes of messages on some flows together with flow control of rings or multicast tables")
	}
	n, p := r.Network(), o.Protocol
	var err error
	if p == nil {
		if p, err = model.ProtocolOf(o.Messages, n); err != nil {
			return nil, err
		}
	}
	if p, err = p.OnFlows(f.Flows()); err != nil {
		return nil, err
	}
	o.Protocol, o.Messages = p, &p.Messages
	list := p.Flows()
	if len(list) == 0 {
		return nil, errors.New("no class of messages begins on a flow: no source of a flow sends a class that begins transactions")
	}
	all, known := f.AllPairs(), map[model.HostID][]model.DestID{}
	for d := range model.DestID(r.Destinations()) {
		known[r.DestinationHost(d)] = append(known[r.DestinationHost(d)], d)
	}
	for _, x := range list {
		if int(x.Source) >= r.Sources() || len(known[x.Dest]) == 0 ||
			slices.ContainsFunc(known[x.Dest], func(d model.DestID) bool { return !model.Sends(all, x.Source, d) }) {
			return nil, fmt.Errorf("cannot decide classes of messages: messages go from %s to %s, which the routing has no packets for",
				n.HostLabel(x.Source), n.HostLabel(x.Dest))
		}
	}
	o.Premises = slices.Clone(o.Premises)
	for i := range o.Premises {
		if q := &o.Premises[i]; q.Name == model.PremiseFlows {
			q.Value += fmt.Sprintf(", on which transactions begin; their messages go between %d pairs", len(list))
		}
	}
	return model.WithFlows(all, list), nil
}

// separateNetworks leaves deadlock-free undecided if the packets of all classes together block each other, but classes of different virtual
// networks, which never meet, go between different pairs.
func (r *Report) separateNetworks(c *cert.Certificate) {
	if r.Protocol == nil || r.Protocol.SamePairs() || r.DeadlockFree.Verdict != Refuted {
		return
	}
	claim := &r.DeadlockFree
	claim.Verdict, claim.Theorem = Undecided, ""
	claim.Reason = "packets of all classes together could block each other, but classes have virtual networks of their own and go between other pairs: " +
		"message-deadlock-free decides them"
	r.Configuration, r.Holds, r.Chosen, r.Schedule, r.Reached, r.NotReached = nil, nil, nil, nil, nil, ""
	c.Claims = slices.DeleteFunc(c.Claims, func(k cert.Claim) bool { return k.Claim == cert.ClaimDeadlockFree })
}
