package protocols

import (
	"errors"
	"fmt"
	"slices"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/bubble"
	"github.com/turnproof/turnproof/model/gate"
	"github.com/turnproof/turnproof/verify"
)

// This file decides classes of messages if only some pairs of hosts talk. The pairs are those on which transactions begin; other messages go
// where these lead them, such as replies back.

// Begin replaces the relation of q by one for all pairs that messages go between, if it is restricted to flows. It restricts the protocol to the
// flows; a plain list of classes becomes a protocol.
func (x *rule) Begin(q *verify.Question, o *verify.Options) error {
	r := q.Relation
	x.gates, x.flow = model.ConditionOf[*gate.Setup](o.Conditions), model.ConditionOf[*bubble.Flow](o.Conditions)
	x.groups = model.ConditionOf[*model.Multicast](o.Conditions)
	f, ok := r.(model.Flowing)
	if !ok {
		return nil
	}
	n, p := r.Network(), x.protocol
	var err error
	if p.IsList() {
		if p, err = p.Chain(n); err != nil {
			return err
		}
	}
	if p, err = p.OnFlows(f.Flows()); err != nil {
		return err
	}
	x.protocol = p
	list := p.Flows()
	if len(list) == 0 {
		return errors.New("no class of messages begins on a flow: no source of a flow sends a class that begins transactions")
	}
	all, known := f.AllPairs(), map[model.HostID][]model.DestID{}
	for d := range model.DestID(r.Destinations()) {
		known[r.DestinationHost(d)] = append(known[r.DestinationHost(d)], d)
	}
	for _, pair := range list {
		if int(pair.Source) >= r.Sources() || len(known[pair.Dest]) == 0 ||
			slices.ContainsFunc(known[pair.Dest], func(d model.DestID) bool { return !model.Sends(all, pair.Source, d) }) {
			return fmt.Errorf("cannot decide classes of messages: messages go from %s to %s, which the routing has no packets for",
				n.HostLabel(pair.Source), n.HostLabel(pair.Dest))
		}
	}
	o.Premises = slices.Clone(o.Premises)
	for i := range o.Premises {
		if q := &o.Premises[i]; q.Name == model.PremiseFlows {
			q.Value += fmt.Sprintf(", on which transactions begin; their messages go between %d pairs", len(list))
		}
	}
	q.Relation = model.WithFlows(all, list)
	return nil
}
