package lft

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format/infiniband"
	"github.com/turnproof/turnproof/model/format/textfile"
)

// This file handles stray LIDs, which have routes but no port in the topology. They can be further
// LIDs of a host (LMC), virtual ports, hosts without a LID, or hosts that no longer exist. A LID
// whose routes lead to one host or switch becomes a further LID of it.

// stray is a LID without a port in the topology.
type stray struct {
	lid  uint16
	port []int16      // by switch: output port, or -1 without an entry
	host model.HostID // the only endpoint to which the routes lead, or NoHost
	also model.HostID // another endpoint to which routes lead, or NoHost
}

// strayEntry stores an entry for a LID without a port.
func (r *reader) strayEntry(lid uint16, port int) error {
	s := r.strays[lid]
	if s == nil {
		switches := r.ix.Net.NumSwitches()
		if cells := (len(r.strays) + 1) * switches; cells > infiniband.MaxCells {
			return r.src.Errorf("%d LIDs that no port of %s has, at %d switches, are %d cells, allowed are %d", len(r.strays)+1, r.found.Topology(),
				switches, cells, infiniband.MaxCells)
		}
		s = &stray{lid: lid, port: slices.Repeat([]int16{-1}, switches), host: model.NoHost, also: model.NoHost}
		r.strays[lid] = s
	}
	s.port[r.at] = int16(min(port, 255))
	return nil
}

// follows reports whether a port with this base LID could also have LID lid, for some LMC.
func follows(lid int, base uint16) bool { return lid > int(base) && lid < int(base)+1<<7 }

// resolve finds where the routes of each stray LID end.
func (r *reader) resolve() {
	for _, s := range r.strays {
		r.findEnd(s)
	}
}

// findEnd sets the endpoint with the port GUID that the file states for the LID. Without such an
// endpoint, it sets the endpoint to which the routes lead, or two of them.
func (r *reader) findEnd(s *stray) {
	if h, ok := r.portWithGUID(r.owners[s.lid]); ok {
		s.host = h
		return
	}
	n := r.ix.Net
	for u, p := range s.port {
		if p < 0 {
			continue
		}
		c := n.OutAt(model.SwitchID(u), model.Port(p))
		if c == model.NoChannel || n.Kind(c) != model.Eject {
			continue
		}
		switch end := n.HostOf(c); s.host {
		case end:
		case model.NoHost:
			s.host = end
		default:
			s.also = end
		}
	}
}

// adopt makes each LID whose routes lead to one endpoint a further LID of the endpoint.
func (r *reader) adopt() {
	list := slices.DeleteFunc(r.straysLeft(), func(s *stray) bool { return s.host == model.NoHost || s.also != model.NoHost })
	if len(list) == 0 {
		return
	}
	ix, n := *r.ix, r.ix.Net
	ix.Dests, ix.ByLID = nil, slices.Clone(r.ix.ByLID)
	var names []string
	for _, isManagement := range []bool{false, true} { // those of hosts come first
		for _, to := range r.ix.Dests {
			if n.Host(to.Host).Management == isManagement {
				ix.Dests = append(ix.Dests, to)
			}
		}
		for _, s := range list {
			if n.Host(s.host).Management == isManagement {
				ix.Dests = append(ix.Dests, model.Destination{Host: s.host, LID: s.lid})
				r.found.Further = append(r.found.Further, model.Destination{Host: s.host, LID: s.lid})
				names = append(names, fmt.Sprintf("%d (%s)", s.lid, n.HostLabel(s.host)))
			}
		}
	}
	for d, to := range ix.Dests {
		ix.ByLID[to.LID] = int32(d)
	}
	r.rebuild(&ix)
	r.found.VirtualLIDs = len(list)
	r.found.Warnf("%s: %s with routes lead to a host or switch with another LID (a virtual port, or a LID by LMC); checked as further LIDs "+
		"of it: %s", textfile.Base(r.src.Name), textfile.Counted(len(list), "LID"), textfile.Capped(names, len(names)))
}

// straysLeft returns the stray LIDs that belong to no host, in ascending order.
func (r *reader) straysLeft() []*stray {
	list := slices.SortedFunc(maps.Values(r.strays), func(a, b *stray) int { return int(a.lid) - int(b.lid) })
	return slices.DeleteFunc(list, func(s *stray) bool { return r.ix.ByLID[s.lid] >= 0 })
}

// isWithoutLID reports whether the LID belongs to a port that has no LID in the topology.
func (r *reader) isWithoutLID(s *stray) bool { return r.found.NoLIDPorts[r.owners[s.lid]] != "" }

// reportStrays adds warnings with the LIDs that are left out, and a doubt about those that lead to
// several endpoints.
func (r *reader) reportStrays() {
	var several, gone, without []string
	for _, s := range r.straysLeft() {
		switch {
		case s.also != model.NoHost:
			several = append(several, fmt.Sprintf("%d (to %s and %s)", s.lid, r.ix.Net.HostLabel(s.host), r.ix.Net.HostLabel(s.also)))
		case r.isWithoutLID(s):
			r.found.GoneLIDs = append(r.found.GoneLIDs, s.lid)
			without = append(without, fmt.Sprintf("%d (%s)", s.lid, r.found.NoLIDPorts[r.owners[s.lid]]))
		default:
			r.found.GoneLIDs = append(r.found.GoneLIDs, s.lid)
			gone = append(gone, fmt.Sprint(s.lid))
		}
	}
	for _, x := range []struct {
		lids []string
		what string
	}{
		{without, "belong to a port that has no LID in %s (the topology was dumped earlier or later)"},
		{gone, "lead to no host of %s (a removed host, or a port without a LID)"},
	} {
		if len(x.lids) > 0 {
			what := strings.ReplaceAll(x.what, "%s", textfile.Base(r.found.Topology()))
			r.found.Warnf("%s: %s with routes %s; these routes are not checked: %s",
				textfile.Base(r.src.Name), textfile.Counted(len(x.lids), "LID"), what, textfile.Capped(x.lids, len(x.lids)))
		}
	}
	if len(several) > 0 {
		r.found.Doubts = append(r.found.Doubts, model.Doubt{Premise: model.PremiseRouters, Against: model.AgainstProof,
			Claims: []string{"deadlock-free", "connected", "livelock-free"},
			Reason: fmt.Sprintf("%s: %s of no port in %s lead to several hosts: %s", textfile.Base(r.src.Name), textfile.Counted(len(several), "LID"),
				textfile.Base(r.found.Topology()), textfile.Capped(several, len(several))),
			Next: "dump topology and tables again, with ibnetdiscover and dump_fts"})
	}
}
