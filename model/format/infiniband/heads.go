package infiniband

import (
	"bytes"
	"errors"
	"regexp"

	"github.com/turnproof/turnproof/model/format/textfile"
)

// This file recognises lines of one kind of dump in a file of another kind whose reader passes over text between its own parts.

var (
	headsOfTables = [][]byte{[]byte("Unicast lids"), []byte("Multicast mlids"), []byte("PathRecord dump:"), []byte("MCMemberRecord"), []byte("Switch 0x"),
		[]byte("Channel Adapter 0x"), []byte("Router 0x"), []byte("#in out"), []byte("dump_ucast_routes"), []byte("0x")}
	headsOfTopologies = [][]byte{[]byte("START_"), []byte("switchguid="), []byte("caguid="), []byte("{ ")}
)

// rowOfVLs matches a row of OpenSM's SL-to-VL tables.
var rowOfVLs = regexp.MustCompile(`^\d+[ \t]+\d+[ \t]*:`)

// IsLineOfDump reports whether a line begins like one of a dump: a head, or a row of tables or service levels.
func IsLineOfDump(line []byte) bool {
	return isHead(line, headsOfTopologies) || IsLineOfTables(line)
}

// IsLineOfTables does the same for dumps other than topologies.
func IsLineOfTables(line []byte) bool {
	return isHead(line, headsOfTables) || rowOfVLs.Match(bytes.TrimLeft(line, " \t"))
}

func isHead(line []byte, heads [][]byte) bool {
	line = bytes.TrimLeft(line, " \t")
	for _, head := range heads {
		if bytes.HasPrefix(line, head) {
			return true
		}
	}
	return false
}

// LineOfTables returns the first line of a file that begins like one of a dump other than a topology, or 0. It passes over what it cannot read.
func LineOfTables(path string) (first int) {
	errFound := errors.New("found")
	_, _ = textfile.Read(path, nil, func(src *textfile.File) (bool, error) {
		return false, src.Each(func(line []byte) error {
			if !IsLineOfTables(line) {
				return nil
			}
			first = src.Line
			return errFound
		})
	})
	return first
}
