package whatif

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/turnproof/turnproof/internal/spelling"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/format"
	"github.com/turnproof/turnproof/model/format/infiniband"
	"github.com/turnproof/turnproof/synth/opensm"
	"github.com/turnproof/turnproof/synth/resolve"
	"github.com/turnproof/turnproof/verify/failures"
)

// This file lists the runs: each engine without a failure, and with each.

// whatif is what the command line asks for.
type whatif struct {
	in      *resolve.Subject
	net     *model.Network // with GUIDs and LIDs
	tools   *opensm.Tools
	how     opensm.Options
	folder  string   // for the dumps of the runs, or ""
	engines []string // in the order of the command line; the first may be present
	missing []string // engines that OpenSM lacks
	fail    string   // the value of --fail, or ""
	kind    failures.Kind
	atOnce  int
	sets    []failures.Set // what fails
}

// plan lists engines and failures.
func (w *whatif) plan(words string) error {
	if w.in.Net.NumHosts() < 2 {
		return fmt.Errorf("%s has %d hosts; want 2 or more", w.in.Name, w.in.Net.NumHosts())
	}
	if w.in.Table != nil {
		w.engines = append(w.engines, present)
	}
	list := strings.Split(words, ",")
	if i := slices.Index(list, "all"); i >= 0 {
		list = slices.Replace(list, i, i+1, w.tools.Engines...)
	}
	for _, e := range list {
		switch {
		case e == "" || strings.ContainsAny(e, " /\t\\.") || e == "file" || e == present || e == "no_fallback":
			return fmt.Errorf("--engines: no engine %q%s; OpenSM %s has %s", e, spelling.Suggest(e, w.tools.Engines), w.tools.Version,
				strings.Join(w.tools.Engines, ", "))
		case slices.Contains(w.engines, e) || slices.Contains(w.missing, e):
			return fmt.Errorf("--engines names %s twice", e)
		case !w.tools.Has(e):
			w.missing = append(w.missing, e)
		default:
			w.engines = append(w.engines, e)
		}
	}
	if len(w.engines) == 0 || len(w.engines) == 1 && w.engines[0] == present {
		return fmt.Errorf("--engines: OpenSM %s has none of %s; it has %s", w.tools.Version, strings.Join(w.missing, ", "), strings.Join(w.tools.Engines, ", "))
	}
	if w.fail != "" {
		w.sets = failures.Sets(w.in.Whole, w.kind, w.atOnce, nil)
	}
	return nil
}

// address gives LIDs and GUIDs to a network that is no fabric of InfiniBand.
func (w *whatif) address() (err error) {
	if w.net = w.in.Whole; w.net.IsInfiniBand() {
		return nil
	}
	w.net, err = infiniband.Addressed(w.net)
	return err
}

// cases is the number of runs of an engine.
func (w *whatif) cases() int { return 1 + len(w.sets) }

// number is the number of runs.
func (w *whatif) number() int { return len(w.engines) * w.cases() }

// hash returns the SHA-256 of what defines the runs, in hex.
func (w *whatif) hash() string {
	h := sha256.New()
	if err := format.WriteNetwork(h, w.in.Whole, "json"); err != nil {
		fmt.Fprint(h, w.in.From)
	}
	fmt.Fprintf(h, "%q %q %q %v", w.engines, w.fail, w.tools.Version, w.in.Files)
	for _, file := range []string{w.how.Roots, w.how.Torus, w.how.Config} {
		text, err := os.ReadFile(file)
		if file == "" || err != nil {
			text = nil
		}
		fmt.Fprintf(h, " %q", text)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// checkRoots returns an error if a line of a file of root GUIDs is no GUID of a switch. OpenSM passes over such lines.
func checkRoots(file string, n *model.Network) error {
	if file == "" {
		return nil
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return fmt.Errorf("--roots: %w", err)
	}
	isSwitch := map[uint64]bool{}
	for u := range model.SwitchID(n.NumSwitches()) {
		isSwitch[n.Switch(u).GUID] = true
	}
	found, number := 0, 0
	for line := range strings.Lines(string(text)) {
		number++
		line, _, _ = strings.Cut(line, "#")
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		var guid uint64
		if k, err := fmt.Sscanf(line, "0x%x", &guid); k != 1 || err != nil || strings.ContainsAny(line, " \t") {
			return fmt.Errorf("--roots: %s:%d: %q is no GUID; want 0x and hexadecimal digits", file, number, line)
		}
		if !isSwitch[guid] {
			return fmt.Errorf("--roots: %s:%d: no switch of the network has the GUID %s", file, number, line)
		}
		found++
	}
	if found == 0 {
		return errors.New("--roots: " + file + " has no GUID")
	}
	return nil
}
