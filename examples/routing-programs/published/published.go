// Package published has the published routing algorithms as routing programs, in files named
// NAME.FAMILY.star. The command "prove NAME" reads them from here; docs/routing-programs-reference.md
// explains the language.
package published

import (
	"embed"
	"strings"
)

//go:embed *.star
var files embed.FS

// File is a routing program.
type File struct {
	Name   string // for example dor or west-first
	Family string // family of networks: mesh, torus or hypercube
	Path   string // path within this folder
	Text   string
}

// All returns all programs, sorted by name, then by family.
func All() (list []File) {
	entries, err := files.ReadDir(".")
	if err != nil {
		panic(err) // cannot happen, since the files are embedded in the program
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
