// Package formattest has what tests of several file formats share: a small fabric with its tables, small networks, and runs of test cases.
package formattest

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format"
	"github.com/turnproof/turnproof/model/format/infiniband/lft"
	"github.com/turnproof/turnproof/model/format/textfile"
)

// PairText is a small complete fabric, which tests modify.
const PairText = `# two switches, a host each
switchguid=0x1(1)
Switch	4 "S-0000000000000001"		# "left "quoted" # one" base port 0 lid 1 lmc 0
[1]	"S-0000000000000002"[3]		# "right" lid 2 4xSDR
[4][ext 7]	"H-0000000000000010"[1](11) 		# "hl" lid 4 4xSDR

switchguid=0x2(2)
Switch	4 "S-0000000000000002"		# "right" enhanced port 0 lid 2 lmc 0
[3]	"S-0000000000000001"[1]		# "left" lid 1 4xSDR
[1]	"H-0000000000000020"[2](22) 		# "hr" lid 8 4xSDR

caguid=0x10
Ca	1 "H-0000000000000010"		# "hl"
[1](11) 	"S-0000000000000001"[4]		# lid 4 lmc 1 "left" lid 1 4xSDR

caguid=0x20
Ca	2 "H-0000000000000020"		# "hr"
[2](22) 	"S-0000000000000002"[1]		# lid 8 lmc 0 "right" lid 2 4xSDR
`

const PairTable = `Unicast lids [0-8] of switch Lid 1 guid 0x0000000000000001 ('left'):
0x0001 000
0x0002 001
0x0004 004
0x0005 004
0x0008 001
8 lids dumped
Unicast lids [0-8] of switch Lid 2 guid 0x0000000000000002 ('right'):
0x0001 003
0x0002 000
0x0004 003
0x0005 003
0x0008 001
8 lids dumped
`

func ParseNetwork(text string) (*model.Network, []string, error) {
	src, err := textfile.New("net", strings.NewReader(text), nil)
	if err != nil {
		return nil, nil, err
	}
	return format.ReadNetworkFrom(src, format.Options{})
}

func ParseTable(text string, n *model.Network) (*model.Table, []string, error) {
	src, err := textfile.New("table", strings.NewReader(text), nil)
	if err != nil {
		return nil, nil, err
	}
	return lft.ReadFrom(src, n, format.Options{})
}

func Pair(t testing.TB) (*model.Network, *model.Table) {
	t.Helper()
	n, _, err := ParseNetwork(PairText)
	if err != nil {
		t.Fatal(err)
	}
	tab, _, err := ParseTable(PairTable, n)
	if err != nil {
		t.Fatal(err)
	}
	return n, tab
}

// Refused is a test case with a name, old, new and want: it replaces old by new in a text, and the error must contain want.
type Refused [4]string

// RunRefused runs test cases on a text that parse accepts.
func RunRefused(t *testing.T, good string, cases []Refused, parse func(string) error) {
	t.Helper()
	if err := parse(good); err != nil {
		t.Fatal(err)
	}
	for _, c := range cases {
		name, old, change, want := c[0], c[1], c[2], c[3]
		t.Run(name, func(t *testing.T) {
			text := strings.Replace(good, old, change, 1)
			if text == good {
				t.Fatalf("%q is not there", old)
			}
			err := parse(text)
			if err == nil {
				t.Fatal("was read")
			}
			if !strings.Contains(err.Error(), want) {
				t.Errorf("got %q, want %q in it", err, want)
			}
		})
	}
}

// Seeds adds bundled files to the corpus of a fuzz target.
func Seeds(f *testing.F, pattern string) {
	root := ".."
	for i := 0; i < 6; i++ {
		if _, err := os.Stat(filepath.Join(root, "examples", "fabrics")); err == nil {
			break
		}
		root = filepath.Join(root, "..")
	}
	files, err := filepath.Glob(filepath.Join(root, "examples", "fabrics", pattern))
	if err != nil || len(files) == 0 {
		f.Fatalf("no seeds %s: %v", pattern, err)
	}
	for _, file := range files[:min(3, len(files))] {
		raw, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(raw)
	}
}

// Written returns the network in the named format.
func Written(t testing.TB, n *model.Network, name string) string {
	t.Helper()
	var b bytes.Buffer
	if err := format.WriteNetwork(&b, n, name); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// Simple removes parallel links.
func Simple(t rapid.TB, n *model.Network) *model.Network {
	seen := map[[2]model.SwitchID]bool{}
	return Rebuilt(t, n, func(_ *model.Builder, _ *model.Switch, _ *model.Host, l *model.Link) bool {
		if l == nil {
			return true
		}
		p := [2]model.SwitchID{min(l.A, l.B), max(l.A, l.B)}
		defer func() { seen[p] = true }()
		return !seen[p]
	})
}

// AllPaths lists the paths of packets from host h to d by switches, sorted.
func AllPaths(r model.Relation, h model.HostID, d model.DestID) []string {
	n, found := r.Network(), map[string]bool{}
	var follow func(s model.State, path string)
	follow = func(s model.State, path string) {
		c, _ := n.Channel(s.VC)
		if n.Kind(c) == model.Eject {
			found[path] = true
			return
		}
		for _, hop := range r.Next(s, nil) {
			follow(model.State{VC: hop.VC, Dest: d, Class: hop.Class}, fmt.Sprint(path, n.Head(c), " "))
		}
	}
	for _, k := range r.Inject(h, d, nil) {
		follow(model.InjectState(r, h, d, k), "")
	}
	list := []string{}
	for path := range found {
		list = append(list, path)
	}
	slices.Sort(list)
	return list
}

// SquareNetwork returns a ring of four switches a, b, c, d with a host each, and a second link between a and b.
func SquareNetwork(t testing.TB) *model.Network {
	t.Helper()
	b := model.NewBuilder()
	for _, name := range []string{"a", "b", "c", "d"} {
		b.AddSwitch(model.Switch{Name: name})
	}
	b.AddLink(0, 1, 1, 1)
	b.AddLink(1, 2, 2, 1)
	b.AddLink(2, 2, 3, 1)
	b.AddLink(3, 2, 0, 2)
	b.AddLink(0, 3, 1, 3)
	for u, port := range []model.Port{4, 4, 3, 3} {
		b.AddHost(model.Host{Name: fmt.Sprintf("h%d", u), Switch: model.SwitchID(u), Port: port})
	}
	n, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// Rebuilt copies a network; change may modify each part.
func Rebuilt(t rapid.TB, n *model.Network, change func(b *model.Builder, s *model.Switch, h *model.Host, l *model.Link) bool) *model.Network {
	b := model.NewBuilder()
	b.SetVCs(n.VCs())
	for u := range model.SwitchID(n.NumSwitches()) {
		s := *n.Switch(u)
		change(b, &s, nil, nil)
		b.AddSwitch(s)
	}
	for h := range model.HostID(n.NumEndpoints()) {
		e := *n.Host(h)
		if change(b, nil, &e, nil) {
			b.AddHost(e)
		}
	}
	for l := range model.LinkID(n.NumLinks()) {
		k := n.Link(l)
		if change(b, nil, nil, &k) {
			b.AddLink(k.A, k.APort, k.B, k.BPort)
		}
	}
	m, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// Line3 returns a line of three switches. The middle switch has its links at ports 1 and 2.
func Line3(t testing.TB) *model.Network {
	b := model.NewBuilder()
	for range 3 {
		b.AddSwitch(model.Switch{})
	}
	b.AddLink(0, 1, 1, 1)
	b.AddLink(1, 2, 2, 1)
	for u := range model.SwitchID(3) {
		b.AddHost(model.Host{Switch: u, Port: 9})
	}
	n, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// Save writes content to a file and returns its path.
func Save(t testing.TB, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "input")
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// Ports returns the entries of a table as text.
func Ports(t *model.Table) (list []string) {
	for d := range model.DestID(t.AllDestinations()) {
		for u := range model.SwitchID(t.Network().NumSwitches()) {
			p, ok := t.Port(u, d)
			list = append(list, fmt.Sprint(t.Destination(d).LID, u, p, ok))
		}
	}
	return list
}
