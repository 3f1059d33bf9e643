package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestBookSimReadWrite: a configuration with use_read_write is checked and simulated with its four
// types of messages. BookSim 2 has a mean latency of 45.94 clocks for this one and accepts 0.3020
// flits a clock and node, in 22,200 clocks with another random generator.
func TestBookSimReadWrite(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "mesh.cfg")
	const text = `topology = mesh; k = 8; n = 2; routing_function = dor; num_vcs = 4; use_read_write = 1; vc_buf_size = 8;
read_request_begin_vc = 0; read_request_end_vc = 1; write_request_begin_vc = 0; write_request_end_vc = 1;
read_reply_begin_vc = 2; read_reply_end_vc = 3; write_reply_begin_vc = 2; write_reply_end_vc = 3;
read_request_size = 1; read_reply_size = 5; write_request_size = 5; write_reply_size = 1;
injection_rate = 0.3; injection_rate_uses_flits = 1; traffic = uniform; use_noc_latency = 0;
`
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, stderr, code := turnproof(t, "check", file); code != 0 {
		t.Errorf("check: status %d: %s%s", code, out, stderr)
	}
	out, stderr, code := turnproof(t, "sim", file, "--clocks", "22200", "--json")
	if code != 0 {
		t.Fatalf("sim: status %d: %s", code, stderr)
	}
	var r struct {
		Accepted float64 `json:"accepted"`
		Mean     float64 `json:"mean_latency"`
		Messages struct {
			Classes []struct{ Name string }
		}
	}
	if err := json.Unmarshal([]byte(out), &r); err != nil {
		t.Fatal(err)
	}
	if r.Accepted < 0.297 || r.Accepted > 0.307 || r.Mean < 44.9 || r.Mean > 46.9 || len(r.Messages.Classes) != 4 {
		t.Errorf("%+v", r)
	}
	if _, stderr, code := turnproof(t, "sim", file, "--classes", "request,reply"); code != 2 {
		t.Errorf("--classes: status %d, %s", code, stderr)
	}
}

// TestBookSimReadWriteFlags: the messages of use_read_write have their own lengths and classes in every command, and hosts consume
// them. Flags that contradict that are errors.
func TestBookSimReadWriteFlags(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "mesh.cfg")
	const text = `topology = mesh; k = 4; n = 2; routing_function = dor; num_vcs = 2; use_read_write = 1; vc_buf_size = 8; injection_rate = 0.02;
read_request_begin_vc = 0; read_request_end_vc = 0; write_request_begin_vc = 0; write_request_end_vc = 0;
read_reply_begin_vc = 1; read_reply_end_vc = 1; write_reply_begin_vc = 1; write_reply_end_vc = 1;
read_request_size = 1; read_reply_size = 6; write_request_size = 1; write_reply_size = 1;
`
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, x := range []struct {
		line, text string
		code       int
	}{
		{"check mesh.cfg", "messages: requests that cause replies; hosts consume all messages (mesh.cfg, use_read_write in line 1)", 0},
		{"check mesh.cfg --classes a,b", "already has classes of messages by use_read_write; remove --classes", 2},
		{"sim mesh.cfg --clocks 500", "packets of 1 flit, replies of 1 or 6, traffic", 0},
		{"sim mesh.cfg --clocks 500 --collective 3 --check", "packets of 1 flit, replies of 1 or 6, traffic", 0},
		{"sim mesh.cfg --clocks 500 --model paper", "model paper", 0},
		{"sim mesh.cfg --clocks 500 --packet 4", "by use_read_write; remove --packet", 2},
		{"sim mesh.cfg --workload collective:kind=barrier,bytes=8", "do not apply to --workload", 2},
		{"report mesh.cfg -o " + filepath.Join(dir, "report.html"), "report.html", 0},
	} {
		t.Chdir(dir)
		stdout, stderr, code := turnproof(t, strings.Fields(x.line)...)
		if code != x.code || !strings.Contains(stdout+stderr, x.text) {
			t.Errorf("%s: status %d, %s%s", x.line, code, stdout, stderr)
		}
	}
}
