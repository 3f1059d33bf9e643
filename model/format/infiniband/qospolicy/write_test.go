package qospolicy

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/internal/formattest"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format/infiniband"
	"github.com/turnproof/turnproof/model/topo"
)

// policyLevel returns the SL that a policy gives a path: that of the first rule that fits.
func policyLevel(t *testing.T, policy string, from, to uint64) int {
	t.Helper()
	groups, levels := map[string]string{}, map[string]int{}
	name, source, dest := "", "", ""
	for line := range strings.Lines(policy) {
		key, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
		switch key {
		case "name":
			name = value
		case "port-guid":
			groups[name] = value
		case "sl":
			var sl int
			if _, err := fmt.Sscan(value, &sl); err != nil {
				t.Fatal(err)
			}
			levels[name] = sl
		case "source":
			source = groups[value]
		case "destination":
			dest = groups[value]
		case "qos-level-name":
			if strings.Contains(source, fmt.Sprintf("0x%016x", from)) && strings.Contains(dest, fmt.Sprintf("0x%016x", to)) {
				return levels[value]
			}
		}
	}
	return levels["DEFAULT"]
}

// TestWrite draws levels and reads them from the policy by the first rule that fits.
func TestWrite(t *testing.T) {
	n, err := topo.Parse("mesh:3x2,hosts=2")
	if err != nil {
		t.Fatal(err)
	}
	if n, err = infiniband.Addressed(n); err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(1, 2))
	for most := 1; most <= 4; most++ {
		var dests []model.Destination
		for h := range model.HostID(n.NumHosts()) {
			dests = append(dests, model.Destination{Host: h, LID: n.Host(h).LID})
		}
		tab := model.NewTable(n, dests)
		var sets []model.ClassSet
		for range n.NumHosts() * n.NumHosts() { // all destinations are hosts
			sets = append(sets, 1<<random.IntN(most))
		}
		tab.SetClasses(sets, nil)
		var text strings.Builder
		if err := Write(&text, tab); err != nil {
			t.Fatal(err)
		}
		seen := map[int]int{}
		for h := range model.HostID(n.NumHosts()) {
			for d := range model.DestID(tab.Destinations()) {
				to := tab.DestinationHost(d)
				if to == h {
					continue
				}
				got := policyLevel(t, text.String(), infiniband.PortGUIDOf(n, h), infiniband.PortGUIDOf(n, to))
				if seen[got]++; tab.ClassesOf(h, d) != 1<<got {
					t.Errorf("host %d to host %d: level %d, want the set %b", h, to, got, tab.ClassesOf(h, d))
				}
			}
		}
		if len(seen) != most {
			t.Errorf("levels %v, want %d", seen, most)
		}
	}
}

// TestWriteRefuses: levels that no policy can give.
func TestWriteRefuses(t *testing.T) {
	n, tab := formattest.Pair(t)
	write := func(sets []model.ClassSet, m *model.VCMap) string {
		tab.SetClasses(sets, m)
		err := Write(&strings.Builder{}, tab)
		if err == nil {
			return ""
		}
		return err.Error()
	}
	sets := make([]model.ClassSet, tab.Destinations()*n.NumHosts())
	for i := range sets {
		sets[i] = 2
	}
	if got := write(sets, nil); got != "" {
		t.Errorf("level 1 for all: %s", got)
	}
	identity := model.NewVCMap(n)
	if got := write(sets, identity); got != "" {
		t.Errorf("VL = SL: %s", got)
	}
	identity.Set(n, 0, 0, 1, 1, 0)
	if got := write(sets, identity); !strings.Contains(got, "maps SL 1 to VL 0") {
		t.Errorf("another map: %q", got)
	}
	refused := map[string]bool{}
	for i := range sets {
		for word, set := range map[string]model.ClassSet{"several service levels": 6, "to another LID": 4} {
			old := sets[i]
			sets[i] = set
			if got := write(sets, nil); strings.Contains(got, word) {
				refused[word] = true
			}
			sets[i] = old
		}
	}
	if len(refused) != 2 {
		t.Errorf("refused: %v", refused)
	}
}
