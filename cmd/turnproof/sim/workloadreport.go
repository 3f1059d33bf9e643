package sim

import (
	"fmt"
	"io"
	"path/filepath"

	"github.com/turnproof/turnproof/cmd/turnproof/input"
	"github.com/turnproof/turnproof/cmd/turnproof/say"
	"github.com/turnproof/turnproof/cmd/turnproof/simrun"
	"github.com/turnproof/turnproof/cmd/turnproof/verdict"
	"github.com/turnproof/turnproof/engine"
	"github.com/turnproof/turnproof/engine/workload"
	"github.com/turnproof/turnproof/internal/wording"
	"github.com/turnproof/turnproof/model"
)

// This file prints the result of a workload as text or JSON (docs/schema/sim-workload.json).

type workloadJSON struct {
	Schema        string          `json:"schema"`
	Network       string          `json:"network"`
	Routing       string          `json:"routing"`
	Workload      string          `json:"workload"`
	Mapping       string          `json:"mapping"`
	Model         string          `json:"model"`
	Switching     string          `json:"switching"`
	Select        string          `json:"select"`
	Premises      []model.Premise `json:"premises"`
	Warnings      []string        `json:"warnings"`
	Inputs        []model.Input   `json:"inputs"` // the files that were read
	Packet        int             `json:"packet"`
	FlitBytes     int             `json:"flit_bytes"`
	GHz           float64         `json:"frequency"`
	Seed          uint64          `json:"seed"`
	Ranks         int             `json:"ranks"`
	Sends         int             `json:"sends"`
	Receives      int             `json:"receives"`
	Calculations  int             `json:"calculations"`
	Dependencies  int             `json:"dependencies"`
	Bytes         int64           `json:"bytes"`
	Finished      bool            `json:"finished"`
	Ended         int             `json:"ended"`
	End           int64           `json:"end"`
	EndNs         float64         `json:"end_ns"`
	Arrived       int             `json:"arrived"`
	UnequalSizes  int             `json:"unequal_sizes"`
	MeanLatency   *float64        `json:"mean_latency"`
	MedianLatency *float64        `json:"median_latency"`
	P99Latency    *float64        `json:"p99_latency"`
	MaxLatency    int64           `json:"max_latency"`
	Waits         []waitJSON      `json:"waits"`
	CriticalPath  []stepJSON      `json:"critical_path"`
	Deadlock      bool            `json:"deadlock"`
	DeadlockClock *int64          `json:"deadlock_clock"`
	Frozen        []say.WaitJSON  `json:"frozen"`
	Delivered     int64           `json:"delivered"`
	Clocks        int64           `json:"clocks"`
	FlitHops      int64           `json:"flit_hops"`
	Energy        *energyJSON     `json:"energy"` // null without --energy
	Seconds       float64         `json:"seconds"`
}

// waitJSON says how long receives of a rank waited for messages of another.
type waitJSON struct {
	Rank     int   `json:"rank"`
	For      int   `json:"for"`
	Clocks   int64 `json:"clocks"`
	Receives int   `json:"receives"`
}

// stepJSON is a step of the critical path.
type stepJSON struct {
	Kind   string `json:"kind"`
	From   int64  `json:"from"`
	To     int64  `json:"to"`
	Rank   int32  `json:"rank"`
	Source *int32 `json:"source"`
	Bytes  *int64 `json:"bytes"`
	Queued int64  `json:"queued"`
	At     string `json:"at"`
}

// mostWaits is the number of pairs of ranks that the output lists.
const mostWaits = 10

func (x *workloadRun) json() *workloadJSON {
	g, s, r, in := x.graph, &x.settings, x.result, x.in
	l := r.Latencies()
	_, bytes := g.Messages()
	j := &workloadJSON{Schema: "turnproof.sim-workload/1", Network: in.Name, Routing: in.Routing, Workload: x.spec, Mapping: x.mapping,
		Model: string(x.trial.Engine.Timing), Switching: switchingOf(&x.trial), Select: selectionOf(&x.trial),
		Premises: append([]model.Premise{}, in.Premises...),
		Warnings: append([]string{}, in.Warnings...), Inputs: input.InputsJSON(in), Packet: s.Packet, FlitBytes: s.FlitBytes, GHz: s.GHz, Seed: s.Seed,
		Ranks: g.Ranks, Sends: g.Count(workload.Send), Receives: g.Count(workload.Recv), Calculations: g.Count(workload.Calc),
		Dependencies: g.Dependencies(), Bytes: bytes, Finished: r.Finished, Ended: r.Ended, End: int64(r.End), EndNs: float64(r.End) / s.GHz,
		Arrived: len(r.Messages), UnequalSizes: r.Unequal, MeanLatency: simrun.Known(l.Mean), MedianLatency: simrun.Known(l.Median),
		P99Latency: simrun.Known(l.P99), MaxLatency: int64(l.Max), Waits: []waitJSON{}, CriticalPath: []stepJSON{}, Deadlock: r.Deadlock != nil,
		Frozen: []say.WaitJSON{}, Delivered: r.Packets, Clocks: int64(r.Clocks), FlitHops: r.FlitHops, Energy: newEnergyJSON(x.energy()), Seconds: x.seconds}
	for _, w := range r.Waits[:min(mostWaits, len(r.Waits))] {
		j.Waits = append(j.Waits, waitJSON{w.Rank, w.For, int64(w.Clocks), w.Messages})
	}
	for i := len(r.Path) - 1; i >= 0; i-- {
		j.CriticalPath = append(j.CriticalPath, x.stepJSON(&r.Path[i]))
	}
	if r.Deadlock != nil {
		clock := int64(r.Deadlock.Clock)
		j.DeadlockClock, j.Frozen = &clock, verdict.FrozenJSON(in.Rel, r.Deadlock)
	}
	return j
}

func (x *workloadRun) stepJSON(s *workload.Step) stepJSON {
	o := &x.graph.Ops[s.Op]
	j := stepJSON{Kind: o.Kind.String(), From: int64(s.From), To: int64(s.To), Rank: o.Rank, At: x.graph.At(s.Op), Queued: int64(s.Queued)}
	if o.Kind != workload.Calc {
		bytes := o.Amount
		j.Bytes = &bytes
	}
	if s.Message {
		source := x.source(s)
		j.Kind, j.Source = "message", &source
	}
	return j
}

// source returns the rank that sends the message of a step.
func (x *workloadRun) source(s *workload.Step) int32 { return x.graph.Ops[s.Send].Rank }

func (x *workloadRun) text(w io.Writer) {
	g, s, r, n := x.graph, &x.settings, x.result, x.in.Net
	messages, bytes := g.Messages()
	fmt.Fprintf(w, "%s: %s, %s, %s\n", x.in.Name, wording.Count(n.NumSwitches(), "switch", "es"), wording.Count(n.NumHosts(), "host", "s"),
		wording.Count(n.VCs(), "VC", "s"))
	fmt.Fprintf(w, "routing %s, model %s, switching %s%s, packets of %s of %s\n", x.in.Routing, x.trial.Engine.Timing,
		switchingOf(&x.trial), selectionText(&x.trial), wording.Count(s.Packet, "flit", "s"), wording.Count(s.FlitBytes, "byte", "s"))
	fmt.Fprintf(w, "workload %s: %s, mapping %s, %s, %s, %s, %s\n\n", x.spec, wording.Count(g.Ranks, "rank", "s"), x.mapping,
		wording.Count(messages, "message", "s"), wording.Count(bytes, "byte", "s"), wording.Count(g.Count(workload.Calc), "calculation", "s"),
		wording.Count(g.Dependencies(), "dependenc", "ies", "y"))
	row := func(name, format string, a ...any) {
		fmt.Fprintf(w, "%-12s "+format+"\n", append([]any{name + ":"}, a...)...)
	}
	if r.Finished {
		row("completed", "after %s clocks, %.6g us at %g GHz", wording.Thousands(int64(r.End)), float64(r.End)/s.GHz/1000, s.GHz)
	} else {
		row("unfinished", "%s of %s operations ended by clock %s", wording.Thousands(int64(r.Ended)), wording.Thousands(int64(len(g.Ops))),
			wording.Thousands(int64(r.End)))
	}
	if l := r.Latencies(); len(r.Messages) > 0 {
		row("messages", "%s arrived; latency %.2f clocks on average, median %.0f, 99 %% within %.0f, longest %d", wording.Thousands(int64(len(r.Messages))),
			l.Mean, l.Median, l.P99, l.Max)
	}
	if r.Unequal > 0 {
		row("sizes", "%s with another size than the message", wording.Count(r.Unequal, "receive", "s"))
	}
	row("work", "%s packets, %s clocks, %s flit hops, %.2f s", wording.Thousands(r.Packets), wording.Thousands(int64(r.Clocks)),
		wording.Thousands(r.FlitHops), x.seconds)
	energyText(w, x.energy())
	x.waitText(w)
	x.pathText(w)
	if r.Deadlock != nil {
		fmt.Fprintf(w, "\nDEADLOCK: closed in clock %s.\n", wording.Thousands(int64(r.Deadlock.Clock)))
		verdict.PrintFrozen(w, x.in, r.Deadlock)
	}
}

// waitText prints which receives waited longest.
func (x *workloadRun) waitText(w io.Writer) {
	list := x.result.Waits
	if len(list) == 0 {
		return
	}
	fmt.Fprintf(w, "\nLongest waits of receives, from their start to the arrival of the message:\n")
	for _, v := range list[:min(mostWaits, len(list))] {
		fmt.Fprintf(w, "  rank %d for rank %d: %s clocks in %s\n", v.Rank, v.For, wording.Thousands(int64(v.Clocks)), wording.Count(v.Messages, "receive", "s"))
	}
	if k := len(list) - mostWaits; k > 0 {
		fmt.Fprintf(w, "  and %s of ranks more\n", wording.Count(k, "pair", "s"))
	}
}

// Steps of the critical path that the text shows at its beginning and at its end.
const firstSteps, lastSteps = 8, 8

// pathText prints the chain of operations that decides the end.
func (x *workloadRun) pathText(w io.Writer) {
	path := x.result.Path
	if len(path) == 0 {
		return
	}
	var moving, queued, busy engine.Clock
	for i := range path {
		if s := &path[i]; s.Message {
			queued += s.Queued
			moving += s.To - s.From - s.Queued
		} else {
			busy += s.To - s.From
		}
	}
	fmt.Fprintf(w, "\nCritical path: %s clocks of messages on their paths, %s behind other messages at a host, %s of calculations and sends\n",
		wording.Thousands(int64(moving)), wording.Thousands(int64(queued)), wording.Thousands(int64(busy)))
	for i := len(path) - 1; i >= 0; i-- {
		if k := len(path) - 1 - i; k == firstSteps && i >= lastSteps {
			fmt.Fprintf(w, "  ... %s more\n", wording.Count(i+1-lastSteps, "step", "s"))
			i = lastSteps - 1
		}
		x.stepText(w, &path[i])
	}
}

func (x *workloadRun) stepText(w io.Writer, s *workload.Step) {
	o, g := &x.graph.Ops[s.Op], x.graph
	what := g.Describe(s.Op)
	if s.Message {
		what = fmt.Sprintf("message of %s from rank %d", workload.Size(g.Ops[s.Send].Amount), x.source(s))
		if s.Queued > 0 {
			what += fmt.Sprintf(", %s behind others at its host", wording.Count(int64(s.Queued), "clock", "s"))
		}
	}
	fmt.Fprintf(w, "  %8s to %s: rank %d, %s (%s)\n", wording.Thousands(int64(s.From)), wording.Thousands(int64(s.To)), o.Rank, what, filepath.Base(g.At(s.Op)))
}
