// Package vlan implements the command vlan. It finds few VLANs that carry given paths, proves
// them, and writes the configuration of switches.
package vlan
