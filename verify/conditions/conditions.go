// Package conditions links all packages that decide conditions for verify.Check: gates, flow control of rings, classes of messages and
// protocols. A program that checks routings with conditions imports it for its effect:
//
//	import _ "github.com/turnproof/turnproof/verify/conditions"
package conditions

import (
	_ "github.com/turnproof/turnproof/verify/bubbles"
	_ "github.com/turnproof/turnproof/verify/gates"
	_ "github.com/turnproof/turnproof/verify/protocols"
)
