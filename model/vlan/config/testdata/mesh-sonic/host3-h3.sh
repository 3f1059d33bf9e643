#!/bin/sh
# host 3, h3: 2 VLANs; written by turnproof
# Addresses that were not given are placeholders: MAC 02:00:00:h:h:h and IP 10.h.h.h,
# where h.h.h is the host's number plus 1.
set -eu

ip link set dev eth0 address 02:00:00:00:00:04
dcb pfc set dev eth0 prio-pfc all:off 0:on
ip link set dev eth0 up

ip link add link eth0 name eth0.10 type vlan id 10
ip address replace 10.0.0.4/32 dev eth0.10
echo 2 > /proc/sys/net/ipv4/conf/eth0.10/rp_filter
ip link set dev eth0.10 up

ip link add link eth0 name eth0.11 type vlan id 11
ip address replace 10.0.0.4/32 dev eth0.11
echo 2 > /proc/sys/net/ipv4/conf/eth0.11/rp_filter
ip link set dev eth0.11 up

ip route replace 10.0.0.1/32 dev eth0.11 src 10.0.0.4
ip neigh replace 10.0.0.1 lladdr 02:00:00:00:00:01 dev eth0.11 nud permanent
ip route replace 10.0.0.2/32 dev eth0.11 src 10.0.0.4
ip neigh replace 10.0.0.2 lladdr 02:00:00:00:00:02 dev eth0.11 nud permanent
ip route replace 10.0.0.3/32 dev eth0.11 src 10.0.0.4
ip neigh replace 10.0.0.3 lladdr 02:00:00:00:00:03 dev eth0.11 nud permanent
