// Package vlan is the command vlan: few VLANs that carry given paths, proved and written for switches.
package vlan
