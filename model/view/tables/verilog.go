package tables

import (
	"bufio"
	"fmt"
	"io"
	"math/big"
	"strings"

	"github.com/turnproof/turnproof/model"
)

// This file writes a table as a SystemVerilog package (IEEE 1800-2012) for synthesis: sizes,
// types and a stateless function from an input to its set. If a router passes its own number as
// a constant, synthesis keeps only its part.
//
// Each distinct row is a constant that concatenates the sets of all destinations. The function
// selects a row by switch, port, VC and class, then the set by destination. The code uses only
// what Icarus Verilog 11 and Verilator 5 support: parameters with one dimension and no unsigned
// parameters.

// Limits of a package.
const (
	maxVectorBits = 1 << 16 // bits of a vector that the standard guarantees (6.9.1)
	maxTableBits  = 1 << 26 // bits of all rows
)

// WriteVerilog writes a table as a SystemVerilog package. Its name contains the names of
// network and routing. It fails with *TooLarge beyond 65,536 bits per row or 64 Mbit in total.
// Cost: O(entries), and the text of the distinct rows, one hexadecimal digit for 4 bits.
func WriteVerilog(w io.Writer, l *Lookup) error {
	v := &verilog{w: bufio.NewWriter(w), l: l}
	if l.Ranged {
		v.head()
		v.types()
		v.rangeLookup()
	} else {
		v.r = l.rows()
		if k := l.Dest * l.Outputs(); k > maxVectorBits {
			return &TooLarge{"bits for the outputs to all destinations, one vector", k, maxVectorBits, ""}
		}
		if err := l.fits(v.r); err != nil {
			return err
		}
		v.head()
		v.types()
		v.constants()
		v.lookup()
	}
	v.member()
	v.p("\nendpackage\n")
	return v.w.Flush()
}

// fits returns *TooLarge if the rows exceed a limit.
func (l *Lookup) fits(r rows) error {
	if k := len(r.list) * l.Dest * l.Outputs(); k > maxTableBits {
		return &TooLarge{"bits of distinct rows", k, maxTableBits, "csv has no limit"}
	}
	return nil
}

type verilog struct {
	w *bufio.Writer
	l *Lookup
	r rows
}

func (v *verilog) p(format string, a ...any) { fmt.Fprintf(v.w, format, a...) }

func (v *verilog) head() {
	for _, line := range v.l.about() {
		v.p("%s\n", strings.TrimRight("// "+line, " "))
	}
	v.p("\npackage %s_pkg;\n\n", v.l.identifier())
}

// types declares a type for each argument and for sets.
func (v *verilog) types() {
	v.p("  // verilator lint_off UNUSEDPARAM\n")
	for _, c := range v.l.constants() {
		v.p("  localparam int %s = %d;\n", c.constant, c.size)
	}
	v.p("  // verilator lint_on UNUSEDPARAM\n\n")
	for _, a := range v.l.arguments() {
		v.p("  typedef logic [%d:0] %s_t; // 0 to %d\n", width(a.size)-1, a.kind, a.size-1)
	}
	if v.l.Form == Next {
		v.p("  typedef logic [%d:0] port_t; // 0 to %d\n", width(v.l.Ports)-1, v.l.Ports-1)
	}
	if v.l.Form == Next && v.l.hasVCs() {
		v.p("  typedef logic [%d:0] vc_t; // 0 to %d\n", width(v.l.VCs)-1, v.l.VCs-1)
	}
	v.p("  typedef logic [OUTPUTS-1:0] outputs_t;\n")
	if v.l.Ranged {
		return
	}
	if v.l.Form == Turns {
		v.p("  typedef logic [OUTPUTS-1:0] row_t;\n")
	} else {
		v.p("  typedef logic [DESTINATIONS*OUTPUTS-1:0] row_t; // the outputs to each destination, 0 in the lowest bits\n")
	}
}

// constants writes the rows, highest destination first, eight destinations per line.
func (v *verilog) constants() {
	digits := (v.l.Outputs() + 3) / 4
	for i, row := range v.r.list {
		if i == 0 {
			v.p("\n")
			continue // '0
		}
		v.p("  localparam row_t ROW_%d = {", i)
		for j := len(row) - 1; j >= 0; j-- {
			if k := len(row) - 1 - j; k%8 == 0 && len(row) > 8 {
				v.p("\n    ")
			} else if k > 0 {
				v.p(" ")
			}
			v.p("%d'h%0*x", v.l.Outputs(), digits, number(v.l.pool.sets[row[j]]))
			if j > 0 {
				v.p(",")
			}
		}
		v.p("};\n")
	}
}

// number returns the words of a set as one number.
func number(words []uint64) *big.Int {
	x := new(big.Int)
	for i := len(words) - 1; i >= 0; i-- {
		x.Lsh(x, 64).Or(x, new(big.Int).SetUint64(words[i]))
	}
	return x
}

// lookup writes the lookup function.
func (v *verilog) lookup() {
	v.function()
	v.p("    row_t row;\n    row = '0;\n    case (at)\n")
	per := len(v.r.of) / v.l.Switches
	for u := range v.l.Switches {
		v.ofSwitch(u, v.r.of[u*per:(u+1)*per])
	}
	v.p("      default: row = '0;\n    endcase\n")
	if v.l.Form == Turns {
		v.p("    %s = row;\n  endfunction\n", v.l.function())
		return
	}
	v.p("    %s = '0;\n    ", v.l.function())
	if k := width(v.l.Dest); v.l.Dest < 1<<k {
		v.p("if (destination < %d'd%d) ", k, v.l.Dest)
	}
	v.p("%s = row[%s*OUTPUTS +: OUTPUTS];\n  endfunction\n", v.l.function(), wide("destination", v.l.Dest))
}

// function opens the lookup function.
func (v *verilog) function() {
	var list []string
	for _, a := range v.l.arguments() {
		list = append(list, fmt.Sprintf("input %s_t %s", a.kind, a.name))
	}
	v.p("\n  function automatic outputs_t %s(%s);\n", v.l.function(), strings.Join(list, ", "))
}

// rangeLookup writes the lookup function as comparisons of the destination with the ends of ranges.
func (v *verilog) rangeLookup() {
	v.function()
	v.p("    %s = '0;\n    case (at)\n", v.l.function())
	for u := range v.l.Switches {
		list := v.l.Ranges(model.SwitchID(u))
		for i, r := range list {
			if i == 0 {
				v.p("      %d'd%d:\n        ", width(v.l.Switches), u)
			} else {
				v.p("        else ")
			}
			if i+1 < len(list) {
				v.p("if (destination <= %d'd%d) ", width(v.l.Dest), r.Last)
			}
			v.p("%s = %d'h%0*x;\n", v.l.function(), v.l.Outputs(), (v.l.Outputs()+3)/4, number(r.Set))
		}
	}
	v.p("      default: %s = '0;\n    endcase\n  endfunction\n", v.l.function())
}

// ofSwitch writes the selection of the row of one switch; of has the row of each of its inputs.
func (v *verilog) ofSwitch(u int, of []int) {
	at := fmt.Sprintf("%d'd%d", width(v.l.Switches), u)
	if v.l.Form == Next {
		if of[0] > 0 {
			v.p("      %s: row = ROW_%d;\n", at, of[0])
		}
		return
	}
	var order []int // rows in order of first use
	inputs := map[int][]string{}
	for i, row := range of {
		if row == 0 {
			continue
		}
		if inputs[row] == nil {
			order = append(order, row)
		}
		inputs[row] = append(inputs[row], v.label(i))
	}
	if len(order) == 0 {
		return
	}
	names := "in_port, in_vc"
	if v.l.Classes > 1 {
		names += ", in_class"
	}
	v.p("      %s:\n        case ({%s})\n", at, names)
	for _, row := range order {
		v.p("          %s: row = ROW_%d;\n", strings.Join(inputs[row], ", "), row)
	}
	v.p("          default: row = '0;\n        endcase\n")
}

// label returns the label of input i of a switch: {port, VC, class}.
func (v *verilog) label(i int) string {
	class := i % v.l.Classes
	vc := i / v.l.Classes % v.l.VCs
	port := i / v.l.Classes / v.l.VCs
	text := fmt.Sprintf("{%d'd%d, %d'd%d", width(v.l.Ports), port, width(v.l.VCs), vc)
	if v.l.Classes > 1 {
		text += fmt.Sprintf(", %d'd%d", width(v.l.Classes), class)
	}
	return text + "}"
}

// wide extends a variable with k values to 32 bits. (Yosys does not support casts to int.)
func wide(name string, k int) string { return fmt.Sprintf("{%d'd0, %s}", 32-width(k), name) }

// member writes the function that reports whether an output is in a set.
func (v *verilog) member() {
	port, vc := wide("port", v.l.Ports), wide("vc", v.l.VCs)
	args, place := "input port_t port", port
	if v.l.hasVCs() {
		args, place = args+", input vc_t vc", port+"*VCS + "+vc
	}
	if v.l.Classes > 1 {
		args, place = args+", input class_t next_class", fmt.Sprintf("(%s*PORTS + %s)*VCS + %s", wide("next_class", v.l.Classes), port, vc)
	}
	v.p("\n  // Is an output in the set? Port, VC and class must be such as there are.\n")
	v.p("  function automatic logic permits(input outputs_t outputs, %s);\n    permits = outputs[%s];\n  endfunction\n", args, place)
}
