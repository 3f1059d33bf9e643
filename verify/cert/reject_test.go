package cert_test

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	. "github.com/turnproof/turnproof/verify/cert"
)

// TestRejects holds messages against changes of a subject or of evidence.
func TestRejects(t *testing.T) {
	line, rows, adaptive, loop := certify(stories[1].subject()), certify(stories[5].subject()), certify(stories[10].subject()), certify(stories[7].subject())
	huge := func(n int) Ints { return slices.Repeat(Ints{0}, n) }
	for _, bad := range []struct {
		of     *Certificate
		change func(c *Certificate)
		claim  string
		why    string
	}{
		{line, func(c *Certificate) { c.Schema += "0" }, "file", "schema"},
		{line, func(c *Certificate) { c.Subject.Switching = "deflection" }, "subject", "deflection"},
		{line, func(c *Certificate) { c.Subject.Inputs = []Input{{"a/b", strings.Repeat("0", 64)}} }, "subject", "base name"},
		{line, func(c *Certificate) { c.Subject.Inputs = []Input{{"b", strings.Repeat("A", 64)}} }, "subject", "SHA-256"},
		{line, func(c *Certificate) { c.Subject.Inputs = []Input{{"b", "00"}} }, "subject", "SHA-256"},
		{line, func(c *Certificate) { c.Subject.Inputs = []Input{{"", strings.Repeat("0", 64)}} }, "subject", "base name"},
		{line, func(c *Certificate) { c.Subject.Inputs = []Input{{"\xff", strings.Repeat("0", 64)}} }, "subject", "base name"},
		{line, func(c *Certificate) { c.Subject.Inputs = []Input{{"b", strings.Repeat("0", 63)}} }, "subject", "SHA-256"},
		{line, func(c *Certificate) { c.Subject.Inputs = []Input{{"b", strings.Repeat("0", 64) + "x"}} }, "subject", "SHA-256"},
		{line, func(c *Certificate) { c.Subject.Table = nil }, "subject", "neither"},
		{line, func(c *Certificate) { c.Subject.Relation = &Relation{} }, "subject", "both"},
		{line, func(c *Certificate) { c.Subject.Network.VCs = 0 }, "subject", "0 VCs"},
		{line, func(c *Certificate) { c.Subject.Network.VCs = 17 }, "subject", "17 VCs"},
		{line, func(c *Certificate) { c.Subject.Network.VCs = math.MaxInt }, "subject", "VCs per channel"},
		{line, func(c *Certificate) { c.Subject.Network.VCs = math.MaxInt32 }, "subject", "more than 2147483647 VCs"},
		{line, func(c *Certificate) { c.Subject.Network.VCs = 2 }, "acyclic-cdg", "8 ranks for 16"},
		{line, func(c *Certificate) { c.Subject.Network.Hosts = -1 }, "subject", "-1 hosts"},
		{line, func(c *Certificate) { c.Subject.Network.Hosts = 5 }, "subject", "5 hosts"},
		{line, func(c *Certificate) { c.Subject.Network.Switches[1] = "\xff" }, "subject", "switch 1 is not UTF-8"},
		{line, func(c *Certificate) { c.Subject.Network.Endpoints[1] = "\xff" }, "subject", "endpoint 1 is not UTF-8"},
		{line, func(c *Certificate) { c.Subject.Network.Links[2] = 0 }, "subject", "link 0 joins switch 0 to itself"},
		{line, func(c *Certificate) { c.Subject.Network.Links[1] = 2 }, "subject", "port 2 of switch 0 holds two cables"},
		{line, func(c *Certificate) { c.Subject.Network.Links[1] = -1 }, "subject", "port -1"},
		{line, func(c *Certificate) { c.Subject.Network.Links[0] = 4 }, "subject", "link 0: switch 4 of 4"},
		{line, func(c *Certificate) { c.Subject.Network.Attach[2] = -1 }, "subject", "host 1: switch -1"},
		{line, func(c *Certificate) { c.Subject.Network.Links = c.Subject.Network.Links[1:] }, "subject", "four per link"},
		{line, func(c *Certificate) { c.Subject.Network.Attach = nil }, "subject", "attach"},
		{line, func(c *Certificate) { c.Subject.Table.Sources = 5 }, "subject", "5 sources"},
		{line, func(c *Certificate) { c.Subject.Table.Destinations[1] = 4 }, "subject", "destination 1: endpoint 4"},
		{line, func(c *Certificate) { c.Subject.Network.Hosts = 3; c.Subject.Table.Destinations[0] = 3 }, "subject", "comes after"},
		{line, func(c *Certificate) { c.Subject.Table.LIDs[1] = -1 }, "subject", "LID -1"},
		{line, func(c *Certificate) { c.Subject.Table.LIDs[1] = 1 }, "subject", "LID 1 is that of two"},
		{line, func(c *Certificate) { c.Subject.Table.LIDs = nil }, "subject", "0 LIDs"},
		{line, func(c *Certificate) { c.Subject.Table.Ports[5] = -2 }, "subject", "port -2 of switch 1 for destination 1"},
		{line, func(c *Certificate) { c.Subject.Table.Ports = huge(15) }, "subject", "15 ports"},
		{line, func(c *Certificate) { x := huge(15); c.Subject.Table.Classes = &x }, "subject", "15 sets"},
		{line, func(c *Certificate) { x := huge(16); x[6] = 1 << 16; c.Subject.Table.Classes = &x }, "subject", "from host 2 to destination 1"},
		{line, func(c *Certificate) { x := huge(16); x[6] = 2; c.Subject.Table.Classes = &x }, "subject", "leaves switch 2 on VC index 1 of 1"},
		{line, func(c *Certificate) { x := huge(16); c.Subject.Table.ManagementClasses = &x }, "subject", "without such traffic"},
		{line, func(c *Certificate) {
			c.Subject.Network.Hosts = 3
			x := huge(15)
			c.Subject.Table.ManagementClasses = &x
		}, "subject", "15 sets"},
		{line, func(c *Certificate) {
			c.Subject.Network.Hosts = 3
			x := huge(16)
			x[6] = 1
			c.Subject.Table.ManagementClasses = &x
		}, "subject", "from host 2 to destination 1, a host"},
		{line, func(c *Certificate) { c.Subject.Table.VCRows = new(Ints) }, "subject", "one without the other"},
		{line, func(c *Certificate) { c.Subject.Table.VCRows, c.Subject.Table.VCRowOf = new(Ints), new(Ints) }, "subject", "not for 36"},
		{rows, func(c *Certificate) { (*c.Subject.Table.VCRows)[3] = 16 }, "subject", "VC 16"},
		{rows, func(c *Certificate) { (*c.Subject.Table.VCRows)[0] = 1 }, "subject", "row 1 is not greater"},
		{rows, func(c *Certificate) { *c.Subject.Table.VCRows = huge(17) }, "subject", "16 per row"},
		{rows, func(c *Certificate) { (*c.Subject.Table.VCRowOf)[7] = 2 }, "subject", "row 2 of 2"},
		{rows, func(c *Certificate) { *c.Subject.Table.VCRowOf = huge(36) }, "subject", "row 1 is not used"},

		{line, func(c *Certificate) { r := *c.Claims[0].Ranks; r[0], r[2] = r[2], r[0] }, "acyclic-cdg",
			"rank of VC 0 is not below that of VC 2, which a packet from host 0 to destination 2 takes next"},
		{line, func(c *Certificate) { (*c.Claims[0].Ranks)[0] = 8 }, "acyclic-cdg", "rank 8 of VC 0 is not in 0..7"},
		{line, func(c *Certificate) { r := *c.Claims[0].Ranks; r[1] = r[0] }, "acyclic-cdg", "another VC"},
		{line, func(c *Certificate) { c.Subject.Table.Ports[1] = -1 }, "connected", "packets of 3 of 12 pairs"},
		{line, func(c *Certificate) { *c.Claims[3].Hops = 5 }, "livelock-free", "4 switches at most, not 5"},
		{line, func(c *Certificate) { c.Claims = c.Claims[1:] }, "deadlock-free", "rests on acyclic-cdg"},
		{line, func(c *Certificate) { c.Claims[1].Evidence = EvidenceElimination }, "deadlock-free", "needs ranks"},
		{line, func(c *Certificate) { c.Claims[1].Pairs = new(int64) }, "deadlock-free", "has no pairs"},
		{line, func(c *Certificate) { c.Claims[2], c.Claims[3] = c.Claims[3], c.Claims[2] }, "connected", "not in order"},
		{line, func(c *Certificate) { c.Claims = append(c.Claims[:1:1], certify(stories[0].subject()).Claims[0]) }, "acyclic-cdg", "not unique"},

		{loop, func(c *Certificate) { p := &c.Claims[3].Packets[0]; p.Path = p.Path[:len(p.Path)-2] }, "livelock-free", "where it was not before"},
		{loop, func(c *Certificate) {
			p := &c.Claims[3].Packets[0]
			p.Path = append(p.Path, p.Path[len(p.Path)-4:len(p.Path)-2]...)
		}, "livelock-free", "again before its path ends"},

		{adaptive, func(c *Certificate) { c.Subject.Switching = "wormhole" }, "deadlock-free", "wormhole"},
		{adaptive, func(c *Certificate) { c.Subject.Relation.Classes = 1 }, "subject", "class 1 of 1"},
		{adaptive, func(c *Certificate) { c.Subject.Relation.Classes = 0 }, "subject", "0 classes"},
		{adaptive, func(c *Certificate) { c.Subject.Relation.States = c.Subject.Relation.States[1:] }, "subject", "state 0"},
		{adaptive, func(c *Certificate) { r := c.Subject.Relation; r.States = r.States[:len(r.States)-1] }, "subject", "more than there are numbers left"},
		{adaptive, func(c *Certificate) { r := c.Subject.Relation; r.States = append(r.States, 3) }, "subject", "cut off"},
		{adaptive, func(c *Certificate) { c.Subject.Relation.States[3] = math.MaxInt32 }, "subject", "more than there are"},
		{adaptive, func(c *Certificate) { c.Subject.Relation.States[3] = -1 }, "subject", "-1 next hops"},
		{adaptive, func(c *Certificate) { r := c.Subject.Relation; r.States = append(r.States, 3, 22, 1, 0) }, "subject", "no packet to destination 3 can reach VC 22 with class 1"},
		{adaptive, func(c *Certificate) { c.Subject.Relation.Inject = c.Subject.Relation.Inject[3:] }, "subject", "no packet to destination 1 can reach VC 16"},
		{adaptive, func(c *Certificate) { c.Subject.Relation.Inject[2] = 1 }, "subject", "states lack VC 16 with class 1"},
		{adaptive, func(c *Certificate) { c.Subject.Relation.Inject[1] = 0 }, "subject", "sends to itself"},
		{adaptive, func(c *Certificate) { c.Subject.Relation.Inject[0] = 1 }, "subject", "sends to itself"},
		{adaptive, func(c *Certificate) { x := c.Subject.Relation.Inject; copy(x[3:6], x[:3]) }, "subject", "inject 1 is not greater"},
	} {
		m := clone(bad.of)
		bad.change(m)
		err := Check(m)
		var rejection *Rejection
		if !errors.As(err, &rejection) {
			t.Errorf("want %q, error %v", bad.why, err)
			continue
		}
		if rejection.Claim != bad.claim || !strings.Contains(rejection.Reason, bad.why) {
			t.Errorf("error %q about %s, want %q about %s", err, rejection.Claim, bad.why, bad.claim)
		}
	}
	refused(t, "nothing", nil)
}

// TestHighPorts checks that the greatest port numbers are accepted and take no extra memory.
func TestHighPorts(t *testing.T) {
	s := tableOf(ring(4, 1), line)
	for i, p := range s.Network.Links {
		if i%2 == 1 {
			s.Network.Links[i] = math.MaxInt32 - p
		}
	}
	for i, p := range s.Table.Ports {
		if p < 3 {
			s.Table.Ports[i] = math.MaxInt32 - p
		}
	}
	c := certify(s)
	accepted(t, c)
	if got := testing.AllocsPerRun(5, func() { _ = Check(c) }); got > 100 {
		t.Errorf("%v allocations", got)
	}
}

// TestEdges checks subjects without packets, without links, and without switches.
func TestEdges(t *testing.T) {
	t.Parallel()
	alone := Network{VCs: 1, Switches: []string{"s"}, Endpoints: []string{"a", "b"}, Attach: Ints{0, 1, 0, 2}, Hosts: 2}
	for name, s := range map[string]Subject{
		"no network":      {Switching: "vct", Network: Network{VCs: 1}, Table: &Table{}},
		"no destinations": {Switching: "saf", Network: alone, Table: &Table{Sources: 2}},
		"one switch": {Switching: "vct", Network: alone,
			Table: &Table{Sources: 2, Destinations: Ints{0, 1}, LIDs: Ints{0, 0}, Ports: Ints{1, 2}}},
		"two addresses": {Switching: "vct", Network: alone,
			Table: &Table{Sources: 1, Destinations: Ints{1, 1}, LIDs: Ints{2, 3}, Ports: Ints{2, 2}}},
		"relation of nothing": {Switching: "vct", Network: Network{VCs: 1 << 30}, Relation: &Relation{Classes: 1}},
		"relation, no class":  {Switching: "vct", Network: alone, Relation: &Relation{Classes: 1, Sources: 2, Destinations: Ints{0, 1}}},
		"relation, one switch": {Switching: "wormhole", Network: alone, Relation: &Relation{Classes: 1, Sources: 2, Destinations: Ints{0, 1},
			Inject: Ints{0, 1, 0, 1, 0, 0}, States: Ints{0, 1, 0, 1, 2, 0, 1, 0, 0, 1, 3, 0}}},
	} {
		t.Run(name, func(t *testing.T) {
			c := certify(s)
			t.Log(verdicts(c))
			accepted(t, c)
			mutants(t, c)
		})
	}
}
