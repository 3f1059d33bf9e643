package lft

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format"
	"github.com/turnproof/turnproof/model/format/textfile"
)

// This file compares the port GUIDs in a table dump with those of the topology. If a LID belongs
// to different ports, one of the two files is stale.

// portGUIDKey precedes the port GUID in lines of OpenSM, dump_fts and ibroute.
var portGUIDKey = []byte("portguid 0x")

// owner records the port GUID that a line states for its LID. It fails if an earlier line stated
// another one.
func (r *reader) owner(lid uint64, rest []byte) error {
	i := bytes.Index(rest, portGUIDKey)
	if i < 0 || lid > format.MaxUnicastLID {
		return nil
	}
	guid, _, ok := textfile.Hex(rest[i+len(portGUIDKey):])
	old := r.owners[lid]
	switch {
	case !ok || guid == 0 || guid == old:
	case old == 0:
		r.owners[lid] = guid
	default:
		return r.src.Errorf("LID %d (0x%04x) belongs to port GUID 0x%016x here and to 0x%016x before: LIDs moved while the tables were "+
			"dumped; dump them again", lid, lid, guid, old)
	}
	return nil
}

// portWithGUID returns the port with this GUID: a host, or port 0 of a switch.
func (r *reader) portWithGUID(guid uint64) (h model.HostID, ok bool) {
	if h, ok = r.byGUID[guid]; ok {
		return h, true
	}
	return model.NoHost, false
}

// indexPorts indexes the ports of the topology by GUID.
func (r *reader) indexPorts() {
	n := r.ix.Net
	r.byGUID = make(map[uint64]model.HostID, n.NumEndpoints())
	for h := range model.HostID(n.NumEndpoints()) {
		if g := n.Host(h).PortGUID; g != 0 {
			r.byGUID[g] = h
		}
	}
}

// contradictions fails if port GUIDs of the tables have other LIDs in the topology. A network that
// was not read from a fabric has no GUIDs to compare.
func (r *reader) contradictions() error {
	if r.found.File == "" {
		return nil
	}
	var list []string
	total := 0
	for lid, guid := range r.owners {
		if guid == 0 {
			continue
		}
		if text := r.contradiction(lid, guid); text != "" {
			if total++; len(list) < 10 {
				list = append(list, text)
			}
		}
	}
	if total == 0 {
		return nil
	}
	names := strings.Join(list, "; ")
	if total > len(list) {
		names += fmt.Sprintf("; and %d more", total-len(list))
	}
	return r.src.FileError("contradicts %s: %s: one of the files is older than a change of LIDs; dump both again", r.found.Topology(), names)
}

// contradiction describes how the owner of a LID differs from the topology. It returns "" if it
// does not differ.
func (r *reader) contradiction(lid int, guid uint64) string {
	n := r.ix.Net
	port, known := r.portWithGUID(guid)
	if d := r.ix.ByLID[lid]; d >= 0 {
		owner := n.Host(r.ix.Dests[d].Host)
		if owner.PortGUID == guid || owner.PortGUID == 0 || owner.Management && !known {
			return "" // the GUID of port 0 may differ from that of its switch
		}
		return fmt.Sprintf("LID %d (0x%04x) is port GUID 0x%016x (%s) there and 0x%016x%s here", lid, lid, owner.PortGUID,
			n.HostLabel(r.ix.Dests[d].Host), guid, r.nameOfPort(port))
	}
	if !known || n.Host(port).LID == 0 || r.found.LMCUnknown && follows(lid, n.Host(port).LID) {
		return ""
	}
	return fmt.Sprintf("port GUID 0x%016x%s has LID %d and LMC %d there and LID %d (0x%04x) here", guid, r.nameOfPort(port), n.Host(port).LID,
		n.Host(port).LMC, lid, lid)
}

// nameOfPort returns " (NAME)", or "" for a port that is not in the topology.
func (r *reader) nameOfPort(h model.HostID) string {
	if h == model.NoHost {
		return ""
	}
	return " (" + r.ix.Net.HostLabel(h) + ")"
}

// topOf returns the largest LID in the head of a block, "[0x0-0x40]", or 0.
func topOf(head []byte) int {
	_, rest, ok := bytes.Cut(head, []byte("Unicast lids [0x"))
	if !ok {
		return 0
	}
	_, rest, ok = bytes.Cut(rest, []byte("-0x"))
	if !ok {
		return 0
	}
	top, _, _ := textfile.Hex(rest)
	return int(min(top, 1<<16))
}

// lidsPerBlock is the number of LIDs that a switch reports at once.
const lidsPerBlock = 64

// noteDropped records a LID that dump_fts (infiniband-diags 44) omits: the last LID of the range,
// if it is a multiple of 64, because dump_fts rounds the number of blocks down.
func (r *reader) noteDropped() {
	if top := r.headTop; top > 0 && top <= format.MaxUnicastLID && top%lidsPerBlock == 0 && !r.hasTop {
		r.dropped[uint16(top)]++
	}
}

// checkDropped fails if dump_fts has dropped the LID of a host.
func (r *reader) checkDropped() error {
	for lid, switches := range r.dropped {
		d := r.ix.ByLID[lid]
		if d < 0 {
			continue
		}
		h := r.ix.Dests[d].Host
		if r.ix.Net.Host(h).Management {
			r.found.LostManagement = append(r.found.LostManagement, lid)
			r.found.Warnf("%s: dump_fts left out LID %d (%s) at %d of %d switches; packets to this LID are not judged", textfile.Base(r.src.Name), lid,
				r.ix.Net.HostLabel(h), switches, r.ix.Net.NumSwitches())
			continue
		}
		return r.src.FileError("no entry for LID %d (0x%04x), which is %s in %s, at %d of %d switches: dump_fts and ibroute leave out the "+
			"last LID if it is a multiple of 64; use the opensm-lfts.dump that OpenSM writes with -D 0x43",
			lid, lid, r.ix.Net.HostLabel(h), r.found.Topology(), switches, r.ix.Net.NumSwitches())
	}
	return nil
}
