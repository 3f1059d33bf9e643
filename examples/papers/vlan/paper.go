package vlan

import (
	"embed"

	"github.com/turnproof/turnproof/examples/papers/paper"
)

//go:embed files
var files embed.FS

// Paper returns the paper with its items.
func Paper() paper.Paper {
	return paper.Paper{
		Name: "vlan", Title: "Path assignment in VLAN-based multi-path Ethernet", Files: files,
		Source: "T. Otsuka, M. Koibuchi, A. Jouraku, T. Kudoh and H. Amano, Path Assignment Methods in VLAN-based Multi-path Ethernet",
		Notes: []string{"Hosts send 820 Mbit/s, which the paper measures (1-SW-1), in frames of 1,470 bytes. FC is flow control by PAUSE. " +
			"[The manual](../../vlan-ethernet.md) has the theorems and configurations for switches."},
		Items: []paper.Item{
			{Name: "vlan/figure-1a", Section: "section 2.1", About: "A 3x3 mesh",
				Drawing: []string{`draw network mesh:3x3 --hosts hidden --title "3x3 mesh"`}},
			{Name: "vlan/figure-1b", Section: "section 2.1", About: "Three VLANs on a 3x3 mesh, which give every pair a shortest path",
				Drawing: []string{`draw vlan mesh:3x3 -r vlan-dor --title "Three VLANs on a 3x3 mesh"`}},
			{Name: "vlan/figure-2", Section: "section 2.2", About: "Two VLANs on a 2x2 mesh",
				Drawing: []string{`draw vlan mesh:2x2 -r vlan-dor --title "Two VLANs on a 2x2 mesh"`}, Evidence: paper.Check, Compute: smallRing,
				Claims: smallRingClaims()},
			{Name: "vlan/figure-3a", Section: "section 2.3.1", About: "The ring of four switches and its two VLANs",
				Differs: "We show the names of the switches. Marks at switches say whose hosts send in a VLAN.",
				Drawing: []string{`draw vlan files/ring.yaml -r files/cyclic.json --title "Ring of four"`}, Evidence: paper.Check,
				Compute: ringChoices, Claims: ringClaims()},
			{Name: "vlan/figure-3b", Section: "section 2.3.1", About: "The four flows of the cyclic assignment, which hold each other",
				Differs: "The paper lists the flows in its text. We show other hosts at the same switches.",
				Drawing: []string{`draw cycle files/ring.yaml -r files/cyclic.json --hosts hidden --title "Ring of four, cyclic: four flows"`}},
			{Name: "vlan/table-1", Section: "section 2.3.2", About: "Bandwidth and loss on one and two switches, without and with flow control",
				Evidence: paper.Sample, Compute: table1, Claims: table1Claims()},
			{Name: "vlan/table-2", Section: "section 2.3.2", About: "Bandwidth and loss on the ring, without (DF) and with (DL) a cycle", Readings: true,
				Differs:  "The rows after those of the paper separate the two effects: a cycle without full links, and full links without a cycle.",
				Evidence: paper.Sample, Compute: table2, Claims: table2Claims()},
			{Name: "vlan/figure-4a", Section: "section 3.1", About: "A 4x4 mesh with its coordinates",
				Drawing: []string{`draw network mesh:4x4 --hosts hidden --title "4x4 mesh"`}},
			{Name: "vlan/figure-4b", Section: "section 3.1", About: "VLAN topologies: lines along x, then along y",
				Differs: "We show all four VLANs of this kind. The paper shows one of them.",
				Drawing: []string{`draw vlan mesh:4x4 -r vlan-dor --title "Lines along x, then y"`}},
			{Name: "vlan/figure-4c", Section: "section 3.1", About: "VLAN topologies: lines along y, then along x",
				Differs: "We show all four VLANs of this kind, and omit the paper's example of an irregular tree.",
				Drawing: []string{`draw vlan mesh:4x4 -r vlan-dor,order=yx --title "Lines along y, then x"`}},
			{Name: "vlan/figure-5", Section: "section 3.2", About: "The set of VLANs that carries dimension order on a 4x4 mesh",
				Drawing: []string{`draw vlan mesh:4x4 -r vlan-dor --title "VLANs of dimension order"`}},
			{Name: "vlan/theorem-1", Section: "section 3.2", About: "The VLAN set of dimension order on all meshes of small sizes",
				Differs:  "We check every pair of switches of each mesh. turnproof prove shows the same for every size of 2-D meshes.",
				Evidence: paper.Check, Compute: theorem1, Claims: theoremClaims()},
		},
	}
}
