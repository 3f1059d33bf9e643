#!/bin/sh
# switch 1, (1,0): 3 ports, 4 static entries; written by turnproof
# Addresses that were not given are placeholders: MAC 02:00:00:h:h:h and IP 10.h.h.h,
# where h.h.h is the host's number plus 1.
set -eu

ip link add name br0 type bridge stp_state 0 vlan_filtering 1 vlan_default_pvid 0 mcast_snooping 0

# port 2, to switch 0, (0,0)
ip link set dev swp2 master br0
bridge link set dev swp2 learning off flood off mcast_flood off bcast_flood off
bridge vlan add vid 10 dev swp2
dcb pfc set dev swp2 prio-pfc all:off 5:on

# port 3, to switch 3, (1,1)
ip link set dev swp3 master br0
bridge link set dev swp3 learning off flood off mcast_flood off bcast_flood off
bridge vlan add vid 10 dev swp3
dcb pfc set dev swp3 prio-pfc all:off 5:on

# port 5, to host 1, h1
ip link set dev swp5 master br0
bridge link set dev swp5 learning off flood off mcast_flood off bcast_flood off
bridge vlan add vid 10 dev swp5 pvid untagged
dcb pfc set dev swp5 prio-pfc all:off 5:on
dcb app replace dev swp5 default-prio 5

bridge fdb replace 02:00:00:00:00:01 dev swp2 master static vlan 10
bridge fdb replace 02:00:00:00:00:02 dev swp5 master static vlan 10
bridge fdb replace 02:00:00:00:00:03 dev swp2 master static vlan 10
bridge fdb replace 02:00:00:00:00:04 dev swp3 master static vlan 10

ip link set dev swp2 up
ip link set dev swp3 up
ip link set dev swp5 up
ip link set dev br0 up
