package verify

import (
	"errors"
	"fmt"
	"slices"

	"github.com/turnproof/turnproof/model"
)

// This file says which conditions Check does not decide together: all but those that ConditionKind.With names.

// excluded are the reasons why pairs are not decided together. A pair without a reason here has no proof either.
var excluded = []struct{ a, b, why string }{
	{model.ConditionGates, model.ConditionFlow, "the proof of each supposes that only room and its own rule hold a packet back"},
	{model.ConditionGates, model.ConditionMulticast, "a gate counts packets that are not copied"},
	{model.ConditionFlow, model.ConditionMulticast, "a free slot of a ring is counted for packets that are not copied"},
	{model.ConditionProtocol, model.ConditionClasses, "both state the classes of messages"},
}

// checkTogether returns an error if two conditions of o exclude each other.
func checkTogether(q *Question, o *Options) error {
	var names []string
	for _, c := range o.Conditions {
		names = append(names, c.Condition())
	}
	_, onFlows := q.Relation.(model.Flowing)
	if onFlows && model.ClassesOf(o.Conditions) != nil && model.ManagementOf(q.Relation) != model.NoManagement {
		return errors.New("cannot decide classes of messages on some flows together with management traffic: messages of a class go between hosts")
	}
	for i, a := range names {
		for _, b := range names[:i] {
			for _, x := range excluded {
				if x.a == a && x.b == b || x.a == b && x.b == a {
					return fmt.Errorf("cannot decide %s together with %s: %s", x.a, x.b, x.why)
				}
			}
			if !decidedTogether(a, b) {
				return fmt.Errorf("cannot decide %s together with %s: no proof has both", b, a)
			}
		}
	}
	return nil
}

// decidedTogether reports whether the proofs of two kinds of conditions hold together.
func decidedTogether(a, b string) bool {
	return slices.Contains(conditionKinds[a].With, b) || slices.Contains(conditionKinds[b].With, a)
}
