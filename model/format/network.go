package format

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/turnproof/turnproof/internal/registry"
	"github.com/turnproof/turnproof/internal/unpack"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format/textfile"
)

// NetworkFormat is a format of network files. A package that reads one registers it.
type NetworkFormat struct {
	Name  string // name for convert --to on the command line
	About string
	// Rank orders the formats: of those that recognise a file, the one of the lowest rank reads it.
	Rank int
	// Suffix is the end of the names of files that no format recognises and that this one reads, or "". Its errors, which have a line, help most.
	Suffix string
	// IsYAML says that files are YAML, as settings of commands are.
	IsYAML bool
	// LosesNames says that nodes may lose their names, and KeepsGUIDs that the file keeps what identifies the ports of a fabric.
	LosesNames, KeepsGUIDs bool

	Is    func(head []byte) bool // recognises a file by its first kilobytes
	Read  func(*textfile.File, Options) (*model.Network, []string, error)
	Write func(io.Writer, *model.Network) error
	// OneWay says that Write keeps links of one direction.
	OneWay bool
}

// networkFormats are the registered formats by rank.
var networkFormats []NetworkFormat

// RegisterNetwork adds a format of networks.
func RegisterNetwork(f NetworkFormat) {
	networkFormats = append(networkFormats, f)
	slices.SortFunc(networkFormats, func(a, b NetworkFormat) int { return cmp.Compare(a.Rank, b.Rank) })
}

// NetworkFormats returns the formats in which networks are read and written.
func NetworkFormats() []NetworkFormat { return slices.Clone(networkFormats) }

// FindNetworkFormat returns the format of a name.
func FindNetworkFormat(name string) (NetworkFormat, error) {
	return registry.Find("network format", name, networkFormats, func(f NetworkFormat) string { return f.Name })
}

// ReadNetwork reads a network from a file, whose format it recognises. The notes say
// which assumptions it made, and what it ignored.
func ReadNetwork(path string, o Options) (*model.Network, []string, error) {
	src, err := textfile.Open(path, o.Sums)
	if err != nil {
		return nil, nil, err
	}
	defer src.Close()
	return ReadNetworkFrom(src, o)
}

func ReadNetworkFrom(src *textfile.File, o Options) (*model.Network, []string, error) {
	head, _ := src.Reader.Peek(4096)
	if key := experimentKey(head); key != "" {
		return nil, nil, src.FileError("not a network but an experiment (its first key is %s:); run: turnproof sweep %s", key, src.Name)
	}
	long, _ := src.Reader.Peek(textfile.MaxLine)
	if f := routedBy(long); f != nil {
		r, err := f.read(src, o)
		if err != nil {
			return nil, nil, err
		}
		return r.Network, append(r.Notes, r.Warnings...), nil
	}
	for _, f := range foreignFiles {
		if f.is(head) {
			return nil, nil, src.FileError("%s, which is not read: %s", f.what, f.use)
		}
	}
	for _, f := range networkFormats {
		if f.Is(head) {
			return readAs(f, src, o)
		}
	}
	for _, f := range networkFormats {
		if f.Suffix != "" && strings.HasSuffix(unpack.TrimSuffix(src.Name), f.Suffix) && len(head) > 0 {
			return f.Read(src, o)
		}
	}
	return nil, nil, notNetwork(src, head)
}

// IsYAMLNetwork reports whether the file at path is a network in a format that is YAML. It returns false for standard input and for files that cannot be read.
func IsYAMLNetwork(path string) bool {
	return textfile.Is(path, func(head []byte) bool {
		return !textfile.Begins(head, '{') &&
			(slices.ContainsFunc(networkFormats, func(f NetworkFormat) bool { return f.IsYAML && f.Is(head) }) ||
				slices.ContainsFunc(routedFormats, func(f RoutedFormat) bool { return f.IsYAML && f.Is(head) }))
	})
}

// experimentKeys are the keys of a sweep's experiment file that no network has.
var experimentKeys = []string{"networks", "routings", "traffics", "loads", "seeds", "model", "switching",
	"packet", "buffer", "clocks", "warmup", "select", "waiting", "arbiter", "link-clocks",
	"classes", "service", "reply-queue", "reply-packet", "outstanding", "initiators", "targets", "flow"}

// experimentKey returns the first key of a YAML file if only experiments have
// that key, and "" otherwise.
func experimentKey(head []byte) string {
	for line := range bytes.SplitSeq(head, []byte("\n")) {
		line = bytes.TrimSpace(line)
		if len(line) == 0 || line[0] == '#' || string(line) == "---" {
			continue
		}
		if textfile.NamesLinkFile(line) {
			return "links"
		}
		for _, key := range experimentKeys {
			if bytes.HasPrefix(line, []byte(key+":")) {
				return key
			}
		}
		return ""
	}
	return ""
}

// readAs reads a network in a known format. If the caller does not ask for findings, warnings
// become notes.
func readAs(f NetworkFormat, src *textfile.File, o Options) (*model.Network, []string, error) {
	found := o.Found()
	own := o.Findings == nil
	o.Findings = found
	found.File = src.Name
	n, notes, err := f.Read(src, o)
	if err == nil {
		found.tellLMC(n)
	}
	if own {
		notes = append(notes, found.Warnings...)
	}
	return n, notes, err
}

// WriteNetwork writes a network in the named format.
func WriteNetwork(w io.Writer, n *model.Network, name string) error {
	f, err := FindNetworkFormat(name)
	if err != nil {
		return fmt.Errorf("format: %w", err)
	}
	if n.OneWayLinks() > 0 && !f.OneWay {
		return Refuse(name, "cannot hold links of one direction; json, yaml, dot, graphml and constellation can")
	}
	if (name == "dot" || name == "graphml") && hasOpposite(n) {
		return Refuse(name, "cannot hold two links of one direction that lead from a switch to another and back; json and yaml can")
	}
	return f.Write(w, n)
}

// hasOpposite reports whether two links of one direction lead from a switch to another and back. In a directed graph they would be a cable.
func hasOpposite(n *model.Network) bool {
	from := map[[2]model.SwitchID]bool{}
	for l := range model.LinkID(n.NumLinks()) {
		if k := n.Link(l); n.IsOneWay(l) {
			if from[[2]model.SwitchID{k.B, k.A}] {
				return true
			}
			from[[2]model.SwitchID{k.A, k.B}] = true
		}
	}
	return false
}

// CannotHold is the error of WriteNetwork for a network that the format cannot
// represent without changing it.
type CannotHold struct {
	Format string
	Msg    string
}

// Error implements error.
func (e *CannotHold) Error() string { return "format: " + e.Format + " " + e.Msg }

// Refuse returns a *CannotHold for the named format.
func Refuse(name, format string, a ...any) error { return &CannotHold{name, fmt.Sprintf(format, a...)} }
