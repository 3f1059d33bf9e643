package native

import (
	"bytes"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"pgregory.net/rapid"

	"github.com/turnproof/turnproof/internal/formattest"
	"github.com/turnproof/turnproof/internal/modeltest"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format/textfile"
)

func parseTurnSet(text string, n *model.Network) (*model.TurnSet, TurnSetInfo, error) {
	src, err := textfile.New("set", strings.NewReader(text), nil)
	if err != nil {
		return nil, TurnSetInfo{}, err
	}
	return readTurnSet(src, n)
}

func writtenSet(t rapid.TB, set *model.TurnSet, info TurnSetInfo) string {
	var b bytes.Buffer
	if err := WriteTurnSet(&b, set, info); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestTurnSetAgain: any turn set that is written can be read again, and is valid according to the
// schema.
func TestTurnSetAgain(t *testing.T) {
	schema, err := jsonschema.NewCompiler().Compile("../../../docs/schema/turn-set.json")
	if err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(t *rapid.T) {
		n := modeltest.Network(t, 6).WithVCs(rapid.IntRange(1, 3).Draw(t, "vcs"))
		set := model.NewTurnSet(n)
		for turn := range model.Turns(n, true) {
			if rapid.Bool().Draw(t, "allowed") {
				set.Add(turn)
			}
		}
		info := TurnSetInfo{Method: rapid.String().Draw(t, "method")}
		if rapid.Bool().Draw(t, "tree") {
			root := model.SwitchID(rapid.IntRange(0, n.NumSwitches()-1).Draw(t, "root"))
			info.Root = &root
		}
		text := writtenSet(t, set, info)
		v, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(v); err != nil {
			t.Fatal(err)
		}
		again, got, err := parseTurnSet(text, n)
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		if (got.Root == nil) != (info.Root == nil) || got.Root != nil && *got.Root != *info.Root {
			t.Fatalf("root %v, was %v", got.Root, info.Root)
		}
		if w := writtenSet(t, again, got); w != writtenSet(t, set, got) {
			t.Fatalf("written\n%s\nagain\n%s", text, w)
		}
	})
}

// TestTurnSetOfOneVC: a file with one VC applies to all VCs of the network.
func TestTurnSetOfOneVC(t *testing.T) {
	n, _ := formattest.Pair(t)
	set := model.NewTurnSet(n)
	two, _, err := parseTurnSet(writtenSet(t, set, TurnSetInfo{}), n.WithVCs(2))
	if err != nil || two.Len() != 0 {
		t.Errorf("%d turns, %v", two.Len(), err)
	}
}

func TestTurnSetErrors(t *testing.T) {
	n := formattest.Line3(t)
	good := writtenSet(t, model.NewTurnSet(n), TurnSetInfo{Method: "x"})
	if _, _, err := parseTurnSet(good, n); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ old, new, want string }{
		{`"switches": 3`, `"switches": 4`, "of a network with 4 switches and 2 links, this one has 3 and 2"},
		{`"wiring": "`, `"wiring": "0`, "wired in another way"},
		{`"method"`, `"methods"`, "unknown field"},
		{`turn-set/1`, `turn-set/2`, "turnproof.turn-set/1\" was expected"},
		{`"root": null`, `"root": 3`, "no switch 3 for the root"},
		{`"vcs": 1`, `"vcs": 2`, "of 2 VCs per channel, the network has 1"},
		{"[1, 2, 1]", "[1, 2]", "2 numbers, 3 were expected"},
		{"[1, 2, 1]", "[1, 2, 2]", "is a U-turn"},
		{"[1, 2, 1]", "[1, 2, 9]", "no link at port 9 of switch 1"},
		{"[1, 2, 1]", "[7, 2, 1]", "no switch 7"},
		{"[1, 2, 1]", "[1, 2, 99999]", "ports are 0 to"},
		{"[1, 2, 1]", "[1, 1, 2]", "does not come after"},
		{"]\n}\n", "", "is the file truncated?"},
		{"]\n}\n", "]\n}\nmore", "follows the end"},
		{`"vcs": 1`, "\"vcs\": 1,\n\"vcs\": 1", `set:6: no turn set: "vcs" occurs twice`},
		{`"vcs": 1`, `"VCs": 1`, `unknown field "VCs"`},
		{`"prohibited": [`, `"prohibited": [], "prohibited": [`, `"prohibited" occurs twice`},
		{"[1, 2, 1]", "[]", "0 numbers"},
		{`"prohibited": [`, `"prohibited": null, "x": [`, "unknown field"},
	} {
		text := strings.Replace(good, c.old, c.new, 1)
		if _, _, err := parseTurnSet(text, n); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s for %s: error %v, want one with %q", c.new, c.old, err, c.want)
		}
	}
}

// TestWiring: Wiring depends on ports, and not on the order and direction of links.
func TestWiring(t *testing.T) {
	build := func(swap bool, port model.Port) *model.Network {
		b := model.NewBuilder()
		for range 3 {
			b.AddSwitch(model.Switch{})
		}
		if swap {
			b.AddLink(2, 1, 1, port)
			b.AddLink(1, 1, 0, 1)
		} else {
			b.AddLink(0, 1, 1, 1)
			b.AddLink(1, port, 2, 1)
		}
		n, err := b.Build()
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	if Wiring(build(false, 2)) != Wiring(build(true, 2)) || Wiring(build(false, 2)) == Wiring(build(false, 3)) {
		t.Error("wiring differs for equal networks, or is the same for different ones")
	}
}

func FuzzTurnSet(f *testing.F) {
	n := formattest.Line3(f)
	f.Add([]byte(writtenSet(f, model.NewTurnSet(n), TurnSetInfo{Method: "x"})))
	f.Fuzz(func(t *testing.T, text []byte) {
		set, info, err := parseTurnSet(string(text), n)
		if err != nil {
			return
		}
		again, _, err := parseTurnSet(writtenSet(t, set, info), n)
		if err != nil || again.Len() != set.Len() {
			t.Errorf("%d turns, %d again, %v", set.Len(), again.Len(), err)
		}
	})
}
