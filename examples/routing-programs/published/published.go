// Package published holds the published algorithms as routing programs, by name and
// family: NAME.FAMILY.star. The command "prove NAME" reads them from here;
// docs/routing-programs.md explains the language.
package published

import (
	"embed"
	"strings"
)

//go:embed *.star
var files embed.FS

// File is one program.
type File struct {
	Name   string // dor, west-first, ...
	Family string // mesh, torus, hypercube
	Path   string // within this folder
	Text   string
}

// All returns the programs, by name and then by family.
func All() (list []File) {
	entries, err := files.ReadDir(".")
	if err != nil {
		panic(err) // they are part of this binary
	}
	for _, e := range entries {
		text, err := files.ReadFile(e.Name())
		if err != nil {
			panic(err)
		}
		name, family, _ := strings.Cut(strings.TrimSuffix(e.Name(), ".star"), ".")
		list = append(list, File{name, family, e.Name(), string(text)})
	}
	return list
}
