package format

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/turnproof/turnproof/internal/registry"
	"github.com/turnproof/turnproof/model/format/textfile"
)

// This file names files of other tools that hold no network in a form that turnproof reads, and says which file to take instead.

// useIBNetDiscover is the advice for files of InfiniBand tools.
const useIBNetDiscover = "run ibnetdiscover > topology.ibnetdiscover"

// foreignFile is a kind of file that is known and not read.
type foreignFile struct {
	what string // the tool and its file
	use  string // what to take instead
	is   func(head []byte) bool
}

var (
	ibListLine = regexp.MustCompile(`(?m)^(Switch|Ca|Rt|Router)\s*:\s*0x[0-9a-f]+ ports \d+`)
	ibsimNode  = regexp.MustCompile(`(?m)^(Switch|Hca|Ca)\s+\d+\s+"([^"]*)"`)
	nodeIDText = regexp.MustCompile(`^[SHR]-[0-9a-fA-F]+$`)
)

// foreignFiles is the table of these kinds.
var foreignFiles = []foreignFile{
	{"a file of ibdiagnet without a table of nodes (ibdiagnet2.db_csv has one)", useIBNetDiscover, func(head []byte) bool {
		return !textfile.HasLine(head, "START_NODES") && slices.ContainsFunc([]string{"START_SWITCHES", "START_LINKS", "START_PORTS", "START_DUMP_HEADER"},
			func(mark string) bool { return textfile.HasLine(head, mark) })
	}},
	{"a list of nodes (ibnetdiscover -l, ibswitches or ibhosts)", useIBNetDiscover + ", without -l", ibListLine.Match},
	{"records of saquery or smpquery", useIBNetDiscover, func(head []byte) bool {
		return textfile.HasLine(head, "NodeRecord dump:") || textfile.HasLine(head, "PortInfoRecord dump:") || textfile.HasLine(head, "# Node info:")
	}},
	{"an ibsim netlist", "run ibnetdiscover in the fabric that ibsim simulates, and take its output", isIBSim},
	{"output of lldpcli", "write the links as an edge list (docs/network-files.md)", func(head []byte) bool {
		return textfile.Begins(head, '{') && textfile.TopKeys(head)["lldp"]
	}},
	{"a topology of Slurm", "write the links as an edge list (docs/network-files.md)", func(head []byte) bool { return textfile.HasLine(head, "SwitchName=") }},
}

// isIBSim reports whether a file describes switches and adapters by names alone, as the netlists of ibsim do.
func isIBSim(head []byte) bool {
	for _, m := range ibsimNode.FindAllSubmatch(head, -1) {
		if string(m[1]) == "Hca" || !nodeIDText.Match(m[2]) {
			return true
		}
	}
	return false
}

// notNetwork returns the error for a file that no format recognises.
func notNetwork(src *textfile.File, head []byte) error {
	if table := OtherTable(textfile.CSVColumns(head)); table != "" {
		return src.FileError("not a network but a table of %s", table)
	}
	what := "it is empty"
	if len(head) > 0 {
		line, _, _ := bytes.Cut(head, []byte("\n"))
		what = fmt.Sprintf("it begins %q", textfile.Clip(line))
	}
	for _, k := range lookalikes {
		if k.is(head) {
			what += " and looks like " + k.what
		}
	}
	known := registry.Names(networkFormats, func(f NetworkFormat) string { return f.Name })
	for _, f := range routedFormats {
		known = append(known, f.Name)
	}
	return src.FileError("not recognised as a network: %s; known formats are %s (\"turnproof convert --help\" explains them)", what, strings.Join(known, ", "))
}

// otherTables are tables that turnproof writes and that are neither links nor a routing, by their columns.
var otherTables = []struct{ columns, name string }{
	{"switch,in_port,in_vc,out_port,out_vc,allowed", "turns (table --kind turns)"},
	{"switch,in_port,out_port,from,to,turn", "conditional turns (table --kind conditional-turns)"},
	{"from,out_port,to,in_port,direction,tree", "directions of channels (table --kind hv-channels)"},
	{"switch,parent,depth,spread", "coordinates of switches (table --kind hv-switches)"},
	{"cycle,step,from,out_port,to,direction", "cycles of a turn method (table --kind da-cycles)"},
	{"number,switch,out_port,to,turn", "searches of a turn method (table --kind da-starts)"},
	{"source,destination,lid,links,unrestricted", "distances (table --kind distances)"},
	{"switch,in_port,from,out_port,to,flits", "loads of turns (sim --loads-out)"},
}

// OtherTable returns the name of the table that has all its columns among these, or "".
func OtherTable(columns []string) string {
	for _, t := range otherTables {
		if textfile.HasColumns(columns, strings.Split(t.columns, ",")...) {
			return t.name
		}
	}
	return ""
}

// lookalike is a kind of file that is read elsewhere, and not as a network.
type lookalike struct {
	what string
	is   func(head []byte) bool
}

// lookalikes are the registered kinds.
var lookalikes []lookalike

// RegisterLookalike adds a kind of file that the error for an unknown network mentions: it looks like what.
func RegisterLookalike(what string, is func(head []byte) bool) {
	lookalikes = append(lookalikes, lookalike{what, is})
}
