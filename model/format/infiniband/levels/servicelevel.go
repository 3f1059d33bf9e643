package levels

import (
	"bytes"
	"fmt"
	"io"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format"
	"github.com/turnproof/turnproof/model/format/infiniband"
	"github.com/turnproof/turnproof/model/format/textfile"
)

// This file reads the service levels (SL) that a path may use, in three formats. The first is that
// of ibdmchk -c, where several SLs mean that any of them may be used:
//
//	0x<source adapter GUID> <destination LID, decimal> <SL>[,<SL>...]
//
// The second is the newer one of OpenSM:
//
//	Channel Adapter 0x<source port GUID>, base LID 1, "H0"
//	0x<destination LID> : <SL>
//
// The third is path records as printed by saquery (saquery -p, saquery PR), see pathrecord.go.
//
// A pair of hosts that is not listed has no SL, which is an error if the table has a route for it.
// Pairs with a management endpoint, and pairs with a further LID of a host, may be missing. The first
// format gives a level to packets from all LIDs of an adapter, the others to those from one LID.

// pathReader is the state of the reader of service levels.
type pathReader struct {
	src    *textfile.File
	ix     *infiniband.Index
	table  *model.Table
	levels *pathLevels
	at     model.HostID // source of the current block, in the second format
	// isLeftOut is set in the block of a switch or router without a LID.
	isLeftOut bool
	// record is the current path record in the third format, or nil. recordLines is the number of lines of the first one, once it has ended.
	record      *pathRecord
	recordLines int
	hasOthers   bool // whether there are entries in another format
}

// ReadServiceLevels reads the SLs of all pairs of hosts of table t, for model.Table.SetClasses.
func ReadServiceLevels(path string, t *model.Table, o format.Options) ([]model.ClassSet, error) {
	l, err := readAllLevels(path, t, o)
	if err != nil {
		return nil, err
	}
	return hostLevels(t, l.sets), nil
}

// hostLevels returns the sets of the pairs of hosts.
func hostLevels(t *model.Table, sets []model.ClassSet) (list []model.ClassSet) {
	hosts, endpoints := t.Network().NumHosts(), t.Network().NumEndpoints()
	for d := 0; d < t.Destinations() && sets != nil; d++ {
		list = append(list, sets[d*endpoints:d*endpoints+hosts]...)
	}
	return list
}

// readAllLevels reads the SLs of all pairs, for model.Table.SetManagementClasses.
func readAllLevels(path string, t *model.Table, o format.Options) (*pathLevels, error) {
	return textfile.Read(path, o.Sums, func(src *textfile.File) (*pathLevels, error) { return readServiceLevels(src, t) })
}

func readServiceLevels(src *textfile.File, t *model.Table) (*pathLevels, error) {
	r, err := readStated(src, t)
	if err != nil {
		return nil, err
	}
	if lost := r.missing(); lost.Total > 0 {
		return nil, src.FileError("no service level for %s: is the file truncated?", lost)
	}
	return r.levels, nil
}

// readStated reads the SLs of the pairs that a file has.
func readStated(src *textfile.File, t *model.Table) (*pathReader, error) {
	pairs := t.AllDestinations() * t.Network().NumEndpoints()
	if pairs > infiniband.MaxCells {
		return nil, src.FileError("service levels of %d pairs, allowed are %d", pairs, infiniband.MaxCells)
	}
	r := &pathReader{src: src, ix: infiniband.NewTableIndex(t), table: t, at: model.NoHost, levels: newPathLevels(t)}
	if err := src.Each(r.line); err != nil {
		return nil, err
	}
	return r, r.endRecord()
}

func (r *pathReader) line(line []byte) error {
	line = textfile.SkipBlanks(line)
	switch {
	case len(line) == 0 || line[0] == '#':
		return nil
	case bytes.HasPrefix(line, pathRecordHead):
		return r.beginRecord()
	case r.record != nil:
		return r.recordLine(line)
	case bytes.HasPrefix(line, []byte("Channel Adapter 0x")):
		guid, _, _ := textfile.Hex(line[len("Channel Adapter "):])
		h, ok := r.ix.Ports[guid]
		if !ok {
			return r.src.Errorf("no port with GUID 0x%016x in the network: do the files belong together?", guid)
		}
		r.at, r.isLeftOut = h, false
		return nil
	case bytes.HasPrefix(line, []byte("Switch 0x")), bytes.HasPrefix(line, []byte("Router 0x")):
		guid, _, _ := textfile.Hex(line[len("Switch "):]) // as long as "Router "
		h, ok := r.ix.OwnPort(guid)
		if !ok && line[0] == 'S' {
			return r.src.Errorf("no switch with GUID 0x%016x in the network: do the files belong together?", guid)
		}
		r.at, r.isLeftOut = h, h == model.NoHost
		return nil
	}
	v, rest, ok := textfile.Hex(line)
	rest = textfile.SkipBlanks(rest)
	if !ok || len(rest) == 0 {
		return r.src.Errorf("want 0x<source GUID> <destination LID> <SL>, got %q", textfile.Clip(line))
	}
	if rest[0] == ':' {
		if r.isLeftOut {
			return nil
		}
		if r.at == model.NoHost {
			return r.src.Errorf("an entry before the adapter that it belongs to: is the beginning missing?")
		}
		return r.set([]model.HostID{r.at}, int(min(v, 1<<20)), textfile.SkipBlanks(rest[1:]), false)
	}
	lid, rest, ok := textfile.Dec(rest)
	if !ok || len(rest) == 0 || rest[0] != ' ' && rest[0] != '\t' {
		return r.src.Errorf("want 0x<source GUID> <destination LID> <SL>, got %q", textfile.Clip(line))
	}
	hosts := r.ix.Nodes[v]
	if h, isSwitch := r.ix.Managed[v]; isSwitch {
		hosts = []model.HostID{h}
	}
	if len(hosts) == 0 {
		if _, isSwitch := r.ix.Switches[v]; isSwitch {
			return nil // a switch without a LID
		}
		return r.src.Errorf("no adapter with GUID 0x%016x in the network: %s", v, whyNoAdapter(r.ix))
	}
	return r.set(hosts, lid, textfile.SkipBlanks(rest), true)
}

// whyNoAdapter says why an adapter may be missing.
func whyNoAdapter(ix *infiniband.Index) string {
	for guid := range ix.Nodes {
		if _, isPort := ix.Ports[guid]; !isPort {
			return "do the files belong together?"
		}
	}
	return "if the topology is that of iblinkinfo or ibnetdiscover -p, it has the GUIDs of ports only: use that of ibnetdiscover"
}

// set stores the SLs in text for packets from hosts to lid: from all their LIDs, or from the base LIDs.
func (r *pathReader) set(hosts []model.HostID, lid int, text []byte, fromAll bool) error {
	if lid > format.MaxUnicastLID || r.ix.ByLID[lid] < 0 {
		return r.src.Errorf("no port of the network has LID %d", lid)
	}
	var set model.ClassSet
	for more := true; more; {
		sl, rest, ok := textfile.Dec(text)
		if !ok || sl >= model.MaxClasses {
			return r.src.Errorf("%q is no service level, allowed are 0 to 15", textfile.Clip(text))
		}
		set |= 1 << sl
		if more = len(rest) > 0 && rest[0] == ','; more {
			rest = rest[1:]
		} else if len(textfile.SkipBlanks(rest)) > 0 {
			return r.src.Errorf("%q follows the service level", textfile.Clip(rest))
		}
		text = rest
	}
	r.hasOthers = true
	d := int(r.ix.ByLID[lid])
	for _, h := range hosts {
		at := &r.levels.sets[d*r.table.Network().NumEndpoints()+int(h)]
		if *at != 0 && *at != set {
			return r.src.Errorf("%s to LID %d has two entries that differ", r.table.Network().HostLabel(h), lid)
		}
		*at = set
		for i, from := range r.levels.lids[h] {
			if fromAll || i == 0 {
				r.levels.state(from, model.DestID(d))
			}
		}
	}
	return nil
}

// missing returns the pairs of hosts with a route in the table and no SL. Further LIDs of hosts may
// have none.
func (r *pathReader) missing() (lost textfile.NameList) {
	n := r.table.Network()
	for d := range model.DestID(r.table.Destinations()) {
		row := r.table.Row(d)
		if infiniband.IsFurther(r.table, d) {
			continue
		}
		for h := range model.HostID(n.NumHosts()) {
			if r.levels.sets[int(d)*n.NumEndpoints()+int(h)] != 0 || r.table.DestinationHost(d) == h || row[n.Host(h).Switch] == model.NoChannel {
				continue
			}
			lost.Add("%s to LID %d", n.HostLabel(h), r.table.Destination(d).LID)
		}
	}
	return lost
}

// WriteServiceLevels writes the SLs of all pairs of hosts in the first format.
func WriteServiceLevels(w io.Writer, t *model.Table) error {
	n := t.Network()
	for h := range model.HostID(n.NumHosts()) {
		for _, d := range infiniband.DestsByLID(t) {
			if int(d) >= t.Destinations() || t.DestinationHost(d) == h || t.ClassesOf(h, d) == 0 {
				continue
			}
			sep := ' '
			fmt.Fprintf(w, "0x%016x %d", infiniband.NodeGUID(n, h), t.Destination(d).LID)
			for _, k := range t.Inject(h, d, nil) {
				fmt.Fprintf(w, "%c%d", sep, k)
				sep = ','
			}
			if _, err := fmt.Fprintln(w); err != nil {
				return err
			}
		}
	}
	return nil
}
