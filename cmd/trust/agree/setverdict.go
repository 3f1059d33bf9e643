package agree

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/synth"
	"github.com/turnproof/turnproof/synth/evaluate"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/cert"
)

// This file judges a turn set by turnproof, by its certificate, and by exhaustive search.

// setVerdict has the facts about a turn set.
type setVerdict struct {
	table              *turnTable
	acyclic, connected bool
	minimal            map[bool]bool // by BothDirections; filled when needed
}

// judgeSet judges a set, or returns the verdict on an equal set.
func judgeSet(ctx context.Context, known map[string]*setVerdict, made *synth.Result) (*setVerdict, error) {
	key := fmt.Sprint(slices.Collect(made.Allowed.All()))
	if v := known[key]; v != nil {
		return v, nil
	}
	table := newTurnTable(made.Allowed)
	v := &setVerdict{table, !table.cyclic(), table.lost() == 0, map[bool]bool{}}
	known[key] = v
	var o verify.TurnOptions
	if made.Tree != nil {
		o.Tree = made.Tree.Up
	}
	return v, v.checked(ctx, made.Allowed, o)
}

// checked compares the verdicts of turnproof and its certificate with the facts.
func (v *setVerdict) checked(ctx context.Context, set *model.TurnSet, o verify.TurnOptions) error {
	rep, err := verify.CheckTurns(ctx, set, o)
	if err != nil {
		return err
	}
	if a, c := rep.Acyclic.Verdict, rep.Connected.Verdict; verdict(a) != holds(v.acyclic) || verdict(c) != holds(v.connected) {
		return fmt.Errorf("acyclic %s, connected %s; by exhaustive search %s, %s", a, c, holds(v.acyclic), holds(v.connected))
	}
	if lost := v.table.lost(); int64(lost) != rep.Unreachable {
		return fmt.Errorf("%d pairs not connected, by exhaustive search %d", rep.Unreachable, lost)
	}
	var file bytes.Buffer
	if err := cert.Write(&file, rep.Certificate); err != nil {
		return err
	}
	read, err := cert.Read(&file)
	if err != nil {
		return err
	}
	return cert.Check(read)
}

// keeps returns an error if the set breaks a promise of the reading.
func (v *setVerdict) keeps(r reading) error {
	switch {
	case r.acyclic && !v.acyclic:
		return errors.New("closes a cycle")
	case r.connected && !v.connected:
		return errors.New("leaves switches unconnected")
	case !r.o.Release || !v.acyclic:
		return nil
	}
	both := r.o.BothDirections
	if _, asked := v.minimal[both]; !asked {
		v.minimal[both] = !v.table.releasable(both)
	}
	if !v.minimal[both] {
		return errors.New("a turn could still be released")
	}
	return nil
}

// bounded checks that turnproof shows the bound of a set.
func (v *setVerdict) bounded(ctx context.Context, set *model.TurnSet, b *synth.Bound) error {
	o := verify.TurnOptions{Steps: b.Steps, Least: b.Least, Gossip: b.Gossip}
	if b.Packing != nil {
		o.Packing = evaluate.Packing(b.Packing)
	}
	rep, err := verify.CheckTurns(ctx, set, o)
	if err != nil {
		return err
	}
	if rep.Bound != b.Least {
		return fmt.Errorf("turnproof shows a bound of %d, the method claims %d", rep.Bound, b.Least)
	}
	return v.checked(ctx, set, o)
}
