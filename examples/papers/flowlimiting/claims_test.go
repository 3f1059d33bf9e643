package flowlimiting

import (
	"strings"
	"testing"

	"github.com/turnproof/turnproof/examples/papers/paper"
)

// result returns a result with rows "item quantity value", all of one reading.
func result(rows ...string) *paper.Result {
	r := &paper.Result{}
	for _, text := range rows {
		f := strings.Split(text, "|")
		value := 0.0
		for _, c := range f[2] {
			value = value*10 + float64(c-'0')
		}
		r.AddRow(f[0], f[1], "x", nan, value)
	}
	return r
}

// TestJudges checks that claims hold, fail or stay open as their rows say.
func TestJudges(t *testing.T) {
	find := func(name string, lists ...[]paper.Claim) *paper.Claim {
		t.Helper()
		for _, list := range lists {
			for i := range list {
				if list[i].Name == "flow-limiting/"+name {
					return &list[i]
				}
			}
		}
		t.Fatalf("no claim %s", name)
		return nil
	}
	for _, c := range []struct {
		claim *paper.Claim
		rows  []string
		want  paper.Verdict
	}{
		{find("torn-halves", bestClaims()), []string{"torn do|BA|100", "torn do|GT(8)|55"}, paper.Holds},
		{find("torn-halves", bestClaims()), []string{"torn do|BA|100", "torn do|GT(8)|93"}, paper.Fails},
		{find("torn-halves", bestClaims()), []string{"torn do|BA|100"}, paper.Open},
		{find("level-helps", bestClaims()), []string{"a|GT(0)|100", "a|GT(4)|90", "a|GT(8)|80"}, paper.Holds},
		{find("level-helps", bestClaims()), []string{"a|GT(0)|80", "a|GT(4)|90", "a|GT(8)|100"}, paper.Fails},
		{find("gating-beats-throttling", bestClaims()), []string{"a|BA|100", "a|TE|90", "a|GT(8)|80"}, paper.Holds},
		{find("gating-beats-throttling", bestClaims()), []string{"a|BA|100", "a|TE|70", "a|GT(8)|80"}, paper.Fails},
		{find("base-times", baseClaims()), []string{"trns|do|1500", "brot|do|2500"}, paper.Holds},
		{find("base-times", baseClaims()), []string{"trns|do|1500", "brot|do|4261"}, paper.Fails},
		{find("bad-cases-throttle", rampClaims()), []string{"do a BA|critical load, least|100", "do a TE|critical load, least|10",
			"do a GT|critical load, least|90"}, paper.Holds},
		{find("bad-cases-throttle", rampClaims()), []string{"do a BA|critical load, least|100", "do a TE|critical load, least|90",
			"do a GT|critical load, least|10"}, paper.Fails},
		{find("steady-order-differs", rampClaims()), []string{"do|" + sameOrder + "|60", "dp|" + sameOrder + "|70"}, paper.Holds},
		{find("steady-order-differs", rampClaims()), []string{"do|" + sameOrder + "|60", "dp|" + sameOrder + "|95"}, paper.Fails},
	} {
		if got := c.claim.Judge(result(c.rows...)); got.Verdict != c.want {
			t.Errorf("%s with %q: %s, want %s", c.claim.Name, c.rows, got.Verdict, c.want)
		}
	}
}
