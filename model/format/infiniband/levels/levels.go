package levels

import (
	"cmp"
	"fmt"
	"math/bits"
	"slices"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format"
	"github.com/turnproof/turnproof/model/format/infiniband"
	"github.com/turnproof/turnproof/model/format/textfile"
)

// This file adds service levels and SL-to-VL tables to a table, and records the assumptions if a
// file is missing.

// Read reads the service levels of the paths and the SL-to-VL tables from two
// files, either of which may be "", and gives them to t. Options.Findings receives the
// premises.
//
// If there are SL-to-VL tables with several VLs and no service levels, packets may have
// each service level that has a data VL on their path. A proof then holds for every
// choice. A refutation is in doubt, unless packets with stated levels suffice for it (model.Stated). The same
// applies to pairs that a file of service levels leaves out: those with the LID of a switch, with a further LID
// of a host, or from one of several LIDs of a port.
func Read(sl, sl2vl string, t *model.Table, o format.Options) error {
	_, err := ReadFurther(sl, sl2vl, t, o, nil)
	return err
}

// Further is what further files of service levels state.
type Further struct {
	Notes         []string // about pairs that they leave out
	Hosts, Others bool     // they state more levels for pairs of hosts, and for pairs with a switch
}

// ReadFurther does what Read does, with further files of service levels. These may state more levels for the same pairs, to choose from: then
// packets may have each of them, and a refutation is in doubt, unless packets with the levels that all files state suffice for it. Path records may
// be those of some pairs. It fails if the files contradict each other.
func ReadFurther(sl, sl2vl string, t *model.Table, o format.Options, further []string) (found Further, err error) {
	r := levelReader{t: t, found: o.Found(), sl: textfile.Base(sl), sl2vl: textfile.Base(sl2vl)}
	if sl != "" {
		if r.levels, err = readAllLevels(sl, t, o); err != nil {
			return found, err
		}
	}
	if len(further) > 0 {
		r.first = slices.Clone(r.levels.sets)
	}
	for _, path := range further {
		if err := r.join(path, o); err != nil {
			return found, err
		}
	}
	err = r.take(sl, sl2vl, o)
	return r.further, err
}

// take gives the levels and the SL-to-VL tables to the table, with the premises.
func (r *levelReader) take(sl, sl2vl string, o format.Options) (err error) {
	t := r.t
	if sl2vl != "" {
		if r.m, err = ReadSL2VL(sl2vl, t.Network(), o); err != nil {
			return err
		}
	}
	switch {
	case sl != "":
		r.fromFile()
	case sl2vl != "":
		r.anyLevels()
	default:
		r.found.AddPremise(model.PremiseLevels, model.LevelsAllZero, model.Assumed)
	}
	if r.m == nil {
		r.found.AddPremise(model.PremiseSL2VL, "VL = SL at every switch, which has "+textfile.Counted(t.Network().VCs(), "data VL"), model.Assumed)
	} else {
		r.found.AddPremise(model.PremiseSL2VL, "by switch and ports, "+textfile.Counted(dataVLs(t, r.m), "data VL"), r.sl2vl)
	}
	return nil
}

// levelReader gives service levels to a table.
type levelReader struct {
	t         *model.Table
	m         *model.VCMap // nil without SL-to-VL tables
	levels    *pathLevels
	first     []model.ClassSet // that all files state, if there are further ones
	found     *format.Findings
	sl, sl2vl string // names of the files
	further   Further
}

// fromFile gives t the service levels of the file, and each possible one to pairs that the file
// leaves out.
func (r *levelReader) fromFile() {
	sets := r.levels.sets
	stated := slices.Clone(sets)
	if r.first != nil {
		stated = r.first
		r.doubtMore()
	}
	candidates := r.candidates()
	possible := r.possible(candidates)
	var lists [kindsOfPairs]missingPairs
	for i := range sets {
		h, d := model.HostID(i%r.t.Network().NumEndpoints()), model.DestID(i/r.t.Network().NumEndpoints())
		if r.t.DestinationHost(d) == h || r.t.Row(d)[r.t.Network().Host(h).Switch] == model.NoChannel {
			continue
		}
		if first, total := r.levels.missing(h, d); total > 0 {
			lists[r.kindOf(h, d)].add(first, total)
			sets[i] |= possible(h, d)
		}
	}
	r.t.SetClasses(hostLevels(r.t, sets), r.m)
	r.t.SetManagementClasses(sets)
	value := "by path"
	if all := lists[0].total + lists[1].total + lists[2].total + lists[3].total; all > 0 {
		value += fmt.Sprintf("; any for %s that the file leaves out", textfile.Counted(all, "pair"))
		for kind, list := range lists {
			r.doubt(list, pairKind(kind), bits.OnesCount16(uint16(candidates)) > 1)
		}
	}
	if !slices.Equal(sets, stated) {
		r.t.SetStated(stated)
	}
	r.found.AddPremise(model.PremiseLevels, value, r.sl)
}

// possible returns a function that returns those of the service levels that a packet can have. The
// path of a pair is not known with adaptive tables.
func (r *levelReader) possible(levels model.ClassSet) func(model.HostID, model.DestID) model.ClassSet {
	if r.found.IsAdaptive {
		return func(model.HostID, model.DestID) model.ClassSet { return levels }
	}
	return r.t.Possible(levels, r.m)
}

// candidates returns the service levels that a packet of unknown level can have: one of each group
// that the SL-to-VL tables treat equally. Without such tables, these are all levels up to the
// largest in use. Packets of another level alone on a VL depend on each other as they do on VL 0, so
// a proof for these levels holds for that level, too.
func (r *levelReader) candidates() model.ClassSet {
	if r.m != nil {
		return r.m.DistinctManaged(r.t.Network())
	}
	var used model.ClassSet
	for _, set := range r.levels.sets {
		used |= set
	}
	return 1<<max(1, bits.Len16(uint16(used&^(1<<model.DropVC)))) - 1
}

// pairKind is a kind of pairs of LIDs that a file of service levels may leave out.
type pairKind int

const (
	fromHostLID pairKind = iota // from one of several LIDs of a host to a LID that the topology gives to a host
	furtherLID                  // to a further LID of a host
	oneSwitch                   // between a host and a switch
	betweenSwitches
	kindsOfPairs
)

// kindOf returns the kind of the pairs from h to d.
func (r *levelReader) kindOf(h model.HostID, d model.DestID) pairKind {
	isSwitch, toSwitch := int(h) >= r.t.Network().NumHosts(), int(d) >= r.t.Destinations()
	switch {
	case isSwitch && toSwitch:
		return betweenSwitches
	case isSwitch || toSwitch:
		return oneSwitch
	case infiniband.IsFurther(r.t, d):
		return furtherLID
	}
	return fromHostLID
}

// missingPairs are pairs without a service level.
type missingPairs struct {
	first string
	total int
}

func (m *missingPairs) add(first string, total int) {
	m.first = cmp.Or(m.first, first)
	m.total += total
}

// doubt adds a doubt about pairs that the file leaves out. If they have several possible VLs, or no SL-to-VL tables give
// the VLs of their levels, a refutation with them is in doubt.
func (r *levelReader) doubt(list missingPairs, kind pairKind, isSeveral bool) {
	if list.total == 0 || !isSeveral && r.m != nil {
		return
	}
	what, with, traffic := "switch LIDs", "", model.HostManagement
	switch kind {
	case fromHostLID:
		what, traffic = "some LIDs of hosts", model.NoManagement
	case furtherLID:
		what, traffic = "further LIDs of hosts", model.NoManagement
	case oneSwitch:
		with = " of a host and a switch"
	case betweenSwitches:
		with, traffic = " of switches", model.AllManagement
	}
	r.found.Doubts = append(r.found.Doubts, model.Doubt{
		Premise: model.PremiseLevels, Against: model.AgainstRefutation, UnlessStated: true, Managed: traffic,
		Reason: fmt.Sprintf("no service level of %s: %s has none for %s%s, for example %s", what, r.sl, textfile.Counted(list.total, "pair"), with, list.first),
		Next:   "the path records of these LIDs, too (saquery -p > path-records.txt, or SLS=1 collect.sh)",
	})
}

// anyLevels gives t all possible service levels of each path, because no file states them. It adds
// a doubt unless all service levels have the same VLs.
func (r *levelReader) anyLevels() {
	t, n := r.t, r.t.Network()
	hosts, all := r.m.Distinct(n), r.m.DistinctManaged(n)
	var sets []model.ClassSet
	if bits.OnesCount16(uint16(hosts)) == 1 {
		r.found.AddPremise(model.PremiseLevels, "any: all have the same VLs", r.sl2vl)
	} else {
		r.found.AddPremise(model.PremiseLevels, "any that has a data VL: each path may use each of them", r.sl2vl+" tells no service levels")
		r.unknownLevels(model.NoManagement)
		sets = hostLevels(t, r.anyOf(hosts))
	}
	t.SetClasses(sets, r.m)
	if bits.OnesCount16(uint16(all)) > 1 {
		r.unknownLevels(model.HostManagement)
		t.SetManagementClasses(r.anyOf(all))
		if sets == nil {
			t.SetStated(r.levelsOfHosts())
		}
	}
}

// anyOf returns those of the service levels that a packet can have, for each pair.
func (r *levelReader) anyOf(levels model.ClassSet) []model.ClassSet {
	endpoints := r.t.Network().NumEndpoints()
	sets := make([]model.ClassSet, r.t.AllDestinations()*endpoints)
	possible := r.possible(levels)
	for i := range sets {
		sets[i] = possible(model.HostID(i%endpoints), model.DestID(i/endpoints))
	}
	return sets
}

// levelsOfHosts returns level 0 for each pair of hosts, and none for pairs with a switch.
func (r *levelReader) levelsOfHosts() []model.ClassSet {
	endpoints := r.t.Network().NumEndpoints()
	sets := make([]model.ClassSet, r.t.AllDestinations()*endpoints)
	for i := range sets {
		if i/endpoints < r.t.Destinations() && i%endpoints < r.t.Network().NumHosts() {
			sets[i] = 1
		}
	}
	return sets
}

// unknownLevels adds the doubt that no file states service levels.
func (r *levelReader) unknownLevels(traffic model.Management) {
	d := model.Doubt{
		Premise: model.PremiseLevels, Against: model.AgainstRefutation, UnlessStated: true, Managed: traffic,
		Reason: fmt.Sprintf("no file tells the service levels of the paths, and %s gives service levels different VLs", r.sl2vl),
		Next: "the path records of the running subnet manager (saquery -p > path-records.txt), or a path-SL file as ibdmchk -c reads " +
			"it, in the folder or by --sl",
	}
	if traffic != model.NoManagement {
		d.Reason = "no service level of switch LIDs: " + d.Reason
	}
	r.found.Doubts = append(r.found.Doubts, d)
}

// dataVLs returns the number of VLs between switches that packets of t can use.
func dataVLs(t *model.Table, m *model.VCMap) int {
	used := uint16(0)
	for out, row := range m.HostRows(t.Network()) {
		if t.Network().Kind(out) == model.Eject {
			continue
		}
		for s := t.UsedClasses(); s != 0; s &= s - 1 {
			used |= 1 << (row >> (4 * bits.TrailingZeros16(uint16(s))) & 0xf)
		}
	}
	return bits.OnesCount16(used &^ (1 << model.DropVC))
}
