package main

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/turnproof/turnproof/verify/cert"
)

// certificate returns a proof for two hosts at one switch, made from network.
func certificate(t *testing.T, network string, claimed int64) []byte {
	t.Helper()
	sum, ranks, pairs, hops := sha256.Sum256([]byte(network)), cert.Ints{}, claimed, int64(1)
	c := &cert.Certificate{
		Schema: cert.Schema,
		Subject: cert.Subject{
			Switching: "vct",
			Network: cert.Network{VCs: 1, Switches: []string{"s"}, Endpoints: []string{"a", "b"},
				Attach: cert.Ints{0, 1, 0, 2}, Hosts: 2},
			Table:  &cert.Table{Sources: 2, Destinations: cert.Ints{0, 1}, LIDs: cert.Ints{1, 2}, Ports: cert.Ints{1, 2}},
			Inputs: []cert.Input{{Name: "one.net", SHA256: hex.EncodeToString(sum[:])}},
		},
		Claims: []cert.Claim{
			{Claim: cert.ClaimAcyclic, Verdict: cert.Proved, Evidence: cert.EvidenceNumbering, Ranks: &ranks},
			{Claim: cert.ClaimConnected, Verdict: cert.Proved, Evidence: cert.EvidenceWalk, Pairs: &pairs},
			{Claim: cert.ClaimLivelockFree, Verdict: cert.Proved, Evidence: cert.EvidenceLongest, Hops: &hops},
		},
	}
	var out bytes.Buffer
	if err := cert.Write(&out, c); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func TestRun(t *testing.T) {
	dir := t.TempDir()
	put := func(name string, text []byte) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	text := certificate(t, "network", 2)
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	if _, err := z.Write(text); err != nil || z.Close() != nil {
		t.Fatal(err)
	}
	good, gz := put("good.cert", text), put("good.cert.gz", packed.Bytes())
	short := put("short.gz", packed.Bytes()[:packed.Len()/2])
	wrong := put("wrong.cert", certificate(t, "network", 3))
	changed := put("changed.cert", bytes.Replace(text, []byte("\"a\""), []byte("\"c\""), 1))
	other := put("other.json", []byte("{\"schema\": \"turnproof.check/1\"}\n"))
	input, stranger := put("renamed.net", []byte("network")), put("one.net", []byte("another"))
	none := filepath.Join(dir, "none")
	for _, run := range []struct {
		args     string
		stdin    []byte
		status   int
		out, err string // part of the output, if not ""
	}{
		{"--help", nil, 0, "Examples:", ""},
		{good + " -", []byte("network"), 0, "file: - is one of the inputs", ""},
		{good + " -", []byte("another"), 1, "is none of its inputs", ""},
		{"- -", text, 2, "", "cannot read standard input twice"},
		{"", nil, 2, "", "no certificate given"},
		{"--loud " + good, nil, 2, "", "loud"},
		{good, nil, 0, "claim: connected proved by walk, 2 pairs", ""},
		{good, nil, 0, "accepted: digest ", ""},
		{good, nil, 0, "\"one.net\"", ""},
		{gz, nil, 0, "accepted", ""},
		{"-", text, 0, "accepted", ""},
		{"-", packed.Bytes(), 0, "accepted", ""},
		{"-", nil, 2, "", "not JSON"},
		{good + " " + input, nil, 0, "is one of the inputs", ""},
		{good + " " + input + " " + stranger, nil, 1, "is none of its inputs", ""},
		{good + " " + none, nil, 2, "", "none"},
		{wrong, nil, 1, "rejected: claim connected: 2 pairs of source and destination, not 3", ""},
		{changed, nil, 1, "rejected: file: ", ""},
		{other, nil, 2, "", "turnproof.check/1"},
		{short, nil, 2, "", "reading failed"},
		{none, nil, 2, "", "none"},
		{dir, nil, 2, "", "reading failed"},
	} {
		for _, quiet := range []string{"", " --quiet"} {
			var out, err bytes.Buffer
			status := runString(run.args+quiet, run.stdin, &out, &err)
			if status != run.status || !strings.Contains(err.String(), run.err) {
				t.Errorf("%s%s: status %d, want %d, error %q", run.args, quiet, status, run.status, &err)
			}
			if quiet == "" && !strings.Contains(out.String(), run.out) {
				t.Errorf("%s: output %q, want %q in it", run.args, &out, run.out)
			}
			if quiet != "" && out.Len() > 0 && run.args != "--help" {
				t.Errorf("%s%s: output %q", run.args, quiet, &out)
			}
		}
	}
}

// TestTurns checks that certificates of sets of turns are judged.
func TestTurns(t *testing.T) {
	pairs, ranks := int64(6), cert.Ints{0, 2, 1, 3}
	c := &cert.Certificate{
		Schema: cert.Schema,
		Subject: cert.Subject{
			Switching: "wormhole",
			Network: cert.Network{VCs: 1, Switches: []string{"s", "t", "u"}, Endpoints: []string{"a", "b", "c"},
				Links: cert.Ints{0, 1, 1, 1, 1, 2, 2, 1}, Attach: cert.Ints{0, 2, 1, 3, 2, 2}, Hosts: 3},
			Turns:  &cert.Turns{Next: cert.Ints{1, 2, 0, 0, 1, 1}}, // 0 to 2, 3 to 1
			Inputs: []cert.Input{},
		},
		Claims: []cert.Claim{
			{Claim: cert.ClaimAcyclic, Verdict: cert.Proved, Evidence: cert.EvidenceNumbering, Ranks: &ranks},
			{Claim: cert.ClaimConnected, Verdict: cert.Proved, Evidence: cert.EvidenceTurnSearch, Pairs: &pairs},
		},
	}
	for _, want := range []struct {
		status int
		out    []string
		change func()
	}{
		{1, []string{"rejected: claim acyclic-cdg: the rank of VC 3 is not below that of VC 1, which may follow it"}, func() {}},
		{0, []string{"routing: any turns of a set, 2 turns between 4 VCs", "connected proved by turn-search, 6 pairs"},
			func() { ranks = cert.Ints{0, 3, 1, 2} }},
		{0, []string{"connected proved by turn-tree, 6 pairs, a tree"}, func() {
			c.Claims[1].Evidence, c.Claims[1].Tree = cert.EvidenceTurnTree, &cert.Ints{0, 2, cert.TreeRoot}
		}},
		{1, []string{"rejected: claim connected: ", "lead on from VC 0 at switch 1, 0 may follow it"}, func() {
			c.Subject.Turns.Next = cert.Ints{0, 0, 0, 1, 1}
		}},
		{1, []string{"no path of allowed turns leads from host 0 to host 2; 1 pairs are not connected"}, func() {
			c.Claims[1].Evidence, c.Claims[1].Tree = cert.EvidenceTurnSearch, nil
		}},
		{0, []string{"connected refuted by turn-unreached, 6 pairs, 1 of them unreachable", "no-legal-path"}, func() {
			lost := int64(1)
			c.Claims[1] = cert.Claim{Claim: cert.ClaimConnected, Verdict: cert.Refuted, Evidence: cert.EvidenceTurnUnreached, Pairs: &pairs,
				Unreachable: &lost, End: cert.EndNoPath, Packets: []cert.Packet{{Source: 0, Destination: 2, Class: -1}}}
		}},
	} {
		want.change()
		var text, out, problems bytes.Buffer
		if err := cert.Write(&text, c); err != nil {
			t.Fatal(err)
		}
		status := run([]string{"-"}, &text, &out, &problems)
		for _, part := range want.out {
			if status != want.status || !strings.Contains(out.String(), part) {
				t.Errorf("status %d, want %d; output %q, want %q in it; %s", status, want.status, &out, part, &problems)
			}
		}
	}
}

func runString(args string, stdin []byte, out, err *bytes.Buffer) int {
	return run(strings.Fields(args), bytes.NewReader(stdin), out, err)
}

// oneBlock is the states of two hosts at one switch, in one block.
type oneBlock struct{}

// Each implements cert.Blocks.
func (oneBlock) Each(_ int, visit func(worker int, b *cert.Block) error) error {
	return visit(0, &cert.Block{Destinations: cert.Ints{0, 1}, VCs: cert.Ints{0, 1}, Counts: cert.Ints{1, 1}, Hops: cert.Ints{cert.Home, cert.Home}})
}

// TestList: --list writes the same claims about the same states in version 1, of certificates of both versions.
func TestList(t *testing.T) {
	dir, ranks, pairs, hops := t.TempDir(), cert.Ints{}, int64(2), int64(1)
	c := &cert.Certificate{
		Schema: cert.StreamSchema,
		Subject: cert.Subject{
			Switching: "wormhole",
			Network:   cert.Network{VCs: 1, Switches: []string{"s"}, Endpoints: []string{"a", "b"}, Attach: cert.Ints{0, 1, 0, 2}, Hosts: 2},
			Relation:  &cert.Relation{Classes: 1, Sources: 2, Destinations: cert.Ints{0, 1}},
			Inputs:    []cert.Input{},
		},
		Claims: []cert.Claim{
			{Claim: cert.ClaimAcyclic, Verdict: cert.Proved, Evidence: cert.EvidenceNumbering, Ranks: &ranks},
			{Claim: cert.ClaimConnected, Verdict: cert.Proved, Evidence: cert.EvidenceWalk, Pairs: &pairs},
			{Claim: cert.ClaimLivelockFree, Verdict: cert.Proved, Evidence: cert.EvidenceLongest, Hops: &hops},
		},
		Blocks: oneBlock{},
	}
	stream, listed, again := filepath.Join(dir, "stream.cert"), filepath.Join(dir, "listed.cert"), filepath.Join(dir, "again.cert")
	file, err := os.Create(stream)
	if err != nil {
		t.Fatal(err)
	}
	if err := cert.Write(file, c); err != nil || file.Close() != nil {
		t.Fatal(err)
	}
	call := func(status int, args ...string) string {
		t.Helper()
		var out, wrong bytes.Buffer
		if got := run(args, strings.NewReader(""), &out, &wrong); got != status {
			t.Fatalf("%v: status %d, %s%s", args, got, &out, &wrong)
		}
		return out.String() + wrong.String()
	}
	call(0, "--list", listed, stream)
	call(0, listed, "--list", again)
	if a, err := os.ReadFile(listed); err != nil || !strings.Contains(string(a), cert.Schema) {
		t.Errorf("%v\n%s", err, a)
	} else if b, err := os.ReadFile(again); err != nil || !bytes.Equal(a, b) {
		t.Errorf("%v\n%s", err, b)
	}
	read, err := cert.Read(bytes.NewReader(mustRead(t, listed)))
	if err != nil {
		t.Fatal(err)
	}
	r := read.Subject.Relation
	if !slices.Equal(r.Inject, cert.Ints{0, 1, 0, 1, 0, 0}) || !slices.Equal(r.States, cert.Ints{0, 1, 0, 1, 2, 0, 1, 0, 0, 1, 3, 0}) {
		t.Errorf("%+v", r)
	}
	if text := call(2, "--list", again, "-"); !strings.Contains(text, "cannot be standard input") {
		t.Error(text)
	}
}

func mustRead(t *testing.T, name string) []byte {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return text
}
