package check

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/turnproof/turnproof/cmd/turnproof/quality"

	"github.com/turnproof/turnproof/cmd/turnproof/verdict"
	"github.com/turnproof/turnproof/internal/plain"
	"github.com/turnproof/turnproof/internal/wording"
	"github.com/turnproof/turnproof/model/format/ethernet"
	model "github.com/turnproof/turnproof/model/ttfabric"
	"github.com/turnproof/turnproof/synth/resolve"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/ttfabric"
)

// This file adds what a verdict means for a TT-Fabric.

// resultJSON is the output of --json.
type resultJSON struct {
	verdict.CheckJSON
	Fabric   *ttfabric.Answer `json:"fabric,omitempty"`   // nil if the input is no TT-Fabric
	Ethernet *ethernet.Found  `json:"ethernet,omitempty"` // nil if the input is no folder with dumps of Ethernet switches
	Mend     *mendJSON        `json:"mend,omitempty"`     // only with --mend, if a claim is not proved
	Next     []nextStep       `json:"next,omitempty"`     // what helps if tables of InfiniBand are not proved
	Ranking  *rankingJSON     `json:"ranking,omitempty"`  // the turns of such tables against up*/down*, if they are few
	Quality  *quality.JSON    `json:"quality,omitempty"`  // nil without --quality and its limits
}

// fabricAnswer returns what the report says of the fabric, or nil if the input is none.
func fabricAnswer(ctx context.Context, in *resolve.Subject, rep *verify.Report) (*ttfabric.Answer, error) {
	f, ok := in.Source.(*model.Fabric)
	if !ok {
		return nil, nil
	}
	return ttfabric.NewAnswer(ctx, f, rep)
}

// printFabric prints the answer.
func printFabric(w io.Writer, a *ttfabric.Answer) {
	if a == nil {
		return
	}
	fmt.Fprintf(w, "\nFabric: %s", a.Verdict)
	if a.CycleLength > 0 {
		fmt.Fprintf(w, ". A shortest cycle without protection has %s, on VC %s:", wording.Count(a.CycleLength, "channel", "s"), strings.Join(a.VCs, ", "))
		for i, c := range a.Cycle {
			fmt.Fprintf(w, "\n  %-12s", c)
			if i < len(a.CycleFlows) {
				fmt.Fprintf(w, "  packet %s > %s", a.CycleFlows[i][0], a.CycleFlows[i][1])
			}
		}
	}
	for _, why := range a.Why {
		fmt.Fprintf(w, "\n  %s", plain.Text(why))
	}
	fmt.Fprintln(w)
}
