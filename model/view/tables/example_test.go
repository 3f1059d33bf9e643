package tables_test

import (
	"bytes"
	"fmt"
	"log"
	"os"
	"strings"

	"github.com/turnproof/turnproof/cdg"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/route"
	"github.com/turnproof/turnproof/model/topo"
	"github.com/turnproof/turnproof/model/view/tables"
)

// A routing is compiled state by state, and asked.
func ExampleLookup() {
	n, err := topo.Parse("mesh:4x4")
	if err != nil {
		log.Fatal(err)
	}
	r, err := route.New("west-first", n, route.Options{})
	if err != nil {
		log.Fatal(err)
	}
	l, err := tables.NewInputNext(r)
	if err != nil {
		log.Fatal(err)
	}
	x := cdg.NewExplorer(r)
	for d := range model.DestID(r.Destinations()) {
		space := x.Explore(d)
		for i, at := range space.States {
			hops, _ := space.HopsOf(i)
			for _, h := range hops {
				l.PermitHop(at, h)
			}
		}
	}
	// From host 0, by port 5 of switch 0, to host 10, which is two steps east and two north.
	in := tables.Input{Switch: 0, Port: 5, Dest: 10}
	fmt.Printf("%d entries; outputs %06b\n", l.Entries(), l.At(in)[0])
	fmt.Println("east:", l.Has(in, tables.Output{Port: model.PlusPort(0)}), "south:", l.Has(in, tables.Output{Port: model.MinusPort(1)}))
	// Output:
	// 1536 entries; outputs 001010
	// east: true south: false
}

// ring is a table of three switches, each with a host.
func ring() *model.Table {
	n, err := topo.Parse("ring:3")
	if err != nil {
		log.Fatal(err)
	}
	t := model.NewTable(n, model.AllAddresses(n))
	for u := range model.SwitchID(3) {
		for d := range model.DestID(3) {
			switch (int(d) - int(u) + 3) % 3 {
			case 0:
				t.SetPort(u, d, n.Host(model.HostID(d)).Port)
			case 1:
				t.SetPort(u, d, model.PlusPort(0))
			case 2:
				t.SetPort(u, d, model.MinusPort(0))
			}
		}
	}
	return t
}

// Forwarding tables as a header for C, here without its head.
func ExampleWriteC() {
	l, err := tables.NextHops(ring())
	if err != nil {
		log.Fatal(err)
	}
	l.Network, l.Routing = "ring:3", "shortest"
	var b bytes.Buffer
	if err := tables.WriteC(&b, l); err != nil {
		log.Fatal(err)
	}
	_, body, _ := strings.Cut(b.String(), "static ")
	body, _, _ = strings.Cut(body, "/*")
	fmt.Print("static ", body)
	// Output:
	// static const ring_3_shortest_next_word ring_3_shortest_next_rows[4][3] = {
	//   {0x00,0x00,0x00,},
	//   {0x08,0x02,0x04,},
	//   {0x04,0x08,0x02,},
	//   {0x02,0x04,0x08,},
	// };
	//
	// static const uint32_t ring_3_shortest_next_row[3] = {
	//   1,2,3,
	// };
}

// A set of turns as a SystemVerilog package, here its lookup.
func ExampleWriteVerilog() {
	n, err := topo.Parse("line:3")
	if err != nil {
		log.Fatal(err)
	}
	set := model.NewTurnSet(n)
	for t := range model.Turns(n, false) {
		set.Add(t)
	}
	l, err := tables.AllowedTurns(set)
	if err != nil {
		log.Fatal(err)
	}
	l.Network, l.Routing = "line:3", "all"
	var b bytes.Buffer
	if err := tables.WriteVerilog(&b, l); err != nil {
		log.Fatal(err)
	}
	_, body, _ := strings.Cut(b.String(), "  function")
	body, _, _ = strings.Cut(body, "\n\n")
	fmt.Println("  function" + body)
	// Output:
	//   function automatic outputs_t allowed_turns(input switch_t at, input port_t in_port, input vc_t in_vc);
	//     row_t row;
	//     row = '0;
	//     case (at)
	//       2'd1:
	//         case ({in_port, in_vc})
	//           {2'd1, 1'd0}: row = ROW_1;
	//           {2'd2, 1'd0}: row = ROW_2;
	//           default: row = '0;
	//         endcase
	//       default: row = '0;
	//     endcase
	//     allowed_turns = row;
	//   endfunction
}

// Rows as they come, for LaTeX.
func ExampleNewLaTeX() {
	w := tables.NewLaTeX(os.Stdout, tables.Schema{Kind: "load", Network: "mesh:2x2", Routing: "dor", Columns: []tables.Column{
		{Name: "channel"}, {Name: "pairs", Type: tables.Integer},
	}})
	for i, name := range []string{"a_1", "b & c"} {
		if err := w.Row(name, i); err != nil {
			log.Fatal(err)
		}
	}
	if err := w.End(); err != nil {
		log.Fatal(err)
	}
	// Output:
	// % preamble: \usepackage[T1]{fontenc} \usepackage{booktabs,longtable}
	// \begin{table}[htbp]
	//   \centering
	//   \caption{Load of mesh:2x2, dor}
	//   \begin{tabular}{lr}
	//   \toprule
	//   channel & pairs \\
	//   \midrule
	//   a\_1 & 0 \\
	//   b \& c & 1 \\
	//   \bottomrule
	//   \end{tabular}
	// \end{table}
}
