package verify

import (
	"context"

	"github.com/turnproof/turnproof/cdg"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/verify/cert"
)

// This file follows the packets of a forwarding table if all classes have the same
// paths. For one destination each switch has one next channel, so the fate of a
// packet depends on its switch only. A path that meets a switch of known fate has the
// same fate.
//
// Cost: O(entries + switches with hosts × destinations). Memory: some thirty bytes a switch.

type fate uint8

const (
	pending fate = iota // on the path that is followed now
	delivered
	dropped
	wrongHost
	looping
)

var fateEnd = map[fate]string{dropped: cert.EndDropped, wrongHost: cert.EndWrongHost, looping: cert.EndLooping}

type tableFollower struct {
	Routes
	t                   *model.Table
	known               []uint32 // by switch: 1 + the destination of its fate and depth
	fate                []fate   // by switch
	depth               []int32  // by switch: switches on the path from it, itself included
	walk                []model.SwitchID
	toHosts, toSwitches *senders
}

// senders are the endpoints that send to destinations of one kind.
type senders struct {
	end    model.HostID   // they are the endpoints below end
	source []model.HostID // by switch: its first sender
	count  []int64        // by switch: number of senders
	at     []model.SwitchID
}

// newSenders returns the first endpoints of n as senders.
func newSenders(n *model.Network, endpoints int) *senders {
	s := &senders{end: model.HostID(endpoints), source: make([]model.HostID, n.NumSwitches()), count: make([]int64, n.NumSwitches())}
	for h := range model.HostID(endpoints) {
		u := n.Host(h).Switch
		if s.count[u]++; s.count[u] == 1 {
			s.source[u] = h
			s.at = append(s.at, u)
		}
	}
	return s
}

func followTable(ctx context.Context, t *model.Table) (Routes, error) {
	n := t.Network()
	f := &tableFollower{t: t, known: make([]uint32, n.NumSwitches()), fate: make([]fate, n.NumSwitches()),
		depth: make([]int32, n.NumSwitches()), toHosts: newSenders(n, t.Sources())}
	f.toSwitches = f.toHosts
	if t.Management() == model.HostManagement {
		f.toSwitches = newSenders(n, n.NumHosts())
	}
	for d := range model.DestID(t.Destinations()) {
		if err := ctx.Err(); err != nil {
			return Routes{}, err
		}
		f.followDestination(d)
	}
	return f.Routes, nil
}

func (f *tableFollower) followDestination(d model.DestID) {
	n := f.t.Network()
	row, own := f.t.Row(d), f.t.DestinationHost(d)
	from := f.toHosts
	if n.Host(own).Management {
		from = f.toSwitches
	}
	for _, u := range from.at {
		count := from.count[u]
		if own < from.end && n.Host(own).Switch == u {
			if count--; count == 0 {
				continue
			}
		}
		if f.known[u] != uint32(d)+1 {
			f.follow(row, d, own, u)
		}
		fate := f.fate[u]
		f.Pairs += count
		f.Longest = max(f.Longest, int(f.depth[u]))
		if fate == delivered {
			continue
		}
		if f.Lost == nil {
			f.Lost, f.LostEnd = f.tracePacket(d, u, own), fateEnd[fate]
		}
		f.Unreachable += count
		f.Pathless += count
		if fate == looping && f.Loop == nil {
			f.Loop = f.tracePacket(d, u, own)
		}
	}
}

// follow determines the fate of packets at switch u.
func (f *tableFollower) follow(row []model.ChannelID, d model.DestID, own model.HostID, u model.SwitchID) {
	n := f.t.Network()
	heads, links, eject := n.Heads(), model.ChannelID(n.NumLinkChannels()), n.EjectChannel(own)
	stamp := uint32(d) + 1
	f.walk = f.walk[:0]
	end, depth := pending, int32(0)
	for end == pending {
		if f.known[u] == stamp {
			end, depth = f.fate[u], f.depth[u]
			if end == pending {
				end = looping
			}
			break
		}
		f.known[u], f.fate[u] = stamp, pending
		f.walk = append(f.walk, u)
		switch out := row[u]; {
		case out < 0:
			end = dropped
		case out < links:
			u = heads[out]
		case out == eject:
			end = delivered
		default:
			end = wrongHost
		}
	}
	for i := len(f.walk) - 1; i >= 0; i-- {
		depth++
		f.fate[f.walk[i]], f.depth[f.walk[i]] = end, depth
	}
}

// tracePacket returns a packet of the first source at u. Its path ends where the packet
// is lost, or in a state that it visited before.
func (f *tableFollower) tracePacket(d model.DestID, u model.SwitchID, own model.HostID) *cdg.Packet {
	n := f.t.Network()
	h := f.toHosts.source[u]
	for h == own || n.Host(h).Switch != u {
		h++
	}
	p := &cdg.Packet{Source: h, Dest: d}
	s := model.InjectState(f.t, h, d, f.t.Inject(h, d, nil)[0])
	seen := map[model.State]bool{}
	for {
		p.Path = append(p.Path, s)
		c, _ := n.Channel(s.VC)
		if seen[s] || n.Kind(c) == model.Eject {
			return p
		}
		seen[s] = true
		next := f.t.Next(s, nil)
		if len(next) == 0 {
			return p
		}
		s = model.State{VC: next[0].VC, Dest: d, Class: next[0].Class}
	}
}
