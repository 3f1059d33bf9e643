package resolve

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/turnproof/turnproof/internal/wording"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format/infiniband/multicast"
)

// This file reads the multicast tables of a fabric.

// NoMulticast is the value of Request.Multicast that omits the tables of a folder.
const NoMulticast = "none"

// readMulticast reads the multicast tables of the request or the folder, and adds the premise. If
// tables of a folder cannot be read, it adds a doubt, because they could change the verdict.
func (s *Subject) readMulticast() (*model.Multicast, error) {
	file, named := s.asked.Multicast, true
	switch {
	case file == NoMulticast:
		s.Premise(model.PremiseMulticast, "none", "--multicast")
		return nil, nil
	case file == "":
		file, named = s.From.Multicast, false
	}
	if file == "" {
		s.doubtLeft(model.PremiseMulticast)
		if s.Net.IsInfiniBand() {
			s.Premise(model.PremiseMulticast, "none", model.Assumed)
		}
		return nil, s.groupsAlone()
	}
	m, doubts, err := multicast.Read(file, s.Net, s.format)
	switch {
	case errors.Is(err, multicast.ErrNoTables) && !named:
		s.Premise(model.PremiseMulticast, "none", model.Assumed)
		s.Warnings = append(s.Warnings, filepath.Base(file)+" has no table: it does not show that there are no multicast packets; dump_fts -M does")
		return nil, nil
	case err != nil && (named || errors.Is(err, multicast.ErrOtherFabric)):
		return nil, err
	case err != nil:
		s.multicastUnread(file, err)
		return nil, nil
	}
	if f := s.far.folder; !named && f != nil {
		for _, other := range f.OtherMulticast {
			if err := multicast.Compare(other, m, s.Net, file, s.format); err != nil {
				return nil, err
			}
		}
	}
	s.From.Multicast = file
	s.doubts = append(s.doubts, doubts...)
	s.Warnings = append(s.Warnings, multicast.Unreached(s.Net, m)...)
	s.Premise(model.PremiseMulticast, multicastText(m), filepath.Base(file))
	return m, s.multicastLevels(m)
}

// groupsAlone warns if the folder lists groups, and has no multicast tables.
func (s *Subject) groupsAlone() error {
	f := s.far.folder
	if f == nil || f.MulticastLevels == "" {
		return nil
	}
	groups, err := multicast.ReadLevels(f.MulticastLevels, s.format)
	if err == nil && len(groups) > 0 {
		s.Warnings = append(s.Warnings, fmt.Sprintf("%s lists %s, and the folder has no multicast tables, which dump_fts -M writes: multicast "+
			"packets are not judged", filepath.Base(f.MulticastLevels), wording.Count(len(groups), "multicast group", "s")))
	}
	return err
}

// multicastLevels sets the service levels of the groups of m, if the folder has them. A level that
// no unicast path has is a doubt, because the judged network does not contain its virtual lane.
func (s *Subject) multicastLevels(m *model.Multicast) error {
	if len(m.Groups) == 0 {
		return nil
	}
	if s.far.folder == nil || s.far.folder.MulticastLevels == "" {
		s.Premise(model.PremiseMulticastLevel, "0 for all groups", model.Assumed)
		s.doubtLeft(model.PremiseMulticastLevel)
		return nil
	}
	file := s.far.folder.MulticastLevels
	levels, err := multicast.ReadLevels(file, s.format)
	if err != nil {
		return err
	}
	used := model.ClassSet(1)
	r := s.Rel
	if f, ok := r.(model.Flowing); ok {
		r = f.AllPairs()
	}
	if t, ok := r.(interface{ UsedClasses() model.ClassSet }); ok {
		used = t.UsedClasses()
	}
	for i := range m.Groups {
		g := &m.Groups[i]
		level, known := levels[g.MLID]
		switch {
		case known && used>>level&1 != 0:
			g.Class = level
		case known:
			s.doubt(model.Doubt{Premise: model.PremiseMulticastLevel, Next: "omit the groups with --multicast none",
				Reason: fmt.Sprintf("%s gives multicast group 0x%04x service level %d, which no unicast path has; this case is not supported",
					filepath.Base(file), g.MLID, level)})
		default:
			s.doubt(model.Doubt{Premise: model.PremiseMulticastLevel, Next: "dump both again: dump_fts -M > mfts.dump; saquery -g > groups.txt",
				Reason: fmt.Sprintf("%s has no service level for multicast group 0x%04x", filepath.Base(file), g.MLID)})
		}
	}
	s.Premise(model.PremiseMulticastLevel, "by group", filepath.Base(file))
	return nil
}

// multicastUnread adds the premise and the doubt for tables that cannot be read.
func (s *Subject) multicastUnread(file string, err error) {
	reason := strings.TrimPrefix(err.Error(), "format: ")
	s.Premise(model.PremiseMulticast, "present but not read", filepath.Base(file))
	s.doubt(model.Doubt{Premise: model.PremiseMulticast, Claims: []string{model.ClaimDeadlockFree, model.ClaimLivelockFree},
		Against: model.AgainstProof, Reason: "cannot read the multicast tables: " + reason,
		Next: "write them again (dump_fts -M > opensm.mcfdbs), or omit them with --multicast none"})
}

// multicastText describes multicast tables by their groups and number of entries.
func multicastText(m *model.Multicast) string {
	const shown = 4
	if len(m.Groups) == 0 {
		return "none"
	}
	var names []string
	for i, g := range m.Groups {
		if i == shown {
			names = append(names, fmt.Sprintf("and %d more", len(m.Groups)-shown))
			break
		}
		names = append(names, fmt.Sprintf("0x%04x", g.MLID))
	}
	return fmt.Sprintf("%s (%s), %s", wording.Count(len(m.Groups), "group", "s"), strings.Join(names, ", "), wording.Count(m.NumEntries(), "entr", "ies", "y"))
}
