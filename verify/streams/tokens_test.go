package streams

import (
	"context"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/model/streams/aie"
	"github.com/turnproof/turnproof/verify"
)

// TestTokens decides a design whose tokens pass an arbiter. The host waits for the token of the task that sends, and only then
// lets another channel take what it sent.
func TestTokens(t *testing.T) {
	design := `module {
  aie.device(npu2) {
    %s = aie.tile(0, 0) {controller_id = #aie.packet_info<pkt_type = 0, pkt_id = 15>}
    aie.packet_flow(3) { aie.packet_source<%s, DMA : 0> aie.packet_dest<%s, DMA : 0> }
    aie.shim_dma_allocation @in(%s, MM2S, 0)
    aie.shim_dma_allocation @out(%s, S2MM, 0)
    aie.runtime_sequence(%a: memref<WORDSxi32>) {
      aiex.npu.dma_memcpy_nd(%a[0, 0, 0, 0][1, 1, 1, WORDS][0, 0, 0, 1]) {id = 0 : i64, issue_token = true, metadata = @out} : memref<WORDSxi32>
      aiex.npu.dma_memcpy_nd(%a[0, 0, 0, 0][2, 1, 1, WORDS][0, 0, 0, 1], packet = <pkt_id = 3>) {issue_token = true, metadata = @in} : memref<WORDSxi32>
      aiex.npu.dma_wait {symbol = @out}
      aiex.npu.dma_memcpy_nd(%a[0, 0, 0, 0][1, 1, 1, WORDS][0, 0, 0, 1]) {id = 0 : i64, issue_token = true, metadata = @out} : memref<WORDSxi32>
      aiex.npu.dma_wait {symbol = @out}
      aiex.npu.dma_wait {symbol = @in}
    }
    %m = aie.shim_mux(%s) {
      aie.connect<DMA : 0, North : 3>
      aie.connect<North : 2, DMA : 0>
    }
    %b = aie.switchbox(%s) {
      %0 = aie.amsel<ARBITER> (0)
      %1 = aie.amsel<5> (1)
      %2 = aie.masterset(South : 2, %0)
      %3 = aie.masterset(South : 0, %1)
      aie.packet_rules(South : 3) {
        aie.rule(31, 3, %0)
      }
      aie.packet_rules(TileControl : 0) {
        aie.rule(31, 15, %1)
      }
    }
  }
}
`
	for _, x := range []struct {
		arbiter, words string
		want           verify.Verdict
	}{{"5", "64", verify.Refuted}, {"4", "64", verify.Proved}, {"5", "5", verify.Proved}} {
		p, err := aie.Read(strings.NewReplacer("ARBITER", x.arbiter, "WORDS", x.words).Replace(design), "tokens.mlir", aie.Options{})
		if err != nil {
			t.Fatal(err)
		}
		r, err := Check(context.Background(), p, Options{})
		if err != nil || r.Verdict != x.want {
			t.Errorf("arbiter %s, %s words: %+v, %v", x.arbiter, x.words, r, err)
		}
	}
}
