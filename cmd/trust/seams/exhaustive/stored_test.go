package exhaustive

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/internal/longtest"
	"github.com/turnproof/turnproof/model"
)

// drawStored draws gates or flow control where packets are stored whole, or alone in a VC.
func drawStored(rng *rand.Rand) *drawn {
	for isGate := rng.IntN(3) > 0; ; {
		d := &drawn{}
		if d.drawRouting(rng); d.rel == nil || isGate && d.rel.Network().Grid() == nil {
			continue
		}
		if isGate {
			d.drawGate(rng)
		} else {
			d.drawFlowControl(rng)
		}
		if d.switching == model.StoreAndForward || isGate && d.atomic {
			return d
		}
	}
}

// TestStored compares gates and flow control of rings with all states where packets are stored whole, or alone in a VC. TURNPROOF_CASES
// and TURNPROOF_FIRST choose more cases.
func TestStored(t *testing.T) {
	tally := &Tally{Said: map[string]int{}, Refused: map[string]int{}, Wrong: map[string]string{}}
	first := number("TURNPROOF_FIRST", 0)
	for k := first; k < first+number("TURNPROOF_CASES", longtest.Cases[uint64](20, 10_000)); k++ {
		rng := rand.New(rand.NewPCG(k, 49))
		d := drawStored(rng)
		if rng.IntN(3) == 0 {
			d.drawFlows(rng)
		}
		d.say("", "case %d", k)
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
	for _, condition := range []string{"flow control", "gates"} {
		for _, pair := range []string{"proved, FREE", "refuted, STUCK"} {
			count := 0
			for said, n := range tally.Said {
				if strings.Contains(said, condition) && strings.Contains(said, pair) {
					count += n
				}
			}
			if count < 2 {
				t.Errorf("%d times %s with %s: the test is too weak", count, pair, condition)
			}
		}
	}
}
