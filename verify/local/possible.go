package local

import (
	"errors"
	"slices"
)

// This file asks which dependencies between pieces are possible. The search for ranks divides the channels in many ways, so most questions are
// answered by those before.

// mostPoints bounds the points of a dependency that are kept.
const mostPoints = 16

// known returns the answers to the questions about a dependency.
func (s *searcher) known(d dependency) *answers {
	if s.answers == nil {
		s.answers = map[dependency]*answers{}
	}
	if s.answers[d] == nil {
		s.answers[d] = &answers{}
	}
	return s.answers[d]
}

// possible reports whether a dependency is possible on which a number does not increase by at least least. It is possible if the search does not
// decide it.
func (s *searcher) possible(e edge, pieces []piece, number string, least int64) (bool, error) {
	from, to := &pieces[e.from], &pieces[e.to]
	known := s.known(dependency{e.step, number, least, s.shallow})
	if known.within(from.literals, to.literals) || number != "" && s.known(dependency{e.step, "", 0, s.shallow}).within(from.literals, to.literals) {
		return false, nil
	}
	q, err := s.net.Dependency(e.step, from.when, to.when, [2]string{number, number}, least)
	if err != nil {
		return false, err
	}
	if q != nil {
		if slices.ContainsFunc(known.points, q.Satisfied) {
			return true, nil
		}
		most := q.Variables()
		point, err := s.ask(q, nil)
		if hard := new(errOpen); errors.As(err, &hard) {
			return true, nil
		}
		if err != nil {
			return false, err
		}
		if point != nil {
			if len(known.points) < mostPoints {
				known.points = append(known.points, q.Settled(point, most))
			}
			return true, nil
		}
	}
	known.impossible = append(known.impossible, [2][]string{from.literals, to.literals})
	return false, nil
}
