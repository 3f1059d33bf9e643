package cert

import (
	"strings"
	"unicode/utf8"
)

// This file judges the parts of a subject that do not depend on the network: which
// parts are present, which words and texts they hold.

// checkSubject rejects a subject unless it holds exactly one routing, and
// no part that the judge of this routing does not look at.
func checkSubject(s *Subject) error {
	kinds := routingKinds(s)
	switch {
	case len(kinds) == 0:
		return Reject("subject", "neither a table, nor a relation, turns, a product, a family, streams, a program or a transition")
	case len(kinds) > 1:
		return Reject("subject", "both %s; want exactly one", strings.Join(kinds, " and "))
	case s.Gates != nil && s.Multicast != nil:
		return Reject("subject", "multicast groups and gates do not go together")
	case s.Gates != nil && s.Relation == nil:
		return Reject("subject", "gates without a relation")
	case s.Bubbles != nil && (s.Relation == nil || s.Gates != nil || s.Multicast != nil):
		return Reject("subject", "bubbles need a relation, without gates and multicast groups")
	case (s.Product != nil || s.Family != nil || s.Streams != nil || s.Program != nil) && !s.Network.empty():
		return Reject("subject", "%s, and a network beside it", kinds[0])
	}
	if err := checkInputs(s.Inputs); err != nil {
		return err
	}
	if err := checkFacts(s); err != nil {
		return err
	}
	if s.Multicast != nil && s.Table == nil && s.Relation == nil {
		return Reject("subject", "multicast groups without a table or a relation")
	}
	return checkWaiting(s)
}

// routingKinds returns names of the routings that a subject holds.
func routingKinds(s *Subject) (names []string) {
	for _, kind := range []struct {
		name  string
		there bool
	}{
		{"a table", s.Table != nil}, {"a relation", s.Relation != nil}, {"a set of turns", s.Turns != nil},
		{"a product", s.Product != nil}, {"a family", s.Family != nil}, {"streams", s.Streams != nil},
		{"a program", s.Program != nil}, {"a transition", s.Transition != nil},
	} {
		if kind.there {
			names = append(names, kind.name)
		}
	}
	return names
}

// empty reports whether no field of w is set.
func (w *Network) empty() bool {
	return w.VCs == 0 && w.Hosts == 0 && len(w.Switches)+len(w.Links)+len(w.Endpoints)+len(w.Attach) == 0
}

// checkWaiting judges the value of Waiting, and that the subject may have Waiting.
func checkWaiting(s *Subject) error {
	switch s.Waiting {
	case "":
		return nil
	case WaitingOne, WaitingMixed:
	default:
		return Reject("subject", "waiting %.80q, not one or mixed", s.Waiting)
	}
	switch {
	case s.Relation == nil && (s.Product == nil || s.Waiting == WaitingMixed):
		return Reject("subject", "waiting %q without a relation", s.Waiting)
	case s.Bubbles != nil && s.Waiting != WaitingOne:
		return Reject("subject", "bubbles are judged of packets that wait for any next hop or for one, not with waiting %q", s.Waiting)
	case s.Gates != nil:
		return Reject("subject", "gates are judged of packets that wait for any next hop, not with waiting %q", s.Waiting)
	}
	return nil
}

// checkInputs rejects names that are no base names, and digests in another form.
func checkInputs(inputs []Input) error {
	for i, in := range inputs {
		if in.Name == "" || !utf8.ValidString(in.Name) || strings.ContainsRune(in.Name, '/') {
			return Reject("subject", "input %d: %.80q is not the base name of a file", i, in.Name)
		}
		if len(in.SHA256) != 64 || strings.Trim(in.SHA256, "0123456789abcdef") != "" {
			return Reject("subject", "input %d: %.80q is no SHA-256 in lower case hex", i, in.SHA256)
		}
	}
	return nil
}

// checkPremises rejects premises whose texts are not printable, or that have the same name.
func checkPremises(s *Subject) error {
	names := map[string]bool{}
	for i, p := range s.Premises {
		for _, text := range []string{p.Name, p.Value, p.Source} {
			if text == "" || !IsPlain(text) {
				return Reject("subject", "premise %d: %.80q is not a printable text", i, text)
			}
		}
		if names[p.Name] {
			return Reject("subject", "premise %d: %.80q is there twice", i, p.Name)
		}
		if names[p.Name] = true; p.Name == "switching" && p.Value != s.Switching {
			return Reject("subject", "premise %d: switching is %.80q, the subject has %q", i, p.Value, s.Switching)
		}
	}
	return nil
}
