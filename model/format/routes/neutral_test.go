package routes

import (
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/turnproof/turnproof/internal/formattest"
	"github.com/turnproof/turnproof/internal/modeltest"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format"
)

// TestNextHops reads drawn tables of next hops, by node and by the node before, and compares every state with the rows.
func TestNextHops(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := modeltest.Network(t, 5)
		byNode, withVCs := rapid.Bool().Draw(t, "by node"), rapid.Bool().Draw(t, "VCs")
		columns := []string{"node", "destination", "next"}
		if !byNode {
			columns = append(columns, "from")
			if withVCs {
				columns = append(columns, "in_vc", "out_vc")
			}
		} else if withVCs {
			columns = append(columns, "out_vc")
		}
		want, rows := map[string]bool{}, drawHopRows(t, n, byNode, withVCs)
		if len(rows) == 0 {
			return
		}
		columns = rapid.Permutation(columns).Draw(t, "order of columns")
		var text strings.Builder
		w := csv.NewWriter(&text)
		_ = w.Write(columns) // into a buffer
		for _, r := range rows {
			var fields []string
			for _, c := range columns {
				fields = append(fields, r[c])
			}
			_ = w.Write(fields)
			want[r["node"]+"|"+r["from"]+"|"+r["in_vc"]+"|"+r["destination"]+"|"+r["next"]+"|"+r["out_vc"]] = true
		}
		w.Flush()
		rel, _ := readText(t, text.String(), n)
		m := rel.Network()
		for v := range model.VCID(m.NumVCs()) {
			c, i := m.Channel(v)
			u := m.Head(c)
			if u == model.NoSwitch || m.Kind(c) == model.Inject && (i > 0 || m.Host(m.HostOf(c)).Management) {
				continue
			}
			for d := range model.DestID(rel.Destinations()) {
				h := rel.DestinationHost(d)
				from, in := "", ""
				if !byNode && m.Kind(c) == model.SwitchToSwitch {
					if from = m.SwitchLabel(m.Tail(c)); withVCs {
						in = strconv.Itoa(i)
					}
				}
				got, expected := map[string]bool{}, map[string]bool{}
				for _, hop := range rel.Next(model.State{VC: v, Dest: d}, nil) {
					o, j := m.Channel(hop.VC)
					got[fmt.Sprint(o, " ", j)] = true
				}
				if u == m.Host(h).Switch {
					expected[fmt.Sprint(m.EjectChannel(h), " 0")] = true
				} else {
					for o := range model.ChannelID(m.NumLinkChannels()) {
						for j := range m.VCs() {
							out := ""
							if withVCs {
								out = strconv.Itoa(j)
							}
							if m.Tail(o) == u && (withVCs || j == 0) && want[m.SwitchLabel(u)+"|"+from+"|"+in+"|"+m.HostLabel(h)+"|"+m.SwitchLabel(m.Head(o))+"|"+out] {
								expected[fmt.Sprint(o, " ", j)] = true
							}
						}
					}
				}
				if fmt.Sprint(got) != fmt.Sprint(expected) {
					t.Fatalf("on VC %d to %s: %v, want %v\n%s", v, m.HostLabel(h), got, expected, text.String())
				}
			}
		}
	})
}

// drawHopRows draws rows whose destinations are hosts.
func drawHopRows(t *rapid.T, n *model.Network, byNode, withVCs bool) (rows []map[string]string) {
	vc := func(what string) string { return strconv.Itoa(rapid.IntRange(0, 2).Draw(t, what)) }
	for range rapid.IntRange(0, 40).Draw(t, "rows") {
		c := model.ChannelID(rapid.IntRange(0, max(n.NumLinkChannels()-1, 0)).Draw(t, "out"))
		h := model.HostID(rapid.IntRange(0, n.NumHosts()-1).Draw(t, "destination"))
		if n.NumLinkChannels() == 0 || n.Host(h).Switch == n.Tail(c) {
			continue
		}
		r := map[string]string{"node": n.SwitchLabel(n.Tail(c)), "destination": n.HostLabel(h), "next": n.SwitchLabel(n.Head(c))}
		if withVCs {
			r["out_vc"] = vc("out_vc")
		}
		into := []string{""}
		for o := range model.ChannelID(n.NumLinkChannels()) {
			if n.Head(o) == n.Tail(c) {
				into = append(into, n.SwitchLabel(n.Tail(o)))
			}
		}
		if n.Host(h).Switch == n.Tail(c) || !byNode && len(into) == 1 && !hasHost(n, n.Tail(c)) {
			continue
		}
		if !hasHost(n, n.Tail(c)) {
			into = into[1:]
		}
		if !byNode {
			if r["from"] = rapid.SampledFrom(into).Draw(t, "from"); r["from"] != "" && withVCs {
				r["in_vc"] = vc("in_vc")
			}
		}
		rows = append(rows, r)
	}
	return rows
}

func hasHost(n *model.Network, u model.SwitchID) bool {
	for h := range model.HostID(n.NumHosts()) {
		if n.Host(h).Switch == u {
			return true
		}
	}
	return false
}

type failer interface {
	Fatal(args ...any)
	Helper()
}

// readText reads a routing of n from a text.
func readText(t failer, text string, n *model.Network) (model.Relation, []string) {
	t.Helper()
	dir, err := os.MkdirTemp("", "neutral")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = os.RemoveAll(dir) }()
	file := filepath.Join(dir, "routing")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	r, notes, err := format.ReadRouting(file, n, format.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if r.Listed == nil {
		t.Fatal("not read as a table of another tool")
	}
	return r.Listed, notes
}

// TestSameTable gives one routing in every form.
func TestSameTable(t *testing.T) {
	n := formattest.SquareNetwork(t)
	routes := func(r model.Relation) (list []string) {
		m := r.Network()
		for h := range model.HostID(m.NumHosts()) {
			for d := range model.DestID(r.Destinations()) {
				if r.DestinationHost(d) == h || !model.Sends(r, h, d) {
					continue
				}
				for _, k := range r.Inject(h, d, nil) {
					s, path := model.InjectState(r, h, d, k), m.HostLabel(h)
					for range 9 {
						hops := r.Next(s, nil)
						if len(hops) != 1 {
							break
						}
						c, i := m.Channel(hops[0].VC)
						if path += fmt.Sprintf(" %d.%d", m.TailPort(c), i); m.Kind(c) == model.Eject {
							break
						}
						s = model.State{VC: hops[0].VC, Dest: d, Class: hops[0].Class}
					}
					list = append(list, path+" "+m.HostLabel(r.DestinationHost(d)))
				}
			}
		}
		slices.Sort(list)
		return list
	}
	forms := map[string]string{
		"next hops":       "node,destination,next\nc,d,d\nb,d,c\n",
		"of hosts":        "node,destination,next\nc,h3,d\nb,h3,c\n",
		"of numbers":      "node,destination,next\n2,3,3\n1,3,2\n",
		"records":         `[{"node": "c", "destination": "d", "next": "d"}, {"next": "c", "node": "b", "destination": "d"}]` + "\n",
		"rows":            `{"schema": "turnproof.table/1", "kind": "x", "rows": [{"node": "c", "destination": "d", "next": "d"}, {"node": "b", "destination": "d", "next": "c"}]}`,
		"by input":        "node,from,destination,next\nc,,d,d\nc,b,d,d\nb,,d,c\n",
		"with VCs":        "node,from,in_vc,destination,next,out_vc\nc,,,d,d,0\nc,b,0,d,d,0\nb,,,d,c,0\n",
		"paths":           "source,destination,hop,node\nb,d,0,b\nb,d,1,c\nb,d,2,d\nc,d,0,c\nc,d,1,d\n",
		"NetworkX":        `{"b": {"d": ["b", "c", "d"], "b": ["b"]}, "c": {"d": [["c", "d"]]}}`,
		"SST Merlin":      `{"b": {"d": [[1, ["b", "c", "d"]]]}, "c": {"d": [[1, ["c", "d"]]]}}`,
		"RapidChiplet":    `{"type": "default", "table": {"__tuple__:[\"chiplet\", 2]": {"__tuple__:[\"chiplet\", 3]": {"__tuple__": true, "items": ["chiplet", 3]}, "__tuple__:[\"chiplet\", 2]": null}, "__tuple__:[\"chiplet\", 1]": {"__tuple__:[\"chiplet\", 3]": {"__tuple__": true, "items": ["chiplet", 2]}}}}`,
		"its other type":  `{"type": "extended", "table": {"__tuple__:[\"chiplet\", 2]": {"__tuple__:[\"chiplet\", 3]": {"-1": {"__tuple__": true, "items": ["chiplet", 3]}, "__tuple__:[\"chiplet\", 1]": {"__tuple__": true, "items": ["chiplet", 3]}}}, "__tuple__:[\"chiplet\", 1]": {"__tuple__:[\"chiplet\", 3]": {"-1": {"__tuple__": true, "items": ["chiplet", 2]}}}}}`,
		"by ports":        "switch,lid,destination,out_port,next\nc,0,h3,2,d\nd,0,h3,3,h3\nb,0,h3,2,c\n",
		"by input ports":  "switch,in_port,in_vc,class,destination,out_port,out_vc,next_class,next\nc,3,0,0,h3,2,0,0,d\nc,1,0,0,h3,2,0,0,d\nd,1,0,0,h3,3,0,0,h3\nb,4,0,0,h3,2,0,0,c\n",
		"paths, by ports": "source,destination,lid,class,end,switches,path,vcs\nh1,h3,0,0,delivered,3,b[2] c[2] d[3],0 0\nh2,h3,0,0,delivered,2,c[2] d[3],0\n",
	}
	want := []string{"h1 2.0 2.0 3.0 h3", "h2 2.0 3.0 h3"}
	for name, text := range forms {
		r, _ := readText(t, text, n)
		if got := routes(r); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
}

// TestParallelLinks: a next node over two links is a set, a path takes the first, and the note says so.
func TestParallelLinks(t *testing.T) {
	n := formattest.SquareNetwork(t)
	r, notes := readText(t, "node,destination,next\na,b,b\n", n)
	if hops := r.Next(model.InjectState(r, 0, 1, 0), nil); len(hops) != 2 || len(notes) != 1 || !strings.Contains(notes[0], "any of them") {
		t.Errorf("%v, %v", hops, notes)
	}
	r, notes = readText(t, "source,destination,hop,node\na,b,0,a\na,b,1,b\n", n)
	if hops := r.Next(model.InjectState(r, 0, 1, 0), nil); len(hops) != 1 || len(notes) != 1 || !strings.Contains(notes[0], "takes the first") {
		t.Errorf("a path: %v, %v", hops, notes)
	}
}

// TestNeutralErrors names file and line of what is wrong.
func TestNeutralErrors(t *testing.T) {
	n := formattest.SquareNetwork(t)
	for _, c := range []struct{ text, want string }{
		{"node,destination,next\na,b,b", "routing:2: the last line does not end"},
		{"node,destination,next\na,b\n", "routing:2: wrong number of fields"},
		{"node,destination,next\na,b,\"b\n", "routing:2: extraneous or missing"},
		{"node,destination,next\n\na,x,b\n", "routing:3: no node \"x\""},
		{"node,destination,next\na,b,b\na,c,c\n", "routing:3: no link from a to c"},
		{"node,destination,next\na,a,b\n", "routing:2: packets to a have arrived at a"},
		{"node,destination,next\n", "no hop in it"},
		{"node,destination,next,colour\na,b,b,red\n", "unknown column \"colour\""},
		{"node,node,destination,next\na,a,b,b\n", "routing:1: column \"node\" occurs twice"},
		{"node,destination,next,weight\na,b,b,-1\n", "routing:2: weight \"-1\""},
		{"node,in_vc,destination,next,out_vc\na,0,b,b,0\n", "in_vc needs the column from"},
		{"node,from,in_vc,destination,next,out_vc\na,,1,b,b,0\n", "routing:2: in_vc without from"},
		{"node,from,in_vc,destination,next,out_vc\na,c,0,b,b,0\n", "routing:2: no link from c to a"},
		{"node,from,in_vc,destination,next,out_vc\na,d,0,b,b,256\n", "routing:2: out_vc is \"256\""},
		{"source,destination,hop,node\na,b,0,a\na,b,2,b\n", "routing:3: hop 2 from a to b does not follow hop 1"},
		{"source,destination,hop,node\na,b,0,a\na,c,0,a\n", "routing:2: the path from a to b is a"},
		{"source,destination,hop,node\na,c,0,a\na,c,1,c\n", "routing:2: the path from a to c: no link from a to c"},
		{"source,destination,node\na,c,a\n", "routing:1: the columns source,destination,node are no routing"},
		{"switch,lid,destination,out_port,next\na,0,h1,9,b\n", "routing:2: out_port: no cable at port 9 of a"},
		{"switch,lid,destination,out_port,next\nh1,0,h1,1,b\n", "routing:2: h1 is no switch"},
		{`[{"node": "a", "destination": "b"` + "\n", "is the file truncated"},
		{`[{"node": "a", "destination": "b", "next": ["b"]}]`, "next is a list"},
		{`[{"node": "a", "destination": "b", "next": "b"},` + "\n" + `{"node": "a", "destination": "b"}]`, "routing:2: 2 fields; the first row has 3"},
		{`{"a": {"b": ["a", "b"]}`, "is the file truncated"},
		{`{"a": {"b": ["a", "c", "b"]}}`, "no link from a to c"},
		{`{"a": {"b": ["b", "a"]}}`, "the path from a to b is b a"},
		{`{"a": {"b": ["a", "b"], "b": ["a", "b"]}}`, "occurs twice"},
		{`{"a": {"b": [[0, ["a", "b"]]]}}`, "weight \"0\""},
		{`{"a": {"b": 7}}`, "want a path"},
		{`{"a": 7}`, "the value of \"a\" is a number, want an object"},
		{`{"a": {"b": ["a", "b"]}} x`, "routing:1:"},
		{`{"type": "random", "table": {}}`, "a routing table of type \"random\""},
		{`{"type": "default", "table": {"a": {}}}`, "\"a\" is no node"},
		{`{"type": "default", "table": {"__tuple__:[\"chiplet\", 7]": {}}}`, "no node c7 in the network for the chiplet 7"},
		{"source,destination,end,path,vcs\nh0,h1,delivered,a[1] b[4],\n", "routing:2: the path from h0 to h1 has 0 VCs for more links"},
		{"source,destination,end,path,vcs\nh0,h1,delivered,a[1] b[1],0\n", "routing:2: the path from h0 to h1 has 1 VCs for more links"},
		{"source,destination,end,path,vcs\nh0,h1,forwarding loop,a[1] b[1],0\n", "routing:2: a path whose end is \"forwarding loop\""},
	} {
		file := filepath.Join(t.TempDir(), "routing")
		if err := os.WriteFile(file, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, _, err := format.ReadRouting(file, n, format.Options{}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q:\n%v, want %s", c.text, err, c.want)
		}
	}
}

// TestPorts: the columns of ports choose one of parallel links, by number or name, and other words are errors.
func TestPorts(t *testing.T) {
	b := model.NewBuilder()
	for _, name := range []string{"a", "b", "c"} {
		u := b.AddSwitch(model.Switch{Name: name})
		b.AddHost(model.Host{Name: "h" + name, Switch: u, Port: 9})
	}
	b.AddLink(0, 1, 1, 1)
	b.AddLink(0, 2, 1, 2)
	b.AddLink(1, 3, 2, 1)
	b.NamePort(0, 2, "swp2")
	n, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{
		"node,destination,next,out_port\na,c,b,2\nb,c,c,\n", "node,destination,next,out_port\na,c,b,swp2\nb,c,c,3\n",
		"node,from,in_port,destination,next,out_port\na,,,c,b,2\nb,a,2,c,c,\n", "source,destination,hop,node,in_port\na,c,0,a,\na,c,1,b,2\na,c,2,c,\n",
	} {
		r, notes := readText(t, text, n)
		at := model.InjectState(r, 0, 2, 0)
		hops := r.Next(at, nil)
		if len(hops) != 1 || len(notes) != 0 {
			t.Fatalf("%q: %v, %q", text, hops, notes)
		}
		c, _ := r.Network().Channel(hops[0].VC)
		if next := r.Next(model.State{VC: hops[0].VC, Dest: 2, Class: hops[0].Class}, nil); n.TailPort(c) != 2 || len(next) != 1 {
			t.Errorf("%q: port %d, then %v", text, n.TailPort(c), next)
		}
	}
	for text, want := range map[string]string{
		"node,destination,next,out_port\na,c,b,3\n":                            `out_port is "3", but the links between the two nodes have ports 1, swp2 at a`,
		"node,destination,next,in_port\na,c,b,2\n":                             "column in_port needs the column from",
		"source,destination,hop,node,in_port\na,c,0,a,\na,c,1,b,7\na,c,2,c,\n": "no link from a to b, port 7",
	} {
		file := filepath.Join(t.TempDir(), "routing")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, _, err := format.ReadRouting(file, n, format.Options{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}
