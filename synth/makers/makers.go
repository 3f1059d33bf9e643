// Package makers links all packages that make routings for package resolve: turn methods and routing programs. A program that reads routings
// by name imports it for its effect:
//
//	import _ "github.com/turnproof/turnproof/synth/makers"
package makers

import (
	_ "github.com/turnproof/turnproof/synth/methods"
	_ "github.com/turnproof/turnproof/synth/programs"
)
