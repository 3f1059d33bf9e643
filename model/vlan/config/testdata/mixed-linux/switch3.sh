#!/bin/sh
# switch 3, (1,1): 3 ports, 5 static entries; written by turnproof
# Addresses that were not given are placeholders: MAC 02:00:00:h:h:h and IP 10.h.h.h,
# where h.h.h is the host's number plus 1.
# Flooding is on: broadcasts, multicasts and frames to unknown addresses do not follow
# the paths of the hosts' VLANs. Verify the relation of flooded frames.
set -eu

ip link add name bridge type bridge stp_state 0 vlan_filtering 1 vlan_default_pvid 0 mcast_snooping 0

# port 2, to switch 2, (0,1)
ip link set dev eth2x master bridge
bridge link set dev eth2x learning off flood on mcast_flood on bcast_flood on
bridge vlan add vid 20 dev eth2x
dcb pfc set dev eth2x prio-pfc all:off 0:on 3:on

# port 4, to switch 1, (1,0)
ip link set dev eth4x master bridge
bridge link set dev eth4x learning off flood on mcast_flood on bcast_flood on
bridge vlan add vid 10 dev eth4x
dcb pfc set dev eth4x prio-pfc all:off 0:on 3:on

# port 5, to host 3, h3
ip link set dev eth5x master bridge
bridge link set dev eth5x learning off flood on mcast_flood on bcast_flood on
bridge vlan add vid 10 dev eth5x pvid untagged
bridge vlan add vid 20 dev eth5x
dcb pfc set dev eth5x prio-pfc all:off 0:on 3:on

bridge fdb replace 02:00:00:00:00:01 dev eth4x master static vlan 10
bridge fdb replace 02:00:00:00:00:02 dev eth4x master static vlan 10
bridge fdb replace 02:00:00:00:00:03 dev eth4x master static vlan 10
bridge fdb replace 02:00:00:00:00:04 dev eth5x master static vlan 10
bridge fdb replace 02:00:00:00:00:04 dev eth5x master static vlan 20

ip link set dev eth2x up
ip link set dev eth4x up
ip link set dev eth5x up
ip link set dev bridge up
