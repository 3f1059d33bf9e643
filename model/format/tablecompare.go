package format

import (
	"errors"
	"fmt"

	"github.com/turnproof/turnproof/model"
)

// CompareLinear compares adaptive tables with the linear tables of the same fabric. Switches
// forward by the adaptive tables. If static entries differ, Options.Findings receives a warning.
func CompareLinear(path string, t *model.Table, adaptive *model.AdaptiveTable, file string, o Options) error {
	d, err := compareTables(path, t, adaptive, o)
	if err == nil && d.total > 0 {
		word := "entries"
		if d.total == 1 {
			word = "entry"
		}
		o.findings().warnf("%s and %s differ in %d static %s (%s): %s is judged; were they dumped at different times?", base(file), base(path),
			d.total, word, capped(d.entries, d.total), base(file))
	}
	return err
}

// CompareTables fails if the forwarding tables in the file path differ from t, which come from
// another file of the same fabric. If the file cannot be read, it only adds a warning. Cost: the
// same as reading the file.
func CompareTables(path string, t *model.Table, file string, o Options) error {
	d, err := compareTables(path, t, nil, o)
	var unreadable *Error
	switch {
	case errors.As(err, &unreadable):
		o.findings().warnf("%s is judged; %s beside it cannot be read: %s", base(file), base(path), unreadable.Msg)
	case err != nil:
		return err
	case d.total > 0:
		return &Error{File: path, Msg: fmt.Sprintf("contradicts %s in %s (%s): the tables changed between the two dumps; name the right "+
			"file with --routing", file, counted(d.total, "place"), capped(d.entries, d.total))}
	}
	return nil
}

// tableDifference counts the entries in which two tables differ, and names the first three.
type tableDifference struct {
	total   int
	entries []string
}

// compareTables compares the linear tables of a file with t, without entries of groups.
func compareTables(path string, t *model.Table, adaptive *model.AdaptiveTable, o Options) (diff tableDifference, err error) {
	found := o.findings()
	o.Findings = &Findings{topology: found.topology, noLIDPorts: map[uint64]string{}, lmcUnknown: found.lmcUnknown}
	linear, _, err := ReadTable(path, t.Network().WithVCs(1), o)
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
