package traffic

import (
	"math/rand/v2"
	"testing"

	"github.com/turnproof/turnproof/engine"
	"github.com/turnproof/turnproof/internal/modeltest"
	"github.com/turnproof/turnproof/model"
)

// TestCollective checks a complete exchange in two rounds. Each pair of hosts occurs once in each
// round.
func TestCollective(t *testing.T) {
	n := network(t, "ring:5")
	c, err := NewCollective(n, pattern(t, "all-to-all", n, 0), CollectiveOptions{Packets: 4, Flits: 7, Rounds: 2, Every: 1000})
	if err != nil {
		t.Fatal(err)
	}
	if c.Packets() != 40 {
		t.Errorf("%d packets, want 40", c.Packets())
	}
	count, ids := map[[3]int]int{}, map[int64]bool{}
	for h := range model.HostID(5) {
		for p, ok := c.Next(h); ok; p, ok = c.Next(h) {
			if p.Created%1000 != 0 || p.Flits != 7 || p.Source != h || ids[p.ID] {
				t.Errorf("%+v", p)
			}
			ids[p.ID] = true
			count[[3]int{int(p.Created), int(h), int(p.Dest)}]++
		}
	}
	for round := range 2 {
		for h := range 5 {
			for d := range 5 {
				if got := count[[3]int{1000 * round, h, d}]; (got == 1) != (h != d) || got > 1 {
					t.Errorf("round %d: %d packets from %d to %d", round, got, h, d)
				}
			}
		}
	}
}

// TestCollectiveSilent: hosts without a destination do not count.
func TestCollectiveSilent(t *testing.T) {
	n := network(t, "ring:5")
	c, err := NewCollective(n, pattern(t, "random-pair", n, 1), CollectiveOptions{Packets: 3, Flits: 1})
	if err != nil {
		t.Fatal(err)
	}
	packets := int64(0)
	for h := range model.HostID(5) {
		for p, ok := c.Next(h); ok; p, ok = c.Next(h) {
			packets++
			if p.Created != 0 {
				t.Errorf("%+v", p)
			}
		}
	}
	if packets != 12 || c.Packets() != 12 {
		t.Errorf("%d packets, want %d", packets, c.Packets())
	}
	none := drawn(func(model.HostID, *rand.Rand) model.HostID { return model.NoHost })
	if c, err = NewCollective(n, none, CollectiveOptions{Packets: 3, Flits: 1}); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if p, ok := c.Next(2); ok {
			t.Errorf("to no host: %+v", p)
		}
	}
}

func TestCollectiveErrors(t *testing.T) {
	n := network(t, "ring:5")
	p := pattern(t, "uniform", n, 0)
	for want, o := range map[string]CollectiveOptions{
		"traffic: 1 rounds of 0 packets a host, allowed are 1 to 1073741824 of each": {Flits: 1},
		"traffic: packets of 0 flits, at least 1 is needed":                          {Packets: 1},
		"traffic: 1 rounds every -1 clocks":                                          {Packets: 1, Flits: 1, Every: -1},
		"traffic: 4 rounds every 1152921504606846975 clocks":                         {Packets: 1, Flits: 1, Rounds: 4, Every: never - 1},
	} {
		if _, err := NewCollective(n, p, o); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// TestDestinations: each source asks for the destination that belongs to a host.
func TestDestinations(t *testing.T) {
	n := network(t, "ring:3")
	r := &modeltest.Relation{Net: n, Dests: []model.HostID{2, 2, 0, 1, 0}}
	list, err := Destinations(r)
	if err != nil {
		t.Fatal(err)
	}
	s := steady(t, n, pattern(t, "neighbour", n, 0), Options{Load: 0.5, Flits: 1, Dests: list})
	c, err := NewCollective(n, pattern(t, "neighbour", n, 0), CollectiveOptions{Packets: 1, Flits: 1, Dests: list})
	if err != nil {
		t.Fatal(err)
	}
	for h, want := range []model.DestID{3, 0, 2} { // the first of hosts 1, 2, 0
		for _, source := range []engine.Source{s, c} {
			if p, ok := source.Next(model.HostID(h)); !ok || p.Dest != want {
				t.Errorf("host %d: %+v, want destination %d", h, p, want)
			}
		}
	}
	r.Dests = []model.HostID{0, 1}
	if _, err := Destinations(r); err == nil || err.Error() != "traffic: the routing knows no destination at host 2" {
		t.Error(err)
	}
}
