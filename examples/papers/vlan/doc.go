package vlan
