package option

import (
	"fmt"
	"slices"
	"strings"

	"github.com/turnproof/turnproof/internal/spelling"
)

// This file reads the keys of a rule, which is a text KIND,KEY=VALUE,... that can be printed again.

// Key is a key of the rule T.
type Key[T any] struct {
	Name, About string
	Set         func(rule *T, value string) error
	Text        func(rule *T) string // the value of the rule
}

// NewKey returns a key. set changes a rule to a value, and text returns the value of a rule.
func NewKey[T any](name, about string, set func(rule *T, value string) error, text func(rule *T) string) Key[T] {
	return Key[T]{Name: name, About: about, Set: set, Text: text}
}

// DescribeKeys returns the name and the meaning of each key.
func DescribeKeys[T any](keys []Key[T]) (list [][2]string) {
	for _, k := range keys {
		list = append(list, [2]string{k.Name, k.About})
	}
	return list
}

// Items splits a rule at its commas. A comma belongs to the value of the key open if no KEY= follows it, or if it is in parentheses
// or double quotes.
func Items(text, open string) (items []string) {
	depth, inQuotes, from := 0, false, 0
	for i := 0; i <= len(text); i++ {
		switch {
		case i == len(text) || text[i] == ',' && depth <= 0 && !inQuotes:
			item := text[from:i]
			if last := len(items) - 1; last >= 0 && !strings.Contains(item, "=") && strings.HasPrefix(items[last], open+"=") {
				items[last] += "," + item
			} else {
				items = append(items, item)
			}
			from = i + 1
		case text[i] == '"':
			inQuotes = !inQuotes
		case text[i] == '(' && !inQuotes:
			depth++
		case text[i] == ')' && !inQuotes:
			depth--
		}
	}
	return items
}

// SetKeys sets keys of a rule from the items KEY=VALUE. It returns the names of these keys. Errors begin with about.
func SetKeys[T any](about string, items []string, keys []Key[T], rule *T) (given map[string]bool, err error) {
	var names []string
	for _, k := range keys {
		names = append(names, k.Name)
	}
	given = map[string]bool{}
	for _, item := range items {
		name, value, _ := strings.Cut(item, "=")
		i := slices.Index(names, name)
		switch {
		case i < 0:
			return given, fmt.Errorf("%s: no key %q%s; want one of %s", about, name, spelling.Suggest(name, names), strings.Join(names, ", "))
		case given[name]:
			return given, fmt.Errorf("%s: %s is given twice", about, name)
		}
		given[name] = true
		if err := keys[i].Set(rule, value); err != nil {
			return given, fmt.Errorf("%s: %s is %q: %w", about, name, value, err)
		}
	}
	return given, nil
}
