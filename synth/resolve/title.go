package resolve

import (
	"path/filepath"

	"github.com/turnproof/turnproof/model/topo"
)

// Title names a network or a file in a heading: a spec by its text, a file with its folder, since
// the files of many fabrics have the same name.
func Title(word string) string {
	if topo.IsSpec(word) {
		return word
	}
	if word == "-" {
		return "standard input"
	}
	full, err := filepath.Abs(word)
	if err != nil {
		return word
	}
	return filepath.Join(filepath.Base(filepath.Dir(full)), filepath.Base(full))
}
