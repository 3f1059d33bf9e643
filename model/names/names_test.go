package names_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/names"
)

// hostile are names that imitate other spellings or have separators in them.
var hostile = []string{"", "a", "b", "a", "a:b", "b:a", "a,b", "a>b", "a+b", "(0,0)", "(0,1)", "(1)", "0", "1", "2", "3", "4", "01", "1.0", "0.0", "#0", "#1",
	"##0", "host#0", "host#1", "host##1", "host 0", "h0", "h1", "*", "-", "all", "none", "nothing", "a b", " a", "a ", `"`, `"a"`, `a"b`, `""`, "0x1", "0x2",
	"a(0x0000000000000001)", "a(0x1)", "é", "日本", "a\nb", `a\nb`, "a\tb", "\xff", "0-1", "a*", "a#b", "#", "a/P2", "65535"}

// network draws a network with hostile names.
func network(t *rapid.T) *model.Network {
	b := model.NewBuilder()
	name := rapid.SampledFrom(hostile)
	if rapid.Bool().Draw(t, "few names") {
		name = rapid.SampledFrom(rapid.SliceOfN(name, 1, 3).Draw(t, "names"))
	}
	guids, lids := rapid.Bool().Draw(t, "guids"), rapid.Bool().Draw(t, "lids")
	k := rapid.IntRange(1, 5).Draw(t, "switches")
	guid := rapid.Uint64Range(0, 12)
	for u := range k {
		s := model.Switch{Name: name.Draw(t, "switch")}
		if guids {
			s.GUID = guid.Draw(t, "guid")
		}
		if lids {
			s.LID = uint16(u)
		}
		b.AddSwitch(s)
	}
	port := model.Port(1)
	for h := range rapid.IntRange(0, 6).Draw(t, "hosts") {
		e := model.Host{Name: name.Draw(t, "host"), Switch: model.SwitchID(rapid.IntRange(0, k-1).Draw(t, "at")), Port: port, NodePort: rapid.IntRange(0, 2).Draw(t, "port")}
		if guids {
			e.PortGUID, e.NodeGUID = guid.Draw(t, "guid"), guid.Draw(t, "node")
		}
		if lids {
			e.LID = uint16(k + h)
		}
		b.AddHost(e)
		port++
	}
	if rapid.Bool().Draw(t, "grid") {
		b.SetGrid(&model.Grid{Sides: []int{k, 1}, Wrap: []bool{false, false}})
	}
	n, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// TestReadBack: every spelling is read as the switch or host that it was written for, in every place where it may be read, and no
// two have the same.
func TestReadBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := network(t)
		x, seen := names.New(n), map[string]string{}
		once := func(word, who string) {
			if other, ok := seen[word]; ok && other != who {
				t.Fatalf("%q is written for %s and for %s", word, other, who)
			}
			seen[word] = who
		}
		for u := range model.SwitchID(n.NumSwitches()) {
			for _, word := range []string{x.SwitchName(u), x.SwitchLabel(u)} {
				once(word, fmt.Sprint("switch ", u))
				at, err := x.Switch(word)
				node, h, err2 := x.Node(word)
				if err != nil || err2 != nil || at != u || node != u || h != model.NoHost {
					t.Fatalf("switch %d is written as %q, which is read as %d, and as node %d, host %d: %v, %v", u, word, at, node, h, err, err2)
				}
			}
		}
		for h := range model.HostID(n.NumHosts()) {
			word := x.HostName(h)
			at, err := x.Host(word)
			list, err2 := x.HostsOf(word)
			several, err3 := x.HostList(names.Quote(word, ","))
			if err != nil || err2 != nil || err3 != nil || at != h || !slices.Equal(list, []model.HostID{h}) || !slices.Equal(several, list) {
				t.Fatalf("host %d is written as %q, which is read as %d, %v and %v: %v, %v, %v", h, word, at, list, several, err, err2, err3)
			}
			if u, _, _ := x.Node(word); u == model.NoSwitch {
				once(word, fmt.Sprint("host ", h))
			}
		}
	})
}

// meanings returns what a word can mean by the rules of the package documentation, computed without the package. It is the
// judge of TestMeaning.
func meanings(n *model.Network, word string) (switches []model.SwitchID) {
	numerals, lids := false, false
	isNumeral := func(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }
	for u := range model.SwitchID(n.NumSwitches()) {
		s := n.Switch(u)
		numerals = numerals || isNumeral(s.Name) || s.Name == "(1)"
		lids = lids || s.LID != 0
	}
	for h := range model.HostID(n.NumHosts()) {
		numerals = numerals || isNumeral(n.Host(h).Name)
		lids = lids || n.Host(h).LID != 0
	}
	rules := []func(u model.SwitchID) bool{
		func(u model.SwitchID) bool { return word == n.SwitchLabel(u) || word == n.SwitchName(u) },
		func(u model.SwitchID) bool {
			s := n.Switch(u).Name
			if s == "" {
				s = n.SwitchLabel(u)
			}
			return word == n.Switch(u).Name || strings.HasPrefix(s, "(") && isNumeral(strings.NewReplacer("(", "", ")", "", ",", "").Replace(s)) &&
				word == strings.ReplaceAll(strings.Trim(s, "()"), ",", ".")
		},
		func(u model.SwitchID) bool {
			return n.Switch(u).GUID != 0 && word == fmt.Sprintf("0x%x", n.Switch(u).GUID)
		},
		func(u model.SwitchID) bool {
			return n.Switch(u).LID != 0 && (word == fmt.Sprint(n.Switch(u).LID) || word == fmt.Sprintf("0x%x", n.Switch(u).LID))
		},
		func(u model.SwitchID) bool {
			return strings.HasPrefix(word, "#") && strings.TrimLeft(word, "#") == fmt.Sprint(u) || !numerals && !lids && word == fmt.Sprint(u)
		},
	}
	for _, rule := range rules {
		for u := range model.SwitchID(n.NumSwitches()) {
			if rule(u) {
				switches = append(switches, u)
			}
		}
		if switches != nil {
			return switches
		}
	}
	return nil
}

// TestMeaning: a word for a switch is read by the rules of the documentation.
func TestMeaning(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := network(t)
		x := names.New(n)
		for _, word := range hostile {
			if word == "" || strings.TrimSpace(word) != word || strings.Contains(word, "(0x") {
				continue
			}
			want := meanings(n, word)
			got, err := x.Switch(word)
			if len(want) == 1 && (err != nil || got != want[0]) || len(want) != 1 && err == nil {
				t.Fatalf("%q is read as %d (%v), want %d", word, got, err, want)
			}
			if text := fmt.Sprintf("%d switches have the name", len(want)); len(want) > 1 && !strings.HasPrefix(err.Error(), text) {
				t.Fatalf("%q: %v, want %s", word, err, text)
			}
		}
	})
}

// TestNumbers: a number is a position only in a network whose names are no numerals and that has no LIDs.
func TestNumbers(t *testing.T) {
	for _, c := range []struct {
		names []string
		lids  []int
		word  string
		want  string
	}{
		{[]string{"1", "2", "3", "4"}, nil, "1", "#0"},
		{[]string{"1", "2", "3", "4"}, nil, "0", "no node 0 in the network; the names are 1, 2, 3, 4 and 4 more"},
		{[]string{"1", "2", "3", "4"}, nil, "#0", "#0"},
		{[]string{"2", "4", "6", "8"}, nil, "3", "no node 3 in the network"},
		{[]string{"x", "3"}, nil, "0", "no node 0 in the network"},
		{[]string{"01", "02"}, nil, "1", "no node 1 in the network"},
		{[]string{"(0)", "(2)", "(3)"}, nil, "1", "no node 1 in the network"},
		{[]string{"(0)", "(2)", "(3)"}, nil, "2", "#1"},
		{[]string{"(0,0)", "(2,0)"}, nil, "2.0", "#1"},
		{[]string{"(0,0)", "(2,0)"}, nil, "1", "#1"},
		{[]string{"a", "b"}, nil, "1", "#1"},
		{[]string{"a", "b"}, nil, "2", "no node 2 in the network; want a name, or a number from 0 to 1"},
		{[]string{"a", "b"}, []int{7, 9}, "9", "#1"},
		{[]string{"a", "b"}, []int{7, 9}, "0x9", "#1"},
		{[]string{"a", "b"}, []int{7, 9}, "1", "no node 1 in the network; a number is a LID here, and #1 is a position"},
		{[]string{"", "", ""}, nil, "2", "#2"},
		{[]string{"spine", "leaf"}, nil, "leav", `no node "leav" in the network (did you mean leaf?)`},
		{[]string{"s", "s", "t"}, nil, "s", "2 switches have the name \"s\"; want a unique one such as #0"},
	} {
		b := model.NewBuilder()
		for i, name := range c.names {
			s := model.Switch{Name: name}
			if c.lids != nil {
				s.LID = uint16(c.lids[i])
			}
			b.AddHost(model.Host{Name: fmt.Sprint("h", i), Switch: b.AddSwitch(s), Port: 1})
		}
		n, err := b.Build()
		if err != nil {
			t.Fatal(err)
		}
		u, _, err := names.New(n).Node(c.word)
		if got := fmt.Sprint("#", u); err == nil && got != c.want || err != nil && !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%q in %q: %s, %v; want %s", c.word, c.names, got, err, c.want)
		}
	}
}

// line returns a network of switches with the names, and a host at each.
func line(t testing.TB, list ...string) *model.Network {
	b := model.NewBuilder()
	for i, name := range list {
		b.AddHost(model.Host{Name: fmt.Sprint("h", i), Switch: b.AddSwitch(model.Switch{Name: name}), Port: 1})
	}
	n, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// TestHostList: lists name hosts by ranges, patterns and names.
func TestHostList(t *testing.T) {
	plain, numerals, shifted := line(t, "s", "t", "u", "v"), line(t, "1", "2", "3", "4"), line(t, "2", "4", "6", "8")
	for _, c := range []struct {
		n          *model.Network
		text, want string
	}{
		{plain, "all", "[0 1 2 3]"}, {plain, "0-2", "[0 1 2]"}, {plain, "0-/2", "[0 2]"}, {plain, "1-", "[1 2 3]"}, {plain, "h*", "[0 1 2 3]"},
		{plain, "3, s,h1", "[0 1 3]"}, {plain, "0-4", "no host 4 in the network"}, {plain, "x*", "no host matches"}, {plain, "h9", "no host \"h9\" in the network"},
		{plain, "2-1", "no host is in the range"}, {plain, "#1-#2", "[1 2]"}, {plain, "host#3", "[3]"},
		{numerals, "2", "[1]"}, {numerals, "0", "no host 0 in the network"}, {numerals, "2-4/2", "[1 3]"}, {numerals, "0-3", "no host 0 in the network"},
		{numerals, "#0-#3", "[0 1 2 3]"}, {shifted, "4-8", "[1 2 3]"}, {shifted, "3-8", "no host 3 in the network"}, {shifted, "2-/4", "[0 2]"},
		{line(t, "a,b", "c"), "a,b,c", "[0 1]"}, {line(t, "a,b", "a", "b"), "a,b", "several ways"}, {line(t, "a,b", "a", "b"), `"a,b"`, "[0]"},
		{line(t, "0-1", "x"), "0-1", "[0]"},
	} {
		list, err := names.New(c.n).HostList(c.text)
		if got := fmt.Sprint(list); err == nil && got != c.want || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %s, %v; want %s", c.text, got, err, c.want)
		}
	}
}
