package workload

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/turnproof/turnproof/internal/option"
	"github.com/turnproof/turnproof/internal/registry"
	"github.com/turnproof/turnproof/internal/unpack"
)

// This file is the table of the formats, and opens workloads.

// Format is an entry of the table.
type Format struct {
	Name, Syntax, About string
	ends                []string // file names with these ends are of the format
	open                func(spec string, hosts int) (*Graph, error)
}

var formats = []Format{
	{"goal", "goal:FILE", "GOAL of LogGOPSim, text or binary", []string{".goal", ".bin"}, openGoal},
	{"chakra", "chakra:PATH[,KEY=VALUE...]", "Chakra execution traces NAME.RANK.et or NAME.RANK.json: a folder, one of the files, or their common name",
		[]string{".et", ".json"}, openChakra},
	{"csv", "csv:FILE", "lines id,source,destination,bytes,after,delay_ns", []string{".csv"}, openCSV},
	{"collective", "collective:kind=KIND,bytes=SIZE[,KEY=VALUE...]", "a generated collective", nil, openCollective},
}

// Formats returns the table.
func Formats() []Format { return slices.Clone(formats) }

// Open reads the workload of a spec: FORMAT:REST, or a file or folder whose name tells its format.
// hosts is the number of hosts of the network. Errors in a file are *Error.
func Open(spec string, hosts int) (*Graph, error) {
	if name, rest, ok := strings.Cut(spec, ":"); ok && !strings.ContainsAny(name, "/.") {
		f, err := registry.Find("format of workloads", name, formats, func(f Format) string { return f.Name })
		if err != nil {
			return nil, err
		}
		if rest == "" {
			return nil, fmt.Errorf("%s: want %s", spec, f.Syntax)
		}
		return f.open(rest, hosts)
	}
	for _, f := range formats {
		for _, end := range f.ends {
			if strings.HasSuffix(unpack.TrimSuffix(spec), end) {
				return f.open(spec, hosts)
			}
		}
	}
	if i, err := os.Stat(spec); err != nil {
		return nil, &Error{File: spec, Msg: reason(err), Err: err}
	} else if i.IsDir() {
		return openChakra(spec, hosts)
	}
	return nil, fmt.Errorf("%s: cannot tell the format by the name; want one of %s", spec, strings.Join(syntaxes(), ", "))
}

func syntaxes() (list []string) {
	for _, f := range formats {
		list = append(list, f.Syntax)
	}
	return list
}

// reason returns a readable text for usual file errors.
func reason(err error) string {
	if p := (*fs.PathError)(nil); errors.As(err, &p) {
		return p.Err.Error()
	}
	return err.Error()
}

// withFile calls f with the content of a file, which may be compressed.
func withFile(path string, f func(r *bufio.Reader) error) error {
	file, err := os.Open(path)
	if err != nil {
		return &Error{File: path, Msg: reason(err), Err: err}
	}
	defer func() { _ = file.Close() }() // nothing was written
	in := bufio.NewReader(file)
	content, packed, err := unpack.Reader(in)
	if err != nil {
		return &Error{File: path, Msg: err.Error(), Err: err}
	}
	if packed {
		in = bufio.NewReader(content)
	}
	return f(in)
}

func openGoal(path string, _ int) (g *Graph, err error) {
	err = withFile(path, func(r *bufio.Reader) error {
		start, _ := r.Peek(8)
		read := readGoal
		if isGoalBinary(start) {
			read = readGoalBinary
		}
		g, err = read(path, r)
		return err
	})
	return g, err
}

func openCSV(path string, _ int) (g *Graph, err error) {
	err = withFile(path, func(r *bufio.Reader) error {
		g, err = readCSV(path, r)
		return err
	})
	return g, err
}

func openCollective(spec string, hosts int) (*Graph, error) {
	o := CollectiveOptions{Ranks: hosts, Bytes: -1}
	if err := option.Parse("collective,"+spec, CollectiveKeys(), &o); err != nil {
		return nil, err
	}
	if o.Kind == "" {
		return nil, fmt.Errorf("collective:%s: the kind is missing; want kind=NAME", spec)
	}
	if o.Bytes < 0 && o.Kind != "barrier" {
		return nil, fmt.Errorf("collective:%s: the size is missing; want bytes=SIZE", spec)
	}
	o.Bytes = max(o.Bytes, 0)
	return NewCollective(o)
}

func openChakra(spec string, _ int) (*Graph, error) {
	path, keys, _ := strings.Cut(spec, ",")
	var o chakraOptions
	if keys != "" {
		if err := option.Parse("chakra,"+keys, chakraKeys(), &o); err != nil {
			return nil, err
		}
	}
	files, err := chakraFiles(path)
	if err != nil {
		return nil, err
	}
	ranks := make([][]chakraNode, len(files))
	for i, file := range files {
		if err := withFile(file, func(r *bufio.Reader) (err error) {
			ranks[i], err = readChakraFile(file, r)
			return err
		}); err != nil {
			return nil, err
		}
	}
	return readChakra(path, files, ranks, o)
}

// readChakraFile reads protobuf or JSON.
func readChakraFile(name string, r io.Reader) ([]chakraNode, error) {
	if strings.HasSuffix(unpack.TrimSuffix(name), ".json") {
		return readChakraJSON(name, r)
	}
	return readChakraProto(name, r)
}

// chakraName is the name of a trace: base, rank, ending.
var chakraName = regexp.MustCompile(`^(.+)\.([0-9]{1,7})\.((?:et|json)(?:\.gz)?)$`)

// chakraFiles returns the traces of all ranks, by rank.
func chakraFiles(path string) ([]string, error) {
	folder, base, end := path, "", ""
	if i, err := os.Stat(path); err != nil || !i.IsDir() {
		folder, base = filepath.Dir(path), filepath.Base(path)
		if m := chakraName.FindStringSubmatch(base); m != nil {
			base, end = m[1], m[3]
		} else if err == nil {
			return []string{path}, nil // the trace of one rank
		}
	}
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, &Error{File: folder, Msg: reason(err), Err: err}
	}
	byRank, names := map[int]string{}, map[string]bool{}
	for _, e := range entries {
		m := chakraName.FindStringSubmatch(e.Name())
		if m == nil || base != "" && m[1] != base || end != "" && m[3] != end {
			continue
		}
		rank, _ := strconv.Atoi(m[2]) // the expression permits digits only
		byRank[rank], names[m[1]+".RANK."+m[3]] = filepath.Join(folder, e.Name()), true
	}
	switch {
	case len(names) == 0:
		return nil, &Error{File: path, Msg: "no Chakra execution traces; want files NAME.RANK.et or NAME.RANK.json"}
	case len(names) > 1:
		return nil, &Error{File: path, Msg: fmt.Sprintf("traces of several workloads, %s; name one of the files", listSorted(names))}
	}
	if i, err := os.Stat(path); len(byRank) == 1 && err == nil && !i.IsDir() {
		return []string{path}, nil // a number in the name of a single file need not be a rank
	}
	files := make([]string, len(byRank))
	for rank := range files {
		if files[rank] = byRank[rank]; files[rank] == "" {
			return nil, &Error{File: path, Msg: fmt.Sprintf("the trace of rank %d is missing, there are %d traces", rank, len(files))}
		}
	}
	return files, nil
}

// listSorted returns at most ten names, sorted.
func listSorted(names map[string]bool) string {
	var list []string
	for n := range names {
		list = append(list, n)
	}
	slices.Sort(list)
	if len(list) > 10 {
		list = append(list[:10], fmt.Sprintf("and %d more", len(list)-10))
	}
	return strings.Join(list, ", ")
}
