package tables_test

import (
	"fmt"
	"math/big"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/internal/modeltest"
	"github.com/turnproof/turnproof/model/view/tables"
)

// bench compares every entry of a package with what it must be, read from want.hex in
// the order of its loops.
func bench(l *tables.Lookup, pkg string) string {
	loops, args, outLoops, outArgs := [][2]string{{"a", "SWITCHES"}}, "switch_t'(a)", [][2]string{{"p", "PORTS"}}, "port_t'(p)"
	function := map[tables.Form]string{tables.Turns: "allowed_turns", tables.Next: "next_port", tables.InputNext: "next_outputs"}[l.Form]
	place := "p"
	if l.Form != tables.Next {
		loops, args = append(loops, [2]string{"b", "PORTS"}, [2]string{"c", "VCS"}), args+", port_t'(b), vc_t'(c)"
	}
	if l.Form != tables.Next || l.VCs > 1 {
		outLoops, outArgs, place = append(outLoops, [2]string{"v", "VCS"}), outArgs+", vc_t'(v)", "p*VCS + v"
	}
	if l.Classes > 1 {
		loops, args = append(loops, [2]string{"k", "CLASSES"}), args+", class_t'(k)"
		outLoops, outArgs, place = append(outLoops, [2]string{"o", "CLASSES"}), outArgs+", class_t'(o)", "(o*PORTS + p)*VCS + v"
	}
	if l.Form != tables.Turns {
		loops, args = append(loops, [2]string{"d", "DESTINATIONS"}), args+", destination_t'(d)"
	}
	forAll := func(list [][2]string) (text string) {
		for _, x := range list {
			text += fmt.Sprintf("for (int %s = 0; %s < %s; %s++) ", x[0], x[0], x[1], x[0])
		}
		return text
	}
	return fmt.Sprintf(`module bench;
  import %s::*;
  logic [OUTPUTS-1:0] want [0:%d];
  outputs_t got;
  integer n, bad;
  initial begin
    $readmemh("want.hex", want);
    n = 0; bad = 0;
    %s begin
      got = %s(%s);
      if (got !== want[n]) begin
        bad++;
        if (bad < 5) $display("entry %%0d is %%h, want %%h", n, got, want[n]);
      end
      %s
        if (permits(got, %s) !== want[n][%s]) bad++;
      n++;
    end
    $display("%%0d entries, %%0d bad", n, bad);
    $finish(0);
  end
endmodule
`, pkg, l.Entries()-1, forAll(loops), function, args, forAll(outLoops), outArgs, place)
}

// hexFile is what the bench reads.
func hexFile(s subject) string {
	var b strings.Builder
	for _, in := range inputs(s.lookup) {
		x := new(big.Int)
		for bit, o := range outputs(s.lookup) {
			if s.want[in][o] {
				x.SetBit(x, bit, 1)
			}
		}
		fmt.Fprintf(&b, "%x\n", x)
	}
	return b.String()
}

// simulate runs the bench over a package in Icarus Verilog.
func simulate(t *testing.T, s subject, text string) string {
	dir := t.TempDir()
	_, rest, _ := strings.Cut(text, "\npackage ")
	pkg, _, _ := strings.Cut(rest, ";")
	save(t, dir, pkg+".sv", text)
	save(t, dir, "bench.sv", bench(s.lookup, pkg))
	save(t, dir, "want.hex", hexFile(s))
	mustRun(t, dir, modeltest.Tool(t, "iverilog"), "-g2012", "-Wall", "-o", "bench.vvp", pkg+".sv", "bench.sv")
	return mustRun(t, dir, modeltest.Tool(t, "vvp"), "-n", "bench.vvp")
}

// TestVerilogEntries simulates each table and compares every entry with the model. A table with
// one changed digit is detected.
func TestVerilogEntries(t *testing.T) {
	modeltest.Tool(t, "iverilog")
	for i, s := range subjects(t) {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			text := written(t, s.lookup, tables.WriteVerilog)
			if got, want := simulate(t, s, text), fmt.Sprintf("%d entries, 0 bad\n", s.lookup.Entries()); got != want {
				t.Errorf("%s, want %s", got, want)
			}
			if i > 0 {
				return
			}
			digits := (s.lookup.Outputs() + 3) / 4
			for _, mutant := range mutants(text, "localparam row_t ROW_", "'h", digits) {
				if mutant == text {
					t.Fatal("a mutant without a change")
				}
				if got := simulate(t, s, mutant); !strings.Contains(got, " is ") || strings.Contains(got, " 0 bad") {
					t.Errorf("a changed table is not found out: %s", got)
				}
			}
		})
	}
}

// TestVerilogLint checks that Verilator prints no warning when all its warnings are enabled.
func TestVerilogLint(t *testing.T) {
	verilator := modeltest.Tool(t, "verilator")
	for _, s := range subjects(t) {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			text := written(t, s.lookup, tables.WriteVerilog)
			_, rest, _ := strings.Cut(text, "\npackage ")
			pkg, _, _ := strings.Cut(rest, ";")
			save(t, dir, pkg+".sv", text)
			if out := mustRun(t, dir, verilator, "--lint-only", "-Wall", pkg+".sv"); strings.Contains(out, "%") {
				t.Error(out)
			}
		})
	}
}

// TestVerilogSynthesis checks that the gates which Yosys makes for one switch answer as the model
// does.
func TestVerilogSynthesis(t *testing.T) {
	yosys, iverilog := modeltest.Tool(t, "yosys"), modeltest.Tool(t, "iverilog")
	s := subjects(t)[0]
	text := written(t, s.lookup, tables.WriteVerilog)
	const pkg = "mesh_4x3_west_first_route_pkg"
	const at, ports, dests = 5, 6, 12
	dir := t.TempDir()
	save(t, dir, "table.sv", text)
	save(t, dir, "router.sv", fmt.Sprintf(`module router(input %[1]s::port_t in_port, input %[1]s::destination_t destination, output %[1]s::outputs_t outputs);
  assign outputs = %[1]s::next_outputs(%[2]d, in_port, 1'b0, destination);
endmodule`, pkg, at))
	mustRun(t, dir, yosys, "-q", "-p", "read_verilog -sv table.sv router.sv; synth -top router; write_verilog -noattr gates.v")
	save(t, dir, "bench.sv", fmt.Sprintf(`module bench;
  logic [2:0] in_port; logic [3:0] destination; wire [5:0] outputs;
  router dut(in_port, destination, outputs);
  initial begin
    for (int p = 0; p < %d; p++) for (int d = 0; d < %d; d++) begin
      in_port = 3'(p); destination = 4'(d); #1 $display("%%h", outputs);
    end
    $finish(0);
  end
endmodule`, ports, dests))
	mustRun(t, dir, iverilog, "-g2012", "-o", "bench.vvp", "gates.v", "bench.sv")
	got := mustRun(t, dir, modeltest.Tool(t, "vvp"), "-n", "bench.vvp")
	want := ""
	for _, in := range inputs(s.lookup) {
		if in.Switch != at {
			continue
		}
		set := 0
		for bit, o := range outputs(s.lookup) {
			if s.want[in][o] {
				set |= 1 << bit
			}
		}
		want += fmt.Sprintf("%02x\n", set)
	}
	if got != want || strings.Count(want, "00") == ports*dests {
		t.Errorf("gates say\n%s, want\n%s", got, want)
	}
}
