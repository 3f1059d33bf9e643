package exhaustive

import (
	"fmt"
	"math/rand/v2"

	"github.com/turnproof/turnproof/model/protocol"
)

// This file draws two rules that go together.

const pairOfRules = 6

// drawPair draws flow control, gates or multicast tables with classes or a protocol.
func (d *drawn) drawPair(rng *rand.Rand) bool {
	switch rng.IntN(5) {
	case 0:
		d.drawGroups(rng)
	case 1, 2:
		d.drawFlowControl(rng)
	default:
		d.drawGate(rng)
	}
	if rng.IntN(2) == 0 {
		d.drawClasses(rng)
		return true
	}
	return d.drawCauses(rng)
}

// drawCauses draws a protocol of two or three classes, each of which causes the next one.
func (d *drawn) drawCauses(rng *rand.Rand) bool {
	last := d.rel.Network().NumHosts() - 1
	role := func() string {
		a := rng.IntN(last + 1)
		return pick(rng, fmt.Sprintf("0-%d", last), fmt.Sprint(a), fmt.Sprintf("%d-%d", a, a+rng.IntN(last-a+1)))
	}
	from, to := role(), role()
	network := func() string { return pick(rng, "", "", ", vn: v") }
	text := fmt.Sprintf("classes:\n  Req: {from: %s, to: %s%s}\n", from, to, network())
	cause := "Req"
	if rng.IntN(3) == 0 {
		text += fmt.Sprintf("  Too: {from: %s, to: %s%s}\n", from, to, network())
		cause = "[Req, Too]"
	}
	if rng.IntN(3) == 0 {
		text += fmt.Sprintf("  Fwd: {after: %s, from: %s, to: %s, queue: %d%s}\n", cause, to, from, 1+rng.IntN(2), network())
		cause, to = "Fwd", from
	}
	text += fmt.Sprintf("  Rep: {after: %s, from: %s, to: %s, queue: %d%s}\n", cause, to, pick(rng, "initiator", "initiator", "sender", role()),
		1+rng.IntN(2), network())
	t, err := protocol.Parse("drawn.yaml", []byte(text))
	if err != nil {
		return false
	}
	if d.protocol, err = t.Bind(d.rel.Network()); err != nil {
		return false
	}
	d.say("protocol", "%s", text)
	return true
}
