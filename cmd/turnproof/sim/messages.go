package sim

import (
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/turnproof/turnproof/cmd/turnproof/say"
	"github.com/turnproof/turnproof/cmd/turnproof/simrun"
	"github.com/turnproof/turnproof/engine"
	"github.com/turnproof/turnproof/engine/trial"
	"github.com/turnproof/turnproof/internal/wording"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/synth/resolve"
)

// This file prints the figures of messages by class, and why hosts consume no more messages in a
// deadlock.

// messagesJSON has the figures of messages.
type messagesJSON struct {
	Classes    []classJSON        `json:"classes"`
	Answered   int64              `json:"answered"`
	RoundTrips tripsJSON          `json:"round_trips"`
	Queues     []blockedQueueJSON `json:"blocked_queues"`
	Tables     []blockedTableJSON `json:"blocked_tables"`
}

type classJSON struct {
	Name     string   `json:"name"`
	Accepted *float64 `json:"accepted"`
	tripsJSON
}

type tripsJSON struct {
	Mean   *float64 `json:"mean_latency"`
	Error  *float64 `json:"latency_error"`
	Median *float64 `json:"median_latency"`
	P99    *float64 `json:"p99_latency"`
	Max    int64    `json:"max_latency"`
}

type blockedQueueJSON struct {
	Host     string        `json:"host"`
	Class    string        `json:"class"`
	Messages []blockedJSON `json:"messages"`
	Ahead    *blockedJSON  `json:"ahead"`
	WaitsFor []say.HopJSON `json:"waits_for"`
	FullOf   []blockedJSON `json:"full_of"`
}

type blockedJSON struct {
	Request     int64  `json:"request"`
	Class       string `json:"class"`
	Source      string `json:"source"`
	Destination string `json:"destination"`
}

func newMessagesJSON(in *resolve.Subject, s *trial.Settings, r *trial.Result) *messagesJSON {
	if r.Classes == nil {
		return nil
	}
	j := &messagesJSON{Answered: r.Answered, Queues: []blockedQueueJSON{}, Tables: []blockedTableJSON{}}
	trips := func(x *trial.ClassResult) tripsJSON {
		return tripsJSON{simrun.Known(x.MeanLatency), simrun.Known(x.LatencyError), simrun.Known(x.Median), simrun.Known(x.P99), int64(x.MaxLatency)}
	}
	for i := range r.Classes {
		x := &r.Classes[i]
		j.Classes = append(j.Classes, classJSON{x.Name, simrun.Known(x.Accepted), trips(x)})
	}
	j.RoundTrips = trips(&trial.ClassResult{Result: *r.RoundTrips})
	if r.Deadlock == nil {
		return j
	}
	for _, q := range r.Deadlock.Queues {
		one := func(p *engine.Packet) blockedJSON {
			return blockedJSON{p.ID, s.Messages.Names[p.Message], in.Net.HostLabel(p.Source), in.Net.HostLabel(in.Rel.DestinationHost(p.Dest))}
		}
		b := blockedQueueJSON{Host: in.Net.HostLabel(q.Host), Class: s.Messages.Names[q.Message], WaitsFor: []say.HopJSON{}, FullOf: []blockedJSON{}}
		for i := range q.Entries {
			b.Messages = append(b.Messages, one(&q.Entries[i]))
		}
		if q.Ahead != nil {
			ahead := one(q.Ahead)
			b.Ahead = &ahead
		}
		for _, v := range q.Waits {
			b.WaitsFor = append(b.WaitsFor, say.NewHopJSON(in.Net, v))
		}
		for _, p := range holders(r.Deadlock, q.Waits) {
			b.FullOf = append(b.FullOf, one(&p.Packet))
		}
		j.Queues = append(j.Queues, b)
	}
	j.Tables = newTablesJSON(in, s, r.Deadlock)
	return j
}

// holders returns the packets of a deadlock that are on some of the VCs.
func holders(d *engine.Deadlock, vcs []model.VCID) (list []*engine.Blocked) {
	for i := range d.Packets {
		p := &d.Packets[i]
		if slices.ContainsFunc(p.On, func(v model.VCID) bool { return slices.Contains(vcs, v) }) {
			list = append(list, p)
		}
	}
	return list
}

// messagesText prints the figures of each class.
func messagesText(row func(name, format string, a ...any), r *trial.Result) {
	if r.Classes == nil {
		return
	}
	for _, x := range r.Classes {
		if !math.IsNaN(x.MeanLatency) {
			row(x.Name, "%.4f flits per clock and host accepted, latency %.2f on average, 99 %% within %.0f", x.Accepted, x.MeanLatency, x.P99)
		}
	}
	if t := r.RoundTrips; !math.IsNaN(t.MeanLatency) {
		row("round trip", "%.2f clocks on average%s, median %.0f, 99 %% within %.0f, longest %d; %s answered", t.MeanLatency,
			wording.PlusMinus(t.LatencyError, 2), t.Median, t.P99, t.MaxLatency, wording.Count(int(r.Answered), "request", "s"))
	}
}

// queuesText explains which hosts consume no more messages.
func queuesText(w io.Writer, in *resolve.Subject, s *trial.Settings, d *engine.Deadlock) {
	if len(d.Queues) > 0 {
		fullQueuesText(w, in, s, d)
	}
	tablesText(w, in, s, d)
}

// fullQueuesText explains the full queues of hosts.
func fullQueuesText(w io.Writer, in *resolve.Subject, s *trial.Settings, d *engine.Deadlock) {
	fmt.Fprintln(w, "\nHosts that consume no more messages, because the messages that these cause find no room:")
	name := func(p *engine.Packet) string {
		what := fmt.Sprintf("%s %d", s.Messages.Names[p.Message], p.ID)
		switch {
		case s.Engine.Messages.Protocol != nil:
			what = fmt.Sprintf("%s of transaction %d", s.Messages.Names[p.Message], p.ID)
		case p.Message > 0:
			what = fmt.Sprintf("the %s to %s %d", s.Messages.Names[p.Message], s.Messages.Names[0], p.ID)
		}
		return fmt.Sprintf("%s from %s to %s", what, in.Net.HostLabel(p.Source), in.Net.HostLabel(in.Rel.DestinationHost(p.Dest)))
	}
	for i, q := range d.Queues {
		if i == say.MaxShown {
			fmt.Fprintf(w, "  and %s more\n", wording.Count(len(d.Queues)-i, "host", "s"))
			return
		}
		first := &q.Entries[0]
		fmt.Fprintf(w, "  %s has %d of class %s to send, and no entry for another one\n", in.Net.HostLabel(q.Host), len(q.Entries),
			s.Messages.Names[q.Message])
		if q.Ahead != nil {
			fmt.Fprintf(w, "    behind %s\n", name(q.Ahead))
			first = q.Ahead
		}
		if q.Sending {
			fmt.Fprintf(w, "    %s has left in part\n", name(first))
			continue
		}
		fmt.Fprintf(w, "    %s waits for\n", name(first))
		for _, v := range q.Waits {
			fmt.Fprintf(w, "      %s", wording.Channel(in.Net, v))
			for k, p := range holders(d, []model.VCID{v}) {
				fmt.Fprintf(w, "%s %s", map[bool]string{true: ", full of", false: ","}[k == 0], name(&p.Packet))
			}
			fmt.Fprintln(w)
		}
	}
}
