package format

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/turnproof/turnproof/internal/registry"
	"github.com/turnproof/turnproof/model"
)

// NetworkFormat is a format of network files.
type NetworkFormat struct {
	Name  string // name for convert --to on the command line
	About string
	is    func(head []byte) bool // recognises a file by its first kilobytes
	read  func(*lines, Options) (*model.Network, []string, error)
	write func(io.Writer, *model.Network) error
}

// networkFormats is the table of all formats. The first that recognises a file reads it.
var networkFormats = []NetworkFormat{
	{"ibnetdiscover", "output of ibnetdiscover", isIBNetDiscover, readIBNetDiscover, writeIBNetDiscover},
	{"subnet", "OpenSM's opensm-subnet.lst", isSubnet, readSubnet, writeSubnet},
	{"json", "our own format, which keeps everything", isJSON, readJSON, writeJSON},
	{"yaml", "the same as YAML", isYAML, readYAML, writeYAML},
	{"graphml", "GraphML", isGraphML, readGraphML, writeGraphML},
	{"dot", "Graphviz DOT", isDOT, readDOT, writeDOT},
	{"anynet", "BookSim's anynet network file", isAnynet, readAnynet, writeAnynet},
	{"csv", "links as CSV with the columns a and b", isEdgesCSV, readEdgesCSV, writeEdgesCSV},
	{"rapidchiplet", "a topology of RapidChiplet", isChiplets, readChiplets, writeChiplets},
	{"edges", "edge list, two switches a line", isEdges, readEdges, writeEdges},
}

func isIBNetDiscover(head []byte) bool {
	return startsLine(head, "Switch\t") || startsLine(head, "switchguid=") || startsLine(head, "caguid=") || startsLine(head, "vendid=")
}

func isSubnet(head []byte) bool {
	return startsLine(head, "{ CA") || startsLine(head, "{ SW") || startsLine(head, "{ R")
}

// startsLine reports whether some line of text begins with prefix.
func startsLine(text []byte, prefix string) bool {
	return bytes.HasPrefix(text, []byte(prefix)) || bytes.Contains(text, []byte("\n"+prefix))
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
	src, err := open(path, o)
	if err != nil {
		return nil, nil, err
	}
	defer src.close()
	return readNetwork(src, o)
}

func readNetwork(src *lines, o Options) (*model.Network, []string, error) {
	head, _ := src.r.Peek(4096)
	if key := experimentKey(head); key != "" {
		return nil, nil, src.wholef("not a network but an experiment (its first key is %s:); run: turnproof sweep %s", key, src.name)
	}
	if f := routedBy(src); f != nil {
		r, err := f.read(src)
		if err != nil {
			return nil, nil, err
		}
		return r.Network, append(r.Notes, r.Warnings...), nil
	}
	if f := foreignTo(head); f != nil {
		return nil, nil, src.wholef("%s, which is not read: %s", f.what, f.use)
	}
	for _, f := range networkFormats {
		if f.is(head) {
			return readAs(f, src, o)
		}
	}
	if strings.HasSuffix(strings.TrimSuffix(src.name, ".gz"), ".edges") && len(head) > 0 {
		return readEdges(src, o) // the file has the name of an edge list, so the error of readEdges, which has a line, helps most
	}
	return nil, nil, notNetwork(src, head)
}

// IsYAMLNetwork reports whether the file at path is a network in YAML: in our own
// format or that of floogen. It returns false for standard input and for files that cannot be read.
func IsYAMLNetwork(path string) bool {
	if path == "-" {
		return false
	}
	src, err := open(path, Options{})
	if err != nil {
		return false
	}
	defer src.close()
	head, _ := src.r.Peek(lineSize)
	return !isText(head, '{') && (isYAML(head) || isFloo(head))
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
		if namesLinkFile(line) {
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

// namesLinkFile reports whether a line of YAML has the key links with the name of a file. Experiments have that; the links of a
// network are a list.
func namesLinkFile(line []byte) bool {
	value, ok := bytes.CutPrefix(line, []byte("links:"))
	value = bytes.TrimSpace(value)
	return ok && len(value) > 0 && !bytes.ContainsAny(value[:1], "[{#&!")
}

// readAs reads a network in a known format. If the caller does not ask for findings, warnings
// become notes.
func readAs(f NetworkFormat, src *lines, o Options) (*model.Network, []string, error) {
	found := o.findings()
	own := o.Findings == nil
	o.Findings = found
	found.topology = src.name
	n, notes, err := f.read(src, o)
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
	return f.write(w, n)
}
