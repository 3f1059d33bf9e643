package hostile

// This file lists what the programs read.

// reader is a command line that reads a file.
type reader struct {
	what string
	args []string // with the name of the file: x, x.star or x.yaml
	more []File   // beside it
}

// readers returns a command line for every kind of file that is read.
func readers() []reader {
	return []reader{
		{"network", []string{"check", "x", "-r", "updown"}, nil},
		{"network for convert", []string{"convert", "x", "--to", "json"}, nil},
		{"tables", []string{"check", "n", "-r", "./x"}, []File{file("n", fabric)}},
		{"service levels", []string{"check", "n", "-r", "t", "--sl", "x"}, []File{file("n", fabric), file("t", fabricTable)}},
		{"SL-to-VL tables", []string{"check", "n", "-r", "t", "--sl2vl", "x"}, []File{file("n", fabric), file("t", fabricTable)}},
		{"routing program", []string{"check", "mesh:2x2", "-r", "x.star"}, nil},
		{"program to prove", []string{"prove", "x.star"}, nil},
		{"VLANs", []string{"vlan", "ring:4", "-r", "./x"}, nil},
		{"addresses", []string{"vlan", "mesh:2x2", "--linux", "out", "--addresses", "x"}, nil},
		{"traffic", []string{"turns", "ring:4", "-m", "updown", "--traffic", "./x"}, nil},
		{"traffic of a report", []string{"report", "ring:4", "-r", "updown", "--traffic", "./x", "-o", "out.html"}, nil},
		{"trace", []string{"sim", "ring:4", "-r", "updown", "--traffic", "trace:x"}, nil},
		{"permutation", []string{"sim", "ring:4", "-r", "updown", "--traffic", "permutation:x"}, nil},
		{"kept turns", []string{"turns", "ring:4", "-m", "minimum", "--seconds", "1", "--keep", "x"}, nil},
		{"prohibited turns", []string{"turns", "ring:4", "-m", "minimum", "--seconds", "1", "--prohibit", "x"}, nil},
		{"closed channels", []string{"possible", "ring:4", "--closed", "x"}, nil},
		{"experiment", []string{"sweep", "x.yaml"}, nil},
		{"directions", []string{"enumerate", "./x"}, nil},
		{"configuration", []string{"config", "--config", "x"}, nil},
		{"tables to compare", []string{"compare", "./x", "./t", "--network", "n"}, []File{file("n", fabric), file("t", fabricTable)}},
		{"certificate", []string{checker, "x"}, nil},
	}
}

const fabric = "vendid=0x1\n" +
	"devid=0x1\n" +
	"sysimgguid=0x1\n" +
	"switchguid=0x1(1)\n" +
	"Switch\t4 \"S-0000000000000001\"\t\t# \"s\" base port 0 lid 1 lmc 0\n" +
	"[1]\t\"H-0000000000000010\"[1](11) \t\t# \"h\" lid 4 4xSDR\n" +
	"\n" +
	"vendid=0x1\n" +
	"caguid=0x10\n" +
	"Ca\t1 \"H-0000000000000010\"\t\t# \"h\"\n" +
	"[1](11) \t\"S-0000000000000001\"[1]\t\t# lid 4 lmc 0 \"s\" lid 1 4xSDR\n"

const fabricTable = "Unicast lids [0x0-0x4] of switch Lid 1 guid 0x0000000000000001 (s):\n0x0001 000 : x\n0x0004 001 : x\n2 lids dumped\n"

// file returns the name of the file.
func (r reader) file() string {
	for _, a := range r.args {
		for _, name := range []string{"x.star", "x.yaml"} {
			if a == name {
				return name
			}
		}
	}
	return "x"
}

// mayBeEmpty reports whether an empty file is valid: nothing is closed, kept, set or sent. The network
// of these readers has one host, so no path needs a service level.
func (r reader) mayBeEmpty() bool {
	switch r.what {
	case "closed channels", "kept turns", "prohibited turns", "configuration", "SL-to-VL tables", "service levels", "trace", "traffic", "traffic of a report":
		return true
	}
	return false
}

// named reports whether a reader has a name.
func (r reader) named(name string) bool { return r.what == name }
