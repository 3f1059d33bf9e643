package crosscheck_test

import _ "github.com/turnproof/turnproof/verify/conditions" // tests check routings with conditions
