package protocol_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/protocol"
	"github.com/turnproof/turnproof/model/topo"
)

func network(t testing.TB, spec string) *model.Network {
	t.Helper()
	n, err := topo.Parse(spec)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// shown writes a bound protocol in one line: sources, destinations, virtual network and causes of each class.
func shown(p *model.Protocol) string {
	var list []string
	for c, r := range p.Rules {
		list = append(list, fmt.Sprintf("%s %v>%v vn%d %v", p.Names[c], r.From, r.To, p.Network[c], r.After))
	}
	return strings.Join(list, "; ")
}

// TestShort reads short forms.
func TestShort(t *testing.T) {
	n := network(t, "line:3")
	for _, c := range []struct{ text, initiators, targets, want string }{
		{"request,reply", "", "", "request [0 1 2]>[0 1 2] vn0 []; reply [0 1 2]>[0 1 2] vn1 [[0]]"},
		{"request+reply", "0", "1-2", "request [0]>[1 2] vn0 []; reply [1 2]>[0] vn0 [[0]]"},
		{"aw:+w:,b:aw&w", "0-1", "2", "aw [0 1]>[2] vn0 []; w [0 1]>[2] vn0 []; b [2]>[0 1] vn1 [[0 1]]"},
		{"a,b:a,c:a|b", "0", "1,2", "a [0]>[1 2] vn0 []; b [1 2]>[1 2] vn1 [[0]]; c [1 2]>[0] vn2 [[0] [1]]"},
	} {
		text, err := protocol.ParseShort(c.text, c.initiators, c.targets)
		if err != nil {
			t.Fatal(err)
		}
		p, err := text.Bind(n)
		if err != nil {
			t.Fatalf("%s: %v", c.text, err)
		}
		if got := shown(p); got != c.want {
			t.Errorf("%s: got %s, want %s", c.text, got, c.want)
		}
	}
}

// TestErrors reads protocols that contradict themselves or the network.
func TestErrors(t *testing.T) {
	n := network(t, "line:3")
	for _, c := range []struct{ text, want string }{
		{"classes:\n  a: {after: b}\n  b: {after: c}\n  c: {after: a}\n", "p.yaml:2: classes wait for each other in a cycle: a causes c causes b causes a"},
		{"classes:\n  a: {after: a}\n", "in a cycle: a causes a"},
		{"classes:\n  a: {form: 0}\n", "p.yaml:2: unknown key form of class a (did you mean from?)"},
		{"class:\n  a: {}\n", "p.yaml:1: unknown key class"},
		{"classes:\n  a: {from: 0-9}\n", `p.yaml:2: from of class a: no host 9 in the network`},
		{"classes:\n  a: {}\n  b: {after: x}\n", `p.yaml:3: class b comes after "x", which is no class`},
		{"classes:\n  a: {}\n  b: {after: a, queue: 0}\n", "p.yaml:3: queue of class b: want a number"},
		{"classes:\n  a: {}\n  b: {after: a, queue: reserved}\n", "outstanding is not given"},
		{"classes:\n  a: {from: 0, to: 1}\n  b: {after: a, from: 2, to: 0}\n", "class b has no host that sends it"},
		{"classes:\n  a: {from: 0, to: 1-2}\n  b: {after: a, from: 2, to: 0}\n", "host 1 receives class a, which causes b, but is no host that sends b"},
		{"classes:\n  a: {from: 0, to: 1-2}\n  w: {from: 1, to: 1-2}\n  b: {after: a & w, from: 1-2, to: 0}\n", "different hosts send them"},
		{"classes:\n  a: {to: initiator}\n", "begins transactions"},
		{"classes:\n  a: {}\n  b: {after: a, to: none}\n  c: {after: b}\n", "no class may come after it"},
		{"classes:\n  a: {}\n  b: {after: a, copies: 3}\n", "3 copies need more than 3 hosts"},
		{"classes:\n  a: {}\n  b: {after: a, copies: 2}\n", "a queue of 1 entries never has room for 2 copies"},
		{"classes: {a: {}, b: {after: [a, a]}}", "one alternative of after contains another"},
		{"roles: {sender: 1}\nclasses: {a: {}}", "want another name than initiator"},
		{"classes: &x {a: {}}", "anchors"},
		{"", "0 documents"},
		{"name: x\n", "no classes"},
	} {
		text, err := protocol.Parse("p.yaml", []byte(c.text))
		if err == nil {
			_, err = text.Bind(n)
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: want %q, got %v", c.text, c.want, err)
		}
	}
}

// TestExamples binds the protocols of examples/protocols, and counts messages of a transaction.
func TestExamples(t *testing.T) {
	files, _ := filepath.Glob("../../examples/protocols/*.yaml")
	if len(files) < 4 {
		t.Fatalf("%d examples", len(files))
	}
	for _, f := range files {
		content, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		text, err := protocol.Parse(f, content)
		if err != nil {
			t.Fatal(err)
		}
		p, err := text.Bind(network(t, "mesh:4x4"))
		if err != nil {
			t.Fatal(err)
		}
		for c, k := range p.Multiplicity() {
			if k != 1 {
				t.Errorf("%s: %d messages of %s", f, k, p.Names[c])
			}
		}
	}
}

// FuzzParse: a protocol that is read and bound has causes before effects, and each class has a source.
func FuzzParse(f *testing.F) {
	f.Add("classes:\n  a: {from: 0, to: 1}\n  b: {after: a & a, to: initiator, table: reserved}\noutstanding: 3\n", "a:,b:a|c&d", "0-/2")
	n := network(f, "line:4")
	f.Fuzz(func(t *testing.T, text, short, hosts string) {
		one, err := protocol.Parse("f", []byte(text))
		two, err2 := protocol.ParseShort(short, hosts, "")
		for _, x := range []*protocol.Text{one, two} {
			if x == one && err != nil || x == two && err2 != nil {
				continue
			}
			p, err := x.Bind(n)
			if err != nil {
				continue
			}
			order, cycle := p.Order()
			if cycle != nil || len(order) != len(p.Names) {
				t.Fatalf("a cycle %v", cycle)
			}
			for c, r := range p.Rules {
				if len(r.From) == 0 {
					t.Errorf("class %d has no source", c)
				}
			}
		}
	})
}
