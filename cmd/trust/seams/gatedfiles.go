package seams

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/turnproof/turnproof/cmd/trust/seams/states"
	"github.com/turnproof/turnproof/internal/wording"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/gate"
	"github.com/turnproof/turnproof/synth/resolve"
	"github.com/turnproof/turnproof/verify/cert"
)

// This file compares verdicts of gates on configurations of BookSim 2 with all states. The router of such a line gives a packet a VC that no
// other packet is entering and that has room for all of it. It is searched flit by flit if gates look at single flits or stop them.

// gatedTime bounds the time of a verdict.
const gatedTime = time.Second

// gatedFile is a drawn configuration with gates.
type gatedFile struct {
	line   *Line
	packet int
	buffer int
}

// gatedFileLine draws a small configuration with gates.
func gatedFileLine(r drawer) *gatedFile {
	x := &gatedFile{packet: r.between(1, 4)}
	x.buffer = r.between(x.packet, 2*x.packet)
	k, n := choose(r, []weighted[int]{{2, 2}, {5, 3}, {4, 4}}), 1
	if r.chance(35) {
		k, n = 2, 2
	}
	if r.chance(5) {
		k, n = 3, 2
	}
	topology := pick(r, "mesh", "torus", "torus")
	vcs := choose(r, []weighted[int]{{5, 1}, {6, 2}, {1, 3}, {2, 4}})
	keys := []string{"topology = " + topology, fmt.Sprintf("k = %d", k), fmt.Sprintf("n = %d", n), fmt.Sprintf("num_vcs = %d", vcs)}
	byFile, byName := gatedRoutings(topology == "torus", n, vcs)
	isNamed := len(byFile) == 0 || r.chance(40)
	if len(byFile) == 0 {
		byFile = []string{"dim_order"}
	}
	byFile = []string{pick(r, byFile...)}
	keys = append(keys, "routing_function = "+byFile[0])
	size, room := x.packet, x.buffer
	x.line = &Line{Network: folderMark + "bs.cfg", Kind: []string{"BookSim configuration"}}
	if r.chance(10) { // flags come before the file
		x.line.add("packet", fmt.Sprint(x.packet))
		x.line.add("buffer", fmt.Sprint(x.buffer))
		size, room = r.between(1, 4), r.between(1, 8)
	}
	keys = append(keys, fmt.Sprintf("packet_size = %d", size), fmt.Sprintf("vc_buf_size = %d", room))
	if r.chance(10) {
		keys = append(keys, "vc_busy_when_full = 1")
	}
	if vcs%2 == 0 && !isNamed && topology == "mesh" && strings.HasPrefix(byFile[0], "d") && r.chance(20) {
		keys = append(keys, requests(vcs, size)...)
	}
	x.line.Files = map[string]string{"bs.cfg": strings.Join(keys, ";\n") + ";\n"}
	if isNamed {
		x.line.add("routing", pick(r, byName...))
	}
	text := smallGate(r, x.buffer)
	if word, _ := x.line.value("routing"); word == "duato" && r.chance(30) {
		text += ",exempt=escape"
	}
	x.line.add("gate", text)
	if hosts := pow(k, n); r.chance(45) {
		x.line.add("flows", someFlows(r, hosts))
	}
	return x
}

// gatedRoutings returns routing functions of files, and names of routings, that exist on a network.
func gatedRoutings(isTorus bool, n, vcs int) (byFile, byName []string) {
	byName = []string{"dor", "minimal", "minimal", "updown"}
	switch {
	case isTorus && vcs == 1:
		return nil, byName
	case isTorus && vcs > 2:
		return []string{"dim_order", "dim_order_bal"}, append(byName, "duato", "duato")
	case isTorus:
		return []string{"dim_order", "dim_order_bal"}, byName
	}
	if byFile = []string{"dim_order", "dor"}; n == 2 {
		byName = append(byName, "west-first")
	}
	if vcs > 1 {
		byFile, byName = append(byFile, "min_adapt"), append(byName, "fully-adaptive", "duato")
	}
	if vcs%2 == 0 {
		byFile = append(byFile, "xy_yx", "adaptive_xy_yx")
	}
	return byFile, byName
}

// requests returns keys that send requests and replies of one length on halves of the VCs.
func requests(vcs, size int) (keys []string) {
	keys = []string{"use_read_write = 1"}
	for i, class := range []string{"read_request", "write_request", "read_reply", "write_reply"} {
		first := i / 2 * vcs / 2
		keys = append(keys, fmt.Sprintf("%s_begin_vc = %d", class, first), fmt.Sprintf("%s_end_vc = %d", class, first+vcs/2-1),
			fmt.Sprintf("%s_size = %d", class, size))
	}
	return keys
}

// smallGate draws a gate that small buffers close.
func smallGate(r drawer, buffer int) string {
	text := []string{pick(r, "injection", "injection", "turn", "both", "both"), fmt.Sprintf("level=%d", r.IntN(buffer)),
		fmt.Sprintf("hops=%d", r.between(1, 4))}
	for _, key := range []struct {
		percent int
		text    string
	}{
		{60, "unit=" + pick(r, "flit", "packet")}, {40, "f=" + pick(r, "f1", "f1:2>0", "f2:0.5>1", "f3:0.5>0.6", "f4:16>1", "f4:2>1")},
		{40, "vcs=" + pick(r, "own", "any", "all")}, {40, "buffer=" + pick(r, "stored", "reserved")}, {20, "within=row"},
	} {
		if r.chance(key.percent) {
			text = append(text, key.text)
		}
	}
	return strings.Join(text, ",")
}

// someFlows draws pairs of hosts.
func someFlows(r drawer, hosts int) string {
	var list []string
	for range r.between(2, 2*hosts) {
		if a, b := r.IntN(hosts), r.IntN(hosts); a != b {
			list = append(list, fmt.Sprintf("h%d:h%d", a, b))
		}
	}
	if len(list) == 0 {
		return "h0:h1"
	}
	slices.Sort(list)
	return strings.Join(slices.Compact(list), ",")
}

// gatedAnswer is the verdict on a drawn configuration, and those of the searches.
type gatedAnswer struct {
	said  string // verdict, evidence and result of the search, or the reason of a refusal
	wrong string
	run   string // to stuck packets
}

// judge runs check, and searches all states. It needs an empty folder.
func (x *gatedFile) judge(ctx context.Context, dir string, budget int) (one gatedAnswer, err error) {
	if err := x.line.write(dir); err != nil {
		return one, err
	}
	file := filepath.Join(dir, "line.cert")
	short, stop := context.WithTimeout(ctx, gatedTime)
	defer stop()
	o := run(short, x.line.words("check", dir, takesAll, []Option{{"json", ""}, {"certificate", file}}))
	switch text := crash(o, 3); {
	case o.isLate:
		one.said = "too slow"
		return one, nil
	case text != "":
		one.wrong = text
		return one, nil
	case o.code == 2:
		one.said = "refused: " + details.ReplaceAllString(strings.TrimPrefix(lastLine(o.err), "turnproof: "), "…")
		return one, nil
	}
	a, err := readAnswer(o.out)
	if err != nil {
		return one, err
	}
	c := a.claim("deadlock-free")
	if one.said = c.Verdict; c.Verdict == "undecided" {
		return one, nil
	}
	if text := x.premiseFault(a, c); text != "" {
		one.wrong = text
		return one, nil
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return one, err
	}
	proof, err := cert.Read(bytes.NewReader(text))
	if err != nil {
		return one, err
	}
	one.said += " by " + evidenceOf(proof)
	return one, x.compare(ctx, dir, budget, proof.Claim(cert.ClaimDeadlockFree), &one)
}

// premiseFault returns what is wrong with the premises about switching and sizes, or "".
func (x *gatedFile) premiseFault(a *answer, c *claim) string {
	sizes := fmt.Sprintf("all packets have %s, and a buffer has room for %d", wording.Count(x.packet, "flit", "s"), x.buffer)
	has := func(name, value string) bool {
		return slices.ContainsFunc(a.Premises, func(p premise) bool { return p.Name == name && strings.HasPrefix(p.Value, value) })
	}
	switch {
	case a.isAcyclic() && len(c.Premises) == 0:
		return ""
	case !has(model.PremiseSwitching, "vct"):
		return "the premises do not say vct"
	case !has("packet and buffer", sizes):
		return "the premises do not say: " + sizes
	}
	return ""
}

// compare compares a claim with all states.
func (x *gatedFile) compare(ctx context.Context, dir string, budget int, claim *cert.Claim, one *gatedAnswer) error {
	in, err := resolve.Load(ctx, x.line.request(dir))
	if err != nil {
		return err
	}
	text, _ := x.line.value("gate")
	rule, err := gate.Parse(text)
	if err != nil {
		return err
	}
	o := states.Options{Switching: model.CutThrough, Packets: []int{x.packet}, Buffer: x.buffer, Reuse: states.WhenRoom, Gate: &rule}
	list := []states.Options{o}
	if claim.Verdict == cert.Proved && claim.Evidence != cert.EvidenceGatedStates {
		o.Late = true
		list = append(list, o)
	}
	for _, o := range list {
		c, err := states.Convert(in.Rel, o)
		if err != nil {
			return err
		}
		found, err := states.Search(ctx, *c, states.Limits{States: budget})
		if err != nil {
			return err
		}
		one.said += ", " + string(found.Verdict)
		switch {
		case claim.Verdict == cert.Proved && found.Verdict == states.Stuck:
			one.wrong, one.run = fmt.Sprintf("PROVED, but %d packets get stuck (late control: %v)", found.Packets, o.Late), strings.Join(found.Run, "\n")
			return nil
		case claim.Verdict == cert.Refuted && found.Verdict == states.Free:
			one.wrong = "REFUTED, but no state has stuck packets"
			return nil
		}
		if claim.Verdict == cert.Refuted {
			var steps []int32
			if claim.Steps != nil {
				steps = *claim.Steps
			}
			fault, isKnown := readPlaced(in.Rel, c.Gates, x.packet, x.buffer, claim).fault(steps, budget)
			if one.said += ", placed"; !isKnown {
				one.said += " unknown"
			} else if fault != "" {
				one.wrong = "REFUTED, but " + fault
			}
		}
	}
	return nil
}
