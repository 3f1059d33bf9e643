package format

import (
	"cmp"
	"slices"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format/textfile"
)

// This file reads network files that also state their routing, and often the pairs that talk.

// Kind says what a network is. Pages explain verdicts in the words of this kind.
type Kind string

// The kinds. A network of a spec, or of a file that serves several kinds, is on a chip.
const (
	OnChip       Kind = "network on a chip"
	InfiniBand   Kind = "InfiniBand"
	Ethernet     Kind = "Ethernet"
	Accelerators Kind = "accelerators"
)

// Routed is a network and the routing that its file states.
type Routed struct {
	Network  *model.Network
	Relation model.Relation // nil if Unrouted is not nil
	Routing  string         // the name of the routing, for headings
	Kind     Kind           // what the network is
	// Flows are the pairs of hosts that talk. If nil, all pairs talk.
	Flows []model.Flow
	// Protocol are the classes of messages that share buffers, or nil if none do.
	Protocol *model.Protocol
	// Premises are facts that the file states, and Doubts its evidence against assumptions.
	Premises []model.Premise
	Doubts   []model.Doubt
	// Run are the sizes that the file states, or nil.
	Run *RoutedRun
	// Switching is the discipline that the format implies if Run is nil, with its source, or "". Waiting says the same of packets that wait.
	Switching     model.Switching
	SwitchingFrom string
	Waiting       model.Waiting
	// Source is what Relation was made of, for packages that know the format, or nil.
	Source any
	// Unrouted gives the reason if turnproof does not know the routing, or is nil.
	Unrouted        error
	Notes, Warnings []string
}

// RoutedRun is what a file states about the routers besides their routes.
type RoutedRun struct {
	Packet, Buffer int             // flits of the longest packet, and of the buffer of a VC; 0: unknown
	OtherBuffers   bool            // some VCs have buffers of another size, so no verdict rests on Buffer
	Atomic         bool            // a VC takes a new packet only when it is empty
	Lengths        bool            // all packets have this length, as far as the file says
	Routers        string          // the source of the switching discipline
	Switching      model.Switching // the discipline; empty: wormhole
	Source         string          // that of the sizes
	VCs            int             // VCs that each VC of the relation stands for, in simulations; 0: one
	Ignored        []string        // keys that change a simulation and that turnproof does not simulate, with their values
}

// RoutedFormat is a format of network files that state their routing. A package that reads one registers it.
type RoutedFormat struct {
	Name   string
	IsYAML bool                   // see NetworkFormat
	Is     func(head []byte) bool // recognises a file by its first kilobytes
	Read   func(*textfile.File) (*Routed, error)
	// Settings are what the caller can say about a file beside its content. If there are any, ReadWith reads files in place of Read. It gets the
	// settings that the caller has given.
	Settings []Setting
	ReadWith func(src *textfile.File, given map[string]string) (*Routed, error)
}

// Setting is something that a file leaves open. Commands have a flag for each.
type Setting struct {
	Name, Usage string
	IsFile      bool
	Words       []string // possible values, or nil
}

// Settings returns the settings of all formats.
func Settings() (list []Setting) {
	for _, f := range routedFormats {
		list = append(list, f.Settings...)
	}
	return list
}

// read reads a file of the format.
func (f *RoutedFormat) read(src *textfile.File, o Options) (*Routed, error) {
	for name := range o.Settings {
		if !slices.ContainsFunc(f.Settings, func(s Setting) bool { return s.Name == name }) {
			return nil, src.FileError("--%s says nothing about a file of the format %s", name, f.Name)
		}
	}
	if f.ReadWith != nil {
		return f.ReadWith(src, o.Settings)
	}
	return f.Read(src)
}

// routedFormats are the registered formats by name. The first that recognises a file reads it.
var routedFormats []RoutedFormat

// RegisterRouted adds a format of networks that state their routing.
func RegisterRouted(f RoutedFormat) {
	routedFormats = append(routedFormats, f)
	slices.SortFunc(routedFormats, func(a, b RoutedFormat) int { return cmp.Compare(a.Name, b.Name) })
}

// routedBy returns the format that recognises a file, or nil.
func routedBy(head []byte) *RoutedFormat {
	if i := slices.IndexFunc(routedFormats, func(f RoutedFormat) bool { return f.Is(head) }); i >= 0 {
		return &routedFormats[i]
	}
	return nil
}

// IsRouted reports whether the file at path is a network that states its routing. It returns false for standard
// input, which it does not read, and for files that cannot be read. Configurations of BookSim are not among them, see
// booksim.IsConfig.
func IsRouted(path string) bool {
	return textfile.Is(path, func(head []byte) bool { return routedBy(head) != nil })
}

// ReadRouted reads a file for which IsRouted is true.
func ReadRouted(path string, o Options) (*Routed, error) {
	return textfile.Read(path, o.Sums, func(src *textfile.File) (*Routed, error) {
		head, _ := src.Reader.Peek(textfile.MaxLine)
		f := routedBy(head)
		if f == nil {
			return nil, src.FileError("is no network that states its routing")
		}
		return f.read(src, o)
	})
}

// FolderFormat is a format of folders that state a network and its routing. A package that reads one registers it.
type FolderFormat struct {
	Name string
	Is   func(dir string) bool // recognises a folder by the files in it
	Read func(dir string, o Options) (*Routed, error)
}

// folderFormats are the registered formats by name. The first that recognises a folder reads it.
var folderFormats []FolderFormat

// RegisterFolder adds a format of folders.
func RegisterFolder(f FolderFormat) {
	folderFormats = append(folderFormats, f)
	slices.SortFunc(folderFormats, func(a, b FolderFormat) int { return cmp.Compare(a.Name, b.Name) })
}

// FolderOf returns the format that recognises a folder, or nil.
func FolderOf(dir string) *FolderFormat {
	if i := slices.IndexFunc(folderFormats, func(f FolderFormat) bool { return f.Is(dir) }); i >= 0 {
		return &folderFormats[i]
	}
	return nil
}
