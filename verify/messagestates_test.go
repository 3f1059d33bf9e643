package verify_test

import (
	"context"
	"testing"

	"pgregory.net/rapid"

	"github.com/turnproof/turnproof/internal/modeltest"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/cert"
	"github.com/turnproof/turnproof/verify/protocols"
)

// This file checks refutations of message-deadlock-free against all states of small networks. It
// shares no code with the provers. Two hosts send requests to each other, and a host consumes a request
// when it puts the reply into its injection VC. Each VC has room for one message.

// exchange is the traffic of two hosts; relations have one class.
type exchange struct {
	r     model.Relation
	n     *model.Network
	hosts [2]model.HostID
	to    [2]model.DestID // by direction: where messages of hosts[i] go
}

// A content is what is on the VCs: 0 for nothing, else 1 + 2*direction, and 1 more for a reply.
type content string

func (x *exchange) injection(i int) model.VCID { return x.n.VC(x.n.InjectChannel(x.hosts[i]), 0) }

// put returns a content with one VC changed.
func (c content) put(v model.VCID, m byte) content {
	b := []byte(c)
	b[v] = m
	return content(b)
}

// moves returns the contents after one step.
func (x *exchange) moves(c content) (list []content) {
	for i := range 2 {
		if v := x.injection(i); c[v] == 0 {
			list = append(list, c.put(v, byte(1+2*i)))
		}
	}
	for at := range model.VCID(x.n.NumVCs()) {
		if c[at] != 0 {
			list = append(list, x.from(c, at)...)
		}
	}
	return list
}

// from returns the contents after one step of the message on a VC.
func (x *exchange) from(c content, at model.VCID) (list []content) {
	i, reply := int(c[at]-1)/2, (c[at]-1)%2 == 1
	channel, _ := x.n.Channel(at)
	if x.n.Kind(channel) == model.Eject {
		if reply || x.n.HostOf(channel) != x.hosts[1-i] {
			return []content{c.put(at, 0)}
		}
		if back := x.injection(1 - i); c[back] == 0 {
			return []content{c.put(at, 0).put(back, byte(1+2*(1-i)+1))}
		}
		return nil
	}
	hops := x.r.Next(model.State{VC: at, Dest: x.to[i]}, nil)
	if len(hops) == 0 {
		return []content{c.put(at, 0)} // dropped
	}
	for _, h := range hops {
		if c[h.VC] == 0 {
			list = append(list, c.put(at, 0).put(h.VC, c[at]))
		}
	}
	return list
}

// canStop reports whether a content without moves is reachable, and whether all contents were visited.
func (x *exchange) canStop(most int) (stops, all bool) {
	empty := content(make([]byte, x.n.NumVCs()))
	seen, stack := map[content]bool{empty: true}, []content{empty}
	for len(stack) > 0 {
		c := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		next := x.moves(c)
		if len(next) == 0 {
			return true, true
		}
		for _, to := range next {
			if !seen[to] {
				seen[to] = true
				stack = append(stack, to)
			}
		}
		if len(seen) > most {
			return false, false
		}
	}
	return false, true
}

// drawLossy draws a relation and takes all next hops from some of its states.
func drawLossy(t *rapid.T, n *model.Network) *modeltest.Relation {
	r := modeltest.Adaptive(t, n, 1)
	kept, dead := r.NextHops, map[model.State]bool{}
	for d := range model.DestID(r.Destinations()) {
		for v := range model.VCID(n.NumVCs()) {
			if n.IsLinkVC(v) {
				dead[model.State{VC: v, Dest: d}] = rapid.IntRange(0, 5).Draw(t, "dead") == 0
			}
		}
	}
	r.NextHops = func(s model.State) []model.Hop {
		if dead[s] {
			return nil
		}
		return kept(s)
	}
	return r
}

// TestSharedNetworkAgainstAllStates checks that if two classes in one virtual network are refuted, the
// messages of the two hosts can block each other.
func TestSharedNetworkAgainstAllStates(t *testing.T) {
	counts := map[string]int{}
	rapid.Check(t, func(t *rapid.T) {
		n := modeltest.Network(t, 3)
		r := drawLossy(t, n)
		m, err := model.ParseClasses("request+reply")
		if err != nil {
			t.Fatal(err)
		}
		rep, err := verify.Check(context.Background(), r, verify.Options{Conditions: []model.Condition{m}})
		if err != nil {
			t.Fatal(err)
		}
		if rep.Added(cert.ClaimMessages).Claim.Verdict != verify.Refuted {
			counts["undecided"]++
			return
		}
		there, back := protocols.OutcomeOf(rep).Packets[0], protocols.OutcomeOf(rep).Packets[1]
		x := &exchange{r: r, n: n, hosts: [2]model.HostID{there.Source, back.Source}, to: [2]model.DestID{there.Dest, back.Dest}}
		stops, all := x.canStop(200_000)
		switch {
		case stops:
			counts["refuted, standstill"]++
		case !all:
			counts["refuted, too many states"]++
		default:
			t.Fatalf("refuted by %s, but the messages between hosts %d and %d never block each other", cert.EvidenceSharedNetwork, there.Source, back.Source)
		}
	})
	t.Log(counts)
	if counts["refuted, standstill"] < 10 {
		t.Errorf("%v: too few cases", counts)
	}
}
