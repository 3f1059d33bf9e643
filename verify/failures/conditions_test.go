package failures_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/internal/longtest"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/protocol"
	"github.com/turnproof/turnproof/model/route"
	"github.com/turnproof/turnproof/model/topo"
	"github.com/turnproof/turnproof/verify"
	_ "github.com/turnproof/turnproof/verify/conditions"
	"github.com/turnproof/turnproof/verify/failures"
)

// protocolText draws a protocol. Its roles are the hosts of two lists, by name.
func protocolText(rng *rand.Rand, from, to []string) string {
	pick := func(list ...string) string { return list[rng.IntN(len(list))] }
	roles := fmt.Sprintf("roles: {a: %q, b: %q}\n", strings.Join(from, ","), strings.Join(to, ","))
	text := roles + "classes:\n  Get: {from: a, to: b, vn: 0" + pick("", ", queue: 2") + "}\n"
	text += "  Ask: {after: Get, to: " + pick("b", "a") + ", vn: " + pick("0", "1") + pick("", ", queue: 1") + "}\n"
	return text + "  Put: {after: Ask, to: " + pick("initiator", "sender") + ", vn: " + pick("0", "1", "2") + ", consumed: true}\n"
}

// drawHosts returns some hosts of n.
func drawHosts(rng *rand.Rand, n *model.Network) (list []model.HostID) {
	for h := range model.HostID(n.NumHosts()) {
		if rng.IntN(2) == 0 {
			list = append(list, h)
		}
	}
	return append(list, model.HostID(n.NumHosts()-1))
}

// leftNames returns the names of the hosts that are not at a switch.
func leftNames(n *model.Network, hosts []model.HostID, gone model.SwitchID) (list []string) {
	for _, h := range hosts {
		if n.Host(h).Switch != gone && (len(list) == 0 || list[len(list)-1] != n.HostLabel(h)) {
			list = append(list, n.HostLabel(h))
		}
	}
	return list
}

// TestProtocolsAfterFailures compares verdicts on protocols after the failure of each switch with those on a protocol that names only
// the hosts that are left, read for what is left of the network.
func TestProtocolsAfterFailures(t *testing.T) {
	count := map[string]int{}
	for seed := range longtest.Cases[uint64](40, 2000) {
		rng := rand.New(rand.NewPCG(seed, 49))
		n, err := topo.Parse([]string{"ring:4", "ring:3,hosts=2", "mesh:3x2", "complete:4", "line:4"}[rng.IntN(5)])
		if err != nil {
			t.Fatal(err)
		}
		from, to, draw := drawHosts(rng, n), drawHosts(rng, n), rng.Uint64()
		read := func(n *model.Network, gone model.SwitchID, whole *model.Network) (*model.Protocol, error) {
			a, b := leftNames(whole, from, gone), leftNames(whole, to, gone)
			if len(a) == 0 || len(b) == 0 {
				return nil, fmt.Errorf("a role without hosts")
			}
			text, err := protocol.Parse("drawn.yaml", []byte(protocolText(rand.New(rand.NewPCG(draw, 1)), a, b)))
			if err != nil {
				t.Fatal(err)
			}
			return text.Bind(n)
		}
		whole, err := read(n, model.NoSwitch, n)
		if err != nil {
			count["no protocol"]++
			continue
		}
		reroute := func(_ context.Context, left *model.Network) (model.Relation, error) {
			return route.New("updown", left, route.Options{})
		}
		a, err := failures.New(n, failures.Switches, reroute, verify.Options{Conditions: []model.Condition{whole}})
		if err != nil {
			t.Fatal(err)
		}
		for u := range model.SwitchID(n.NumSwitches()) {
			got, err := a.Check(t.Context(), int(u))
			if err != nil {
				t.Fatal(err)
			}
			left, err := n.Without(nil, []model.SwitchID{u})
			if err != nil {
				t.Fatal(err)
			}
			want := string(verify.Undecided)
			if p, err := read(left, u, n); err == nil {
				r, _ := reroute(t.Context(), left)
				rep, err := verify.Check(t.Context(), r, verify.Options{Conditions: []model.Condition{p}})
				if err != nil {
					t.Fatal(err)
				}
				want = string(rep.Verdict())
			}
			if count[want]++; got.Verdict != want {
				t.Errorf("seed %d, without switch %d: %s (%s), want %s", seed, u, got.Verdict, got.Reason, want)
			}
		}
	}
	if t.Log(count); count["proved"] == 0 || count["refuted"] == 0 || count["undecided"] == 0 {
		t.Errorf("%v: the test is too weak", count)
	}
}
