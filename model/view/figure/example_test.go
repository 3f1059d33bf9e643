package figure_test

import (
	"bytes"
	"context"
	"fmt"

	"github.com/turnproof/turnproof/cdg"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/route"
	"github.com/turnproof/turnproof/model/topo"
	"github.com/turnproof/turnproof/model/view/figure"
)

func ExampleRender() {
	net, err := topo.Parse("mesh:3x3")
	if err != nil {
		panic(err)
	}
	g := figure.Network(net, figure.Options{Title: "A mesh", Position: figure.GridPosition(net)})
	svg, err := figure.Render(context.Background(), g, "svg")
	if err != nil {
		panic(err)
	}
	again, err := figure.Render(context.Background(), g, "svg")
	if err != nil {
		panic(err)
	}
	fmt.Println(len(g.Nodes), "nodes,", len(g.Edges), "edges")
	fmt.Println("an svg:", bytes.Contains(svg, []byte("<svg ")), "the same bytes again:", bytes.Equal(svg, again))
	// Output:
	// 18 nodes, 21 edges
	// an svg: true the same bytes again: true
}

// CycleOnNetwork draws a dependency cycle on its network. The table above the drawing lists each
// channel of the cycle and the packet that holds it.
func ExampleCycleOnNetwork() {
	net, err := topo.Parse("ring:4")
	if err != nil {
		panic(err)
	}
	relation, err := route.New("dor", net, route.Options{})
	if err != nil {
		panic(err)
	}
	dependencies, err := cdg.Build(context.Background(), relation)
	if err != nil {
		panic(err)
	}
	cycle, err := dependencies.ShortestCycle(context.Background())
	if err != nil {
		panic(err)
	}
	packets, err := cdg.Witnesses(relation, cdg.Dependencies(cycle))
	if err != nil {
		panic(err)
	}
	var steps []figure.Step
	for i, p := range packets {
		var path []model.VCID // path to the VC that the packet holds; the last VC is the one that it waits for
		for _, state := range p.Path[:len(p.Path)-1] {
			path = append(path, state.VC)
		}
		steps = append(steps, figure.Step{VC: cycle[i], Source: p.Source, Destination: relation.DestinationHost(p.Dest), Path: path})
	}
	g := figure.CycleOnNetwork(net, steps, figure.Options{Position: figure.GridPosition(net)})
	fmt.Println(g.Legend.Head)
	for _, row := range g.Legend.Rows {
		fmt.Println(row.Mark, row.Cells)
	}
	// Output:
	// [channel held by packet came by waits for]
	// 1 [(0) port 1 → (1) port 2 h0 → h2 injected at (0) 2]
	// 2 [(1) port 1 → (2) port 2 h1 → h3 injected at (1) 3]
	// 3 [(2) port 1 → (3) port 2 h2 → h0 injected at (2) 4]
	// 4 [(3) port 1 → (0) port 2 h3 → h1 injected at (3) 1]
}
