package verify_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/modeltest"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/cert"
)

// This file judges networks without pauses by a simulation of single flits. It shares no code with the prover and the
// checker, only the routing. Packets have lengths of 1 up to a limit, which are drawn when they begin.

// flitPacket is a packet: the VCs of its flits from the first to the last one, and the flits that its host keeps.
type flitPacket struct {
	head model.State
	away bool // its first flit has left the network, or leaves it next
	vcs  []model.VCID
	left int
}

// flitJudge visits states of the network in the order of clocks.
type flitJudge struct {
	r      model.Relation
	length int // flits of the longest packet
	seen   map[string]bool
	next   [][]flitPacket
	stuck  bool
	limit  int
}

// clocksTo returns the clock of the first deadlock, or -1. It returns false if there are more states than the limit.
func (j *flitJudge) clocksTo() (int, bool) {
	j.seen, j.next = map[string]bool{"": true}, [][]flitPacket{nil}
	for clock := 1; len(j.next) > 0; clock++ {
		now := j.next
		j.next = nil
		for _, list := range now {
			j.heads(list, nil, map[model.VCID]bool{}, j.busy(list))
			if len(j.seen) > j.limit {
				return -1, false
			}
		}
		if j.stuck {
			return clock, true
		}
	}
	return -1, true
}

func (j *flitJudge) busy(list []flitPacket) map[model.VCID]bool {
	m := map[model.VCID]bool{}
	for _, p := range list {
		for _, v := range p.vcs {
			m[v] = true
		}
	}
	return m
}

// ends reports whether a head in a state leaves the network.
func (j *flitJudge) ends(s model.State) bool {
	c, _ := j.r.Network().Channel(s.VC)
	return j.r.Network().Kind(c) == model.Eject || len(j.r.Next(s, nil)) == 0
}

// heads chooses the hop of each head in turn; nil if it stays.
func (j *flitJudge) heads(list []flitPacket, hops []*model.Hop, won, busy map[model.VCID]bool) {
	i := len(hops)
	if i == len(list) {
		for k, p := range list {
			for _, h := range j.r.Next(p.head, nil) {
				if hops[k] == nil && !p.away && !busy[h.VC] && !won[h.VC] {
					return // it could move
				}
			}
		}
		j.flits(list, hops, busy)
		return
	}
	if !list[i].away {
		for _, h := range j.r.Next(list[i].head, nil) {
			if !busy[h.VC] && !won[h.VC] {
				won[h.VC] = true
				j.heads(list, append(hops[:i:i], &h), won, busy)
				delete(won, h.VC)
			}
		}
	}
	j.heads(list, append(hops[:i:i], nil), won, busy)
}

// flits moves each flit to the VC that the flit before it leaves.
func (j *flitJudge) flits(list []flitPacket, hops []*model.Hop, busy map[model.VCID]bool) {
	var after []flitPacket
	for i, p := range list {
		q := flitPacket{p.head, p.away, nil, p.left}
		injection := j.r.Network().VC(j.r.Network().InjectChannel(j.host(p)), 0)
		freed := model.NoVC // the VC that the flit before has left
		for k, v := range p.vcs {
			switch {
			case k == 0 && p.away:
				freed = v
			case k == 0 && hops[i] == nil:
				q.vcs = append(q.vcs, v)
			case k == 0:
				q.head = model.State{VC: hops[i].VC, Class: hops[i].Class, Dest: p.head.Dest}
				q.away = j.ends(q.head)
				q.vcs, freed = append(q.vcs, hops[i].VC), v
			case freed != model.NoVC:
				q.vcs, freed = append(q.vcs, freed), v
			default:
				q.vcs = append(q.vcs, v)
			}
		}
		if q.left > 0 && freed == injection {
			q.left--
			q.vcs = append(q.vcs, injection)
		}
		if len(q.vcs) > 0 {
			after = append(after, q)
		}
	}
	j.hosts(after, 0, busy)
}

// host returns the host whose injection VC a packet with flits at its host is on, or 0.
func (j *flitJudge) host(p flitPacket) model.HostID {
	c, _ := j.r.Network().Channel(p.vcs[len(p.vcs)-1])
	if j.r.Network().Kind(c) == model.Inject {
		return j.r.Network().HostOf(c)
	}
	return 0
}

// hosts chooses a packet, or none, of each host in turn.
func (j *flitJudge) hosts(list []flitPacket, h model.HostID, busy map[model.VCID]bool) {
	if int(h) == j.r.Sources() {
		j.note(list)
		return
	}
	j.hosts(list, h+1, busy)
	if busy[j.r.Network().VC(j.r.Network().InjectChannel(h), 0)] {
		return
	}
	for d := range model.DestID(j.r.Destinations()) {
		if !model.Sends(j.r, h, d) {
			continue
		}
		for _, k := range j.r.Inject(h, d, nil) {
			s := model.InjectState(j.r, h, d, k)
			if len(j.r.Next(s, nil)) == 0 {
				continue // it is dropped at once
			}
			for flits := range j.length {
				j.hosts(append(list[:len(list):len(list)], flitPacket{s, false, []model.VCID{s.VC}, flits}), h+1, busy)
			}
		}
	}
}

func (j *flitJudge) note(list []flitPacket) {
	var words []string
	for _, p := range list {
		if p.away {
			p.head = model.State{}
		}
		words = append(words, fmt.Sprint(p))
	}
	slices.Sort(words)
	if key := strings.Join(words, ";"); !j.seen[key] {
		j.seen[key] = true
		j.next = append(j.next, list)
		j.stuck = j.stuck || j.isDeadlock(list)
	}
}

// isDeadlock removes packets that could move if the others of the set never do, until none is left or none can.
func (j *flitJudge) isDeadlock(list []flitPacket) bool {
	rest := slices.Clone(list)
	for {
		busy := j.busy(rest)
		k := slices.IndexFunc(rest, func(p flitPacket) bool {
			return p.away || slices.ContainsFunc(j.r.Next(p.head, nil), func(h model.Hop) bool { return !busy[h.VC] })
		})
		if k < 0 {
			return len(rest) > 0
		}
		rest = slices.Delete(rest, k, k+1)
	}
}

// drawClocked draws a relation whose packets come from one host, or two, and enter a ring of three or four switches at a
// switch that is drawn for each destination, sometimes two switches.
func drawClocked(rng *rand.Rand, hosts int) model.Relation {
	b, ring := model.NewBuilder(), 3+rng.IntN(2)
	port := make([]model.Port, ring+2)
	next := func(u int) model.Port { port[u]++; return port[u] }
	link := func(u, v int) { b.AddLink(model.SwitchID(u), next(u), model.SwitchID(v), next(v)) }
	for range port {
		b.AddSwitch(model.Switch{})
	}
	root, middle := ring, ring+1
	link(root, middle)
	for u := range ring {
		link(u, (u+1)%ring)
		link([]int{root, root, middle}[rng.IntN(3)], u)
	}
	for u := range port[:ring+1] {
		b.AddHost(model.Host{Switch: model.SwitchID(u), Port: next(u)})
	}
	n, err := b.Build()
	if err != nil {
		panic(err)
	}
	channel := func(u, v int) (c model.ChannelID, ok bool) {
		for _, o := range n.Out(model.SwitchID(u)) {
			if n.Kind(o) == model.SwitchToSwitch && int(n.Head(o)) == v {
				return o, true
			}
		}
		return 0, false
	}
	r, hops := &modeltest.Relation{Net: n, NumClasses: 1}, map[model.State][]model.Hop{}
	var flows []model.Flow
	second := rng.IntN(4)
	for h := range model.HostID(ring) {
		r.Dests = append(r.Dests, h)
		var entries []int
		for range 1 + rng.IntN(6)/5 {
			entries = append(entries, (int(h)+1+rng.IntN(ring-1))%ring)
		}
		for v := range model.VCID(n.NumVCs()) {
			c, _ := n.Channel(v)
			u, s := int(n.Head(c)), model.State{VC: v, Dest: model.DestID(h)}
			to := []int{(u + 1) % ring}
			switch {
			case n.Head(c) == model.NoSwitch:
				continue
			case u == int(h):
				hops[s] = []model.Hop{{VC: n.VC(n.EjectChannel(h), 0)}}
				continue
			case u == root || u == middle:
				to = entries
			}
			for _, w := range to {
				o, ok := channel(u, w)
				if !ok {
					o, _ = channel(u, root+middle-u)
				}
				if x := (model.Hop{VC: n.VC(o, 0)}); !slices.Contains(hops[s], x) {
					hops[s] = append(hops[s], x)
				}
			}
		}
		if rng.IntN(4) > 0 {
			flows = append(flows, model.Flow{Source: model.HostID(root), Dest: h, Amount: 1})
		}
		if hosts > 1 && int(h) != second && second < ring && rng.IntN(3) == 0 {
			flows = append(flows, model.Flow{Source: model.HostID(second), Dest: h, Amount: 1})
		}
	}
	r.NextHops = func(s model.State) []model.Hop { return hops[s] }
	if len(flows) > 3 {
		flows = flows[:3]
	}
	slices.SortFunc(flows, func(a, b model.Flow) int { return int(a.Source - b.Source) })
	return model.WithFlows(r, flows)
}

// TestNoPauses compares verdicts without pauses with the judge: a deadlock after the same number of clocks, or none.
func TestNoPauses(t *testing.T) {
	cases, least, long := 150, 10, os.Getenv("TURNPROOF_LONG") != ""
	if long {
		cases, least = 13_000, 2000
	}
	rng, tally := rand.New(rand.NewPCG(7, 0)), map[string]int{}
	for i := range cases {
		hosts, limit := 1, 4000
		if long && i < 1000 {
			hosts, limit = 2, 20000
		}
		r := drawClocked(rng, hosts)
		rep, err := verify.Check(context.Background(), r, verify.Options{Switching: model.Wormhole, NoPauses: true, NoPairs: true})
		if err != nil {
			t.Fatal(i, err)
		}
		if rep.Acyclic.Verdict == verify.Proved {
			tally["acyclic"]++
			continue
		}
		j, want := flitJudge{r: r, length: 3, limit: limit}, -1
		if rep.DeadlockFree.Verdict == verify.Refuted {
			want = 0
			for _, p := range rep.Run.Moves {
				if p < 0 {
					want++
				}
			}
			k := slices.IndexFunc(rep.Certificate.Claims, func(c cert.Claim) bool { return c.Evidence == cert.EvidenceClockedRun })
			j.length = int(slices.Max(*rep.Certificate.Claims[k].Holds))
		}
		got, ok := j.clocksTo()
		if !ok {
			tally["too many states"]++
			continue
		}
		if tally[string(rep.DeadlockFree.Verdict)]++; got != want {
			t.Fatalf("case %d: %s, deadlock in clock %d, by the judge %d with packets of %d flits", i, rep.DeadlockFree.Verdict, want, got, j.length)
		}
	}
	t.Log(tally)
	if tally["proved"] == 0 || tally["refuted"] == 0 || tally["proved"]+tally["refuted"] < least {
		t.Errorf("too few verdicts: %v", tally)
	}
}
