(* This file proves what a routing has if each hop leads to a greater level: it is deadlock-free, paths are finite, and pairs are
   connected. *)

From Coq Require Import ZArith List Bool Arith Lia.
From Proved Require Import Arrays Routing Queues Worms SameHops Every.
Import ListNotations.
Open Scope Z_scope.

Section Climbing.
  Variable r : routing.
  Variable level : Z -> Z.
  Variable top : Z.
  Hypothesis top_least : -1 <= top.
  Hypothesis bounded : forall v, level v <= top.
  Hypothesis least : forall d a, reachable r d a -> -1 <= level (fst a).
  Hypothesis climbs : forall d a c, reachable r d a -> In c (hops r d a) -> level (fst a) < level (fst c) /\ 0 <= level (fst c) /\
    (link r (fst c) = true \/ ejection r (fst c) = true).

  Theorem climbing_shown wormhole : shown wormhole true true true r.
  Proof.
    exists level, top, (fun _ a => top - level (fst a)), (top + 1).
    assert (forall d a c, reachable r d a -> In c (hops r d a) -> level (fst a) < level (fst c)) as up_ by (intros d a c rs i; now apply (climbs d)).
    split; [lia|]. split; [exact bounded|]. split; [|split; [|split; [|split; [|split]]]].
    - intros _ d a rs more. destruct (hops r d a) as [|c l] eqn:eh; [easy|]. exists c. split; [now left|]. apply up_ with d; trivial. rewrite eh. now left.
    - intros _ _. exists (fun d a c => In c (hops r d a)). split; [|split; [|split]].
      + intros d a c. destruct (in_dec Rising.state_dec c (hops r d a)); auto.
      + intros d a rs more. destruct (hops r d a) as [|c l]; [easy|]. exists c. split; now left.
      + intros d a c rs i _. now apply (climbs d a c).
      + intros d a c rs _ ask. destruct ask as [c i _|x c i nesc _]; [|now elim nesc]. now apply up_ with d.
    - intros _ _. exact up_.
    - intros d a c rs i. now apply (climbs d a c).
    - intros _ d a rs. pose proof (bounded (fst a)). pose proof (least d a rs). lia.
    - intros _ d a c rs i. pose proof (up_ d a c rs i). lia.
  Qed.

  Hypothesis goes_on : forall d a, reachable r d a -> ejection r (fst a) = false -> hops r d a <> [].
  Hypothesis arrives : forall d a, reachable r d a -> ejection r (fst a) = true -> target r d (fst a) = true.
  Hypothesis sent : forall k d, In (k, d) (pairs r) -> exists j, In (k, j) (sends r d).

  Theorem climbing_connected : connected r.
  Proof.
    intros k d i. split; [exact (sent k d i)|]. intros j c sn wy. pose proof (way_reachable r d k j c sn wy) as rc.
    destruct (ends_somewhere r (fun _ a => top - level (fst a))) with (d := d) (a := c) as (x & wy' & rx & ejx); trivial.
    - intros e a _. pose proof (bounded (fst a)). lia.
    - intros e a rs more. destruct (hops r e a) as [|y l] eqn:hy; [easy|]. exists y. split; [now left|].
      assert (level (fst a) < level (fst y)) by (apply (climbs e a y rs); rewrite hy; now left). lia.
    - intros a. apply goes_on.
    - exists x. split; [exact wy'|]. now apply arrives.
  Qed.
End Climbing.
