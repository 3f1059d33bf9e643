package sweep

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"slices"

	"github.com/turnproof/turnproof/engine"
)

// This file declares the result of a point and the table of its columns, which CSV, JSON and the
// journal use.

// Result is a point with its measured figures. A figure that could not be measured is NaN.
type Result struct {
	Point              Point
	Offered            float64 // load created by the hosts, in flits per clock and host
	Accepted           float64 // load that arrived, in flits per clock and host
	AcceptedError      float64 // half width of the 95 % confidence interval
	MeanLatency        float64 // clocks from the creation of a packet to the arrival of its tail
	LatencyError       float64 // half width of the 95 % confidence interval
	MedianLatency      float64
	P99Latency         float64
	MeanNetworkLatency float64      // as MeanLatency, but from when the head leaves the source
	Delivered          int64        // number of packets
	Deadlock           bool         // whether some packets froze
	DeadlockClock      engine.Clock // the clock in which the deadlock was found, or 0
	Clocks             engine.Clock // length of the run
	FlitHops           int64        // sum over all flits of the switches traversed
	Seconds            float64      // time that the run took
	Lag                float64      // see measure.Convergence
	WarmUp             engine.Clock // clock from which on the latency is steady, or -1
	Converged          bool         // whether the figures are those of the steady state, see measure.Convergence
	Messages           *Messages    // with Settings.Messages: the figures of each class, otherwise nil
}

// Column is a column of the table of results.
type Column struct {
	Name, Unit, Text string

	of    func(*Result) any  // returns a pointer to the field
	lacks func(*Result) bool // reports whether a result has no such column; nil if all have it
}

var columns = []Column{
	{"network", "", "spec or file", func(r *Result) any { return &r.Point.Network }, nil},
	{"routing", "", "name or file", func(r *Result) any { return &r.Point.Routing }, nil},
	{"traffic", "", "pattern or trace", func(r *Result) any { return &r.Point.Traffic }, nil},
	{"load", "flits/clock/host", "asked for", func(r *Result) any { return &r.Point.Load }, nil},
	{"seed", "", "", func(r *Result) any { return &r.Point.Seed }, nil},
	{"model", "", "router model", func(r *Result) any { return &r.Point.Settings.Model }, nil},
	{"switching", "", "", func(r *Result) any { return &r.Point.Settings.Switching }, nil},
	{"select", "", "selection", func(r *Result) any { return &r.Point.Settings.Select }, nil},
	{"arbiter", "", "", func(r *Result) any { return &r.Point.Settings.Arbiter }, nil},
	{"packet", "flits", "length of a packet", func(r *Result) any { return &r.Point.Settings.Packet }, nil},
	{"buffer", "flits", "buffer of a virtual channel", func(r *Result) any { return &r.Point.Settings.Buffer }, nil},
	{"link_clocks", "clocks", "a flit takes a channel", func(r *Result) any { return &r.Point.Settings.LinkClocks }, nil},
	{"max_clocks", "clocks", "asked for", func(r *Result) any { return &r.Point.Settings.Clocks }, nil},
	{"warmup", "clocks", "before measuring", func(r *Result) any { return &r.Point.Settings.Warmup }, nil},
	{"offered", "flits/clock/host", "created", func(r *Result) any { return &r.Offered }, nil},
	{"accepted", "flits/clock/host", "arrived", func(r *Result) any { return &r.Accepted }, nil},
	{"accepted_error", "flits/clock/host", "half width of the 95 % interval", func(r *Result) any { return &r.AcceptedError }, nil},
	{"mean_latency", "clocks", "from creation to the tail at the host", func(r *Result) any { return &r.MeanLatency }, nil},
	{"latency_error", "clocks", "half width of the 95 % interval", func(r *Result) any { return &r.LatencyError }, nil},
	{"median_latency", "clocks", "", func(r *Result) any { return &r.MedianLatency }, nil},
	{"p99_latency", "clocks", "", func(r *Result) any { return &r.P99Latency }, nil},
	{"mean_network_latency", "clocks", "from the head leaving the source", func(r *Result) any { return &r.MeanNetworkLatency }, nil},
	{"delivered", "packets", "", func(r *Result) any { return &r.Delivered }, nil},
	{"deadlock", "", "packets froze", func(r *Result) any { return &r.Deadlock }, nil},
	{"deadlock_clock", "clocks", "when that was seen; none without", func(r *Result) any { return &r.DeadlockClock }, nil},
	{"clocks", "clocks", "of the run", func(r *Result) any { return &r.Clocks }, nil},
	{"flit_hops", "flits", "switches passed by flits", func(r *Result) any { return &r.FlitHops }, nil},
	{"lag", "", "share of the offered load by which the sources fall behind; above 0.01 the point is saturated", func(r *Result) any { return &r.Lag }, nil},
	{"steady_from", "clocks", "the detected end of the warm-up; -1 if the run is too short", func(r *Result) any { return &r.WarmUp }, nil},
	{"converged", "", "the figures are those of the steady state", func(r *Result) any { return &r.Converged }, nil},
	{"links", "", "file of latency, width and buffer of channels", func(r *Result) any { return &r.Point.Settings.Links },
		func(r *Result) bool { return r.Point.Settings.Links == "" }},
	{"waiting", "", "any, one, or empty: as the routing says, else any", func(r *Result) any { return &r.Point.Settings.Waiting },
		func(r *Result) bool { return r.Point.Settings.Waiting == "" }},
	{"flow", "", "flow control of rings", func(r *Result) any { return &r.Point.Settings.Flow },
		func(r *Result) bool { return r.Point.Settings.Flow == "" }},
	{"classes", "", "classes of messages that cause others", func(r *Result) any { return &r.Point.Settings.Messages.Classes }, lacksMessages},
	{"service", "clocks", "that a host serves a message", func(r *Result) any { return &r.Point.Settings.Messages.Service }, lacksMessages},
	{"reply_queue", "", "entries of a host for replies of each class; 0: no limit",
		func(r *Result) any { return &r.Point.Settings.Messages.Entries }, lacksMessages},
	{"reply_packet", "flits", "length of a reply; 0: as packet", func(r *Result) any { return &r.Point.Settings.Messages.Reply }, lacksMessages},
	{"outstanding", "", "requests of a host that are not answered; 0: no limit",
		func(r *Result) any { return &r.Point.Settings.Messages.Outstanding }, lacksMessages},
	{"initiators", "", "hosts that send requests; empty: all", func(r *Result) any { return &r.Point.Settings.Messages.Initiators }, lacksMessages},
	{"targets", "", "hosts that receive requests; empty: all", func(r *Result) any { return &r.Point.Settings.Messages.Targets }, lacksMessages},
	{"messages", "", "figures of each class and of round trips", func(r *Result) any { return &r.Messages }, lacksMessages},
	{"seconds", "s", "that the run took; not in CSV and JSON lines, which are the same for the same experiment",
		func(r *Result) any { return &r.Seconds }, nil},
}

// isLeftOut reports whether a result omits the column: columns of settings that the experiment does
// not set, so that the files of such experiments stay unchanged.
func (c *Column) isLeftOut(r *Result) bool { return c.lacks != nil && c.lacks(r) }

// lasting are the columns that are the same in every run of a point: all but the last, the run
// time.
var lasting = columns[:len(columns)-1]

// Columns returns all columns in order.
func Columns() []Column { return slices.Clone(columns) }

// json returns the value of the column as JSON. NaN and infinite values become null.
func (c *Column) json(r *Result) ([]byte, error) {
	v := reflect.ValueOf(c.of(r)).Elem()
	if v.Kind() == reflect.Float64 && math.IsNaN(v.Float()) || c.Name == "deadlock_clock" && !r.Deadlock {
		return []byte("null"), nil
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v.Interface())
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}

// normal replaces values that would change when they are written and read back.
func (r *Result) normal() {
	for i := range columns {
		if f, ok := columns[i].of(r).(*float64); ok && math.IsInf(*f, 0) {
			*f = math.NaN()
		}
	}
	if !r.Deadlock {
		r.DeadlockClock = 0
	}
}

// MarshalJSON writes an object with the columns as keys, in order. NaN and infinite figures become
// null.
func (r Result) MarshalJSON() ([]byte, error) { return r.object(columns) }

func (r Result) object(columns []Column) ([]byte, error) {
	r.normal()
	var b bytes.Buffer
	for i := range columns {
		if columns[i].isLeftOut(&r) {
			continue
		}
		v, err := columns[i].json(&r)
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(&b, ",%q:%s", columns[i].Name, v)
	}
	b.Bytes()[0] = '{'
	b.WriteByte('}')
	return b.Bytes(), nil
}

// UnmarshalJSON reads what MarshalJSON writes. All columns except those
// that a result may omit must be present.
func (r *Result) UnmarshalJSON(text []byte) error {
	var object map[string]json.RawMessage
	if err := json.Unmarshal(text, &object); err != nil {
		return err
	}
	*r = Result{}
	for i := range columns {
		raw, ok := object[columns[i].Name]
		if !ok && columns[i].lacks != nil {
			continue
		}
		if !ok {
			return fmt.Errorf("sweep: a result without %s", columns[i].Name)
		}
		field := columns[i].of(r)
		if f, isFloat := field.(*float64); isFloat && string(raw) == "null" {
			*f = math.NaN()
		} else if err := json.Unmarshal(raw, field); err != nil {
			return err
		}
	}
	return nil
}
