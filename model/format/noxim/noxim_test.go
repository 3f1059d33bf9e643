package noxim

import (
	"fmt"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/internal/modeltest"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format"
	"github.com/turnproof/turnproof/model/format/textfile"
)

const text = `# Noxim
topology: MESH
mesh_dim_x: 5
mesh_dim_y: 4
buffer_depth: 4
n_virtual_channels: 2
routing_algorithm: ODD_EVEN
routing_table_filename: "t.txt"
selection_strategy: RANDOM
min_packet_size: 2
max_packet_size: 8
use_winoc: false
Hubs:
    defaults:
        rx_radio_channels: [0]
`

func readText(text string) (*format.Routed, error) {
	src, err := textfile.New("conf", strings.NewReader(text), nil)
	if err != nil {
		return nil, err
	}
	return read(src)
}

// TestAlgorithms walks all packets of all algorithms: each hop leads nearer to the destination, and no algorithm makes a turn that the
// turn model of its paper prohibits. North is row 0.
func TestAlgorithms(t *testing.T) {
	// Each pair is a turn from a direction to another one, with the parity of its column or "" for all.
	prohibited := map[string][]string{
		"XY":             {"north east", "north west", "south east", "south west"},
		"WEST_FIRST":     {"north west", "south west"},
		"NORTH_LAST":     {"north east", "north west"},
		"NEGATIVE_FIRST": {"north west", "east south"},
		"ODD_EVEN":       {"east north even", "east south even", "north west odd", "south west odd"},
	}
	prohibited["DYAD"] = prohibited["ODD_EVEN"]
	for _, a := range algorithms {
		r, err := readText(strings.Replace(text, "ODD_EVEN", a.name, 1))
		if err != nil || r.Relation == nil {
			t.Fatal(a.name, err, r.Unrouted)
		}
		n, turns, adaptive := r.Network, map[string]bool{}, false
		word := map[model.Port]string{model.PlusPort(0): "east", model.MinusPort(0): "west", model.PlusPort(1): "south", model.MinusPort(1): "north"}
		for d := range model.DestID(20) {
			away := modeltest.Distances(n, model.SwitchID(d))
			for h := range model.HostID(20) {
				if int(h) == int(d) {
					continue
				}
				for _, class := range r.Relation.Inject(h, d, nil) {
					todo := []model.State{model.InjectState(r.Relation, h, d, class)}
					for len(todo) > 0 {
						s := todo[len(todo)-1]
						todo = todo[:len(todo)-1]
						c, _ := n.Channel(s.VC)
						u := n.Head(c)
						hops := r.Relation.Next(s, nil)
						if adaptive = adaptive || len(hops) > 1; len(hops) == 0 {
							t.Fatalf("%s: a packet from %d to %d ends at %d", a.name, h, d, u)
						}
						for _, hop := range hops {
							out, vc := n.Channel(hop.VC)
							if n.Kind(out) != model.SwitchToSwitch {
								continue
							}
							if away[n.Head(out)] >= away[u] || vc != int(class)/r.Relation.(*relation).columns {
								t.Fatalf("%s: a packet of class %d from %d to %d goes from %d to %d, VC %d", a.name, class, h, d, u, n.Head(out), vc)
							}
							if n.Kind(c) == model.SwitchToSwitch {
								parity := [...]string{"even", "odd"}[int(u)%5%2]
								turns[word[n.TailPort(c)]+" "+word[n.TailPort(out)]] = true
								turns[word[n.TailPort(c)]+" "+word[n.TailPort(out)]+" "+parity] = true
							}
							todo = append(todo, model.State{VC: hop.VC, Dest: d, Class: hop.Class})
						}
					}
				}
			}
		}
		for _, turn := range prohibited[a.name] {
			if turns[turn] {
				t.Errorf("%s makes the turn %s", a.name, turn)
			}
		}
		if adaptive == (a.name == "XY") {
			t.Errorf("%s: adaptive is %v", a.name, adaptive)
		}
	}
}

// TestRead: the sizes and what is ignored.
func TestRead(t *testing.T) {
	r, err := readText(text)
	if err != nil {
		t.Fatal(err)
	}
	if have := fmt.Sprint(r.Run.Packet, r.Run.Buffer, r.Run.Atomic, r.Run.Lengths, r.Run.Ignored, r.Network.VCs(), r.Network.NumSwitches()); have != "8 4 false false [selection_strategy RANDOM] 2 20" {
		t.Error(have)
	}
	if !isConfig([]byte(text)) || isConfig([]byte("name: x\nrouting: {}\n")) {
		t.Error("not recognised")
	}
	if r, err = readText(strings.Replace(text, "ODD_EVEN", "TABLE_BASED", 1)); err != nil || r.Unrouted == nil || !strings.Contains(r.Unrouted.Error(), "want this file behind --routing") {
		t.Error(err, r)
	}
}

// TestUnknown: keys that are not listed are named in a warning, others are not.
func TestUnknown(t *testing.T) {
	r, err := readText(strings.Replace(text, "use_winoc: false", "use_winoc: Off\nroute_algorithm2: XY", 1))
	if err != nil || fmt.Sprint(r.Warnings) != "[conf: keys that Noxim does not have, without effect: route_algorithm2 (line 13)]" {
		t.Error(err, r)
	}
	if r, err = readText(text); err != nil || r.Warnings != nil {
		t.Error(err, r)
	}
}

func TestRefused(t *testing.T) {
	for change, want := range map[string]string{
		"MESH>OMEGA":                    "conf:2: topology: OMEGA is not read: a delta network",
		"MESH>RING":                     "conf:2: topology: RING is none of Noxim's",
		"false>true":                    "conf:12: use_winoc: true is not read",
		"x: 5>x: 0":                     "conf:3: mesh_dim_x: 0, allowed are 1 to 1024",
		"depth: 4>depths: 4":            "buffer_depth is missing",
		"packet_size: 2>packet_size: 9": "conf:11: max_packet_size: 8, allowed are 9 to",
		"topology: MESH>a: b: c":        "conf:2:",
		"false>Yes":                     "conf:12: use_winoc: true is not read",
		"false>maybe":                   "conf:12: use_winoc: \"maybe\"; want true or false",
		"topology: MESH>topology: [A]":  "conf:2: topology: want one value",
	} {
		old, now, _ := strings.Cut(change, ">")
		if _, err := readText(strings.Replace(text, old, now, 1)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v; want %q", change, err, want)
		}
	}
	if r, err := readText(strings.Replace(text, "ODD_EVEN", "SPIRAL", 1)); err != nil || r.Unrouted == nil {
		t.Error(err, r)
	}
}

func FuzzRead(f *testing.F) {
	f.Add(text)
	f.Add("mesh_dim_x: 1\n")
	f.Fuzz(func(t *testing.T, text string) {
		if r, err := readText(text); err == nil && (r.Network == nil || r.Relation == nil && r.Unrouted == nil) {
			t.Errorf("%q: %+v", text, r)
		}
	})
}
