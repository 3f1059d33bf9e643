package opensm

import (
	"encoding/binary"
	"fmt"
	"net"
	"os"
	"runtime"
	"strings"
	"testing"
)

// fakeSimulator is an ibsim that answers queries for path records with the level of a function. It knows the same offsets, written as
// numbers.
func fakeSimulator(t *testing.T, socket string, answer func(mad []byte)) {
	t.Helper()
	listen := func(name string) *net.UnixConn {
		c, err := net.ListenUnixgram("unixgram", address(socket+name))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = c.Close() })
		return c
	}
	ctl, out := listen(":ctl"), listen(":out7")
	go func() {
		text := make([]byte, 80)
		for {
			_, from, err := ctl.ReadFromUnix(text)
			if err != nil {
				return
			}
			if binary.NativeEndian.Uint32(text) != 0xdeadbeef {
				continue
			}
			switch binary.NativeEndian.Uint32(text[8:]) {
			case 1:
				binary.NativeEndian.PutUint32(text[16:], 7)
			case 8:
				copy(text[16+18:], []byte{0, 9})
			}
			from.Name += "\x00" // which Go leaves out
			_, _ = ctl.WriteToUnix(text, from)
		}
	}()
	go func() {
		text := make([]byte, 288)
		for {
			k, from, err := out.ReadFromUnix(text)
			if err != nil {
				return
			}
			if k == 288 && text[1] == 9 && text[11] == 1 {
				answer(text[32:])
			}
			from.Name += "\x00"
			_, _ = out.WriteToUnix(text, from)
		}
	}()
}

// TestLevel asks a simulator that is not ibsim. The level is the sum of the LIDs.
func TestLevel(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the abstract namespace of sockets is that of Linux")
	}
	socket := fmt.Sprintf("turnproof-test-%d", os.Getpid())
	fakeSimulator(t, socket, func(mad []byte) {
		to, from := mad[56+41], mad[56+43]
		if mad[55] != 0x30 || mad[17] != 0x35 || mad[1] != 3 || mad[2] != 2 || mad[3] != 1 {
			mad[5] = 99 // a wrong query
		}
		mad[3], mad[56+53] = 0x81, 0xa0|(to+from)
		switch to {
		case 8:
			mad[3] = 1
		case 9:
			mad[4] = 4
		case 10:
			mad[56+43]++
		case 11:
			mad[4] = 3
		}
	})
	c, err := dial(socket, 1)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	for to := range uint16(8) {
		if sl, err := c.level(3, to); err != nil || sl != int(3+to) {
			t.Errorf("level of 3 to %d: %d, %v", to, sl, err)
		}
	}
	for to, want := range map[uint16]string{8: "cannot deliver", 9: "status 0x0400", 10: "other LIDs", 11: "no path record"} {
		if _, err := c.level(3, to); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("LID %d: %v, want %q", to, err, want)
		}
	}
	if _, err := dial("turnproof-test-none", 1); err == nil {
		t.Error("a simulator that does not run is connected")
	}
}
