package tabulate

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/names"
	"github.com/turnproof/turnproof/synth"
)

// This file writes the permutation of the hosts that loads a channel most (synth.FindWorstCase).

// worstRows lists the pairs of the worst permutation that load the busiest channel.
func worstRows(ctx context.Context, s *Source, row func(...any) error) error {
	w, err := synth.FindWorstCase(ctx, s.Relation, 0)
	if err != nil {
		return err
	}
	x := s.names()
	for h, to := range w.To {
		if to == model.NoHost {
			continue
		}
		if err := row(x.HostName(model.HostID(h)), x.HostName(to), w.Parts[h]); err != nil {
			return err
		}
	}
	return nil
}

// WritePermutation writes the worst permutation of r as lines "source destination", which the traffic permutation:FILE reads. about names
// network and routing in a comment.
func WritePermutation(ctx context.Context, out io.Writer, r model.Relation, about string) error {
	c, err := synth.FindWorstCase(ctx, r, 0)
	switch {
	case err != nil:
		return err
	case c.Channel == model.NoChannel:
		return errors.New("no permutation of the hosts loads a channel")
	}
	n := r.Network()
	x, w := names.New(n), bufio.NewWriter(out)
	fmt.Fprintf(w, "# Worst permutation of %s: 1/M = %.4f", about, c.Throughput())
	if n.Kind(c.Channel) == model.SwitchToSwitch {
		u := n.Tail(c.Channel)
		fmt.Fprintf(w, "\n# It fills the link from %s, port %s, to %s", n.SwitchName(u), n.PortLabel(u, n.TailPort(c.Channel)), n.SwitchName(n.Head(c.Channel)))
	}
	fmt.Fprint(w, "\n# source destination\n")
	for h, to := range c.To {
		if to != model.NoHost {
			fmt.Fprintf(w, "%s %s\n", names.Quote(x.HostName(model.HostID(h)), names.Blanks), names.Quote(x.HostName(to), names.Blanks))
		}
	}
	return w.Flush()
}
