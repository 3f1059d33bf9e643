// Package networks has routing programs for any network, in files named NAME.star. The command "prove NAME" reads those that have the
// name of a routing or turn method from here; docs/routing-programs-reference.md explains the language.
package networks

import (
	"embed"
	"strings"

	"github.com/turnproof/turnproof/examples/routing-programs/published"
)

//go:embed *.star
var files embed.FS

// All returns all programs, sorted by name. Their family is network.
func All() (list []published.File) {
	entries, err := files.ReadDir(".")
	if err != nil {
		panic(err) // cannot happen, since the files are embedded in the program
	}
	for _, e := range entries {
		text, err := files.ReadFile(e.Name())
		if err != nil {
			panic(err)
		}
		list = append(list, published.File{Name: strings.TrimSuffix(e.Name(), ".star"), Family: "network", Path: e.Name(), Text: string(text)})
	}
	return list
}
