package configure

import (
	"net/netip"
	"testing"

	"github.com/turnproof/turnproof/model/format/ethernet/dumps"
)

// TestPolicyText compares the text for Arista EOS, and for FRR with a session without addresses.
func TestPolicyText(t *testing.T) {
	sw := &dumps.Switch{Name: "leaf1", AS: 65001, Tables: []*dumps.Table{{Source: "EOS", Entries: make([]dumps.Entry, 1)}}}
	list := []policy{{"10.0.0.1", []string{"10.1.0.0/24", "10.2.0.0/24"}}, {"swp2", []string{"10.1.0.0/24"}}}
	const head = "! leaf1: next hops that close a cyclic buffer dependency are withdrawn.\n" +
		"! This holds for the routes of the dumps. At further failures these next hops are missing: remove the route maps after the repair.\n" +
		"! A neighbor that has a route map for its routes already: call this one from it.\n" +
		"! Each neighbor has one list. A later file for the same neighbor adds prefixes to it, and earlier ones stay withdrawn.\n" +
		"! So take dumps with the lists in force, or remove the lists first. To remove them:\n!   router bgp 65001\n"
	const remove = "!     no neighbor 10.0.0.1 route-map TURNPROOF-10.0.0.1 in\n!     no neighbor swp2 route-map TURNPROOF-swp2 in\n" +
		"!   no route-map TURNPROOF-10.0.0.1\n!   no ip prefix-list TURNPROOF-10.0.0.1\n" +
		"!   no route-map TURNPROOF-swp2\n!   no ip prefix-list TURNPROOF-swp2\n"
	const first = "ip prefix-list TURNPROOF-10.0.0.1 permit 10.1.0.0/24\nip prefix-list TURNPROOF-10.0.0.1 permit 10.2.0.0/24\n" +
		"route-map TURNPROOF-10.0.0.1 deny 10\n match ip address prefix-list TURNPROOF-10.0.0.1\nroute-map TURNPROOF-10.0.0.1 permit 20\n"
	const second = "ip prefix-list TURNPROOF-swp2 permit 10.1.0.0/24\n" +
		"route-map TURNPROOF-swp2 deny 10\n match ip address prefix-list TURNPROOF-swp2\nroute-map TURNPROOF-swp2 permit 20\n"
	const sessions = "  neighbor 10.0.0.1 route-map TURNPROOF-10.0.0.1 in\n  neighbor swp2 route-map TURNPROOF-swp2 in\n"
	if got, want := policyText(sw, list), head+remove+first+"!\n"+second+"!\nrouter bgp 65001\n"+sessions; got != want {
		t.Errorf("EOS: %s\nwant %s", got, want)
	}
	sw.Tables[0].Source = "zebra"
	const family = " address-family ipv4 unicast\n"
	if got, want := policyText(sw, list), head+"!   "+family+remove+first+second+"router bgp 65001\n"+family+sessions; got != want {
		t.Errorf("FRR: %s\nwant %s", got, want)
	}
	if a, b := listName("Ethernet1/1"), listName("Ethernet1_1"); a != "TURNPROOF-Ethernet1_2f1" || b != "TURNPROOF-Ethernet1_5f1" {
		t.Errorf("names %s and %s of lists; want no slash, and two names", a, b)
	}
}

// TestNeighborOf tests which session announces a route.
func TestNeighborOf(t *testing.T) {
	key := func(p string) dumps.Key { return dumps.KeyOf(netip.MustParsePrefix(p)) }
	table := &dumps.Table{File: "r.json", Unannounced: []dumps.Key{key("10.4.0.0/24")}, Entries: []dumps.Entry{{Key: key("10.0.0.0/8")}, {Key: key("10.1.0.0/24")}, {Key: key("10.2.0.0/24"), Set: 1}, {Key: key("10.2.0.7/32")}, {Key: key("10.4.0.0/24")}},
		Sets: [][]dumps.NextHop{{{Via: netip.MustParseAddr("10.9.0.1"), Dev: "swp1"}, {Via: netip.MustParseAddr("fe80::1"), Dev: "swp2"}}, nil}}
	for _, c := range []struct{ prefix, port, want, err string }{
		{"10.1.0.0/24", "swp1", "10.9.0.1", ""},
		{"10.1.0.0/24", "swp2", "swp2", ""},
		{"10.1.0.0/24", "swp3", "", "swp3 is a member of a port channel; a policy cannot withdraw one cable of it"},
		{"10.4.0.0/24", "swp1", "", "the route to 10.4.0.0/24 is not of BGP, or its next hops are recursive, as far as r.json says; " +
			"a policy cannot withdraw one of them"},
		{"10.3.0.0/24", "swp1", "", "frames to 10.3.0.0/24 go by a route to a wider prefix, or by several; a policy cannot withdraw one of them"},
		{"10.2.0.0/24", "swp1", "", "frames to 10.2.0.0/24 go by a route to a wider prefix, or by several; a policy cannot withdraw one of them"},
	} {
		got, err := neighborOf(table, c.prefix, c.port)
		if got != c.want || (err == nil) != (c.err == "") || err != nil && err.Error() != c.err {
			t.Errorf("%s at %s: %q, %v; want %q, %s", c.prefix, c.port, got, err, c.want, c.err)
		}
	}
}
