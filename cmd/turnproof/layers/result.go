package layers

import (
	"fmt"
	"io"

	"github.com/turnproof/turnproof/cmd/turnproof/input"
	"github.com/turnproof/turnproof/internal/wording"
	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/synth/layers"
	"github.com/turnproof/turnproof/verify"
)

// This file prints the result.

type layersJSON struct {
	Schema       string        `json:"schema"`
	Network      string        `json:"network"`
	Routing      string        `json:"routing"`
	Per          string        `json:"per"`
	Verdict      string        `json:"verdict"`
	Pairs        int64         `json:"pairs"`
	Paths        int           `json:"paths"`
	Layers       int           `json:"layers"`
	LowerBound   int           `json:"lower_bound"`
	LowerBoundBy string        `json:"lower_bound_by"`
	Certified    bool          `json:"lower_bound_certified"`
	Optimal      bool          `json:"optimal"`
	LASH         *int          `json:"lash"`
	DFSSSP       *int          `json:"dfsssp"`
	HopCount     *int          `json:"hop_count"`
	Segments     *int          `json:"updown_segments"`
	PathsByLayer []int         `json:"paths_by_layer"`
	Within       *within       `json:"within,omitempty"` // only with --vcs
	Inputs       []model.Input `json:"inputs"`           // the files that were read
	Seconds      float64       `json:"seconds"`
}

// within describes the routes after rerouting into at most VCs layers (--vcs).
type within struct {
	VCs        int     `json:"vcs"`
	Layers     int     `json:"layers"`
	Rerouted   int64   `json:"rerouted"`
	MeanPath   float64 `json:"mean_path"`
	MeanBefore float64 `json:"mean_path_before"`
}

func (s *search) json(rep *verify.Report, certified bool, seconds float64) *layersJSON {
	out := &layersJSON{Schema: "turnproof.layers/1", Network: s.in.Name, Routing: s.in.Routing, Per: s.per, Verdict: string(rep.Verdict()),
		Pairs: s.routes.Pairs, Paths: len(s.routes.Turns), Certified: certified, Inputs: input.InputsJSON(s.in), Seconds: seconds}
	if s.hops != nil {
		out.Layers, out.LowerBound, out.LowerBoundBy = s.hops.VCs, s.hops.Bound, s.hops.By
		out.HopCount, out.Segments = &s.hops.Hops, &s.hops.Segments
		out.PathsByLayer = make([]int, out.Layers)
		for _, vcs := range s.hops.Of {
			for _, v := range vcs {
				out.PathsByLayer[v]++
			}
		}
	} else {
		out.Layers, out.LowerBound, out.LowerBoundBy = s.found.Layers, s.found.Bound, s.found.By
		out.LASH, out.DFSSSP = number(s.found.LASH), number(s.found.DFSSSP)
		out.PathsByLayer = make([]int, out.Layers)
		for _, l := range s.found.Of {
			out.PathsByLayer[l]++
		}
	}
	out.Optimal = out.Layers == out.LowerBound
	if k := s.kept; k != nil {
		pairs := float64(max(1, len(k.Paths)))
		out.Within = &within{s.rel.Network().VCs(), k.Layers, k.Rerouted, float64(k.Links) / pairs, float64(k.Before) / pairs}
	}
	return out
}

// number returns nil for 0.
func number(n int) *int {
	if n == 0 {
		return nil
	}
	return &n
}

func (s *search) text(w io.Writer, out *layersJSON) {
	n := s.in.Net
	fmt.Fprintf(w, "%s: %s, %s, %s; %s\n\n", s.in.Name, wording.Count(n.NumSwitches(), "switch", "es"), wording.Count(n.NumHosts(), "host", "s"),
		wording.Count(n.NumLinks(), "link", "s"), s.in.Routing)
	if s.hops != nil {
		fmt.Fprintf(w, "VCs:       %d\n", out.Layers)
	} else {
		fmt.Fprintf(w, "layers:    %d\n", out.Layers)
	}
	s.boundText(w, out)
	what, by := "paths", "by layer"
	if s.routes.Paths == nil && s.mode == layers.PerPair {
		what = "pairs"
	}
	if s.hops != nil {
		by = "hops by VC"
	}
	fmt.Fprintf(w, "%s:     %d with dependencies, of %d pairs of hosts; %s", what, out.Paths, out.Pairs, by)
	for _, k := range out.PathsByLayer {
		fmt.Fprintf(w, " %d", k)
	}
	fmt.Fprintln(w)
	if k := out.Within; k != nil {
		fmt.Fprintf(w, "within %d:  %s, %d rerouted; %.3f links on average, %.3f before\n", k.VCs, wording.Count(k.Layers, "layer", "s"), k.Rerouted,
			k.MeanPath, k.MeanBefore)
	}
	for _, x := range []struct {
		name  string
		value *int
	}{{"LASH:      ", out.LASH}, {"DFSSSP:    ", out.DFSSSP}, {"by hops:   ", out.HopCount}, {"up*/down*: ", out.Segments}} {
		if x.value != nil {
			fmt.Fprintf(w, "%s%d\n", x.name, *x.value)
		}
	}
	fmt.Fprintf(w, "deadlock-free, connected, livelock-free: %s\n%.2f s\n", out.Verdict, out.Seconds)
}

// boundText prints the lower bound, its evidence, and the paths of a clique.
func (s *search) boundText(w io.Writer, out *layersJSON) {
	fmt.Fprintf(w, "at least:  %d", out.LowerBound)
	switch out.LowerBoundBy {
	case layers.ByCycle:
		fmt.Fprintf(w, " for %s: in one layer these routes close a dependency cycle", s.in.Routing)
	case layers.ByClique:
		fmt.Fprintf(w, " for %s: every two of this many routes close a cycle", s.in.Routing)
	case layers.BySearch:
		fmt.Fprintf(w, " for %s: fewer were refuted by an exhaustive search", s.in.Routing)
	}
	if !out.Certified {
		fmt.Fprint(w, " (no certificate)")
	}
	fmt.Fprintln(w)
	if s.found == nil || s.routes.Paths == nil {
		return
	}
	for i, p := range s.found.Clique {
		if i == 10 {
			fmt.Fprintf(w, "           and %d more\n", len(s.found.Clique)-i)
			break
		}
		fmt.Fprintf(w, "           %s\n", s.routes.Label(p))
	}
}
