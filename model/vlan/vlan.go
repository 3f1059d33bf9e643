package vlan

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/turnproof/turnproof/model"
)

// This file holds sets of VLANs and their rules.

// Limits of IEEE 802.1Q: identifiers 0 and 4095 are reserved, priorities have three bits.
const (
	MaxID       = 4094
	MaxPriority = 7
)

// VLAN is a part of a network that frames of one identifier keep to.
type VLAN struct {
	ID       int            // 1 to MaxID
	Priority int            // of its frames, 0 to MaxPriority
	Links    []model.LinkID // whose both ports are tagged members; ascending, without a cycle
	Hosts    []model.HostID // members, ascending
	Untagged []model.HostID // those of them whose ports are untagged, ascending
}

// None is no VLAN, where the place of one in a set is asked for.
const None = -1

// Set is VLANs on a network, and which of them hosts use. All VLANs of one
// priority share the buffers of a channel: switches keep none for a VLAN.
type Set struct {
	net   *model.Network // one VC for each priority in use
	list  []VLAN
	tree  []*tree
	vc    []int    // by VLAN
	use   []uint16 // by source and destination: 1 + the VLAN's place, 0: none
	fixed map[entry]fixed
}

// maxPairs bounds the memory for uses: half a GiB.
const maxPairs = 1 << 28

// New returns a set in which no host uses a VLAN yet. It fails where an
// identifier or a priority is out of range or an identifier comes twice, for
// a link or host that is not there, and for a VLAN whose links have a cycle.
// Cost: O(switches) time and memory a VLAN, two bytes a pair of hosts.
func New(n *model.Network, list []VLAN) (*Set, error) {
	if len(list) > MaxID {
		return nil, fmt.Errorf("vlan: %d VLANs, 802.1Q has %d", len(list), MaxID)
	}
	if n.NumHosts() > 0 && n.NumHosts() > maxPairs/n.NumHosts() {
		return nil, fmt.Errorf("vlan: %d hosts, pairs of more than %d are not kept", n.NumHosts(), maxPairs)
	}
	s := &Set{net: n, list: list, vc: make([]int, len(list)), use: make([]uint16, n.NumHosts()*n.NumHosts()), fixed: map[entry]fixed{}}
	used := map[int]bool{}
	for _, v := range list {
		if err := check(n, &v); err != nil {
			return nil, fmt.Errorf("vlan: VLAN %d: %w", v.ID, err)
		}
		if used[v.ID] {
			return nil, fmt.Errorf("vlan: two VLANs have the identifier %d", v.ID)
		}
		used[v.ID] = true
		t, err := newTree(n, v.Links)
		if err != nil {
			return nil, fmt.Errorf("vlan: VLAN %d has %w", v.ID, err)
		}
		s.tree = append(s.tree, t)
	}
	s.byPriority()
	return s, nil
}

func check(n *model.Network, v *VLAN) error {
	switch {
	case v.ID < 1 || v.ID > MaxID:
		return fmt.Errorf("identifiers are 1 to %d", MaxID)
	case v.Priority < 0 || v.Priority > MaxPriority:
		return fmt.Errorf("priority %d, allowed are 0 to %d", v.Priority, MaxPriority)
	}
	if err := ascending("link", v.Links, model.LinkID(n.NumLinks())); err != nil {
		return err
	}
	if err := ascending("host", v.Hosts, model.HostID(n.NumHosts())); err != nil {
		return err
	}
	for _, h := range v.Untagged {
		if _, ok := slices.BinarySearch(v.Hosts, h); !ok {
			return fmt.Errorf("%s is untagged, but no member", n.HostLabel(h))
		}
	}
	return ascending("untagged host", v.Untagged, model.HostID(n.NumHosts()))
}

func ascending[T cmp.Ordered](what string, list []T, end T) error {
	var zero T
	for i, x := range list {
		if x < zero || x >= end || i > 0 && x <= list[i-1] {
			return fmt.Errorf("%s %v after %v: they ascend and are below %v", what, x, list[:i], end)
		}
	}
	return nil
}

// Network returns the network, with a VC for each priority in use.
func (s *Set) Network() *model.Network { return s.net }

// Len returns the number of VLANs.
func (s *Set) Len() int { return len(s.list) }

// At returns VLAN number k, from 0. It must not be written to.
func (s *Set) At(k int) *VLAN { return &s.list[k] }

// VC returns the virtual channel that the frames of VLAN k take: the place of
// its priority among those in use.
func (s *Set) VC(k int) int { return s.vc[k] }

// Priorities returns the priorities in use, ascending.
func (s *Set) Priorities() (list []int) {
	for _, v := range s.list {
		list = append(list, v.Priority)
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// SetPriorities gives each VLAN its priority, 0 to MaxPriority.
func (s *Set) SetPriorities(of func(k int) int) {
	for k := range s.list {
		s.list[k].Priority = of(k)
	}
	s.byPriority()
}

// byPriority gives VLANs the virtual channels of their priorities.
func (s *Set) byPriority() {
	priorities := s.Priorities()
	for k, v := range s.list {
		s.vc[k], _ = slices.BinarySearch(priorities, v.Priority)
	}
	s.net = s.net.WithVCs(max(1, len(priorities)))
}

// SetUse makes source send to dest in VLAN k, or in none. Both must be members.
func (s *Set) SetUse(source, dest model.HostID, k int) error {
	if k == None {
		s.use[s.pair(source, dest)] = 0
		return nil
	}
	for _, h := range []model.HostID{source, dest} {
		if !s.Member(k, h) {
			return fmt.Errorf("vlan: %s sends to %s in VLAN %d, of which %s is no member", s.net.HostLabel(source), s.net.HostLabel(dest), s.list[k].ID, s.net.HostLabel(h))
		}
	}
	s.use[s.pair(source, dest)] = uint16(k + 1)
	return nil
}

// Use returns the VLAN in which source sends to dest, None if it does not.
func (s *Set) Use(source, dest model.HostID) int { return int(s.use[s.pair(source, dest)]) - 1 }

func (s *Set) pair(source, dest model.HostID) int { return int(source)*s.net.NumHosts() + int(dest) }

// Member reports whether host h is a member of VLAN k.
func (s *Set) Member(k int, h model.HostID) bool {
	_, ok := slices.BinarySearch(s.list[k].Hosts, h)
	return ok
}

// Untagged reports whether the frames of VLAN k carry no tag at the port of h.
func (s *Set) Untagged(k int, h model.HostID) bool {
	_, ok := slices.BinarySearch(s.list[k].Untagged, h)
	return ok
}

// PVID returns the VLAN that frames without a tag from host h enter: the one
// untagged VLAN in which it sends. None: it sends in no such VLAN. A port has
// one, so it fails if there are several.
func (s *Set) PVID(h model.HostID) (int, error) {
	found := None
	for d := range model.HostID(s.net.NumHosts()) {
		k := s.Use(h, d)
		if k == None || k == found || !s.Untagged(k, h) {
			continue
		}
		if found != None {
			return None, fmt.Errorf("vlan: %s sends without a tag in VLANs %d and %d; a port takes untagged frames into one", s.net.HostLabel(h), s.list[found].ID, s.list[k].ID)
		}
		found = k
	}
	return found, nil
}

// Untag makes the ports of all hosts untagged, so that hosts need not know of
// VLANs: the switch adds the tag. It fails if a host sends in several.
//
// Source: T. Otsuka, M. Koibuchi, T. Kudoh and H. Amano, A switch-tagged VLAN
// routing methodology for PC clusters with Ethernet, ICPP, 2006.
func (s *Set) Untag() error {
	for k := range s.list {
		s.list[k].Untagged = s.list[k].Hosts
	}
	for h := range model.HostID(s.net.NumHosts()) {
		if _, err := s.PVID(h); err != nil {
			return err
		}
	}
	return nil
}
