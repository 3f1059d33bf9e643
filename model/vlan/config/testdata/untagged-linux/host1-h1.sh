#!/bin/sh
# host 1, h1: 1 VLANs; written by turnproof
# Addresses that were not given are placeholders: MAC 02:00:00:h:h:h and IP 10.h.h.h,
# where h.h.h is the host's number plus 1.
set -eu

ip link set dev eth0 address 02:00:00:00:00:02
dcb pfc set dev eth0 prio-pfc all:off 5:on
ip link set dev eth0 up
ip address replace 10.0.0.2/8 dev eth0

ip neigh replace 10.0.0.1 lladdr 02:00:00:00:00:01 dev eth0 nud permanent
ip neigh replace 10.0.0.3 lladdr 02:00:00:00:00:03 dev eth0 nud permanent
ip neigh replace 10.0.0.4 lladdr 02:00:00:00:00:04 dev eth0 nud permanent
