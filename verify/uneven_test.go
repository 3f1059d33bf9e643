package verify_test

import (
	"strings"
	"testing"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/facts"
	"github.com/turnproof/turnproof/model/route"
	"github.com/turnproof/turnproof/model/topo"
	"github.com/turnproof/turnproof/verify"
)

// TestSmallestBuffer: packets must fit into the smallest buffer of a network whose buffers differ. Buffers of hosts do not matter.
func TestSmallestBuffer(t *testing.T) {
	n, err := topo.Parse("ring:4")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		at     model.ChannelID
		buffer int32
		fits   bool
	}{{3, 7, false}, {3, 8, true}, {n.InjectChannel(2), 7, false}, {n.EjectChannel(2), 1, true}, {3, 100, true}} {
		list := make([]model.ChannelAttributes, n.NumChannels())
		list[c.at].Buffer = c.buffer
		m, err := n.WithChannelAttributes(list)
		if err != nil {
			t.Fatal(err)
		}
		r, err := route.New("dor", m, route.Options{})
		if err != nil {
			t.Fatal(err)
		}
		o := verify.Options{Switching: model.CutThrough, Facts: facts.Facts{Packet: 8, Buffer: 9, Source: "test"}}
		rep, err := verify.Check(t.Context(), r, o)
		switch {
		case !c.fits && (err == nil || !strings.Contains(err.Error(), "the buffer of a VC holds 7 or more")):
			t.Errorf("%+v: %v", c, err)
		case c.fits && err != nil:
			t.Errorf("%+v: %v", c, err)
		case c.fits && rep.DeadlockFree.Verdict != verify.Refuted:
			t.Errorf("%+v: %s", c, rep.DeadlockFree.Verdict)
		}
		o.Switching, o.Open = "", true // packets that do not fit leave wormhole switching only
		if rep, err = verify.Check(t.Context(), r, o); err != nil {
			t.Fatal(err)
		}
		decided := 0
		for _, d := range rep.Disciplines {
			decided += len(d.Switching)
		}
		if c.fits != (decided > 1) {
			t.Errorf("%+v: %d disciplines decided", c, decided)
		}
	}
}
