// A core adds blocks of two streams, each into a window of one block. Both streams come from a memory tile and pass
// arbiter 2 of the core's switchbox. The second block of one stream can hold it while the core waits for the other.
module {
  aie.device(npu2) {
    %shim = aie.tile(0, 0)
    %memory = aie.tile(0, 1)
    %adder = aie.tile(0, 2)
    aie.packet_flow(3) { aie.packet_source<%memory, DMA : 0> aie.packet_dest<%adder, DMA : 0> }
    aie.packet_flow(4) { aie.packet_source<%memory, DMA : 1> aie.packet_dest<%adder, DMA : 1> }
    aie.flow(%adder, DMA : 0, %shim, DMA : 0)
    %left = aie.buffer(%memory) {sym_name = "left"} : memref<128xi32>
    %right = aie.buffer(%memory) {sym_name = "right"} : memref<128xi32>
    %wl = aie.buffer(%adder) {sym_name = "wl"} : memref<64xi32>
    %wr = aie.buffer(%adder) {sym_name = "wr"} : memref<64xi32>
    %sum = aie.buffer(%adder) {sym_name = "sum"} : memref<64xi32>
    %wl_free = aie.lock(%adder, 0) {init = 1 : i32, sym_name = "wl_free"}
    %wl_full = aie.lock(%adder, 1) {init = 0 : i32, sym_name = "wl_full"}
    %wr_free = aie.lock(%adder, 2) {init = 1 : i32, sym_name = "wr_free"}
    %wr_full = aie.lock(%adder, 3) {init = 0 : i32, sym_name = "wr_full"}
    %sum_free = aie.lock(%adder, 4) {init = 1 : i32, sym_name = "sum_free"}
    %sum_full = aie.lock(%adder, 5) {init = 0 : i32, sym_name = "sum_full"}
    %program = aie.core(%adder) {
      %1 = arith.constant 1 : i32
      %first = arith.constant 0 : index
      %step = arith.constant 1 : index
      %blocks = arith.constant 2 : index
      scf.for %block = %first to %blocks step %step {
        aie.use_lock(%wl_full, AcquireGreaterEqual, %1)
        aie.use_lock(%wr_full, AcquireGreaterEqual, %1)
        aie.use_lock(%sum_free, AcquireGreaterEqual, %1)
        aie.use_lock(%wl_free, Release, %1)
        aie.use_lock(%wr_free, Release, %1)
        aie.use_lock(%sum_full, Release, %1)
      }
      aie.end
    }
    %sends = aie.memtile_dma(%memory) {
      %a = aie.dma_start(MM2S, 0, ^left, ^next, repeat_count = 1)
    ^left:
      aie.dma_bd(%left : memref<128xi32> offset = 0 len = 64) {packet = #aie.packet_info<pkt_type = 0, pkt_id = 3>}
      aie.next_bd ^end
    ^next:
      %b = aie.dma_start(MM2S, 1, ^right, ^end, repeat_count = 1)
    ^right:
      aie.dma_bd(%right : memref<128xi32> offset = 0 len = 64) {packet = #aie.packet_info<pkt_type = 0, pkt_id = 4>}
      aie.next_bd ^end
    ^end:
      aie.end
    }
    %takes = aie.mem(%adder) {
      %1 = arith.constant 1 : i32
      %a = aie.dma_start(S2MM, 0, ^left, ^next)
    ^left:
      aie.use_lock(%wl_free, AcquireGreaterEqual, %1)
      aie.dma_bd(%wl : memref<64xi32> offset = 0 len = 64)
      aie.use_lock(%wl_full, Release, %1)
      aie.next_bd ^left
    ^next:
      %b = aie.dma_start(S2MM, 1, ^right, ^last)
    ^right:
      aie.use_lock(%wr_free, AcquireGreaterEqual, %1)
      aie.dma_bd(%wr : memref<64xi32> offset = 0 len = 64)
      aie.use_lock(%wr_full, Release, %1)
      aie.next_bd ^right
    ^last:
      %c = aie.dma_start(MM2S, 0, ^sum, ^end)
    ^sum:
      aie.use_lock(%sum_full, AcquireGreaterEqual, %1)
      aie.dma_bd(%sum : memref<64xi32> offset = 0 len = 64)
      aie.use_lock(%sum_free, Release, %1)
      aie.next_bd ^sum
    ^end:
      aie.end
    }
    aie.shim_dma_allocation @result(%shim, S2MM, 0)
    aie.runtime_sequence(%out: memref<128xi32>) {
      aiex.npu.dma_memcpy_nd(%out[0, 0, 0, 0][1, 1, 1, 128][0, 0, 0, 1]) {id = 0 : i64, issue_token = true, metadata = @result} : memref<128xi32>
      aiex.npu.dma_wait {symbol = @result}
    }
  }
}

// -----

module {
  aie.device(npu2) {
    %shim = aie.tile(0, 0)
    %memory = aie.tile(0, 1)
    %adder = aie.tile(0, 2)
    %box0 = aie.switchbox(%shim) {
      aie.connect<North : 0, South : 2>
    }
    %mux = aie.shim_mux(%shim) {
      aie.connect<North : 2, DMA : 0>
    }
    %box1 = aie.switchbox(%memory) {
      aie.connect<North : 0, South : 0>
      %0 = aie.amsel<0> (0)
      %1 = aie.amsel<1> (0)
      %2 = aie.masterset(North : 0, %0)
      %3 = aie.masterset(North : 1, %1)
      aie.packet_rules(DMA : 0) {
        aie.rule(31, 3, %0)
      }
      aie.packet_rules(DMA : 1) {
        aie.rule(31, 4, %1)
      }
    }
    %box2 = aie.switchbox(%adder) {
      aie.connect<DMA : 0, South : 0>
      %0 = aie.amsel<2> (0)
      %1 = aie.amsel<2> (1)
      %2 = aie.masterset(DMA : 0, %0)
      %3 = aie.masterset(DMA : 1, %1)
      aie.packet_rules(South : 0) {
        aie.rule(31, 3, %0)
      }
      aie.packet_rules(South : 1) {
        aie.rule(31, 4, %1)
      }
    }
  }
}
