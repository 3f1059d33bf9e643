package partitions

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format"
	"github.com/turnproof/turnproof/model/format/infiniband"
	"github.com/turnproof/turnproof/model/format/lists"
	"github.com/turnproof/turnproof/model/format/textfile"
)

// This file reads partitions.conf (OpenSM 3.3, doc/partition-config.txt):
//
//	Default = 0x7fff, ipoib : ALL, 0x100001 = full ;
//	Storage = 0x80, defmember = full :
//		0x100002, 0x100003 = limited ;
//
// Two ports talk if they are members of one partition and one of them is a full member. A rule ends with a semicolon; # begins a comment.
// Rules with the same P_Key, of which 15 bits count, make one partition. The port of OpenSM (SELF) is a full member of the partition 0x7fff,
// also without a rule. No dump says which port that is, so the file must name it: rules with SELF, and files without a full member of 0x7fff,
// are errors. So are service levels of a partition (sl), which change those of the paths, and multicast groups (mgid).

func init() {
	lists.RegisterFlows(lists.FlowFormat{Name: "partitions.conf of OpenSM", Is: is, Read: Read})
}

var ruleHead = regexp.MustCompile(`(?m)^[ \t]*[A-Za-z0-9_.-]*[ \t]*=[ \t]*(0x)?[0-9A-Fa-f]+[ \t]*(,[^:\n#]*)?:`)

// is recognises the file by its first kilobytes.
func is(head []byte) bool { return ruleHead.Match(head) && bytes.ContainsRune(head, ';') }

// Kinds of membership, as bits.
const (
	limited = 1 << iota
	full
)

const defaultKey = 0x7fff

var memberships = map[string]int{"limited": limited, "full": full, "both": limited | full}

// partition is a partition with its members.
type partition struct {
	key     string // P_Key in hex, or the name
	members map[model.HostID]int
}

// token is a word of a rule, without blanks.
type token struct {
	text string
	line int
	end  byte // the character behind it: , : ;
}

// reader is the state of the reader.
type reader struct {
	src    *textfile.File
	ix     *infiniband.Index
	list   []*partition
	at     *partition // of the current rule, or nil between rules
	usual  int        // membership of members that state none
	isBody bool       // behind the colon of the rule
}

// Read reads the pairs of hosts of n that may talk, in the order of the hosts.
//
// It warns of the hosts of which one must have the port of OpenSM, unless all hosts are full members of the partition 0x7fff.
func Read(src *textfile.File, n *model.Network, o format.Options) ([]model.Flow, error) {
	r := &reader{src: src, ix: infiniband.NewIndex(n)}
	var open strings.Builder
	began := 0
	err := src.Each(func(line []byte) error {
		line, _, _ = bytes.Cut(line, []byte("#"))
		for _, c := range line {
			switch {
			case c == ',' || c == ':' || c == ';':
				t := token{strings.Join(strings.Fields(open.String()), " "), began, c}
				if open.Reset(); t.line == 0 {
					t.line = src.Line
				}
				began = 0
				if err := r.take(t); err != nil {
					return err
				}
			default:
				if open.WriteByte(c); began == 0 && c != ' ' && c != '\t' {
					began = src.Line
				}
			}
		}
		open.WriteByte(' ')
		return nil
	})
	switch {
	case err != nil:
		return nil, err
	case r.at != nil || strings.TrimSpace(open.String()) != "":
		return nil, src.FileError("the last rule has no semicolon: is the file truncated?")
	case len(r.list) == 0:
		return nil, src.FileError("no rule in it")
	}
	i := slices.IndexFunc(r.list, func(p *partition) bool { return p.key == key(defaultKey) })
	if i < 0 || len(r.list[i].fullMembers(n)) == 0 {
		return nil, src.FileError("no full member of the partition 0x7fff: OpenSM makes its own port one; name the GUID of that port, " +
			"as in \"Default=0x7fff : ALL, 0x0000000000100001=full ;\"")
	}
	if names := r.list[i].fullMembers(n); len(names) < n.NumHosts() {
		o.Found().Warnings = append(o.Found().Warnings, fmt.Sprintf("%s: holds if OpenSM runs at %s; its port is a full member of the partition 0x7fff",
			textfile.Base(src.Name), strings.Join(names, " or ")))
	}
	list := r.flows()
	if list == nil {
		return nil, src.FileError("no two hosts are members of one partition with a full member among them")
	}
	return list, nil
}

// fullMembers names the hosts that are full members.
func (p *partition) fullMembers(n *model.Network) (list []string) {
	for h := range model.HostID(n.NumHosts()) {
		if p.members[h]&full != 0 {
			list = append(list, n.HostLabel(h))
		}
	}
	return list
}

func key(k uint64) string { return "0x" + strconv.FormatUint(k&defaultKey, 16) }

// take reads a word of a rule.
func (r *reader) take(t token) (err error) {
	switch {
	case r.isBody && t.end == ':':
		r.src.Line = t.line
		return r.src.Errorf("a second colon in a rule: want members, then a semicolon")
	case r.isBody:
		if t.text != "" || t.end == ',' {
			err = r.member(t)
		}
	case r.at == nil:
		err = r.begin(t)
	default:
		err = r.flag(t)
	}
	if t.end == ':' {
		r.isBody = true
	}
	if t.end == ';' && err == nil {
		if !r.isBody {
			r.src.Line = t.line
			return r.src.Errorf("a rule without a colon: want NAME=P_KEY : MEMBERS ;")
		}
		r.at, r.isBody = nil, false
	}
	return err
}

// begin reads the name and the P_Key of a rule.
func (r *reader) begin(t token) error {
	name, number, hasKey := strings.Cut(t.text, "=")
	id := strings.TrimSpace(name)
	if hasKey {
		k, err := strconv.ParseUint(strings.TrimSpace(number), 0, 16)
		if err != nil || k&defaultKey == 0 {
			return r.errorf(t, "%q is no P_Key; want 1 to 0xffff", textfile.Clip(number))
		}
		id = key(k)
	} else if id == "" {
		return r.errorf(t, "a rule without a name and P_Key")
	}
	r.usual = limited
	i := slices.IndexFunc(r.list, func(p *partition) bool { return p.key == id })
	if i < 0 {
		i = len(r.list)
		r.list = append(r.list, &partition{id, map[model.HostID]int{}})
	}
	r.at = r.list[i]
	return nil
}

// flag reads a property of a rule.
func (r *reader) flag(t token) error {
	name, value, _ := strings.Cut(t.text, "=")
	name, value = strings.TrimSpace(name), strings.TrimSpace(value)
	switch name {
	case "defmember":
		if r.usual = memberships[value]; r.usual == 0 {
			return r.errorf(t, "defmember=%s: want full, limited or both", textfile.Clip(value))
		}
	case "sl":
		if value != "0" {
			return r.errorf(t, "sl=%s: the paths of this partition have another service level, which is not read", textfile.Clip(value))
		}
	case "mgid":
		return r.errorf(t, "multicast groups of partitions are not read")
	case "ipoib", "indx0", "rate", "mtu", "scope", "Q_Key", "TClass", "FlowLabel":
	default:
		return r.errorf(t, "unknown flag %q", textfile.Clip(name))
	}
	return nil
}

// member reads a member.
func (r *reader) member(t token) error {
	name, value, isStated := strings.Cut(t.text, "=")
	name, value = strings.TrimSpace(name), strings.TrimSpace(value)
	m := r.usual
	if isStated {
		if m = memberships[value]; m == 0 {
			if name == "mgid" {
				return r.errorf(t, "multicast groups of partitions are not read")
			}
			return r.errorf(t, "%s=%s: want full, limited or both", textfile.Clip(name), textfile.Clip(value))
		}
	}
	switch name {
	case "ALL", "ALL_CAS":
		for h := range model.HostID(r.ix.Net.NumHosts()) {
			r.at.members[h] |= m
		}
		return nil
	case "ALL_SWITCHES", "ALL_ROUTERS": // no hosts
		return nil
	case "SELF":
		return r.errorf(t, "SELF is the port of OpenSM, which no dump names: write its GUID")
	}
	guid, err := strconv.ParseUint(strings.TrimPrefix(name, "0x"), 16, 64)
	if err != nil || !strings.HasPrefix(name, "0x") {
		return r.errorf(t, "%q is no member; want ALL, ALL_CAS, ALL_SWITCHES, ALL_ROUTERS or the GUID of a port", textfile.Clip(name))
	}
	if h, ok := r.ix.Ports[guid]; ok {
		r.at.members[h] |= m
		return nil
	}
	if _, ok := r.ix.Switches[guid]; ok {
		return nil
	}
	if hosts := r.ix.Nodes[guid]; hosts != nil {
		return r.errorf(t, "%s is the GUID of an adapter; want that of its port, 0x%016x", name, infiniband.PortGUIDOf(r.ix.Net, hosts[0]))
	}
	return r.errorf(t, "no port of the network has the GUID %s", name)
}

// errorf returns an error at the line of a token.
func (r *reader) errorf(t token, format string, a ...any) error {
	r.src.Line = t.line
	return r.src.Errorf(format, a...)
}

// flows returns the pairs that talk.
func (r *reader) flows() (list []model.Flow) {
	hosts := model.HostID(r.ix.Net.NumHosts())
	for a := range hosts {
		for b := range hosts {
			if a != b && slices.ContainsFunc(r.list, func(p *partition) bool {
				x, y := p.members[a], p.members[b]
				return x != 0 && y != 0 && (x|y)&full != 0
			}) {
				list = append(list, model.Flow{Source: a, Dest: b, Amount: 1})
			}
		}
	}
	return list
}
