package model_test

import (
	"fmt"

	"github.com/turnproof/turnproof/model"
)

func ExampleBuilder() {
	b := model.NewBuilder()
	left, right := b.AddSwitch(model.Switch{Name: "left"}), b.AddSwitch(model.Switch{Name: "right"})
	b.AddLink(left, 1, right, 1)
	b.AddHost(model.Host{Name: "h", Switch: left, Port: 2})
	n, err := b.Build()
	if err != nil {
		panic(err)
	}
	for c := range model.ChannelID(n.NumChannels()) {
		fmt.Println(c, n.Kind(c), n.Tail(c), n.Head(c))
	}
	// Output:
	// 0 between switches 0 1
	// 1 between switches 1 0
	// 2 injection -1 0
	// 3 ejection 0 -1
}
