package check

import (
	"fmt"
	"io"

	"github.com/turnproof/turnproof/internal/plain"
	"github.com/turnproof/turnproof/model/format/ethernet"
	"github.com/turnproof/turnproof/synth/resolve"
)

// This file adds what a folder with dumps of Ethernet switches shows beside the verdict.

// ethernetFound returns what the folder shows, or nil if the input is none, or has another routing.
func ethernetFound(in *resolve.Subject) *ethernet.Found {
	f, _ := in.Source.(*ethernet.Found)
	return f
}

// printEthernet prints it.
func printEthernet(w io.Writer, f *ethernet.Found) {
	if f == nil {
		return
	}
	for i, line := range f.Text() {
		if i == 0 {
			fmt.Fprintln(w)
		}
		fmt.Fprintln(w, plain.Text(line))
	}
}
