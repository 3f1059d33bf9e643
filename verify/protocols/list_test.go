package protocols_test

import (
	"testing"

	"github.com/turnproof/turnproof/model"
	"github.com/turnproof/turnproof/model/route"
	"github.com/turnproof/turnproof/model/topo"
	"github.com/turnproof/turnproof/verify"
	"github.com/turnproof/turnproof/verify/protocols"
)

// TestListsHaveNoPlaces: no waits are collected of a list of classes, which would prove it free of deadlock.
func TestListsHaveNoPlaces(t *testing.T) {
	n, err := topo.Mesh([]int{2, 2}, topo.Options{})
	if err != nil {
		t.Fatal(err)
	}
	r, err := route.New("minimal", n, route.Options{})
	if err != nil {
		t.Fatal(err)
	}
	list, err := model.ParseClasses("request+reply")
	if err != nil {
		t.Fatal(err)
	}
	if s, err := protocols.FindSharing(t.Context(), r, list, verify.Options{}); err == nil {
		t.Errorf("sharing of a list: %+v; want an error", s)
	}
	defer func() {
		if recover() == nil {
			t.Error("a list of classes has places")
		}
	}()
	protocols.NewPlaces(r, list)
}
