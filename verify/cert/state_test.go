package cert_test

import (
	"fmt"
)

// A state is a VC and a class, for the judges of these tests. It is not the State of the checker.
type state struct{ vc, class int32 }

func (s state) String() string { return fmt.Sprintf("VC %d with class %d", s.vc, s.class) }
