package format

import (
	"fmt"
	"math/bits"
	"slices"

	"github.com/turnproof/turnproof/model"
)

// This file adds service levels and SL-to-VL tables to a table, and records the assumptions if a
// file is missing.

// ReadLevels reads the service levels of the paths and the SL-to-VL tables from two
// files, either of which may be "", and gives them to t. Options.Findings receives the
// premises.
//
// If there are SL-to-VL tables with several VLs and no service levels, packets may have
// each service level that has a data VL on their path. A proof then holds for every
// choice. A refutation is in doubt.
func ReadLevels(sl, sl2vl string, t *model.Table, o Options) error {
	var sets []model.ClassSet
	var m *model.VCMap
	var err error
	found := o.findings()
	if sl != "" {
		if sets, err = ReadServiceLevels(sl, t, o); err != nil {
			return err
		}
		found.premise(model.PremiseLevels, "by path", base(sl))
	}
	if sl2vl != "" {
		if m, err = ReadSL2VL(sl2vl, t.Network(), o); err != nil {
			return err
		}
		if sets == nil {
			sets = found.anyLevels(t, m, base(sl2vl))
		}
	} else if sl == "" {
		found.premise(model.PremiseLevels, "all 0", model.Assumed)
	}
	if sets != nil || m != nil {
		t.SetClasses(sets, m)
	}
	if m == nil {
		found.premise(model.PremiseSL2VL, "VL = SL at every switch, which has "+counted(t.Network().VCs(), "data VL"), model.Assumed)
	} else {
		found.premise(model.PremiseSL2VL, "by switch and ports, "+counted(dataVLs(t, m), "data VL"), base(sl2vl))
	}
	return nil
}

// anyLevels returns the possible service levels of each path, if no file states them. It returns
// nil if all service levels have the same VLs.
func (f *Findings) anyLevels(t *model.Table, m *model.VCMap, file string) []model.ClassSet {
	distinct := m.Distinct(t.Network())
	if bits.OnesCount16(uint16(distinct)) == 1 {
		f.premise(model.PremiseLevels, "any: all have the same VLs", file)
		return nil
	}
	f.premise(model.PremiseLevels, "any that has a data VL: each path may use each of them", file+" tells no service levels")
	f.Doubts = append(f.Doubts, model.Doubt{
		Premise: model.PremiseLevels, Against: model.AgainstRefutation,
		Reason: fmt.Sprintf("no file tells the service levels of the paths, and %s gives service levels different VLs", file),
		Next: "the path records of the running subnet manager (saquery -p > path-records.txt), or a path-SL file as ibdmchk -c reads " +
			"it, in the folder or by --sl",
	})
	if f.isAdaptive { // then the path of a pair is not known
		return slices.Repeat([]model.ClassSet{distinct}, t.Destinations()*t.Network().NumHosts())
	}
	return t.AnyClasses(distinct, m)
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
