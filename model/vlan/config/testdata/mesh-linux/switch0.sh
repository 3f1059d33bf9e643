#!/bin/sh
# switch 0, (0,0): 3 ports, 5 static entries; written by turnproof
# Addresses that were not given are placeholders: MAC 02:00:00:h:h:h and IP 10.h.h.h,
# where h.h.h is the host's number plus 1.
set -eu

ip link add name br0 type bridge stp_state 0 vlan_filtering 1 vlan_default_pvid 0 mcast_snooping 0

# port 1, to switch 1, (1,0)
ip link set dev swp1 master br0
bridge link set dev swp1 learning off flood off mcast_flood off bcast_flood off
bridge vlan add vid 10 dev swp1
dcb pfc set dev swp1 prio-pfc all:off 0:on

# port 3, to switch 2, (0,1)
ip link set dev swp3 master br0
bridge link set dev swp3 learning off flood off mcast_flood off bcast_flood off
bridge vlan add vid 10 dev swp3
bridge vlan add vid 11 dev swp3
dcb pfc set dev swp3 prio-pfc all:off 0:on

# port 5, to host 0, h0
ip link set dev swp5 master br0
bridge link set dev swp5 learning off flood off mcast_flood off bcast_flood off
bridge vlan add vid 10 dev swp5
bridge vlan add vid 11 dev swp5
dcb pfc set dev swp5 prio-pfc all:off 0:on

bridge fdb replace 02:00:00:00:00:01 dev swp5 master static vlan 10
bridge fdb replace 02:00:00:00:00:02 dev swp1 master static vlan 10
bridge fdb replace 02:00:00:00:00:03 dev swp3 master static vlan 10
bridge fdb replace 02:00:00:00:00:04 dev swp1 master static vlan 10
bridge fdb replace 02:00:00:00:00:01 dev swp5 master static vlan 11

ip link set dev swp1 up
ip link set dev swp3 up
ip link set dev swp5 up
ip link set dev br0 up
