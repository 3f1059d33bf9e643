package cert

import (
	"strings"
	"unicode/utf8"
)

// This file judges the parts of a subject that do not depend on each other: which
// parts are present, and which text they hold.

// checkSubject rejects a subject unless it holds exactly one kind of routing, and
// nothing beside it that the judge of this kind does not look at.
func checkSubject(s *Subject) error {
	kinds := routingKinds(s)
	switch {
	case len(kinds) == 0:
		return reject("subject", "neither a table, nor a relation, turns, a product or a family")
	case len(kinds) > 1:
		return reject("subject", "both %s; want exactly one", strings.Join(kinds, " and "))
	case s.Gates != nil && s.Relation == nil:
		return reject("subject", "gates without a relation")
	case (s.Product != nil || s.Family != nil) && !s.Network.empty():
		return reject("subject", "%s, and a network beside it", kinds[0])
	}
	return checkInputs(s.Inputs)
}

// routingKinds names the kinds of routing that a subject holds.
func routingKinds(s *Subject) (names []string) {
	for _, kind := range []struct {
		name  string
		there bool
	}{
		{"a table", s.Table != nil}, {"a relation", s.Relation != nil}, {"a set of turns", s.Turns != nil},
		{"a product", s.Product != nil}, {"a family", s.Family != nil},
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

// checkInputs rejects names that are no base names and digests in another form.
func checkInputs(inputs []Input) error {
	for i, in := range inputs {
		if in.Name == "" || !utf8.ValidString(in.Name) || strings.ContainsRune(in.Name, '/') {
			return reject("subject", "input %d: %.80q is not the base name of a file", i, in.Name)
		}
		if len(in.SHA256) != 64 || strings.Trim(in.SHA256, "0123456789abcdef") != "" {
			return reject("subject", "input %d: %.80q is no SHA-256 in lower case hex", i, in.SHA256)
		}
	}
	return nil
}
