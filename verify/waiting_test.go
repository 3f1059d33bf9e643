package verify_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/turnproof/turnproof/internal/longtest"
	"github.com/turnproof/turnproof/internal/modeltest"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/gate"
	"github.com/turnproof/turnproof/model/route"
	"github.com/turnproof/turnproof/model/topo"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/cert"
)

// committing is a relation in which the states of a set wait for one next hop.
type committing struct {
	model.Relation
	set map[model.State]bool
}

// Commits implements model.Committer.
func (c *committing) Commits(s model.State) bool { return c.set[s] }

// TestWaitingJudges compares the verdicts on random small relations under waiting any, one and mixed
// with two judges that share no code with verify: all sets of VCs, and the same relation with a
// state for each choice, under waiting any.
func TestWaitingJudges(t *testing.T) {
	cases := longtest.Cases(150, 10000)
	counts, unreachable := map[string]int{}, 0
	for seed := range uint64(cases) {
		rng := rand.New(rand.NewPCG(seed, 24))
		r := drawCommitting(rng)
		for _, w := range []model.Waiting{model.WaitAny, model.WaitOne, model.WaitMixed} {
			commits := map[model.Waiting]func(model.State) bool{
				model.WaitAny: func(model.State) bool { return false }, model.WaitOne: func(model.State) bool { return true }, model.WaitMixed: r.Commits}[w]
			switching := []model.Switching{model.CutThrough, model.StoreAndForward, model.Wormhole}[rng.IntN(3)]
			rep, err := verify.Check(context.Background(), r, verify.Options{Switching: switching, Waiting: w})
			if err != nil {
				t.Fatalf("seed %d, %s, %s: %v", seed, w, switching, err)
			}
			name := fmt.Sprintf("seed %d, %s, %s", seed, w, switching)
			blocked, expanded := hasBlockedSet(r, commits), decide(t, expand(r, commits), verify.Options{Switching: switching})
			verdict := rep.DeadlockFree.Verdict
			if blocked && rep.DeadlockFree.ByUnreachable() { // cmd/trust/agree compares these with all states of the network
				unreachable++
				blocked = false
			}
			counts[fmt.Sprint(w, " ", verdict)]++
			if switching != model.Wormhole && (verdict == verify.Refuted) != blocked || blocked && verdict != verify.Refuted || verdict == verify.Undecided && w != model.WaitAny && switching != model.Wormhole {
				t.Errorf("%s: deadlock-free %s, some set of VCs is blocked: %v", name, verdict, blocked)
			}
			if e := expanded.DeadlockFree.Verdict; e != verdict && e != verify.Undecided && verdict != verify.Undecided {
				t.Errorf("%s: deadlock-free %s, with a state for each choice %s", name, verdict, e)
			}
			for i, c := range []verify.Claim{rep.Acyclic, rep.Connected, rep.LivelockFree} {
				if e := []verify.Claim{expanded.Acyclic, expanded.Connected, expanded.LivelockFree}[i]; e.Verdict != c.Verdict {
					t.Errorf("%s: %s %s, with a state for each choice %s", name, c.Name, c.Verdict, e.Verdict)
				}
			}
			holdsDeadlock(t, name, rep, commits)
			otherWaiting(t, name, rep, blocked)
		}
	}
	for _, w := range []model.Waiting{model.WaitAny, model.WaitOne, model.WaitMixed} {
		for _, v := range []verify.Verdict{verify.Proved, verify.Refuted} {
			if counts[fmt.Sprint(w, " ", v)] < cases/20 {
				t.Errorf("waiting %s is %s in %d of %d cases only", w, v, counts[fmt.Sprint(w, " ", v)], cases)
			}
		}
	}
	t.Log(counts, unreachable, "proved because no blocked set is reached")
}

func decide(t *testing.T, r model.Relation, o verify.Options) *verify.Report {
	t.Helper()
	rep, err := verify.Check(context.Background(), r, o)
	if err != nil {
		t.Fatal(err)
	}
	return rep
}

// drawCommitting draws a relation on two to four switches with a host each and at most 14 VCs
// between them.
func drawCommitting(rng *rand.Rand) *committing {
	b, switches := model.NewBuilder(), 2+rng.IntN(3)
	ports := make([]model.Port, switches)
	port := func(u int) model.Port { ports[u]++; return ports[u] }
	vcs := 1 + rng.IntN(2)
	for range switches {
		b.AddSwitch(model.Switch{})
	}
	for l := range min(switches+rng.IntN(3), 7/vcs) {
		u, v := l%switches, (l+1)%switches
		if l >= switches {
			u = rng.IntN(switches)
			v = (u + 1 + rng.IntN(switches-1)) % switches
		}
		b.AddLink(model.SwitchID(u), port(u), model.SwitchID(v), port(v))
	}
	for u := range switches {
		b.AddHost(model.Host{Switch: model.SwitchID(u), Port: port(u)})
	}
	b.SetVCs(vcs)
	n, err := b.Build()
	if err != nil {
		panic(err)
	}
	classes := 1 + rng.IntN(2)
	r := &modeltest.Relation{Net: n, NumClasses: classes}
	next, set := map[model.State][]model.Hop{}, map[model.State]bool{}
	many := 2 + rng.IntN(4)
	for h := range model.HostID(switches) {
		r.Dests = append(r.Dests, h)
		for v := range model.VCID(n.NumVCs()) {
			for k := range model.Class(classes) {
				s := model.State{VC: v, Dest: model.DestID(h), Class: k}
				next[s] = drawHops(rng, r, s, many)
				set[s] = rng.IntN(2) == 0
			}
		}
	}
	r.NextHops = func(s model.State) []model.Hop { return next[s] }
	return &committing{r, set}
}

// drawHops draws next hops of a state: each possible one with probability 1/many.
func drawHops(rng *rand.Rand, r *modeltest.Relation, s model.State, many int) (hops []model.Hop) {
	n := r.Net
	c, _ := n.Channel(s.VC)
	u := n.Head(c)
	if u == model.NoSwitch {
		return nil
	}
	home := n.Host(r.Dests[s.Dest]).Switch == u
	if home {
		hops = append(hops, model.Hop{VC: n.VC(n.EjectChannel(r.Dests[s.Dest]), 0), Class: s.Class})
	}
	for _, o := range n.Out(u) {
		for i := range n.VCs() {
			if n.Kind(o) == model.SwitchToSwitch && rng.IntN(many) == 0 && (!home || rng.IntN(4) == 0) {
				hops = append(hops, model.Hop{VC: n.VC(o, i), Class: model.Class(rng.IntN(r.Classes()))})
			}
		}
	}
	return hops
}

// reachableStates returns the states that packets reach, without ejection.
func reachableStates(r model.Relation) (list []model.State) {
	n, seen := r.Network(), map[model.State]bool{}
	visit := func(s model.State) {
		if c, _ := n.Channel(s.VC); n.Kind(c) != model.Eject && !seen[s] {
			seen[s] = true
			list = append(list, s)
		}
	}
	for h := range model.HostID(r.Sources()) {
		for d := range model.DestID(r.Destinations()) {
			if r.DestinationHost(d) != h {
				for _, k := range r.Inject(h, d, nil) {
					visit(model.InjectState(r, h, d, k))
				}
			}
		}
	}
	for i := 0; i < len(list); i++ {
		for _, h := range r.Next(list[i], nil) {
			visit(model.State{VC: h.VC, Dest: list[i].Dest, Class: h.Class})
		}
	}
	return list
}

// hasBlockedSet tries all sets of VCs between switches: each VC of the set has a state that waits
// for VCs of the set only, or, if it commits, can have chosen one of the set.
func hasBlockedSet(r model.Relation, commits func(model.State) bool) bool {
	n := r.Network()
	masks := map[int][]int{} // by VC: what a packet may wait for
	for _, s := range reachableStates(r) {
		hops := r.Next(s, nil)
		if !n.IsLinkVC(s.VC) || len(hops) == 0 {
			continue
		}
		all := 0
		for _, h := range hops {
			bit := 1 << 20 // an ejection channel, which is in no set
			if n.IsLinkVC(h.VC) {
				bit = 1 << h.VC
			}
			if all |= bit; commits(s) {
				masks[int(s.VC)] = append(masks[int(s.VC)], bit)
			}
		}
		if !commits(s) {
			masks[int(s.VC)] = append(masks[int(s.VC)], all)
		}
	}
	for set := 1; set < 1<<n.NumLinkVCs(); set++ {
		blocked := true
		for v := range n.NumLinkVCs() {
			if set>>v&1 == 1 && !slices.ContainsFunc(masks[v], func(m int) bool { return m&^set == 0 }) {
				blocked = false
				break
			}
		}
		if blocked {
			return true
		}
	}
	return false
}

// expand returns the relation in which a state that commits is one state for each of its next
// hops: the class also says which hop was chosen.
func expand(r model.Relation, commits func(model.State) bool) model.Relation {
	const most = 16 // choices of a state
	n, k := r.Network(), model.Class(r.Classes())
	x := &modeltest.Relation{Net: n, NumClasses: r.Classes() * most}
	for d := range model.DestID(r.Destinations()) {
		x.Dests = append(x.Dests, r.DestinationHost(d))
	}
	states := func(s model.State) (classes []model.Class) {
		classes = append(classes, s.Class)
		if c, _ := n.Channel(s.VC); n.Kind(c) != model.Eject && commits(s) {
			for i := 1; i < len(r.Next(s, nil)); i++ {
				classes = append(classes, s.Class+k*model.Class(i))
			}
		}
		return classes
	}
	x.Injects = func(h model.HostID, d model.DestID) (list []model.Class) {
		for _, c := range r.Inject(h, d, nil) {
			list = append(list, states(model.InjectState(r, h, d, c))...)
		}
		return list
	}
	x.NextHops = func(s model.State) (list []model.Hop) {
		at := model.State{VC: s.VC, Dest: s.Dest, Class: s.Class % k}
		hops := r.Next(at, nil)
		if commits(at) && len(hops) > 0 {
			hops = hops[s.Class/k:][:1]
		}
		for _, h := range hops {
			for _, c := range states(model.State{VC: h.VC, Dest: s.Dest, Class: h.Class}) {
				list = append(list, model.Hop{VC: h.VC, Class: c})
			}
		}
		return list
	}
	return x
}

// holdsDeadlock checks the packets of a refutation: each arrives by permitted hops, holds VCs
// that no other packet holds, and waits, as its state does, for VCs that are held.
func holdsDeadlock(t *testing.T, name string, rep *verify.Report, commits func(model.State) bool) {
	t.Helper()
	holder := map[model.VCID]bool{}
	for i, p := range rep.Configuration {
		held := 1
		if rep.Holds != nil {
			held = rep.Holds[i]
		}
		for _, s := range p.Path[len(p.Path)-held:] {
			if holder[s.VC] {
				t.Errorf("%s: VC %d is held twice", name, s.VC)
			}
			holder[s.VC] = true
		}
	}
	for i, p := range rep.Configuration {
		end := p.Path[len(p.Path)-1]
		var all []model.VCID
		for _, h := range rep.Relation.Next(end, nil) {
			all = append(all, h.VC)
		}
		waits := slices.Compact(slices.Sorted(slices.Values(rep.WaitsFor(i))))
		if slices.Sort(all); commits(end) && (len(waits) != 1 || !slices.Contains(all, waits[0])) || !commits(end) && !slices.Equal(waits, slices.Compact(all)) {
			t.Errorf("%s: packet %d, which commits: %v, waits for %v, its next VCs are %v", name, i, commits(end), waits, all)
		}
		for _, v := range waits {
			if !holder[v] {
				t.Errorf("%s: packet %d waits for VC %d, which no packet holds", name, i, v)
			}
		}
	}
}

// otherWaiting checks that the checker judges by the subject: a proof that some set of VCs
// contradicts is rejected if packets commit.
func otherWaiting(t *testing.T, name string, rep *verify.Report, blocked bool) {
	t.Helper()
	c := *rep.Certificate
	if rep.Acyclic.Verdict == verify.Proved || rep.DeadlockFree.Verdict != verify.Proved || c.Subject.Waiting != "" {
		return
	}
	c.Subject.Waiting = cert.WaitingOne // a cycle of dependencies: refuted under one
	if several(c.Subject.Relation) && cert.Check(&c) == nil {
		t.Errorf("%s: the checker accepts under waiting one what was proved under any, blocked set: %v", name, blocked)
	}
}

func several(r *cert.Relation) bool {
	for i := 0; i < len(r.States); i += 4 + 2*int(r.States[i+3]) {
		if r.States[i+3] > 1 {
			return true
		}
	}
	return false
}

// TestWaitingECMP checks that hashed shortest paths on a ring and a mesh can deadlock, with the packets
// and their chosen hops. An adaptive routing with an escape is free only under any.
func TestWaitingECMP(t *testing.T) {
	for _, c := range []struct {
		spec, routing string
		any, one      verify.Verdict
		packets       int
	}{
		{"mesh:3x3", "minimal", verify.Refuted, verify.Refuted, 4},
		{"mesh:4x4,vcs=2", "duato", verify.Proved, verify.Refuted, 4},
		{"mesh:4x4", "dor", verify.Proved, verify.Proved, 0},
		{"mesh:4x4", "west-first", verify.Proved, verify.Proved, 0},
		{"torus:4x4", "dor", verify.Refuted, verify.Refuted, 4},
		{"torus:4x4,vcs=3", "duato", verify.Proved, verify.Refuted, 4},
	} {
		for _, switching := range []model.Switching{model.CutThrough, model.Wormhole} {
			n, err := topo.Parse(c.spec)
			if err != nil {
				t.Fatal(err)
			}
			r, err := route.New(c.routing, n, route.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if rep := decide(t, r, verify.Options{Switching: switching}); rep.DeadlockFree.Verdict != c.any {
				t.Errorf("%s %s, %s, any: %s", c.spec, c.routing, switching, rep.DeadlockFree.Verdict)
			}
			rep := decide(t, r, verify.Options{Switching: switching, Waiting: model.WaitOne})
			if rep.DeadlockFree.Verdict != c.one || len(rep.Configuration) != c.packets || c.one == verify.Refuted && len(rep.Chosen) != c.packets {
				t.Errorf("%s %s, %s, one: %s, %d packets, %d chosen", c.spec, c.routing, switching, rep.DeadlockFree.Verdict, len(rep.Configuration), len(rep.Chosen))
			}
			holdsDeadlock(t, c.spec, rep, func(model.State) bool { return true })
		}
	}
}

// TestWaitingErrors checks that unsupported waiting is an error, not a verdict.
func TestWaitingErrors(t *testing.T) {
	n, err := topo.Parse("mesh:3x3")
	if err != nil {
		t.Fatal(err)
	}
	r, err := route.New("dor", n, route.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range []verify.Options{
		{Waiting: "all"}, {Waiting: model.WaitMixed}, {Waiting: model.WaitOne, Conditions: []model.Condition{&gate.Setup{}}, Switching: model.CutThrough},
		{Waiting: model.WaitOne, Ranks: &verify.Ranks{Ranks: []int32{0}, IsEscape: true}},
	} {
		if _, err := verify.Check(context.Background(), r, o); err == nil {
			t.Errorf("%+v: no error", o)
		}
	}
	if _, err := model.ParseWaiting("all"); err == nil {
		t.Error("waiting all is read")
	}
}
