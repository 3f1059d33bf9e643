package protocols

import (
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/verify/cert"
)

// Encode returns p in the form of certificates.
func Encode(p *model.Protocol) *cert.Protocol {
	out := &cert.Protocol{Networks: p.Networks(), Classes: []cert.MessageClass{}}
	count := p.Multiplicity()
	for c, r := range p.Rules {
		k := cert.MessageClass{Name: p.Names[c], Network: p.Network[c], From: hostInts(r.From), To: hostInts(r.To), After: []cert.Ints{},
			ToSender: r.Dest == model.ToSender, ToInitiator: r.Dest == model.ToInitiator && p.Begins != nil,
			Several: count[c] > 1, Queue: p.Fills(c, r.Queue), Table: p.Fills(c, r.Table), Consumed: r.Consumed, Multicast: r.Multicast}
		for _, list := range r.After {
			after := cert.Ints{}
			for _, y := range list {
				after = append(after, int32(y))
			}
			k.After = append(k.After, after)
		}
		out.Classes = append(out.Classes, k)
	}
	for _, f := range p.Begins {
		if out.Begins == nil {
			out.Begins = &cert.Ints{}
		}
		*out.Begins = append(*out.Begins, int32(f.Source), int32(f.Dest))
	}
	return out
}

func hostInts(list []model.HostID) cert.Ints {
	out := cert.Ints{}
	for _, h := range list {
		out = append(out, int32(h))
	}
	return out
}
