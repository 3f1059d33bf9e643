package dumps

import (
	"slices"

	"github.com/turnproof/turnproof/model/format/textfile"
)

// This file has the table of the kinds of dumps.

// Kind is a kind of dump.
type Kind struct {
	Name string // for messages
	// Is recognises the kind by the first kilobytes of a file.
	Is func(head []byte) bool
	// Read adds the content of a file to a switch.
	Read func(src *textfile.File, to *Switch) error
	// ReadMany, if not nil, reads a file about several switches. of returns a switch by its name.
	ReadMany func(src *textfile.File, of func(name string) *Switch) error
}

// kinds are the kinds that are known. A file is of the first that recognises it.
var kinds []Kind

func init() { // Find is called by a reader
	kinds = kindList()
}

func kindList() []Kind {
	return []Kind{
		{"raw outputs of SuzieQ", isSuzieq, nil, readSuzieq},
		{"empty", isEmpty, readEmpty, nil},
		{"LLDP neighbours", isLLDP, readLLDP, nil},
		{"LLDP neighbours of EOS", has("lldpNeighbors"), readEOSNeighbors, nil},
		{"LLDP neighbours of NX-OS", func(head []byte) bool { return has("TABLE_nbor")(head) || has("TABLE_nbor_detail")(head) }, readNexusNeighbors, nil},
		{"LLDP neighbours of Junos", has("lldp-neighbors-information"), readJunosNeighbors, nil},
		{"BGP summary (show bgp summary json)", isBGPSummary, readBGPSummary, nil},
		{"routes of EOS", func(head []byte) bool { return has("vrfs")(head) && has("routes")(head) }, readEOSRoutes, nil},
		{"interfaces of EOS", func(head []byte) bool { return has("interfaces")(head) && has("lineProtocolStatus")(head) }, readEOSInterfaces, nil},
		{"routes of NX-OS", func(head []byte) bool { return has("TABLE_vrf")(head) && has("ipprefix")(head) }, readNexusRoutes, nil},
		{"routes of Junos", has("route-information"), readJunosRoutes, nil},
		{"config_db.json", isSonic, ReadSonic, nil},
		{"addresses (ip -j addr)", isAddresses, readAddresses, nil},
		{"routes (ip -j route)", isLinuxRoutes, readLinuxRoutes, nil},
		{"routes (show ip route json)", isZebraRoutes, readZebraRoutes, nil},
		{"addresses (ip addr)", isAddressText, readAddressText, nil},
		{"routes (ip route)", isRouteText, readRouteText, nil},
	}
}

// Find returns the kind of a file by its first kilobytes, or nil.
func Find(head []byte) *Kind {
	if i := slices.IndexFunc(kinds, func(k Kind) bool { return k.Is(head) }); i >= 0 {
		return &kinds[i]
	}
	return nil
}

// isEmpty reports whether a file is an empty list or object.
func isEmpty(head []byte) bool { return string(compact(head)) == "[]" || string(compact(head)) == "{}" }

func readEmpty(src *textfile.File, to *Switch) error {
	to.Empty = append(to.Empty, src.Name)
	s := newScanner(src)
	return s.values(func() error { return s.wrap(s.SkipValue()) })
}
