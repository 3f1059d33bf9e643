package verify_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/bubble"
	"github.com/turnproof/turnproof/model/modeltest"
	"github.com/turnproof/turnproof/model/route"
	"github.com/turnproof/turnproof/model/topo"
	"github.com/turnproof/turnproof/verify"
)

// This file judges flow control of rings by all states of the network. It shares no code with the prover, the checker
// and package bubble, only the routing. Packets wait at their hosts outside of the network. Rings are found by
// the coordinates of a grid: the VCs of one line and direction, if packets go on from each to the next.

// flowJudge is a network with flow control.
type flowJudge struct {
	r                       model.Relation
	kind                    string
	packet, buffer, assumed int
	off                     map[model.ChannelID]bool // entries onto the channel are off
	fromRings               bool                     // only entries from other switches are off

	ring  []int // by VC between switches: its ring, or -1
	size  []int // by ring: its VCs
	kinds []model.State
}

// lodger is a packet in the network. Its head is on the last VC of held.
type lodger struct {
	dest model.DestID
	held []model.VCID
}

func newFlowJudge(r model.Relation, kind string, packet, buffer, assumed int) *flowJudge {
	j := &flowJudge{r: r, kind: kind, packet: packet, buffer: buffer, assumed: assumed, off: map[model.ChannelID]bool{}}
	n := r.Network()
	goesOn := map[[2]model.VCID]bool{}
	for h := range model.HostID(r.Sources()) {
		for d := range model.DestID(r.Destinations()) {
			if !model.Sends(r, h, d) {
				continue
			}
			s := model.InjectState(r, h, d, 0)
			j.kinds = append(j.kinds, s)
			for n.IsLinkVC(s.VC) || s.VC == j.kinds[len(j.kinds)-1].VC {
				hop := r.Next(s, nil)[0]
				goesOn[[2]model.VCID{s.VC, hop.VC}] = true
				s.VC = hop.VC
			}
		}
	}
	j.ring = make([]int, n.NumLinkVCs())
	for v := range j.ring {
		j.ring[v] = -1
	}
	for v := range model.VCID(len(j.ring)) {
		var line []model.VCID
		for w := v; j.ring[w] < 0; {
			c, i := n.Channel(w)
			next := n.OutAt(n.Head(c), n.TailPort(c))
			if next == model.NoChannel || !goesOn[[2]model.VCID{w, n.VC(next, i)}] {
				break
			}
			line = append(line, w)
			if w = n.VC(next, i); w == v {
				for _, x := range line {
					j.ring[x] = len(j.size)
				}
				j.size = append(j.size, len(line))
				break
			}
			if len(line) > len(j.ring) {
				break
			}
		}
	}
	return j
}

// fills returns the VCs that a worm fills, 1 without worms.
func (j *flowJudge) fills(flits int) int {
	if j.kind != "worm-bubble" {
		return 1
	}
	return (flits + j.buffer - 1) / j.buffer
}

// mayTake reports whether a packet that comes from VC from can have VC to in a state.
func (j *flowJudge) mayTake(list []lodger, from, to model.VCID) bool {
	n := j.r.Network()
	if !n.IsLinkVC(to) {
		return true
	}
	there, inRing := 0, 0
	for _, p := range list {
		ringed := false
		for _, v := range p.held {
			if v == to {
				there++
			}
			ringed = ringed || n.IsLinkVC(v) && j.ring[v] >= 0 && j.ring[v] == j.ring[to]
		}
		if ringed {
			inRing++
		}
	}
	free := j.buffer - there*j.packet
	if j.kind == "worm-bubble" && there > 0 || j.kind != "worm-bubble" && free < j.packet {
		return false
	}
	fromLink := n.IsLinkVC(from)
	if j.ring[to] < 0 || fromLink && j.ring[from] == j.ring[to] {
		return true
	}
	if c, _ := n.Channel(to); j.off[c] && (fromLink || !j.fromRings) {
		return true
	}
	switch j.kind {
	case "bubble":
		return free >= 2*j.assumed
	case "critical-bubble":
		return inRing+1 < j.size[j.ring[to]]*(j.buffer/j.assumed)
	}
	return (inRing+1)*j.fills(j.assumed) < j.size[j.ring[to]]
}

// after returns the state after packet i, the first of its VC, has gone to VC to.
func (j *flowJudge) after(list []lodger, i int, to model.VCID) []lodger {
	p := list[i]
	next := append(slices.Clone(list[:i]), list[i+1:]...)
	if !j.r.Network().IsLinkVC(to) {
		return next
	}
	held := append(slices.Clone(p.held), to)
	return append(next, lodger{p.dest, held[max(0, len(held)-j.fills(j.packet)):]})
}

// hop returns the next VC of a packet, and whether it is the first of its VC.
func (j *flowJudge) hop(list []lodger, i int) (from, to model.VCID, first bool) {
	from = list[i].held[len(list[i].held)-1]
	for _, p := range list[:i] {
		if p.held[len(p.held)-1] == from {
			return from, 0, false
		}
	}
	return from, j.r.Next(model.State{VC: from, Dest: list[i].dest}, nil)[0].VC, true
}

// isDeadlocked reports whether packets are left when every packet that can move is removed, again and again.
func (j *flowJudge) isDeadlocked(list []lodger) bool {
	list = slices.Clone(list)
	for more := true; more; {
		more = false
		for i := 0; i < len(list); i++ {
			if from, to, first := j.hop(list, i); first && j.mayTake(list, from, to) {
				list, more = slices.Delete(list, i, i+1), true
				break
			}
		}
	}
	return len(list) > 0
}

// decide visits all states. It returns ok false if there are more than most.
func (j *flowJudge) decide(most int) (deadlock, ok bool) {
	key := func(list []lodger) string {
		var b []byte
		for v := range model.VCID(len(j.ring)) {
			for _, p := range list {
				if p.held[len(p.held)-1] == v {
					b = append(b, byte(p.dest), byte(len(p.held)))
					for _, w := range p.held {
						b = append(b, byte(w)) // fewer than 256 VCs
					}
				}
			}
			b = append(b, 255)
		}
		return string(b)
	}
	seen := map[string]bool{key(nil): true}
	work := [][]lodger{nil}
	for k := 0; k < len(work); k++ {
		list := work[k]
		if len(work) > most {
			return false, false
		}
		add := func(next []lodger) {
			if s := key(next); !seen[s] {
				seen[s] = true
				work = append(work, next)
			}
		}
		for _, s := range j.kinds {
			to := j.r.Next(s, nil)[0].VC
			switch {
			case j.mayTake(list, s.VC, to):
				if j.r.Network().IsLinkVC(to) {
					add(append(slices.Clone(list), lodger{s.Dest, []model.VCID{to}}))
				}
			case len(list) == 0:
				return true, true // the packet can never leave its host
			}
		}
		for i := range list {
			if from, to, first := j.hop(list, i); first && j.mayTake(list, from, to) {
				add(j.after(list, i, to))
			}
		}
		if j.isDeadlocked(list) {
			return true, true
		}
		work[k] = nil
	}
	return false, true
}

// clockwise returns the routing on a ring in which all packets go in the plus direction.
func clockwise(t *testing.T, switches int) model.Relation {
	n, err := topo.Parse(fmt.Sprintf("ring:%d", switches))
	if err != nil {
		t.Fatal(err)
	}
	r := &modeltest.Relation{Net: n}
	for h := range model.HostID(switches) {
		r.Dests = append(r.Dests, h)
	}
	r.Injects = func(model.HostID, model.DestID) []model.Class { return []model.Class{0} }
	r.NextHops = func(s model.State) []model.Hop {
		c, _ := n.Channel(s.VC)
		if h := model.HostID(s.Dest); n.Host(h).Switch == n.Head(c) {
			return []model.Hop{{VC: n.VC(n.EjectChannel(h), 0)}}
		}
		return []model.Hop{{VC: n.VC(n.OutAt(n.Head(c), model.PlusPort(0)), 0)}}
	}
	return r
}

// randomFlowCase returns a routing with random pairs, random sizes and random entries that are off.
func randomFlowCase(t *testing.T, random *rand.Rand, spec string) (*flowJudge, *verify.Flow) {
	var r model.Relation
	switch {
	case spec != "":
		r = named(t, spec, "dor", route.Options{})
	case random.IntN(2) == 0:
		r = clockwise(t, 3+random.IntN(3))
	default:
		r = named(t, fmt.Sprintf("ring:%d", 4+random.IntN(2)), "dor", route.Options{})
	}
	n := r.Network()
	pairs := []float64{0.3, 0.6, 1}[random.IntN(3)]
	var list []model.Flow
	for a := range model.HostID(n.NumHosts()) {
		for b := range model.HostID(n.NumHosts()) {
			if a != b && random.Float64() < pairs {
				list = append(list, model.Flow{Source: a, Dest: b, Amount: 1})
			}
		}
	}
	if len(list) == 0 {
		list = append(list, model.Flow{Source: 0, Dest: 1, Amount: 1})
	}
	r = model.WithFlows(r, list)
	packet := 1 + random.IntN(4)
	buffer := packet*(1+random.IntN(3)) + random.IntN(packet)
	kind := bubble.Kinds()[random.IntN(3)]
	if kind == bubble.Worm {
		buffer = 1 + random.IntN(packet)
	}
	f := &verify.Flow{Rule: bubble.Rule{Kind: kind, From: bubble.FromAny}, Packet: packet, Buffer: buffer}
	if random.IntN(4) == 0 {
		f.Rule.Packet = 1 + random.IntN(packet+1)
	}
	assumed := packet
	if f.Rule.Packet > 0 {
		assumed = f.Rule.Packet
	}
	j := newFlowJudge(r, string(kind), packet, buffer, assumed)
	offs := []float64{0, 0.1, 0.4, 1}[random.IntN(4)]
	for c := range model.ChannelID(n.NumLinkChannels()) {
		if random.Float64() < offs && n.TailPort(c) == model.PlusPort(0) {
			j.off[c] = true
			f.Rule.Off = append(f.Rule.Off, fmt.Sprintf("%d>%d", n.Tail(c), n.Head(c)))
		}
	}
	if f.Rule.Off != nil && random.IntN(3) == 0 {
		f.Rule.From, j.fromRings = bubble.FromRings, true
	}
	return j, f
}

// TestBubbleStates compares verdicts with all states of rings, and of small tori as far as they go.
func TestBubbleStates(t *testing.T) {
	cases, most := 400, 3_000
	if os.Getenv("TURNPROOF_LONG") != "" {
		cases, most = 2500, 20_000
	}
	random := rand.New(rand.NewPCG(1, 2))
	count := map[string]int{}
	for k := range cases {
		spec := ""
		if k%10 == 9 {
			spec = []string{"torus:2x3", "torus:4x2", "torus:3x3"}[random.IntN(3)]
		}
		j, f := randomFlowCase(t, random, spec)
		deadlock, ok := j.decide(most)
		if !ok {
			count["too large"]++
			continue
		}
		rep, err := verify.Check(context.Background(), j.r, verify.Options{Flow: f, Switching: f.Switching()})
		if err != nil {
			t.Fatal(err)
		}
		verdict := rep.DeadlockFree.Verdict
		count[fmt.Sprintf("%s %s", f.Rule.Kind, verdict)]++
		if verdict == verify.Undecided || deadlock != (verdict == verify.Refuted) {
			t.Errorf("case %d, %d switches, %s, sizes %d and %d: %s, all states say deadlock %t", k, j.r.Network().NumSwitches(), f.Rule, f.Packet,
				f.Buffer, verdict, deadlock)
		}
	}
	t.Log(count)
	for _, want := range []string{"bubble proved", "bubble refuted",
		"critical-bubble proved", "critical-bubble refuted", "worm-bubble proved", "worm-bubble refuted"} {
		if count[want] == 0 {
			t.Errorf("no case is %s", want)
		}
	}
}
