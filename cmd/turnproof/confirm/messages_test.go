package confirm_test

import (
	"context"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/cmd/turnproof/confirm"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/protocol"
	"github.com/turnproof/turnproof/model/topo"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/cert"
)

// TestMessages simulates classes of messages whose verdicts are known. A false proof must be contradicted.
func TestMessages(t *testing.T) {
	for _, x := range []struct {
		classes  string
		deadlock bool
	}{{"request,reply", false}, {"request+reply", true}, {"a,b,c", false},
		{"classes:\n  aw: {from: 0-1, to: 2, vn: x}\n  w: {from: 0-1, to: 2, vn: x}\n  b: {from: 2, to: initiator, after: aw & w, vn: y}\n", true},
		{"classes:\n  aw: {from: 0-1, to: 2, vn: x}\n  w: {from: 0-1, to: 2, vn: z}\n  b: {from: 2, to: initiator, after: aw & w, vn: y, table: infinite}\n", false},
	} {
		o := verify.Options{Switching: model.CutThrough}
		if strings.HasPrefix(x.classes, "classes:") {
			parsed, err := protocol.Parse("p.yaml", []byte(x.classes))
			if err != nil {
				t.Fatal(err)
			}
			n, _ := topo.Parse("line:3")
			p, err := parsed.Bind(n)
			if err != nil {
				t.Fatal(err)
			}
			o.Conditions = []model.Condition{p}
		} else {
			m, err := model.ParseClasses(x.classes)
			if err != nil {
				t.Fatal(err)
			}
			o.Conditions = []model.Condition{m}
		}
		rep := check(t, "line:3", "dor", o)
		res, err := confirm.Report(context.Background(), rep, 1)
		if err != nil {
			t.Fatal(err)
		}
		if m := res.Messages; m == nil || m.Deadlock != x.deadlock || rep.Added(cert.ClaimMessages).Claim.Verdict == verify.Proved == x.deadlock || m.Transactions == 0 && !m.Deadlock {
			t.Errorf("%s: %+v, %s", x.classes, res.Messages, rep.Added(cert.ClaimMessages).Claim.Verdict)
		}
		if x.classes != "request+reply" { // others need not freeze in one run of fixed sizes
			continue
		}
		rep.Added(cert.ClaimMessages).Claim.Verdict = verify.Proved
		if _, err := confirm.Report(context.Background(), rep, 1); err == nil || !strings.Contains(err.Error(), "proved free of deadlock, the simulator froze") {
			t.Errorf("error is %v", err)
		}
	}
}
