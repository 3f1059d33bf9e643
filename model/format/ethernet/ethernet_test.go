package ethernet

import (
	"math/rand/v2"
	"net/netip"
	"slices"
	"testing"

	"github.com/turnproof/turnproof/model/format/ethernet/dumps"
)

// TestFlatNames checks the switches of files that are not in a subfolder.
func TestFlatNames(t *testing.T) {
	for name, want := range map[string]string{
		"l1.show_ip_route.json": "l1", "leaf_1_routes.json.gz": "leaf_1", "show_ip_route-leaf-2.json": "leaf-2", "spine1.dc1-lldp.json": "spine1.dc1",
		"lldp.spine1.json": "spine1", "ip-addr_r7.txt": "r7",
	} {
		list := []found{{path: "dumps/" + name}}
		if nameFlat(list); list[0].sw != want {
			t.Errorf("%s is of %s, want %s", name, list[0].sw, want)
		}
	}
}

// TestNatural checks the order of interface names.
func TestNatural(t *testing.T) {
	want := []string{"eth0", "Ethernet4", "Ethernet8", "Ethernet10/2", "Ethernet10/11", "swp1", "swp1s0", "swp2", "swp10"}
	got := slices.Clone(want)
	slices.Reverse(got)
	slices.SortFunc(got, compareNatural)
	if i := slices.Index(got, "swp10"); i != len(got)-1 || slices.Index(got, "Ethernet10/2") > slices.Index(got, "Ethernet10/11") ||
		slices.Index(got, "Ethernet8") > slices.Index(got, "Ethernet10/2") {
		t.Errorf("order %v", got)
	}
}

// TestAtoms compares atoms and longest prefixes with every single address of a small block, on random routes.
func TestAtoms(t *testing.T) {
	const base, bits = 10 << 24, 26
	via := netip.MustParseAddr("10.1.0.1")
	for seed := range uint64(3000) {
		r := rand.New(rand.NewPCG(seed, 1))
		fibs := make([]fib, 1+r.IntN(3))
		for u := range fibs {
			table := &dumps.Table{Sets: [][]dumps.NextHop{{{Dev: "host"}}, {{Via: via, Dev: "swp1"}}, {{Via: via, Dev: "swp2"}}}}
			seen := map[dumps.Key]bool{}
			for range r.IntN(8) {
				length := uint8(bits + r.IntN(33-bits))
				k := dumps.Key{Addr: base | uint32(r.IntN(64))>>(32-length)<<(32-length), Bits: length}
				if !seen[k] {
					seen[k] = true
					table.Entries = append(table.Entries, dumps.Entry{Key: k, Set: int32(r.IntN(3))})
				}
			}
			slices.SortFunc(table.Entries, func(a, b dumps.Entry) int { return a.Key.Compare(b.Key) })
			fibs[u] = newFIB(table, []hops{{local: true}, {ports: []end{{0, "swp1"}}}, {ports: []end{{0, "swp2"}}}})
		}
		checkAtoms(t, seed, fibs, base)
	}
}

// checkAtoms compares the atoms with the addresses: each address in a host prefix has the sets of one atom of this prefix at all
// switches, and each atom has an address.
func checkAtoms(t *testing.T, seed uint64, fibs []fib, base uint32) {
	t.Helper()
	hosts, atoms, _ := hostPrefixes(fibs, prefixesOf(fibs))
	rows := divide(fibs, hosts, atoms).rows
	hit := make([]bool, len(atoms))
	for offset := range uint32(64) {
		addr := dumps.Key{Addr: base | offset, Bits: 32}
		best, host := -1, -1
		for i, a := range atoms {
			if a.key.Contains(addr) && (best < 0 || a.key.Bits > atoms[best].key.Bits) {
				best = i
			}
		}
		for i, h := range hosts {
			if h.key.Contains(addr) && (host < 0 || h.key.Bits > hosts[host].key.Bits) {
				host = i
			}
		}
		if best < 0 != (host < 0) || best >= 0 && atoms[best].host != host {
			t.Fatalf("seed %d, address %d: atom %d, host prefix %d", seed, offset, best, host)
		}
		if best < 0 {
			continue
		}
		hit[best] = true
		for u, f := range fibs {
			set, length := int32(-1), -1
			for _, e := range f.table.Entries {
				if e.Key.Contains(addr) && int(e.Key.Bits) > length {
					set, length = e.Set, int(e.Key.Bits)
				}
			}
			if got := rows[atoms[best].class][u]; got != set {
				t.Fatalf("seed %d, address %d at switch %d: set %d, want %d", seed, offset, u, got, set)
			}
		}
	}
	if i := slices.Index(hit, false); i >= 0 {
		t.Fatalf("seed %d: atom %v has no address", seed, atoms[i])
	}
}
