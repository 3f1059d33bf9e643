package infiniband

import (
	"bytes"
	"regexp"
)

// This file recognises lines of one kind of dump in a file of another kind whose reader passes over text between its own parts.

var heads = [][]byte{[]byte("Unicast lids"), []byte("Multicast mlids"), []byte("PathRecord dump:"), []byte("MCMemberRecord"), []byte("Switch 0x"),
	[]byte("Channel Adapter 0x"), []byte("Router 0x"), []byte("#in out"), []byte("dump_ucast_routes"), []byte("START_"), []byte("switchguid="),
	[]byte("caguid="), []byte("{ "), []byte("0x")}

// rowOfVLs matches a row of OpenSM's SL-to-VL tables.
var rowOfVLs = regexp.MustCompile(`^\d+[ \t]+\d+[ \t]*:`)

// IsLineOfDump reports whether a line begins like one of a dump: a head, or a row of tables or service levels.
func IsLineOfDump(line []byte) bool {
	line = bytes.TrimLeft(line, " \t")
	for _, head := range heads {
		if bytes.HasPrefix(line, head) {
			return true
		}
	}
	return rowOfVLs.Match(line)
}
