package gates_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/turnproof/turnproof/internal/longtest"
	"github.com/turnproof/turnproof/internal/modeltest"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/gate"
	"github.com/turnproof/turnproof/model/route"
	"github.com/turnproof/turnproof/model/topo"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/cert"
)

func named(t testing.TB, spec, name string, o route.Options) model.Relation {
	t.Helper()
	n, err := topo.Parse(spec)
	if err != nil {
		t.Fatal(err)
	}
	r, err := route.New(name, n, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func gating(t testing.TB, rule string) *gate.Setup {
	t.Helper()
	r, err := gate.Parse(rule)
	if err != nil {
		t.Fatal(err)
	}
	return &gate.Setup{Rule: r, Packet: 8, Buffer: 15}
}

func gated(t testing.TB, r model.Relation, g *gate.Setup) *verify.Report {
	t.Helper()
	rep, err := verify.Check(context.Background(), r, verify.Options{Conditions: []model.Condition{g}})
	if err != nil {
		t.Fatal(err)
	}
	return rep
}

// TestGates is the answer to section 4.4 of the flow limiting paper, on an 8x8 torus with
// VCinfo of half a ring, under f1, which closes gates soonest. By packet all are
// deadlock-free, except gated turns at level 8 if the bits of any VC close a gate. By
// flit at level 8 all can freeze, injection gating with dimension order too; below it
// only gated turns of adaptive routing.
func TestGates(t *testing.T) {
	routings := []struct {
		name string
		vcs  string
		o    route.Options
	}{{"dor", "2", route.Options{}}, {"duato", "3", route.Options{StayOnEscape: true}}, {"simple-adaptive", "3", route.Options{}}, {"duato-nonminimal", "3", route.Options{StayOnEscape: true, Misroutes: 1}}}
	torus, hops, levels := "torus:6x6", ",hops=3", []string{"0", "8"}
	if longtest.On() {
		torus, hops, levels = "torus:8x8", ",hops=4", []string{"0", "4", "8"}
	} else {
		routings = routings[:3]
	}
	for _, x := range routings {
		r := named(t, torus+",vcs="+x.vcs, x.name, x.o)
		adaptive := x.name != "dor"
		for _, place := range gate.Places() {
			for _, level := range levels {
				for _, reading := range []string{"own", "any"} {
					for _, unit := range gate.Units() {
						want := verify.Proved
						turns := place != gate.Injection
						switch {
						case unit == gate.Packet && adaptive && turns && reading == "any" && level == "8",
							unit == gate.Flit && level == "8",
							unit == gate.Flit && adaptive && turns:
							want = verify.Refuted
						}
						if x.name == "simple-adaptive" && place != gate.Turns && unit == gate.Flit && !longtest.On() {
							continue // long searches
						}
						rule := string(place) + hops + ",level=" + level + ",vcs=" + reading + ",unit=" + string(unit)
						if rep := gated(t, r, gating(t, rule)); rep.DeadlockFree.Verdict != want {
							t.Errorf("%s, %s: %s (%s), want %s", x.name, rule, rep.DeadlockFree.Verdict, rep.DeadlockFree.Reason, want)
						}
					}
				}
			}
		}
	}
}

// TestSafeGates checks what makes adaptive routings safe for all bits: hops onto the escape
// without a gate, and gates that never stop a packet half-way.
func TestSafeGates(t *testing.T) {
	for _, name := range []string{"duato", "simple-adaptive"} {
		r := named(t, "torus:8x8,vcs=3", name, route.Options{})
		for _, rule := range []string{"both,level=8,hops=8,unit=packet,vcs=any,exempt=escape", "both,level=14,hops=17,unit=packet,vcs=any,exempt=escape"} {
			if rep := gated(t, r, gating(t, rule)); rep.DeadlockFree.Verdict != verify.Proved {
				t.Errorf("%s, %s: %s", name, rule, rep.DeadlockFree.Reason)
			}
		}
		if rep := gated(t, r, gating(t, "both,level=8,hops=8,unit=packet,vcs=any")); rep.DeadlockFree.Verdict != verify.Refuted {
			t.Errorf("%s: with gates before the escape %s", name, rep.DeadlockFree.Verdict)
		}
	}
}

// TestGatesAgainstSets compares gates by packet with all sets of VCs of small networks. A set is a
// deadlock if each of its VCs has a state all of whose hops lead into the set or pass a gate
// that the set closes. runs_test.go checks that packets reach their places.
func TestGatesAgainstSets(t *testing.T) {
	specs := []string{"mesh:2x2", "ring:4", "line:4"}
	if longtest.On() {
		specs = append(specs, "mesh:2x3", "ring:5", "mesh:2x2,vcs=2")
	}
	rapid.Check(t, func(t *rapid.T) {
		spec := rapid.SampledFrom(specs).Draw(t, "network")
		n, err := topo.Parse(spec)
		if err != nil {
			t.Fatal(err)
		}
		r := modeltest.Adaptive(t, n, 1)
		g := &gate.Setup{Packet: 2, Buffer: rapid.IntRange(2, 5).Draw(t, "buffer")}
		g.Rule = gate.DefaultRule(rapid.SampledFrom(gate.Places()).Draw(t, "place"))
		g.Rule.Unit, g.Rule.VCs = gate.Packet, rapid.SampledFrom(gate.Readings()).Draw(t, "vcs")
		g.Rule.Hops = rapid.IntRange(1, 3).Draw(t, "hops")
		g.Rule.Level = rapid.IntRange(0, g.Buffer-1).Draw(t, "level")
		g.Rule.Func = rapid.SampledFrom([]gate.Func{{Name: "f1", Parameter: "2", Threshold: "0"}, {Name: "f4", Parameter: "2", Threshold: "1"}, {Name: "f3", Parameter: "0.5", Threshold: "0.6"}}).Draw(t, "f")
		rep, err := verify.Check(context.Background(), r, verify.Options{Conditions: []model.Condition{g}})
		if err != nil {
			t.Fatal(err)
		}
		byStates := (rep.Evidence(cert.ClaimDeadlockFree) == cert.EvidenceGatedStates) // no packets reach their places in such a set
		if blocks := anySetBlocks(t, r, g); blocks != (rep.DeadlockFree.Verdict != verify.Proved || byStates) {
			t.Fatalf("%s, %s: %s, a set that blocks: %v", spec, g.Rule, rep.DeadlockFree.Verdict, blocks)
		}
		if !byStates {
			return
		}
		x, err := newStates(r, g)
		if err != nil {
			t.Fatal(err)
		}
		if found, _ := x.deadlocks(1000); found {
			t.Fatalf("%s, %s: proved, but a run reaches a deadlock", spec, g.Rule)
		}
	})
}

// anySetBlocks tries all sets of VCs.
func anySetBlocks(t *rapid.T, r model.Relation, g *gate.Setup) bool {
	n := r.Network()
	gates, err := g.Rule.On(r)
	if err != nil {
		t.Fatal(err)
	}
	waits := map[model.VCID][][]model.VCID{}
	for d := range model.DestID(r.Destinations()) {
		seen := map[model.State]bool{}
		var visit func(s model.State)
		visit = func(s model.State) {
			if seen[s] {
				return
			}
			seen[s] = true
			c, _ := n.Channel(s.VC)
			if n.Kind(c) == model.Eject {
				return
			}
			hops := r.Next(s, nil)
			var list []model.VCID
			out := false
			for _, h := range hops {
				list, out = append(list, h.VC), out || !n.IsLinkVC(h.VC)
				visit(model.State{VC: h.VC, Dest: d, Class: h.Class})
			}
			if n.IsLinkVC(s.VC) && len(list) > 0 && !out {
				waits[s.VC] = append(waits[s.VC], list)
			}
		}
		for h := range model.HostID(r.Sources()) {
			if model.Sends(r, h, d) {
				for _, k := range r.Inject(h, d, nil) {
					visit(model.InjectState(r, h, d, k))
				}
			}
		}
	}
	full := g.Buffer/g.Packet*g.Packet >= g.Buffer-g.Rule.Level
	closed := func(w model.VCID, set uint64) bool {
		c, index := n.Channel(w)
		sum := int64(0)
		for i := 0; i < g.Rule.Hops && c != model.NoChannel; i++ {
			var bits []bool
			for k := range n.VCs() {
				bits = append(bits, full && set>>n.VC(c, k)&1 == 1)
			}
			if g.Rule.VCs == gate.Own && bits[index] || g.Rule.VCs == gate.Any && slices.Contains(bits, true) || g.Rule.VCs == gate.All && !slices.Contains(bits, false) {
				sum += gates.Weights[i]
			}
			c = gates.Ahead(c)
		}
		return sum > gates.Most
	}
	for set := uint64(1); set < 1<<n.NumLinkVCs(); set++ {
		stands := true
		for v := range model.VCID(n.NumLinkVCs()) {
			if set>>v&1 == 0 || !stands {
				continue
			}
			in, _ := n.Channel(v)
			stands = slices.ContainsFunc(waits[v], func(list []model.VCID) bool {
				return !slices.ContainsFunc(list, func(w model.VCID) bool {
					return set>>w&1 == 0 && !(gates.Has(in, w) && closed(w, set))
				})
			})
		}
		if stands {
			return true
		}
	}
	return false
}

// TestGatesAndEjection has packets on VC 3 that wait for the ejection channel of host 1, on VC 13: some for it alone, others for
// it or another VC.
func TestGatesAndEjection(t *testing.T) {
	n, err := topo.Parse("ring:4")
	if err != nil {
		t.Fatal(err)
	}
	next := []map[model.VCID][]model.VCID{ // by destination
		{1: {12}, 2: {4, 14}, 3: {2, 13}, 4: {15}, 9: {2, 1, 13}, 10: {4, 3, 14}, 11: {15}},
		{0: {13}, 1: {0, 12}, 3: {13, 1}, 4: {6, 5, 15}, 5: {3, 14}, 6: {0, 7, 12}, 7: {6, 5, 15}, 8: {0, 12}, 10: {4, 3, 14}, 11: {5, 15}},
		{8: {12}, 9: {13}, 11: {15}},
		{0: {1, 13}, 1: {12}, 2: {4, 14}, 3: {13}, 4: {15, 5}, 5: {4, 3, 14}, 7: {15}, 8: {0, 7, 12}, 9: {2, 13}, 10: {14}},
	}
	r := &modeltest.Relation{Net: n, Dests: []model.HostID{0, 1, 2, 3}, NextHops: func(s model.State) (hops []model.Hop) {
		for _, v := range next[s.Dest][s.VC] {
			hops = append(hops, model.Hop{VC: v})
		}
		return hops
	}}
	g := gating(t, "injection,f=f1:16>0,level=0,hops=2,within=row")
	g.Packet, g.Buffer = 2, 2
	if rep := gated(t, r, g); rep.DeadlockFree.Verdict != verify.Proved {
		t.Errorf("%s: %s, want proved", rep.DeadlockFree.Verdict, rep.DeadlockFree.Reason)
	}
}

// TestGateCertificates checks that evidence with a changed number, or for other gates, is rejected
// or still true.
func TestGateCertificates(t *testing.T) {
	dor := named(t, "torus:4x4,vcs=2", "dor", route.Options{})
	proved := gated(t, dor, gating(t, "both,level=8,hops=2,unit=packet"))
	flit := gated(t, dor, gating(t, "both,level=4,hops=2"))
	refuted := gated(t, named(t, "torus:8x8,vcs=2", "dor", route.Options{}), gating(t, "injection,level=8,hops=4"))
	claim := func(rep *verify.Report) *cert.Claim {
		i := slices.IndexFunc(rep.Certificate.Claims, func(c cert.Claim) bool { return c.Claim == cert.ClaimDeadlockFree })
		return &rep.Certificate.Claims[i]
	}
	for name, change := range map[string]func() (rep *verify.Report, undo func()){
		"all ranks equal": func() (*verify.Report, func()) {
			c := claim(proved)
			old := *c.Ranks
			same := make(cert.Ints, len(old))
			c.Ranks = &same
			return proved, func() { c.Ranks = &old }
		},
		"bits are cleared at once": func() (*verify.Report, func()) {
			c := claim(proved)
			old := *c.Clear
			none := make(cert.Ints, len(old))
			c.Clear = &none
			return proved, func() { c.Clear = &old }
		},
		"the level of another deadlock": func() (*verify.Report, func()) {
			g := flit.Certificate.Subject.Gates
			g.Level = 8
			return flit, func() { g.Level = 4 }
		},
		"gates for others": func() (*verify.Report, func()) {
			g := refuted.Certificate.Subject.Gates
			g.Injection = false
			return refuted, func() { g.Injection = true }
		},
		"by packet": func() (*verify.Report, func()) {
			g := refuted.Certificate.Subject.Gates
			g.ByFlit = false
			return refuted, func() { g.ByFlit = true }
		},
		"without gates": func() (*verify.Report, func()) {
			s := &refuted.Certificate.Subject
			old := s.Gates
			s.Gates = nil
			return refuted, func() { s.Gates = old }
		},
		"no elimination with gates": func() (*verify.Report, func()) {
			c := claim(proved)
			old := *c
			ranks := make(cert.Ints, len(*c.Ranks))
			for i := range ranks {
				ranks[i] = int32(i)
			}
			*c = cert.Claim{Claim: c.Claim, Verdict: c.Verdict, Evidence: cert.EvidenceElimination, Ranks: &ranks}
			return proved, func() { *c = old }
		},
	} {
		rep, undo := change()
		if err := cert.Check(rep.Certificate); err == nil {
			t.Errorf("%s: accepted", name)
		}
		undo()
		if err := cert.Check(rep.Certificate); err != nil {
			t.Errorf("%s, undone: %v", name, err)
		}
	}
	c := claim(refuted)
	for i := range *c.Flits {
		for _, k := range []int32{-1, 1} {
			if k < 0 && (*c.Flits)[i] == 7 {
				continue // a packet half-way: any number of flits before the gate
			}
			(*c.Flits)[i] += k
			if err := cert.Check(refuted.Certificate); err == nil {
				t.Errorf("flits of place %d changed by %d: accepted", i, k)
			}
			(*c.Flits)[i] -= k
		}
	}
	for i := range c.Packets {
		less := *c
		less.Packets = slices.Delete(slices.Clone(c.Packets), i, i+1)
		var flits cert.Ints
		at := 0
		for j := range c.Packets {
			k := len(c.Packets[j].Path) / 2
			if j != i {
				flits = append(flits, (*c.Flits)[at:at+k]...)
			}
			at += k
		}
		less.Flits = &flits
		alone := *refuted.Certificate
		alone.Claims = []cert.Claim{less}
		if err := cert.Check(&alone); err == nil {
			t.Errorf("without packet %d: accepted", i)
		}
	}
}

// TestReservedSlots proves gates with reserved slots that no packet closes alone, and checks that the certificate is rejected
// for a level at which each packet does.
func TestReservedSlots(t *testing.T) {
	r := named(t, "line:2", "dor", route.Options{})
	rep := gated(t, r, gating(t, "injection,level=6,hops=1,buffer=reserved"))
	if rep.DeadlockFree.Verdict != verify.Proved {
		t.Fatalf("level 6: %s", rep.DeadlockFree.Verdict)
	}
	rep.Certificate.Subject.Gates.Level = 7
	if err := cert.Check(rep.Certificate); err == nil {
		t.Error("level 7: accepted")
	}
	if rep := gated(t, r, gating(t, "injection,level=7,hops=1,buffer=reserved")); rep.DeadlockFree.Verdict != verify.Refuted || len(rep.Configuration) != 1 {
		t.Errorf("level 7: %s, %d packets, want one packet that closes its gate", rep.DeadlockFree.Verdict, len(rep.Configuration))
	}
}

func TestGateErrors(t *testing.T) {
	r := named(t, "torus:4x4,vcs=2", "dor", route.Options{})
	for _, c := range []struct {
		o    verify.Options
		want string
	}{
		{verify.Options{Conditions: []model.Condition{gating(t, "turn")}, Switching: model.Wormhole}, "want vct or saf switching, got wormhole"},
		{verify.Options{Conditions: []model.Condition{gating(t, "turn,unit=flit")}, Switching: model.StoreAndForward}, "want unit=packet"},
		{verify.Options{Conditions: []model.Condition{&gate.Setup{Rule: gate.DefaultRule(gate.Turns), Packet: 8, Buffer: 7}}}, "want level < buffer and packet <= buffer"},
		{verify.Options{Conditions: []model.Condition{gating(t, "turn,exempt=escape")}}, "this routing has none"},
	} {
		if _, err := verify.Check(context.Background(), r, c.o); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
}
