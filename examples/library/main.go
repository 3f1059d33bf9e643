// Command library is the complete program of docs/library.md: it builds a network and a routing,
// checks the routing, writes the certificate and draws the loop.
package main

import (
	"bytes"
	"context"
	"fmt"
	"os"

	"github.com/turnproof/turnproof/model/route"
	"github.com/turnproof/turnproof/model/topo"
	"github.com/turnproof/turnproof/model/view/figure"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/cert"
)

func main() {
	if err := run(context.Background(), "torus:4x4", "dor"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
}

func run(ctx context.Context, spec, routing string) error {
	net, err := topo.Parse(spec) // or: net, notes, err := format.ReadNetwork("topology.ibnetdiscover", format.Options{})
	if err != nil {
		return err
	}
	relation, err := route.New(routing, net, route.Options{}) // or: relation, notes, err := lft.Read("opensm-lfts.dump", net, format.Options{})
	if err != nil {
		return err
	}
	report, err := verify.Check(ctx, relation, verify.Options{})
	if err != nil {
		return err
	}
	for _, claim := range report.Claims() {
		fmt.Printf("%s: %s\n", claim.Name, claim.Verdict)
	}
	var file bytes.Buffer
	if err := cert.Write(&file, report.Certificate); err != nil {
		return err
	}
	if err := os.WriteFile("certificate.json", file.Bytes(), 0o644); err != nil {
		return err
	}
	if len(report.Cycle) == 0 {
		return nil // no loop to draw
	}
	var steps []figure.Step
	for i, p := range report.CyclePackets {
		to := relation.DestinationHost(p.Dest)
		fmt.Println("loop:", net.HostLabel(p.Source), "to", net.HostLabel(to))
		step := figure.Step{VC: report.Cycle[i], Source: p.Source, Destination: to}
		for _, state := range p.Path[:len(p.Path)-1] { // without the last VC, for which the packet waits
			step.Path = append(step.Path, state.VC)
		}
		steps = append(steps, step)
	}
	options := figure.Options{Title: spec + ", " + routing, Position: figure.GridPosition(net)}
	loop := figure.CycleOnNetwork(relation.Network(), steps, options)
	svg, err := figure.Render(ctx, loop, "svg")
	if err != nil {
		return err
	}
	return os.WriteFile("loop.svg", svg, 0o644)
}
