(* This file defines a deadlock under wormhole switching, and proves when none exists.

   The model: a packet is a worm that lies on one or several VCs, the VC of its head first. A VC holds one
   worm at a time. A worm is created on its source's injection VC if this VC is free. Its head may enter any
   permitted next VC that is free. Its tail may leave the last VC while the worm holds more VCs than its flits
   need. A worm leaves the network as a whole when its head has no next hop: it is consumed on an ejection VC,
   and dropped elsewhere. Moves occur in any order. The proofs of progress use moves of heads only. So they
   hold for all packet lengths and buffer sizes.

   Source: W. J. Dally and C. L. Seitz, IEEE Transactions on Computers C-36(5), 1987; escapes after J. Duato,
   IEEE Transactions on Parallel and Distributed Systems 4(12), 1993, and 6(10), 1995. The proof is by
   induction on the greatest rank that a worm holds, from the top down. *)

From Coq Require Import ZArith List Bool Lia.
From Proved Require Import Arrays Routing.
Import ListNotations.
Open Scope Z_scope.

(* The destination, the number of VCs that the flits need, and the states of the worm, its head first. *)
Record worm := { goal : Z; flits : nat; body : list state }.

Section Worms.
  Variable r : routing.

  Definition worms := nat -> option worm. (* by packet number *)
  Definition give (c : worms) (i : nat) (w : option worm) : worms := fun j => if Nat.eqb j i then w else c j.
  Definition holds (w : worm) (v : Z) : Prop := In v (map fst (body w)).
  Definition free (c : worms) (v : Z) : Prop := forall i w, c i = Some w -> ~ holds w v.

  (* The moves. The label is true for moves of heads, and false for creation and for moves of tails. *)
  Inductive step : worms -> bool -> worms -> Prop :=
  | born c i n d e k :
      c i = None -> In (e, k) (sends r d) -> free c (entry r e) ->
      step c false (give c i (Some {| goal := d; flits := S n; body := [(entry r e, k)] |}))
  | tail c i d n b s :
      c i = Some {| goal := d; flits := n; body := b ++ [s] |} -> (n <= length b)%nat ->
      step c false (give c i (Some {| goal := d; flits := n; body := b |}))
  | ahead c i d n s b t :
      c i = Some {| goal := d; flits := n; body := s :: b |} -> In t (hops r d s) -> free c (fst t) ->
      step c true (give c i (Some {| goal := d; flits := n; body := t :: s :: b |}))
  | gone c i d n s b :
      c i = Some {| goal := d; flits := n; body := s :: b |} -> hops r d s = [] ->
      step c true (give c i None).

  Inductive steps : worms -> worms -> Prop :=
  | still c : steps c c
  | andstep c m c1 c2 : step c m c1 -> steps c1 c2 -> steps c c2.

  (* Sequences of moves of heads. *)
  Inductive heads : worms -> worms -> Prop :=
  | nothing c : heads c c
  | andhead c c1 c2 : step c true c1 -> heads c1 c2 -> heads c c2.

  Definition arisen (c : worms) : Prop := steps (fun _ => None) c.

  (* Moves lead from the empty network to a configuration with this worm alone. *)
  Definition arises (w : worm) : Prop :=
    exists c i, arisen c /\ c i = Some w /\ forall j, j <> i -> c j = None.

  (* The worm never moves again in any continuation. *)
  Definition frozen (c : worms) (i : nat) : Prop :=
    c i <> None /\ forall c', steps c c' -> c' i = c i.

  (* In some continuation without new packets the worm leaves the network. *)
  Definition gets_away (c : worms) (i : nat) : Prop := exists c', heads c c' /\ c' i = None.

  Lemma heads_trans a b c : heads a b -> heads b c -> heads a c.
  Proof. induction 1; eauto using heads. Qed.

  Lemma heads_steps a b : heads a b -> steps a b.
  Proof. induction 1; eauto using steps. Qed.

  (* The states of a body form a path: each is a next hop of the one behind it, and all are reachable. *)
  Fixpoint lies (d : Z) (b : list state) : Prop :=
    match b with
    | [] => True
    | t :: rest => reachable r d t /\ lies d rest /\
        match rest with [] => True | s :: _ => In t (hops r d s) end
    end.

  Definition sound (w : worm) : Prop := body w <> [] /\ lies (goal w) (body w) /\ (1 <= flits w)%nat.

  (* Properties of every configuration that moves reach. *)
  Definition apart (c : worms) : Prop :=
    forall i j w x v, c i = Some w -> c j = Some x -> holds w v -> holds x v -> i = j.
  Definition proper (c : worms) : Prop :=
    (exists n, forall i, (n <= i)%nat -> c i = None) /\ (forall i w, c i = Some w -> sound w) /\ apart c.

  Lemma lies_init d b s : lies d (b ++ [s]) -> lies d b.
  Proof.
    induction b as [|t b IH]; simpl; trivial. intros (a & l & h). split; [trivial|]. split; [auto|].
    now destruct b.
  Qed.

  Lemma give_same c i w : give c i w i = w.
  Proof. unfold give. now rewrite Nat.eqb_refl. Qed.

  Lemma give_other c i w j : j <> i -> give c i w j = c j.
  Proof. unfold give. destruct (Nat.eqb_spec j i); congruence. Qed.

  Lemma apart_give c i w : apart c ->
    (forall x v, w = Some x -> holds x v -> (exists y, c i = Some y /\ holds y v) \/ free c v) -> apart (give c i w).
  Proof.
    intros ap new j k x y v. unfold give.
    destruct (Nat.eqb_spec j i) as [->|], (Nat.eqb_spec k i) as [->|]; trivial; intros ex ey hx hy.
    - destruct (new x v ex hx) as [(z & ez & hz)|fr]; [eapply ap; eauto|now elim (fr k y ey)].
    - destruct (new y v ey hy) as [(z & ez & hz)|fr]; [eapply ap; eauto|now elim (fr j x ex)].
    - eapply ap; eauto.
  Qed.

  Lemma proper_give c i w : proper c -> (forall x, w = Some x -> sound x) ->
    (forall x v, w = Some x -> holds x v -> (exists y, c i = Some y /\ holds y v) \/ free c v) -> proper (give c i w).
  Proof.
    intros ([n most] & all & ap) ok new. split; [|split].
    - exists (Nat.max n (S i)). intros j far. rewrite give_other by lia. apply most. lia.
    - intros j x. unfold give. destruct (Nat.eqb_spec j i); eauto.
    - now apply apart_give.
  Qed.

  Lemma proper_step c m c' : proper c -> step c m c' -> proper c'.
  Proof.
    intros ok s. destruct s as [c i n d e k no j fr|c i d n b s e l|c i d n s b t e j fr|c i d n s b e no];
      apply proper_give; trivial; try (intros x h; try discriminate; injection h as <-);
      try (intros x v h hv; try discriminate; injection h as <-).
    - split; [easy|]. simpl. repeat split; eauto using reachable. lia.
    - destruct hv as [<-|[]]. now right.
    - destruct (proj1 (proj2 ok) _ _ e) as (some & lie & one). simpl in *.
      split; simpl; [|split; trivial; now apply lies_init in lie]. destruct b; [simpl in l; lia|easy].
    - left. eexists. split; [eassumption|]. unfold holds in *. simpl in *. rewrite map_app. apply in_or_app. now left.
    - destruct (proj1 (proj2 ok) _ _ e) as (some & lie & one). simpl in *. split; [easy|]. simpl.
      destruct lie as (a & l & h). repeat split; eauto using reachable.
    - destruct hv as [<-|hv]; [now right|]. left. eexists. split; [eassumption|exact hv].
  Qed.

  Lemma proper_steps c c' : proper c -> steps c c' -> proper c'.
  Proof. intros ok s. induction s; eauto using proper_step. Qed.

  Lemma proper_arisen c : arisen c -> proper c.
  Proof. apply proper_steps. split; [now exists 0%nat|]. split; [easy|]. intros i j w x v h. discriminate. Qed.

  Lemma arisen_step c m c' : arisen c -> step c m c' -> arisen c'.
  Proof.
    unfold arisen. generalize (fun _ : nat => @None worm). intros a s. induction s; eauto using steps.
  Qed.

  (* The path of a worm that needs n VCs, its head first. No VC is one of the n VCs before it. *)
  Fixpoint enterable (n : nat) (b : list state) : Prop :=
    match b with
    | [] => True
    | t :: rest => ~ In (fst t) (map fst (firstn n rest)) /\ enterable n rest
    end.

  Lemma firstn_next {A} n : forall l : list A, (n < length l)%nat -> exists x, firstn (S n) l = firstn n l ++ [x].
  Proof.
    induction n as [|n IH]; intros [|y l] h; simpl in h; try lia; [now exists y|].
    destruct (IH l) as [x e]; [lia|]. exists x. change (firstn (S (S n)) (y :: l)) with (y :: firstn (S n) l). now rewrite e.
  Qed.

  (* Such a worm arises alone: it is created, and its tail follows its head as closely as possible. *)
  Lemma enterable_arises d n e k : forall b, List.last b (0, 0) = (entry r e, k) -> b <> [] ->
    In (e, k) (sends r d) -> lies d b -> enterable (S n) b ->
    arises {| goal := d; flits := S n; body := firstn (S n) b |}.
  Proof.
    induction b as [|t b IH]; [easy|]. intros first _ is_sent lie ent. destruct b as [|s b].
    - simpl in first. subst t. exists (give (fun _ => None) 0%nat (Some {| goal := d; flits := S n; body := [(entry r e, k)] |})), 0%nat.
      split; [|split].
      + eapply arisen_step; [apply still|]. apply born; trivial. now intros i w h.
      + rewrite give_same. simpl. now rewrite firstn_nil.
      + intros j other. now apply give_other.
    - destruct lie as (at_t & lie & into). destruct ent as (new & ent).
      destruct (IH first ltac:(easy) is_sent lie ent) as (c & i & a & ci & none). clear IH.
      set (rest := s :: b) in *.
      assert (firstn (S n) rest = s :: firstn n b) as shape by reflexivity. rewrite shape in ci.
      assert (free c (fst t)) as fr.
      { intros j w cj h. destruct (Nat.eq_dec j i) as [->|other]; [|rewrite none in cj; [discriminate|trivial]].
        rewrite ci in cj. injection cj as <-. apply new. exact h. }
      set (c1 := give c i (Some {| goal := d; flits := S n; body := t :: s :: firstn n b |})).
      assert (arisen c1) as a1 by (eapply arisen_step; [exact a|]; eapply ahead; eauto).
      destruct (Nat.le_gt_cases (length rest) n) as [short|long].
      + exists c1, i. split; [trivial|split].
        * unfold c1. rewrite give_same, <- shape. change (firstn (S n) (t :: rest)) with (t :: firstn n rest).
          now rewrite !firstn_all2 by lia.
        * intros j other. unfold c1. rewrite give_other; auto.
      + destruct (firstn_next n rest long) as [x last_].
        exists (give c1 i (Some {| goal := d; flits := S n; body := t :: firstn n rest |})), i. split; [|split].
        * eapply arisen_step; [exact a1|]. eapply tail with (s := x).
          -- unfold c1. rewrite give_same, <- shape, last_. now rewrite app_comm_cons.
          -- simpl length. rewrite firstn_length_le; lia.
        * rewrite give_same. reflexivity.
        * intros j other. rewrite give_other by trivial. unfold c1. rewrite give_other; auto.
  Qed.

  Lemma free_or_held c v : proper c -> free c v \/ exists i w, c i = Some w /\ holds w v.
  Proof.
    intros [[n most] _].
    enough (forall m, (forall i w, (i < m)%nat -> c i = Some w -> ~ holds w v) \/
      exists i w, c i = Some w /\ holds w v) as H.
    { destruct (H n) as [fr|held]; [left|now right]. intros i w e. apply (fr i w); trivial.
      destruct (Nat.lt_ge_cases i n) as [|far]; trivial. rewrite most in e; [discriminate|trivial]. }
    induction m as [|m [IH|IH]]; [left; lia| |now right].
    destruct (c m) as [w|] eqn:e.
    - destruct (in_dec Z.eq_dec v (map fst (body w))) as [h|h]; [right; exists m, w; now split|].
      left. intros i x l ex. destruct (Nat.eq_dec i m) as [->|]; [|apply (IH i); trivial; lia].
      now replace x with w by congruence.
    - left. intros i x l ex. destruct (Nat.eq_dec i m) as [->|]; [congruence|apply (IH i); trivial; lia].
  Qed.

  (* An escape: some hops of each state, and ranks of VCs. VCs without a rank have rank -1. *)
  Variable escapes : Z -> state -> state -> Prop. (* destination, state, next hop *)
  Variable rank : Z -> Z.

  (* The states that a packet may request by an escape hop, after any number of non-escape hops. *)
  Inductive asks (d : Z) (s : state) : state -> Prop :=
  | now_asks t : In t (hops r d s) -> escapes d s t -> asks d s t
  | then_asks t u : In t (hops r d s) -> ~ escapes d s t -> asks d t u -> asks d s u.

  Definition escape_order : Prop :=
    (forall d s t, escapes d s t \/ ~ escapes d s t) /\
    (forall d s, reachable r d s -> hops r d s <> [] -> exists t, In t (hops r d s) /\ escapes d s t) /\
    (forall d s t, reachable r d s -> In t (hops r d s) -> escapes d s t -> 0 <= rank (fst t)) /\
    (forall d s t, reachable r d s -> 0 <= rank (fst s) -> asks d s t -> rank (fst s) < rank (fst t)).

  Variable top : Z.
  Hypothesis bounded : forall v, rank v <= top.
  Hypothesis order : escape_order.

  (* Each request of a worm's head has a greater rank than all VCs that the worm holds. *)
  Lemma asks_above d b : forall s u, lies d (s :: b) -> asks d s u ->
    forall x, In x (s :: b) -> 0 <= rank (fst x) -> rank (fst x) < rank (fst u).
  Proof.
    destruct order as (dec & _ & ranked & up).
    induction b as [|s' b IH]; intros s u (at_s & lie & behind) a x i r0.
    - destruct i as [<-|[]]. eapply up; eauto.
    - destruct i as [<-|i]; [eapply up; eauto|]. assert (reachable r d s') as at_s' by apply lie.
      destruct (dec d s' s) as [yes|no].
      + assert (rank (fst s) < rank (fst u)) by (eapply up; eauto).
        assert (rank (fst x) < rank (fst s)); [|lia]. apply (IH s'); trivial. now apply now_asks.
      + apply (IH s'); trivial. eapply then_asks; eauto.
  Qed.

  (* The greatest rank that w holds, or -1. *)
  Definition level (w : worm) : Z := fold_right Z.max (-1) (map rank (map fst (body w))).

  Lemma level_spec w : (forall v, holds w v -> rank v <= level w) /\
    (level w = -1 \/ exists v, holds w v /\ rank v = level w).
  Proof.
    unfold level, holds. induction (map fst (body w)) as [|v l [IH1 IH2]]; simpl; [split; [easy|now left]|].
    split.
    - intros u [<-|i]; [|specialize (IH1 u i)]; lia.
    - destruct (Z.max_spec (rank v) (fold_right Z.max (-1) (map rank l))) as [[lt ->]|[le ->]].
      + destruct IH2 as [|(u & i & e)]; eauto.
      + eauto.
  Qed.

  Hypothesis from_below : -1 <= top.

  Lemma level_top w : level w <= top.
  Proof. destruct (proj2 (level_spec w)) as [->|(v & _ & <-)]; auto. Qed.

  (* The worm can leave the network. Other worms of the same or a lower level do not change. *)
  Lemma gets_off : forall n c i w, top - level w <= Z.of_nat n -> proper c -> c i = Some w ->
    exists c', heads c c' /\ c' i = None /\ (forall j, c' j = c j \/ c' j = None) /\
      forall j x, j <> i -> c j = Some x -> level x <= level w -> c' j = Some x.
  Proof.
    induction n as [n IH] using lt_wf_ind. intros c i w near ok e.
    destruct (proj1 (proj2 ok) _ _ e) as (some & lie & one).
    destruct w as [d fl [|s b]]; [easy|]. simpl goal in *; simpl body in *; simpl flits in *. clear some.
    set (w := {| goal := d; flits := fl; body := s :: b |}) in *.
    assert (reachable r d s) as at_s by apply lie.
    destruct order as (_ & out & ranked & _).
    destruct (hops r d s) as [|t0 l0] eqn:none.
    { exists (give c i None). split; [|split; [|split]].
      - eapply andhead; [|apply nothing]. eapply gone; eauto.
      - apply give_same.
      - intro j. unfold give. destruct (Nat.eqb j i); auto.
      - intros j x other ex _. now rewrite give_other. }
    destruct (out d s at_s) as (t & into & esc); [now rewrite none|]. clear none t0 l0.
    assert (level w < rank (fst t)) as above.
    { destruct (proj2 (level_spec w)) as [->|(v & h & <-)].
      - specialize (ranked d s t at_s into esc). lia.
      - destruct (Z.lt_ge_cases (rank v) 0); [specialize (ranked d s t at_s into esc); lia|].
        unfold holds in h. apply in_map_iff in h. destruct h as (x & <- & h).
        eapply asks_above; eauto. now apply now_asks. }
    set (w' := {| goal := d; flits := fl; body := t :: s :: b |}).
    assert (rank (fst t) <= level w') as up by (apply level_spec; now left).
    assert (exists n', (n' < n)%nat /\ top - rank (fst t) <= Z.of_nat n') as (n' & less & near').
    { exists (Nat.pred n). specialize (bounded (fst t)). lia. }
    assert (forall c1, heads c c1 -> proper c1 -> c1 i = Some w -> free c1 (fst t) ->
      (forall j, c1 j = c j \/ c1 j = None) ->
      (forall j x, j <> i -> c j = Some x -> level x <= level w -> c1 j = Some x) ->
      exists c', heads c c' /\ c' i = None /\ (forall j, c' j = c j \/ c' j = None) /\
        forall j x, j <> i -> c j = Some x -> level x <= level w -> c' j = Some x) as last.
    { intros c1 h1 ok1 e1 fr only keep.
      assert (step c1 true (give c1 i (Some w'))) as st by (eapply ahead; eauto).
      destruct (IH n' less (give c1 i (Some w')) i w') as (c' & h & off & only' & keep').
      - lia.
      - eauto using proper_step.
      - apply give_same.
      - exists c'. split; [|split; [trivial|split]].
        + eapply heads_trans; eauto using heads.
        + intro j. destruct (Nat.eq_dec j i) as [->|other]; [now right|].
          destruct (only' j) as [->|]; [rewrite give_other by trivial; apply only|now right].
        + intros j x other ex low. apply keep'; trivial; [|lia]. rewrite give_other by trivial. now apply keep. }
    destruct (free_or_held c (fst t) ok) as [fr|(k & y & ey & hy)].
    { apply (last c); eauto using heads. }
    assert (rank (fst t) <= level y) as high by now apply level_spec.
    assert (i <> k) as differ by (intros ->; replace y with w in * by congruence; lia).
    destruct (IH n' less c k y) as (c1 & h1 & off & only & keep); trivial; [lia|].
    apply (last c1); trivial.
    - eauto using proper_steps, heads_steps.
    - apply keep; trivial. lia.
    - intros j x ex hx. destruct (only j) as [same_j|]; [|congruence].
      assert (j = k) as ->; [|congruence]. eapply (proj2 (proj2 ok)); eauto. congruence.
    - intros j x other ex low. apply keep; trivial; [|lia]. intros ->.
      replace y with x in * by congruence. lia.
  Qed.

  Theorem escape_gets_away c i : proper c -> gets_away c i.
  Proof.
    intro a. destruct (c i) as [w|] eqn:e.
    - destruct (gets_off (Z.to_nat (top - level w)) c i w) as (c' & h & off & _); trivial.
      + pose proof (level_top w). lia.
      + now exists c'.
    - exists c. split; [apply nothing|trivial].
  Qed.

  Theorem escape_not_frozen c i : proper c -> ~ frozen c i.
  Proof.
    intros a [some never]. destruct (escape_gets_away c i a) as (c' & h & off).
    rewrite <- (never c') in some; [congruence|now apply heads_steps].
  Qed.
End Worms.

(* A deadlock: worms on different VCs that never move again, each of which arises alone. It does not say that
   moves lead to all of them together. *)
Definition worms_deadlock (r : routing) : Prop :=
  exists c, proper r c /\ (exists i, c i <> None) /\ forall i w, c i = Some w -> arises r w /\ frozen r c i.

(* Deadlock-free: in every configuration that arises, no worm is frozen, and each worm can leave by moves of
   heads alone. Also no deadlock as defined above exists, whether it arises or not. *)
Definition worms_free (r : routing) : Prop :=
  (forall c i, arisen r c -> ~ frozen r c i /\ gets_away r c i) /\ ~ worms_deadlock r.

Theorem escape_worms_free r escapes rank top :
  -1 <= top -> (forall v, rank v <= top) -> escape_order r escapes rank -> worms_free r.
Proof.
  split.
  - intros c i a. apply proper_arisen in a. split; [eapply escape_not_frozen|eapply escape_gets_away]; eauto.
  - intros (c & ok & (i & some) & all). destruct (c i) as [w|] eqn:e; [|easy].
    eapply escape_not_frozen; eauto. now apply (all i w).
Qed.
