package exhaustive

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/turnproof/turnproof/cmd/trust/seams/states"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/bubble"
	"github.com/turnproof/turnproof/model/facts"
	"github.com/turnproof/turnproof/model/gate"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/cert"
)

// This file compares one case.

// mostTime bounds the time of a verdict.
const mostTime = 2 * time.Second

// result is the comparison of a case.
type result struct {
	said     string // the verdict and that of the search
	features string
	refused  string // why verify does not decide the case
	wrong    string
}

// judge compares case k of a seed.
func judge(ctx context.Context, seed, k uint64, budget int, pairs bool) (one result, err error) {
	d := draw(rand.New(rand.NewPCG(seed, k)), pairs)
	if d == nil {
		return one, nil
	}
	d.say("", "case %d", k)
	return d.judge(ctx, budget)
}

// judge compares the verdict on a case with all states.
func (d *drawn) judge(ctx context.Context, budget int) (one result, err error) {
	one.features = strings.Join(d.features, ", ")
	short, cancel := context.WithTimeout(ctx, mostTime)
	defer cancel()
	rep, err := verify.Check(short, d.rel, d.options())
	switch {
	case ctx.Err() != nil:
		return one, ctx.Err()
	case short.Err() != nil:
		one.refused = "too slow"
		return one, nil
	case err != nil && strings.Contains(err.Error(), "internal error"):
		one.wrong = d.describe(err.Error())
		return one, nil
	case err != nil:
		one.refused = err.Error()
		return one, nil
	}
	said := rep.DeadlockFree.Verdict
	if a := rep.Added(cert.ClaimMessages); a != nil {
		said = a.Claim.Verdict
	}
	one.said = string(said)
	for _, o := range d.searches(said) {
		c, err := states.Convert(d.rel, o)
		if err != nil {
			one.said += ", " + err.Error()
			continue
		}
		found, err := states.Search(ctx, *c, states.Limits{States: budget})
		if err != nil {
			one.said += ", " + err.Error()
			continue
		}
		one.said += ", " + string(found.Verdict)
		if said == verify.Refuted && found.Verdict == states.Free && o.Flow != nil && d.isPrevented(ctx, o, budget) {
			one.wrong = d.describe("REFUTED (" + rep.Method() + "), and flow control prevents the deadlock: " + optionsText(o))
			break
		}
		if o.Late {
			one.said += " if gates see old states"
		}
		if why := d.contradiction(rep, said, found); why != "" && !(o.Late && rep.Evidence(cert.ClaimDeadlockFree) == cert.EvidenceGatedStates) {
			one.wrong = d.describe(fmt.Sprintf("%s (%s)\nsearched: %s\n%s", why, rep.Method(), optionsText(o), strings.Join(found.Run, "\n")))
			break
		}
	}
	return one, ctx.Err()
}

// isPrevented reports whether packets get stuck without flow control.
func (d *drawn) isPrevented(ctx context.Context, o states.Options, budget int) bool {
	o.Flow = nil
	c, err := states.Convert(d.rel, o)
	if err != nil {
		return false
	}
	found, err := states.Search(ctx, *c, states.Limits{States: budget})
	return err == nil && found.Verdict == states.Stuck
}

func (d *drawn) describe(what string) string {
	return fmt.Sprintf("%s\n%s", strings.Join(d.text, "; "), what)
}

func optionsText(o states.Options) string {
	return fmt.Sprintf("%s, waiting %q, packets %v, buffer %d, reuse %d, entries %d, late %v",
		o.Switching, o.Waiting, o.Packets, o.Buffer, o.Reuse, o.Entries, o.Late)
}

// options returns the options of the verdict.
func (d *drawn) options() verify.Options {
	o := verify.Options{Switching: d.switching, Waiting: d.waiting, NoPairs: true}
	if d.multicast != nil {
		o.Conditions = append(o.Conditions, d.multicast)
	}
	if d.messages != nil {
		o.Conditions = append(o.Conditions, d.messages)
	}
	if d.protocol != nil {
		o.Conditions = append(o.Conditions, d.protocol)
	}
	if d.packet > 0 && d.gate == nil && d.flow == nil {
		o.Facts = facts.Facts{Packet: d.packet, Mixed: true, Buffer: d.buffer, Reuse: facts.WhenEmpty, Source: "drawn"}
		if !d.atomic {
			o.Facts.Reuse = facts.WhenUnused
		}
	}
	if d.gate != nil && d.atomic {
		o.Facts = facts.Facts{Packet: d.packet, Buffer: d.buffer, Reuse: facts.WhenEmpty, Source: "drawn"}
	}
	if d.gate != nil {
		o.Conditions = append(o.Conditions, &gate.Setup{Rule: *d.gate, Packet: d.packet, Buffer: d.buffer})
	}
	if d.flow != nil {
		o.Conditions = append(o.Conditions, &bubble.Flow{Rule: *d.flow, Packet: d.packet, Buffer: d.buffer})
	}
	return o
}

// searches returns the networks for which a verdict must hold. A proof holds for all packets up to the stated length, a
// refutation for one.
func (d *drawn) searches(said verify.Verdict) (list []states.Options) {
	base := states.Options{Switching: d.switching, Waiting: d.waiting, Multicast: d.multicast, Messages: d.messages, Protocol: d.protocol,
		Flow: d.flow, Gate: d.gate, Packets: []int{max(d.packet, 1)}, Buffer: max(d.buffer, 1), Reuse: states.WhenRoom}
	whole := d.flow != nil || d.gate != nil
	switch {
	case d.atomic || d.packet == 0 && d.switching == model.Wormhole:
		base.Reuse = states.WhenEmpty
	case d.switching == model.Wormhole:
		base.Reuse = states.WhenFull // as routers of BookSim do by default
	}
	if said == verify.Undecided || said == verify.Refuted && d.packet == 0 {
		return nil
	}
	if d.messages != nil {
		base.Entries = 1
	}
	if d.packet == 0 && d.switching == model.Wormhole {
		long := base
		long.Packets = []int{6}
		list = append(list, long)
	}
	if !whole && d.packet > 1 {
		base.Packets = []int{1, d.packet}
		if said == verify.Refuted {
			base.Packets = upTo(d.packet)
		}
	}
	list = append(list, base)
	if d.messages != nil && said == verify.Proved {
		free := base
		free.Entries = 0
		list = append(list, free)
	}
	if d.gate != nil && said == verify.Proved {
		late := base
		late.Late = true
		list = append(list, late)
	}
	return list
}

func upTo(k int) (list []int) {
	for i := range k {
		list = append(list, i+1)
	}
	return list
}

// contradiction says how a verdict contradicts the states, or "". A refutation of classes supposes that any host sends messages to any
// other, and queues as small as the deadlock needs.
func (d *drawn) contradiction(rep *verify.Report, said verify.Verdict, found states.Result) string {
	isReached := rep.Reached != nil && *rep.Reached && (d.messages == nil && d.protocol == nil || rep.Evidence(cert.ClaimMessages) == cert.EvidenceDeadlocked)
	switch {
	case said == verify.Proved && found.Verdict == states.Stuck:
		return "PROVED, and packets get stuck"
	case said == verify.Refuted && found.Verdict == states.Free && isReached:
		return "REFUTED and reached, and no packets get stuck"
	}
	return ""
}
