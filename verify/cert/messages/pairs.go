package messages

import (
	"maps"
	"slices"

	"github.com/turnproof/turnproof/verify/cert"
)

// This file says between which endpoints the messages of each class go, if only some pairs talk.
//
// A transaction begins on the pairs of Protocol.Begins, or on all flows of the subject. Its messages follow from these rules. A class
// without causes goes from the first endpoint of a pair to the second one; to each endpoint of To, if a pair of that endpoint leads elsewhere or
// if several messages are sent. Another class goes from an endpoint of From that has got a message of each class of one alternative: to the
// endpoint that began; to those that sent the cause; or to any of To. It may also go to its own sender, which takes no place in the
// network. Every pair must be a flow of the subject: so the claim covers answers.

// transfer is a message from an endpoint to another one, in a transaction that an endpoint began.
type transfer struct{ began, from, to int32 }

// pairsOfClasses returns the pairs of each class, or nil if all pairs talk.
func (x *protocol) pairsOfClasses() ([]map[[2]int32]bool, error) {
	begins, err := x.begins()
	if begins == nil || err != nil {
		return nil, err
	}
	sent := make([]map[transfer]bool, len(x.Classes))
	pairs := make([]map[[2]int32]bool, len(x.Classes))
	for _, c := range x.order { // causes first
		sent[c], pairs[c] = map[transfer]bool{}, map[[2]int32]bool{}
		if len(x.Classes[c].After) == 0 {
			x.addFirst(c, begins, sent[c])
		} else {
			x.addCaused(c, sent)
		}
		for t := range sent[c] {
			if t.from == t.to {
				continue
			}
			if pairs[c][[2]int32{t.from, t.to}] = true; !x.isFlow(t.from, t.to) {
				return nil, cert.Reject(x.claim, "class %d goes from endpoint %d to endpoint %d, which is no flow of the subject", c, t.from, t.to)
			}
		}
	}
	return pairs, nil
}

// begins returns the pairs on which transactions begin, by their first endpoint, or nil if all pairs talk.
func (x *protocol) begins() (map[int32][]int32, error) {
	rel := x.Certificate.Subject.Relation
	var list cert.Ints
	switch {
	case x.Begins != nil:
		list = *x.Begins
	case slices.ContainsFunc(x.Classes, func(k cert.MessageClass) bool { return k.ToInitiator }):
		return nil, cert.Reject(x.claim, "a class goes to the endpoint that begins, but the protocol does not say where transactions begin")
	case rel == nil || rel.Flows == nil:
		return nil, nil
	default:
		for i := 0; i < len(*rel.Flows); i += 2 {
			list = append(list, (*rel.Flows)[i], x.ends[(*rel.Flows)[i+1]])
		}
	}
	begins := map[int32][]int32{}
	for i := 0; i+1 < len(list); i += 2 {
		if a, b := list[i], list[i+1]; a < 0 || b < 0 || a >= x.Endpoints || b >= x.Endpoints || a == b {
			return nil, cert.Reject(x.claim, "transactions begin from endpoint %d to endpoint %d", a, b)
		}
		begins[list[i]] = append(begins[list[i]], list[i+1])
	}
	if len(list) == 0 || len(list)%2 != 0 {
		return nil, cert.Reject(x.claim, "%d numbers of pairs on which transactions begin", len(list))
	}
	return begins, nil
}

// addFirst adds the messages of a class that begins transactions.
func (x *protocol) addFirst(c int, begins map[int32][]int32, sent map[transfer]bool) {
	k := &x.Classes[c]
	for _, from := range k.From {
		to := begins[from]
		leadsElsewhere := slices.ContainsFunc(to, func(e int32) bool { return !slices.Contains(k.To, e) })
		if len(to) > 0 && (k.Several || k.Multicast || leadsElsewhere) {
			to = k.To
		}
		for _, e := range to {
			sent[transfer{from, from, e}] = true
		}
	}
}

// addCaused adds the messages of a class that others cause.
func (x *protocol) addCaused(c int, sent []map[transfer]bool) {
	k := &x.Classes[c]
	for _, list := range k.After {
		for t := range sent[list[0]] {
			all := !slices.ContainsFunc(list, func(y int32) bool {
				return !slices.ContainsFunc(slices.Collect(maps.Keys(sent[y])), func(o transfer) bool { return o.began == t.began && o.to == t.to })
			})
			switch {
			case !all || !slices.Contains(k.From, t.to):
			case len(k.To) == 0:
			case k.ToInitiator:
				sent[c][transfer{t.began, t.to, t.began}] = true
			case k.ToSender:
				sent[c][transfer{t.began, t.to, t.from}] = true
			default:
				for _, e := range append(slices.Clone(k.To), t.to) {
					sent[c][transfer{t.began, t.to, e}] = true
				}
			}
		}
	}
}

// isFlow reports whether an endpoint sends to all destinations of another one, and there are some.
func (x *protocol) isFlow(from, to int32) bool {
	some := false
	for d, end := range x.ends {
		if end == to {
			if some = true; !x.Talks(from, int32(d)) {
				return false
			}
		}
	}
	return some
}

// sends reports whether messages of class c can go from endpoint s to endpoint e.
func (x *protocol) sends(c int, s, e int32) bool { return x.pairs == nil || x.pairs[c][[2]int32{s, e}] }

// sources returns the endpoints that send class c to endpoint e.
func (x *protocol) sources(c int, e int32) cert.Ints {
	k := &x.Classes[c]
	switch {
	case !slices.Contains(k.To, e):
		return nil
	case x.pairs == nil:
		return k.From
	}
	return slices.DeleteFunc(slices.Clone(k.From), func(s int32) bool { return !x.sends(c, s, e) })
}
