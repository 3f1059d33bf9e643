package reroute_test

import (
	"strings"
	"testing"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/synth/reroute"
	"github.com/turnproof/turnproof/verify/transition"
)

// TestCheckerRejects holds that the checker rejects what is not true of a change.
func TestCheckerRejects(t *testing.T) {
	t.Parallel()
	list := tables(t, "mesh:3x3", "updown,root=#0", "updown,root=#4", "updown,root=#8")
	about := transition.About{Switching: model.Wormhole}
	none, err := transition.New(list[0], list[2]) // no order exists
	if err != nil {
		t.Fatal(err)
	}
	some, err := transition.New(list[0], list[1]) // three steps are needed
	if err != nil {
		t.Fatal(err)
	}
	all := func(c *transition.Change) (parts []int32) {
		for _, d := range c.Destinations() {
			parts = append(parts, int32(d))
		}
		return parts
	}
	order, err := reroute.Find(t.Context(), some, reroute.Options{Part: transition.Destination})
	if err != nil {
		t.Fatal(err)
	}
	mixture, err := none.Mixture(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	mixture.Cycle, mixture.Packets = nil, nil
	steps := func(c *transition.Change, list []transition.Step, b *transition.Bound) error {
		_, err := c.StepsCertificate(transition.Destination, list, b, about)
		return err
	}
	if err := steps(none, []transition.Step{{Kind: transition.Drained, Parts: all(none)}}, nil); err != nil {
		t.Errorf("all destinations drained: %v", err)
	}
	for name, c := range map[string]struct {
		err  func() error
		want string
	}{
		"one step in service": {func() error {
			return steps(none, []transition.Step{{Kind: transition.InService, Parts: all(none)}}, nil)
		}, "in step 0 the dependencies have a cycle"},
		"a destination is left out": {func() error {
			return steps(none, []transition.Step{{Kind: transition.Drained, Parts: all(none)[1:]}}, nil)
		}, "no step changes part"},
		"packets stay stopped": {func() error {
			return steps(none, []transition.Step{{Kind: transition.Stop, Parts: all(none)}}, nil)
		}, "gets no packets in the end"},
		"a bound too great": {func() error {
			return steps(some, order.Steps, &transition.Bound{Steps: len(order.Steps) + 1})
		}, "can change in 3 steps"},
		"a clique that is none": {func() error {
			return steps(some, order.Steps, &transition.Bound{Steps: 2, Clique: all(some)[:2]})
		}, "can change in one step"},
		"an order exists": {func() error {
			_, err := some.NoOrderCertificate(transition.Destination, false, [][]int32{{}}, about)
			return err
		}, "and the set is not listed"},
		"the mixture has a cycle": {func() error {
			_, err := none.MixtureCertificate(mixture, about)
			return err
		}, "old and new entries together have a cycle"},
	} {
		if err := c.err(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}
