(* This file defines a deadlock under store-and-forward and virtual cut-through switching, and proves when
   none exists.

   The model: each VC is a queue with room for at least one packet. A packet moves as a whole. It is created
   at the end of the queue of its source's injection VC. The first packet of a queue may move to the end of
   the queue of any permitted next VC that has room. A packet without a next hop leaves the network: it is
   consumed on an ejection VC, and dropped elsewhere. Moves occur in any order. Under virtual cut-through a
   packet may lie in two VCs for a time. The second VC had room for all of it, so the packet gets there. The
   model makes this one move.

   Source: the configurations of J. Duato, IEEE Transactions on Parallel and Distributed Systems 7(8), 1996,
   and the numbering of W. J. Dally and C. L. Seitz, IEEE Transactions on Computers C-36(5), 1987. The proof
   is by induction on the level, from the greatest down. *)

From Coq Require Import ZArith List Bool Lia.
From Proved Require Import Arrays Routing.
Import ListNotations.
Open Scope Z_scope.

Record packet := { bound : Z; carries : Z }. (* destination, class *)

Section Queues.
  Variable r : routing.
  Variable room : Z -> nat. (* by VC: the number of packets that it has room for *)

  Definition queues := Z -> list packet. (* by VC: its packets, the first one first *)
  Definition put (c : queues) (v : Z) (q : list packet) : queues := fun u => if u =? v then q else c u.
  Definition push (c : queues) (v : Z) (p : packet) : queues := put c v (c v ++ [p]).

  (* The label of a move is the VC whose first packet moves, or None if a packet is created. *)
  Inductive move : queues -> option Z -> queues -> Prop :=
  | create c d e k :
      In (e, k) (sends r d) -> (length (c (entry r e)) < room (entry r e))%nat ->
      move c None (push c (entry r e) {| bound := d; carries := k |})
  | advance c v p q w k :
      c v = p :: q -> In (w, k) (hops r (bound p) (v, carries p)) -> (length (c w) < room w)%nat ->
      move c (Some v) (push (put c v q) w {| bound := bound p; carries := k |})
  | leave c v p q :
      c v = p :: q -> hops r (bound p) (v, carries p) = [] -> move c (Some v) (put c v q).

  Inductive run : queues -> list (option Z) -> queues -> Prop :=
  | stop c : run c [] c
  | go c m c1 ms c2 : move c m c1 -> run c1 ms c2 -> run c (m :: ms) c2.

  Definition reached (c : queues) : Prop := exists ms, run (fun _ => []) ms c.

  (* The first packet of v moves in no continuation. So no packet behind it moves either. *)
  Definition stuck (c : queues) (v : Z) : Prop :=
    c v <> [] /\ forall ms c', run c ms c' -> ~ In (Some v) ms.

  (* Some continuation without new packets empties v. *)
  Definition clears (c : queues) (v : Z) : Prop :=
    exists ms c', run c ms c' /\ ~ In None ms /\ c' v = [].

  (* A non-empty set of VCs. Each has a reachable state with next hops, and all of them lead to VCs of the
     set. *)
  Definition configuration : Prop :=
    exists set : Z -> Prop, (exists v, set v) /\ forall v, set v ->
      exists d k, reachable r d (v, k) /\ hops r d (v, k) <> [] /\
        forall t, In t (hops r d (v, k)) -> set (fst t).

  Lemma run_trans a ms b ns c : run a ms b -> run b ns c -> run a (ms ++ ns) c.
  Proof. induction 1; simpl; eauto using run. Qed.

  (* Properties of every configuration that moves reach. *)
  Definition valid (c : queues) : Prop :=
    forall v, (length (c v) <= room v)%nat /\
      forall p, In p (c v) -> reachable r (bound p) (v, carries p).

  Lemma valid_put c v p q : valid c -> c v = p :: q -> valid (put c v q).
  Proof.
    intros h e u. unfold put. destruct (Z.eqb_spec u v) as [->|]; [|apply h].
    destruct (h v) as [l f]. rewrite e in *. simpl in *. split; [lia|auto].
  Qed.

  Lemma valid_push c v p : valid c -> (length (c v) < room v)%nat -> reachable r (bound p) (v, carries p) ->
    valid (push c v p).
  Proof.
    intros h l s u. unfold push, put. destruct (Z.eqb_spec u v) as [->|]; [|apply h].
    rewrite app_length; simpl. split; [lia|].
    intros x i. apply in_app_or in i. destruct i as [i|[<-|[]]]; trivial. now apply h.
  Qed.

  Lemma valid_move c m c' : valid c -> move c m c' -> valid c'.
  Proof.
    intros h s. destruct s as [c d e k i l|c v p q w k e i l|c v p q e n].
    - apply valid_push; eauto using reachable.
    - apply valid_push; simpl.
      + eauto using valid_put.
      + unfold put. destruct (Z.eqb_spec w v) as [->|]; trivial. rewrite e in l. simpl in l. lia.
      + apply hop with (v, carries p); trivial. apply h. rewrite e. now left.
    - eauto using valid_put.
  Qed.

  Lemma valid_run c ms c' : valid c -> run c ms c' -> valid c'.
  Proof. intros h s. induction s; eauto using valid_move. Qed.

  Lemma valid_reached c : reached c -> valid c.
  Proof.
    intros [ms s]. refine (valid_run _ _ _ _ s). intro v. simpl. split; [lia|easy].
  Qed.

  (* The premise: each reachable state with next hops has one to a VC of greater level. *)
  Variable level : Z -> Z.
  Definition rises : Prop :=
    forall d s, reachable r d s -> hops r d s <> [] ->
      exists t, In t (hops r d s) /\ level (fst s) < level (fst t).

  Variable top : Z.
  Hypothesis some_room : forall v, (1 <= room v)%nat.
  Hypothesis bounded : forall v, level v <= top.
  Hypothesis up : rises.

  (* The first packet of v can leave v. Other VCs of the same or a lower level do not change. *)
  Lemma drain : forall n c v p q, top - level v <= Z.of_nat n -> valid c -> c v = p :: q ->
    exists ms c', run c ms c' /\ In (Some v) ms /\ ~ In None ms /\ c' v = q /\
      forall u, level u <= level v -> u <> v -> c' u = c u.
  Proof.
    induction n as [n IH] using lt_wf_ind. intros c v p q near ok e.
    assert (reachable r (bound p) (v, carries p)) as at_v by (apply ok; rewrite e; now left).
    destruct (hops r (bound p) (v, carries p)) as [|t0 l0] eqn:none.
    { exists [Some v], (put c v q). repeat split.
      - eauto using run, leave.
      - now left.
      - intros [h|[]]. discriminate.
      - unfold put. now rewrite Z.eqb_refl.
      - intros u _ other. unfold put. destruct (Z.eqb_spec u v); congruence. }
    destruct (up _ _ at_v) as [[w k] [i above]]; [now rewrite none|]. simpl in above. clear none.
    assert (forall c1, c1 v = p :: q -> (length (c1 w) < room w)%nat ->
      (forall u, level u <= level v -> u <> v -> c1 u = c u) ->
      exists c', move c1 (Some v) c' /\ c' v = q /\ forall u, level u <= level v -> u <> v -> c' u = c u) as last.
    { intros c1 e1 space same_below. eexists. split; [eapply advance; eauto|]. unfold push, put. split.
      - destruct (Z.eqb_spec v w) as [->|]; [lia|]. now rewrite Z.eqb_refl.
      - intros u low other. destruct (Z.eqb_spec u w) as [->|]; [lia|].
        destruct (Z.eqb_spec u v); [congruence|auto]. }
    destruct (Nat.lt_ge_cases (length (c w)) (room w)) as [space|full].
    { destruct (last c e space) as (c' & s & a & b); auto.
      exists [Some v], c'. repeat split; eauto using run; [now left|]. intros [h|[]]. discriminate. }
    destruct (c w) as [|p1 q1] eqn:ew; simpl in full; [specialize (some_room w); lia|].
    assert (top - level w <= Z.of_nat (Nat.pred n) /\ (Nat.pred n < n)%nat) as [near' less].
    { specialize (bounded w). lia. }
    destruct (IH _ less c w p1 q1 near' ok ew) as (ms & c1 & s1 & _ & quiet & gone & below).
    assert (c1 v = p :: q) as e1. { rewrite below; trivial; [lia|]. intros ->. lia. }
    destruct (last c1 e1) as (c' & s & a & b).
    - rewrite gone. destruct (ok w) as [most _]. rewrite ew in most. simpl in most. lia.
    - intros u low other. apply below; [lia|]. intros ->. lia.
    - exists (ms ++ [Some v]), c'. repeat split; trivial.
      + eauto using run_trans, run.
      + apply in_or_app. right. now left.
      + intro h. apply in_app_or in h. destruct h as [|[|[]]]; [auto|discriminate].
  Qed.

  Theorem levels_clear : forall c v, reached c -> clears c v.
  Proof.
    intros c v rc. apply valid_reached in rc. remember (c v) as q eqn:e. revert c rc e.
    induction q as [|p q IH]; intros c ok e.
    - exists [], c. repeat split; eauto using run.
    - destruct (drain (Z.to_nat (top - level v)) c v p q) as (ms & c1 & s & _ & quiet & gone & _); auto.
      { specialize (bounded v). lia. }
      destruct (IH c1) as (ns & c' & s' & quiet' & empty); eauto using valid_run.
      exists (ms ++ ns), c'. repeat split; eauto using run_trans.
      intro h. apply in_app_or in h. tauto.
  Qed.

  (* No VC is stuck: its first packet can move in some continuation. *)
  Theorem levels_not_stuck : forall c v, reached c -> ~ stuck c v.
  Proof.
    intros c v rc [some never]. apply valid_reached in rc. destruct (c v) as [|p q] eqn:e; [easy|].
    destruct (drain (Z.to_nat (top - level v)) c v p q) as (ms & c1 & s & i & _); trivial.
    - specialize (bounded v). lia.
    - exact (never _ _ s i).
  Qed.

  (* No configuration in the static sense exists. *)
  Theorem levels_no_configuration : ~ configuration.
  Proof.
    intros (set & [v i] & waits).
    enough (forall n v, top - level v <= Z.of_nat n -> ~ set v) as none.
    { apply (none (Z.to_nat (top - level v)) v); trivial. specialize (bounded v). lia. }
    clear v i. induction n as [|n IH]; intros v near i; destruct (waits v i) as (d & k & at_v & some & all);
      destruct (up d (v, k) at_v some) as (t & j & above); simpl in above.
    - specialize (bounded (fst t)). lia.
    - apply (IH (fst t)); [lia|]. now apply all.
  Qed.
End Queues.

(* Deadlock-free for all buffer sizes, if each buffer has room for one packet. No VC of a reached
   configuration is stuck, each VC can be emptied, and no configuration in the static sense exists. *)
Definition queues_free (r : routing) : Prop :=
  ~ configuration r /\
  forall room, (forall v, (1 <= room v)%nat) -> forall c v, reached r room c ->
    ~ stuck r room c v /\ clears r room c v.

(* A deadlock: a static configuration, and packets on its VCs that never move again, for all buffer sizes.
   Each packet can reach its place. It does not say that moves bring all of them there together. *)
Definition queues_deadlock (r : routing) : Prop :=
  configuration r /\
  forall room, (forall v, (1 <= room v)%nat) -> exists c, valid r room c /\ exists v, stuck r room c v.

Theorem rising_queues_free r level top :
  (forall v, level v <= top) -> rises r level -> queues_free r.
Proof.
  intros bounded up. split; [eapply levels_no_configuration; eauto|].
  intros room some c v rc. split; [eapply levels_not_stuck|eapply levels_clear]; eauto.
Qed.
