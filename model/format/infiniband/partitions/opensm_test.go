package partitions

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format/infiniband"
	"github.com/turnproof/turnproof/model/topo"
)

// talk returns the pairs of ports that may talk by their tables of P_Keys.
func talk(tables [][]uint16) (list []model.Flow) {
	for a, x := range tables {
		for b, y := range tables {
			if a != b && slices.ContainsFunc(x, func(k uint16) bool {
				return slices.ContainsFunc(y, func(l uint16) bool { return k&0x7fff == l&0x7fff && (k|l)&0x8000 != 0 })
			}) {
				list = append(list, model.Flow{Source: model.HostID(a), Dest: model.HostID(b), Amount: 1})
			}
		}
	}
	return list
}

// TestOpenSM compares with the tables that OpenSM 3.3.23 gives to the ports of a simulated ring of 8 hosts (smpquery pkeys), in order.
func TestOpenSM(t *testing.T) {
	n, err := topo.Parse("ring:8")
	if err == nil {
		n, err = infiniband.Addressed(n)
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ text, tables string }{
		{"Default=0x7fff : P1=full, P2=full ;\n", "7fff|ffff|ffff|7fff|7fff|7fff|7fff|7fff"},
		{"Default=0x7fff : P0=full ;\nStorage=0x80 : P1=full, P2 ;\nStorage : P3, P4, P7 ;\n",
			"ffff|7fff 8080|0080 7fff|0080 7fff|0080 7fff|7fff|7fff|0080 7fff"},
		{"Default=0x7fff : P0=full ;\n0x8080 : P1=full, P2 ;\nS=0x80 : P4=full ;\n", "ffff|7fff 8080|0080 7fff|7fff|7fff 8080|7fff|7fff|7fff"},
		{"Default=0x7fff : P0=full ;\nA : P1=full, P2 ;\nB=0x1 : P4=full ;\n", "ffff|7fff 8001|0001 7fff|7fff|7fff 8001|7fff|7fff|7fff"},
		{"Default=0x7fff : ALL=limited, P0=full ;\nS=0x80 : P2=full, P4=full, P5=full, P3 ;\nS : P1, P6, P7 ;\n",
			"ffff|0080 7fff|7fff 8080|0080 7fff|7fff 8080|7fff 8080|0080 7fff|0080 7fff"},
		{"Default=0x7fff : ALL=limited, P0=full ;\nCompute : P2=full, P4=full, P5=full, P3 ;\nStorage=0x1 : P1, P6, P7 ;\n",
			"ffff|0001 7fff|7fff 8001|0001 7fff|7fff 8001|7fff 8001|0001 7fff|0001 7fff"},
		{"Default=0x7fff : P0=full ;\nDefault : ALL=full ;\n", "ffff|ffff|ffff|ffff|ffff|ffff|ffff|ffff"},
		{"Default=0x7fff : ALL=full ;\nDefault=0x7fff : ALL=limited, P0=full ;\n", "ffff|7fff|7fff|7fff|7fff|7fff|7fff|7fff"},
	} {
		var tables [][]uint16
		for port := range strings.SplitSeq(c.tables, "|") {
			tables = append(tables, nil)
			for k := range strings.FieldsSeq(port) {
				v, err := strconv.ParseUint(k, 16, 16)
				if err != nil {
					t.Fatal(err)
				}
				tables[len(tables)-1] = append(tables[len(tables)-1], uint16(v))
			}
		}
		if list, err := read(withGUIDs(c.text, n), n); err != nil || !slices.Equal(list, talk(tables)) {
			t.Errorf("%s: %v, %v, want %v", c.text, list, err, talk(tables))
		}
	}
}

// TestRandomRules compares with a second reading, which keeps a table for each port: a word on a port replaces its P_Key.
func TestRandomRules(t *testing.T) {
	n := ring(t)
	r := rand.New(rand.NewPCG(5, 1))
	for range 2000 {
		keys := map[string]uint16{"Default": 0x7fff} // of the names
		tables := [][]uint16{{0x7fff}, {0x7fff}, {0x7fff}, {0x7fff}}
		text, isStated := "Default=0x7fff : ", false
		for rule := range 1 + r.IntN(6) {
			k := uint16(0x7fff)
			if name := string(rune('A' + r.IntN(3))); rule > 0 {
				bound, known := keys[name]
				given := 1 + uint16(r.IntN(3))
				taken := false // by a rule above
				for _, x := range keys {
					taken = taken || x == given
				}
				switch {
				case r.IntN(2) == 0 && known:
					k, text = bound, text+name+" : "
				case known || taken:
					k, text = given, text+fmt.Sprintf("%#x : ", given|uint16(r.IntN(2))<<15)
					if !taken {
						keys["number "+fmt.Sprint(given)] = given
					}
				case r.IntN(2) == 0: // the least that is free
					used := []uint16{}
					for _, x := range keys {
						used = append(used, x)
					}
					for k = 1; slices.Contains(used, k); k++ {
					}
					keys[name], text = k, text+name+" :\n"
				default:
					k, text = given, text+fmt.Sprintf("%s=%d : ", name, given)
					keys[name] = given
				}
			}
			for word := range 1 + r.IntN(4) {
				port, isFull := r.IntN(5), r.IntN(2) == 0
				isStated = isStated || port == 4 && k == 0x7fff
				for p := range tables {
					if port == p || port == 4 {
						tables[p] = slices.DeleteFunc(tables[p], func(x uint16) bool { return x&0x7fff == k })
						tables[p] = append(tables[p], k|map[bool]uint16{true: 0x8000}[isFull])
					}
				}
				text += []string{"", ", ", "\n"}[min(word, 1+r.IntN(2))] + []string{"P0", "P1", "P2", "P3", "ALL"}[port] + map[bool]string{true: "=full"}[isFull]
			}
			text += " ;\n"
		}
		list, err := read(withGUIDs(text, n), n)
		hasFull := isStated || slices.ContainsFunc(tables, func(x []uint16) bool { return slices.Contains(x, 0xffff) })
		if (err == nil) != (hasFull && talk(tables) != nil) || err == nil && !slices.Equal(list, talk(tables)) {
			t.Fatalf("%s%v, %v, want %v", text, list, err, talk(tables))
		}
	}
}
