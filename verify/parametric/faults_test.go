package parametric

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/internal/longtest"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/program"
	"github.com/turnproof/turnproof/model/topo"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/cert"
	"github.com/turnproof/turnproof/verify/smt"
)

var oneLink, oneSwitch = &Faults{Most: 1}, &Faults{Switches: true, Most: 1}

// holds judges a program on one network by walking all its states: is each packet delivered on every path, is every path
// finite, and has the dependency graph no cycle?
func holds(t *testing.T, p *program.Program, spec string) (delivered, finite, acyclic bool) {
	t.Helper()
	n, err := topo.Parse(spec)
	if err != nil {
		t.Fatal(err)
	}
	r, _, err := p.Relation(t.Context(), n)
	if err != nil {
		t.Fatal(err)
	}
	n = r.Network()                      // with the VCs of the program
	next := map[string]map[string]bool{} // channels
	delivered, finite = true, true
	for d := range model.DestID(r.Destinations()) {
		mark := map[string]int{} // states of packets to d: 1 while on the path, 2 when done
		var walk func(s model.State)
		walk = func(s model.State) {
			key := fmt.Sprint(s.VC, s.Class)
			mark[key] = 1
			hops := r.Next(s, nil)
			delivered = delivered && len(hops) > 0
			for _, h := range hops {
				c, _ := n.Channel(h.VC)
				if n.Head(c) == model.NoSwitch {
					continue
				}
				if n.IsLinkVC(s.VC) {
					from := fmt.Sprint(s.VC)
					if next[from] == nil {
						next[from] = map[string]bool{}
					}
					next[from][fmt.Sprint(h.VC)] = true
				}
				to := model.State{VC: h.VC, Class: h.Class, Dest: d}
				switch mark[fmt.Sprint(h.VC, h.Class)] {
				case 0:
					walk(to)
				case 1:
					finite = false
				}
			}
			mark[key] = 2
		}
		for h := range model.HostID(n.NumHosts()) {
			for _, k := range r.Inject(h, d, nil) {
				if model.DestID(h) != d && mark[fmt.Sprint(n.VC(n.InjectChannel(h), 0), k)] == 0 {
					walk(model.State{VC: n.VC(n.InjectChannel(h), 0), Class: k, Dest: d})
				}
			}
		}
	}
	removed := true
	for removed {
		removed = false
		for v, list := range next {
			for w := range list {
				if next[w] == nil {
					delete(list, w)
				}
			}
			if len(list) == 0 {
				delete(next, v)
				removed = true
			}
		}
	}
	return delivered, finite, len(next) == 0
}

// failing returns the specs of the grids of a kind with sides up to most, with each failure and without one. The test numbers
// the links itself.
func failing(kind string, switches bool, least, most int) (specs []string) {
	for n := least; n <= most; n++ {
		for m := least; m <= most; m++ {
			base := fmt.Sprintf("%s:%dx%d", kind, n, m)
			specs = append(specs, base)
			for u := range n * m {
				x, y := u%n, u/n
				if switches {
					specs = append(specs, fmt.Sprintf("%s,fail=%d", base, u))
					continue
				}
				if x+1 < n || kind == "torus" {
					specs = append(specs, fmt.Sprintf("%s,fail=%d-%d", base, u, (x+1)%n+y*n))
				}
				if y+1 < m || kind == "torus" {
					specs = append(specs, fmt.Sprintf("%s,fail=%d-%d", base, u, x+(y+1)%m*n))
				}
			}
		}
	}
	return specs
}

func example(t *testing.T, name string) *program.Program {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("../../examples/routing-programs", name))
	if err != nil {
		t.Fatal(err)
	}
	p, err := program.Parse(name, string(text))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// judgeFaults compares a report with all networks up to a side: what is proved holds on each, and what is refuted fails on the
// network that the report names, and on no smaller one.
func judgeFaults(t *testing.T, p *program.Program, r *Report, most int) {
	t.Helper()
	all := func(spec string) bool {
		a, b, c := holds(t, p, spec)
		return a && b && c
	}
	least := 2
	if p.Family.Wrap() {
		least = 3
	}
	specs := failing(p.Family.Kind, r.Faults.Switches, least, most)
	switch r.Verdict {
	case verify.Proved:
		for _, spec := range specs {
			if r.Method == "rank" && !all(spec) {
				t.Fatalf("%s is proved, and fails on %s\n%s", p.Name, spec, p.Text)
			}
		}
	case verify.Refuted:
		if all(strings.Replace(r.Witness.Network, fmt.Sprintf(",vcs=%d", p.VCs), "", 1)) {
			t.Fatalf("%s is refuted, and holds on %s\n%s", p.Name, r.Witness.Network, p.Text)
		}
		for _, spec := range specs {
			n, err := topo.Parse(spec)
			if err != nil {
				t.Fatal(err)
			}
			if product(n.Grid().Sides) < r.family.switches(r.Witness.Sides) && !all(spec) {
				t.Fatalf("%s fails on %s, which is smaller than %s", p.Name, spec, r.Witness.Network)
			}
		}
	}
}

func proveFaults(t *testing.T, p *program.Program, f *Faults) *Report {
	t.Helper()
	r, err := Prove(t.Context(), p, Options{Faults: f})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// certifyFaults writes and checks a certificate of a report. With -update it writes those that package everysize judges.
func certifyFaults(t *testing.T, r *Report) {
	t.Helper()
	c, effort, err := r.Certificate(t.Context(), []cert.Input{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	if err := cert.Write(&file, c); err != nil {
		t.Fatal(err)
	}
	t.Logf("%s, %s: %v, %d nodes, %d bytes", r.Program, r.Faults, effort.Obligations, effort.Nodes, file.Len())
	name := strings.TrimSuffix(r.Program, ".star") + "-" + strings.TrimSuffix(r.Faults.String(), ":1") + ".cert"
	if *update && (r.Program == "sidestep.star" || r.Program == "sidestep-switch.star" && r.Faults.Switches) {
		if err := os.WriteFile("../cert/everysize/testdata/faults/"+name, file.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// TestFaultsProved proves the examples, and judges the proofs on small networks.
func TestFaultsProved(t *testing.T) {
	if !smt.Available() {
		t.Skip(smt.ErrUnavailable)
	}
	longtest.Only(t, "TestLengthsWithFailures proves and certifies a claim about networks with a failure")
	const most = 5
	for _, c := range []struct {
		name   string
		faults *Faults
	}{{"sidestep.star", oneLink}, {"sidestep-switch.star", oneLink}, {"sidestep-switch.star", oneSwitch}, {"negative-first-around.star", oneSwitch}} {
		p := example(t, c.name)
		r := proveFaults(t, p, c.faults)
		if r.Verdict != verify.Proved || len(r.Switching) != 3 {
			t.Fatalf("%s, %s: %s", c.name, c.faults, r.Verdict)
		}
		judgeFaults(t, p, r, most)
		certifyFaults(t, r)
		if !slices.Contains(r.Premises, model.Premise{Name: model.PremiseFailures, Value: c.faults.Words(), Source: "--faults"}) {
			t.Errorf("%s: premises %v", c.name, r.Premises)
		}
	}
}

// TestFaultsRefuted has variants that are wrong for one kind of failure, or at one edge.
func TestFaultsRefuted(t *testing.T) {
	text := example(t, "sidestep.star").Text
	for _, c := range []struct{ from, to, want string }{
		{"if works(cur, a):", "if True:", "mesh:2x2,vcs=2,fail=0-2"},
		{"N if works(cur, N) else S", "N", "mesh:2x2,vcs=2,fail=2-3"},
		{"E if works(cur, E) else W", "E", "mesh:2x2,vcs=2,fail=1-3"},
		{"(E if works(cur, E) else W, 1, 1)", "(E if cur.x != 3 else W, 1, 1)", "mesh:2x2,vcs=2,fail=1-3"},
	} {
		changed := strings.Replace(text, c.from, c.to, 1)
		p, err := program.Parse("wrong.star", changed)
		if err != nil || changed == text {
			t.Fatal(err, c.from)
		}
		r := proveFaults(t, p, oneLink)
		if r.Verdict != verify.Refuted || r.Witness.Network != c.want {
			t.Errorf("%s: %s, %+v; want a refutation on %s", c.to, r.Verdict, r.Witness, c.want)
			continue
		}
		judgeFaults(t, p, r, 3)
	}
}

// TestFaultMutants: no edit of a program leads to a wrong verdict.
func TestFaultMutants(t *testing.T) {
	if !smt.Available() || !long() {
		t.Skip("needs Z3 and TURNPROOF_LONG")
	}
	count := map[verify.Verdict]int{}
	for _, c := range []struct {
		name   string
		faults *Faults
	}{{"sidestep.star", oneLink}, {"sidestep-switch.star", oneSwitch}} {
		for i, text := range mutants(example(t, c.name).Text) {
			if i%8 > 0 && !longtest.IsFull() {
				continue
			}
			p, err := program.Parse(fmt.Sprintf("mutant%d.star", i), text)
			if err != nil {
				continue
			}
			r, err := Prove(t.Context(), p, Options{Faults: c.faults, Limit: 1e9})
			if err != nil {
				continue // an error of the program
			}
			if count[r.Verdict]++; r.Verdict == verify.Proved {
				t.Logf("%s: proved with %s", c.name, changed(example(t, c.name).Text, text))
			}
			judgeFaults(t, p, r, 4)
		}
	}
	t.Log(count)
}

// TestFaultsErrors has families that a failure separates, and other wrong arguments.
func TestFaultsErrors(t *testing.T) {
	for family, f := range map[string]*Faults{
		"mesh(n, m)\nwhere = [n >= 1]": oneLink, "torus(n, m)\nwhere = [n >= 2]": oneLink, "line(n)": oneLink, "mesh(n, 1)": oneLink, "hypercube(d)": {Most: 1}, "hyperx(n, m)": oneLink, "mesh(n, m)": {Most: 3}, "torus(n, m)": {Switches: true, Most: 2},
	} {
		p, err := program.Parse("p.star", "family = "+family+"\ndef route(cur, dst, inp):\n    return [E]\n")
		if err != nil {
			t.Fatal(err)
		}
		if r, err := Prove(t.Context(), p, Options{Faults: f, Dims: 1}); err == nil || !strings.Contains(err.Error(), "cannot prove p.star") {
			t.Errorf("%s: %v, %v", family, r, err)
		}
	}
}

// TestLinkFault has the result of Taylor and Zhang (VMCAI 2022): with two failed links a packet of the published routing can go in
// a loop, on 3x3 and on no smaller mesh, and none of the corrected routing can. With one failed link both deliver all packets.
func TestLinkFault(t *testing.T) {
	for name, loops := range map[string]bool{"link-fault.star": true, "link-fault-corrected.star": false} {
		p := example(t, name)
		f, err := newFamily(p, 2)
		if err != nil {
			t.Fatal(err)
		}
		found := false
		for _, sides := range [][]int{{2, 2}, {2, 3}, {3, 2}, {3, 3}} {
			for _, faults := range (&Faults{Most: 2}).cases(2) {
				f.faults = faults
				for _, setting := range f.settings(sides) {
					delivered, finite, _ := holds(t, p, f.spec(setting))
					if len(faults) < 2 && !(delivered && finite) || !finite && f.switches(setting) < 9 {
						t.Errorf("%s fails on %s", name, f.spec(setting))
					}
					found = found || !finite
				}
			}
		}
		if found != loops {
			t.Errorf("%s: a loop is found: %v", name, found)
		}
	}
}

// TestLinkFaultProved proves the corrected routing of TestLinkFault free of livelock with at most two failed links, for every size.
// On each mesh up to 5x5 with a failure, and up to 3x4 with two, no packet is forwarded in a loop.
func TestLinkFaultProved(t *testing.T) {
	if !smt.Available() || !long() {
		t.Skip("needs Z3 and TURNPROOF_LONG")
	}
	p := example(t, "link-fault-corrected.star")
	r, err := Prove(t.Context(), p, Options{Faults: &Faults{Most: 2}, Claims: []string{"livelock-free"}})
	if err != nil || r.Verdict != verify.Proved {
		t.Fatal(r, err)
	}
	certifyFaults(t, r)
	specs := failing("mesh", false, 2, 5)
	for _, base := range []string{"mesh:2x3", "mesh:3x3", "mesh:4x3", "mesh:3x4"} {
		var single []string
		for _, spec := range specs {
			if strings.HasPrefix(spec, base+",fail=") {
				single = append(single, strings.TrimPrefix(spec, base+",fail="))
			}
		}
		for i, a := range single {
			for _, b := range single[:i] {
				specs = append(specs, base+",fail="+b+"+"+a)
			}
		}
	}
	for _, spec := range specs {
		if _, finite, _ := holds(t, p, spec); !finite {
			t.Errorf("a packet is forwarded forever on %s", spec)
		}
	}
}

// TestRingBoundary: on rings, too, packets that are sent into a failure violate an obligation.
func TestRingBoundary(t *testing.T) {
	p, err := program.Parse("p.star", "family = torus(n, m)\ndef route(cur, dst, inp):\n    return [E, N]\n")
	if err != nil {
		t.Fatal(err)
	}
	for _, faults := range [][]int{nil, {0}, {1}, {failedSwitch}} {
		f, err := newFamily(p, 2, faults...)
		if err != nil {
			t.Fatal(err)
		}
		s := &proof{system: &system{family: f, paths: []path{{anyDir: true, vc: -1, state: -1, starts: true, outputs: []program.Output{{Dir: 0}, {Dir: 2}}}}}}
		if got := s.overEdge(injected) != "false"; got != (faults != nil) {
			t.Errorf("failures %v: there is an obligation: %v", faults, got)
		}
		f.program, err = program.Parse("p.star", "family = torus(n, m)\ndef route(cur, dst, inp):\n    return [E] if works(cur, E) else [N]\n")
		if err != nil {
			t.Fatal(err)
		}
		paths, err := f.explore(t.Context(), nil)
		if err != nil || (len(paths) == 1) != (faults == nil || faults[0] == 1) {
			t.Errorf("failures %v: %d paths, %v", faults, len(paths), err)
		}
	}
}

// TestFailures compares the conditions of existing and failed channels with the channels of all small networks with failures.
func TestFailures(t *testing.T) {
	for _, kind := range []string{"mesh(n, m)", "torus(n, m)", `torus(n, m, wrap = "y")`} {
		p, err := program.Parse("p.star", "family = "+kind+"\ndef route(cur, dst, inp):\n    return [E]\n")
		if err != nil {
			t.Fatal(err)
		}
		for _, faults := range slices.Concat(oneLink.cases(2), oneSwitch.cases(2)[1:], (&Faults{Most: 2}).cases(2)[3:5]) {
			f, err := newFamily(p, 2, faults...)
			if err != nil {
				t.Fatal(err)
			}
			for _, setting := range f.settings([]int{3, 4}) {
				n, err := f.network(setting)
				if err != nil {
					t.Fatal(err)
				}
				if got := f.setting(f.point([]int{0, 0}, []int{0, 0}, setting)); !slices.Equal(got, setting) {
					t.Fatalf("setting %v became %v", setting, got)
				}
				for _, at := range eachPlace(setting[:2]) {
					u := n.Grid().At(at)
					point := f.point(at, at, setting)
					if got := allHold(f.domain(), point); got != (u != model.NoSwitch) {
						t.Fatalf("%s: the domain is %v at %v", f.spec(setting), got, at)
					}
					for a := range program.Dir(4) {
						works := u != model.NoSwitch && n.OutAt(u, a.Port()) != model.NoChannel
						here := []form{f.here(0), f.here(1)}
						holds := func(list []atom) bool { return allHold(list, point) }
						if got := allHold(f.exists(here, a), point) && !slices.ContainsFunc(f.failures(here, a), holds); got != works {
							t.Fatalf("%s: works(%v, %s) is %v", f.spec(setting), at, a, got)
						}
						if got := slices.ContainsFunc(f.missing(a), holds); got == works && u != model.NoSwitch {
							t.Fatalf("%s: the channel %s from %v is missing: %v", f.spec(setting), a, at, got)
						}
					}
				}
			}
		}
	}
}
