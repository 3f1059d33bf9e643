package program_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"github.com/turnproof/turnproof/examples/routing-programs/published"
	"github.com/turnproof/turnproof/internal/modeltest"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/program"
	"github.com/turnproof/turnproof/model/topo"
)

// body returns a program with the given statements in route.
func body(lines ...string) string {
	return "family = mesh(n, m)\ndef route(cur, dst, inp):\n    " + strings.Join(lines, "\n    ") + "\n"
}

const right = "return [E if dst.x > cur.x else W if dst.x < cur.x else N if dst.y > cur.y else S]"

func network(t testing.TB, spec string) *model.Network {
	t.Helper()
	n, err := topo.Parse(spec)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// compile compiles a program for a small network.
func compile(t testing.TB, text, spec string) (model.Relation, []string, error) {
	t.Helper()
	p, err := program.Parse("p.star", text)
	if err != nil {
		return nil, nil, err
	}
	return p.Relation(t.Context(), network(t, spec))
}

// Dictionaries of any length can be written, although a call has at most 255 arguments.
func TestLongDictionary(t *testing.T) {
	for _, n := range []int{0, 1, 127, 128, 1000} {
		var entries []string
		for i := range n {
			entries = append(entries, fmt.Sprintf("%d: [%d, {%d: %d}]", i, i, i, 2*i))
		}
		text := fmt.Sprintf("T = {%s}\n", strings.Join(entries, ", ")) + body(
			fmt.Sprintf("for i in range(%d):", n),
			"    if T[i][0] != i or T[i][1][i] != 2 * i:",
			`        fail("entry", i)`,
			fmt.Sprintf("if len(T) != %d:", n),
			`    fail("length", len(T))`,
			right)
		if _, lost, err := compile(t, text, "mesh:2x2"); err != nil || len(lost) > 0 {
			t.Errorf("%d entries: %v, %v", n, lost, err)
		}
	}
	if _, _, err := compile(t, body("d = {[1]: 2}", right), "mesh:2x2"); err == nil {
		t.Error("a list is a key")
	}
}

// Programs with unavailable constructs are refused with their position before they run.
func TestRefused(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"family = mesh(n, m)\n", "no function route"},
		{"def route(cur, dst, inp):\n    return []\n", "no family is given"},
		{body("return [E"), "p.star:4:1: got outdent, want ']'"},
		{"family = mash(n)\ndef route(cur, dst, inp):\n    return []\n", `p.star:1:10: no family "mash" (did you mean mesh?)`},
		{"family = mesh(n, E)\ndef route(cur, dst, inp):\n    return []\n", "p.star:1:18: a size cannot be called E"},
		{"family = mesh(n, 0)\ndef route(cur, dst, inp):\n    return []\n", "p.star:1:18: a size is a name or a number"},
		{"family = ring(n, m)\ndef route(cur, dst, inp):\n    return []\n", "ring has one size"},
		{"family = mesh(*n)\nvcs = 99999\ndef route(cur, dst, inp):\n    return []\n", "p.star:2:5: vcs must be a number from 1 to"},
		{"family = mesh(*n)\nstates = 2\ndef route(cur, dst, inp):\n    return []\n", "no fourth parameter"},
		{"family = mesh(*n)\ndef route(cur, dst):\n    return []\n", "p.star:2:1: route has 2 parameters"},
		{body("while True:", "    pass"), "p.star:3:5: while is not available"},
		{"load(\"x.star\", \"f\")\n" + body(right), "p.star:1:1: load is not available"},
		{body("return [1.5]"), "p.star:3:13: 1.5 is not available: numbers are whole"},
		{body("return cur.__class__"), "no attribute __class__"},
		{body("return [E][0:1]"), "slices are not available"},
		{body("x = 4 / 2"), "operator / is not available"},
		{body("x = 4 & 2"), "operator & is not available"},
		{body("x = ~4"), "operator ~ is not available"},
		{body("f(*[1])"), "*args is not available"},
		{body("return {d: 1 for d in [1]}"), "comprehensions make lists only"},
		{body("cur.x = 4"), "only names"},
		{body("return [nothing]"), "p.star:3:13: undefined: nothing"},
		{body("x = \"" + strings.Repeat("a", 1<<17) + "\""), "more than 65536 bytes"},
	} {
		_, err := program.Parse("p.star", c.text)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%.80q: %v, wanted %q", c.text, err, c.want)
		}
	}
}

// Errors and endless loops at run time end with their position, after a short time.
func TestHostile(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"long loop":        {body("for i in range(10000):", "    for j in range(10000):", "        k = i"), "p.star:5:"},
		"recursion":        {"family = mesh(n, m)\ndef f(x):\n    return f(x)\ndef route(cur, dst, inp):\n    return f(cur)\n", "p.star:3:12: function f called recursively"},
		"lambda recursion": {body("f = lambda g: g(g)", "return f(f)"), "p.star:3:"},
		"doubled list":     {body("x = [1]", "for i in range(60):", "    x = x + x"), "p.star:5:15: more than 1048576 elements"},
		"extended list":    {body("x = [1]", "for i in range(60):", "    x += x"), "p.star:5:11: more than 1048576 elements"},
		"repeated list":    {body("x = [1] * 1000000000"), "p.star:3:13: more than 1048576 elements"},
		"repeated by big":  {body("x = [[1]] * (1000000 * 1000000)"), "more than 1048576 elements"},
		"repeated empty":   {body("x = [] * 100000000"), "more than 1048576 elements"},
		"doubled text":     {body("x = \"a\"", "for i in range(60):", "    x = x + x"), "more than 1048576 elements"},
		"doubled tuple":    {body("x = (1,)", "for i in range(60):", "    x = x + x"), "more than 1048576 elements"},
		"large number":     {body("x = 2", "for i in range(60):", "    x = x * x"), "p.star:5:15: a number beyond"},
		"list in itself":   {body("x = [1]", "x[0] = x", "y = [1]", "y[0] = y", "z = x == y"), "nested more than 1000 deep"},
		"nested tuples":    {body("x = (1,)", "for i in range(60):", "    x = (x, x)", "if x == (x, x):", "    pass", "y = x", "x = (1,)", "for i in range(61):", "    x = (x, x)", "z = [y == (x, x), (y, y) == x]"), "more than 1048576 elements"},
		"nested key":       {body("x = (1,)", "for i in range(60):", "    x = (x, x)", "y = {x: 1}"), "a tuple of tuples cannot be a key"},
		"long range":       {body("x = range(1000000)"), "p.star:3:14: a range of 1000000 numbers"},
		"division":         {body("return [E] if cur.x // (cur.y - cur.y) else []"), "p.star:3:25: division by zero"},
		"fail":             {body("fail(\"nothing\", \"to do\", cur.x)"), "p.star:3:9: fail: nothing to do 1"},
		"index":            {body("return [[E][cur.x]]"), "p.star:3:16: index 1 of a list of 1"},
		"no sorted":        {body("return sorted([E])"), "p.star:3:18: sorted is not available"},
		"dimension":        {body("return [plus(5)]"), "p.star:3:17: a dimension is a number from 0 to 1"},
		"direction":        {body("return [U]"), "output 1 of route is U, a direction of dimension 2; the network has 2"},
		"no list":          {body("return E"), "route returned E; want a list"},
		"nothing":          {body("x = 1"), "route returned None"},
		"vc":               {body("return [(E, 1)]"), "output 1 of route has VC 1, allowed are 0 to 0"},
		"state":            {body("return [(E, 0, 1)]"), "output 1 of route has header state 1, allowed are 0 to 0"},
		"output":           {body("return [\"E\"]"), "output 1 of route is E; an output is"},
		"global":           {"family = mesh(n, m)\nseen = []\ndef route(cur, dst, inp):\n    seen.append(1)\n    return [E]\n", "p.star:4:16: append: cannot append to frozen list"},
		"top level":        {"family = mesh(n, m)\nx = [1] * 100000000\ndef route(cur, dst, inp):\n    return [E]\n", "p.star:2:9: more than 1048576 elements"},
		"escape":           {"family = mesh(n, m)\nescape = [1]\n" + strings.SplitN(body(right), "\n", 2)[1], "escape names VC 1, allowed are 0 to 0"},
	} {
		t.Run(name, func(t *testing.T) {
			began := time.Now()
			_, _, err := compile(t, c.text, "mesh:2x3")
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, wanted %q", err, c.want)
			}
			if spent := time.Since(began); spent > 20*time.Second {
				t.Errorf("took %v", spent)
			}
		})
	}
}

// A run-time error has its own type and names the packet.
func TestError(t *testing.T) {
	_, _, err := compile(t, body("return [E] if cur.x < 2 else fail(\"east\")"), "mesh:4x2")
	var e *program.Error
	if !errors.As(err, &e) || e.Place != "p.star:3:38" || !strings.Contains(err.Error(), "a packet at (3, 1) to (0, 0), created at this switch") {
		t.Fatalf("%v", err)
	}
}

// A program accepts only networks of its family.
func TestFamily(t *testing.T) {
	square := "family = mesh(n, n)\n" + strings.SplitN(body(right), "\n", 2)[1]
	for _, c := range []struct{ text, spec, want string }{
		{body(right), "torus:4x4", "is for mesh(n, m), this network is a torus or ring"},
		{body(right), "mesh:4x4x4", "mesh(n, m) has 2 dimensions, not 3"},
		{body(right), "random:switches=8,degree=3", "has no coordinates"},
		{square, "mesh:4x5", "here n would be 4 and 5"},
		{strings.Replace(square, "n, n", "n, 3", 1), "mesh:4x5", "dimension 1 of this network has side 5"},
		{strings.Replace(square, "mesh(n, n)", "torus(n, m)", 1), "mesh:4x5", "this network is a mesh"},
		{strings.Replace(square, "mesh(n, n)", "hypercube(d)", 1), "mesh:3x3", "side 3"},
	} {
		if _, _, err := compile(t, c.text, c.spec); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s on %s: %v, wanted %q", strings.SplitN(c.text, "\n", 2)[0], c.spec, err, c.want)
		}
	}
	for _, spec := range []string{"mesh:4x4", "mesh:2x2", "mesh:1x3", "mesh:3x3,hosts=3"} {
		if _, notes, err := compile(t, body(right), spec); err != nil || len(notes) > 0 {
			t.Errorf("%s: %v %v", spec, notes, err)
		}
	}
}

// A packet whose output has no channel is lost, and a note says so.
func TestLost(t *testing.T) {
	r, notes, err := compile(t, body("return [E, N]"), "mesh:3x3")
	if err != nil || len(notes) != 1 || !strings.Contains(notes[0], "a packet at (2, 0) to (0, 0), created at this switch: route permits E, where there is no channel") {
		t.Fatalf("%v %v", notes, err)
	}
	n := r.Network()
	at := model.InjectState(r, 2, 8, 0) // from (2,0) to (2,2)
	if hops := r.Next(at, nil); len(hops) != 0 {
		t.Errorf("%v leaves %s", hops, n.SwitchName(2))
	}
	if hops := r.Next(model.InjectState(r, 0, 8, 0), nil); len(hops) != 2 {
		t.Errorf("%d hops from (0,0)", len(hops))
	}
}

// Compiled programs pass the conformance tests of relations.
func TestConformance(t *testing.T) {
	for _, f := range published.All() {
		p, err := program.Parse(f.Path, f.Text)
		if err != nil {
			t.Fatal(err)
		}
		spec := map[string]string{"mesh": "mesh:3x4,hosts=2", "torus": "torus:4x4", "hypercube": "hypercube:3", "hyperx": "hyperx:3x4",
			"hexgrid": "hexgrid:3x4", "brickwall": "brickwall:4x3", "express": "express:6x3,interval=4"}[f.Family]
		r, _, err := p.Relation(t.Context(), network(t, spec))
		if err != nil {
			t.Fatal(err)
		}
		modeltest.Conformance(t, r)
	}
}

// The functions of the prelude for rings and lines are compared with counting.
func TestPrelude(t *testing.T) {
	text := `family = %s
def route(cur, dst, inp):
    want = [%s]
    if [delta(cur, dst, 0), distance(cur, dst), towards(cur, dst, 0), productive(cur, dst), wraps(cur, E), wraps(cur, W), crosses_dateline(cur, dst, E), crosses_dateline(cur, dst, W)] != want[cur[0]][dst[0]]:
        fail("at", cur[0], "to", dst[0])
    return [towards(cur, dst, 0)]
`
	for _, ring := range []bool{true, false} {
		for side := 3; side <= 6; side++ {
			var rows []string
			for x := range side {
				var row []string
				for u := range side {
					row = append(row, expected(side, x, u, ring))
				}
				rows = append(rows, "["+strings.Join(row, ", ")+"]")
			}
			kind, spec := "line(n)", fmt.Sprintf("line:%d", side)
			if ring {
				kind, spec = "ring(n)", fmt.Sprintf("ring:%d", side)
			}
			if _, _, err := compile(t, fmt.Sprintf(text, kind, strings.Join(rows, ", ")), spec); err != nil {
				t.Errorf("%s: %v", spec, err)
			}
		}
	}
}

// expected returns the results of the prelude, counted step by step.
func expected(side, x, u int, ring bool) string {
	word := map[bool]string{true: "True", false: "False"}
	ahead, back := 0, 0
	for p := x; p != u; p = (p + 1) % side {
		ahead++
	}
	for p := x; p != u; p = (p + side - 1) % side {
		back++
	}
	delta, dir, both := ahead, "E", ahead == back
	if !ring {
		delta, both = u-x, false
	} else if back < ahead {
		delta = -back
	}
	if delta < 0 {
		dir = "W"
	}
	list := "[" + dir + "]"
	if both && ahead > 0 {
		list = "[E, W]"
	}
	if x == u {
		dir, list = "None", "[]"
	}
	return fmt.Sprintf("[%d, %d, %s, %s, %s, %s, %s, %s]", delta, max(delta, -delta), dir, list,
		word[ring && x == side-1], word[ring && x == 0], word[x > u], word[x < u])
}

// spy is a symbol that records the operations on it.
type spy struct{ asked *[]string }

func (spy) String() string         { return "spy" }
func (spy) Type() string           { return "symbolic number" }
func (spy) Freeze()                {}
func (spy) Hash() (uint32, error)  { return 0, errors.New("no key") }
func (s spy) Truth() starlark.Bool { *s.asked = append(*s.asked, "truth"); return true }
func (s spy) Arithmetic(op syntax.Token, _, _ starlark.Value) (starlark.Value, error) {
	*s.asked = append(*s.asked, op.String())
	return s, nil
}
func (s spy) Compare(op syntax.Token, _, _ starlark.Value) (bool, error) {
	*s.asked = append(*s.asked, op.String())
	return false, nil
}

// Each operator on a symbol calls the symbol or fails.
func TestSymbolsAreAsked(t *testing.T) {
	for text, want := range map[string]string{
		"n == 3": "==", "3 == n": "==", "n != 3": "==", "n < 3": "<", "3 < n": "<", "n <= 3": "<=", "n > 3": "<", "3 >= n": "<=",
		"n + 1": "+", "1 + n": "+", "n - 1": "-", "1 - n": "-", "2 * n": "*", "n // 2": "//", "n % 2": "%", "7 % n": "%", "-n": "-", "+n": "",
		"n in [3]": "==", "3 in [n]": "==", "n in (1, 2)": "== ==", "n not in [3]": "==", "(n, 1) == (3, 1)": "==", "[n] == [3]": "==",
		"(1, (n,)) == (1, (3,))": "==", "(3, n) in [(3, 4)]": "==", "(n,) != (3,)": "==",
		"n and 1": "truth", "1 and n": "", "n or 1": "truth", "not n": "truth", "1 if n else 2": "truth", "[1 for x in [1] if n]": "truth",
		"any([n])": "truth", "all([n, n])": "truth truth", "bool(n)": "truth",
		"abs(n)": "<", "min(n, 3)": "<", "max([3, n])": "<",
		"{n: 1}": "refused", "{1: 1}[n]": "refused", "[1, 2][n]": "refused", "n in {1: 1}": "refused", "range(n)": "refused", "[1] * n": "refused",
		"n == E": "", "n == None": "", "n == \"x\"": "", "[0][0] == n": "==", "n < E": "refused", "n.x": "refused", "plus(n)": "refused", "side(n)": "refused", "len(n)": "refused", "n()": "refused",
	} {
		var asked []string
		p, err := program.Parse("p.star", "family = line(n)\nx = "+text+"\ndef route(cur, dst, inp):\n    return []\n")
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		_, err = p.On([]starlark.Value{spy{&asked}})
		got := strings.Join(asked, " ")
		if err != nil {
			got = "refused"
		}
		if got != want {
			t.Errorf("%s: %q (%v), wanted %q", text, got, err, want)
		}
	}
}

// A VC or header state that is a symbol is refused by name.
func TestSymbolicOutput(t *testing.T) {
	p, err := program.Parse("p.star", "family = line(n)\nvcs = 2\ndef route(cur, dst, inp):\n    return [(E, cur.x)]\n")
	if err != nil {
		t.Fatal(err)
	}
	s := spy{new([]string)}
	i, err := p.On([]starlark.Value{s})
	if err != nil {
		t.Fatal(err)
	}
	_, err = i.Route([]starlark.Value{s}, []starlark.Value{s}, nowhere{}, 0)
	if err == nil || !strings.Contains(err.Error(), "has a VC that is not a known number: choose it with if") {
		t.Error(err)
	}
}

type nowhere struct{}

func (nowhere) Dir() program.Dir { return program.NoDir }
func (nowhere) VC() int          { return 0 }
func (nowhere) Wrap() bool       { return false }

// The class is the header state: it starts at 0 and is set by the last output.
func TestStates(t *testing.T) {
	text := `family = line(n)
states = 3
def route(cur, dst, inp, state):
    if inp.dir == None:
        return [(E if dst.x > cur.x else W, 0, 1 + cur.x % 2)]
    if state == 0:
        fail("the state was lost")
    return [inp.dir]
`
	r, _, err := compile(t, text, "line:5")
	if err != nil {
		t.Fatal(err)
	}
	if r.Classes() != 3 {
		t.Fatalf("%d classes", r.Classes())
	}
	for h := range model.HostID(5) {
		for d := range model.DestID(5) {
			if !model.Sends(r, h, d) {
				continue
			}
			hops := r.Next(model.InjectState(r, h, d, 0), nil)
			for len(hops) == 1 && r.Network().IsLinkVC(hops[0].VC) {
				if want := model.Class(1 + int(h)%2); hops[0].Class != want {
					t.Fatalf("from %d to %d: class %d", h, d, hops[0].Class)
				}
				hops = r.Next(model.State{VC: hops[0].VC, Dest: d, Class: hops[0].Class}, nil)
			}
			if len(hops) != 1 {
				t.Fatalf("from %d to %d: %v", h, d, hops)
			}
		}
	}
}

// The escape of a program is the escape of its relation.
func TestEscape(t *testing.T) {
	for escape, want := range map[string][]string{"[1]": {"E1", "N1", "S1", "W1"}, "[(E, 0), N]": {"E0", "N0", "N1"}} {
		text := "family = mesh(n, m)\nvcs = 2\nescape = " + escape + "\n" + strings.SplitN(body(right), "\n", 2)[1]
		r, _, err := compile(t, text, "mesh:3x3")
		if err != nil {
			t.Fatal(err)
		}
		e, ok := r.(model.Escaper)
		if !ok {
			t.Fatal("no escape")
		}
		var got []string
		n := r.Network()
		for v := range model.VCID(n.NumVCs()) {
			if c, vc := n.Channel(v); e.EscapeVC(v) {
				got = append(got, fmt.Sprintf("%s%d", program.Dir(n.TailPort(c)-1), vc))
			}
		}
		slices.Sort(got)
		if got = slices.Compact(got); !slices.Equal(got, want) {
			t.Errorf("%s: %v, wanted %v", escape, got, want)
		}
	}
}

// FuzzProgram runs any program that parses. The run must not panic or take long.
func FuzzProgram(f *testing.F) {
	for _, p := range published.All() {
		f.Add(p.Text)
	}
	f.Add("family = torus(n, m)\nwhere = [n >= 2, m % 2 == 1, 2 * n <= m + 3]\ndef route(cur, dst, inp):\n    return productive(cur, dst)\n")
	f.Add(body("x = (1,)", "for i in range(60):", "    x = (x, x)", "return [E]"))
	f.Fuzz(func(t *testing.T, text string) {
		p, err := program.Parse("fuzz.star", text)
		if err != nil {
			return
		}
		for _, spec := range []string{"mesh:2x2", "torus:3x3", "line:3", "hypercube:2"} {
			began := time.Now()
			r, _, err := p.Relation(t.Context(), network(t, spec))
			if spent := time.Since(began); spent > 30*time.Second {
				t.Fatalf("took %v", spent)
			}
			if err == nil {
				modeltest.Conformance(t, r)
			}
		}
	})
}
