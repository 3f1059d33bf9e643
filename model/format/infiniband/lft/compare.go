package lft

import (
	"fmt"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format"
	"github.com/turnproof/turnproof/model/format/textfile"
)

// CompareLinear compares adaptive tables with the linear tables of the same fabric. Switches
// forward by the adaptive tables. If static entries differ, Options.Findings receives a warning.
func CompareLinear(path string, t *model.Table, adaptive *model.AdaptiveTable, file string, o format.Options) error {
	d, err := compareTables(path, t, adaptive, o)
	if err == nil && d.total > 0 {
		word := "entries"
		if d.total == 1 {
			word = "entry"
		}
		o.Found().Warnf("%s and %s differ in %d static %s (%s): %s is judged; were they dumped at different times?", textfile.Base(file), textfile.Base(path),
			d.total, word, textfile.Capped(d.entries, d.total), textfile.Base(file))
	}
	return err
}

// Compare fails if the forwarding tables in the file path differ from t, which come from
// another file of the same fabric, or if the file cannot be read: its entries could contradict t. Cost: the
// same as reading the file.
func Compare(path string, t *model.Table, file string, o format.Options) error {
	d, err := compareTables(path, t, nil, o)
	if err == nil && d.total > 0 {
		err = &textfile.Error{File: path, Msg: fmt.Sprintf("contradicts %s in %s (%s): the tables changed between the two dumps; name the right "+
			"file with --routing", file, textfile.Counted(d.total, "place"), textfile.Capped(d.entries, d.total))}
	}
	return err
}

// difference counts the entries in which two tables differ, and names the first three.
type difference struct {
	total   int
	entries []string
}

// compareTables compares the linear tables of a file with t, without entries of groups.
func compareTables(path string, t *model.Table, adaptive *model.AdaptiveTable, o format.Options) (diff difference, err error) {
	found := o.Found()
	o.Findings = &format.Findings{File: found.File, NoLIDPorts: map[uint64]string{}, LMCUnknown: found.LMCUnknown}
	linear, _, err := Read(path, t.Network().WithVCs(1), o)
	if err != nil {
		return diff, err
	}
	for d := range model.DestID(t.AllDestinations()) {
		if int(d) >= linear.AllDestinations() || linear.Destination(d) != t.Destination(d) {
			continue
		}
		for u := range model.SwitchID(t.Network().NumSwitches()) {
			p, ok := t.Port(u, d)
			q, ok2 := linear.Port(u, d)
			if p == q && ok == ok2 || adaptive != nil && adaptive.Group(u, d) != nil {
				continue
			}
			if diff.total++; len(diff.entries) < 3 {
				diff.entries = append(diff.entries, fmt.Sprintf("LID %d at %s", t.Destination(d).LID, t.Network().SwitchName(u)))
			}
		}
	}
	return diff, nil
}
