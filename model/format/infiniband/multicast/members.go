package multicast

import (
	"fmt"
	"slices"

	"github.com/turnproof/turnproof/internal/plain"
	"github.com/turnproof/turnproof/internal/wording"
	"github.com/turnproof/turnproof/model"
)

// This file says whether multicast reaches the members of each group, once each. The members are the hosts to whose ports entries
// lead. A member sends a packet to its switch, and each switch copies it to all ports of its entry except the one on which it came.

// mostUnreached is the number of groups that warnings name.
const mostUnreached = 3

// Unreached returns a warning for each group whose packets do not reach all members, or reach a host twice. Only cables count, not virtual
// lanes that drop packets. Cost: one walk for each member of a group.
func Unreached(n *model.Network, m *model.Multicast) (warnings []string) {
	total := 0
	for i := range m.Groups {
		text := unreached(n, &m.Groups[i])
		if text == "" {
			continue
		}
		if total++; total <= mostUnreached {
			warnings = append(warnings, text)
		}
	}
	if total > mostUnreached {
		warnings = append(warnings, fmt.Sprintf("%s more have members that multicast does not reach once",
			wording.Count(total-mostUnreached, "multicast group", "s")))
	}
	return warnings
}

// unreached returns the warning about a group, or "".
func unreached(n *model.Network, g *model.MulticastGroup) string {
	members := membersOf(n, g)
	missed, twice, first := 0, 0, ""
	for _, from := range members {
		copies := copiesOf(n, g, from)
		for _, to := range members {
			word := ""
			switch k := copies[to]; {
			case to == from:
				continue
			case k == 0:
				missed++
				word = "do not reach"
			case k > 1:
				twice++
				word = "come twice to"
			}
			if first == "" && word != "" {
				first = fmt.Sprintf("packets of %s %s %s", plain.Text(n.HostLabel(from)), word, plain.Text(n.HostLabel(to)))
			}
		}
	}
	if first == "" {
		return ""
	}
	pairs := len(members) * (len(members) - 1)
	return fmt.Sprintf("multicast group 0x%x: %s; of %s of members %d are not connected, %d get copies twice", g.MLID, first,
		wording.Count(pairs, "pair", "s"), missed, twice)
}

// membersOf returns the hosts to whose ports the entries of a group lead, ascending.
func membersOf(n *model.Network, g *model.MulticastGroup) (list []model.HostID) {
	for _, e := range g.Entries {
		for _, p := range e.Ports {
			if c := n.OutAt(e.Switch, p); c != model.NoChannel && n.Kind(c) == model.Eject && int(n.HostOf(c)) < n.NumHosts() {
				list = append(list, n.HostOf(c))
			}
		}
	}
	slices.Sort(list)
	return list
}

// copiesOf counts the copies of a packet that each host gets: 0, 1 or 2, where 2 stands for more. A copy that passes a channel again, in a
// loop or by another way, is not followed a third time.
func copiesOf(n *model.Network, g *model.MulticastGroup, from model.HostID) map[model.HostID]int {
	copies, passed := map[model.HostID]int{}, map[model.ChannelID]int{}
	queue := []model.ChannelID{n.InjectChannel(from)}
	for i := 0; i < len(queue); i++ {
		in := queue[i]
		for _, p := range g.Entry(n.Head(in)) {
			out := n.OutAt(n.Head(in), p)
			if out == model.NoChannel || out == n.Reverse(in) || passed[out] == 2 {
				continue
			}
			if passed[out]++; n.Kind(out) == model.SwitchToSwitch {
				queue = append(queue, out)
			} else {
				copies[n.HostOf(out)] = passed[out]
			}
		}
	}
	return copies
}
