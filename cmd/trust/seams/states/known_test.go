package states

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/turnproof/turnproof/internal/longtest"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/bubble"
	"github.com/turnproof/turnproof/model/format"
	_ "github.com/turnproof/turnproof/model/format/all"
	"github.com/turnproof/turnproof/model/gate"
	"github.com/turnproof/turnproof/model/protocol"
	"github.com/turnproof/turnproof/model/route"
)

// This file judges cases that were wrong verdicts of turnproof, and whose answers a second search has found.

// read returns the routing of a table on a network, both as text.
func read(t *testing.T, network, table string) model.Relation {
	t.Helper()
	dir := t.TempDir()
	paths := [2]string{filepath.Join(dir, "network.csv"), filepath.Join(dir, "table.csv")}
	for i, text := range []string{network, table} {
		if err := os.WriteFile(paths[i], []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	n, _, err := format.ReadNetwork(paths[0], format.Options{})
	if err != nil {
		t.Fatal(err)
	}
	r, _, err := format.ReadRouting(paths[1], n, format.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return r.Listed
}

// TestCopies: h1 holds the channels (1,2) and (2,3) for a copy and waits for (1,0), h2 holds (2,1) and (1,0) and waits for (2,3).
// This wants packets that are longer than a buffer.
func TestCopies(t *testing.T) {
	r := relation(t, "line:4", "dor")
	text, err := protocol.Parse("copies.yaml", []byte("classes:\n  Inv: {from: 1-2, to: 0-3, multicast: true, consumed: true}\n"))
	if err != nil {
		t.Fatal(err)
	}
	p, err := text.Bind(r.Network())
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range []struct {
		packet, buffer int
		want           Verdict
	}{{2, 1, Stuck}, {3, 2, Stuck}, {4, 3, Stuck}, {1, 1, Free}, {2, 2, Free}, {3, 3, Free}} {
		o := Options{Protocol: p, Packets: []int{x.packet}, Buffer: x.buffer}
		expect(t, "copies", judge(t, r, o, Limits{}), x.want)
		o.Switching = model.CutThrough
		if x.packet <= x.buffer {
			expect(t, "copies, cut-through", judge(t, r, o, Limits{}), Free)
		}
	}
}

// TestShortPackets: packets are too short for the VCs that a deadlock needs.
func TestShortPackets(t *testing.T) {
	ring := "a,b\nn0,n1\nn1,n2\nn2,n0\n"
	back := "node,from,in_vc,destination,next,out_vc\nn2,,,n1,n0,0\nn0,n2,0,n1,n1,0\nn0,n2,0,n1,n2,0\nn2,n0,0,n1,n0,0\n"
	all := "a,b\nn0,n1\nn0,n2\nn0,n3\nn1,n2\nn1,n3\nn2,n3\n"
	table := "node,from,in_vc,destination,next,out_vc\nn3,,,n1,n0,0\nn3,,,n1,n1,0\nn0,n3,0,n1,n1,0\nn0,n3,0,n1,n2,0\nn2,n0,0,n1,n3,0\n" +
		"n3,n2,0,n1,n0,0\nn3,n2,0,n1,n1,0\nn0,,,n1,n1,0\nn2,,,n1,n3,0\n"
	two := flows(read(t, ring, back), [2]model.HostID{2, 1})
	three := flows(read(t, all, table), [2]model.HostID{2, 1}, [2]model.HostID{0, 1}, [2]model.HostID{3, 1})
	for _, x := range []struct {
		r              model.Relation
		packet, buffer int
		reuse          Reuse
		want           Verdict
	}{
		{two, 1, 1, WhenEmpty, Free}, {two, 2, 2, WhenEmpty, Free}, {two, 1, 3, WhenEmpty, Free}, {two, 2, 1, WhenEmpty, Stuck},
		{two, 1, 1, WhenRoom, Free}, {two, 1, 2, WhenFull, Stuck}, {two, 2, 2, WhenRoom, Free}, {two, 2, 2, WhenFull, Stuck},
		{three, 4, 2, WhenEmpty, Free}, {three, 5, 2, WhenEmpty, Stuck}, {three, 3, 4, WhenEmpty, Free},
	} {
		o := Options{Packets: []int{x.packet}, Buffer: x.buffer, Reuse: x.reuse}
		expect(t, "short packets", judge(t, x.r, o, Limits{}), x.want)
		if got := judge(t, x.r, o, Limits{Plain: true, States: 20_000}); got.Verdict != Unknown {
			expect(t, "short packets, each flit alone", got, x.want)
		}
	}
}

// TestUnequalBuffers: a packet fits into one buffer, leaves it by a small one, and comes back to its tail.
func TestUnequalBuffers(t *testing.T) {
	bounce := "node,from,destination,next\nv,,u,u\nv,,u,w\nw,v,u,v\nv,w,u,u\nv,w,u,w\n"
	r := flows(read(t, "a,b\nu,v\nv,w\n", bounce), [2]model.HostID{1, 0})
	list := make([]model.ChannelAttributes, r.Network().NumChannels())
	for ch := range list {
		list[ch].Buffer = 2
	}
	list[3].Buffer = 8 // from w to v
	n, err := r.Network().WithChannelAttributes(list)
	if err != nil {
		t.Fatal(err)
	}
	uneven := sized{r.(model.Sender), n}
	expect(t, "buffers of 2", judge(t, r, Options{Packets: []int{8}, Buffer: 2}, Limits{}), Free)
	expect(t, "buffers of 2 and 8", judge(t, uneven, Options{Packets: []int{8}, Buffer: 2}, Limits{}), Stuck)
}

// sized is a relation on a network with attributes.
type sized struct {
	model.Sender
	n *model.Network
}

func (s sized) Network() *model.Network { return s.n }

// TestReplies: requests go one hop round a ring, replies go the rest.
func TestReplies(t *testing.T) {
	r := flows(relation(t, "ring:3", "around"), [2]model.HostID{0, 1}, [2]model.HostID{1, 2}, [2]model.HostID{2, 0})
	apart, err := model.ParseClasses("request,reply")
	if err != nil {
		t.Fatal(err)
	}
	together, err := model.ParseClasses("request+reply")
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []model.Switching{model.CutThrough, model.StoreAndForward, model.Wormhole} {
		for entries := range 3 {
			expect(t, "replies on the ring", judge(t, r, Options{Messages: apart, Entries: entries, Switching: s}, Limits{}), Stuck)
		}
	}
	line := relation(t, "line:2", "dor")
	expect(t, "networks of their own", judge(t, line, Options{Messages: apart, Entries: 1}, Limits{}), Free)
	expect(t, "a shared network", judge(t, line, Options{Messages: together, Entries: 1}, Limits{}), Stuck)
	expect(t, "a shared network, no limit of replies", judge(t, line, Options{Messages: together}, Limits{}), Free)
	one := flows(line, [2]model.HostID{0, 1})
	expect(t, "one host asks, the other answers", judge(t, one, Options{Messages: together, Entries: 1}, Limits{}), Free)
}

// TestFullVCs: heads that are given a VC with a full buffer wait for it alone.
func TestFullVCs(t *testing.T) {
	r := relation(t, "mesh:2x2,vcs=2", "fully-adaptive")
	for reuse, want := range map[Reuse]Verdict{WhenEmpty: Free, WhenRoom: Free, WhenFull: Stuck} {
		expect(t, "one flit", judge(t, r, Options{Packets: []int{1}, Buffer: 2, Reuse: reuse}, Limits{}), want)
	}
}

// TestBehind: packets whose head goes to a host next are stuck behind others, and fill buffers that different sizes make uneven.
func TestBehind(t *testing.T) {
	longtest.Only(t, "the queues of package exhaustive have packets behind others")
	r := relation(t, "mesh:2x2,vcs=2", "fully-adaptive")
	list := make([]model.ChannelAttributes, r.Network().NumChannels())
	for ch := range list {
		list[ch].Buffer = 2
	}
	list[4].Buffer, list[7].Buffer = 5, 5
	n, err := r.Network().WithChannelAttributes(list)
	if err != nil {
		t.Fatal(err)
	}
	x, err := route.New("fully-adaptive", n, route.Options{})
	if err != nil {
		t.Fatal(err)
	}
	expect(t, "packets behind others", judge(t, x, Options{Packets: []int{2}, Reuse: WhenRoom}, Limits{}), Stuck)
}

// TestBubbles: a ring without datelines under flow control.
func TestBubbles(t *testing.T) {
	r := relation(t, "ring:4", "dor")
	for _, x := range []struct {
		rule           string
		packet, buffer int
		want           Verdict
	}{
		{"bubble", 1, 2, Free}, {"bubble", 2, 4, Free}, {"bubble,off=all", 1, 2, Stuck}, {"bubble", 1, 1, Stuck}, // no entry has room for two
		{"bubble,off=0", 1, 2, Stuck}, {"critical-bubble", 1, 1, Free}, {"critical-bubble,off=all", 1, 1, Stuck},
		{"worm-bubble", 2, 1, Free}, {"worm-bubble,off=all", 2, 1, Stuck}, {"worm-bubble,packet=1", 2, 1, Free},
	} {
		rule, err := bubble.Parse(x.rule)
		if err != nil {
			t.Fatal(err)
		}
		o := Options{Flow: &rule, Packets: []int{x.packet}, Buffer: x.buffer, Switching: rule.Switching(), Reuse: WhenRoom}
		if rule.Kind == bubble.Worm {
			o.Reuse = WhenEmpty
		}
		expect(t, x.rule, judge(t, r, o, Limits{}), x.want)
	}
}

// TestGates: gates that see at once how full the buffers ahead are keep a ring free. Gates that see old states do not.
func TestGates(t *testing.T) {
	r := relation(t, "ring:4", "dor")
	for _, x := range []struct {
		rule           string
		packet, buffer int
		late           bool
		want           Verdict
	}{
		{"injection,level=0", 1, 2, false, Free}, {"injection,level=0", 1, 2, true, Stuck}, {"injection,level=0,unit=packet", 1, 2, true, Stuck},
		{"injection,level=0,hops=1,unit=packet", 1, 1, false, Stuck},
	} {
		rule, err := gate.Parse(x.rule)
		if err != nil {
			t.Fatal(err)
		}
		o := Options{Gate: &rule, Packets: []int{x.packet}, Buffer: x.buffer, Late: x.late, Switching: model.CutThrough, Reuse: WhenRoom}
		expect(t, x.rule, judge(t, r, o, Limits{}), x.want)
	}
}
