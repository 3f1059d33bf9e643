package resolve

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/turnproof/turnproof/internal/spelling"
	"github.com/turnproof/turnproof/internal/unpack"
	"github.com/turnproof/turnproof/model/format"
	"github.com/turnproof/turnproof/model/topo"
)

// This file adds advice to errors of readers: the name that was probably meant, and what to do
// next.

// networkAdvice adds advice to err, an error of reading a network.
func networkAdvice(path string, err error) error {
	switch {
	case errors.Is(err, os.ErrNotExist) || isMissing(path):
		var words []string
		for _, f := range topo.Families() {
			words = append(words, f.Name)
		}
		hint := spelling.Suggest(path, words)
		if f, err := topo.Find(path); err == nil {
			example, _, _ := strings.Cut(f.Example, ",")
			hint = " (did you mean " + example + "?)"
		}
		if near := nearestFile(path); near != "" {
			hint = " (did you mean " + near + "?)"
		}
		return fmt.Errorf("%w%s; a network is a file, a folder of dumps or a spec as mesh:8x8 (\"turnproof networks\" lists them)", err, hint)
	case cutShort(path, err):
		return fmt.Errorf("%w: the %s file is cut short, copy it again", err, unpack.Name(path))
	}
	return err
}

// routingAdvice adds advice to err, an error of reading a routing.
func routingAdvice(path string, o format.Options, err error) error {
	o.Sums, o.Findings = nil, nil
	switch {
	case errors.Is(err, os.ErrNotExist) || isMissing(path):
		hint := spelling.Suggest(path, RoutingNames())
		if near := nearestFile(path); near != "" {
			hint = " (did you mean " + near + "?)"
		}
		return fmt.Errorf("%w%s; \"turnproof routings\" lists the names", err, hint)
	case cutShort(path, err):
		return fmt.Errorf("%w: the %s file is cut short, copy it again", err, unpack.Name(path))
	case path == "-":
		return err
	}
	if _, _, nerr := format.ReadNetwork(path, o); nerr == nil {
		return fmt.Errorf("--routing %s is a network: forwarding tables, a turn set or a routing program were expected, "+
			"or the NAME of a routing (\"turnproof routings\" lists them)", path)
	}
	return err
}

// Advice adds advice to err, an error of reading a routing from a file.
func Advice(path string, err error) error { return routingAdvice(path, format.Options{}, err) }

// isMissing reports whether no file has this path.
func isMissing(path string) bool {
	_, err := os.Stat(path)
	return path != "-" && errors.Is(err, os.ErrNotExist)
}

// nearestFile returns the file with the most similar name in the same folder, or "".
func nearestFile(path string) string {
	dir := filepath.Dir(path)
	entries, err := os.ReadDir(dir)
	if err != nil {
		return ""
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	near := spelling.Nearest(filepath.Base(path), names)
	if near == "" || dir == "." {
		return near
	}
	return filepath.Join(dir, near)
}

// cutShort reports whether err says that a compressed file is incomplete.
func cutShort(path string, err error) bool {
	return unpack.Name(path) != "" && (errors.Is(err, io.ErrUnexpectedEOF) || strings.HasSuffix(err.Error(), io.ErrUnexpectedEOF.Error()))
}
