package opensm

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/turnproof/turnproof/model"
)

// This file asks for the service level (SL) of each path between hosts, and writes them as ibdmchk -c reads them.
//
// For some paths OpenSM's engine dfsssp draws the SL at random from a set, again for each query. Each pair is asked several times.
// SLs that one pair has are alternatives for every pair that has one of them: the engine spreads the paths of one virtual layer over
// several virtual lanes. So a set is complete if the answers connect its SLs, and not only if one pair has seen all of them.

// The number of queries for each pair: manyRounds if an answer has changed, or in small fabrics; else fewRounds.
const (
	fewRounds  = 2
	manyRounds = 8
	smallPairs = 2000
)

// adapter is a host adapter with the LIDs of its ports.
type adapter struct {
	guid uint64
	lids []uint16
}

// adapters returns the adapters of a network, in the order of their first LID.
func adapters(n *model.Network) []adapter {
	byGUID, list := map[uint64]int{}, []adapter(nil)
	for h := range model.HostID(n.NumHosts()) {
		x := n.Host(h)
		if x.LID == 0 {
			continue
		}
		i, ok := byGUID[x.NodeGUID]
		if !ok {
			i = len(list)
			byGUID[x.NodeGUID] = i
			list = append(list, adapter{guid: x.NodeGUID})
		}
		for k := range uint16(1) << x.LMC {
			list[i].lids = append(list[i].lids, x.LID+k)
		}
	}
	slices.SortFunc(list, func(a, b adapter) int { return cmp.Compare(a.lids[0], b.lids[0]) })
	return list
}

// levels are the SLs seen, as sets of bits: by adapter, then by LID.
type levels []map[uint16]uint16

// askLevels asks for the SLs of all paths between hosts. Each port of an adapter asks for each LID of another one. Pairs that the tables do not
// connect have no SL.
func askLevels(ctx context.Context, c *client, list []adapter) (levels, error) {
	seen, pairs := make(levels, len(list)), 0
	for i := range seen {
		seen[i] = map[uint16]uint16{}
		pairs += len(list[i].lids)
	}
	rounds := fewRounds
	if pairs*pairs <= smallPairs {
		rounds = manyRounds
	}
	for round := 0; round < rounds; round++ {
		for i, from := range list {
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			for k, to := range list {
				if i == k {
					continue
				}
				for _, slid := range from.lids {
					for _, dlid := range to.lids {
						sl, err := c.level(slid, dlid)
						if errors.Is(err, errNoPath) {
							continue
						}
						if err != nil {
							return nil, &Failed{err.Error()}
						}
						if old := seen[i][dlid]; round > 0 && old&(1<<sl) == 0 {
							rounds = manyRounds
						}
						seen[i][dlid] |= 1 << sl
					}
				}
			}
		}
	}
	seen.join()
	return seen, nil
}

// join replaces each set by the union of all that are connected with it by common SLs.
func (l levels) join() {
	var group [16]uint16
	for sl := range group {
		group[sl] = 1 << sl
	}
	for changed := true; changed; {
		changed = false
		for _, row := range l {
			for _, set := range row {
				all := set
				for sl := range group {
					if set&(1<<sl) != 0 {
						all |= group[sl]
					}
				}
				for sl := range group {
					if all&(1<<sl) != 0 && group[sl] != group[sl]|all {
						group[sl], changed = group[sl]|all, true
					}
				}
			}
		}
	}
	for _, row := range l {
		for lid, set := range row {
			for sl := range group {
				if set&(1<<sl) != 0 {
					row[lid] |= group[sl]
				}
			}
		}
	}
}

// write writes the SLs to a file: adapter, LID, list of SLs.
func (l levels) write(file string, list []adapter) error {
	f, err := os.Create(file)
	if err != nil {
		return err
	}
	w := bufio.NewWriter(f)
	for i, row := range l {
		for _, to := range list {
			for _, lid := range to.lids {
				set, ok := row[lid]
				if !ok {
					continue
				}
				fmt.Fprintf(w, "0x%016x %d ", list[i].guid, lid)
				sep := ""
				for sl := range 16 {
					if set&(1<<sl) != 0 {
						fmt.Fprintf(w, "%s%d", sep, sl)
						sep = ","
					}
				}
				fmt.Fprintln(w)
			}
		}
	}
	return cmp.Or(w.Flush(), f.Close())
}
