package engine

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// This file reads the keys of selection rules, as in "ugal,detours=4,bias=8".

// selectionKeys are the values of the keys.
type selectionKeys struct {
	detours int // intermediate switches that are drawn for each packet
	bias    int // a minimal path is taken if its cost exceeds that of a detour by this at most
}

// selectionKey is a key with its range and the rules that have it.
type selectionKey struct {
	name        string
	least, most int
	at          func(*selectionKeys) *int
	rules       []Selection
}

var selectionKeyTable = []selectionKey{
	{"detours", 1, 64, func(k *selectionKeys) *int { return &k.detours }, []Selection{SelectUGAL, SelectUGALGlobal, SelectPAR}},
	{"bias", 0, 1 << 20, func(k *selectionKeys) *int { return &k.bias }, []Selection{SelectUGAL, SelectUGALGlobal, SelectPAR}},
}

// Check returns an error if x is no selection rule with its keys.
func (x Selection) Check() error {
	_, _, err := x.parse()
	return err
}

// Commits reports whether a packet waits for one port, which is chosen when its head is routed.
func (x Selection) Commits() bool {
	word, _, _ := strings.Cut(string(x), ",")
	return slices.Contains([]Selection{SelectDrawn, SelectValiant, SelectUGAL, SelectUGALGlobal, SelectPAR}, Selection(word))
}

// parse splits x into the rule and its keys.
func (x Selection) parse() (rule Selection, k selectionKeys, err error) {
	k = selectionKeys{detours: 1}
	word, rest, has := strings.Cut(string(x), ",")
	if rule = orFirst(Selection(word), Selections()); !slices.Contains(Selections(), rule) {
		return rule, k, unknown("selection", rule, Selections())
	}
	for seen := map[string]bool{}; has; {
		var item string
		item, rest, has = strings.Cut(rest, ",")
		name, value, _ := strings.Cut(item, "=")
		i := slices.IndexFunc(selectionKeyTable, func(key selectionKey) bool { return key.name == name && slices.Contains(key.rules, rule) })
		if i < 0 || seen[name] {
			return rule, k, fmt.Errorf("engine: selection %s: %q is no key of %s, or is there twice; keys are %s", x, name, rule, keysOf(rule))
		}
		seen[name] = true
		key := &selectionKeyTable[i]
		n, err := strconv.Atoi(value)
		if err != nil || n < key.least || n > key.most {
			return rule, k, fmt.Errorf("engine: selection %s: %s=%q; want a number from %d to %d", x, name, value, key.least, key.most)
		}
		*key.at(&k) = n
	}
	return rule, k, nil
}

// keysOf returns the names of the keys of a rule, for errors.
func keysOf(rule Selection) string {
	var list []string
	for _, key := range selectionKeyTable {
		if slices.Contains(key.rules, rule) {
			list = append(list, key.name)
		}
	}
	if len(list) == 0 {
		return "none"
	}
	return strings.Join(list, ", ")
}
