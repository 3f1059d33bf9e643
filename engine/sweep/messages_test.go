package sweep

import (
	"bytes"
	"encoding/csv"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/engine/trial"
)

// withMessages returns a result with the figures of two classes.
func withMessages() Result {
	one := Latencies{10, 0.5, 9, 20}
	return Result{Point: Point{Settings: Settings{Messages: trial.MessageWords{Classes: "request,reply", Service: 3, Entries: 4, Targets: "0-3"}}},
		Messages: &Messages{Answered: 7, RoundTrips: Latencies{25, 1, 24, 50},
			Classes: []ClassFigures{{"request", 0.25, one}, {"reply", 0.5, Latencies{12, Figure(math.NaN()), 11, Figure(math.Inf(1))}}}}}
}

// TestMessagesCSV: CSV has columns for the settings, each class and round trips, only if a result has messages.
func TestMessagesCSV(t *testing.T) {
	var b bytes.Buffer
	if err := WriteCSV(&b, []Result{withMessages(), {}}); err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(&b).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"classes": "request,reply", "service": "3", "reply_queue": "4", "targets": "0-3", "request_accepted": "0.25",
		"request_median_latency": "9", "reply_mean_latency": "12", "reply_latency_error": "", "reply_p99_latency": "", "round_trip_p99_latency": "50",
		"answered": "7"} {
		i := slices.Index(rows[0], name)
		if i < 0 || rows[1][i] != want {
			t.Errorf("%s: %v, want %s", name, rows[1], want)
		} else if other := rows[2][i]; strings.Contains(name, "latency") && other != "" {
			t.Errorf("%s: %q in a result without messages", name, other)
		}
	}
	if b.Reset(); WriteCSV(&b, []Result{{}}) != nil || strings.Contains(b.String(), "classes") || strings.Contains(b.String(), "answered") {
		t.Error(b.String())
	}
}

// TestMessagesJSON: figures of messages survive a journal.
func TestMessagesJSON(t *testing.T) {
	want := withMessages()
	text, err := want.MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	var got Result
	if err := got.UnmarshalJSON(text); err != nil {
		t.Fatal(err)
	}
	again, err := got.MarshalJSON()
	if err != nil || !bytes.Equal(text, again) || got.Point != want.Point || !math.IsNaN(float64(got.Messages.Classes[1].Error)) {
		t.Errorf("%s\nwant\n%s, %v", again, text, err)
	}
}

// TestMessagesKeys: the keys of messages, their default, and their mistakes.
func TestMessagesKeys(t *testing.T) {
	const head = "networks: a\nroutings: b\ntraffics: c\nloads: 0.5\n"
	for text, want := range map[string]trial.MessageWords{
		"": {},
		"classes: request,reply\nservice: 0\nreply-packet: 4\ninitiators: 0-3\n": {
			Classes: "request,reply", Entries: trial.DefaultEntries, Reply: 4, Initiators: "0-3",
		},
		"classes: request+reply\nreply-queue: 0\noutstanding: 2\nservice: 9\n": {Classes: "request+reply", Outstanding: 2, Service: 9},
		"classes: p.yaml\nservice: 2\n":                                        {Classes: "p.yaml", Service: 2},
	} {
		e, err := Parse("x", []byte(head+text), nil)
		if err != nil || e.Settings.Messages != want {
			t.Errorf("%q: %+v, %v", text, e, err)
		}
	}
	for text, want := range map[string]string{
		"service: 3\n":                          "sweep: x:5: service needs classes",
		"classes: p.yaml\noutstanding: 2\n":     "sweep: x:6: p.yaml describes queues and roles; remove outstanding",
		"classes: request\n":                    "sweep: x:5: classes",
		"classes: a,b\nreply-packet: 0\n":       "sweep: x:6: reply-packet 0, at least 1 is needed",
		"classes: a,b\noutstanding: 9000000\n":  "sweep: x:6: outstanding 9000000, allowed are 0 to 1048576",
		"classes: a,b\ninitiators: [1, 2, 3]\n": "sweep: x:6: initiators",
	} {
		if _, err := Parse("x", []byte(head+text), nil); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}
