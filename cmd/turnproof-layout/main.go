// Command turnproof-layout finds places for the nodes of turnproof's figures. It is the
// one program that starts Graphviz; see model/view/figure/layoutrun.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"

	"github.com/turnproof/turnproof/model/view/figure/graphviz"
	"github.com/turnproof/turnproof/model/view/figure/layoutrun"
)

const help = `usage: turnproof-layout < REQUESTS

Lays out graphs with Graphviz. turnproof starts this program when it draws a figure whose
nodes have no places yet. Keep it beside turnproof or on the PATH.
A request is {"Program": "neato", "DOT": "digraph { a -> b }"}; the reply has "Plain",
which is Graphviz's plain format, or "Error".
`

func main() {
	if len(os.Args) > 1 {
		fmt.Print(help)
		return
	}
	// An interrupt from the keyboard also reaches turnproof, which decides what ends.
	signal.Ignore(os.Interrupt)
	err := layoutrun.Serve(os.Stdin, os.Stdout, func(dot, program string) ([]byte, error) {
		return graphviz.Layout(context.Background(), dot, program)
	})
	if err != nil {
		fmt.Fprintf(os.Stderr, "turnproof-layout: %v\n", err)
		os.Exit(2)
	}
}
