package exhaustive

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/internal/longtest"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/topo"
	"github.com/turnproof/turnproof/synth/mend"
)

// TestMended compares verdicts on mended tables under flow control of rings or gates, some for some pairs of hosts, with all states.
// TURNPROOF_CASES and TURNPROOF_FIRST choose more cases.
func TestMended(t *testing.T) {
	tally := &Tally{Said: map[string]int{}, Refused: map[string]int{}, Wrong: map[string]string{}}
	first := number("TURNPROOF_FIRST", 0)
	for k := first; k < first+number("TURNPROOF_CASES", longtest.Cases[uint64](60, 6000)); k++ {
		rng := rand.New(rand.NewPCG(k, 50))
		n, err := topo.Parse(pick(rng, "ring:3", "ring:4", "mesh:2x2", "line:3"))
		if err != nil {
			t.Fatal(err)
		}
		given := drawTable(rng, n)
		d := &drawn{rel: given}
		if rng.IntN(2) == 0 {
			d.drawFlows(rng)
		}
		var flows []model.Flow
		if f, ok := d.rel.(model.Flowing); ok {
			flows = f.Flows()
		}
		m, err := mend.Find(t.Context(), given, mend.Options{Flows: flows})
		if err != nil {
			t.Fatal(err)
		}
		if d.rel = m.Table; flows != nil {
			d.rel = model.WithFlows(m.Table, flows)
		}
		if rng.IntN(2) == 0 {
			d.drawGate(rng)
		} else {
			d.drawFlowControl(rng)
		}
		d.say("", "case %d, changes %v", k, m.Changes)
		one, err := d.judge(t.Context(), 10_000)
		if err != nil {
			t.Fatal(err)
		}
		tally.add(one)
	}
	if err := tally.Write(t.Output()); err != nil {
		t.Fatal(err)
	}
	if tally.WrongCount > 0 {
		t.Errorf("%d wrong verdicts", tally.WrongCount)
	}
	for _, condition := range []string{"flow control: proved, FREE", "gates: proved, FREE", "gates: refuted, STUCK"} {
		count := 0
		for said, n := range tally.Said {
			if strings.Contains(said, condition) {
				count += n
			}
		}
		if count == 0 {
			t.Errorf("%d times %s: the test is too weak", count, condition)
		}
	}
}

// drawTable draws a table: any link for each switch and destination.
func drawTable(rng *rand.Rand, n *model.Network) *model.Table {
	table := model.NewTable(n, model.AllAddresses(n))
	for d := range model.DestID(table.Destinations()) {
		h := table.DestinationHost(d)
		for u := range model.SwitchID(n.NumSwitches()) {
			if table.SetPort(u, d, n.TailPort(pick(rng, n.Out(u)...))); n.Host(h).Switch == u {
				table.SetPort(u, d, n.TailPort(n.EjectChannel(h)))
			}
		}
	}
	return table
}
