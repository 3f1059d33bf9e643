package cert_test

import (
	"strings"
	"testing"

	. "github.com/turnproof/turnproof/verify/cert"
)

// TestFactsExclude adds facts to kept certificates: the judge rejects evidence that the facts exclude, and no other.
func TestFactsExclude(t *testing.T) {
	uneven := func(c *Certificate) Ints {
		list := make(Ints, 2*(len(c.Subject.Network.Links)/4))
		for i := range list {
			list[i] = int32(2 + i%2)
		}
		return list
	}
	for _, x := range []struct {
		name   string
		facts  Facts
		uneven bool
		want   string // a part of the rejection; if empty, the judge accepts
	}{
		{name: "no-worms", facts: Facts{Packet: 5, Buffers: Ints{2}, Reuse: "empty"}},
		{name: "no-worms", facts: Facts{Reuse: "not full"}, want: "a VC holds flits of one packet at a time"},
		{name: "no-worms", facts: Facts{Reuse: "unused"}, want: "a VC holds flits of one packet at a time"},
		{name: "no-worms", facts: Facts{Packet: 5}, uneven: true, want: "have the same size"},
		{name: "no-worms", facts: Facts{Packet: 2, Reuse: "empty"}, uneven: true},
		{name: "unreachable", facts: Facts{Packet: 2, Buffers: Ints{4}, Reuse: "not full"}, want: "a VC holds one packet at a time"},
		{name: "unreachable", facts: Facts{Packet: 4, Buffers: Ints{2}}, want: "a packet does not fit"},
		{name: "worms", facts: Facts{Packet: 1, Buffers: Ints{1}, Reuse: "empty"}, want: "takes more than the 1 flits"},
		{name: "worms", facts: Facts{Packet: 1000, Buffers: Ints{2}, Reuse: "empty"}},
		{name: "moves-worm", facts: Facts{Packet: 1, Buffers: Ints{1}}, want: "takes more than the 1 flits"},
		{name: "protocol-worms", facts: Facts{Packet: 1, Buffers: Ints{1}}, want: "which the facts of the subject exclude"},
		{name: "gates-states", facts: Facts{Control: "late"}, want: "a gate sees at once"},
		{name: "gates-states", facts: Facts{Packet: 1 << 20}, want: "the sizes of the gates"},
		{name: "bubble", facts: Facts{Buffers: Ints{1 << 20}}, want: "the sizes of the bubbles"},
		{name: "worms", facts: Facts{Reuse: "full"}, want: "want empty, not full or unused"},
		{name: "worms", facts: Facts{}, want: "facts that say nothing"},
	} {
		c := kept(t, x.name)
		facts := x.facts
		if x.uneven {
			facts.Buffers = uneven(c)
		}
		c.Subject.Facts = &facts
		err := Check(c)
		if x.want == "" && err != nil || x.want != "" && (err == nil || !strings.Contains(err.Error(), x.want)) {
			t.Errorf("%s with %+v: %v; want %q", x.name, facts, err, x.want)
		}
	}
}
