package main

import (
	"encoding/json"
	"reflect"
	"testing"
)

// TestSweepMessages: a point of a sweep with requests and replies has the figures of the same run of
// sim.
func TestSweepMessages(t *testing.T) {
	flags := []string{"torus:4x4,vcs=2", "-r", "dor", "--clocks", "4000", "--packet", "3", "--classes", "request,forward+reply", "--reply-packet", "5",
		"--service", "7", "--reply-queue", "2", "--outstanding", "3", "--initiators", "0-11", "--targets", "4-15", "--json"}
	type latencies struct {
		Mean   *float64 `json:"mean_latency"`
		Error  *float64 `json:"latency_error"`
		Median *float64 `json:"median_latency"`
		P99    *float64 `json:"p99_latency"`
	}
	type figures struct {
		Accepted  *float64 `json:"accepted"`
		Delivered int64    `json:"delivered"`
		Messages  struct {
			Classes []struct {
				Name     string   `json:"name"`
				Accepted *float64 `json:"accepted"`
				latencies
			} `json:"classes"`
			Answered int64     `json:"answered"`
			Trips    latencies `json:"round_trips"`
		} `json:"messages"`
	}
	out, errs, _ := turnproof(t, append([]string{"sim", "--load", "0.1"}, flags...)...)
	var want figures
	if err := json.Unmarshal([]byte(out), &want); err != nil {
		t.Fatal(err, errs)
	}
	out, errs, _ = turnproof(t, append([]string{"sweep", "--loads", "0.1"}, flags...)...)
	var got struct{ Results []figures }
	if err := json.Unmarshal([]byte(out), &got); err != nil {
		t.Fatal(err, errs)
	}
	if len(got.Results) != 1 || !reflect.DeepEqual(got.Results[0], want) || want.Messages.Answered < 100 || len(want.Messages.Classes) != 3 {
		t.Errorf("%+v\nwant %+v", got.Results, want)
	}
}
