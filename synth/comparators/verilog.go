package comparators

import (
	"bufio"
	"fmt"
	"io"
	"math/bits"
	"slices"
	"strings"

	"github.com/turnproof/turnproof/internal/wording"
	"github.com/turnproof/turnproof/model/program"
	"github.com/turnproof/turnproof/verify/parametric"
)

// This file writes a circuit as a SystemVerilog module (IEEE 1800-2012) for synthesis. The code uses only what Icarus
// Verilog 11, Verilator 5 and Yosys 0.23 support.

// WriteVerilog writes the circuit as a module. sides are the lengths of the dimensions of a network of the family. They
// become the defaults of the parameters.
func (c *Circuit) WriteVerilog(w io.Writer, sides []int) error {
	v := &verilog{w: bufio.NewWriter(w), Circuit: c, sides: sides}
	v.head()
	v.ports()
	v.widths()
	v.comparisons()
	v.p("\n  always_comb begin\n")
	v.node(c.root, "    ")
	v.p("  end\nendmodule\n")
	return v.w.Flush()
}

type verilog struct {
	*Circuit
	w     *bufio.Writer
	sides []int
}

func (v *verilog) p(format string, a ...any) { fmt.Fprintf(v.w, format, a...) }

// Ports returns the ports of a router: port 0 leads to its hosts, port 2d+1 in the plus direction of dimension or axis d,
// and port 2d+2 in the minus direction.
func (c *Circuit) Ports() int { return 2*c.program.Family.NumAxes(c.tree.Dims) + 1 }

// Outputs returns the number of bits of a request.
func (c *Circuit) Outputs() int { return c.Ports() * c.program.VCs * c.program.States }

// Bit returns the bit of an output in a request: (state × ports + port) × VCs + VC. An ejection is bit 0.
func (c *Circuit) Bit(o program.Output) int {
	if o.Dir == program.Eject {
		return 0
	}
	return (o.State*c.Ports()+int(o.Dir.Port()))*c.program.VCs + o.VC
}

// Module returns the name of the module.
func (c *Circuit) Module() string {
	name := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			return r
		}
		return '_'
	}, strings.ToLower(strings.TrimSuffix(c.program.Name, ".star")))
	if name == "" || name[0] < 'a' || name[0] > 'z' {
		name = "r" + name
	}
	return name[:min(len(name), 60)] + "_route"
}

// Reads reports which inputs the module has besides place and destination: the input port, the VC and the header state.
func (c *Circuit) Reads() (port, vc, state bool) {
	return c.reads[parametric.AskDir], c.reads[parametric.AskVC], c.reads[parametric.AskState]
}

func (v *verilog) head() {
	p := v.program
	lines := []string{
		fmt.Sprintf("routing program %s for %s, %s, %s", clean(p.Name), clean(p.Family.String()), wording.Count(p.VCs, "VC", "s"),
			wording.Count(p.States, "header state", "s")),
		"made by: turnproof table --kind comparators",
		"",
		"Which outputs may a packet request, given the coordinates of its router and of its destination? The module has no",
		fmt.Sprintf("table: its sizes are parameters, from %d on. Coordinates must be below the sizes.", v.tree.Least),
		fmt.Sprintf("Bit (state * %d + port) * %d + VC of requests is an output. Port 0 leads to the hosts of the router (bit 0), ports", v.Ports(), p.VCs),
		"2d+1 and 2d+2 in the plus and minus direction of " + v.axisWord() + " d. Several bits are a choice; their order in the program",
		"is lost. If there is no bit, the packet is lost.",
	}
	if len(v.tree.Where) > 0 {
		lines = append(lines, "Conditions on the sizes: "+clean(strings.Join(v.tree.Where, ", "))+".")
	}
	if port, vc, state := v.Reads(); port || vc || state {
		lines = append(lines, "in_port is the port of the router by which the packet arrived, 0 if it was created here; then in_vc is 0.")
	}
	lines = append(lines, "")
	a := v.Area(v.sides)
	lines = append(lines, fmt.Sprintf("Area of each router for the default sizes (docs/hardware.md): %d comparators, %d bits compared, %d bits stored",
		a.Comparators, a.ComparedBits, a.Bits))
	for _, line := range lines {
		v.p("%s\n", strings.TrimRight("// "+line, " "))
	}
}

// axisWord returns the word for what a pair of ports leads along.
func (v *verilog) axisWord() string {
	if v.program.Family.HasAxes() {
		return "axis"
	}
	return "dimension"
}

// clean returns a text without characters that end a comment or continue it.
func clean(text string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' || r == '\\' || r == '`' {
			return '.'
		}
		return r
	}, text)
}

// sizeName returns the parameter of size i.
func (v *verilog) sizeName(i int) string {
	name := v.tree.Sizes[i]
	if strings.ContainsFunc(name, func(r rune) bool { return r > 'z' || !strings.ContainsRune("_", r) && !isAlphanumeric(r) }) {
		name = fmt.Sprint(i)
	}
	return "SIZE_" + name
}

func isAlphanumeric(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
}

// side returns the length of dimension d in the module: a parameter or a number.
func (v *verilog) side(d int) string {
	form := v.tree.Sides[d]
	for i := range v.tree.Sizes {
		if form[3*v.tree.Dims+i] != 0 {
			return v.sizeName(i)
		}
	}
	return fmt.Sprint(form[len(form)-1])
}

// coordinateWidth returns the width of a coordinate in dimension d.
func (v *verilog) coordinateWidth(d int) string {
	side := v.side(d)
	if strings.HasPrefix(side, "SIZE_") {
		return "$clog2(" + side + ")"
	}
	return fmt.Sprint(width(int(v.tree.Sides[d][len(v.tree.Sides[d])-1])))
}

// width returns the number of bits for numbers below k, at least 1.
func width(k int) int { return max(1, bits.Len(uint(k-1))) }

func (v *verilog) ports() {
	v.p("\nmodule %s", v.Module())
	for i := range v.tree.Sizes {
		text := ","
		if i == 0 {
			text = " #("
		}
		v.p("%s\n  parameter int %s = %d", text, v.sizeName(i), v.sizes()[i])
	}
	if len(v.tree.Sizes) > 0 {
		v.p("\n)")
	}
	v.p(" (\n")
	for _, end := range []string{"cur", "dst"} {
		for d := range v.tree.Dims {
			v.p("  input  logic [%s-1:0] %s_%s,\n", v.coordinateWidth(d), end, v.tree.Names[d])
		}
	}
	port, vc, state := v.Reads()
	for _, in := range []struct {
		read  bool
		count int
		name  string
	}{{port, v.Ports(), "in_port"}, {vc, v.program.VCs, "in_vc"}, {state, v.program.States, "in_state"}} {
		if in.read {
			v.p("  input  logic [%d:0] %s,\n", width(in.count)-1, in.name)
		}
	}
	v.p("  output logic [%d:0] requests\n);\n", v.Outputs()-1)
}

// sizes returns the values of the sizes for the default sides.
func (v *verilog) sizes() []int {
	list := make([]int, len(v.tree.Sizes))
	for d, form := range v.tree.Sides {
		for i := range list {
			if form[3*v.tree.Dims+i] != 0 {
				list[i] = v.sides[d]
			}
		}
	}
	return list
}

// widths declares the width of operands, in which no operand overflows, and place and destination in this width.
func (v *verilog) widths() {
	coefficients, constant, largest := int64(1), int64(1), "2"
	for i := range v.comparators {
		plus, minus := v.comparators[i].sides()
		for _, side := range [][]int64{plus, minus} {
			sum := int64(0)
			for _, k := range side[:len(side)-1] {
				sum += k
			}
			coefficients, constant = max(coefficients, sum), max(constant, side[len(side)-1], v.comparators[i].mod)
		}
	}
	for d := range v.tree.Dims {
		if side := v.side(d); !strings.Contains(largest, side+" ") {
			largest = fmt.Sprintf("(%s > %s ? %s : %s)", side, largest, side, largest)
		}
	}
	v.p("  localparam int LARGEST = %s;\n", largest)
	v.p("  localparam int BITS = $clog2(%d * LARGEST + %d) + 1;\n", coefficients, constant+1)
	used := v.variablesInUse()
	for d := range v.tree.Dims {
		for e, end := range []string{"cur", "dst"} {
			if name := v.tree.Names[e*v.tree.Dims+d]; used[e*v.tree.Dims+d] {
				v.p("  wire [BITS-1:0] %s = {{(BITS-%s){1'b0}}, %s_%s};\n", name, v.coordinateWidth(d), end, v.tree.Names[d])
			}
		}
	}
}

// variablesInUse returns the variables with a coefficient in some comparator.
func (v *verilog) variablesInUse() []bool {
	used := make([]bool, len(v.tree.Names))
	for _, c := range v.comparators {
		for i := range used {
			used[i] = used[i] || c.form[i] != 0
		}
	}
	return used
}

// comparisons declares a wire for each comparator.
func (v *verilog) comparisons() {
	if len(v.comparators) > 0 {
		v.p("\n")
	}
	for i := range v.comparators {
		v.p("  wire c%d = %s;\n", i, v.comparison(&v.comparators[i]))
	}
}

// comparison returns a comparator as an expression.
func (v *verilog) comparison(c *comparator) string {
	plus, minus := c.sides()
	switch {
	case c.kind == multiple:
		return fmt.Sprintf("(%s) %% BITS'(%d) == BITS'(0)", v.operand(plus), c.mod)
	case c.kind == equal:
		return v.operand(plus) + " == " + v.operand(minus)
	case minus[len(minus)-1] > 0:
		minus = slices.Clone(minus)
		minus[len(minus)-1]--
		return v.operand(plus) + " > " + v.operand(minus)
	}
	return v.operand(plus) + " >= " + v.operand(minus)
}

// operand returns a form without negative coefficients as an expression.
func (v *verilog) operand(form []int64) string {
	var parts []string
	for i, k := range form[:len(form)-1] {
		if k == 0 {
			continue
		}
		name := v.tree.Names[i]
		if i >= 3*v.tree.Dims {
			name = "BITS'(" + v.sizeName(i-3*v.tree.Dims) + ")"
		}
		if k != 1 {
			name = fmt.Sprintf("BITS'(%d) * %s", k, name)
		}
		parts = append(parts, name)
	}
	if k := form[len(form)-1]; k != 0 || len(parts) == 0 {
		parts = append(parts, fmt.Sprintf("BITS'(%d)", k))
	}
	return strings.Join(parts, " + ")
}

// node writes the statements of a node.
func (v *verilog) node(n *node, indent string) {
	if n.rest == nil {
		request, names := make([]byte, 0, v.Outputs()), []string{}
		for i := v.Outputs() - 1; i >= 0; i-- {
			bit := byte('0')
			if slices.ContainsFunc(n.outputs, func(o program.Output) bool { return v.Bit(o) == i }) {
				bit = '1'
			}
			request = append(request, bit)
		}
		for _, o := range n.outputs {
			names = append(names, v.outputName(o))
		}
		if names == nil {
			names = []string{"none"}
		}
		v.p("%srequests = %d'b%s; // %s\n", indent, v.Outputs(), request, strings.Join(names, " "))
		return
	}
	v.p("%s", indent)
	for ; n.rest != nil; n = n.rest {
		for _, b := range n.branches {
			v.p("if (%s) begin\n", v.test(n, b))
			v.node(b.then, indent+"  ")
			v.p("%send else ", indent)
		}
	}
	v.p("begin\n")
	v.node(n, indent+"  ")
	v.p("%send\n", indent)
}

// outputName returns an output as in programs: E0, or E0/2 with state 2.
func (v *verilog) outputName(o program.Output) string {
	switch {
	case o.Dir == program.Eject:
		return o.Dir.String()
	case v.program.States > 1:
		return fmt.Sprintf("%s%d/%d", o.Dir, o.VC, o.State)
	}
	return fmt.Sprintf("%s%d", o.Dir, o.VC)
}

// test returns the condition of a branch.
func (v *verilog) test(n *node, b branch) string {
	switch n.asks {
	case parametric.AskDir:
		port := 0
		if a := program.Dir(b.value); a != program.NoDir {
			port = int(a.Reverse().Port())
		}
		return fmt.Sprintf("in_port == %d'd%d", width(v.Ports()), port)
	case parametric.AskVC:
		return fmt.Sprintf("in_vc == %d'd%d", width(v.program.VCs), b.value)
	case parametric.AskState:
		return fmt.Sprintf("in_state == %d'd%d", width(v.program.States), b.value)
	}
	var parts []string
	for _, l := range b.all {
		text := fmt.Sprintf("c%d", l.of)
		if l.negated {
			text = "!" + text
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, " && ")
}
