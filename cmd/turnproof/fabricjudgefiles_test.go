package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// This file writes the fabrics of the judge in the formats of OpenSM and infiniband-diags.

func (f *judgedFabric) topologyText() string {
	var b strings.Builder
	for s := range f.switches {
		fmt.Fprintf(&b, "switchguid=0x20000%d(20000%d)\nSwitch\t6 \"S-000000000020000%d\"\t\t# \"s%d\" enhanced port 0 lid %d lmc 0\n", s, s, s, s,
			f.lids[f.hosts+s])
		for port := 1; port < 6; port++ {
			if end, ok := f.to[plugAt{s, port}]; ok {
				fmt.Fprintf(&b, "[%d]\t\"S-000000000020000%d\"[%d]\t\t# \"s%d\" lid %d 4xQDR\n", port, end.sw, end.port, end.sw, f.lids[f.hosts+end.sw])
			} else if h, ok := f.host[plugAt{s, port}]; ok {
				fmt.Fprintf(&b, "[%d]\t\"H-000000000010000%d\"[1](10001%d) \t\t# \"h%d\" lid %d 4xQDR\n", port, h, h, h, f.lids[h])
			}
		}
		b.WriteString("\n")
	}
	for h := range f.hosts {
		at := f.at[h]
		fmt.Fprintf(&b, "caguid=0x10000%d\nCa\t1 \"H-000000000010000%d\"\t\t# \"h%d\"\n[1](10001%d) \t\"S-000000000020000%d\"[%d]\t\t# lid %d lmc %d \"s%d\" lid %d 4xQDR\n\n",
			h, h, h, h, at.sw, at.port, f.lids[h], f.lmc(), at.sw, f.lids[f.hosts+at.sw])
	}
	return b.String()
}

// lmc returns the LMC of hosts.
func (f *judgedFabric) lmc() int {
	if f.isLMC {
		return 1
	}
	return 0
}

func (f *judgedFabric) tablesText() string {
	var b strings.Builder
	for s := range f.switches {
		fmt.Fprintf(&b, "Unicast lids [0-50] of switch Lid %d guid 0x000000000020000%d ('s%d'):\n", f.lids[f.hosts+s], s, s)
		for _, d := range slices.Sorted(maps.Keys(f.out[s])) {
			fmt.Fprintf(&b, "0x%04x %03d\n", f.lids[d], f.out[s][d])
		}
		b.WriteString("50 lids dumped\n")
	}
	return b.String()
}

func (f *judgedFabric) vlText() string {
	var b strings.Builder
	for s := 0; s < f.switches && f.vl != nil; s++ {
		fmt.Fprintf(&b, "Switch 0x000000000020000%d, base LID %d, \"s%d\"\n#in out : 0  1  2  3\n#---\n", s, f.lids[f.hosts+s], s)
		for in := range 6 {
			for out := range 6 {
				fmt.Fprintf(&b, "%d   %d   :", in, out)
				for _, vl := range f.vl[[3]int{s, in, out}] {
					fmt.Fprintf(&b, " %d", vl)
				}
				b.WriteString("\n")
			}
		}
	}
	return b.String()
}

// levelsText returns path records, or the format of ibdmchk.
func (f *judgedFabric) levelsText() string {
	var b strings.Builder
	for d := range f.lids {
		for from := range f.lids {
			level, ok := f.levels[[2]int{from, d}]
			switch {
			case !ok:
			case !f.isByNode:
				fmt.Fprintf(&b, "PathRecord dump:\n\t\tdlid....................%d\n\t\tslid....................%d\n\t\tsl......................0x%x\n", f.lids[d],
					f.lids[from], level)
			case from < f.hosts:
				fmt.Fprintf(&b, "0x000000000010000%d %d %d\n", from, f.lids[d], level)
			case from < f.ends():
				fmt.Fprintf(&b, "0x000000000020000%d %d %d\n", from-f.hosts, f.lids[d], level)
			}
		}
	}
	return b.String()
}

func (f *judgedFabric) groupText() string {
	var b strings.Builder
	for s := 0; s < f.switches && f.group != nil; s++ {
		fmt.Fprintf(&b, "\nSwitch 0x000000000020000%d\nLID    : Out Port(s) \n0xC000 :", s)
		ports := slices.Sorted(slices.Values(f.group[s]))
		for _, p := range slices.Compact(ports) {
			fmt.Fprintf(&b, " 0x%03X", p)
		}
		b.WriteString(" \n")
	}
	return b.String()
}
