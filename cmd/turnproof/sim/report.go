package sim

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/cmd/turnproof/input"
	"github.com/turnproof/turnproof/cmd/turnproof/say"
	"github.com/turnproof/turnproof/cmd/turnproof/simrun"
	"github.com/turnproof/turnproof/cmd/turnproof/verdict"
	"github.com/turnproof/turnproof/engine"
	"github.com/turnproof/turnproof/engine/energy"
	"github.com/turnproof/turnproof/engine/measure"
	"github.com/turnproof/turnproof/engine/trial"
	"github.com/turnproof/turnproof/internal/plain"
	"github.com/turnproof/turnproof/internal/wording"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/synth/resolve"
)

// This file prints the result of a simulation as text or JSON (docs/schema/sim.json).

type simJSON struct {
	Schema             string          `json:"schema"`
	Network            string          `json:"network"`
	Routing            string          `json:"routing"`
	Traffic            string          `json:"traffic"`
	Model              string          `json:"model"`
	Switching          string          `json:"switching"`
	Select             string          `json:"select"`
	Premises           []model.Premise `json:"premises"`
	Warnings           []string        `json:"warnings"`
	Inputs             []model.Input   `json:"inputs"` // the files that were read
	Packet             int             `json:"packet"`
	Lengths            []int           `json:"lengths"`
	Kernel             string          `json:"kernel"`
	Seed               uint64          `json:"seed"`
	Offered            *float64        `json:"offered"`
	Accepted           *float64        `json:"accepted"`
	AcceptedError      *float64        `json:"accepted_error"`
	WorstAccepted      *float64        `json:"worst_accepted"`
	MeanLatency        *float64        `json:"mean_latency"`
	LatencyError       *float64        `json:"latency_error"`
	MedianLatency      *float64        `json:"median_latency"`
	P99Latency         *float64        `json:"p99_latency"`
	MaxLatency         int64           `json:"max_latency"`
	MeanNetworkLatency *float64        `json:"mean_network_latency"`
	MeanHops           *float64        `json:"mean_hops"`
	Delivered          int64           `json:"delivered"`
	Dropped            int64           `json:"dropped"`
	InNetwork          int64           `json:"in_network"`
	Deadlock           bool            `json:"deadlock"`
	DeadlockClock      *int64          `json:"deadlock_clock"`
	Frozen             []say.WaitJSON  `json:"frozen"`
	Clocks             int64           `json:"clocks"`
	Warmup             int64           `json:"warmup"`
	Lag                *float64        `json:"lag"`
	SteadyFrom         *int64          `json:"steady_from"`
	Converged          bool            `json:"converged"`
	Unsettled          string          `json:"unsettled"`
	FlitHops           int64           `json:"flit_hops"`
	RoundTrip          *roundTripJSON  `json:"round_trip"` // null if all channels and clocks are equal
	Energy             *energyJSON     `json:"energy"`     // null without --energy
	Messages           *messagesJSON   `json:"messages"`   // null without --classes
	Seconds            float64         `json:"seconds"`
}

// roundTripJSON is the longest round trip of credits.
type roundTripJSON struct {
	Channel string `json:"channel"`
	Clocks  int64  `json:"clocks"`
	Slots   int    `json:"slots"`  // that a VC needs to send without a pause
	Buffer  int    `json:"buffer"` // slots that a VC has
	Short   int    `json:"short"`  // channels whose VCs have fewer slots than they need
}

func newRoundTripJSON(in *resolve.Subject, s *trial.Settings) *roundTripJSON {
	t, err := simrun.LongestTrip(in, s)
	if err != nil || t == nil {
		return nil // the run has reported the error
	}
	return &roundTripJSON{plain.Text(in.Rel.Network().ChannelLabel(t.Channel)), int64(t.Clocks), t.Slots, t.Buffer, len(t.Short)}
}

func printSim(c *cli.Context, in *resolve.Subject, s *trial.Settings, r *trial.Result, seconds float64, spent *energy.Report) error {
	if c.Bool("json") {
		j := newSimJSON(in, s, r, seconds)
		j.Energy, j.Messages = newEnergyJSON(spent), newMessagesJSON(in, s, r)
		return cli.PrintJSON(c.App.Writer, j)
	}
	simText(c, in, s, r, seconds, spent)
	return nil
}

// kernel returns the simulator that ran: by packet events or flit by flit.
func kernel(s *trial.Settings, in *resolve.Subject) string {
	if s.ByPackets(in.Rel) {
		return "packets"
	}
	return "flits"
}

func newSimJSON(in *resolve.Subject, s *trial.Settings, r *trial.Result, seconds float64) *simJSON {
	j := &simJSON{Schema: "turnproof.sim/1", Network: in.Name, Routing: in.Routing, Traffic: s.Traffic, Select: selectionOf(s), Model: string(s.Engine.Timing),
		Switching: switchingOf(s), Packet: s.Longest(), Lengths: lengths(s), Kernel: kernel(s, in), Seed: s.Seed,
		Premises: append([]model.Premise{}, in.Premises...), Warnings: append([]string{}, in.Warnings...), Inputs: input.InputsJSON(in),
		Accepted: simrun.Known(r.Accepted), AcceptedError: simrun.Known(r.AcceptedError), WorstAccepted: simrun.Known(r.WorstAccepted),
		MeanLatency: simrun.Known(r.MeanLatency), LatencyError: simrun.Known(r.LatencyError),
		MedianLatency: simrun.Known(r.Median), P99Latency: simrun.Known(r.P99), MaxLatency: int64(r.MaxLatency),
		MeanNetworkLatency: simrun.Known(r.MeanNetworkLatency), MeanHops: simrun.Known(r.MeanHops),
		Delivered: r.Delivered, Dropped: r.Dropped, InNetwork: r.InNetwork, Deadlock: r.Deadlock != nil, Frozen: []say.WaitJSON{},
		Converged: r.Unsettled == "" && r.Deadlock == nil, Unsettled: r.Unsettled,
		Clocks: int64(r.Clocks), RoundTrip: newRoundTripJSON(in, s), FlitHops: r.FlitHops, Seconds: seconds}
	if r.Offered > 0 {
		j.Offered = &r.Offered
		j.Warmup, j.Lag = int64(warmup(s)), &r.Lag
		if r.WarmUp >= 0 {
			steady := int64(r.WarmUp)
			j.SteadyFrom = &steady
		}
	}
	if r.Deadlock != nil {
		clock := int64(r.Deadlock.Clock)
		j.DeadlockClock, j.Frozen = &clock, verdict.FrozenJSON(in.Rel, r.Deadlock)
	}
	return j
}

// lengths returns the possible lengths of packets in flits, without replies.
func lengths(s *trial.Settings) []int {
	if s.Messages != nil && len(s.Messages.Kinds) > 0 {
		var list []int
		for _, k := range s.Messages.Kinds {
			list = append(list, k.Flits)
		}
		slices.Sort(list)
		return slices.Compact(list)
	}
	if len(s.Mixed) > 0 {
		return s.Mixed
	}
	return []int{s.Flits}
}

// packetText writes the possible lengths of packets, such as "1 or 4 flits".
func packetText(s *trial.Settings) string {
	either := func(list []int) string { return strings.Trim(strings.ReplaceAll(fmt.Sprint(list), " ", " or "), "[]") }
	list := lengths(s)
	text := either(list) + strings.TrimLeft(wording.Count(slices.Max(list), "flit", "s"), "0123456789,")
	if m := s.Engine.Messages; m != nil {
		replies := slices.Clone(m.Flits[max(1, len(s.Messages.Kinds)):])
		slices.Sort(replies)
		if replies = slices.Compact(replies); !slices.Equal(replies, list) {
			text += ", replies of " + either(replies)
		}
	}
	return text
}

func switchingOf(s *trial.Settings) string {
	if s.Engine.Switching == "" {
		return "wormhole"
	}
	return string(s.Engine.Switching)
}

// selectionOf returns the selection rule of a run with its keys.
func selectionOf(s *trial.Settings) string {
	return string(cmp.Or(s.Engine.Select, engine.Selections()[0]))
}

// selectionText returns what the text says about the selection: nothing about the default.
func selectionText(s *trial.Settings) string {
	if x := selectionOf(s); x != string(engine.Selections()[0]) {
		return ", selection " + x
	}
	return ""
}

func warmup(s *trial.Settings) int64 {
	if s.NoWarm {
		return int64(s.Warmup)
	}
	clocks := s.Clocks
	if clocks == 0 {
		clocks = trial.DefaultClocks
	}
	return int64(clocks / 5)
}

func simText(c *cli.Context, in *resolve.Subject, s *trial.Settings, r *trial.Result, seconds float64, spent *energy.Report) {
	w, n := c.App.Writer, in.Net
	fmt.Fprintf(w, "%s: %s, %s, %s\n", in.Name, wording.Count(n.NumSwitches(), "switch", "es"), wording.Count(n.NumHosts(), "host", "s"),
		wording.Count(n.VCs(), "VC", "s"))
	fmt.Fprintf(w, "routing %s, model %s, switching %s%s, packets of %s, traffic %s\n\n", in.Routing, s.Engine.Timing, switchingOf(s), selectionText(s),
		packetText(s), s.Traffic)
	row := func(name, format string, a ...any) {
		fmt.Fprintf(w, "%-12s "+format+"\n", append([]any{name + ":"}, a...)...)
	}
	if r.Offered > 0 {
		row("offered", "%.4f flits per clock and host", r.Offered)
	}
	if !math.IsNaN(r.Accepted) {
		replies := ""
		if r.Classes != nil {
			replies = "; replies included"
		}
		row("accepted", "%.4f%s; %.4f at the host that received least%s", r.Accepted, wording.PlusMinus(r.AcceptedError, 4), r.WorstAccepted, replies)
	}
	if !math.IsNaN(r.MeanLatency) {
		row("latency", "%.2f clocks on average%s, median %.0f, 99 %% within %.0f, longest %d", r.MeanLatency, wording.PlusMinus(r.LatencyError, 2),
			r.Median, r.P99, r.MaxLatency)
		row("network", "%.2f clocks on average, from when the head leaves its host", r.MeanNetworkLatency)
	}
	messagesText(row, r)
	if !math.IsNaN(r.MeanHops) {
		row("path", "%.3f switches on average", r.MeanHops)
	}
	row("packets", "%s delivered, %s in the network%s", wording.Thousands(r.Delivered), wording.Thousands(r.InNetwork), droppedText(r))
	row("work", "%s clocks, %s flit hops, %.2f s", wording.Thousands(int64(r.Clocks)), wording.Thousands(r.FlitHops), seconds)
	if trip, err := simrun.LongestTrip(in, s); err == nil && trip != nil {
		row("credits", "%s", simrun.TripText(in.Rel.Network(), trip))
	}
	energyText(w, spent)
	if r.Offered > 0 && r.Deadlock == nil {
		row("steady", "%s", steadyText(s, r))
		if r.Unsettled != "" {
			fmt.Fprintf(w, "\nNOT CONVERGED: %s.\n", r.Unsettled)
		}
	}
	if r.Deadlock != nil {
		fmt.Fprintf(w, "\nDEADLOCK: closed in clock %s.\n", wording.Thousands(int64(r.Deadlock.Clock)))
		verdict.PrintFrozen(w, in, r.Deadlock)
		queuesText(w, in, s, r.Deadlock)
	}
}

// steadyText says from which clock on the latency is steady.
func steadyText(s *trial.Settings, r *trial.Result) string {
	if r.WarmUp < 0 || r.Lag > measure.MaxLag {
		return "at no clock of this run"
	}
	return fmt.Sprintf("from clock %s on; clocks from %s on are measured", wording.Thousands(int64(r.WarmUp)), wording.Thousands(warmup(s)))
}

func droppedText(r *trial.Result) string {
	if r.Dropped == 0 {
		return ""
	}
	return fmt.Sprintf(", %s dropped without a permitted next hop", wording.Thousands(r.Dropped))
}
