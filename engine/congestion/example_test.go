package congestion_test

import (
	"context"
	"fmt"

	"github.com/turnproof/turnproof/engine"
	"github.com/turnproof/turnproof/engine/congestion"
)

// The paper's five routings on a 4x4 torus without flow limiting. Every host sends 4 packets in
// the transpose pattern.
func ExampleStudy_Run() {
	study := congestion.Default()
	study.Side, study.Rounds, study.Packets = 4, 1, 4
	for _, p := range congestion.Collectives([]string{"trns"}, engine.VirtualControl) {
		if p.Method.Kind != congestion.Base {
			continue
		}
		r, err := study.Run(context.Background(), p)
		if err != nil {
			panic(err)
		}
		fmt.Println(r.Point, "took", r.Mean, "clocks, frozen:", r.Frozen)
	}
	// Output:
	// do trns BA, virtual control took 94 clocks, frozen: false
	// sa trns BA, virtual control took 66 clocks, frozen: false
	// cl trns BA, virtual control took 66 clocks, frozen: false
	// dp trns BA, virtual control took 49 clocks, frozen: false
	// df trns BA, virtual control took 55 clocks, frozen: false
}

// Details that the paper leaves open are keys of the study.
func ExampleStudy_Read() {
	study := congestion.Default()
	if err := study.Read("unit=flit"); err != nil {
		panic(err)
	}
	fmt.Println(study.Readings())
	fmt.Println(study.Read("side=7"))
	// Output:
	// 32x32, 10 rounds, gates by flit, bits of own VCs, slots stored, 17 bits, vct, first-come, 3 clocks a hop
	// side is "7", of the torus, 4 to 64, a power of two was expected
}
