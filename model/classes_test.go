package model_test

import (
	"slices"
	"testing"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/topo"
)

// TestListOfClasses: a list of classes is another condition than the protocol with rules that it becomes on a network, and where rules are needed
// it is refused: a protocol without rules has nothing that could block.
func TestListOfClasses(t *testing.T) {
	list, err := model.ParseClasses("request,forward+reply")
	if err != nil {
		t.Fatal(err)
	}
	n, err := topo.Mesh([]int{2, 2}, topo.Options{})
	if err != nil {
		t.Fatal(err)
	}
	chain, err := list.Chain(n)
	if err != nil {
		t.Fatal(err)
	}
	if list.Condition() != model.ConditionClasses || chain.Condition() != model.ConditionProtocol {
		t.Errorf("conditions %q and %q; want those of a list and of a protocol", list.Condition(), chain.Condition())
	}
	if !slices.Equal(chain.Names, list.Names) || !slices.Equal(chain.Network, []int{0, 1, 1}) || list.Shared() != "forward and reply" {
		t.Errorf("classes %q in networks %d, shared by %q", chain.Names, chain.Network, list.Shared())
	}
	for c, r := range chain.Rules {
		if c > 0 && !slices.EqualFunc(r.After, [][]int{{c - 1}}, slices.Equal) {
			t.Errorf("class %s comes after %v; want the class before it", chain.Names[c], r.After)
		}
	}
	if model.RulesOf([]model.Condition{list}) != nil || model.RulesOf([]model.Condition{chain}) != chain || model.ClassesOf([]model.Condition{list}) != list {
		t.Error("a list has rules, or a protocol has none")
	}
	if _, err := list.OnFlows([]model.Flow{{Source: 0, Dest: 1, Amount: 1}}); err == nil {
		t.Error("transactions of a list without rules begin on flows")
	}
}
