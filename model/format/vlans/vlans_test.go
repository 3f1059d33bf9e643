package vlans_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/turnproof/turnproof/internal/formattest"
	"github.com/turnproof/turnproof/internal/modeltest"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format"
	_ "github.com/turnproof/turnproof/model/format/all"
	"github.com/turnproof/turnproof/model/format/vlans"
	"github.com/turnproof/turnproof/model/topo"
	"github.com/turnproof/turnproof/model/vlan"
)

func spec(t testing.TB, text string) *model.Network {
	t.Helper()
	n, err := topo.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// A ring of four switches, each with a host at port 3.
const (
	lineVLAN = `{"id": 2, "tagged": {"0": [1], "1": [2, 1], "2": [2, 1], "3": [2]}, "untagged": {"0": [3], "1": [3], "2": [3], "3": [3]}}`
	vlanHead = `{"schema": "turnproof.vlans/1", "vlans": [`
)

// trunk returns a VLAN whose frames are untagged on a link.
func trunk(id int) string {
	return fmt.Sprintf(`{"id": %d, "tagged": {"0": [3], "1": [3], "2": [3], "3": [3]}, "untagged": {"0": [1], "1": [2]}}`, id)
}

// TestErrors: mistakes in a set of VLANs give the expected errors, for example a loop or a
// host without a VLAN.
func TestErrors(t *testing.T) {
	n := spec(t, "ring:4")
	var many []string
	for id := 1; id <= 4095; id++ {
		many = append(many, fmt.Sprintf(`{"id": %d}`, id))
	}
	for _, c := range []struct{ vlans, rest, want string }{
		{lineVLAN, ``, ""},
		{strings.Replace(lineVLAN, `"0": [1]`, `"0": [1, 2]`, 1), ``, ""}, // only one end of the link is a member
		{`{"id": 7, "tagged": {"0": [1, 2], "1": [1, 2], "2": [1, 2], "3": [1, 2]}}`, ``,
			"vlan: VLAN 7 has a loop: (3) port 1, (0) port 1, (1) port 1, (2) port 1, and back"},
		{strings.Replace(lineVLAN, `, "2": [3]`, ``, 1), ``, "h2 has no VLAN: port 3 of (2), where it is attached, belongs to none"},
		{``, ``, "the list of VLANs is missing, or empty"},
		{strings.Replace(lineVLAN, `, "2": [3]`, ``, 1), `, "sends": {"h2": {}}`, ""},
		{trunk(2) + `,` + trunk(3), `, "sends": {"h0": 2, "h1": 2, "h2": 2, "h3": 2}`,
			"the link from (0) port 1 to (1) port 2 is untagged in VLAN 2, too: frames without a tag enter one"},
		{trunk(2), ``, ""},
		{strings.Replace(trunk(2), `, "1": [2]`, ``, 1) + `,` + strings.Replace(trunk(3), `"0": [1], `, ``, 1), `, "sends": {"h0": 2, "h1": 2, "h2": 2, "h3": 2}`,
			"the link from (0) port 1 to (1) port 2 is untagged in VLAN 2 at its first end and in VLAN 3 at its second, so a frame would change its VLAN on it"},
		{strings.Join(many, ","), ``, "vlan: 4095 VLANs; want at most 4094"},
		{lineVLAN + `,` + lineVLAN, ``, "vlan: two VLANs have the identifier 2"},
		{lineVLAN + `,` + strings.Replace(lineVLAN, `2`, `3`, 1), ``, `h0 belongs to VLANs 2, 3, and "sends" does not say in which it sends`},
		{strings.Replace(lineVLAN, `"1": [2, 1]`, `"1": [2]`, 1) + `,{"id": 3}`, `, "sends": {"h1": 3}`, "h1 sends in VLAN 3, of which it is no member"},
		{lineVLAN, `, "sends": {"h1": {"h2": 5}}`, "h1 sends to h2 in VLAN 5, which there is not"},
		{lineVLAN, `, "sends": {"h1": {"h1": 2}}`, "h1 sends to itself"},
		{lineVLAN, `, "sends": {"h9": 2}`, `no host "h9" in the network (did you mean h0?)`},
		{strings.Replace(lineVLAN, `"0": [1]`, `"s0": [1]`, 1), ``, `VLAN 2: no switch "s0" in the network`},
		{strings.Replace(lineVLAN, `"0": [1]`, `"0": [1, 1]`, 1), ``, "VLAN 2: port 1 of (0) comes twice"},
		{strings.Replace(lineVLAN, `"0": [1]`, `"0": [70000]`, 1), ``, "VLAN 2: port 70000 of (0), ports are 0 to 65536"},
		{strings.Replace(strings.Replace(lineVLAN, `"0": [1]`, `"0": []`, 1), `"0": [3]`, `"0": [1, 3]`, 1), ``,
			"VLAN 2: the link from (0) port 1 to (1) port 2 is tagged at one end and untagged at the other"},
		{`{"id": 2, "tagged": {"0": [1], "0": [2]}}`, ``, `no set of VLANs: "0" occurs twice`},
		{`{"id": 2, "id": 3}`, ``, `no set of VLANs: "id" occurs twice`},
		{`{"id": 2, "ports": {}}`, ``, `no set of VLANs: unknown field "ports"`},
		{lineVLAN, `, "wiring": "12"`, "the VLANs are of a network that is wired in another way: its links have another SHA-256"},
		{lineVLAN[:30], ``, "no set of VLANs: "},
	} {
		r, _, err := format.ReadRouting(formattest.Save(t, vlanHead+c.vlans+`]`+c.rest+`}`), n, format.Options{})
		switch {
		case c.want == "" && (err != nil || r.VLANs == nil):
			t.Errorf("%s: %v", c.vlans, err)
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%.200s: %v, want %s", c.vlans+c.rest, err, c.want)
		}
	}
}

// Membership of a port in a VLAN.
const (
	outside = iota
	tagged
	untagged
	memberships
)

// passes returns the VLAN of a frame of VLAN v after it has crossed a link. It returns 0 if the
// frame is dropped, and -1 if the port at the far end is untagged in two VLANs. The ends have
// memberships by VLAN, numbered from 1.
func passes(v int, from, to [3]int) int {
	if from[v] == untagged {
		into := 0
		for w := 1; w < len(to); w++ {
			switch {
			case to[w] == untagged && into != 0:
				return -1
			case to[w] == untagged:
				into = w
			}
		}
		return into
	}
	if to[v] == outside {
		return 0
	}
	return v
}

// TestEnds compares the reader with the function passes, for all memberships of the ends of a
// link in two VLANs. If a frame changes its VLAN, the file is an error. If a frame is dropped,
// there is a warning. Otherwise the VLAN has the link, in both directions.
func TestEnds(t *testing.T) {
	n := spec(t, "line:2")
	ends := [2]model.Port{n.Link(0).APort, n.Link(0).BPort}
	hostAt := [2]model.Port{n.TailPort(n.EjectChannel(0)), n.TailPort(n.EjectChannel(1))}
	for code := range memberships * memberships * memberships * memberships {
		of := [2][3]int{{0, code % 3, code / 3 % 3}, {0, code / 9 % 3, code / 27}}
		var vlans []string
		for v := 1; v <= 2; v++ {
			ports := map[int][]string{}
			for end := range 2 {
				ports[of[end][v]] = append(ports[of[end][v]], fmt.Sprintf(`"%d": [%d]`, end, ends[end]))
			}
			for end := range 2 {
				if of[end][v] == tagged {
					ports[tagged] = slices.DeleteFunc(ports[tagged], func(s string) bool { return strings.HasPrefix(s, fmt.Sprintf(`"%d"`, end)) })
					ports[tagged] = append(ports[tagged], fmt.Sprintf(`"%d": [%d, %d]`, end, ends[end], hostAt[end]))
				} else {
					ports[tagged] = append(ports[tagged], fmt.Sprintf(`"%d": [%d]`, end, hostAt[end]))
				}
			}
			vlans = append(vlans, fmt.Sprintf(`{"id": %d, "tagged": {%s}, "untagged": {%s}}`, v, strings.Join(ports[tagged], ", "), strings.Join(ports[untagged], ", ")))
		}
		wrong, dropped := false, 0
		for v := 1; v <= 2; v++ {
			for end := range 2 {
				if of[end][v] == outside {
					continue
				}
				switch into := passes(v, of[end], of[1-end]); into {
				case v:
				case 0:
					dropped++
				default:
					wrong = true
				}
			}
		}
		// Two more errors: a port that is untagged in two VLANs, which 802.1Q does not allow, and
		// a link that is untagged at one end and tagged at the other.
		for v := 1; v <= 2; v++ {
			wrong = wrong || of[0][v] != of[1][v] && of[0][v] != outside && of[1][v] != outside
		}
		for end := range 2 {
			wrong = wrong || of[end][1] == untagged && of[end][2] == untagged
		}
		r, _, err := format.ReadRouting(formattest.Save(t, vlanHead+strings.Join(vlans, ",")+`], "sends": {"h0": 1, "h1": 1}}`), n, format.Options{})
		if (err != nil) != wrong {
			t.Errorf("%v: error %v, a frame changes its VLAN: %v", of, err, wrong)
		}
		if err == nil && (dropped > 0) != (len(r.Warnings) > 0) {
			t.Errorf("%v: %d frames are dropped, warnings %q", of, dropped, r.Warnings)
		}
	}
}

// TestNotes: a note names what is left out.
func TestNotes(t *testing.T) {
	n := spec(t, "ring:4")
	text := strings.Replace(strings.Replace(lineVLAN, `"0": [1]`, `"0": [1, 2, 9]`, 1), `}}`, `}, "static": {"1": {"h3": 2}}}`, 1)
	r, notes, err := format.ReadRouting(formattest.Save(t, vlanHead+text+`]}`), n, format.Options{})
	want := []string{
		"VLAN 2: 1 ports without a cable are left out",
		"VLAN 2: 1 static entries do not lead to their host, the first for h3 at 1 by port 2: frames are lost there",
	}
	if err != nil || !slices.Equal(notes, want) {
		t.Errorf("%v %q", err, notes)
	}
	warnings := []string{"VLAN 2: the link from (3) port 1 to (0) port 2 is left out because only one of its ports is a member; the other port is assumed to drop the frames of this VLAN"}
	if !slices.Equal(r.Warnings, warnings) {
		t.Errorf("%q", r.Warnings)
	}
	if c := r.VLANs.Next(0, 1, 3); n.TailPort(c) != 2 {
		t.Errorf("the entry is not followed: channel %d", c)
	}
	var b bytes.Buffer
	if err := vlans.Write(&b, r.VLANs); err != nil {
		t.Fatal(err)
	}
	again, _, err := vlans.Read("again", &b, n)
	if err != nil || again.Next(0, 1, 3) != r.VLANs.Next(0, 1, 3) {
		t.Errorf("written and read back, the entry is not followed (%v)", err)
	}
}

// randomVLANs draws trees, members, priorities and the VLANs in which pairs send.
func randomVLANs(t *rapid.T, n *model.Network) *vlan.Set {
	var list []vlan.VLAN
	for id := range rapid.IntRange(1, 4).Draw(t, "vlans") {
		v := vlan.VLAN{ID: 1 + 3*id, Priority: rapid.IntRange(0, 7).Draw(t, "priority")}
		for l := range model.LinkID(n.NumLinks()) {
			if !rapid.Bool().Draw(t, "link") {
				continue
			}
			if _, err := vlan.New(n, []vlan.VLAN{{ID: 1, Links: append(slices.Clone(v.Links), l)}}); err == nil {
				v.Links = append(v.Links, l)
			}
		}
		for h := range model.HostID(n.NumHosts()) {
			if id == 0 || rapid.Bool().Draw(t, "host") {
				if v.Hosts = append(v.Hosts, h); rapid.IntRange(0, 3).Draw(t, "untagged") == 0 && id == int(h)%4 {
					v.Untagged = append(v.Untagged, h)
				}
			}
		}
		list = append(list, v)
	}
	s, err := vlan.New(n, list)
	if err != nil {
		t.Fatal(err)
	}
	for h := range model.HostID(n.NumHosts()) {
		for d := range model.HostID(n.NumHosts()) {
			k := rapid.IntRange(0, s.Len()-1).Draw(t, "use")
			if h != d && s.Member(k, h) && s.Member(k, d) {
				if err := s.SetUse(h, d, k); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	return s
}

// TestWriteRead: writing and reading a set gives the same set.
func TestWriteRead(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		n := modeltest.Network(rt, 6)
		s := randomVLANs(rt, n)
		var b bytes.Buffer
		if err := vlans.Write(&b, s); err != nil {
			rt.Fatal(err)
		}
		r, notes, err := format.ReadRouting(formattest.Save(t, b.String()), n, format.Options{})
		if err != nil || len(notes) > 0 {
			rt.Fatalf("%v %q\n%s", err, notes, b.String())
		}
		var again bytes.Buffer
		if err := vlans.Write(&again, r.VLANs); err != nil || again.String() != b.String() {
			rt.Fatalf("%v\n%s\nthen\n%s", err, b.String(), again.String())
		}
		for h := range model.HostID(n.NumHosts()) {
			for d := range model.HostID(n.NumHosts()) {
				if s.Use(h, d) != r.VLANs.Use(h, d) {
					rt.Fatalf("%d to %d: VLAN %d, was %d", h, d, r.VLANs.Use(h, d), s.Use(h, d))
				}
			}
		}
	})
}

// FuzzVLANs: a set that is read can be written and read again.
func FuzzVLANs(f *testing.F) {
	n := spec(f, "ring:4")
	f.Add(vlanHead + lineVLAN + `]}`)
	f.Add(vlanHead + lineVLAN + `,{"id": 9, "priority": 3, "tagged": {"0": [2, 3], "3": [1, 3]}}], "sends": {"h0": {"h3": 9, "h1": 2}, "h3": 9}}`)
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 1<<16 {
			return
		}
		r, _, err := format.ReadRouting(formattest.Save(t, text), n, format.Options{})
		if err != nil || r.VLANs == nil {
			return
		}
		var b bytes.Buffer
		if err := vlans.Write(&b, r.VLANs); err != nil {
			t.Fatal(err)
		}
		if _, _, err := format.ReadRouting(formattest.Save(t, b.String()), n, format.Options{}); err != nil {
			t.Fatalf("%v\n%s", err, b.String())
		}
	})
}
