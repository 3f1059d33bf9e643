package tables_test

import (
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/cdg"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/route"
	"github.com/turnproof/turnproof/model/topo"
	"github.com/turnproof/turnproof/model/view/tables"
	"github.com/turnproof/turnproof/synth"
)

// subject is a table, and what it must say by an oracle that shares no code with it.
type subject struct {
	name   string
	lookup *tables.Lookup
	want   map[tables.Input]map[tables.Output]bool
}

func network(t testing.TB, spec string) *model.Network {
	t.Helper()
	n, err := topo.Parse(spec)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// routed is the relation of a name.
func routed(t testing.TB, spec, name string, o route.Options) model.Relation {
	t.Helper()
	r, err := route.New(name, network(t, spec), o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// turned is a turn set by a method.
func turned(t testing.TB, spec, method string) *model.TurnSet {
	t.Helper()
	made, err := synth.New(t.Context(), method, network(t, spec), synth.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return made.Allowed
}

// walked returns the table of the hops that packets make, each followed on all of its paths.
func walked(r model.Relation) map[tables.Input]map[tables.Output]bool {
	n, want := r.Network(), map[tables.Input]map[tables.Output]bool{}
	for h := range model.HostID(r.Sources()) {
		for d := range model.DestID(r.Destinations()) {
			if r.DestinationHost(d) == h {
				continue
			}
			var todo []model.State
			for _, k := range r.Inject(h, d, nil) {
				todo = append(todo, model.State{VC: n.VC(n.InjectChannel(h), 0), Dest: d, Class: k})
			}
			for ; len(todo) > 0; todo = todo[1:] {
				s := todo[0]
				c, vc := n.Channel(s.VC)
				if n.Kind(c) == model.Eject {
					continue
				}
				in := tables.Input{Switch: n.Head(c), Port: n.HeadPort(c), VC: vc, Class: s.Class, Dest: d}
				if want[in] != nil {
					continue
				}
				want[in] = map[tables.Output]bool{}
				for _, hop := range r.Next(s, nil) {
					o, ovc := n.Channel(hop.VC)
					want[in][tables.Output{Port: n.TailPort(o), VC: ovc, Class: hop.Class}] = true
					todo = append(todo, model.State{VC: hop.VC, Dest: d, Class: hop.Class})
				}
			}
		}
	}
	return want
}

// byInput is the table of a relation.
func byInput(t testing.TB, r model.Relation) *tables.Lookup {
	t.Helper()
	l, err := tables.NewInputNext(r)
	if err != nil {
		t.Fatal(err)
	}
	x := cdg.NewExplorer(r)
	for d := range model.DestID(r.Destinations()) {
		space := x.Explore(d)
		for i, at := range space.States {
			hops, _ := space.HopsOf(i)
			for _, h := range hops {
				l.PermitHop(at, h)
			}
		}
	}
	return l
}

// byDestination is the table of a relation that looks at switch and destination only, with VCs.
func byDestination(r model.Relation) (*tables.Lookup, error) {
	l, err := tables.NewNext(r)
	if err != nil {
		return nil, err
	}
	n, x := r.Network(), cdg.NewExplorer(r)
	for d := range model.DestID(r.Destinations()) {
		space := x.Explore(d)
		for i, at := range space.States {
			in, _ := n.Channel(at.VC)
			hops, _ := space.HopsOf(i)
			for _, h := range hops {
				c, vc := n.Channel(h.VC)
				l.Permit(tables.Input{Switch: n.Head(in), Dest: d}, tables.Output{Port: n.TailPort(c), VC: vc})
			}
		}
	}
	return l, nil
}

// merged returns a table by input as one by switch and destination.
func merged(by map[tables.Input]map[tables.Output]bool) map[tables.Input]map[tables.Output]bool {
	all := map[tables.Input]map[tables.Output]bool{}
	for in, set := range by {
		at := tables.Input{Switch: in.Switch, Dest: in.Dest}
		if all[at] == nil {
			all[at] = map[tables.Output]bool{}
		}
		for o := range set {
			all[at][o] = true
		}
	}
	return all
}

// subjects are tables of every form.
func subjects(t testing.TB) (list []subject) {
	t.Helper()
	add := func(name string, l *tables.Lookup, err error, want map[tables.Input]map[tables.Output]bool) {
		if err != nil {
			t.Fatal(name, err)
		}
		l.Network, l.Routing, _ = strings.Cut(name, " ")
		list = append(list, subject{name, l, want})
	}
	for _, r := range []struct {
		spec, name string
		options    route.Options
	}{
		{"mesh:4x3", "west-first", route.Options{}},
		{"torus:4x4,vcs=3", "duato", route.Options{}},
		{"torus:4x4,vcs=2", "dor", route.Options{}},
		{"mesh:3x3,vcs=2", "duato-nonminimal", route.Options{Misroutes: 2}},
		{"torus:3x3,vcs=2", "nf+1", route.Options{}},
		{"star:3,vcs=70", "minimal", route.Options{}}, // sets of more than 64 bits
	} {
		rel := routed(t, r.spec, r.name, r.options)
		add(r.spec+" "+r.name, byInput(t, rel), nil, walked(rel))
	}
	irregular := turned(t, "random:switches=10,degree=3,hosts=2,seed=7", "lturn-alpha")
	rel := route.FromTurns(irregular, false)
	add("random:10 lturn-alpha", byInput(t, rel), nil, walked(rel))

	lifted := synth.Lift(irregular, irregular.Network().WithVCs(2))
	turns := map[tables.Input]map[tables.Output]bool{}
	n := lifted.Network()
	for turn := range model.Turns(n, true) {
		if lifted.Has(turn) {
			a, i := n.Channel(turn.In)
			b, j := n.Channel(turn.Out)
			in := tables.Input{Switch: n.Head(a), Port: n.HeadPort(a), VC: i}
			if turns[in] == nil {
				turns[in] = map[tables.Output]bool{}
			}
			turns[in][tables.Output{Port: n.TailPort(b), VC: j}] = true
		}
	}
	l, err := tables.AllowedTurns(lifted)
	add("random:10,vcs=2 lturn-alpha turns", l, err, turns)

	f, err := synth.InTrees(t.Context(), irregular, synth.TreeOptions{})
	if err != nil {
		t.Fatal(err)
	}
	next := map[tables.Input]map[tables.Output]bool{}
	for u := range model.SwitchID(10) {
		for d := range model.DestID(f.Table.Destinations()) {
			if p, ok := f.Table.Port(u, d); ok {
				next[tables.Input{Switch: u, Dest: d}] = map[tables.Output]bool{{Port: p}: true}
			}
		}
	}
	masks := routed(t, "mesh:4x3,vcs=2", "minimal", route.Options{})
	l, err = byDestination(masks)
	add("mesh:4x3,vcs=2 minimal", l, err, merged(walked(masks)))
	l, err = byDestination(masks)
	l.Ranged = true
	add("mesh:4x3,vcs=2 minimal ranges", l, err, merged(walked(masks)))
	l, err = tables.NextHops(f.Table)
	add("random:10 lturn-alpha table", l, err, next)
	return list
}

// inputs lists all inputs of a table, in the order of nested loops, and outputs all
// of its outputs by bit.
func inputs(l *tables.Lookup) (list []tables.Input) {
	ports, vcs, classes := l.Ports, l.VCs, l.Classes
	if l.Form == tables.Next {
		ports, vcs, classes = 1, 1, 1
	}
	for u := range l.Switches {
		for p := range ports {
			for v := range vcs {
				for k := range classes {
					for d := range l.Dest {
						list = append(list, tables.Input{Switch: model.SwitchID(u), Port: model.Port(p), VC: v, Class: model.Class(k), Dest: model.DestID(d)})
					}
				}
			}
		}
	}
	return list
}

func outputs(l *tables.Lookup) (list []tables.Output) {
	for k := range l.Classes {
		for p := range l.Ports {
			for v := range l.VCs {
				list = append(list, tables.Output{Port: model.Port(p), VC: v, Class: model.Class(k)})
			}
		}
	}
	return list
}

func TestLookup(t *testing.T) {
	for _, s := range subjects(t) {
		t.Run(s.name, func(t *testing.T) {
			found := 0
			for _, in := range inputs(s.lookup) {
				for bit, o := range outputs(s.lookup) {
					if got := s.lookup.Bit(o); got != bit {
						t.Fatalf("%+v is bit %d, want %d", o, got, bit)
					}
					if got := s.lookup.Has(in, o); got != s.want[in][o] {
						t.Errorf("%+v to %+v: %v", in, o, got)
					} else if got {
						found++
					}
				}
			}
			if found == 0 || s.lookup.Entries() != len(inputs(s.lookup)) || s.lookup.Outputs() != len(outputs(s.lookup)) {
				t.Errorf("%d permitted of %d entries", found, s.lookup.Entries())
			}
		})
	}
}

// written is what a writer makes of a table.
func written(t testing.TB, l *tables.Lookup, write func(io.Writer, *tables.Lookup) error) string {
	t.Helper()
	var b bytes.Buffer
	if err := write(&b, l); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// save writes a file into a folder.
func save(t testing.TB, dir, name, text string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// run runs a program in a folder and returns what it says.
func run(t testing.TB, dir, name string, args ...string) (string, error) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), name, args...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	return string(out), err
}

func mustRun(t testing.TB, dir, name string, args ...string) string {
	t.Helper()
	out, err := run(t, dir, name, args...)
	if err != nil || strings.Contains(strings.ToLower(out), "warning") {
		t.Fatalf("%s %v: %v\n%s", name, args, err, out)
	}
	return out
}

// mutants changes one set of a row each, in a few rows.
func mutants(text, row, set string, digits int) (list []string) {
	var at []int
	for i := 0; ; {
		j := strings.Index(text[i:], row)
		if j < 0 {
			break
		}
		k := strings.Index(text[i+j:], set)
		at = append(at, i+j+k+len(set)+digits-1)
		i += j + k
	}
	for _, i := range []int{0, len(at) / 2, len(at) - 1} {
		b := []byte(text)
		b[at[i]] ^= 1 // the last digit, 0 to 9 or a to f: another digit
		if b[at[i]] == '`' || b[at[i]] == 'g' {
			b[at[i]] = 'c'
		}
		list = append(list, string(b))
	}
	return list
}

func TestTooLarge(t *testing.T) {
	var large *tables.TooLarge
	if _, err := tables.NewInputNext(routed(t, "torus:32x32,vcs=2", "dor", route.Options{})); !errors.As(err, &large) || large.Limit != tables.MaxEntries {
		t.Error(err)
	}
	if _, err := tables.NewInputNext(routed(t, "mesh:2x2,vcs=256", "duato-nonminimal", route.Options{Misroutes: 20})); !errors.As(err, &large) || large.Limit != tables.MaxOutputs {
		t.Error(err)
	}
	f := model.NewTable(network(t, "star:1200"), model.AllAddresses(network(t, "star:1200")))
	l, err := tables.NextHops(f)
	if err != nil {
		t.Fatal(err)
	}
	if err := tables.WriteVerilog(io.Discard, l); !errors.As(err, &large) || !strings.Contains(err.Error(), "one vector") {
		t.Error(err)
	}
}

// TestStable checks that the same table gives the same bytes.
func TestStable(t *testing.T) {
	a, b := subjects(t), subjects(t)
	for i := range a {
		for _, write := range []func(io.Writer, *tables.Lookup) error{tables.WriteVerilog, tables.WriteC} {
			if x := written(t, a[i].lookup, write); x != written(t, b[i].lookup, write) || !slices.Contains(strings.Fields(x), "made") {
				t.Errorf("%s is written in two ways", a[i].name)
			}
		}
	}
}

// TestHostileNames checks that names of a network cannot end the comment that contains them.
func TestHostileNames(t *testing.T) {
	b := model.NewBuilder()
	b.AddSwitch(model.Switch{Name: "a */ \n `endif ??/"})
	b.AddHost(model.Host{Name: "x\\", Port: 1})
	b.AddHost(model.Host{Name: "\u202e/*", Port: 2})
	n, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	l, err := tables.NextHops(model.NewTable(n, model.AllAddresses(n)))
	if err != nil {
		t.Fatal(err)
	}
	l.Network, l.Routing = "*/int x;/*\n`include \"y\"", "\\"
	for _, write := range []func(io.Writer, *tables.Lookup) error{tables.WriteVerilog, tables.WriteC} {
		text := written(t, l, write)
		if n := strings.Count(text, "*/"); n != 0 && n != strings.Count(text, "/*") || strings.ContainsAny(text, "`\\\u202e") || strings.Contains(text, "??") {
			t.Errorf("%s", text)
		}
	}
}
