package gates_test

import (
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/route"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/cert"
)

// gateRow is a row of the example in docs/theorems/gates.md: keys of the gate, flits of packet and buffer, verdict, Ranks and Clear.
var gateRow = regexp.MustCompile("(?m)^\\| `(hops=.*)` \\| ([0-9]+), ([0-9]+) \\| (proved|refuted) \\| ([0-9 ]*)\\| ([0-9 ]*)\\|$")

// TestExampleOfTheoremPage compares the table of the example with certificates.
func TestExampleOfTheoremPage(t *testing.T) {
	page, err := os.ReadFile("../../docs/theorems/gates.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := gateRow.FindAllStringSubmatch(string(page), -1)
	if len(rows) != 5 {
		t.Fatalf("%d rows of the example, want 5", len(rows))
	}
	for _, row := range rows {
		g := gating(t, "injection,level=1,"+row[1])
		g.Packet, _ = strconv.Atoi(row[2])
		g.Buffer, _ = strconv.Atoi(row[3])
		rep := gated(t, named(t, "line:3", "dor", route.Options{}), g)
		if got := string(rep.DeadlockFree.Verdict); got != row[4] {
			t.Errorf("%s: %s", row[0], got)
		}
		if rep.DeadlockFree.Verdict != verify.Proved {
			continue
		}
		for _, c := range rep.Certificate.Claims {
			if c.Evidence != cert.EvidenceGatedOrder {
				continue
			}
			ranks, clear := strings.Trim(fmt.Sprint(*c.Ranks), "[]"), strings.Trim(fmt.Sprint(*c.Clear), "[]")
			if ranks != strings.TrimSpace(row[5]) || clear != strings.TrimSpace(row[6]) {
				t.Errorf("%s: Ranks %s, Clear %s", row[0], ranks, clear)
			}
		}
	}
}

// TestExampleVCs: the VCs of line:3 have the order in which the example lists them.
func TestExampleVCs(t *testing.T) {
	n := named(t, "line:3", "dor", route.Options{}).Network()
	var list []string
	for v := range n.NumLinkVCs() {
		c, _ := n.Channel(model.VCID(v))
		list = append(list, fmt.Sprintf("%d>%d", n.Tail(c), n.Head(c)))
	}
	if got := strings.Join(list, ", "); got != "0>1, 1>0, 1>2, 2>1" {
		t.Errorf("VCs %s", got)
	}
}
