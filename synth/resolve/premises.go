package resolve

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/turnproof/turnproof/internal/spelling"
	"github.com/turnproof/turnproof/model"
)

// This file collects the premises of a verdict: what the request states, then what the input
// names.

// AssumeWords returns the names of premises as Request.Assume takes them.
func AssumeWords() (words []string) {
	for _, name := range model.PremiseNames() {
		words = append(words, assumeWord(name))
	}
	return words
}

// assumeWord returns the name of a premise as Request.Assume takes it.
func assumeWord(name string) string { return strings.ReplaceAll(name, " ", "-") }

// Discipline returns the switching discipline, or that it is open. It adds the premise.
func (s *Subject) Discipline() (d model.Switching, open bool, err error) {
	source := "--switching"
	switch word := s.asked.Switching; {
	case word != "":
		if d, err = model.ParseSwitching(word); err != nil {
			return d, false, fmt.Errorf("--switching: %w", err)
		}
	case s.asked.Flow != "":
		d, source = s.asked.Flow, "--flow"
	case s.asked.Gated:
		d, source = model.CutThrough, "--gate"
	case s.Switching != "":
		d, source = s.Switching, s.SwitchingFrom
	case s.Vlans != nil:
		d, source = model.StoreAndForward, "the VLANs are Ethernet"
	case s.Net.IsInfiniBand():
		d, source = model.CutThrough, fileWord(s.From.Network)+" is InfiniBand"
	default:
		return "", true, nil
	}
	s.Premise(model.PremiseSwitching, string(d), source)
	return d, false, nil
}

// Waiting returns which next hops packets wait for, or "" if neither the request nor the input
// says it. It adds the source of the premise, to which verify adds the value.
func (s *Subject) Waiting() (model.Waiting, error) {
	_, byState := s.Rel.(model.Committer)
	switch word := s.asked.Waiting; {
	case word != "":
		w, err := model.ParseWaiting(word)
		if err != nil {
			return "", fmt.Errorf("--waiting: %w", err)
		}
		if w == model.WaitAny && model.WaitsForAll(s.Rel) {
			return "", errors.New("--waiting any does not apply: frames wait for room in several priority groups of a port at once")
		}
		s.Premise(model.PremiseWaiting, "", "--waiting")
		if w == model.WaitOne && s.waiting == model.WaitMixed {
			return s.waiting, nil // the folder says where packets that are dropped do not wait
		}
		return w, nil
	case s.Vlans != nil:
		s.Premise(model.PremiseWaiting, "", "the VLANs are Ethernet")
		return model.WaitOne, nil
	case s.waiting != "":
		s.Premise(model.PremiseWaiting, "", s.SwitchingFrom)
		return s.waiting, nil
	case s.far.table != nil:
		return s.adaptiveWaiting(), nil
	case byState:
		s.Premise(model.PremiseWaiting, "", "routing "+s.Routing)
	}
	return "", nil
}

// Premise adds a premise.
func (s *Subject) Premise(name, value, source string) {
	s.take(model.Premise{Name: name, Value: value, Source: source})
}

func (s *Subject) take(p model.Premise) { s.Premises = append(s.Premises, p) }

// states reports whether the input has a premise of this name.
func (s *Subject) states(name string) bool {
	return slices.ContainsFunc(s.Premises, func(p model.Premise) bool { return p.Name == name })
}

// doubt adds evidence against an assumption. If no claims are named, it is against deadlock-free
// alone.
func (s *Subject) doubt(d model.Doubt) { s.doubts = append(s.doubts, d) }

// accepted returns the premises. Those that words name and that are assumed get the source
// "--assume".
func accepted(words string, list []model.Premise) ([]model.Premise, error) {
	list = slices.Clone(list)
	if words == "" {
		return list, nil
	}
	known := AssumeWords()
	for _, word := range strings.Split(words, ",") {
		if word != "all" && !slices.Contains(known, word) {
			return nil, fmt.Errorf("--assume: no premise %s%s; known are all, %s", word, spelling.Suggest(word, known), strings.Join(known, ", "))
		}
		for i, name := range model.PremiseNames() {
			if word == known[i] || word == "all" {
				list = acceptOne(name, list)
			}
		}
	}
	return list, nil
}

// acceptOne marks a premise as accepted, whatever value verify gives it.
func acceptOne(name string, list []model.Premise) []model.Premise {
	for i, p := range list {
		if p.Name == name {
			if p.IsAssumed() {
				list[i].Source = "--assume"
			}
			return list
		}
	}
	return append(list, model.Premise{Name: name, Source: "--assume"})
}

// fileWord returns the name of a file for readers: its base name.
func fileWord(file string) string {
	if file == "-" {
		return "standard input"
	}
	return filepath.Base(file)
}
