package seams

import (
	"fmt"
	"strings"
)

// This file writes the dumps of a fabric.

// guidOfSwitch and guidOfHost return GUIDs as the tools print them.
func guidOfSwitch(u int) string { return fmt.Sprintf("%016x", 0x200000+u) }
func guidOfHost(h int) string   { return fmt.Sprintf("%016x", 0x10000000+16*h) }

// topology returns the output of ibnetdiscover.
func (f *fabric) topology() string {
	var b strings.Builder
	b.WriteString("#\n# Topology file: generated on Thu Jan  1 00:00:00 2026\n#\n")
	lid := func(u int) int { return len(f.hosts) + 1 + u }
	for u := range f.switches {
		fmt.Fprintf(&b, "\nswitchguid=0x%s(%s)\nSwitch\t%d \"S-%s\"\t\t# \"s%d\" base port 0 lid %d lmc 0\n", guidOfSwitch(u), guidOfSwitch(u),
			f.portsOf(u), guidOfSwitch(u), u, lid(u))
		for port := 1; port < f.nextPort(u); port++ {
			v, at := f.across(u, port)
			fmt.Fprintf(&b, "[%d]\t\"S-%s\"[%d]\t\t# \"s%d\" lid %d\n", port, guidOfSwitch(v), at, v, lid(v))
		}
		for h, v := range f.hosts {
			if v == u {
				fmt.Fprintf(&b, "[%d]\t\"H-%s\"[1](%x) \t\t# \"h%d\" lid %d\n", f.port[h+1], guidOfHost(h), 0x10000001+16*h, h, h+1)
			}
		}
	}
	for h, u := range f.hosts {
		fmt.Fprintf(&b, "\ncaguid=0x%s\nCa\t1 \"H-%s\"\t\t# \"h%d\"\n[1](%x) \t\"S-%s\"[%d]\t\t# lid %d lmc 0 \"s%d\" lid %d\n",
			guidOfHost(h), guidOfHost(h), h,
			0x10000001+16*h, guidOfSwitch(u), f.port[h+1], h+1, u, lid(u))
	}
	return b.String()
}

// tables returns forwarding tables as OpenSM writes them.
func (f *fabric) tables() string {
	var b strings.Builder
	for u := range f.switches {
		fmt.Fprintf(&b, "Unicast lids [0x0-0x%x] of switch Lid %d guid 0x%s ('s%d'):\n  Lid  Out   Destination\n       Port     Info \n", len(f.ends)-1,
			len(f.hosts)+1+u, guidOfSwitch(u), u)
		for lid := 1; lid < len(f.ends); lid++ {
			fmt.Fprintf(&b, "0x%04x %03d : (%s)\n", lid, f.out[u][lid], f.about(lid))
		}
		fmt.Fprintf(&b, "%d valid lids dumped \n", len(f.ends)-1)
	}
	return b.String()
}

// about describes the port of a LID.
func (f *fabric) about(lid int) string {
	switch {
	case lid <= len(f.hosts):
		return fmt.Sprintf("Channel Adapter portguid 0x%016x: 'h%d'", 0x10000001+16*(lid-1), lid-1)
	case lid <= f.lids:
		return fmt.Sprintf("Switch portguid 0x%s: 's%d'", guidOfSwitch(lid-len(f.hosts)-1), lid-len(f.hosts)-1)
	}
	return fmt.Sprintf("Channel Adapter portguid 0x%016x: 'v%d'", 0x30000000+lid, lid)
}

// records returns the path records of saquery.
func (f *fabric) records() string {
	var b strings.Builder
	for a := 1; a <= f.lids; a++ {
		for d := 1; d <= f.lids; d++ {
			if sl, ok := f.levels[[2]int{a, d}]; ok {
				fmt.Fprintf(&b, "PathRecord dump:\n\t\tdlid....................%d\n\t\tslid....................%d\n\t\tsl......................0x%x\n",
					d, a, sl)
			}
		}
	}
	return b.String()
}

// levelTables returns the SL-to-VL tables as OpenSM writes them.
func (f *fabric) levelTables() string {
	var b strings.Builder
	for u := range f.switches {
		fmt.Fprintf(&b, "Switch 0x%s, base LID %d, \"s%d\"\n#in out : 0  1  2  3  4  5  6  7  8  9  10 11 12 13 14 15\n#---\n",
			guidOfSwitch(u), len(f.hosts)+1+u, u)
		for in := 0; in <= f.portsOf(u); in++ {
			for out := 1; out <= f.portsOf(u); out++ {
				fmt.Fprintf(&b, "%d   %d   : %s\n", in, out, strings.ReplaceAll(commas(f.vls[[3]int{u, in, out}]), ",", " "))
			}
		}
	}
	return b.String()
}

// multicast returns multicast tables as OpenSM writes them.
func (f *fabric) multicast() string {
	var b strings.Builder
	for u := range f.switches {
		ports, ok := f.trees[0][u]
		if !ok {
			continue
		}
		fmt.Fprintf(&b, "Switch 0x%s\nLID    : Out Port(s)\n0xC000 :", guidOfSwitch(u))
		for _, p := range ports {
			fmt.Fprintf(&b, " 0x%03X", p)
		}
		b.WriteString("\n\n")
	}
	return b.String()
}
