package partitions

import (
	"bytes"
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format"
	"github.com/turnproof/turnproof/model/format/infiniband"
	"github.com/turnproof/turnproof/model/format/lists"
	"github.com/turnproof/turnproof/model/format/textfile"
)

// This file reads partitions.conf (OpenSM 3.3, doc/partition-config.txt) as pairs of hosts:
//
//	Default = 0x7fff, ipoib : ALL, 0x100001 = full ;
//	Storage = 0x80, defmember = full :
//		0x100002, 0x100003 = limited ;
//
// Two ports talk if they are members of one partition and one of them is a full member. Before OpenSM reads the file, all ports are limited
// members of the partition 0x7fff, and its own port is a full one; a word on it or on ALL overrides that. An opensm-subnet.lst says which port
// it is. With other files of the network, rules with SELF are errors, and files with neither ALL nor a full member of 0x7fff. So are service
// levels of a partition (sl), which change those of the paths, and
// multicast groups (mgid).

// premiseManager is the port of OpenSM.
const premiseManager = "subnet manager"

func init() {
	model.RegisterPremises(premiseManager)
	lists.RegisterFlows(lists.FlowFormat{Name: "partitions.conf of OpenSM", Is: is, Read: Read})
}

var (
	comment  = regexp.MustCompile(`#[^\n]*`)
	ruleHead = regexp.MustCompile(`^[^=,:;"'{}\[\]\n]*(=[ \t]*[0-9][0-9A-Fa-fx]*[ \t]*)?(,[^:;"\n]*)?:`)
)

// is recognises the file by its first kilobytes: a rule begins it, behind comments. Nothing but comments are such a file, too.
func is(head []byte) bool {
	text := bytes.TrimSpace(comment.ReplaceAll(head, nil))
	if len(text) == 0 {
		return bytes.ContainsRune(head, '#')
	}
	return ruleHead.Match(text) && bytes.ContainsRune(text, ';')
}

const maxText = 1 << 24 // bytes of a file

// Read reads the pairs of hosts of n that may talk, in the order of the hosts.
//
// The port of OpenSM is that of o.Found().SubnetManager. If it is unknown, and the file does not state the membership of all ports, it is
// assumed to be one of the full members of the partition 0x7fff, and this is a premise.
// The partitions are those of an OpenSM that has started with the file. A file that OpenSM rejects is an error:
// OpenSM then makes all ports full members of the partition 0x7fff.
func Read(src *textfile.File, n *model.Network, o format.Options) ([]model.Flow, error) {
	if src.Marked {
		return nil, src.FileError("the file begins with a byte order mark or is UTF-16: OpenSM takes the mark for a word; want UTF-8 without it")
	}
	text, err := textfile.ReadWhole(src, maxText, "a partition configuration")
	if err == nil {
		err = src.Finish()
	}
	if err != nil {
		return nil, err
	}
	r, err := newReader(src, infiniband.NewIndex(n), o.Found().SubnetManager)
	if err == nil {
		err = r.read(string(text))
	}
	if err == nil {
		err = r.placeManager(o)
	}
	if err != nil {
		return nil, err
	}
	list := flows(n, r.list)
	if list == nil {
		return nil, src.FileError("no two hosts are members of one partition with a full member among them")
	}
	return list, nil
}

// placeManager states where OpenSM runs. If that is not certain, and changes the pairs, it adds a doubt.
func (r *reader) placeManager(o format.Options) error {
	found := o.Found()
	n, p := r.ix.Net, model.Premise{Name: premiseManager, Source: cmp.Or(found.ManagerFile, "opensm-subnet.lst")}
	names := r.list[0].fullMembers(n)
	if found.ManagerDoubt != "" && (r.hasSelf || !r.isStated) {
		found.Doubts = append(found.Doubts, model.Doubt{Premise: premiseManager,
			Claims: []string{model.ClaimDeadlockFree, model.ClaimConnected, model.ClaimLivelockFree},
			Reason: "the port of OpenSM, a full member of the partition 0x7fff, is not certain: " + found.ManagerDoubt,
			Next:   "keep the right file only, or state the membership of all ports (Default=0x7fff : ALL, ...)"})
	}
	switch h, isHost := r.ix.Ports[r.self]; {
	case r.self != 0 && isHost:
		p.Value = "at " + n.HostLabel(h)
	case r.self != 0:
		p.Value = "at " + n.SwitchLabel(r.ix.Switches[r.self])
	case r.isElsewhere:
		p.Value = fmt.Sprintf("at port 0x%016x, which is none of the network", found.SubnetManager)
		found.Warnf("%s names 0x%016x as the port of OpenSM, and %s has no such port with a LID", p.Source, found.SubnetManager,
			textfile.Base(found.Topology()))
	case r.isStated:
		return nil // the file overrides what OpenSM makes of its port
	case len(names) == 0:
		return r.src.FileError("no full member of the partition 0x7fff: OpenSM makes its own port one; name the GUID of that port, " +
			"as in \"Default=0x7fff : ALL, 0x0000000000100001=full ;\"")
	default:
		p.Value, p.Source = "at "+strings.Join(names, " or ")+"; its port is a full member of the partition 0x7fff", model.Assumed
		o.Found().Warnf("%s: holds if OpenSM runs at %s; its port is a full member of the partition 0x7fff", textfile.Base(r.src.Name),
			strings.Join(names, " or "))
	}
	if o.Premise != nil {
		o.Premise(p)
	}
	return nil
}

// fullMembers names the hosts that are full members.
func (p *partition) fullMembers(n *model.Network) (list []string) {
	for h := range model.HostID(n.NumHosts()) {
		if p.members[h] == full {
			list = append(list, n.HostLabel(h))
		}
	}
	return list
}

// flows returns the pairs that talk.
func flows(n *model.Network, partitions []*partition) (list []model.Flow) {
	hosts := model.HostID(n.NumHosts())
	for a := range hosts {
		for b := range hosts {
			if a != b && slices.ContainsFunc(partitions, func(p *partition) bool {
				x, y := p.members[a], p.members[b]
				return x != 0 && y != 0 && (x == full || y == full)
			}) {
				list = append(list, model.Flow{Source: a, Dest: b, Amount: 1})
			}
		}
	}
	return list
}
