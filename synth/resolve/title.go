package resolve

import (
	"path/filepath"

	"github.com/turnproof/turnproof/model/topo"
)

// Title names a network or a file in a heading: a spec by its text, a file by its name, with its folder if the word has one, since
// the files of many fabrics have the same name.
func Title(word string) string {
	if topo.IsSpec(word) {
		return word
	}
	if word == "-" {
		return "standard input"
	}
	folder, name := filepath.Base(filepath.Dir(word)), filepath.Base(word)
	if folder == "." || folder == ".." || folder == string(filepath.Separator) {
		return name
	}
	return filepath.Join(folder, name)
}
