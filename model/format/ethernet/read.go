package ethernet

import (
	"fmt"
	"net/netip"
	"path/filepath"
	"slices"
	"strings"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format"
	"github.com/turnproof/turnproof/model/format/ethernet/dumps"
	"github.com/turnproof/turnproof/model/format/textfile"
)

// This file reads a folder: the switches, their cables, their routes, and what is in doubt.

// stated returns what every folder of Ethernet switches states.
func stated() *format.Routed {
	return &format.Routed{Routing: "the routes of the switches", Kind: format.Ethernet,
		Switching: model.StoreAndForward, SwitchingFrom: "Ethernet", Waiting: model.WaitOne}
}

// read reads a folder with the dumps of switches.
func read(dir string, o format.Options) (*format.Routed, error) {
	list, others, err := readSwitches(dir, o)
	if err != nil {
		return nil, err
	}
	out := stated()
	if len(others) > 0 {
		out.Warnings = append(out.Warnings, "not read: "+textfile.Capped(relative(dir, others), len(others)))
	}
	c, err := newCabling(list)
	if err == nil {
		err = c.find()
	}
	if err != nil {
		return nil, err
	}
	r := &router{cabling: c, said: map[string]bool{}}
	fibs, err := r.fibs(out)
	if err != nil {
		return nil, err
	}
	all := prefixesOf(fibs)
	hosts, atoms, homeless := hostPrefixes(fibs, all)
	if len(hosts) < 2 {
		return nil, &textfile.Error{File: dir, Msg: fmt.Sprintf("%s with hosts: no switch is connected to a prefix by an interface without a cable to another "+
			"switch; want two or more, so that there is traffic to judge%s", countPrefixes(len(hosts)), r.inVRFs())}
	}
	b := &builder{cabling: c, fibs: fibs, hosts: hosts, atoms: atoms, classes: divide(fibs, hosts, atoms)}
	rel, err := b.build()
	if err != nil {
		return nil, &textfile.Error{File: dir, Msg: strings.TrimPrefix(err.Error(), "model: ")}
	}
	out.Network, out.Relation = rel.net, rel
	whole, rel, err := b.prioritize(rel, out)
	if err != nil {
		return nil, err
	}
	found := b.found(rel)
	found.plain, found.classed, found.switches = rel, whole, b.switches
	found.fabric = &Fabric{b, rel, whole != nil}
	out.Source = found
	r.premises(out, hosts)
	if whole != nil {
		out.Relation.(*classed).stateAll(out)
	}
	r.doubts(out, homeless, b)
	for i := range out.Doubts {
		out.Doubts[i].Reason = strings.ReplaceAll(out.Doubts[i].Reason, filepath.Clean(dir)+string(filepath.Separator), "")
	}
	return out, nil
}

// prioritize sets the relation with DSCPs if the dumps have QoS maps. It returns this relation before settle, and the one without DSCPs.
func (b *builder) prioritize(r *relation, out *format.Routed) (*classed, *relation, error) {
	hasQoS, err := b.hasQoS()
	if err != nil || !hasQoS {
		return nil, r, err
	}
	plain := *r
	whole, err := b.newClassed(r)
	if err != nil {
		return nil, nil, err
	}
	c := whole.settle()
	out.Network, out.Relation = c.net, c
	if whole.drops || len(whole.doubts) > 0 {
		out.Waiting = model.WaitMixed // see dropping.go
	}
	return whole, &plain, nil
}

// inVRFs names the VRFs whose routes are left out, which may have the hosts.
func (r *router) inVRFs() string {
	vrfs := map[string]bool{}
	for _, sw := range r.switches {
		for _, t := range sw.Tables {
			for v := range t.OtherVRF {
				vrfs[v] = true
			}
		}
	}
	if len(vrfs) == 0 {
		return ""
	}
	return "; routes of " + textfile.Capped(sortedKeys(vrfs), len(vrfs)) + " (VRF or table) are not judged"
}

func countPrefixes(n int) string {
	if n == 1 {
		return "1 prefix"
	}
	return fmt.Sprintf("%d prefixes", n)
}

// relative returns paths relative to a folder.
func relative(dir string, paths []string) []string {
	list := make([]string, len(paths))
	for i, p := range paths {
		list[i] = p
		if rel, err := filepath.Rel(dir, p); err == nil {
			list[i] = rel
		}
	}
	return list
}

// fibs returns the routes of all switches: those of the first dump with routes. If a switch has another dump of routes, both are compared.
func (r *router) fibs(out *format.Routed) ([]fib, error) {
	list := make([]fib, len(r.switches))
	ipv6, vrfs := 0, map[string]bool{}
	for i, sw := range r.switches {
		var tables []*dumps.Table
		for _, t := range sw.Tables {
			ipv6 += t.IPv6
			for v := range t.OtherVRF {
				vrfs[v] = true
			}
			if len(t.Entries) > 0 {
				tables = append(tables, t)
			}
		}
		switch {
		case len(tables) > 0:
		case len(sw.Tables) > 0:
			return nil, &textfile.Error{File: sw.Tables[0].File, Msg: "no IPv4 route in the default VRF; want those of " + sw.Name}
		case len(sw.Empty) == 0:
			return nil, &textfile.Error{File: filepath.Dir(sw.Files[0]), Msg: fmt.Sprintf("no routes of %s in %s; want the output of "+
				"show ip route json, or of ip -j route", sw.Name, baseNames(sw.Files))}
		}
		if tables == nil {
			if why := r.hasLinks(i); why != "" {
				return nil, &textfile.Error{File: sw.Empty[0], Msg: "no routes of " + sw.Name + ", although " + why}
			}
			continue
		}
		r.emptyDumps(out, sw, tables[0])
		slices.SortStableFunc(tables, func(a, b *dumps.Table) int { return -strings.Compare(a.Source, b.Source) }) // zebra, then kernel
		places, err := r.sets(i, tables[0])
		if err != nil {
			return nil, err
		}
		list[i] = newFIB(tables[0], places)
		list[i].own = sw.OwnAddresses()
		for _, t := range tables[1:] {
			if err := r.compareTables(out, sw, tables[0], t); err != nil {
				return nil, err
			}
		}
	}
	if ipv6 > 0 {
		out.Warnings = append(out.Warnings, textfile.Counted(ipv6, "IPv6 route")+" left out: the verdict is about IPv4 frames")
	}
	r.ipv6Doubt(out)
	if len(vrfs) > 0 {
		r.vrfDoubt(out, sortedKeys(vrfs))
	}
	return list, nil
}

// ipv6Doubt adds a doubt about IPv6 routes that forward frames of hosts: these frames share ports and priorities with those of IPv4.
func (r *router) ipv6Doubt(out *format.Routed) {
	for _, sw := range r.switches {
		for _, t := range sw.Tables {
			if t.IPv6Routed > 0 {
				out.Doubts = append(out.Doubts, model.Doubt{Premise: premiseOutside, Claims: []string{model.ClaimDeadlockFree}, Against: model.AgainstProof,
					Reason: fmt.Sprintf("%s: %s with next hops, such as %s, are left out, and their frames share ports with those of IPv4", t.File,
						textfile.Counted(t.IPv6Routed, "IPv6 route"), t.IPv6Example),
					Next: "accept by --assume outside that no lossless frames are IPv6"})
				return
			}
		}
	}
}

// firstWith names the first file with routes of a VRF.
func (r *router) firstWith(vrf string) string {
	for _, sw := range r.switches {
		for _, t := range sw.Tables {
			if t.OtherVRF[vrf] > 0 {
				return t.File
			}
		}
	}
	return ""
}

// vrfDoubt adds a doubt about routes in other VRFs than the default one. A VRF for management is none.
func (r *router) vrfDoubt(out *format.Routed, names []string) {
	names = slices.DeleteFunc(names, isForManagement)
	if len(names) > 0 {
		out.Doubts = append(out.Doubts, bothClaims(premiseOutside, model.AgainstProof,
			r.firstWith(names[0])+": routes of "+textfile.Capped(names, len(names))+
				" (VRF or table) are left out, and their frames share ports with those of the default VRF", "")...)
	}
}

// compareTables compares two dumps of the routes of a switch. It fails if they differ in what the switch is connected to.
func (r *router) compareTables(out *format.Routed, sw *dumps.Switch, a, b *dumps.Table) error {
	differ, example := 0, ""
	first, second := withoutOwn(a), withoutOwn(b)
	note := func(k dumps.Key, isConnected bool) error {
		if differ++; example == "" {
			example = k.Prefix().String()
		}
		if isConnected {
			return &textfile.Error{File: b.File, Msg: fmt.Sprintf("%s is connected by one of this file and %s, and not by the other; "+
				"is one the dump of another switch?",
				k.Prefix(), a.File)}
		}
		return nil
	}
	i, j := 0, 0
	for i < len(first) || j < len(second) {
		order := 0
		switch {
		case i == len(first):
			order = 1
		case j == len(second):
			order = -1
		default:
			order = first[i].Key.Compare(second[j].Key)
		}
		var err error
		switch {
		case order < 0:
			err = note(first[i].Key, isConnectedSet(a, first[i]))
		case order > 0:
			err = note(second[j].Key, isConnectedSet(b, second[j]))
		case !sameHops(a.Sets[first[i].Set], b.Sets[second[j].Set]):
			err = note(first[i].Key, isConnectedSet(a, first[i]) != isConnectedSet(b, second[j]))
		}
		if err != nil {
			return err
		}
		if order <= 0 {
			i++
		}
		if order >= 0 {
			j++
		}
	}
	if differ > 0 {
		out.Doubts = append(out.Doubts, bothClaims(premiseDumps, "", fmt.Sprintf("%s and %s differ in %s of %s, such as %s", a.File, b.File,
			textfile.Counted(differ, "route"), sw.Name, example), "dump again when the routes do not change")...)
	}
	return nil
}

// withoutOwn returns the routes without those of the addresses of the switch itself, which the kernel has in another table.
func withoutOwn(t *dumps.Table) []dumps.Entry {
	return slices.DeleteFunc(slices.Clone(t.Entries), func(e dumps.Entry) bool {
		return isConnectedSet(t, e) && (e.Key.Bits == 32 || isLoopback(t.Sets[e.Set][0].Dev))
	})
}

// isConnectedSet reports whether the destination of a route is at an interface.
func isConnectedSet(t *dumps.Table, e dumps.Entry) bool {
	return !slices.ContainsFunc(t.Sets[e.Set], func(h dumps.NextHop) bool { return !isConnected(h) })
}

// sameHops reports whether two sets lead to the same places, in tunnels or not. One may drop where the other has no next hop.
func sameHops(a, b []dumps.NextHop) bool {
	return slices.EqualFunc(a, b, func(x, y dumps.NextHop) bool {
		return x.Dev == y.Dev && x.Drop == y.Drop && (x.Problem == "") == (y.Problem == "") &&
			(x.Via == y.Via || x.Via.IsLinkLocalUnicast() && y.Via.IsLinkLocalUnicast())
	})
}

// premises adds what the verdict rests on.
func (r *router) premises(out *format.Routed, hosts []hostPrefix) {
	several := 0
	for _, h := range hosts {
		if len(h.homes) > 1 {
			several++
		}
	}
	value := fmt.Sprintf("%d connected prefixes", len(hosts))
	if several > 0 {
		value += fmt.Sprintf(", %d of them at several switches", several)
	}
	out.Premises = append(out.Premises,
		model.Premise{Name: model.PremiseHosts, Value: value, Source: "routes"},
		model.Premise{Name: premiseDumps, Value: "of one moment", Source: model.Assumed},
		model.Premise{Name: premisePFC, Value: "one, with PFC on at every port", Source: model.Assumed})
}

// acceptOutside is what to do about a port to a switch without dumps.
const acceptOutside = "add the dumps of the other switches, or accept by --assume outside that frames end there"

// doubts adds the evidence against assumptions.
func (r *router) doubts(out *format.Routed, homeless []dumps.Key, b *builder) {
	out.Doubts = append(out.Doubts, b.redirects()...)
	add := func(premise string, against model.Against, list []string, next string) {
		if len(list) > 0 {
			out.Doubts = append(out.Doubts, bothClaims(premise, against, cappedSentence(list), next)...)
		}
	}
	out.Doubts = append(out.Doubts, b.tunnelsWithoutMaps()...)
	for _, p := range sortedEnds(r.beyond) {
		if !managementName.MatchString(p.port) {
			r.say(&r.outside, "%s is cabled to %s, which has no dumps in the folder", r.text(p), r.beyond[p])
		}
	}
	add(premiseOutside, model.AgainstProof, r.outside, acceptOutside)
	if len(r.ends) > 0 {
		out.Doubts = append(out.Doubts, model.Doubt{Premise: premiseOutside, Against: model.AgainstProof, Reason: cappedSentence(r.ends), Next: acceptOutside,
			Claims: []string{model.ClaimDeadlockFree, model.ClaimConnected, model.ClaimLivelockFree}})
	}
	add(premiseOutside, model.AgainstProof, append(r.managed(b), r.managedRoutes(b)...),
		"rename the interface in the dumps if it has hosts, or accept by --assume outside that it has none")
	add(premiseOutside, model.AgainstProof, r.shared, "")
	add(premiseDumps, "", r.unknown, "")
	add(premiseOutside, "", r.comeBack(b), acceptOutside)
	add(premiseDumps, "", r.moved(b), "dump again when the routes do not change")
	add(premiseOutside, model.AgainstProof, b.insiders(), "accept by --assume outside that they send none")
	var lost []string
	own, areAllKnown := r.ownAddresses()
	loopbacks := 0
	for _, k := range homeless {
		if k.Bits == 32 && (own[k.Prefix().Addr()] || !areAllKnown) {
			if !own[k.Prefix().Addr()] {
				loopbacks++
			}
			continue
		}
		lost = append(lost, fmt.Sprintf("%s is routed (%s), and no switch is connected to it", k.Prefix(), b.fileOf(k)))
	}
	add(premiseDumps, "", lost, "dump again when the routes do not change, with all switches")
	if loopbacks > 0 {
		out.Warnings = append(out.Warnings, textfile.Counted(loopbacks, "route")+" to single addresses that no dump has: taken for addresses of switches; "+
			"ip -j addr of each switch shows them")
	}
}

// ownAddresses returns the addresses of switches, and whether the dumps show those of all switches.
func (r *router) ownAddresses() (own map[netip.Addr]bool, areAllKnown bool) {
	own, areAllKnown = map[netip.Addr]bool{}, true
	for _, sw := range r.switches {
		for _, x := range sw.Interfaces {
			for _, p := range x.Addresses {
				own[p.Addr()] = true
			}
		}
		if sw.QoS != nil {
			own[sw.QoS.Peer] = true
			for _, a := range sw.QoS.Loopbacks {
				own[a] = true
			}
		}
		areAllKnown = areAllKnown && (sw.Interfaces != nil || slices.ContainsFunc(sw.Tables, func(t *dumps.Table) bool { return t.Source == "zebra" }))
	}
	return own, areAllKnown
}

// moved lists the switches that are cabled to several homes of a host prefix, and route to some of them only.
func (r *router) moved(b *builder) (list []string) {
	for _, h := range b.hosts {
		if len(h.homes) < 2 {
			continue
		}
		for u := range b.fibs {
			t := b.fibs[u].table
			if t == nil || slices.Contains(h.homes, u) {
				continue
			}
			i, ok := slices.BinarySearchFunc(t.Entries, h.key, compareEntry)
			if !ok {
				continue
			}
			taken := map[int]bool{}
			for _, p := range b.fibs[u].hops[t.Entries[i].Set].ports {
				taken[r.peer[p].sw] = true
			}
			near, some := 0, 0
			for _, v := range h.homes {
				if r.areCabled(u, v) {
					near++
					if taken[v] {
						some++
					}
				}
			}
			if near > some && near > 1 {
				list = append(list, fmt.Sprintf("%s is connected at %s, and %s routes it to %d of these only (%s)", h.key.Prefix(), r.names(h.homes),
					r.switches[u].Name, some, t.File))
			}
		}
	}
	return list
}

// areCabled reports whether two switches have a cable between them.
func (r *router) areCabled(u, v int) bool {
	for e, there := range r.peer {
		if e.sw == u && there.sw == v {
			return true
		}
	}
	return false
}

func (r *router) names(list []int) string {
	var names []string
	for _, u := range list {
		names = append(names, r.switches[u].Name)
	}
	return textfile.Capped(names, len(names))
}

// fileOf returns a file with a route for a prefix.
func (b *builder) fileOf(k dumps.Key) string {
	for _, f := range b.fibs {
		if f.table != nil {
			if _, ok := slices.BinarySearchFunc(f.table.Entries, k, compareEntry); ok {
				return f.table.File
			}
		}
	}
	return ""
}

// redirects returns doubts if a rule sends frames by other ports than the routes say.
func (b *builder) redirects() []model.Doubt {
	for _, sw := range b.switches {
		if sw.QoS != nil && sw.QoS.Redirect != "" {
			list := bothClaims(premiseDumps, "", fmt.Sprintf("%s: %s, which is not followed", sw.QoS.File, sw.QoS.Redirect), "remove the rule")
			list[0].Firm, list[1].Firm = true, true
			return list
		}
	}
	return nil
}

// bothClaims returns a doubt about all claims. A proof that packets arrive is in doubt where a refutation of it is, too: what is not known
// may lead packets there.
func bothClaims(premise string, against model.Against, reason, next string) []model.Doubt {
	return []model.Doubt{
		{Premise: premise, Claims: []string{model.ClaimDeadlockFree, model.ClaimLivelockFree}, Against: against, Reason: reason, Next: next},
		{Premise: premise, Claims: []string{model.ClaimConnected}, Reason: reason, Next: next},
	}
}

// cappedSentence joins the first reasons.
func cappedSentence(list []string) string {
	const most = 3
	text := strings.Join(list[:min(most, len(list))], "; ")
	if more := len(list) - most; more > 0 {
		text += fmt.Sprintf("; and %d more", more)
	}
	return text
}

func baseNames(paths []string) string {
	list := make([]string, len(paths))
	for i, p := range paths {
		list[i] = filepath.Base(p)
	}
	return textfile.Capped(list, len(list))
}
