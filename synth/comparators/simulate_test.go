package comparators_test

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"math/big"
	"math/bits"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/examples/routing-programs/published"
	"github.com/turnproof/turnproof/internal/longtest"
	"github.com/turnproof/turnproof/internal/modeltest"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/program"
	"github.com/turnproof/turnproof/model/topo"
	"github.com/turnproof/turnproof/synth/comparators"
)

// sample is a published program on networks of several sizes.
type sample struct {
	path     string
	networks []string
}

// samples are all published programs.
var samples = []sample{
	{"all-but-one-negative-first.mesh.star", []string{"mesh:5x4", "mesh:3x3"}},
	{"dor.mesh.star", []string{"mesh:5x3", "mesh:4x4"}},
	{"dor.express.star", []string{"express:9x6,interval=4", "express:6x5,interval=4"}},
	{"dor.hexgrid.star", []string{"hexgrid:5x4", "hexgrid:3x6"}},
	{"dor.torus.star", []string{"torus:4x5,vcs=2", "torus:3x3,vcs=2"}},
	{"dor-position.torus.star", []string{"torus:4x5,vcs=2"}},
	{"duato.mesh.star", []string{"mesh:4x3,vcs=2", "mesh:2x2,vcs=2"}},
	{"duato.torus.star", []string{"torus:4x3,vcs=3", "torus:5x5,vcs=3"}},
	{"duato.hypercube.star", []string{"hypercube:4,vcs=2"}},
	{"e-cube.hypercube.star", []string{"hypercube:4"}},
	{"negative-first.hexgrid.star", []string{"hexgrid:4x5", "hexgrid:6x3"}},
	{"negative-first.mesh.star", []string{"mesh:4x5", "mesh:2x3"}},
	{"nf+1.torus.star", []string{"torus:4x4,vcs=2", "torus:5x5,vcs=2"}},
	{"nf+1-as-printed.torus.star", []string{"torus:5x5,vcs=2"}},
	{"nf.torus.star", []string{"torus:4x4,vcs=2"}},
	{"north-last.mesh.star", []string{"mesh:5x4", "mesh:8x2"}},
	{"o1turn.mesh.star", []string{"mesh:4x4,vcs=2", "mesh:3x6,vcs=2"}},
	{"odd-even.mesh.star", []string{"mesh:5x4", "mesh:6x6", "mesh:2x7"}},
	{"p-cube.hypercube.star", []string{"hypercube:4"}},
	{"vlan-dor.mesh.star", []string{"mesh:4x4"}},
	{"west-first.mesh.star", []string{"mesh:4x4", "mesh:9x2", "mesh:3x8"}},
	{"zigzag.brickwall.star", []string{"brickwall:6x4,vcs=2", "brickwall:5x5,vcs=2"}},
}

// dut is a module and the vectors that it is tested with.
type dut struct {
	circuit *comparators.Circuit
	program *program.Program
	sides   []int
	vectors []vector
}

// vector is the input of a module and the wanted request.
type vector struct {
	cur, dst        []int
	port, vc, state int
	want            []int // bits
}

// newDUT makes the module of a program and its vectors on a network.
func newDUT(t testing.TB, p *program.Program, spec string) dut {
	t.Helper()
	n, err := topo.Parse(spec)
	if err != nil {
		t.Fatal(err)
	}
	rel, _, err := p.Relation(context.Background(), n)
	if err != nil {
		t.Fatal(err)
	}
	sides, err := p.SidesOn(n)
	if err != nil {
		t.Fatal(err)
	}
	c, err := comparators.Make(context.Background(), p, len(sides))
	if err != nil {
		t.Fatal(err)
	}
	d := dut{circuit: c, program: p, sides: sides}
	d.vectors = reachable(t, d, rel)
	if len(d.vectors) < 10 {
		t.Fatalf("%s on %s: %d states", p.Name, spec, len(d.vectors))
	}
	d.vectors = append(d.vectors, interpreted(t, d, rel.Network())...)
	return d
}

// reachable follows all packets through the relation and returns a vector for each of their states.
func reachable(t testing.TB, d dut, rel model.Relation) (list []vector) {
	n := rel.Network()
	seen := map[model.State]bool{}
	var todo []model.State
	for h := range model.HostID(rel.Sources()) {
		for dest := range model.DestID(rel.Destinations()) {
			if rel.DestinationHost(dest) == h {
				continue
			}
			for _, k := range rel.Inject(h, dest, nil) {
				todo = append(todo, model.State{VC: n.VC(n.InjectChannel(h), 0), Dest: dest, Class: k})
			}
		}
	}
	for ; len(todo) > 0; todo = todo[1:] {
		s := todo[0]
		in, vc := n.Channel(s.VC)
		if seen[s] || n.Kind(in) == model.Eject {
			continue
		}
		seen[s] = true
		at, to := n.Head(in), n.Host(rel.DestinationHost(s.Dest)).Switch
		v := vector{cur: program.PlaceIn(d.sides, at), dst: program.PlaceIn(d.sides, to), vc: vc, state: int(s.Class)}
		if n.Kind(in) != model.Inject {
			v.port = int(n.HeadPort(in))
		}
		for _, hop := range rel.Next(s, nil) {
			out, ovc := n.Channel(hop.VC)
			if n.Kind(out) == model.Eject {
				v.want = append(v.want, 0)
			} else {
				v.want = append(v.want, (int(hop.Class)*d.circuit.Ports()+int(n.TailPort(out)))*d.program.VCs+ovc)
			}
			todo = append(todo, model.State{VC: hop.VC, Dest: s.Dest, Class: hop.Class})
		}
		list = append(list, v)
	}
	return list
}

// given is the input of a packet for the interpreter.
type given struct {
	dir  program.Dir
	vc   int
	wrap bool
}

func (g given) Dir() program.Dir { return g.dir }
func (g given) VC() int          { return g.vc }
func (g given) Wrap() bool       { return g.wrap }

// interpreted asks the interpreter for every place, destination, input port with a link, VC and header state, also such as no
// packet is in.
func interpreted(t testing.TB, d dut, n *model.Network) (list []vector) {
	t.Helper()
	i, err := d.program.OnNumbers(d.sides)
	if err != nil {
		t.Fatal(err)
	}
	g := n.Grid()
	for u := range model.SwitchID(n.NumSwitches()) {
		for w := range model.SwitchID(n.NumSwitches()) {
			for port := range d.circuit.Ports() {
				in := n.OutAt(u, model.Port(port))
				if port > 0 && in == model.NoChannel || u == w && !d.program.Passes {
					continue
				}
				for vc := range d.program.VCs {
					for state := range d.program.States {
						v := vector{cur: program.PlaceIn(d.sides, u), dst: program.PlaceIn(d.sides, w), port: port, vc: vc, state: state}
						arrival := given{dir: program.NoDir, vc: vc}
						if port > 0 {
							arrival.dir = program.Dir(port - 1).Reverse()
							arrival.wrap = g != nil && wraps(g, u, arrival.dir)
						} else if vc > 0 {
							continue // packets are created on VC 0
						}
						outputs, err := i.Route(program.Numbers(v.cur), program.Numbers(v.dst), arrival, state)
						if err != nil {
							continue // no packet is here
						}
						for _, o := range outputs {
							if o.Dir == program.Eject {
								v.want = append(v.want, 0)
							} else {
								v.want = append(v.want, (o.State*d.circuit.Ports()+int(o.Dir)+1)*d.program.VCs+o.VC)
							}
						}
						list = append(list, v)
					}
				}
			}
		}
	}
	return list
}

// wraps reports whether a packet that arrived at u in direction a came by a wraparound link.
func wraps(g *model.Grid, u model.SwitchID, a program.Dir) bool {
	x, side := g.Coord(u, a.Dim()), g.Sides[a.Dim()]
	return g.Wrap[a.Dim()] && (x == 0 && !a.Minus() || x == side-1 && a.Minus())
}

// text returns the module.
func (d dut) text(t testing.TB) string {
	t.Helper()
	var b bytes.Buffer
	if err := d.circuit.WriteVerilog(&b, d.sides); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// bench returns a module that applies the vectors of file k.hex to the module dut, and the content of the file.
func (d dut) bench(k int) (text, hex string) {
	var fields, names []string
	var widths []int
	add := func(name string, width int) {
		fields, names, widths = append(fields, fmt.Sprintf("  logic [%d:0] %s;\n", width-1, name)), append(names, name), append(widths, width)
	}
	coordinate := func(end string, i int) string {
		if len(d.sides) <= 3 {
			return end + "_" + string("xyz"[i])
		}
		return fmt.Sprintf("%s_x%d", end, i)
	}
	bitsOf := func(count int) int { return max(1, bits.Len(uint(count-1))) }
	for _, end := range []string{"cur", "dst"} {
		for i, side := range d.sides {
			add(coordinate(end, i), bitsOf(side))
		}
	}
	port, vc, state := d.circuit.Reads()
	if port {
		add("in_port", bitsOf(d.circuit.Ports()))
	}
	if vc {
		add("in_vc", bitsOf(d.program.VCs))
	}
	if state {
		add("in_state", bitsOf(d.program.States))
	}
	inputs := len(names)
	add("want", d.circuit.Outputs())
	total := 0
	for _, w := range widths {
		total += w
	}
	var file strings.Builder
	for _, v := range d.vectors {
		values := append(slices.Clone(v.cur), v.dst...)
		for i, read := range []bool{port, vc, state} {
			if read {
				values = append(values, []int{v.port, v.vc, v.state}[i])
			}
		}
		x := new(big.Int)
		for i, value := range values {
			x.Lsh(x, uint(widths[i])).Or(x, big.NewInt(int64(value)))
		}
		request := new(big.Int)
		for _, bit := range v.want {
			request.SetBit(request, bit, 1)
		}
		fmt.Fprintf(&file, "%x\n", x.Lsh(x, uint(widths[inputs])).Or(x, request))
	}
	parameters := ""
	seen := map[string]bool{}
	for i, s := range d.program.Family.Sides {
		if s.Name != "" && !seen[s.Name] {
			parameters += fmt.Sprintf(", .SIZE_%s(%d)", s.Name, d.sides[i])
			seen[s.Name] = true
		}
	}
	if any := d.program.Family.AnyDims; any != "" && d.program.Family.Kind != "hypercube" {
		for i, side := range d.sides {
			parameters += fmt.Sprintf(", .SIZE_%s%d(%d)", any, i, side)
		}
	}
	ports := ""
	for _, name := range names[:inputs] {
		ports += fmt.Sprintf(".%s(%s), ", name, name)
	}
	if parameters != "" {
		parameters = "#(" + parameters[2:] + ") "
	}
	text = fmt.Sprintf(`module bench_%[1]d;
%[2]s  logic [%[3]d:0] requests;
  logic [%[4]d:0] vectors [0:%[5]d];
  integer bad;
  %[6]s %[7]sdut (%[8]s.requests(requests));
  initial begin
    $readmemh("%[1]d.hex", vectors);
    bad = 0;
    for (int i = 0; i < %[9]d; i++) begin
      {%[10]s} = vectors[i];
      #1;
      if (requests !== want) begin
        bad++;
        if (bad < 4) $display("%[6]s: vector %%0d (%%h): %%b, want %%b", i, vectors[i], requests, want);
      end
    end
    $display("%[1]d: %%0d bad", bad);
  end
endmodule
`, k, strings.Join(fields, ""), d.circuit.Outputs()-1, total-1, len(d.vectors)-1, d.circuit.Module(), parameters, ports, len(d.vectors),
		strings.Join(names, ", "))
	return text, file.String()
}

func save(t testing.TB, dir, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// mustRun runs a program in a folder and returns what it says.
func mustRun(t testing.TB, dir, name string, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), name, args...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s", filepath.Base(name), strings.Join(args, " "), err, out)
	}
	return string(out)
}

// more are programs with features that the published ones lack, and networks.
var more = map[string][]string{
	// remainders and quotients by a number that is no power of two, products with a number, fail where no packet is
	`family = mesh(n, m)
vcs = 2
def route(cur, dst, inp):
    if inp.dim == 1 and dst.x != cur.x:
        fail("x comes first")
    vc = 1 if (cur.x + 2 * cur.y) % 3 == 1 else 0
    if dst.x != cur.x:
        return [(E, vc)] if dst.x > cur.x else [(W, 0), (W, 1)]
    if dst.y // 3 == cur.y // 3:
        vc = inp.vc
    return [(N if dst.y > cur.y else S, vc)]
`: {"mesh:5x7,vcs=2", "mesh:2x9,vcs=2"},
	// equal sides, a ring of a fixed length beside them, header states
	`family = torus(n, 5, n)
vcs = 2
states = 2
def route(cur, dst, inp, state):
    for d in range(3):
        a = towards(cur, dst, d)
        if a:
            s = 1 if wraps(cur, a) or (state and inp.dim == d) else 0
            return [(a, s, s)]
`: {"torus:3x5x3,vcs=2"},
	// a ring beside a line, conditions on the sizes
	`family = torus(n, m, wrap = "y")
where = [n >= 2, m % 2 == 1]
vcs = 2
def route(cur, dst, inp):
    if dst.x != cur.x:
        return [(towards(cur, dst, 0), 0)]
    a = towards(cur, dst, 1)
    return [(a, 1 if crosses_dateline(cur, dst, a) or inp.wrap else 0)]
`: {"torus:4x5,wrap=y,vcs=2"},
	// a program that delivers packets itself and passes through destinations
	`family = mesh(n, m)
states = 2
def inject(src, dst):
    return [0, 1]
def route(cur, dst, inp, state):
    if state == 1:
        return [(E, 0, 1)] if cur.x < side(0) - 1 else [(W, 0, 0), (N if cur.y < side(1) - 1 else S, 0, 0)]
    if cur.x != dst.x:
        return [towards(cur, dst, 0)]
    return [towards(cur, dst, 1) or EJECT]
`: {"mesh:3x4", "mesh:6x2"},
}

// someModules returns a sample of each module: all in a long run, else those with wraparound, remainders and states.
func someModules(t testing.TB) (list []dut) {
	t.Helper()
	for _, d := range duts(t) {
		short := slices.Contains([]string{"nf+1.torus.star"}, d.program.Name)
		known := slices.ContainsFunc(list, func(x dut) bool { return x.program == d.program })
		if !known && (short || longtest.On()) {
			list = append(list, d)
		}
	}
	return list
}

// known holds the result of duts.
var known []dut

// duts returns all samples and more. Each program has one module.
func duts(t testing.TB) (list []dut) {
	t.Helper()
	if known != nil {
		return known
	}
	defer func() { known = list }()
	named := map[string]bool{}
	for _, f := range published.All() {
		p, err := program.Parse(f.Path, f.Text)
		if err != nil {
			t.Fatal(err)
		}
		if f.Family == program.HyperX {
			continue // there are no comparators for it
		}
		for _, s := range samples {
			if s.path == f.Path {
				named[f.Path] = true
				for _, spec := range s.networks {
					list = append(list, newDUT(t, p, spec))
				}
			}
		}
		if !named[f.Path] {
			t.Errorf("no network for %s: add it to samples", f.Path)
		}
	}
	for i, text := range slices.Sorted(maps.Keys(more)) {
		p, err := program.Parse(fmt.Sprintf("more%d.star", i), text)
		if err != nil {
			t.Fatal(err)
		}
		for _, spec := range more[text] {
			list = append(list, newDUT(t, p, spec))
		}
	}
	return list
}

// write saves the modules and benches of a list and returns the names of the files.
func write(t testing.TB, dir string, list []dut, change func(string) string) (files []string) {
	t.Helper()
	top := "module top;\n"
	for k, d := range list {
		name := d.circuit.Module() + ".sv"
		if !slices.Contains(files, name) {
			save(t, dir, name, change(d.text(t)))
			files = append(files, name)
		}
		bench, hex := d.bench(k)
		save(t, dir, fmt.Sprintf("bench_%d.sv", k), bench)
		save(t, dir, fmt.Sprintf("%d.hex", k), hex)
		files = append(files, fmt.Sprintf("bench_%d.sv", k))
		top += fmt.Sprintf("  bench_%d b%d();\n", k, k)
	}
	most := 0
	for _, d := range list {
		most = max(most, len(d.vectors))
	}
	save(t, dir, "top.sv", fmt.Sprintf("%s  initial begin\n    #%d;\n    $finish(0);\n  end\nendmodule\n", top, most+10))
	return append(files, "top.sv")
}

// wantAll is the output of a simulation without a difference.
func wantAll(list []dut) (want []string) {
	for k := range list {
		want = append(want, fmt.Sprintf("%d: 0 bad", k))
	}
	return want
}

// TestVerilator simulates the modules and compares them in every state with the relation, and in every other input
// with the interpreter.
func TestVerilator(t *testing.T) {
	longtest.Only(t, "TestIcarus simulates the modules, and TestLint reads them with Verilator")
	verilator := modeltest.Tool(t, "verilator")
	list, dir := someModules(t), t.TempDir()
	files := write(t, dir, list, func(text string) string { return text })
	mustRun(t, dir, verilator, append([]string{"--binary", "-O1", "-Wno-fatal", "-Wno-DECLFILENAME", "--top-module", "top", "-o", "sim",
		"-CFLAGS", "-O0", "--timescale", "1ns/1ns"}, files...)...)
	checkOutput(t, list, mustRun(t, dir, filepath.Join(dir, "obj_dir", "sim")))
}

func checkOutput(t *testing.T, list []dut, out string) {
	t.Helper()
	lines, states := strings.Split(out, "\n"), 0
	for k, want := range wantAll(list) {
		if states += len(list[k].vectors); !slices.Contains(lines, want) {
			t.Errorf("%s on %v differs:\n%.2000s", list[k].program.Name, list[k].sides, out)
		}
	}
	t.Logf("%d modules with sizes, %d vectors", len(list), states)
}

// TestIcarus does the same with the parameters of several sizes, and shows that a change of each comparator is found.
func TestIcarus(t *testing.T) {
	iverilog, vvp := modeltest.Tool(t, "iverilog"), modeltest.Tool(t, "vvp")
	simulate := func(list []dut, change func(string) string) string {
		dir := t.TempDir()
		files := write(t, dir, list, change)
		mustRun(t, dir, iverilog, append([]string{"-g2012", "-o", "sim"}, files...)...)
		return mustRun(t, dir, vvp, "-n", "sim")
	}
	same := func(text string) string { return text }
	all, mutated := duts(t), map[*program.Program]bool{}
	checkOutput(t, all, simulate(all, same))
	for _, d := range all {
		if d.program.Name != "odd-even.mesh.star" && d.program.Name != "dor.torus.star" || slices.Min(d.sides) < 4 {
			continue // on small sizes some comparators never matter
		}
		if mutated[d.program] {
			continue
		}
		mutated[d.program] = true
		text := d.text(t)
		for i := range d.circuit.Comparators(d.sides) {
			if i%3 > 0 && !longtest.On() {
				continue
			}
			mutant := func(string) string {
				wire := fmt.Sprintf("  wire c%d = ", i)
				before, rest, ok := strings.Cut(text, wire)
				expression, after, _ := strings.Cut(rest, ";")
				if !ok {
					t.Fatalf("no comparator %d", i)
				}
				return before + wire + "!(" + expression + ");" + after
			}
			if out := simulate([]dut{d}, mutant); strings.Contains(out, ": 0 bad") {
				t.Errorf("%s on %v: negated comparator %d is not found", d.program.Name, d.sides, i)
			}
		}
	}
}

// TestLint checks that Verilator prints no warning when all its warnings are enabled.
func TestLint(t *testing.T) {
	verilator := modeltest.Tool(t, "verilator")
	for _, d := range someModules(t) {
		dir, name := t.TempDir(), d.circuit.Module()+".sv"
		save(t, dir, name, d.text(t))
		if out := mustRun(t, dir, verilator, "--lint-only", "-Wall", name); strings.Contains(out, "%") {
			t.Errorf("%s\n%s", out, d.text(t))
		}
	}
}

// TestSynthesis checks that Yosys makes gates of each module.
func TestSynthesis(t *testing.T) {
	yosys := modeltest.Tool(t, "yosys")
	for _, d := range someModules(t) {
		dir := t.TempDir()
		save(t, dir, "m.sv", d.text(t))
		out := mustRun(t, dir, yosys, "-p", "read_verilog -sv m.sv; synth -top "+d.circuit.Module()+"; stat")
		if !strings.Contains(out, "Number of cells:") || strings.Contains(out, "$_DLATCH_") {
			t.Errorf("%s: no cells, or latches", d.program.Name)
		}
	}
}

// TestErrors: a program that is not linear is refused with its line.
func TestErrors(t *testing.T) {
	route := "def route(cur, dst, inp):\n    return "
	for _, x := range []struct{ text, want string }{
		{"family = mesh(n, m)\n" + route + "[E if cur.x * cur.y > 3 else W]\n",
			"no comparators for p.star: program: p.star:3:24: cannot multiply two symbolic numbers, x and y"},
		{"family = mesh(n, m)\nlist = [1, 2]\n" + route + "[E if list[cur.x] == 1 else W]\n", "p.star:4:22: the index of a list must be a known number"},
		{"family = mesh(n, m)\n" + route + "[E if cur.x // dst.x == 1 else W]\n", "p.star:3:24: cannot divide x by dx: the quotient may be more than 8"},
		{"family = mesh(n, m)\nvcs = 2\n" + route + "[(E, cur.x)]\n", "output 1 of route has a VC that is not a known number: choose it with if"},
		{"family = mesh(n, m)\n" + route + "None if cur.x == 3 else [E]\n", "route returned None; want a list of outputs"},
		{"family = hyperx(n, m)\n" + route + "productive(cur, dst)\n", "a program for hyperx has no tree"},
		{"family = network()\n" + route + "productive(cur, dst)\n", "p.star is for any network; comparators need coordinates"},
		{"family = mesh(n, m, k)\n" + route + "[E]\n", "mesh(n, m, k) has 3 dimensions, not 2"},
	} {
		p, err := program.Parse("p.star", x.text)
		if err != nil {
			t.Fatal(err)
		}
		if _, err = comparators.Make(t.Context(), p, 2); err == nil || !strings.Contains(err.Error(), x.want) {
			t.Errorf("error %v, want %s", err, x.want)
		}
	}
}

// TestNames: names of files and sizes that Verilog does not accept.
func TestNames(t *testing.T) {
	p, err := program.Parse("2d/Weg \u00fc`1.star", "family = mesh(x, \u00fc)\n"+"def route(cur, dst, inp):\n    return productive(cur, dst)\n")
	if err != nil {
		t.Fatal(err)
	}
	c, err := comparators.Make(t.Context(), p, 2)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := c.WriteVerilog(&b, []int{4, 5}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"module r2d_weg___1_route #(", "parameter int SIZE_x = 4,", "parameter int SIZE_1 = 5\n"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, b.String())
		}
	}
	if strings.ContainsFunc(b.String(), func(r rune) bool { return r > 0x7e || r == '`' }) {
		t.Errorf("characters that are no ASCII in\n%s", b.String())
	}
}
