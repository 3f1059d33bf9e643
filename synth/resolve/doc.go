// Package resolve turns words into networks and routings. A word is a spec, a name with options, a
// file, a folder of dumps, or a configuration of BookSim 2.
//
// Load reads a network with its routing and the premises of verdicts about them, as the command
// check does. Network, Routing and Traffic read one of them each.
//
// Turn methods and routing programs are made by packages that register. Import them for their effect:
//
//	import _ "github.com/turnproof/turnproof/synth/makers"
//
// Read first: subject.go is the result, load.go reads both; word.go a routing, then routing.go (by name),
// makers.go (the door for packages that make routings); premises.go, management.go, multicast.go, adaptive.go,
// booksim.go, routed.go, ringflow.go.
package resolve
