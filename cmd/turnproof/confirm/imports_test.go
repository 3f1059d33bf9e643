package confirm_test

import (
	_ "github.com/turnproof/turnproof/synth/makers"      // tests read routings by name
	_ "github.com/turnproof/turnproof/verify/conditions" // tests check routings with conditions
)
