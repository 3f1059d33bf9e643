package vlan

import _ "github.com/turnproof/turnproof/synth/makers" // tests read routings by name
