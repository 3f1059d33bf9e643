// Package registry finds the entries of a table by their names. A table is a function that returns a
// fresh slice of entries, such as topo.Families. Find in the package of the table returns one entry.
package registry

import (
	"fmt"
	"slices"
	"strings"

	"github.com/turnproof/turnproof/internal/spelling"
)

// longest is the number of bytes of a name that an error repeats.
const longest = 40

// Find returns the entry of a name. what says what the entries are. If there is no such entry, the
// error lists the names and suggests the nearest.
func Find[T any](what, name string, list []T, nameOf func(T) string) (T, error) {
	if i := slices.IndexFunc(list, func(x T) bool { return nameOf(x) == name }); i >= 0 {
		return list[i], nil
	}
	names := Names(list, nameOf)
	suggestion := spelling.Suggest(name, names)
	if len(name) > longest {
		name = strings.ToValidUTF8(name[:longest], "") + "..."
	}
	var none T
	return none, fmt.Errorf("no %s %q%s, known are %s", what, name, suggestion, strings.Join(names, ", "))
}

// Names returns the names of the entries.
func Names[T any](list []T, nameOf func(T) string) []string {
	names := make([]string, len(list))
	for i, x := range list {
		names[i] = nameOf(x)
	}
	return names
}
