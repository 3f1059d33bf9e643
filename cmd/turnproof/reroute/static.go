package reroute

import (
	"fmt"
	"io"
	"maps"
	"net/netip"
	"slices"

	"github.com/turnproof/turnproof/cmd/turnproof/cli"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/verify/transition"
	"github.com/turnproof/turnproof/verify/transition/relations"
)

// This file writes the steps of Ethernet switches as static routes of FRR (vtysh -f FILE). Static routes go before those of BGP and OSPF. So the first
// folder keeps the old routes, each step replaces some of them by the new ones, and the last folder takes them away.

// Names of the folders beside those of the steps.
const (
	keepFolder    = "frr/00-keep-old"
	releaseFolder = "frr/%02d-release"
)

// statics is static routes by switch and prefix: commands.
type statics map[string]map[netip.Prefix][]string

// staticRouter is a folder of dumps whose routes can be static routes. See package ethernet.
type staticRouter interface {
	SwitchNamed(name string) (model.SwitchID, bool)
	PrefixesOf(d model.DestID) []netip.Prefix
	StaticRoutes(u model.SwitchID, d model.DestID, isGone func(dev string) bool) (map[netip.Prefix][]string, error)
}

// writeStatics writes the order as static routes, if both states are dumps of FRR or Linux. It returns why there are none, or "".
func (r *result) writeStatics(write cli.FileWriter, x namedSteps) (why string, err error) {
	c, ok := x.change.(*relations.Change)
	old, is := r.In[0].Source.(staticRouter)
	now, are := r.In[1].Source.(staticRouter)
	if !ok || !is || !are || len(x.steps) == 0 || len(x.steps) > mostTables {
		return "", nil
	}
	w := &staticRoutes{Change: c, found: [2]staticRouter{old, now}, nets: [2]*model.Network{r.In[0].Net, r.In[1].Net}}
	kept, err := w.all(nil, 0)
	if err != nil {
		return err.Error(), nil
	}
	files := []statics{kept}
	for _, s := range x.steps {
		next, err := w.all(func(d model.DestID, u model.SwitchID) bool {
			own := map[bool]int32{true: int32(u), false: int32(d)}[x.part == transition.Switch]
			return slices.Contains(s.Parts, own)
		}, 1)
		if err != nil {
			return err.Error(), nil
		}
		files = append(files, next)
	}
	return "", writeFolders(write, files)
}

// staticRoutes makes static routes of the entries that change.
type staticRoutes struct {
	*relations.Change
	found [2]staticRouter // by state
	nets  [2]*model.Network
}

// all returns the routes of a state for the entries that change and are chosen, or for all that change. A switch that the state lacks drops. It
// fails if a destination has other prefixes in the other state: routes to a part of a prefix go before those to the whole.
func (w *staticRoutes) all(chosen func(model.DestID, model.SwitchID) bool, state int) (statics, error) {
	out := statics{}
	for d := range model.DestID(w.NumDestinations()) {
		for u := range model.SwitchID(w.nets[1].NumSwitches()) {
			name := w.nets[1].SwitchName(u)
			if _, isSwitch := w.found[1].SwitchNamed(name); !isSwitch || !w.Differs(d, u) || chosen != nil && !chosen(d, u) {
				continue
			}
			list, err := w.routes(state, name, d)
			if err != nil {
				return nil, err
			}
			if out[name] == nil {
				out[name] = map[netip.Prefix][]string{}
			}
			maps.Copy(out[name], list)
		}
	}
	return out, nil
}

// routes returns the static routes of a switch to a destination.
func (w *staticRoutes) routes(state int, name string, d model.DestID) (map[netip.Prefix][]string, error) {
	prefixes := w.found[1].PrefixesOf(d)
	for i, p := range w.found[0].PrefixesOf(d) {
		if len(prefixes) != len(w.found[0].PrefixesOf(d)) || prefixes[i] != p {
			return nil, fmt.Errorf("the routes tell other parts of %s apart before and after", w.nets[1].HostLabel(w.Relation().DestinationHost(d)))
		}
	}
	at, ok := w.found[state].SwitchNamed(name)
	if ok {
		return w.found[state].StaticRoutes(at, d, func(dev string) bool { return w.isGone(name, dev) })
	}
	list := map[netip.Prefix][]string{}
	for _, p := range prefixes {
		list[p] = []string{fmt.Sprintf("ip route %s blackhole", p)}
	}
	return list, nil
}

// isGone reports whether a port of a switch has a cable in the old state only.
func (w *staticRoutes) isGone(name, dev string) bool {
	var has [2]bool
	for i, n := range w.nets {
		if u, ok := w.found[i].SwitchNamed(name); ok {
			has[i] = slices.ContainsFunc(n.Out(u), func(c model.ChannelID) bool { return n.PortName(u, n.TailPort(c)) == dev })
		}
	}
	return has[0] && !has[1]
}

// writeFolders writes a file for each switch with routes in each folder. New next hops come before old ones go.
func writeFolders(write cli.FileWriter, files []statics) error {
	now := statics{}
	for i, f := range files {
		folder := fmt.Sprintf("frr/%02d", i)
		if i == 0 {
			folder = keepFolder
		}
		for _, name := range slices.Sorted(maps.Keys(f)) {
			if now[name] == nil {
				now[name] = map[netip.Prefix][]string{}
			}
			var add, remove []string
			for _, p := range slices.SortedFunc(maps.Keys(f[name]), comparePrefixes) {
				for _, line := range f[name][p] {
					if !slices.Contains(now[name][p], line) {
						add = append(add, line)
					}
				}
				for _, line := range now[name][p] {
					if !slices.Contains(f[name][p], line) {
						remove = append(remove, "no "+line)
					}
				}
				now[name][p] = f[name][p]
			}
			if err := writeLines(write, folder, name, append(add, remove...)); err != nil {
				return err
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(now)) {
		var list []string
		for _, p := range slices.SortedFunc(maps.Keys(now[name]), comparePrefixes) {
			for _, line := range now[name][p] {
				list = append(list, "no "+line)
			}
		}
		if err := writeLines(write, fmt.Sprintf(releaseFolder, len(files)), name, list); err != nil {
			return err
		}
	}
	return nil
}

func comparePrefixes(a, b netip.Prefix) int {
	if k := a.Addr().Compare(b.Addr()); k != 0 {
		return k
	}
	return a.Bits() - b.Bits()
}

// writeLines writes a file of a switch, if it has lines.
func writeLines(write cli.FileWriter, folder, name string, lines []string) error {
	if len(lines) == 0 {
		return nil
	}
	return write(folder+"/"+name+".conf", func(w io.Writer) error {
		for _, line := range lines {
			if _, err := fmt.Fprintln(w, line); err != nil {
				return err
			}
		}
		return nil
	})
}
