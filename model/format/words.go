package format

import (
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/turnproof/turnproof/internal/spelling"
	"github.com/turnproof/turnproof/model"
)

// This file finds switches and hosts by words: unique names as the tool prints them, or numbers
// such as 3 or #3.

// switchWords maps the words for switches of n to the switches.
func switchWords(n *model.Network) map[string]model.SwitchID {
	return byName(n.NumSwitches(), n.SwitchName, n.SwitchLabel)
}

// hostWords maps the words for hosts of n to the hosts.
func hostWords(n *model.Network) map[string]model.HostID {
	return byName(n.NumHosts(), n.HostLabel)
}

func byName[ID ~int32](count int, names ...func(ID) string) map[string]ID {
	known := map[string]ID{}
	for _, name := range names {
		times := map[string]int{}
		for id := range ID(count) {
			times[name(id)]++
		}
		for id := range ID(count) {
			if word := name(id); times[word] == 1 {
				if _, taken := known[word]; !taken {
					known[word] = id
				}
			}
		}
	}
	for id := range ID(count) {
		for _, word := range []string{strconv.Itoa(int(id)), numbered(id)} {
			if _, taken := known[word]; !taken {
				known[word] = id
			}
		}
	}
	return known
}

// numbered returns the word for a switch or host whose name is not unique: # and its number.
func numbered[ID ~int32](id ID) string { return "#" + strconv.Itoa(int(id)) }

// wordOf returns a word for id: its name if the name is unique, or else # and its number.
func wordOf[ID ~int32](known map[string]ID, id ID, name string) string {
	if at, ok := known[name]; ok && at == id {
		return name
	}
	return numbered(id)
}

func unknown[ID any](what, word string, known map[string]ID) error {
	return fmt.Errorf("no %s %q in the network%s", what, word, spelling.Suggest(word, slices.Sorted(maps.Keys(known))))
}
