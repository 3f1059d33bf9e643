package names

import (
	"fmt"
	"strings"

	"github.com/turnproof/turnproof/internal/spelling"
	"github.com/turnproof/turnproof/model"
)

// This file has the errors about words.

// mostListed is the number of names that an error lists.
const mostListed = 4

// unknown returns the error for a word that names nothing. what is switch, host or node.
func (x *Index) unknown(what, word string) error {
	text := fmt.Sprintf("no %s %s in the network", what, shown(word))
	known := x.known(what)
	near := spelling.Suggest(strings.TrimSpace(word), known)
	switch {
	case len(known) == 0:
		return fmt.Errorf("%s, which has none", text)
	case number(word) >= 0 && x.HasPositions():
		most := x.switches.count
		if what == "host" {
			most = x.hosts.count
		}
		return fmt.Errorf("%s; want a name, or a number from 0 to %d", text, most-1)
	case number(word) >= 0 && x.hasLIDs:
		return fmt.Errorf("%s; a number is a LID here, and #%s is a position", text, strings.TrimSpace(word))
	}
	if near != "" {
		return fmt.Errorf("%s%s", text, near)
	}
	more := ""
	if len(known) > mostListed {
		more = fmt.Sprintf(" and %d more", len(known)-mostListed)
		known = known[:mostListed]
	}
	for i := range known {
		known[i] = clip(known[i])
	}
	return fmt.Errorf("%s; the names are %s%s", text, strings.Join(known, ", "), more)
}

// known returns the printed names.
func (x *Index) known(what string) (list []string) {
	if what != "host" {
		for u := range model.SwitchID(x.switches.count) {
			list = append(list, x.net.SwitchLabel(u))
		}
	}
	if what != "switch" {
		for h := range model.HostID(x.hosts.count) {
			list = append(list, x.net.HostLabel(h))
		}
	}
	return list
}

// shown returns a word for errors: in quotes, unless it is a number.
func shown(word string) string {
	if isNumeral(word) {
		return clip(word)
	}
	return fmt.Sprintf("%q", clip(word))
}

// clip shortens a word for errors.
func clip(word string) string {
	const most = 80
	if len(word) > most {
		return strings.ToValidUTF8(word[:most], "") + "..."
	}
	return word
}

func (x *Index) sharedSwitch(word string, at found[model.SwitchID]) error {
	return shared(fmt.Sprintf("%d switches", at.count), word, x.SwitchName(at.id))
}

func (x *Index) sharedHost(word string, at found[model.HostID]) error {
	return shared(fmt.Sprintf("%d hosts", at.count), word, x.HostName(at.id))
}

func (x *Index) sharedNode(word string, u found[model.SwitchID], h found[model.HostID]) error {
	switch {
	case h.count == 0:
		return x.sharedSwitch(word, u)
	case u.count == 0:
		return x.sharedHost(word, h)
	}
	return shared(counted(u.count, "switch", "es")+" and "+counted(h.count, "host", "s"), word, x.SwitchName(u.id))
}

func counted(k int, word, plural string) string {
	if k == 1 {
		return "1 " + word
	}
	return fmt.Sprintf("%d %s%s", k, word, plural)
}

func shared(who, word, example string) error {
	return fmt.Errorf("%s have the name %s; want a unique one such as %s", who, shown(word), example)
}

func (x *Index) hostsAt(u model.SwitchID, word string) ([]model.HostID, error) {
	if len(x.at[u]) == 0 {
		return nil, fmt.Errorf("no host is at %s", strings.TrimSpace(word))
	}
	return x.at[u], nil
}

func (x *Index) severalAt(word string, list []model.HostID) error {
	return fmt.Errorf("switch %s has %d hosts; want one of them, such as %s", strings.TrimSpace(word), len(list), x.HostName(list[0]))
}
