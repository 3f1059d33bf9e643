package follow

import (
	"encoding/csv"
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/turnproof/turnproof/engine"
	"github.com/turnproof/turnproof/internal/wording"
	"github.com/turnproof/turnproof/model"
)

// This file writes journeys as text and as CSV, a line for each hop.

var columns = []string{"packet", "source", "destination", "flits", "created", "left_host", "ended", "hop", "switch", "vc", "head_arrived", "routed", "got_vc",
	"head_departed", "tail_departed", "behind", "wait_vc", "wait_credit", "wait_switch", "next", "next_vc", "vc_had_before", "message"}

// WriteCSV writes a line for each hop. A field is empty if its clock had not come when the
// simulation ended.
func WriteCSV(w io.Writer, r model.Relation, journeys []*engine.Journey) error {
	n, out := r.Network(), csv.NewWriter(w)
	if err := out.Write(columns); err != nil {
		return err
	}
	for _, j := range journeys {
		head := []string{strconv.FormatInt(j.ID, 10), n.HostLabel(j.Source), n.HostLabel(r.DestinationHost(j.Dest)), strconv.Itoa(j.Flits),
			clock(j.Created), clock(j.Injected), clock(j.Ended)}
		for i := range j.Hops {
			h := &j.Hops[i]
			at, vc := n.Channel(h.In)
			line := append(head[:len(head):len(head)], strconv.Itoa(i+1), n.SwitchLabel(n.Head(at)), strconv.Itoa(vc), clock(h.Arrived), clock(h.Routed),
				clock(h.Granted), clock(h.Departed), clock(h.TailDeparted))
			line = append(line, known(h.Routed, h.Behind), known(h.Granted, h.VC), known(h.Departed, h.Credit), known(h.Departed, h.Switch))
			next, number := "", ""
			if h.Out >= 0 {
				c, k := n.Channel(h.Out)
				next, _ = wording.End(n, n.Head(c), n.HostOf(c))
				number = strconv.Itoa(k)
			}
			if err := out.Write(append(line, next, number, clock(engine.Clock(h.Before)), strconv.Itoa(j.Message))); err != nil {
				return err
			}
		}
	}
	out.Flush()
	return out.Error()
}

// clock writes a clock, or nothing if it has not come.
func clock(c engine.Clock) string {
	if c < 0 {
		return ""
	}
	return strconv.FormatInt(int64(c), 10)
}

// known writes a wait that ended in clock at, or nothing if it has not ended.
func known(at, wait engine.Clock) string {
	if at < 0 {
		return ""
	}
	return clock(wait)
}

// WriteText writes a paragraph for each journey: where the packet spent its time, and a table of its
// hops.
func WriteText(w io.Writer, r model.Relation, journeys []*engine.Journey) error {
	for _, j := range journeys {
		if _, err := fmt.Fprintf(w, "\n%s\n", Title(r, j)); err != nil {
			return err
		}
		if text := Summary(j); text != "" {
			fmt.Fprintln(w, "  "+text)
		}
		t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
		for _, row := range append([][]string{HopColumns}, HopRows(r, j)...) {
			fmt.Fprintln(t, "  "+strings.Join(row, "\t")+"\t")
		}
		if err := t.Flush(); err != nil {
			return err
		}
	}
	return nil
}

// Title names a packet: its ID, its hosts, its length and its latency.
func Title(r model.Relation, j *engine.Journey) string {
	n := r.Network()
	what := fmt.Sprintf("packet %d", j.ID)
	if j.Message > 0 { // it has the ID of the request
		what = fmt.Sprintf("message of class %d, caused by request %d,", j.Message, j.ID)
	}
	text := fmt.Sprintf("%s from %s to %s, %s, created in clock %s", what, n.HostLabel(j.Source), n.HostLabel(r.DestinationHost(j.Dest)),
		wording.Count(j.Flits, "flit", "s"), wording.Thousands(int64(j.Created)))
	switch {
	case j.Ended < 0:
		return text + ": still in the network"
	case j.Dropped:
		return text + ": dropped in clock " + wording.Thousands(int64(j.Ended))
	}
	return fmt.Sprintf("%s: arrived in clock %s, after %s", text, wording.Thousands(int64(j.Ended)), wording.Count(int64(j.Ended-j.Created), "clock", "s"))
}

// Summary says where a packet that has arrived spent its time.
func Summary(j *engine.Journey) string {
	if j.Ended < 0 || j.Dropped {
		return ""
	}
	t := j.Times()
	var parts []string
	for _, x := range []struct {
		clocks engine.Clock
		what   string
	}{{t.Moving, "moving"}, {t.Source, "at the host"}, {t.Behind, "behind other packets"}, {t.VC, "for a VC"}, {t.Credit, "for a credit"},
		{t.Switch, "for the switch"}, {t.Tail, "for the tail"}} {
		if x.clocks > 0 {
			parts = append(parts, fmt.Sprintf("%s %s", wording.Thousands(int64(x.clocks)), x.what))
		}
	}
	return strings.Join(parts, ", ")
}

// HopColumns are the names of the columns of HopRows: clocks, then waits in clocks.
var HopColumns = []string{"switch", "arrives", "routed", "gets VC", "departs", "tail", "behind", "for VC", "for credit", "for switch", "next", "VC had before"}

// HopRows returns a row of text for each hop, with - for what has not come.
func HopRows(r model.Relation, j *engine.Journey) (rows [][]string) {
	n := r.Network()
	some := func(text string) string {
		if text == "" {
			return "-"
		}
		return text
	}
	for i := range j.Hops {
		h := &j.Hops[i]
		at, _ := n.Channel(h.In)
		row := []string{n.SwitchLabel(n.Head(at))}
		for _, c := range []engine.Clock{h.Arrived, h.Routed, h.Granted, h.Departed, h.TailDeparted} {
			row = append(row, some(clock(c)))
		}
		row = append(row, some(known(h.Routed, h.Behind)), some(known(h.Granted, h.VC)), some(known(h.Departed, h.Credit)), some(known(h.Departed, h.Switch)))
		next, before := "-", "-"
		if h.Out >= 0 {
			c, k := n.Channel(h.Out)
			next, _ = wording.End(n, n.Head(c), n.HostOf(c))
			if n.VCs() > 1 && n.Kind(c) != model.Eject {
				next += fmt.Sprintf(", %s %d", wording.VC(n), k)
			}
		}
		if h.VC > 0 && h.Before >= 0 {
			before = fmt.Sprintf("packet %d", h.Before)
		}
		rows = append(rows, append(row, next, before))
	}
	return rows
}
