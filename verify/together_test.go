package verify_test

import (
	"context"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/bubble"
	"github.com/turnproof/turnproof/model/gate"
	"github.com/turnproof/turnproof/model/route"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/cert"
)

// unknown is a condition that no package decides.
type unknown struct{}

func (unknown) Condition() string { return "luck" }

// patience is a condition that says nothing of other conditions.
type patience struct{}

func (patience) Condition() string { return "patience" }

func init() {
	verify.RegisterCondition(verify.ConditionKind{Name: "patience", Claim: cert.ClaimDeadlockFree, Rule: func(model.Condition) verify.Rule { return nil }})
}

// TestTogether: each pair of conditions is decided, or refused with a reason.
func TestTogether(t *testing.T) {
	r := named(t, "torus:3x3", "dor", route.Options{})
	classes, err := model.ParseClasses("request,reply")
	if err != nil {
		t.Fatal(err)
	}
	protocol, err := classes.Chain(r.Network())
	if err != nil {
		t.Fatal(err)
	}
	list := []model.Condition{&gate.Setup{Rule: gate.DefaultRule(gate.Turns), Packet: 4, Buffer: 8},
		&bubble.Flow{Rule: bubble.Rule{Kind: bubble.Local}, Packet: 4, Buffer: 8}, classes, protocol}
	list = append(list, patience{}, &model.Multicast{Groups: []model.MulticastGroup{{MLID: 0xc000, Entries: []model.MulticastEntry{{Switch: 0, Ports: []model.Port{1}}}}}})
	decided := map[string]bool{"flow control of rings, classes of messages": true, "classes of messages, multicast tables": true,
		"gates, classes of messages": true, "gates, a protocol": true,
		"flow control of rings, a protocol": true, "a protocol, multicast tables": true}
	for i, a := range list {
		for _, b := range list[:i+1] {
			_, err := verify.Check(context.Background(), r, verify.Options{Conditions: []model.Condition{b, a}})
			_, turned := verify.Check(context.Background(), r, verify.Options{Conditions: []model.Condition{a, b}})
			name := b.Condition() + ", " + a.Condition()
			switch {
			case (err == nil) != (turned == nil):
				t.Errorf("%s: %v, but the other way round %v", name, err, turned)
			case decided[name] && err != nil:
				t.Errorf("%s: %v", name, err)
			case !decided[name] && (err == nil || !strings.Contains(err.Error(), " together with ")):
				t.Errorf("%s: %v", name, err)
			}
		}
	}
	if _, err := verify.Check(context.Background(), r, verify.Options{Conditions: []model.Condition{unknown{}}}); err == nil ||
		!strings.Contains(err.Error(), "no package decides luck") {
		t.Errorf("an unknown condition: %v", err)
	}
}
