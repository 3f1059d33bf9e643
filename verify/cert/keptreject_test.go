package cert_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	. "github.com/turnproof/turnproof/verify/cert"
)

const dateline = "ring 4, dateline rows, host 0 to 2 with class 1 too" // a story

// keptRejects are changes of certificates that are kept, and of stories, which no single number
// makes.
var keptRejects = []struct {
	of     string
	change func(c *Certificate)
	claim  string
	why    string
}{
	{"family-mesh2-cycle", func(c *Certificate) { c.Claims[0].Member.Links = Ints{0, 1} }, "acyclic-cdg", "a grid with links"},
	{"family-mesh2-cycle", func(c *Certificate) { c.Claims[0].Member.At = Ints{0, 0} }, "acyclic-cdg", "a grid with links or coordinates"},
	{"family-mesh2-cycle", func(c *Certificate) {
		c.Claims[0].Member.Cycle = append(c.Claims[0].Member.Cycle, c.Claims[0].Member.Cycle...)
	}, "acyclic-cdg", "or occurs twice"},
	{"family-mesh2-cycle", func(c *Certificate) { c.Claims[0].Member.Cycle = Ints{0, 1, 0, 1, 0, 0} }, "acyclic-cdg", "may not follow"},
	{"family-mesh2-cycle", func(c *Certificate) { c.Claims[0].Member.Cycle = Ints{} }, "acyclic-cdg", "a cycle of 0 numbers"},
	{"family-mesh2-cycle", func(c *Certificate) { c.Claims[0].Member.Sides = Ints{1 << 14, 2} }, "acyclic-cdg", "side 2"},
	{"family-mesh2-cycle", func(c *Certificate) { c.Claims[0].Member.Sides = Ints{2, 2, 2} }, "acyclic-cdg", "3 sides for 2 dimensions"},
	{"family-updown-cycle", func(c *Certificate) { c.Claims[0].Member.Sides = Ints{2} }, "acyclic-cdg", "the family is not a grid"},
	{"family-hv-coordinates-none", func(c *Certificate) {
		m := c.Claims[1].Member
		m.Links, m.From, m.To = Ints{0, 1}, 0, 2
	}, "connected", "the network has no path at all from switch 0 to switch 2"},
	{"family-hv-coordinates-none", func(c *Certificate) { c.Claims[1].Member.Cycle = Ints{0} }, "connected", "from switch"},
	{"family-hv-coordinates-none", func(c *Certificate) { c.Claims[1].Member.To = c.Claims[1].Member.From }, "connected", "from switch"},
	{"family-hv-coordinates-none", func(c *Certificate) {
		c.Claims[1] = Claim{Claim: ClaimConnected, Verdict: Proved, Evidence: EvidenceFamilyMembers}
	}, "connected", "not every turn is allowed"},
	{"family-hv-coordinates-none", func(c *Certificate) {
		c.Subject.Family.Allowed = []string{"LU>LD", "LU>RU", "LU>RD", "LD>LU", "LD>RU", "LD>RD", "RU>LU", "RU>LD", "RU>RD", "RD>LU", "RD>LD", "RD>RU"}
		c.Claims = []Claim{{Claim: ClaimConnected, Verdict: Proved, Evidence: EvidenceFamilyMembers}}
	}, "", ""},
	{"family-given-free", func(c *Certificate) {
		c.Claims = append(c.Claims[:1], Claim{Claim: ClaimConnected, Verdict: Proved, Evidence: EvidenceFamilyMembers})
	}, "connected", "or the family is given"},
	{"family-hv-canonical-cycle", func(c *Certificate) { // the second child is found first
		c.Claims[0].Member.Links, c.Claims[0].Member.At = Ints{0, 1, 0, 2}, Ints{0, 0, 2, 1, 1, 1}
	}, "acyclic-cdg", "finds switch 2 from another parent"},
	{"family-hv-canonical-cycle", func(c *Certificate) { // the child of 2, which the search finds from 1
		c.Claims[0].Member.Links, c.Claims[0].Member.At = Ints{0, 1, 0, 2, 1, 3, 2, 3}, Ints{0, 0, 1, 1, 2, 1, 3, 2}
	}, "acyclic-cdg", "finds switch 3 from another parent"},
	{"family-given-free", func(c *Certificate) { c.Subject.Family.Given.Coordinates = 17 }, "subject", "17 coordinates"},
	{"family-given-free", func(c *Certificate) { c.Subject.Family.Given.Coordinates = 16 }, "subject", "in rows of 17"},
	{"family-given-free", func(c *Certificate) { c.Subject.Family.Allowed[0] = "E>E" }, "subject", "allowed turn 0"},
	{"family-mesh2-free", func(c *Certificate) { c.Subject.Network.VCs = 1 }, "subject", "a family, and a network beside it"},
	{"family-mesh2-free", func(c *Certificate) { c.Subject.Network.Switches = []string{"a"} }, "subject", "a family, and a network beside it"},
	{"family-mesh2-free", func(c *Certificate) { c.Subject.Network.Links = Ints{0, 1, 1, 1} }, "subject", "a family, and a network beside it"},
	{"family-mesh2-free", func(c *Certificate) { c.Subject.Network.Endpoints = []string{"h"} }, "subject", "a family, and a network beside it"},
	{"family-mesh2-free", func(c *Certificate) { c.Subject.Network.Attach = Ints{0, 1} }, "subject", "a family, and a network beside it"},
	{"family-mesh2-free", func(c *Certificate) { c.Subject.Table = &Table{} }, "subject", "both a table and a family"},
	{"family-mesh2-free", func(c *Certificate) { c.Subject.Relation = &Relation{} }, "subject", "both a relation and a family"},
	{"family-given-free", func(c *Certificate) { c.Subject.Family.Given.Coordinates = 0 }, "subject", "0 coordinates"},
	{"family-given-free", func(c *Certificate) { c.Subject.Family.Given.Directions = nil }, "subject", "0 directions"},
	{"family-given-free", func(c *Certificate) { c.Subject.Family.Given.Directions[1].Name = "a b" }, "subject", "direction 1"},
	{"family-mesh2-free", func(c *Certificate) {
		c.Claims = []Claim{{Claim: ClaimAcyclic, Verdict: Proved, Evidence: EvidenceNumbering, Ranks: &Ints{}}}
	}, "acyclic-cdg", "is not for a family"},
	{"family-mesh2-none", func(c *Certificate) { // from switch 0 ways lead everywhere
		c.Subject.Family.Allowed = []string{"x+>y+"}
		c.Claims = []Claim{{Claim: ClaimConnected, Verdict: Proved, Evidence: EvidenceFamilyMembers}}
	}, "connected", "no path leads from switch"},
	{"family-mesh2-free", func(c *Certificate) { c.Claims[0].Ranks = &Ints{} }, "acyclic-cdg", "0 numbers for 4 places"},
	{"family-mesh2-free", func(c *Certificate) { c.Subject.Family.Dims = 7 }, "subject", "there is no such family"},
	{"family-mesh2-free", func(c *Certificate) { c.Subject.Turns = &Turns{} }, "subject", "both a set of turns and a family"},
	{"family-mesh2-free", func(c *Certificate) { c.Subject.Network.Hosts = 1 }, "subject", "a family, and a network beside it"},

	{"protocol-numbering", func(c *Certificate) { // a plain order of waits, with a copy that waits while it holds another branch
		ranks := (*c.Claim(ClaimMessages).Ranks)[:22]
		c.Claim(ClaimMessages).Ranks = &ranks
	}, "message-deadlock-free", "22 ranks for 25 holders"},
	{"protocol-numbering", func(c *Certificate) {
		ranks := *c.Claim(ClaimMessages).Ranks
		ranks[22], ranks[23], ranks[24] = 100, 100, 100
	}, "message-deadlock-free", "waits for place"},
	{"protocol-numbering", func(c *Certificate) { c.Claim(ClaimMessages).Tables = &Ints{0} }, "message-deadlock-free", "an order of copies has no tables"},

	{"bubble", func(c *Certificate) { c.Subject.Switching, c.Subject.Premises = "saf", nil }, "", ""},
	{"bubble", func(c *Certificate) { c.Subject.Switching, c.Subject.Premises = "wormhole", nil }, "subject", "bubble with switching wormhole; want vct"},
	{"bubble", func(c *Certificate) { c.Subject.Bubbles.Kind = "bubbles" }, "subject", `bubbles of kind "bubbles"`},
	{"bubble", func(c *Certificate) { c.Subject.Bubbles.Kind = "worm-bubble" }, "subject", "want wormhole"},
	{"bubble", func(c *Certificate) { c.Subject.Bubbles.Buffer = 1 }, "subject", "in buffers of 1"},
	{"bubble", func(c *Certificate) { c.Subject.Bubbles.Packet = 0 }, "subject", "packets of 0 flits"},
	{"bubble", func(c *Certificate) { c.Subject.Bubbles.Assumed = 0 }, "subject", "taken for 0"},
	{"bubble", func(c *Certificate) { c.Subject.Bubbles.Buffer = 3 }, "deadlock-free", "an entry needs room for 4 flits, a buffer has 3"},
	{"bubble", func(c *Certificate) { c.Subject.Bubbles.Assumed = 1 }, "deadlock-free", "may take its last slot"},
	{"bubble", func(c *Certificate) { c.Subject.Bubbles.Buffer = 5 }, "", ""},
	{"bubble", func(c *Certificate) { c.Subject.Bubbles.Rings = nil }, "deadlock-free", "have the same rank"},
	{"bubble", func(c *Certificate) { c.Subject.Bubbles.Rings = Ints{5, 0, 2, 4, 6} }, "subject", "a ring of 5 VCs"},
	{"bubble", func(c *Certificate) { c.Subject.Bubbles.Rings = Ints{4, 0, 4, 2, 6} }, "subject", "does not follow VC 0"},
	{"bubble", func(c *Certificate) { c.Subject.Bubbles.Rings = append(c.Subject.Bubbles.Rings, 4, 0, 2, 4, 6) }, "subject", "in a ring already"},
	{"bubble", func(c *Certificate) { c.Subject.Bubbles.Off = Ints{8} }, "subject", "1 numbers for pairs"},
	{"bubble", func(c *Certificate) { c.Subject.Bubbles.Off = Ints{0, 2} }, "subject", "is no entry"},
	{"bubble", func(c *Certificate) { c.Subject.Bubbles.Off = Ints{8, 0} }, "deadlock-free", "a packet that enters at VC 0 may take its last slot"},
	{"bubble", func(c *Certificate) { (*c.Claims[1].Ranks)[0] = 0 }, "deadlock-free", "have the same rank and are in no common ring"},
	{"bubble", func(c *Certificate) { (*c.Claims[1].Ranks)[0] = 9 }, "deadlock-free", "VC 0 has rank 9"},
	{"bubble", func(c *Certificate) { *c.Claims[1].Ranks = (*c.Claims[1].Ranks)[1:] }, "deadlock-free", "7 ranks for 8 VCs"},
	{"bubble-critical", func(c *Certificate) { c.Subject.Bubbles.Assumed = 2 }, "deadlock-free", "no packet can ever enter"},
	{"bubble-critical", func(c *Certificate) { c.Subject.Bubbles.Packet, c.Subject.Bubbles.Buffer = 2, 2 }, "deadlock-free", "packets may fill it, of which 4 enter by the rule, which admits 7"},
	{"bubble-worm", func(c *Certificate) { c.Subject.Bubbles.Packet = 5 }, "", ""}, // each worm that waits in the ring has entered at its head
	{"bubble-worm", func(c *Certificate) { c.Subject.Bubbles.Assumed = 1 }, "", ""},
	{"bubble-worm", func(c *Certificate) { c.Subject.Bubbles.Assumed, c.Subject.Bubbles.Off = 1, Ints{8, 0} }, "deadlock-free",
		"packets may fill it, of which 3 enter by the rule, which admits 3"},
	{"bubble-run", func(c *Certificate) { *c.Claims[1].Moves = (*c.Claims[1].Moves)[:17] }, "deadlock-free", "may take VC 4"},
	{"bubble-run", func(c *Certificate) { *c.Claims[1].Moves = append(*c.Claims[1].Moves, 0) }, "deadlock-free", "no further step"},
	{"bubble-run", func(c *Certificate) { c.Subject.Bubbles.Off = nil }, "deadlock-free", "has no room for a packet that enters the ring"},
	{"bubble-run", func(c *Certificate) { c.Subject.Bubbles.Buffer = 3 }, "deadlock-free", "may take VC"},
	{"bubble-run-critical", func(c *Certificate) { c.Subject.Bubbles.Assumed = 2 }, "deadlock-free", "the ring has no room"},
	{"bubble-run-worm", func(c *Certificate) { c.Subject.Bubbles.Off = nil }, "deadlock-free", "the ring has no room"},

	{"queued-run", func(c *Certificate) { *c.Claims[1].Moves = (*c.Claims[1].Moves)[:11] }, "deadlock-free", "is not given all VCs of its path"},
	{"queued-run", func(c *Certificate) { *c.Claims[1].Moves = append(*c.Claims[1].Moves, 0) }, "deadlock-free", "has no further VC"},
	{"queued-run", func(c *Certificate) { c.Subject.Facts.Reuse = "not full" }, "deadlock-free", "the VC is not free"},
	{"queued-run", func(c *Certificate) { c.Subject.Facts.Buffers = Ints{3} }, "deadlock-free", "may take VC"},
	{"queued-run", func(c *Certificate) { c.Subject.Facts.Buffers = Ints{1} }, "deadlock-free", "the VC is not free"},
	{"queued-run", func(c *Certificate) { c.Subject.Facts.Packet = 2 }, "deadlock-free", "cannot be given VC"},
	{"queued-run", func(c *Certificate) { c.Subject.Facts.Packet = 0 }, "deadlock-free", "needs the sizes of packets and all buffers"},
	{"queued-run", func(c *Certificate) { c.Subject.Facts.Reuse = "" }, "deadlock-free", "and the reuse of VCs"},
	{"queued-run", func(c *Certificate) { c.Subject.Facts.Buffers = Ints{2, 2, 2, 0, 2, 2, 2, 2} }, "deadlock-free", "needs the sizes of packets and all buffers"},
	{"queued-run", func(c *Certificate) { c.Subject.Facts = nil }, "deadlock-free", "needs the sizes of packets and all buffers"},
	{"queued-run", func(c *Certificate) { c.Subject.Switching, c.Subject.Premises[0].Value = "vct", "vct" }, "deadlock-free", "is for wormhole switching"},
	{"queued-run-one", func(c *Certificate) { *c.Claims[1].Chosen = (*c.Claims[1].Chosen)[1:] }, "deadlock-free", "for 6 of them the chosen VC"},
	{"queued-run-one", func(c *Certificate) { (*c.Claims[1].Chosen)[0] = -1 }, "deadlock-free", "none is said to be chosen"},
	{"queued-run-one", func(c *Certificate) { (*c.Claims[1].Chosen)[0] = 10 }, "deadlock-free", "may take VC 10"},
	{"queued-run-one", func(c *Certificate) { (*c.Claims[1].Chosen)[0] = 0 }, "deadlock-free", "that is no next hop"},
	{"queued-run-one", func(c *Certificate) { (*c.Claims[1].Chosen)[1] = 11 }, "deadlock-free", "before it can ask"},
	{"queued-run-one", func(c *Certificate) {
		c.Subject.Facts.Reuse, c.Subject.Facts.Buffers = "unused", Ints{3, 1, 3, 3, 3, 3, 3, 3}
	}, "deadlock-free", "move 4: packet 3 cannot be given VC 2: the VC is not free"},
	{"queued-run-empty", func(c *Certificate) { c.Subject.Facts.Buffers = Ints{3} }, "", ""},
	{"queued-run-empty", func(c *Certificate) { (*c.Claims[1].Moves)[0] = (*c.Claims[1].Moves)[1] }, "deadlock-free", ""},

	{"gates-flit", func(c *Certificate) { (*c.Claims[1].Clear)[0] = 0 }, "deadlock-free", "may stop between VC 0 and VC 12"},
	{"gates-flit", func(c *Certificate) { (*c.Claims[1].Clear)[4] = 2 }, "deadlock-free", "may stop between VC 50 and VC 52"},
	{"gates-any", func(c *Certificate) { c.Subject.Network.Switches = nil }, "subject", "link 0: switch 0 of 0"},
	{"gates-any", func(c *Certificate) { (*c.Claims[1].Ranks)[0] = -1 }, "deadlock-free", "rank -1"},
	{"gates-any", func(c *Certificate) { (*c.Claims[1].Ranks)[0] = int32(2*len(*c.Claims[1].Ranks) + 1) }, "deadlock-free", "want 0 to"},
	{"gates-any", func(c *Certificate) { *c.Claims[1].Ranks = (*c.Claims[1].Ranks)[1:] }, "deadlock-free", "VCs between switches"},
	{"gates-any", func(c *Certificate) { (*c.Claims[1].Clear)[0] = -1 }, "deadlock-free", "clear -1"},
	{"gates-any", func(c *Certificate) { (*c.Claims[1].Clear)[0] = int32(2*len(*c.Claims[1].Clear) + 1) }, "deadlock-free", "want 0 to"},
	{"gates-any", func(c *Certificate) { *c.Claims[1].Clear = (*c.Claims[1].Clear)[1:] }, "deadlock-free", "VCs between switches"},
	{"gates-frozen", func(c *Certificate) { c.Subject.Switching = "saf" }, "subject", "gates by flit with switching saf"},
	{"gates-frozen", func(c *Certificate) { c.Subject.Gates.Packet = 0 }, "subject", "packets of 0 flits"},
	{"gates-frozen", func(c *Certificate) { c.Subject.Gates.Buffer, c.Subject.Gates.Level = 7, 0 }, "subject", "packets of 8 flits in buffers of 7"},
	{"gates-frozen", func(c *Certificate) { c.Subject.Gates.Buffer = 1<<20 + 1 }, "subject", "in buffers of 1048577"},
	{"gates-frozen", func(c *Certificate) { c.Subject.Gates.Buffer = 1 << 20 }, "deadlock-free", "can move from"},
	{"gates-frozen", func(c *Certificate) { c.Subject.Gates.Level = -1 }, "subject", "level -1"},
	{"gates-frozen", func(c *Certificate) { c.Subject.Gates.Level = c.Subject.Gates.Buffer }, "subject", "level 15"},
	{"gates-frozen", func(c *Certificate) { c.Subject.Gates.VCs = "x" }, "subject", "want own, any or all"},
	{"gates-frozen", func(c *Certificate) { c.Subject.Gates.Weights = nil }, "subject", "0 bits"},
	{"gates-frozen", func(c *Certificate) { c.Subject.Gates.Weights = make([]int64, 20+1) }, "subject", "bits, closed above 0"},
	{"gates-frozen", func(c *Certificate) { c.Subject.Gates.Most = -1 }, "subject", "closed above -1"},
	{"gates-frozen", func(c *Certificate) { c.Subject.Gates.Weights[0] = -1 }, "subject", "bit 0 has weight -1"},
	{"gates-frozen", func(c *Certificate) { c.Subject.Gates.Weights[1] = 1<<56 + 1 }, "subject", "bit 1 has weight"},
	{"gates-frozen", func(c *Certificate) { c.Subject.Gates.Weights[1] = 1 << 56 }, "", ""},
	{"gates-frozen", func(c *Certificate) { c.Subject.Gates.Axis = c.Subject.Gates.Axis[1:] }, "subject", "7 axes"},
	{"gates-frozen", func(c *Certificate) { c.Subject.Gates.Ahead = c.Subject.Gates.Ahead[1:] }, "subject", "7 channels ahead"},
	{"gates-frozen", func(c *Certificate) { c.Subject.Gates.Axis[0] = -1 }, "subject", "channel 0 has axis -1"},
	{"gates-frozen", func(c *Certificate) { c.Subject.Gates.Ahead[0] = -2 }, "subject", "ahead is -2"},
	{"gates-frozen", func(c *Certificate) { c.Subject.Gates.Ahead[0] = 8 }, "subject", "ahead is 8"},
	{"gates-frozen", func(c *Certificate) { c.Subject.Gates.Ahead[0] = 0 }, "subject", "channel 0 is not ahead of channel 0"},
	{"gates-frozen", func(c *Certificate) { c.Subject.Gates.Exempt = Ints{-1} }, "subject", "VC -1, exempt number 0"},
	{"gates-frozen", func(c *Certificate) { c.Subject.Gates.Exempt = Ints{1 << 20} }, "subject", "VC 1048576, exempt number 0"},
	{"gates-frozen", func(c *Certificate) {
		c.Subject.Gates.Exempt = Ints{int32(c.Subject.Network.VCs) * int32(len(c.Subject.Network.Links)/2)}
	}, "subject", "exempt number 0"},
	{"gates-frozen", func(c *Certificate) { c.Subject.Gates.Exempt = Ints{1, 1} }, "subject", "VC 1, exempt number 1"},

	{"product", func(c *Certificate) {
		c.Claims = []Claim{{Claim: ClaimAcyclic, Verdict: Proved, Evidence: EvidenceNumbering, Ranks: &Ints{}}}
	}, "acyclic-cdg", "is not for a product"},
	{"product", func(c *Certificate) {
		l := &c.Subject.Product.Lines[1]
		l.Claims = append(l.Claims[:2:2], l.Claims[3])
		c.Claims = append(c.Claims[:2:2], c.Claims[3])
	}, "livelock-free", "line 1 is not proved connected"},
	{"product", func(c *Certificate) { c.Subject.Product.Hosts = math.MaxInt32 }, "subject", "more than 2147483647 endpoints"},
	{"product", func(c *Certificate) { c.Subject.Product.Hosts = 0 }, "subject", "0 endpoints per switch"},
	{"product", func(c *Certificate) { c.Subject.Network = Network{Switches: []string{"a"}, Links: Ints{0}} }, "subject", "a product, and a network beside it"},
	{"product", func(c *Certificate) { c.Subject.Network = Network{Endpoints: []string{"a"}, Attach: Ints{0}} }, "subject", "a product, and a network beside it"},
	{"product", func(c *Certificate) { c.Subject.Product.Lines = nil }, "subject", "a product of 0 lines"},
	{"product", func(c *Certificate) { c.Subject.Product.Lines[1].Network.VCs = 2 }, "subject", "line 1 has 2 VCs, line 0 has 1"},
	{"product", func(c *Certificate) { c.Claims = c.Claims[1:] }, "deadlock-free", "rests on"},
	{"product-refuted", func(c *Certificate) { c.Subject.Product.Lines = c.Subject.Product.Lines[1:] }, "acyclic-cdg", "proved for 1 and refuted for 0"},

	{"packing", func(c *Certificate) { p := c.Claims[2].Packing; p.Weights, p.Cycles = Ints{2520}, Ints{2, 0, 1} }, "lower-bound", "from VC 0 to VC 1 is no turn"},
	{"packing", func(c *Certificate) { p := c.Claims[2].Packing; p.Weights, p.Cycles = Ints{2520}, Ints{1, 0} }, "lower-bound", "its length"},
	{"packing", func(c *Certificate) { p := c.Claims[2].Packing; p.Cycles = append(p.Cycles, 2, 0, 1) }, "lower-bound", "3 numbers after the last cycle"},
	{"closed", func(c *Certificate) { c.Subject.Turns.Closed = &Ints{} }, "subject", "the list of closed VCs is empty"},
	{"closed", func(c *Certificate) { c.Subject.Turns.Closed = &Ints{0} }, "subject", "uses a closed VC"},
	{"packing", func(c *Certificate) { c.Claims[2].Packing.Weights[0] = 0 }, "lower-bound", "cycle 0: weight 0"},
	{"packing", func(c *Certificate) { c.Claims[2].Packing.Denominator = 1<<20 + 1 }, "lower-bound", "denominator 1048577"},
	{"packing-both", func(c *Certificate) { p := c.Claims[2].Packing; p.Cycles = append(p.Cycles[:5:5], p.Cycles[:5]...) }, "lower-bound", "exceed the denominator"},
	{"packing-both", func(c *Certificate) { // the same square the other way round
		p := c.Claims[2].Packing
		p.Cycles = append(p.Cycles[:5:5], 4, p.Cycles[4]^1, p.Cycles[3]^1, p.Cycles[2]^1, p.Cycles[1]^1)
	}, "lower-bound", "exceed the denominator"},
	{"packing-both", func(c *Certificate) { // a turn and its reverse in one cycle are prohibited together, so count once
		bound := int64(2)
		c.Claims = append(c.Claims[:2:2], Claim{Claim: ClaimLowerBound, Verdict: Proved, Evidence: EvidencePackingBoth, Bound: &bound,
			Packing: &Packing{Denominator: 1, Weights: Ints{1}, Cycles: Ints{14, 4, 7, 8, 12, 11, 5, 1, 2, 6, 10, 13, 9, 3, 0}}})
	}, "", ""},
	{"packing-both", func(c *Certificate) {
		n := c.Subject.Turns.Next
		c.Subject.Turns.Next, c.Claims = append(Ints{0}, n[1+n[0]:]...), c.Claims[2:]
	}, "lower-bound", "its reverse is not"},
	{"turns: ring 4, 2 VCs, none", func(c *Certificate) {
		bound := int64(1)
		c.Claims = []Claim{{Claim: ClaimLowerBound, Verdict: Proved, Evidence: EvidencePacking, Bound: &bound, Packing: &Packing{Denominator: 1, Weights: Ints{1}, Cycles: Ints{4, 0, 4, 8, 12}}}}
	}, "lower-bound", "2 VCs per channel; a packing needs 1"},
	{"turns: ring 4, 2 VCs, none", func(c *Certificate) {
		bound := int64(2)
		c.Claims = []Claim{{Claim: ClaimLowerBound, Verdict: Proved, Evidence: EvidenceGossip, Bound: &bound}}
	}, "lower-bound", "2 VCs per channel; the theorem needs 1"},
	{"turns: ring 4, 2 VCs, none", func(c *Certificate) {
		bound := int64(2)
		c.Claims = []Claim{{Claim: ClaimLowerBound, Verdict: Proved, Evidence: EvidenceGossipBoth, Bound: &bound}}
	}, "lower-bound", "2 VCs per channel; want 1"},
	{"turns: ring 4, 2 VCs, none", func(c *Certificate) {
		c.Claims = []Claim{{Claim: ClaimUnroutable, Verdict: Proved, Evidence: EvidenceNoSet, Steps: &Ints{0, 0}}}
	}, "unroutable", "2 VCs per channel; want 1"},
	{"closed", func(c *Certificate) {
		bound := int64(4)
		c.Claims = []Claim{{Claim: ClaimLowerBound, Verdict: Proved, Evidence: EvidenceGossip, Bound: &bound}}
	}, "lower-bound", "some VCs are closed"},
	{"closed", func(c *Certificate) { c.Subject.Turns.Closed = &Ints{} }, "subject", "the list of closed VCs is empty"},
	{"closed", func(c *Certificate) {
		c.Claims[1].Evidence, c.Claims[1].Tree = EvidenceTurnTree, &Ints{0, -1, 5, 10, 7, 13}
	}, "connected", "VC 0, or its reverse, is closed"},
	{"closed", func(c *Certificate) {
		c.Claims[1].Evidence, c.Claims[1].Tree = EvidenceTurnTree, &Ints{-1, 1, 5, 10, 7, 13}
	}, "connected", "VC 1, or its reverse, is closed"},
	{"gossip", func(c *Certificate) { // two rings of two switches each, by double links
		c.Subject.Network.Links = Ints{0, 1, 1, 1, 0, 2, 1, 2, 2, 1, 3, 1, 2, 2, 3, 2, 4, 1, 5, 1, 4, 2, 5, 2, 4, 3, 5, 3}
		c.Subject.Turns.Next = make(Ints, 14)
		c.Claims = c.Claims[2:]
	}, "lower-bound", "6 switches that links do not connect"},
	{"gossip", func(c *Certificate) { // two switches with two links
		c.Subject.Network = Network{VCs: 1, Switches: []string{"a", "b"}, Links: Ints{0, 1, 1, 1, 0, 2, 1, 2}, Endpoints: []string{"x", "y"}, Attach: Ints{0, 3, 1, 3}, Hosts: 2}
		c.Subject.Turns.Next, c.Claims = Ints{0, 0, 0, 0}, c.Claims[2:]
		*c.Claims[0].Bound = 2
	}, "", ""},
	{"gossip", func(c *Certificate) { // with one
		c.Subject.Network = Network{VCs: 1, Switches: []string{"a", "b"}, Links: Ints{0, 1, 1, 1}, Endpoints: []string{"x", "y"}, Attach: Ints{0, 3, 1, 3}, Hosts: 2}
		c.Subject.Turns.Next, c.Claims = Ints{0, 0}, c.Claims[2:]
		*c.Claims[0].Bound = 0
	}, "lower-bound", "a bound of 0, not 0"},
	{"gossip", func(c *Certificate) { // no network
		c.Subject.Network, c.Subject.Turns.Next, c.Claims = Network{VCs: 1}, Ints{}, c.Claims[2:]
	}, "lower-bound", "0 switches that links do not connect"},
	{"refutation", func(c *Certificate) { *c.Claims[2].Bound = 1 }, "lower-bound", "the packing alone shows a bound of 1"},
	{"refutation", func(c *Certificate) { *c.Claims[2].Bound = 1<<24 + 1 }, "lower-bound", "a bound of 16777217"},
	{"refutation", func(c *Certificate) { *c.Claims[2].Bound = 0 }, "lower-bound", "a bound of 0"},
	{"refutation", func(c *Certificate) { *c.Claims[2].Steps = Ints{1, 0, 0} }, "lower-bound", "step 0: switches are missing"},
	{"refutation", func(c *Certificate) { *c.Claims[2].Steps = Ints{} }, "lower-bound", "the last step is not"},
	{"refutation", func(c *Certificate) { s := c.Claims[2].Steps; *s = (*s)[:5] }, "lower-bound", "the last step is not a clause without literals"},
	{"refutation", func(c *Certificate) { s := c.Claims[2].Steps; *s = append((*s)[:5:5], *s...) }, "lower-bound", "step 0: no later step names it"},
	{"refutation-both", func(c *Certificate) { *c.Claims[2].Bound = 7 }, "lower-bound", "a bound of 7"},
	{"refutation-both", func(c *Certificate) { *c.Claims[2].Bound = 10 }, "lower-bound", "do not exceed the budget"},
	{"no-set", func(c *Certificate) { *c.Claims[2].Steps = Ints{2, 1, 1} }, "unroutable", "a budget without a claimed bound"},

	{"messages-shared", func(c *Certificate) {
		p := &c.Claims[4].Packets[0]
		p.Path = p.Path[:len(p.Path)-2]
	}, "message-deadlock-free", "not at its destination"},
	{"messages-shared", func(c *Certificate) {
		c.Claims[4].Packets[0], c.Claims[4].Packets[1] = c.Claims[4].Packets[1], c.Claims[4].Packets[0]
	}, "message-deadlock-free", "not in order"},
	{"messages", func(c *Certificate) { c.Claims = c.Claims[2:] }, "message-deadlock-free", "rests on"},
	{"messages-deadlocked", func(c *Certificate) { c.Claims = c.Claims[2:] }, "message-deadlock-free", "rests on"},

	{"ring 4, line", func(c *Certificate) {
		c.Claims = []Claim{{Claim: ClaimAcyclic, Verdict: Proved, Evidence: EvidenceLines}}
	}, "acyclic-cdg", `"lines" is not for a table`},
	{"ring 4, line", func(c *Certificate) {
		c.Claims = []Claim{{Claim: ClaimDeadlockFree, Verdict: Proved, Evidence: EvidenceEscape, Ranks: &Ints{}, Escape: &Ints{}}}
	}, "deadlock-free", "an escape needs a relation, not a table"},
	{"ring 4, clockwise", func(c *Certificate) {
		p := &c.Claims[1].Packets[0]
		p.Path = p.Path[:2]
	}, "deadlock-free", "which is not between switches"},
	{"ring 4, clockwise", func(c *Certificate) {
		p := &c.Claims[0].Packets[0]
		p.Path = p.Path[:2]
	}, "acyclic-cdg", "has passed one VC only"},
	{"ring 4, clockwise", func(c *Certificate) {
		p := c.Claims[1].Packets
		p[0], p[1] = p[1], p[0]
	}, "deadlock-free", "packet 1 waits on VC 0, which does not come after VC 2"},
	{"ring 4, clockwise", func(c *Certificate) {
		c.Claims[0].Packets = append(c.Claims[0].Packets, c.Claims[0].Packets...)
	}, "acyclic-cdg", "twice"},
	{"ring 4, clockwise", func(c *Certificate) {
		c.Claims[1] = Claim{Claim: ClaimDeadlockFree, Verdict: Proved, Evidence: EvidenceAcyclic}
	}, "deadlock-free", "rests on acyclic-cdg, which the certificate does not prove"},
	{"ring 4, line", func(c *Certificate) {
		c.Claims = []Claim{{Claim: ClaimLowerBound, Verdict: Proved, Evidence: EvidenceGossip, Bound: new(int64)}}
	}, "lower-bound", "evidence"},
	{"ring 4, line", func(c *Certificate) { // packets to host 0 go to and fro
		c.Subject.Table.Ports[1], c.Claims = 1, c.Claims[3:]
	}, "livelock-free", "a packet to destination 0 can come back"},
	{"ring 4, line", func(c *Certificate) { c.Subject.Network.VCs, c.Claims = 16, c.Claims[2:4] }, "", ""},
	{"ring 4, line", func(c *Certificate) { c.Subject.Table.VCRowOf = new(Ints) }, "subject", "one without the other"},
	{"ring 4, line, no class from 1 to 3", func(c *Certificate) { // class 15 is dropped
		(*c.Subject.Table.Classes)[3*4+1] = 1 << 15
		c.Claims = []Claim{{Claim: ClaimConnected, Verdict: Proved, Evidence: EvidenceWalk, Pairs: c.Claims[2].Pairs}}
	}, "connected", "packets of 1 of 12 pairs can get lost"},
	{"ring 4, line, no class from 1 to 3", func(c *Certificate) { // the longest path
		c.Claims[2].End, c.Claims[2].Packets = EndLooping, []Packet{{Source: 0, Destination: 3, Path: Ints{8, 0}}}
	}, "connected", "the packet is not lost at VC 8"},
	{"relation: adaptive over two VCs, escape without the last link", func(c *Certificate) {
		x := c.Subject.Relation.States
		for i := 0; i < len(x); i += 4 + 2*int(x[i+3]) {
			if x[i] == 1 && x[i+1] == 16 { // where host 0 sends to host 1
				x[i+5] = 1
			}
		}
	}, "subject", "states lack VC 0 with class 1, to destination 1, a next hop of VC 16 with class 0"},
	{dateline, func(c *Certificate) { (*c.Subject.Table.VCRows)[3] = -1 }, "subject", "VC -1"},
	{dateline, func(c *Certificate) { r := *c.Subject.Table.VCRows; copy(r[16:], r[:16]) }, "subject", "row 1 is not greater"},
	{dateline, func(c *Certificate) {
		for i := range *c.Subject.Table.VCRowOf {
			(*c.Subject.Table.VCRowOf)[i] = 1
		}
	}, "subject", "row 0 is not used"},
	{dateline, func(c *Certificate) {
		c.Claims = append(c.Claims[:3], Claim{Claim: ClaimLivelockFree, Verdict: Refuted, Evidence: EvidenceLoop, Packets: []Packet{{Source: 3, Destination: 0, Path: Ints{22, 0}}}})
	}, "livelock-free", "host 3 may not send to destination 0 with class 0"},
	{"ring 4, line", func(c *Certificate) { // host 4 at switch 0, too, whose packets to host 0 go away
		n, t := &c.Subject.Network, c.Subject.Table
		n.Hosts, n.Endpoints, n.Attach = 5, append(n.Endpoints, "h4"), append(n.Attach, 0, 4)
		t.Sources, t.Ports[0] = 5, 1
		c.Claims = []Claim{{Claim: ClaimAcyclic, Verdict: Proved, Evidence: EvidenceNumbering, Ranks: &Ints{7, 6, 5, 4, 3, 2, 1, 0}}}
	}, "acyclic-cdg", "a packet from host 4 to destination 0"},
	{"relation: this way or that", func(c *Certificate) { c.Subject.Relation.Sources, c.Subject.Relation.Inject = -1, Ints{} }, "subject", "-1 sources among 4 endpoints"},
	{"relation: this way or that", func(c *Certificate) { c.Subject.Relation.Sources = 5 }, "subject", "5 sources among 4 endpoints"},
	{"relation: this way or that", func(c *Certificate) {
		c.Claims[3] = Claim{Claim: ClaimLivelockFree, Verdict: Proved, Evidence: EvidenceLongest, Hops: new(int64)}
	}, "livelock-free", "can come back"},
	{"ring 4, to and fro between 1 and 2", func(c *Certificate) {
		c.Claims[3] = Claim{Claim: ClaimLivelockFree, Verdict: Proved, Evidence: EvidenceLongest, Hops: new(int64)}
	}, "livelock-free", "a packet to destination 3 can come back"},
	{"ring 4, to and fro between 1 and 2", func(c *Certificate) {
		c.Claims[2].Packets = []Packet{{Source: 0, Destination: 1, Path: Ints{8, 0, 0, 0, 13, 0}}}
	}, "connected", "the packet is arrived at VC 13"},
	{"ring 4, to and fro between 1 and 2", func(c *Certificate) {
		c.Claims[2].Packets = []Packet{{Source: 0, Destination: 1, Path: Ints{8, 0, 0, 0}}}
	}, "connected", "the packet is not lost at VC 0"},
}

// TestKeptRejects holds messages against these changes.
func TestKeptRejects(t *testing.T) {
	t.Parallel()
	told := map[string]*Certificate{}
	for _, s := range stories {
		told[s.name] = certify(s.subject())
	}
	for _, bad := range keptRejects {
		c := told[bad.of]
		if c == nil {
			c = kept(t, bad.of)
		}
		m := clone(c)
		bad.change(m)
		err := Check(m)
		var no *Rejection
		switch {
		case bad.why == "" && err == nil:
		case !errors.As(err, &no):
			t.Errorf("%s: want %q, error %v", bad.of, bad.why, err)
		case no.Claim != bad.claim || !strings.Contains(no.Reason, bad.why):
			t.Errorf("%s: error %q about %s, want %q about %s", bad.of, err, no.Claim, bad.why, bad.claim)
		}
	}
}
