package lft

import (
	"fmt"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format"
	"github.com/turnproof/turnproof/model/format/infiniband"
	"github.com/turnproof/turnproof/model/format/textfile"
)

// This file determines the LMC of hosts from the tables, because opensm-subnet.lst does not state
// it. With LMC k a port has 2^k LIDs from its base LID on, and the base LID is a multiple of 2^k
// (InfiniBand 1.x, 4.1.3).

// lmcOf returns the largest LMC of host h that the tables allow: all its further LIDs have routes,
// which lead to h.
func (r *reader) lmcOf(h model.HostID) uint8 {
	base, k := int(r.ix.Net.Host(h).LID), uint8(0)
	for next := k + 1; next <= format.MaxLMC && base%(1<<next) == 0; next++ {
		for lid := base + 1<<k; lid < base+1<<next; lid++ {
			if s := r.strays[uint16(lid)]; s == nil || s.host != h || s.also != model.NoHost {
				return k
			}
		}
		k = next
	}
	return k
}

// inferLMC compares the LMC of the hosts with the tables. If the topology does not state the LMC
// and all hosts agree, the table gets the further LIDs. If hosts differ, or the topology states
// another LMC, inferLMC adds a doubt.
func (r *reader) inferLMC() {
	n := r.ix.Net
	var hosts [format.MaxLMC + 1]int // by LMC: number of hosts for which the tables allow it
	more, most := 0, uint8(0)
	for h := range model.HostID(n.NumHosts()) {
		k := r.lmcOf(h)
		hosts[k]++
		if k > 0 {
			more, most = more+1, max(most, k)
		}
	}
	from := "inferred from " + textfile.Base(r.src.Name)
	switch {
	case n.NumHosts() == 0:
	case hosts[most] == n.NumHosts() && r.found.LMCUnknown:
		r.found.AddPremise(model.PremiseLMC, fmt.Sprint(most), from)
		if most > 0 {
			r.addLIDs(most)
		}
	case r.found.LMCUnknown:
		r.found.AddPremise(model.PremiseLMC, "0", model.Assumed)
		r.doubtLMC(fmt.Sprintf("%s does not tell the LMC, and in %s the LIDs that follow those of %d of %d hosts lead to the same ports",
			textfile.Base(r.found.Topology()), textfile.Base(r.src.Name), more, n.NumHosts()),
			fmt.Sprintf("--lmc %d if that is the LMC, --lmc 0 if these are virtual ports; ibnetdiscover writes a topology with the LMC", most))
	case 2*more >= n.NumHosts():
		r.doubtLMC(fmt.Sprintf("%s tells a smaller LMC than %s shows: the LIDs that follow those of %d of %d hosts lead to the same ports",
			textfile.Base(r.found.Topology()), textfile.Base(r.src.Name), more, n.NumHosts()),
			"dump topology and tables again, with ibnetdiscover and dump_fts")
	}
}

// doubtLMC adds a doubt that makes a proof undecided. A refutation stays valid with more LIDs.
func (r *reader) doubtLMC(reason, next string) {
	r.found.Doubts = append(r.found.Doubts, model.Doubt{Premise: model.PremiseLMC, Against: model.AgainstProof, Reason: reason, Next: next,
		Claims: []string{"deadlock-free", "connected", "livelock-free"}})
}

// addLIDs gives each host the further LIDs of its LMC, with their entries.
func (r *reader) addLIDs(lmc uint8) { r.rebuild(infiniband.NewIndex(r.ix.Net.WithLMC(lmc))) }

// rebuild moves the entries to a table with the destinations of ix. Entries of new destinations
// are those of the stray LIDs.
func (r *reader) rebuild(ix *infiniband.Index) {
	t := model.NewTable(ix.Net, ix.Dests)
	for d, to := range ix.Dests {
		if old := r.ix.ByLID[to.LID]; old >= 0 {
			t.TakeRow(model.DestID(d), r.table, model.DestID(old))
			continue
		}
		for u, p := range r.strays[to.LID].port {
			if p >= 0 {
				t.SetPort(model.SwitchID(u), model.DestID(d), model.Port(p))
			}
		}
	}
	r.ix, r.table = ix, t
}
