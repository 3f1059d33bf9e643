(* This file judges an escape: a flag for each next hop, and ranks of the VCs that flagged hops lead to. Hops
   to ejection count as escape hops too.

   For each state, spread computes the least rank that its packets may request. It goes backwards from the
   requests, lowest first, along hops that are not escape hops. The theorem uses only the checks of the result
   (escapes_ok), not the search. Cost: that of sorting. *)

From Coq Require Import ZArith List Bool Lia Mergesort Orders.
From Proved Require Import Arrays Routing Queues Worms Explore Ranks.
Import ListNotations.
Open Scope Z_scope.

Module By_rank <: TotalLeBool.
  Definition t := (Z * state)%type.
  Definition leb (a b : t) : bool := fst a <=? fst b.
  Theorem leb_total : forall a b, leb a b = true \/ leb b a = true.
  Proof. intros. unfold leb. destruct (Z.leb_spec (fst a) (fst b)), (Z.leb_spec (fst b) (fst a)); auto; lia. Qed.
End By_rank.
Module Sorted := Sort By_rank.

Section Escape.
  Variable r : routing.
  Hypothesis ends : forall d s, ejection r (fst s) = true -> hops r d s = [].
  Variable top : Z.
  Hypothesis some : 0 <= top.
  Variables ranks flags : zmap Z.
  Variable first : Z -> state -> Z. (* the index of a state's first next hop among all next hops *)
  Notation rank := (rank r top ranks).

  Definition flagged (i : Z) (t : state) : bool :=
    ejection r (fst t) || match get flags i with Some f => f =? 1 | None => false end.

  Fixpoint mark (i : Z) (hs : list state) : list (state * bool) :=
    match hs with [] => [] | t :: hs => (t, flagged i t) :: mark (i + 1) hs end.

  Definition marks (d : Z) (s : state) (hs : list state) : list (state * bool) := mark (first d s) hs.
  Definition escapes (d : Z) (s t : state) : Prop := In (t, true) (marks d s (hops r d s)).

  Lemma in_mark t hs : forall i, In t hs -> exists b, In (t, b) (mark i hs).
  Proof.
    induction hs as [|x hs IH]; simpl; intros i h; [easy|]. destruct h as [->|h]; [eauto|].
    destruct (IH (i + 1) h) as [b ib]. eauto.
  Qed.

  Lemma mark_in t b hs : forall i, In (t, b) (mark i hs) -> In t hs.
  Proof.
    induction hs as [|x hs IH]; simpl; intros i h; [easy|]. destruct h as [h|h]; [left; congruence|eauto].
  Qed.

  (* By state: the states with a non-escape hop to it. *)
  Definition backwards (d : Z) (rows : list row) : pmap (list state) :=
    fold_left (fun m e => fold_left (fun m (tb : state * bool) => if snd tb then m else
      set2 m (fst tb) (fst e :: match get2 m (fst tb) with Some l => l | None => [] end)) (marks d (fst e) (snd e)) m) rows empty.

  (* The least requests found so far, and a queue of requests with their states, lowest first. *)
  Definition spread (before : pmap (list state)) (w : pmap Z * list (Z * state)) : (pmap Z * list (Z * state)) + pmap Z :=
    match w with
    | (least, []) => inr least
    | (least, (k, s) :: queue) =>
        if has2 least s then inl (least, queue)
        else inl (set2 least s k,
          fold_left (fun q x => (k, x) :: q) (match get2 before s with Some l => l | None => [] end) queue)
    end.

  Definition least_requests (d : Z) (rows : list row) : pmap Z :=
    let requests := flat_map (fun e => flat_map (fun (tb : state * bool) =>
      if snd tb then [(rank (fst (fst tb)), fst e)] else []) (marks d (fst e) (snd e))) rows in
    match loop (spread (backwards d rows)) enough (empty, Sorted.sort requests) with
    | inr least => least
    | inl (least, _) => least
    end.

  (* Three conditions. Each state has an escape hop. The least request of a state is above the rank of its VC,
     and at most that of each of its escape hops. A non-escape hop leads to a state whose least request is
     not smaller. *)
  Definition escapes_ok (d : Z) (rows : list row) : bool :=
    let least := least_requests d rows in
    forallb (fun e => let s := fst e in let ms := marks d s (snd e) in
      existsb snd ms &&
      match get2 least s with
      | None => false
      | Some k => (rank (fst s) <? k) && forallb (fun (tb : state * bool) =>
          if snd tb then (k <=? rank (fst (fst tb))) && (0 <=? rank (fst (fst tb)))
          else match get2 least (fst tb) with Some j => k <=? j | None => false end) ms
      end) rows.

  Definition mark_dec (x y : state * bool) : {x = y} + {x <> y}.
  Proof. repeat decide equality. Defined.

  Theorem escape_sound : for_all r escapes_ok -> escape_order r escapes rank.
  Proof.
    intro h.
    assert (forall d s t, reachable r d s -> In t (hops r d s) -> exists rows k,
      explored r d = Some rows /\ get2 (least_requests d rows) s = Some k /\ rank (fst s) < k /\
      existsb snd (marks d s (hops r d s)) = true /\
      forall u (b : bool), In (u, b) (marks d s (hops r d s)) ->
        if b then k <= rank (fst u) /\ 0 <= rank (fst u)
        else exists j, get2 (least_requests d rows) u = Some j /\ k <= j) as look.
    { intros d s t rs i. destruct (reachable_row r ends _ _ _ _ h rs i) as (rows & found & ok & there).
      unfold escapes_ok in ok. rewrite forallb_forall in ok. specialize (ok _ there). cbv zeta in ok.
      cbn [fst snd] in ok. apply andb_true_iff in ok. destruct ok as [out ok].
      destruct (get2 (least_requests d rows) s) as [k|] eqn:e; [|discriminate].
      apply andb_true_iff in ok. destruct ok as [lt ok]. rewrite forallb_forall in ok.
      exists rows, k. repeat split; trivial; [lia|]. intros u b j. specialize (ok _ j). cbn [fst snd] in ok. destruct b.
      - apply andb_true_iff in ok. lia.
      - destruct (get2 (least_requests d rows) u) as [l|]; [|discriminate]. exists l. split; [trivial|lia]. }
    split; [|split; [|split]].
    - intros d s t. unfold escapes. destruct (in_dec mark_dec (t, true) (marks d s (hops r d s))); auto.
    - intros d s rs more. destruct (hops r d s) as [|t l] eqn:e; [easy|].
      destruct (look d s t rs) as (rows & k & _ & _ & _ & out & _); [rewrite e; now left|].
      apply existsb_exists in out. destruct out as ([u b] & i & yes). simpl in yes. subst b.
      exists u. split; [|exact i]. rewrite <- e. eapply mark_in. exact i.
    - intros d s t rs i esc. destruct (look d s t rs i) as (rows & k & _ & _ & _ & _ & all).
      apply (all t true esc).
    - intros d s t rs _ a.
      enough (forall k rows, explored r d = Some rows -> get2 (least_requests d rows) s = Some k -> k <= rank (fst t)) as low.
      { assert (exists u, In u (hops r d s)) as [u i] by (destruct a; eauto).
        destruct (look d s u rs i) as (rows & k & found & e & lt & _). specialize (low k rows found e). lia. }
      induction a as [s t i esc|s x u i no _ IH]; intros k rows found e.
      + destruct (look d s t rs i) as (rows' & k' & found' & e' & _ & _ & all).
        replace rows' with rows in * by congruence. replace k' with k in * by congruence. apply (all t true esc).
      + destruct (look d s x rs i) as (rows' & k' & found' & e' & _ & _ & all).
        replace rows' with rows in * by congruence. replace k' with k in * by congruence.
        destruct (in_mark x (hops r d s) (first d s) i) as [[|] j]; [now elim no|].
        destruct (all x false j) as (l & el & le).
        specialize (IH (hop _ _ _ _ rs i) l rows found el). lia.
  Qed.

  Theorem escape_free : for_all r escapes_ok -> queues_free r /\ worms_free r.
  Proof.
    intro h. apply escape_sound in h. split.
    - apply rising_queues_free with (level := rank) (top := top); [intro; now apply rank_top|]. eapply escape_rises; eauto.
    - eapply escape_worms_free with (top := top); [lia|intro; now apply rank_top|eauto].
  Qed.
End Escape.
