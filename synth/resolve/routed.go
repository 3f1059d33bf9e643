package resolve

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/facts"
	"github.com/turnproof/turnproof/model/format"
	"github.com/turnproof/turnproof/model/topo"
)

// This file reads network files that also state their routing.

// IsRouted reports whether word is a network file that states its routing, in a format of format.ReadRouted.
func IsRouted(word string) bool { return !topo.IsSpec(word) && format.IsRouted(word) }

// readRouted reads the file or folder that s.From names. Its routing is the routing, and the pairs that it names are those that talk,
// unless the request names another routing.
func (s *Subject) readRouted(read func(string, format.Options) (*format.Routed, error)) error {
	r, err := read(s.From.Network, s.format)
	if err != nil {
		return err
	}
	s.Net = r.Network
	for _, x := range format.Settings() {
		if x.IsFile && s.format.Settings[x.Name] != "" {
			s.SumFile(s.format.Settings[x.Name])
		}
	}
	s.Notes = append(s.Notes, r.Notes...)
	s.stateRouted(r)
	if s.From.Routing != "" {
		return nil
	}
	s.Warnings = append(s.Warnings, r.Warnings...)
	if r.Unrouted != nil {
		return r.Unrouted
	}
	s.Rel, s.Routing, s.talking, s.Source = r.Relation, r.Routing, r.Flows, r.Source
	return nil
}

// stateRouted adds the premises and doubts of the file. They do not depend on the routing.
func (s *Subject) stateRouted(r *format.Routed) {
	s.Premises = append(s.Premises, r.Premises...)
	for _, d := range r.Doubts {
		s.doubtUnlessAssumed(d)
	}
	s.Routed, s.protocol, s.kind = r.Run, r.Protocol, r.Kind
	s.Switching, s.SwitchingFrom, s.waiting = r.Switching, r.SwitchingFrom, r.Waiting
	if r.Run == nil {
		return
	}
	s.Switching, s.SwitchingFrom = cmp.Or(r.Run.Switching, model.Wormhole), r.Run.Routers
	s.stated = facts.Facts{Packet: r.Run.Packet, Buffer: r.Run.Buffer, Source: r.Run.Source}
	if r.Run.OtherBuffers {
		s.stated.Buffer = 0
	}
	switch {
	case r.Run.Atomic:
		s.stated.Reuse = facts.WhenEmpty
	case r.Run.Packet > 0 && r.Run.Buffer > 0:
		s.stated.Reuse = facts.WhenUnused
	}
}

// acceptedWord says in the source of a premise that --assume accepts a doubt about it.
const acceptedWord = ", accepted by --assume"

// doubtUnlessAssumed adds a doubt, unless --assume accepts its premise. Then the source of the premise says so.
func (s *Subject) doubtUnlessAssumed(d model.Doubt) {
	if !s.isAssumed(d) {
		s.doubt(d)
		return
	}
	for i, p := range s.Premises {
		if p.Name == d.Premise {
			s.Premises[i].Source = strings.TrimSuffix(p.Source, acceptedWord) + acceptedWord
		}
	}
}

// isAssumed reports whether --assume accepts the premise of a doubt.
func (s *Subject) isAssumed(d model.Doubt) bool {
	words := strings.Split(s.asked.Assume, ",")
	return !d.Firm && (slices.Contains(words, "all") || slices.Contains(words, assumeWord(d.Premise)))
}

// Contradiction returns an error if the input contradicts itself, so that a run of it would mean nothing.
func (s *Subject) Contradiction() error {
	for _, d := range s.doubts {
		if d.Firm && d.Against == model.AgainstProof {
			return errors.New(d.Text())
		}
	}
	return nil
}

// NotAssumed returns the doubts whose premises --assume does not accept.
func (s *Subject) NotAssumed(list []model.Doubt) []model.Doubt {
	return slices.DeleteFunc(list, s.isAssumed)
}
