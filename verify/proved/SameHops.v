(* This file proves that routings with the same next hops have the same properties. The order of next hops and their repetition do
   not matter, and those of states that no packet reaches do not either. *)

From Coq Require Import ZArith List Bool Arith Lia Relations.
From Proved Require Import Arrays Routing Queues Worms.
Import ListNotations.
Open Scope Z_scope.

(* Paths are finite if each hop decreases a number. *)
Section Finite.
  Variable r : routing.
  Variable left_ : Z -> state -> Z.
  Hypothesis positive_ : forall d a, reachable r d a -> 0 <= left_ d a.
  Hypothesis decreases : forall d a b, reachable r d a -> In b (hops r d a) -> left_ d b < left_ d a.

  Lemma walk_left d l : Routing.walk r d l -> forall a m, l = a :: m -> reachable r d a -> Z.of_nat (length m) <= left_ d a.
  Proof.
    induction 1 as [a|a b l i w IH]; intros a' m ea rs; injection ea as <- <-.
    - simpl. now apply positive_.
    - assert (reachable r d b) as rb by now apply hop with a. specialize (IH b l eq_refl rb).
      specialize (decreases d a b rs i). simpl length. lia.
  Qed.

  Variable most : Z.
  Hypothesis bounded : forall d a, reachable r d a -> left_ d a <= most.

  Theorem finite_paths d l : Routing.passes r d l -> Z.of_nat (length l) <= most + 1.
  Proof.
    intros (w & _ & k & j & hd_ & i). destruct l as [|a m]; [inversion w|]. simpl in hd_. injection hd_ as ->.
    assert (reachable r d (Routing.entry r k, j)) as rs by now apply begin.
    pose proof (walk_left d _ w _ m eq_refl rs). specialize (bounded d _ rs). simpl length. lia.
  Qed.
End Finite.

(* What shows that a routing is right: safe that it is deadlock-free, finite that paths are finite. acyclic_: each hop leads to a greater
   level. *)
Definition shown (wormhole acyclic_ safe finite : bool) (r : routing) : Prop :=
  exists level top left_ most,
    -1 <= top /\ (forall v, level v <= top) /\ (safe = true -> rises r level) /\
    (safe = true -> wormhole = true -> exists escapes, escape_order r escapes level) /\
    (safe = true -> acyclic_ = true -> forall d a b, reachable r d a -> In b (hops r d a) -> level (fst a) < level (fst b)) /\
    (forall d a b, reachable r d a -> In b (hops r d a) -> link r (fst b) = true \/ ejection r (fst b) = true) /\
    (finite = true -> forall d a, reachable r d a -> 0 <= left_ d a <= most) /\
    (finite = true -> forall d a b, reachable r d a -> In b (hops r d a) -> left_ d b < left_ d a).

Definition right (wormhole acyclic_ safe finite : bool) (r : routing) : Prop :=
  (safe = true -> queues_free r /\ (wormhole = true -> worms_free r) /\ (acyclic_ = true -> acyclic r)) /\
  (forall d a b, reachable r d a -> In b (hops r d a) -> link r (fst b) = true \/ ejection r (fst b) = true) /\
  (finite = true -> exists most, forall d l, Routing.passes r d l -> Z.of_nat (length l) <= most).

Theorem shown_right wormhole acyclic_ safe finite r : shown wormhole acyclic_ safe finite r -> right wormhole acyclic_ safe finite r.
Proof.
  intros (level & top & left_ & most & pos & bounded & up & worm & cyc & stays & bounds & dec). split.
  { intro sf. split; [apply rising_queues_free with level top; auto|]. split.
    { intro yes. destruct (worm sf yes) as [escapes order]. apply escape_worms_free with escapes level top; auto. }
    intros yes a c. enough (forall x y, clos_trans Z (depends r) x y -> level x < level y) as lt by (specialize (lt _ _ c); lia).
    clear a c. intros x y c. induction c as [x y (_ & _ & d & k & l & rs & i)|x y z _ IH1 _ IH2]; [|lia].
    now apply (cyc sf yes d (x, k) (y, l)). }
  split; [exact stays|]. intro fin. exists (most + 1). intros d l.
  apply finite_paths with left_; auto; intros d' a rs; apply (bounds fin d' a rs).
Qed.

Section SameHops.
  Variables r q : routing.

  (* q is like r. *)
  Record alike : Prop := {
    same_link : forall v, link q v = link r v;
    same_ejection : forall v, ejection q v = ejection r v;
    same_entry : forall k, entry q k = entry r k;
    same_pairs : pairs q = pairs r;
    same_target : forall d v, target q d v = target r d v;
    same_sends : forall d x, In x (sends q d) <-> In x (sends r d);
    same_hops : forall d a, reachable r d a -> forall b, In b (hops q d a) <-> In b (hops r d a)
  }.
  Hypothesis like : alike.

  Lemma alike_reachable d a : reachable q d a <-> reachable r d a.
  Proof.
    split; intro h; induction h as [e k i|s t h IH i].
    - rewrite (same_entry like). apply begin. now apply like.
    - apply hop with s; trivial. now apply like.
    - rewrite <- (same_entry like). apply begin. now apply like.
    - apply hop with s; trivial. now apply like.
  Qed.

  Lemma alike_hops d a b : reachable q d a -> In b (hops q d a) -> reachable r d a /\ In b (hops r d a).
  Proof. intros rs i. apply alike_reachable in rs. split; trivial. now apply like. Qed.

  Lemma alike_asks escapes d s t : reachable q d s -> asks q escapes d s t -> asks r escapes d s t.
  Proof.
    intros rs a. induction a as [s t i esc|s u t i no a IH].
    - apply now_asks; trivial. now apply alike_hops.
    - apply then_asks with u; trivial; [now apply alike_hops|]. apply IH. now apply hop with s.
  Qed.

  Lemma alike_more d a : reachable q d a -> hops q d a <> [] -> hops r d a <> [].
  Proof.
    intros rs more no. destruct (hops q d a) as [|b l] eqn:e; [easy|].
    destruct (alike_hops d a b rs) as [_ i]; [rewrite e; now left|]. rewrite no in i. destruct i.
  Qed.

  Theorem alike_shown wormhole acyclic_ safe finite : shown wormhole acyclic_ safe finite r -> shown wormhole acyclic_ safe finite q.
  Proof.
    intros (level & top & left_ & most & pos & bounded & up & worm & cyc & stays & bounds & dec).
    exists level, top, left_, most. split; [exact pos|]. split; [exact bounded|]. split; [|split; [|split; [|split; [|split]]]].
    - intros sf d a rs more. destruct (up sf d a) as (b & i & lt); [now apply alike_reachable|now apply alike_more|].
      exists b. split; [|exact lt]. apply like; trivial. now apply alike_reachable.
    - intros sf yes. destruct (worm sf yes) as (escapes & dec_ & some & pos_ & up_). exists escapes. split; [exact dec_|]. split; [|split].
      + intros d a rs more. destruct (some d a) as (b & i & esc); [now apply alike_reachable|now apply alike_more|].
        exists b. split; [|exact esc]. apply like; trivial. now apply alike_reachable.
      + intros d a b rs i esc. destruct (alike_hops d a b rs i) as [rs' i']. now apply (pos_ d a b rs' i').
      + intros d a b rs p a_. apply (up_ d a b); trivial; [now apply alike_reachable|now apply alike_asks].
    - intros sf yes d a b rs i. destruct (alike_hops d a b rs i) as [rs' i']. now apply (cyc sf yes d a b rs' i').
    - intros d a b rs i. destruct (alike_hops d a b rs i) as [rs' i']. rewrite (same_link like), (same_ejection like). now apply (stays d a b rs' i').
    - intros fin d a rs. apply bounds; trivial. now apply alike_reachable.
    - intros fin d a b rs i. destruct (alike_hops d a b rs i) as [rs' i']. now apply (dec fin d a b rs' i').
  Qed.

  Lemma alike_way d a b : reachable r d a -> way r d a b <-> way q d a b.
  Proof.
    intro rs. split; intro w; induction w as [|t u w IH i]; try apply Routing.here.
    - apply onward with t; trivial. apply like; trivial. now apply reachable_way with a.
    - apply onward with t; trivial. apply like; trivial. apply reachable_way with a; trivial.
  Qed.

  Theorem alike_connected : connected r -> connected q.
  Proof.
    intros c e d i. rewrite (same_pairs like) in i. destruct (c e d i) as [[k j] all]. split; [exists k; now apply like|].
    intros k' a i' w. apply like in i'. rewrite (same_entry like) in w.
    assert (reachable r d (entry r e, k')) as rs by now apply begin. apply (alike_way d _ _ rs) in w.
    destruct (all k' a i' w) as (b & w' & tg). exists b. rewrite (same_target like). split; [|exact tg].
    apply alike_way; trivial. now apply reachable_way with (entry r e, k').
  Qed.
End SameHops.
