package verify_test

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/turnproof/turnproof/internal/longtest"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format"
	"github.com/turnproof/turnproof/verify"
)

// farFabric is a small fabric with adaptive tables. The judge below reads nothing else.
type farFabric struct {
	switches int
	links    [][2]int  // between switches; link i has port i+2 at both ends, hosts have port 1
	group    [][][]int // by switch and LID of a host (1 + its switch): the ports, nil: no entry
	hashed   [][]bool  // by switch and LID
}

// end returns the switch to which port p of switch u leads, or -1.
func (f *farFabric) end(u, p int) int {
	if p < 2 || p-2 >= len(f.links) {
		return -1
	}
	switch l := f.links[p-2]; u {
	case l[0]:
		return l[1]
	case l[1]:
		return l[0]
	}
	return -1
}

// distances returns the hops from each switch to switch d.
func (f *farFabric) distances(d int) []int {
	dist := make([]int, f.switches)
	for i := range dist {
		dist[i] = 99
	}
	dist[d] = 0
	for range f.switches {
		for _, l := range f.links {
			dist[l[0]] = min(dist[l[0]], dist[l[1]]+1)
			dist[l[1]] = min(dist[l[1]], dist[l[0]]+1)
		}
	}
	return dist
}

// network builds the fabric's network.
func (f *farFabric) network() *model.Network {
	b := model.NewBuilder()
	for u := range f.switches {
		b.AddSwitch(model.Switch{Name: fmt.Sprint("S", u), GUID: uint64(0x100 + u), Ports: len(f.links) + 1, LID: uint16(100 + u)})
	}
	for i, l := range f.links {
		b.AddLink(model.SwitchID(l[0]), model.Port(i+2), model.SwitchID(l[1]), model.Port(i+2))
	}
	for u := range f.switches {
		b.AddHost(model.Host{Name: fmt.Sprint("H", u), Switch: model.SwitchID(u), Port: 1, NodeGUID: uint64(0x200 + u), PortGUID: uint64(0x200 + u), LID: uint16(u + 1), NodePort: 1})
	}
	n, err := b.Build()
	if err != nil {
		panic(err)
	}
	return n
}

// text writes the tables as ibdiagnet does. Each entry has a group of its own. Free and hashed
// override the states of the entries.
func (f *farFabric) text() []byte {
	var w bytes.Buffer
	fmt.Fprintf(&w, "# made by a test\nFile version: 1\n")
	for u := range f.switches {
		fmt.Fprintf(&w, "Switch 0x%016x en_ar: 1\nGroups Definition:\nGroup  Sub Group  WHBF  Ports\n------\n", 0x100+u)
		for lid := 1; lid <= f.switches; lid++ {
			ports := f.group[u][lid]
			for sub := range ports { // one sub group for each port
				fmt.Fprintf(&w, "%-6d %-10d 0     %d,\n", lid, sub, ports[sub])
			}
		}
		fmt.Fprintf(&w, "LFT Definition:\nPLFT_NUM: 0, top: 0x%x\nLID    Static Port   Lid State  Group\n------\n", f.switches)
		for lid := 1; lid <= f.switches; lid++ {
			state := "Free"
			if f.hashed[u][lid] {
				state = "HBF"
			}
			if lid == u+1 {
				fmt.Fprintf(&w, "0x%04x  1 Static 0\n", lid)
			} else {
				fmt.Fprintf(&w, "0x%04x  %d %s %d\n", lid, 255, state, lid)
			}
		}
	}
	return w.Bytes()
}

// packet is a packet to a LID on a channel: link i from its end 0 (2i) or from its end 1 (2i+1).
type packet struct{ channel, lid int }

// next returns the channels that a packet at switch u to lid may take, having come by port in.
func (f *farFabric) next(u, in, lid int) (list []int) {
	var ports []int
	for _, p := range f.group[u][lid] {
		if f.end(u, p) >= 0 && !slices.Contains(ports, p) {
			ports = append(ports, p)
		}
	}
	for _, p := range ports {
		if p == in && len(ports) > 1 {
			continue
		}
		c := 2 * (p - 2)
		if f.links[p-2][1] == u {
			c++
		}
		list = append(list, c)
	}
	return list
}

// head returns the switch that channel c enters.
func (f *farFabric) head(c int) int { return f.links[c/2][1-c%2] }

// walk follows packets from every host to every other one, and returns all packets and whether
// none gets lost.
func (f *farFabric) walk() (seen map[packet]bool, lost bool) {
	seen = map[packet]bool{}
	var todo []packet
	step := func(u, in, lid int) {
		if u == lid-1 {
			return
		}
		list := f.next(u, in, lid)
		lost = lost || len(list) == 0
		for _, c := range list {
			if p := (packet{c, lid}); !seen[p] {
				seen[p] = true
				todo = append(todo, p)
			}
		}
	}
	for u := range f.switches {
		for lid := 1; lid <= f.switches; lid++ {
			step(u, 1, lid)
		}
	}
	for len(todo) > 0 {
		p := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		step(f.head(p.channel), p.channel/2+2, p.lid)
	}
	return seen, lost
}

// deadlocks tries every set of channels: each holds a packet that waits for channels of the set
// alone. A hashed packet waits for one of its channels, any other one for all of them.
func (f *farFabric) deadlocks(seen map[packet]bool) bool {
	all := make([][]uint32, 2*len(f.links)) // by channel: the sets that its packets wait for
	for p := range seen {
		u, set := f.head(p.channel), uint32(0)
		if u == p.lid-1 {
			continue
		}
		for _, c := range f.next(u, p.channel/2+2, p.lid) {
			if set |= 1 << c; f.hashed[u][p.lid] {
				all[p.channel] = append(all[p.channel], 1<<c)
			}
		}
		if set != 0 && !f.hashed[u][p.lid] {
			all[p.channel] = append(all[p.channel], set)
		}
	}
	for k := uint32(1); k < 1<<len(all); k++ {
		stands := true
		for c := 0; c < len(all) && stands; c++ {
			if k>>c&1 != 0 {
				stands = false
				for _, w := range all[c] {
					stands = stands || w&^k == 0
				}
			}
		}
		if stands {
			return true
		}
	}
	return false
}

// randomFar draws a fabric: a ring with further links, and for each entry the ports on shortest
// paths, some of them, or any ports.
func randomFar(rng *rand.Rand) *farFabric {
	f := &farFabric{switches: 3 + rng.IntN(3)}
	for u := range f.switches {
		f.links = append(f.links, [2]int{u, (u + 1) % f.switches})
	}
	for range rng.IntN(3) {
		if a, b := rng.IntN(f.switches), rng.IntN(f.switches); a != b {
			f.links = append(f.links, [2]int{a, b})
		}
	}
	f.group, f.hashed = make([][][]int, f.switches), make([][]bool, f.switches)
	wild, kind := rng.IntN(4) == 0, rng.IntN(3)
	for u := range f.switches {
		f.group[u], f.hashed[u] = make([][]int, f.switches+1), make([]bool, f.switches+1)
	}
	for lid := 1; lid <= f.switches; lid++ {
		dist := f.distances(lid - 1)
		for u := range f.switches {
			f.hashed[u][lid] = kind == 1 || kind == 2 && rng.IntN(2) == 0
			for p := 2; p < len(f.links)+2; p++ {
				v := f.end(u, p)
				if v >= 0 && (dist[v] < dist[u] || wild && rng.IntN(5) == 0) {
					f.group[u][lid] = append(f.group[u][lid], p)
				}
			}
			if g := f.group[u][lid]; len(g) > 1 && rng.IntN(4) == 0 {
				f.group[u][lid] = g[:1]
			}
			switch rng.IntN(100) {
			case 0:
				f.group[u][lid] = nil
			case 1, 2, 3: // a port without a cable, at most switches
				f.group[u][lid] = append(f.group[u][lid], 2+rng.IntN(len(f.links)))
			}
		}
	}
	return f
}

// check reads the tables from a file and decides them.
func (f *farFabric) check(t *testing.T, n *model.Network) *verify.Report {
	t.Helper()
	file := filepath.Join(t.TempDir(), "ibdiagnet2.far")
	if err := os.WriteFile(file, f.text(), 0o644); err != nil {
		t.Fatal(err)
	}
	r, _, err := format.ReadRouting(file, n, format.Options{})
	if err != nil {
		t.Fatalf("%v\n%s", err, f.text())
	}
	var rel model.Relation = r.Table
	if r.Adaptive != nil {
		rel = r.Adaptive
	}
	rep, err := verify.Check(context.Background(), rel, verify.Options{Switching: model.CutThrough})
	if err != nil {
		t.Fatal(err)
	}
	return rep
}

// escapes reports whether the tables are free of deadlock if all entries adapt, and not if all hash.
func (f *farFabric) escapes(t *testing.T) bool {
	t.Helper()
	same := *f
	var dead [2]bool
	for i := range dead {
		same.hashed = make([][]bool, f.switches)
		for u := range same.hashed {
			same.hashed[u] = slices.Repeat([]bool{i == 1}, f.switches+1)
		}
		rep := same.check(t, same.network())
		seen, _ := same.walk()
		if dead[i] = same.deadlocks(seen); dead[i] != (rep.DeadlockFree.Verdict == verify.Refuted) {
			t.Fatalf("hashed %v: deadlock-free is %s, by search over all sets a deadlock: %v\n%v\n%s", i == 1, rep.DeadlockFree.Verdict, dead[i], f.links, same.text())
		}
	}
	return !dead[0] && dead[1]
}

// TestAdaptiveTables decides random adaptive tables and compares the verdicts with a walk of all
// packets and a search over all sets of channels.
func TestAdaptiveTables(t *testing.T) {
	rng := rand.New(rand.NewPCG(24, 1))
	count := map[string]int{}
	for i := range longtest.Share(300, 3) {
		f := randomFar(rng)
		if f.escapes(t) {
			count["escape"]++
		}
		rep := f.check(t, f.network())
		seen, lost := f.walk()
		dead := f.deadlocks(seen)
		if got := rep.DeadlockFree.Verdict; (got == verify.Refuted) != dead || got == verify.Undecided {
			t.Fatalf("case %d: deadlock-free is %s, by search over all sets a deadlock: %v\n%v\n%s", i, got, dead, f.links, f.text())
		}
		if lost && rep.Connected.Verdict != verify.Refuted {
			t.Fatalf("case %d: connected is %s, but a packet gets lost\n%v\n%s", i, rep.Connected.Verdict, f.links, f.text())
		}
		count[fmt.Sprint("deadlock ", dead)]++
		if lost {
			count["lost"]++
		}
		count[string(rep.Waiting)]++
	}
	for _, key := range []string{"deadlock true", "deadlock false", "lost", "escape", "any", "mixed", "one"} {
		if least := longtest.Share(10, 3); count[key] < least {
			t.Errorf("%d cases of %q, want at least %d: %v", count[key], key, least, count)
		}
	}
	t.Log(count)
}
