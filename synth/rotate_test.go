package synth

import (
	"context"
	"fmt"
	"testing"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/topo"
)

// TestRotatedJoiningTurns counts the prohibited pairs of turns onto links that join two fat trees,
// table 2 of the turn addition paper: 2 of 32, 39 of 256, 405 of 2048, 3838 or 3839 of 16384. For
// k=8 the rotation prohibits 36.
func TestRotatedJoiningTurns(t *testing.T) {
	want := map[int]int{4: 2, 8: 36, 16: 405}
	if long() {
		want[32] = 3839
	}
	for k, prohibited := range want {
		n, err := topo.Parse(fmt.Sprintf("fattree-pair:k=%d,join=middle,wires=crossed", k))
		if err != nil {
			t.Fatal(err)
		}
		o := Options{Equal: EqualRotate}
		if o.Traffic, err = model.HalvesTraffic(n, 1, 0.01); err != nil {
			t.Fatal(err)
		}
		made, err := New(context.Background(), "turn-addition", n, o)
		if err != nil {
			t.Fatal(err)
		}
		bad, all := 0, 0
		half := model.SwitchID(n.NumSwitches() / 2)
		for turn := range model.Turns(n.WithVCs(1), false) {
			if in, out := n.Tail(model.ChannelID(turn.In)), n.Head(model.ChannelID(turn.Out)); (in < half) != (out < half) {
				all++
				if !made.Allowed.Has(turn) {
					bad++
				}
			}
		}
		if bad != 2*prohibited || all != k*k*k {
			t.Errorf("k=%d: %d of %d pairs prohibited, want %d of %d", k, bad/2, all/2, prohibited, k*k*k/2)
		}
	}
}
