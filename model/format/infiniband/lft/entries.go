package lft

import (
	"bytes"
	"fmt"
	"io"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format/infiniband"
	"github.com/turnproof/turnproof/model/format/textfile"
)

// This file writes forwarding tables.

// Write writes the tables as OpenSM does, in the format that its file routing engine loads
// (opensm -R file -U FILE), including entries for the LIDs of switches. The format has no classes
// and VCs.
func Write(w io.Writer, t *model.Table) error {
	return WriteSwitches(w, t, t.Network().NumSwitches())
}

// WriteSwitches is Write for the first switches only.
func WriteSwitches(w io.Writer, t *model.Table, switches int) error {
	n := t.Network()
	order := infiniband.DestsByLID(t)
	top := 0
	if len(order) > 0 {
		top = int(t.Destination(order[len(order)-1]).LID)
	}
	for u := range model.SwitchID(switches) {
		s := n.Switch(u)
		fmt.Fprintf(w, "Unicast lids [0-%d] of switch Lid %d guid 0x%016x ('%s'):\n", top, s.LID, infiniband.SwitchGUID(n, u), s.Name)
		for _, d := range order {
			p, ok := t.Port(u, d)
			if !ok {
				continue
			}
			to := t.Destination(d)
			kind := "Channel Adapter"
			if n.Host(to.Host).Management {
				kind = "Switch"
			}
			if infiniband.IsFurther(t, d) { // the reader finds its end by the routes, because a port GUID has one base LID
				fmt.Fprintf(w, "0x%04x %03d # further LID of '%s'\n", to.LID, p, n.Host(to.Host).Name)
				continue
			}
			fmt.Fprintf(w, "0x%04x %03d # %s portguid 0x%016x: '%s'\n", to.LID, p, kind, infiniband.PortGUIDOf(n, to.Host), n.Host(to.Host).Name)
		}
		if _, err := fmt.Fprintf(w, "%d lids dumped\n", top); err != nil {
			return err
		}
	}
	return nil
}

// This file finds the lines of table entries, for messages that name the line.

// Entry identifies a table entry as dumps do.
type Entry struct {
	GUID uint64 // GUID of the switch
	LID  uint16
}

// EntryLines returns the line of each entry in a file of forwarding tables. If the file has no
// such entry, it returns the first line of the switch's block, or 0 if there is no such block.
// Cost: one pass over the file.
func EntryLines(path string, wanted []Entry) ([]int, error) {
	src, err := textfile.Open(path, nil)
	if err != nil {
		return nil, err
	}
	defer src.Close()
	at := map[Entry]int{}
	for _, e := range wanted {
		at[e], at[Entry{GUID: e.GUID}] = 0, 0
	}
	block := uint64(0)
	err = src.Each(func(line []byte) error {
		if guid, ok := blockOf(line); ok {
			block = guid
			note(at, Entry{GUID: block}, src.Line)
		} else if lid, _, ok := textfile.Hex(line); bytes.HasPrefix(line, []byte("0x")) && ok && lid > 0 && lid <= 0xffff {
			note(at, Entry{block, uint16(lid)}, src.Line)
		}
		return nil
	})
	lines := make([]int, len(wanted))
	for i, e := range wanted {
		if lines[i] = at[e]; lines[i] == 0 {
			lines[i] = at[Entry{GUID: e.GUID}]
		}
	}
	return lines, err
}

// note stores the line of entry e, if e is wanted and has no line yet.
func note(at map[Entry]int, e Entry, line int) {
	if old, ok := at[e]; ok && old == 0 {
		at[e] = line
	}
}

// blockOf returns the GUID of the switch whose block a line begins, in either format of tables.
func blockOf(line []byte) (uint64, bool) {
	for _, head := range []struct{ begins, before string }{{"Unicast lids", " guid "}, {"dump_ucast_routes: Switch", " Switch "}, {"Switch 0x", "Switch "}} {
		if !bytes.HasPrefix(line, []byte(head.begins)) {
			continue
		}
		if _, rest, ok := bytes.Cut(line, []byte(head.before)); ok {
			guid, _, ok := textfile.Hex(rest)
			return guid, ok
		}
	}
	return 0, false
}
