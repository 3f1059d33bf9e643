#!/bin/sh
# host 1, h1: 2 VLANs; written by turnproof
# Addresses that were not given are placeholders: MAC 02:00:00:h:h:h and IP 10.h.h.h,
# where h.h.h is the host's number plus 1.
set -eu

ip link set dev ens1 address 02:00:00:00:00:02
dcb pfc set dev ens1 prio-pfc all:off 0:on 3:on
ip link set dev ens1 up

ip link add link ens1 name ens1.10 type vlan id 10
ip address replace 10.0.0.2/32 dev ens1.10
echo 2 > /proc/sys/net/ipv4/conf/ens1.10/rp_filter
ip link set dev ens1.10 up

ip link add link ens1 name ens1.20 type vlan id 20 egress-qos-map 0:3 1:3 2:3 3:3 4:3 5:3 6:3 7:3 ingress-qos-map 3:3
ip address replace 10.0.0.2/32 dev ens1.20
echo 2 > /proc/sys/net/ipv4/conf/ens1.20/rp_filter
ip link set dev ens1.20 up

ip route replace 10.0.0.1/32 dev ens1.10 src 10.0.0.2
ip neigh replace 10.0.0.1 lladdr 02:00:00:00:00:01 dev ens1.10 nud permanent
ip route replace 10.0.0.3/32 dev ens1.20 src 10.0.0.2
ip neigh replace 10.0.0.3 lladdr 02:00:00:00:00:03 dev ens1.20 nud permanent
ip route replace 10.0.0.4/32 dev ens1.20 src 10.0.0.2
ip neigh replace 10.0.0.4 lladdr 02:00:00:00:00:04 dev ens1.20 nud permanent
