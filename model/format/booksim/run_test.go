package booksim

import (
	"strings"
	"testing"
)

// TestReplies: the ranges of VCs and the sizes of messages of use_read_write. A negative end
// of a range is that of BookSim's InitializeRoutingMap.
func TestReplies(t *testing.T) {
	const start = "topology = mesh; k = 4; n = 2; routing_function = dor; num_vcs = 8; use_read_write = 1; "
	const ranges = "read_request_begin_vc = 0; read_request_end_vc = 1; write_request_begin_vc = 1; write_request_end_vc = -1; " +
		"read_reply_begin_vc = -1; read_reply_end_vc = -1; write_reply_begin_vc = 6; write_reply_end_vc = 7; "
	b, _, err := parseConfig(start + ranges + "read_reply_size = 5; write_request_size = 4; write_fraction = 0.25; injection_rate = 0.1;")
	if err != nil {
		t.Fatal(err)
	}
	want := Replies{First: [4]int{0, 1, 4, 6}, Last: [4]int{1, 3, 7, 7}, Flits: [4]int{1, 4, 5, 1}, Writes: 0.25}
	if b.Unrouted != nil || b.Run.Replies == nil || *b.Run.Replies != want {
		t.Fatalf("%+v, %v", b.Run.Replies, b.Unrouted)
	}
	if r := &b.Run; r.Longest() != 5 || r.Mean() != 5 || r.Load != 0.5 || !strings.HasPrefix(r.Sizes(), "packets of 1 or 4 or 5 flits") {
		t.Errorf("longest %d, mean %v, load %v, %s", r.Longest(), r.Mean(), r.Load, r.Sizes())
	}
	for _, x := range []struct{ text, want string }{
		{"", "read_reply_begin_vc = 8, allowed are"},
		{ranges + "read_request_begin_vc = 2;", "read_request_end_vc = 1 is less than read_request_begin_vc = 2"},
		{ranges + "write_fraction = 1.5;", "write_fraction = 1.5, allowed are 0 to 1"},
		{ranges + "read_reply_size = 0;", "read_reply_size = 0, allowed are 1"},
		{ranges + "use_read_write = 2;", "use_read_write = 2, allowed are 0 to 1"},
	} {
		if _, _, err := parseConfig(start + x.text); err == nil || !strings.Contains(err.Error(), x.want) {
			t.Errorf("%q: %v, want %s", x.text, err, x.want)
		}
	}
	_, _, err = parseConfig(strings.Replace(start, "routing_function = dor", "routing_function = xy_yx", 1) + ranges)
	if err == nil || !strings.Contains(err.Error(), "dimension order only") {
		t.Errorf("xy_yx: %v", err)
	}
}
