package route_test

import (
	"strings"
	"testing"

	"github.com/turnproof/turnproof/internal/option"
	"github.com/turnproof/turnproof/model/route"
	"github.com/turnproof/turnproof/model/topo"
)

// TestOptionsAreComplete finds fields of Options without an option.
func TestOptionsAreComplete(t *testing.T) {
	for _, name := range option.Missing(route.AllOptions()) {
		t.Errorf("no option sets field %s of route.Options; add one to model/route/options.go and to its routings in route.go", name)
	}
}

// TestRoutingsRefuseOptionsOfOthers sets each option of a routing that reads none.
func TestRoutingsRefuseOptionsOfOthers(t *testing.T) {
	n, err := topo.Parse("mesh:3x3")
	if err != nil {
		t.Fatal(err)
	}
	samples := map[string]string{"order": "yx", "both-ways": "true", "vc-rule": "plain", "root": "1", "escape-vcs": "1",
		"stay-on-escape": "true", "keep-first": "true", "misroutes": "1", "reading": "wrap-early", "vcs-by": "hops", "via": "switch", "beyond": "last", "turns": "xy",
		"adaptive": "dor", "on": "dor", "return": "true"}
	for _, x := range route.AllOptions() {
		var o route.Options
		if err := x.Set(&o, samples[x.Name]); err != nil {
			t.Errorf("%v; add a word for it to the samples in model/route/options_test.go", err)
			continue
		}
		if _, err := route.New("minimal", n, o); err == nil || !strings.Contains(err.Error(), "no option "+x.Name) {
			t.Errorf("routing minimal with option %s: got error %v, want a refusal", x.Name, err)
		}
	}
}
