(* This file judges a numbering and an order of elimination, and proves that each excludes deadlocks. Escape.v
   judges escapes.

   Each VC between switches has a rank. Ejection counts as a rank above all of these, injection as one below.
   The checks use the rows of one destination: its reachable states, each with its next hops (Explore.v). *)

From Coq Require Import ZArith List Bool Lia Relations.
From Proved Require Import Arrays Routing Queues Worms Explore.
Import ListNotations.
Open Scope Z_scope.

Section Ranks.
  Variable r : routing.
  Hypothesis ends : forall d s, ejection r (fst s) = true -> hops r d s = [].

  (* What the checks of all destinations show holds for all reachable states. *)
  Definition for_all (check : Z -> list row -> bool) : Prop :=
    forall d, (exists rows, explored r d = Some rows /\ check d rows = true) \/ sends r d = [].

  Lemma reachable_row check d s t : for_all check -> reachable r d s -> In t (hops r d s) ->
    exists rows, explored r d = Some rows /\ check d rows = true /\ In (s, hops r d s) rows.
  Proof.
    intros h rs i. destruct (h d) as [(rows & found & ok)|none].
    - exists rows. repeat split; trivial.
      destruct (proj1 (explored_spec r d (ends d) rows found) s rs) as [out|]; trivial. now rewrite ends in i.
    - exfalso. clear i. induction rs as [e k i|]; trivial. rewrite none in i. destruct i.
  Qed.

  Variable top : Z.             (* the number of VCs between switches *)
  Hypothesis some : 0 <= top.
  Variable ranks : zmap Z.

  Definition rank (v : Z) : Z :=
    if link r v then match get ranks v with Some k => Z.min top k | None => -1 end
    else if ejection r v then top else -1.

  Lemma rank_top v : rank v <= top.
  Proof. unfold rank. destruct (link r v); [destruct (get ranks v)|destruct (ejection r v)]; lia. Qed.

  (* A numbering: every next hop increases the rank. *)
  Definition numbered (rows : list row) : bool :=
    forallb (fun e => forallb (fun t => (rank (fst (fst e)) <? rank (fst t)) && (0 <=? rank (fst t))) (snd e)) rows.

  (* An order of elimination: each state with next hops has one that increases the rank. *)
  Definition eliminates (rows : list row) : bool :=
    forallb (fun e => match snd e with [] => true | hs => existsb (fun t => rank (fst (fst e)) <? rank (fst t)) hs end) rows.

  Lemma numbered_spec : for_all (fun _ => numbered) -> forall d s t, reachable r d s -> In t (hops r d s) ->
    rank (fst s) < rank (fst t) /\ 0 <= rank (fst t).
  Proof.
    intros h d s t rs i. destruct (reachable_row _ _ _ _ h rs i) as (rows & _ & ok & there).
    unfold numbered in ok. rewrite forallb_forall in ok. specialize (ok _ there). simpl in ok.
    rewrite forallb_forall in ok. specialize (ok _ i). apply andb_true_iff in ok. lia.
  Qed.

  Theorem numbered_acyclic : for_all (fun _ => numbered) -> acyclic r.
  Proof.
    intros h a c. enough (forall x y, clos_trans Z (depends r) x y -> rank x < rank y) as up.
    { specialize (up _ _ c). lia. }
    clear a c. intros x y c. induction c as [x y (_ & _ & d & k & l & rs & i)|x y z _ IH1 _ IH2]; [|lia].
    apply (numbered_spec h d (x, k) (y, l) rs i).
  Qed.

  (* Here every hop is an escape hop. *)
  Lemma numbered_escape : for_all (fun _ => numbered) -> escape_order r (fun _ _ _ => True) rank.
  Proof.
    intro h. repeat split.
    - auto.
    - intros d s _ more. destruct (hops r d s) as [|t l]; [easy|]. exists t. split; [now left|trivial].
    - intros d s t rs i _. now apply (numbered_spec h d s t).
    - intros d s t rs _ a. inversion a as [x i _|x y _ no _]; [|tauto]. now apply (numbered_spec h d s t).
  Qed.

  Lemma escape_rises escapes : escape_order r escapes rank -> rises r rank.
  Proof.
    intros (_ & out & ranked & up) d s rs more. destruct (out d s rs more) as (t & i & e). exists t. split; trivial.
    destruct (Z.lt_ge_cases (rank (fst s)) 0) as [low|].
    - specialize (ranked d s t rs i e). lia.
    - apply (up d s t); trivial. now apply now_asks.
  Qed.

  Theorem numbered_free : for_all (fun _ => numbered) -> queues_free r /\ worms_free r.
  Proof.
    intro h. apply numbered_escape in h. split.
    - eapply rising_queues_free; [apply rank_top|]. eapply escape_rises; eauto.
    - eapply escape_worms_free with (top := top); [lia|apply rank_top|eauto].
  Qed.

  Theorem eliminates_free : for_all (fun _ => eliminates) -> queues_free r.
  Proof.
    intro h. eapply rising_queues_free; [apply rank_top|]. intros d s rs more.
    destruct (hops r d s) as [|t0 l] eqn:e; [easy|].
    destruct (reachable_row _ d s t0 h rs) as (rows & _ & ok & there); [rewrite e; now left|].
    unfold eliminates in ok. rewrite forallb_forall in ok. specialize (ok _ there). cbn iota beta delta [fst snd] in ok.
    rewrite e in ok. apply existsb_exists in ok. destruct ok as (t & i & lt). exists t. split; trivial. lia.
  Qed.
End Ranks.
