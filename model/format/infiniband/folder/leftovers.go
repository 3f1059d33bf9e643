package folder

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/turnproof/turnproof/internal/unpack"
	"github.com/turnproof/turnproof/model"
)

// This file finds what collect.sh leaves of a file that it could not write: FILE.part if it was killed, FILE.err with the messages of a program
// that failed, and FILE.old of an earlier run. None is read. They show that the fabric may have what FILE would say.

// Leftover is the rest of a file that is not in the folder.
type Leftover struct {
	Name  string
	place func(*Files) *string
}

// unfinished records what a collection left, if the whole file is missing, with a warning.
func (f *Files) unfinished(path string) {
	name, whole := filepath.Base(path), isUnfinished.ReplaceAllString(path, "")
	if hasFile(whole, path) {
		return
	}
	place := placeOf(filepath.Base(whole))
	isErr := strings.EqualFold(filepath.Ext(name), ".err")
	isAdaptive := !isErr && isAdaptiveEvidence(path)
	switch {
	case isAdaptive:
		f.AdaptiveUnread = append(f.AdaptiveUnread, name)
	case place != nil:
	case multicastName.MatchString(filepath.Base(whole)):
		place = groups
	default:
		if k, _ := kindOf(path); k >= 0 {
			place = dumps[k].place
		}
	}
	st, err := os.Stat(path)
	if place == nil || err != nil {
		return
	}
	if !isErr && !isAdaptive && st.Size() > 0 {
		f.Left = append(f.Left, Leftover{name, place})
	}
	what := "the collection of %[2]s did not end"
	if strings.EqualFold(filepath.Ext(name), ".old") {
		what = "of an earlier collection of %[2]s"
	}
	f.Warnings = append(f.Warnings, fmt.Sprintf("%[1]s: "+what+", and it is not in the folder", name, filepath.Base(whole)))
}

// hasFile reports whether a file is there, compressed or not. If the rest of it is a dump, the file is one of the same kind.
func hasFile(path, rest string) bool {
	list, _ := filepath.Glob(filepath.Join(filepath.Dir(path), "*"))
	want, _ := kindOf(rest)
	for _, other := range list {
		if isFile(other) && unpack.TrimSuffix(other) == unpack.TrimSuffix(path) {
			kind, _ := kindOf(other)
			return want < 0 || kind == want
		}
	}
	return false
}

// LeftTopology names what a collection left of a topology, or returns "".
func (f *Files) LeftTopology() string {
	for _, x := range f.Left {
		if x.place(f) == &f.Network {
			return x.Name
		}
	}
	return ""
}

// LeftDoubt returns a doubt about proofs if a collection left the rest of a file, and the fabric has no file of that kind, or broke off one of
// several files of service levels. It is about a premise, one of model.PremiseLevels, model.PremiseSL2VL, model.PremiseMulticast,
// model.PremiseMulticastLevel and model.PremiseAdaptive.
func (f *Files) LeftDoubt(premise string) (d model.Doubt, ok bool) {
	at := map[string]func(*Files) *string{model.PremiseLevels: levels, model.PremiseSL2VL: sl2vl, model.PremiseMulticast: groups,
		model.PremiseMulticastLevel: mclevel, model.PremiseAdaptive: far}[premise]
	for _, x := range f.Left {
		isBroken := premise == model.PremiseLevels && strings.EqualFold(filepath.Ext(x.Name), ".part")
		if at(f) == x.place(f) && (*at(f) == "" || isBroken) {
			return model.Doubt{Premise: premise, Against: model.AgainstProof,
				Claims: []string{model.ClaimDeadlockFree, model.ClaimConnected, model.ClaimLivelockFree},
				Reason: x.Name + " is what a collection left, and the folder has no whole file of it: what it states is not known",
				Next:   "collect it again (collect.sh), or remove " + x.Name + " if the fabric has none"}, true
		}
	}
	return d, false
}
