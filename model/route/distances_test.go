package route

import (
	"testing"

	"github.com/turnproof/turnproof/model"
)

// TestOldRowsGo checks that the cache never holds more rows than its limit, and that a dropped
// row is computed again.
func TestOldRowsGo(t *testing.T) {
	made := 0
	r := newRowCache(100, 1<<40, func(v model.SwitchID) []uint32 { made++; return []uint32{uint32(v)} })
	for range 2 {
		for v := range model.SwitchID(100) {
			if got := r.to(v)[0]; got != uint32(v) || r.to(v)[0] != got {
				t.Fatalf("row %d is that of %d", v, got)
			}
		}
	}
	if made != 200 || len(r.held) != 64 {
		t.Errorf("%d rows worked out, %d kept", made, len(r.held))
	}
}
