package sweep

import (
	"encoding/json"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"github.com/turnproof/turnproof/engine/measure"
	"github.com/turnproof/turnproof/engine/trial"
	"github.com/turnproof/turnproof/model"
)

// This file has the settings and figures of messages that cause other messages.

// Messages are the figures of messages by class, and of round trips: from the creation of a request
// to the arrival of the last message that it caused.
type Messages struct {
	Classes    []ClassFigures `json:"classes"`
	Answered   int64          `json:"answered"` // requests since clock 0
	RoundTrips Latencies      `json:"round_trips"`
}

// ClassFigures are the figures of the messages of a class.
type ClassFigures struct {
	Name     string `json:"name"`
	Accepted Figure `json:"accepted"` // as Result.Accepted, but of this class only
	Latencies
}

// Latencies are figures about times.
type Latencies struct {
	Mean   Figure `json:"mean_latency"`
	Error  Figure `json:"latency_error"`
	Median Figure `json:"median_latency"`
	P99    Figure `json:"p99_latency"`
}

// Figure is a number, or NaN if it could not be measured. JSON has null for NaN and infinity.
type Figure float64

// MarshalJSON implements json.Marshaler.
func (f Figure) MarshalJSON() ([]byte, error) {
	if x := float64(f); !math.IsNaN(x) && !math.IsInf(x, 0) {
		return json.Marshal(x)
	}
	return []byte("null"), nil
}

// UnmarshalJSON implements json.Unmarshaler.
func (f *Figure) UnmarshalJSON(text []byte) error {
	if string(text) == "null" {
		*f = Figure(math.NaN())
		return nil
	}
	return json.Unmarshal(text, (*float64)(f))
}

// MessagesOf returns the figures of messages in the result of a trial, or nil without messages.
func MessagesOf(r *trial.Result) *Messages {
	if r.RoundTrips == nil {
		return nil
	}
	m := &Messages{Answered: r.Answered, RoundTrips: latenciesOf(r.RoundTrips)}
	for i := range r.Classes {
		x := &r.Classes[i]
		m.Classes = append(m.Classes, ClassFigures{x.Name, Figure(x.Accepted), latenciesOf(&x.Result)})
	}
	return m
}

func latenciesOf(r *measure.Result) Latencies {
	return Latencies{Figure(r.MeanLatency), Figure(r.LatencyError), Figure(r.Median), Figure(r.P99)}
}

// lacksMessages reports whether a result has no figures of messages.
func lacksMessages(r *Result) bool { return r.Messages == nil }

// columns returns the columns of CSV for the figures of messages, for results with the classes of m.
func (m *Messages) columns() (list []Column) {
	latencies := func(name string, of func(*Messages) *Latencies) {
		for _, c := range []struct {
			name string
			of   func(*Latencies) *Figure
		}{
			{"mean_latency", func(x *Latencies) *Figure { return &x.Mean }}, {"latency_error", func(x *Latencies) *Figure { return &x.Error }},
			{"median_latency", func(x *Latencies) *Figure { return &x.Median }}, {"p99_latency", func(x *Latencies) *Figure { return &x.P99 }},
		} {
			list = append(list, Column{Name: name + "_" + c.name, Unit: "clocks", of: func(r *Result) any { return c.of(of(r.Messages.like(m))) }})
		}
	}
	for i := range m.Classes {
		name := m.Classes[i].Name
		list = append(list, Column{Name: name + "_accepted", Unit: "flits/clock/host",
			of: func(r *Result) any { return &r.Messages.like(m).Classes[i].Accepted }})
		latencies(name, func(m *Messages) *Latencies { return &m.Classes[i].Latencies })
	}
	latencies("round_trip", func(m *Messages) *Latencies { return &m.RoundTrips })
	return append(list, Column{Name: "answered", of: func(r *Result) any { return &r.Messages.like(m).Answered }})
}

// like returns m, or figures that could not be measured for the classes of another one if m has not
// as many.
func (m *Messages) like(other *Messages) *Messages {
	if m != nil && len(m.Classes) == len(other.Classes) {
		return m
	}
	none := Figure(math.NaN())
	unknown := Latencies{none, none, none, none}
	m = &Messages{RoundTrips: unknown}
	for range other.Classes {
		m.Classes = append(m.Classes, ClassFigures{Accepted: none, Latencies: unknown})
	}
	return m
}

// isFile reports whether the value of classes names the file of a protocol.
func isFile(classes string) bool {
	return slices.Contains([]string{".yaml", ".yml", ".json"}, filepath.Ext(classes))
}

// maxMessages bounds numbers of clocks, entries and requests.
const maxMessages = 1 << 20

// checkMessages returns the first error of the settings of messages.
func (s *Settings) checkMessages() error {
	m := &s.Messages
	if m.Classes == "" {
		for _, x := range []struct {
			key string
			set bool
		}{
			{"service", m.Service != 0}, {"reply-queue", m.Entries != 0}, {"reply-packet", m.Reply != 0}, {"outstanding", m.Outstanding != 0},
			{"initiators", m.Initiators != ""}, {"targets", m.Targets != ""},
		} {
			if x.set {
				return faultf(x.key, "%s needs classes", x.key)
			}
		}
		return nil
	}
	if isFile(m.Classes) {
		for _, x := range []struct {
			key string
			set bool
		}{
			{"reply-queue", m.Entries != 0}, {"outstanding", m.Outstanding != 0}, {"initiators", m.Initiators != ""}, {"targets", m.Targets != ""},
		} {
			if x.set {
				return faultf(x.key, "%s describes queues and roles; remove %s", m.Classes, x.key)
			}
		}
	} else if strings.Contains(m.Classes, ":") { // classes with causes
		if m.Entries != 0 || m.Outstanding != 0 {
			return faultf("classes", "classes %s are a protocol, which has queues of its own; remove reply-queue and outstanding", m.Classes)
		}
	} else if _, err := model.ParseClasses(m.Classes); err != nil {
		return faultf("classes", "classes: %s", err)
	}
	for _, x := range []struct {
		key         string
		value, most int
	}{
		{"service", m.Service, maxMessages}, {"reply-queue", m.Entries, maxMessages}, {"reply-packet", m.Reply, maxFlits},
		{"outstanding", m.Outstanding, maxMessages},
	} {
		if x.value < 0 || x.value > x.most {
			return faultf(x.key, "%s %d, allowed are 0 to %d", x.key, x.value, x.most)
		}
	}
	return nil
}
