package resolve

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/turnproof/turnproof/internal/wording"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format/lists"
)

// This file restricts the routing to the pairs of hosts that talk.

// FlowTraffic returns the traffic of the flows.
func (s *Subject) FlowTraffic() (*model.Traffic, error) {
	t, err := model.GroupTraffic(s.Net, make([]int32, s.Net.NumHosts()), [][]float64{{0}})
	for _, x := range s.Flows {
		if err == nil {
			err = t.Set(x.Source, x.Dest, x.Amount)
		}
	}
	return t, err
}

// checkFlows fails if a flow goes to a host without an address.
func (s *Subject) checkFlows() error {
	known := map[model.HostID]bool{}
	for d := range model.DestID(s.Rel.Destinations()) {
		known[s.Rel.DestinationHost(d)] = true
	}
	for _, x := range s.Flows {
		if !known[x.Dest] {
			return fmt.Errorf("%s has no address in the routing", s.Net.HostLabel(x.Dest))
		}
	}
	return nil
}

// readFlows reads the flows that the request names.
func (s *Subject) readFlows() (err error) {
	word := s.asked.Flows
	switch {
	case word == "" && s.talking != nil:
		s.Flows = s.talking
		s.restrict(fileWord(s.From.Network))
		return nil
	case word == "":
		return nil
	}
	if s.Rel == nil {
		return errors.New("--flows needs --routing")
	}
	if x, ok := s.Source.(interface{ CheckRestriction() error }); ok {
		if err := x.CheckRestriction(); err != nil {
			return fmt.Errorf("--flows: %w", err)
		}
	}
	source := "--flows"
	if _, serr := os.Stat(word); serr != nil && strings.Contains(word, ":") {
		if s.Flows, err = lists.ParseFlows(word, s.Net, s.format); err != nil {
			return fmt.Errorf("--flows: %w", err)
		}
	} else {
		if lists.IsRecipes(word) {
			return fmt.Errorf("--flows: %s has recipes, lists of pairs that check judges one by one; want one list of pairs", word)
		}
		if s.Flows, err = lists.ReadFlows(word, s.Net, s.format); err != nil {
			return err
		}
		s.From.Flows, source = word, fileWord(word)
	}
	if err := s.checkFlows(); err != nil {
		return fmt.Errorf("--flows: %w", err)
	}
	s.restrict(source)
	return nil
}

// restrict makes the routing one of the pairs that talk. source is the place that names them.
func (s *Subject) restrict(source string) {
	s.Premise(model.PremiseFlows, wording.Count(len(s.Flows), "pair", "s")+" of hosts", source)
	s.Rel, s.Table, s.whole = model.WithFlows(s.Rel, s.Flows), nil, s.Table
}
