#!/bin/sh
# host 0, h0: 1 VLANs; written by turnproof
# Addresses that were not given are placeholders: MAC 02:00:00:h:h:h and IP 10.h.h.h,
# where h.h.h is the host's number plus 1.
set -eu

ip link set dev ens1 address 02:00:00:00:00:01
dcb pfc set dev ens1 prio-pfc all:off 0:on 3:on
ip link set dev ens1 up
ip address replace 10.0.0.1/8 dev ens1

ip neigh replace 10.0.0.2 lladdr 02:00:00:00:00:02 dev ens1 nud permanent
ip neigh replace 10.0.0.3 lladdr 02:00:00:00:00:03 dev ens1 nud permanent
ip neigh replace 10.0.0.4 lladdr 02:00:00:00:00:04 dev ens1 nud permanent
