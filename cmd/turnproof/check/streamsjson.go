package check

import (
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/cert"
	search "github.com/turnproof/turnproof/verify/streams"
)

// This file makes the JSON output of a check of streams.

// choiceJSON is a choice of a schedule.
type choiceJSON struct {
	Object string `json:"object"` // a resource or a counter
	To     string `json:"to"`     // an agent, or the packet from a buffer or an agent
}

// streamsJSON is the JSON output (docs/schema/streams.json).
type streamsJSON struct {
	Schema            string          `json:"schema"`
	Name              string          `json:"name"`
	Verdict           verify.Verdict  `json:"verdict"`
	Reason            string          `json:"reason,omitempty"` // of an undecided verdict
	Resources         int             `json:"resources"`
	Counters          int             `json:"counters"`
	Routes            int             `json:"routes"`
	Agents            int             `json:"agents"`
	States            int             `json:"states"`
	Schedule          []choiceJSON    `json:"schedule"`   // of a refuted problem
	Waits             []search.Wait   `json:"waits"`      // in the state in which nothing can happen
	Unfinished        []string        `json:"unfinished"` // the required agents that have not ended there
	Premises          []model.Premise `json:"premises"`
	Inputs            []cert.Input    `json:"inputs"`
	CertificateClaims int             `json:"certificate_claims"`
	Seconds           float64         `json:"seconds"`
}

func (s *streamsCheck) json() *streamsJSON {
	j := &streamsJSON{Schema: "turnproof.streams/1", Name: s.p.Name, Verdict: s.r.Verdict, Reason: s.r.Reason, Resources: len(s.p.Resources),
		Counters: len(s.p.Counters), Routes: len(s.p.Routes), Agents: len(s.p.Agents), States: s.r.States, Schedule: []choiceJSON{},
		Waits: append([]search.Wait{}, s.r.Stuck...), Unfinished: []string{}, Premises: s.premises, Inputs: s.inputs, Seconds: s.seconds}
	for _, x := range s.r.Schedule {
		object, to := s.choice(x)
		j.Schedule = append(j.Schedule, choiceJSON{object, to})
	}
	for _, a := range s.r.Required {
		j.Unfinished = append(j.Unfinished, s.p.Agents[a].Name)
	}
	if s.certified != nil {
		j.CertificateClaims = len(s.certified.Claims)
	}
	return j
}

// choice puts a choice into words.
func (s *streamsCheck) choice(x search.Choice) (object, to string) {
	n := len(s.p.Resources)
	switch {
	case x.Object >= n:
		return s.p.Counters[x.Object-n].Name, s.p.Agents[x.Place-n].Name
	case x.Place >= n:
		return s.p.Resources[x.Object].Name, "the packet of " + s.p.Agents[x.Place-n].Name
	}
	return s.p.Resources[x.Object].Name, "the packet from " + s.p.Resources[x.Place].Name
}
