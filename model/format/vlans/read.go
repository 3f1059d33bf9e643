package vlans

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format"
	"github.com/turnproof/turnproof/model/format/native"
	"github.com/turnproof/turnproof/model/format/textfile"
	"github.com/turnproof/turnproof/model/names"
	"github.com/turnproof/turnproof/model/vlan"
)

// This file reads sets of VLANs, turnproof.vlans/1: the ports of each VLAN, and the VLANs in which
// each host sends.
//
//	{
//	  "schema": "turnproof.vlans/1",
//	  "wiring": "1f0c...",
//	  "vlans": [
//	    {
//	      "id": 2,
//	      "priority": 3,
//	      "tagged": {"s0": [1, 2], "s1": [1]},
//	      "untagged": {"s0": [5]},
//	      "static": {"s0": {"h1": 1, "h3": 2}}
//	    }
//	  ],
//	  "sends": {"h0": 2, "h1": {"h0": 3, "h2": 2}}
//	}
//
// Switches and hosts are named as the tool prints them, or by number; ports are numbers. A link
// belongs to a VLAN if both of its ports do: tagged or, in one VLAN, untagged at both ends. A link
// whose ends are untagged in different VLANs is an error, because a frame would change its VLAN on
// the link. "static" has address entries: for a host, the port to it. A host without an entry is
// reached along the tree, as after learning. "sends" gives the VLAN in which a host sends: one for
// all destinations that are members, or one for each destination. A host that is not in "sends"
// sends in the VLAN of which its port is an untagged member, or in the only VLAN of which it is a
// member. Optional are priority (default 0), wiring (see native.Wiring), untagged, static and
// sends. The schema is docs/schema/vlans.json.

// schema names the format and its version.
const schema = "turnproof.vlans/1"

type (
	setFile struct {
		Schema string          `json:"schema"`
		Wiring string          `json:"wiring"`
		VLANs  *few[vlanFile]  `json:"vlans"`
		Sends  object[choices] `json:"sends"`
	}
	vlanFile struct {
		ID       int                 `json:"id"`
		Priority int                 `json:"priority"`
		Tagged   object[few[int]]    `json:"tagged"`
		Untagged object[few[int]]    `json:"untagged"`
		Static   object[object[int]] `json:"static"`
	}
)

// choices is one VLAN for all destinations, or one for each destination.
type choices struct {
	all  int
	each bool
	of   object[int]
}

// UnmarshalJSONFrom reads a number or an object.
func (v *choices) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	if v.each = dec.PeekKind() == '{'; v.each {
		return json.UnmarshalDecode(dec, &v.of)
	}
	return json.UnmarshalDecode(dec, &v.all)
}

// few is a list that is read only up to mostOfFew elements. A longer list cannot be valid.
type few[T any] []T

// mostOfFew is larger than the number of VLAN identifiers and of ports of a switch.
const mostOfFew = 1 << 17

// UnmarshalJSONFrom reads the list.
func (l *few[T]) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	if k := dec.PeekKind(); k != '[' {
		return json.UnmarshalDecode(dec, new([]T)) // returns an error that names the kind of the value
	}
	if _, err := dec.ReadToken(); err != nil {
		return err
	}
	for dec.PeekKind() != ']' {
		if len(*l) == mostOfFew {
			return fmt.Errorf("a list of more than %d entries", mostOfFew)
		}
		var x T
		if err := json.UnmarshalDecode(dec, &x); err != nil {
			return err
		}
		*l = append(*l, x)
	}
	_, err := dec.ReadToken()
	return err
}

// reader converts the names in a file to the numbers of a set.
type reader struct {
	net      *model.Network
	names    *names.Index
	untagged map[model.ChannelID]int // by channel out of a port of a link: the VLAN whose frames are untagged there
	list     []vlan.VLAN
	notes    []string
	warnings []string // notes that could change the verdict
}

// Read reads a set from r. name is the name of the file in errors.
func Read(name string, r io.Reader, n *model.Network) (*vlan.Set, []string, error) {
	src, err := textfile.New(name, r, nil)
	if err != nil {
		return nil, nil, err
	}
	s, notes, warnings, err := read(src, n)
	return s, append(notes, warnings...), err
}

func read(src *textfile.File, n *model.Network) (s *vlan.Set, notes, warnings []string, err error) {
	var f setFile
	if err := textfile.Decode(src, &f, "set of VLANs"); err != nil {
		return nil, nil, nil, err
	}
	r := &reader{net: n, names: names.New(n), untagged: map[model.ChannelID]int{}}
	if s, err = r.set(&f); err != nil {
		return nil, nil, nil, &textfile.Error{File: src.Name, Msg: err.Error(), Err: err}
	}
	return s, r.notes, r.warnings, nil
}

func (r *reader) set(f *setFile) (*vlan.Set, error) {
	switch {
	case f.Schema != schema:
		return nil, fmt.Errorf("schema %q, %q was expected", f.Schema, schema)
	case f.VLANs == nil || len(*f.VLANs) == 0:
		return nil, errors.New("the list of VLANs is missing, or empty")
	case f.Wiring != "" && f.Wiring != native.Wiring(r.net):
		return nil, errors.New("the VLANs are of a network that is wired in another way: its links have another SHA-256")
	}
	for i := range *f.VLANs {
		v, err := r.vlan(&(*f.VLANs)[i])
		if err != nil {
			return nil, fmt.Errorf("VLAN %d: %w", (*f.VLANs)[i].ID, err)
		}
		r.list = append(r.list, v)
	}
	if err := r.sameAtBothEnds(); err != nil {
		return nil, err
	}
	s, err := vlan.New(r.net, r.list)
	if err != nil {
		return nil, err
	}
	for i, v := range *f.VLANs {
		if err := r.entries(s, i, v.Static); err != nil {
			return nil, fmt.Errorf("VLAN %d: %w", v.ID, err)
		}
	}
	return s, r.sends(s, f.Sends)
}

// vlan returns a VLAN of the file with its ports.
func (r *reader) vlan(f *vlanFile) (vlan.VLAN, error) {
	v := vlan.VLAN{ID: f.ID, Priority: f.Priority}
	member := map[model.ChannelID]bool{} // by channel out of a port of the VLAN: whether the port is untagged
	empty := 0
	for _, ports := range []struct {
		list     object[few[int]]
		untagged bool
	}{{f.Tagged, false}, {f.Untagged, true}} {
		for _, at := range ports.list {
			u, err := r.names.Switch(at.key)
			if err != nil {
				return v, err
			}
			for _, p := range at.value {
				c := r.net.OutAt(u, model.Port(min(max(p, -1), model.MaxPort+1)))
				if _, twice := member[c]; twice && c != model.NoChannel {
					return v, fmt.Errorf("port %d of %s comes twice", p, r.net.SwitchName(u))
				}
				switch {
				case p < 0 || p > model.MaxPort:
					return v, fmt.Errorf("port %d of %s, ports are 0 to %d", p, r.net.SwitchName(u), model.MaxPort)
				case c == model.NoChannel:
					empty++
				case int(r.net.HostOf(c)) < r.net.NumHosts():
					member[c] = ports.untagged
				}
			}
		}
	}
	if empty > 0 {
		r.notes = append(r.notes, fmt.Sprintf("VLAN %d: %d ports without a cable are left out", f.ID, empty))
	}
	return v, r.members(&v, member)
}

// members divides ports into links and hosts.
func (r *reader) members(v *vlan.VLAN, member map[model.ChannelID]bool) error {
	for _, c := range slices.Sorted(maps.Keys(member)) {
		untagged := member[c]
		if h := r.net.HostOf(c); h != model.NoHost {
			if v.Hosts = append(v.Hosts, h); untagged {
				v.Untagged = append(v.Untagged, h)
			}
			continue
		}
		other, both := member[r.net.Reverse(c)]
		cable := r.cable(c)
		if untagged {
			if r.untagged[c] != 0 {
				return fmt.Errorf("%s is untagged in VLAN %d, too: frames without a tag enter one", cable, r.untagged[c])
			}
			r.untagged[c] = v.ID
		}
		switch {
		case c%2 == 1 && both: // the channel of the other direction handles the link
		case !both:
			r.warnings = append(r.warnings, fmt.Sprintf("VLAN %d: %s is left out because only one of its ports is a member; the other "+
				"port is assumed to drop the frames of this VLAN", v.ID, cable))
		case other != untagged:
			return fmt.Errorf("%s is tagged at one end and untagged at the other", cable)
		default:
			v.Links = append(v.Links, model.LinkID(c/2))
			if untagged {
				r.noPriority(v, cable)
			}
		}
	}
	slices.Sort(v.Links)
	slices.Sort(v.Hosts)
	slices.Sort(v.Untagged)
	slices.Sort(r.notes)
	slices.Sort(r.warnings)
	return nil
}

// cable names the link of a channel.
func (r *reader) cable(c model.ChannelID) string {
	l := r.net.Link(model.LinkID(c / 2))
	return fmt.Sprintf("the link from %s port %d to %s port %d", r.net.SwitchName(l.A), l.APort, r.net.SwitchName(l.B), l.BPort)
}

// noPriority adds a warning that frames of a VLAN are untagged on a link. An untagged frame has no
// priority, which matters if the VLAN's priority is not 0.
func (r *reader) noPriority(v *vlan.VLAN, cable string) {
	text := fmt.Sprintf("VLAN %d: %s is untagged, where frames carry no priority; it is taken for tagged, and written so", v.ID, cable)
	if v.Priority == 0 {
		r.notes = append(r.notes, text)
	} else {
		r.warnings = append(r.warnings, text)
	}
}

// sameAtBothEnds fails if the ends of a link are untagged in different VLANs.
func (r *reader) sameAtBothEnds() error {
	for _, c := range slices.Sorted(maps.Keys(r.untagged)) {
		a, b := r.untagged[c], r.untagged[r.net.Reverse(c)]
		if c%2 == 0 && b != 0 && a != b {
			return fmt.Errorf("%s is untagged in VLAN %d at its first end and in VLAN %d at its second, so a frame would change its VLAN "+
				"on it; want the same VLAN, or tags", r.cable(c), a, b)
		}
	}
	return nil
}

// entries adds the static address entries of VLAN k to s.
func (r *reader) entries(s *vlan.Set, k int, static object[object[int]]) error {
	elsewhere, first := 0, ""
	for _, at := range static {
		u, err := r.names.Switch(at.key)
		if err != nil {
			return err
		}
		for _, e := range at.value {
			h, err := r.names.Host(e.key)
			if err != nil {
				return err
			}
			if e.value < 0 || e.value > model.MaxPort {
				return fmt.Errorf("port %d of %s, ports are 0 to %d", e.value, r.net.SwitchName(u), model.MaxPort)
			}
			if s.SetEntry(k, u, h, model.Port(e.value)) {
				if elsewhere++; elsewhere == 1 {
					first = fmt.Sprintf("%s at %s by port %d", e.key, at.key, e.value)
				}
			}
		}
	}
	if elsewhere > 0 {
		r.notes = append(r.notes, fmt.Sprintf("VLAN %d: %d static entries do not lead to their host, the first for %s: frames are lost there",
			s.At(k).ID, elsewhere, first))
	}
	return nil
}

func init() {
	format.RegisterRouting(format.RoutingFormat{Rank: 30, Is: func(head []byte) bool { return textfile.HasSchema(head, schema) },
		Read: func(src *textfile.File, n *model.Network, _ format.Options) (r format.Routing, notes []string, err error) {
			r.VLANs, notes, r.Warnings, err = read(src, n)
			return r, notes, err
		}})
}
