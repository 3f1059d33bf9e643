package agree

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/internal/modeltest"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/bubble"
	"github.com/turnproof/turnproof/model/route"
	"github.com/turnproof/turnproof/model/topo"
	"github.com/turnproof/turnproof/verify"
)

// ringRelation draws a routing on a ring of 3 to 5 switches, in which packets go one or two ways round, or dimension order on
// a small torus. With two VCs packets may have hops on both; in half of the cases VC 0 is then an escape VC.
func ringRelation(random *rand.Rand) (r model.Relation, adaptive bool) {
	spec := fmt.Sprintf("ring:%d", 3+random.IntN(3))
	clockwise := random.IntN(2) == 0
	if random.IntN(10) == 0 {
		spec, clockwise = []string{"torus:2x3", "torus:4x2", "torus:3x3"}[random.IntN(3)], false
	}
	if adaptive = random.IntN(4) == 0; adaptive {
		spec += ",vcs=2"
	}
	n, err := topo.Parse(spec)
	if err != nil {
		panic(err)
	}
	dor, err := route.New("dor", n, route.Options{VCRule: route.RulePlain})
	if err != nil {
		panic(err)
	}
	seed, stays := random.Uint64(), random.IntN(2) == 0
	next := func(s model.State) []model.Hop {
		c, at := n.Channel(s.VC)
		u := n.Head(c)
		if h := model.HostID(s.Dest); n.Host(h).Switch == u {
			return []model.Hop{{VC: n.VC(n.EjectChannel(h), 0)}}
		}
		out := n.OutAt(u, model.PlusPort(0))
		if !clockwise {
			// The class of dimension order is not needed: it goes on from any state.
			first, _ := n.Channel(dor.Next(model.InjectState(dor, model.HostID(u), s.Dest, 0), nil)[0].VC)
			out = first
		}
		hops := []model.Hop{{VC: n.VC(out, 0)}}
		draw := rand.New(rand.NewPCG(seed, uint64(s.VC)<<16|uint64(s.Dest)))
		if isLink := n.IsLinkVC(s.VC); adaptive && draw.IntN(2) == 0 && !(stays && isLink && at == 0) {
			hops = append(hops, model.Hop{VC: n.VC(out, 1)})
			if draw.IntN(4) == 0 {
				hops = hops[1:]
			}
		}
		return hops
	}
	x := &modeltest.Relation{Net: n, NextHops: next, Injects: func(model.HostID, model.DestID) []model.Class { return []model.Class{0} }}
	for h := range model.HostID(n.NumHosts()) {
		x.Dests = append(x.Dests, h)
	}
	if adaptive && random.IntN(2) == 0 {
		return lowEscape{x}, true
	}
	return x, adaptive
}

// lowEscape makes VC 0 of each channel an escape VC.
type lowEscape struct{ *modeltest.Relation }

func (e lowEscape) EscapeVC(v model.VCID) bool { return int(v)%e.Net.VCs() == 0 }

// flowCase draws a routing with random pairs, random sizes and random entries that are off.
func flowCase(random *rand.Rand) (j *flowJudge, f *bubble.Flow, adaptive bool) {
	r, adaptive := ringRelation(random)
	n := r.Network()
	pairs := []float64{0.3, 0.6, 1}[random.IntN(3)]
	list := []model.Flow{{Source: 0, Dest: 1, Amount: 1}}
	for a := range model.HostID(n.NumHosts()) {
		for b := range model.HostID(n.NumHosts()) {
			if a != b && a+b > 1 && random.Float64() < pairs {
				list = append(list, model.Flow{Source: a, Dest: b, Amount: 1})
			}
		}
	}
	r = model.WithFlows(r, list)
	packet := 1 + random.IntN(4)
	buffer := packet*(1+random.IntN(3)) + random.IntN(packet)
	kind := bubble.Kinds()[random.IntN(3)]
	if kind == bubble.Worm {
		buffer = 1 + random.IntN(packet)
	}
	f = &bubble.Flow{Rule: bubble.Rule{Kind: kind, From: bubble.FromAny}, Packet: packet, Buffer: buffer}
	assumed := packet
	if random.IntN(4) == 0 {
		assumed = 1 + random.IntN(packet+1)
		f.Rule.Packet = assumed
	}
	j = newFlowJudge(r, string(kind), packet, buffer, assumed)
	offs := []float64{0, 0.1, 0.4, 1}[random.IntN(4)]
	for c := range model.ChannelID(n.NumLinkChannels()) {
		if random.Float64() < offs && n.TailPort(c) == model.PlusPort(0) {
			j.off[c] = true
			f.Rule.Off = strings.TrimPrefix(f.Rule.Off+fmt.Sprintf("+%d>%d", n.Tail(c), n.Head(c)), "+")
		}
	}
	if f.Rule.Off != "" && random.IntN(3) == 0 {
		f.Rule.From, j.fromRings = bubble.FromRings, true
	}
	return j, f, adaptive
}

// TestRingStates compares verdicts on flow control of rings with all states of small networks.
func TestRingStates(t *testing.T) {
	o, record := options(t, 120, 10_000)
	most := 1_000
	if isLong() || o.Root != "" {
		most = 20_000
	}
	count, judged, open := map[string]int{}, 0, 0
	first, end := o.Range(o.Cases)
	for k := uint64(first); k < uint64(end); k++ {
		j, f, adaptive := flowCase(rand.New(rand.NewPCG(o.Seed, k)))
		rep, err := verify.Check(context.Background(), j.r, verify.Options{Conditions: []model.Condition{f}, Switching: f.Switching()})
		if err != nil {
			t.Fatal(err)
		}
		verdict := rep.DeadlockFree.Verdict
		deadlock, ok := j.decide(most)
		if verdict == verify.Undecided {
			if open++; !adaptive || deadlock {
				t.Errorf("case %d: undecided; all states say deadlock %t (%t)", k, deadlock, ok)
			}
		}
		if !ok {
			continue
		}
		judged++
		count[fmt.Sprintf("%s %s", f.Rule.Kind, verdict)]++
		if verdict == verify.Proved && deadlock || verdict == verify.Refuted && !deadlock {
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
	record("%d random routings with flow control of rings; the search over all states did not finish for %d more. "+
		"Verdicts: %v. %d are undecided, all of adaptive routings.\n\n", judged, end-first-judged, count, open)
}
