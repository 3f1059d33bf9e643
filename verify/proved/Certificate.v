(* This file defines a certificate: a network, its routing, and claims with evidence. It corresponds to
   verify/cert/format.go, which specifies the fields. Names and digests are left out. All numbers are those of
   the file. *)

From Coq Require Import ZArith List.
From Proved Require Import Arrays.
Open Scope Z_scope.

Inductive switching := Cut_through | Store_and_forward | Wormhole.

Record network := {
  vcs : Z; switches : Z; links : list Z; endpoints : Z; attach : list Z; hosts : Z
}.

Record table := {
  t_sources : Z; t_destinations : list Z; lids : list Z; ports : list Z;
  classes : option (list Z); vc_rows : option (list Z); vc_row_of : option (list Z)
}.

Record relation := {
  r_classes : Z; r_sources : Z; r_destinations : list Z; inject : list Z; states : list Z
}.

Inductive way_of_routing := By_table (t : table) | By_relation (r : relation).

Record shown := { source : Z; destination : Z; class : Z; path : list Z }. (* a packet *)

(* The kinds of evidence. Each determines the claim and the verdict. *)
Inductive claim :=
| Numbering (ranks : list Z)                       (* acyclic-cdg proved *)
| Cycle (packets : list shown)                     (* acyclic-cdg refuted *)
| Acyclic                                          (* deadlock-free, proved by the earlier claim acyclic-cdg *)
| Elimination (ranks : list Z)                     (* deadlock-free proved *)
| Escape (ranks flags : list Z)                    (* deadlock-free proved *)
| Configuration (packets : list shown)             (* deadlock-free refuted *)
| Worms (packets : list shown) (held : list Z)     (* deadlock-free refuted *)
| Walk (pairs : Z)                                 (* connected proved *)
| Lost (pairs unreachable : Z) (packet : shown) (how : Z) (* connected refuted; how: 0 dropped, 1 wrong-host, 2 looping, 3 no-class *)
| Longest (most : Z)                               (* livelock-free proved *)
| Loop (packet : shown).                           (* livelock-free refuted *)

Record certificate := {
  switched : switching; net : network; routed : way_of_routing; claims : list claim
}.
