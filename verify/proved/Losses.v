(* This file counts the pairs that are not connected.

   A state is far if some path leads from it to the destination. It is bad (lost) if a packet in it can reach
   a state that is not far, or another endpoint. Both sets come from searches whose results are checked, as in
   Ways.v. *)

From Coq Require Import ZArith List Bool Lia.
From Proved Require Import Arrays Routing Explore Ranks Ways.
Import ListNotations.
Open Scope Z_scope.

Section Losses.
  Variable r : routing.
  Hypothesis ends : forall d s, ejection r (fst s) = true -> hops r d s = [].

  Definition wrong (d : Z) (t : state) : bool := ejection r (fst t) && negb (target r d (fst t)).

  Definition lost (d : Z) (far : pmap Z) (rows : list row) : pmap Z :=
    all_before (reversed r rows) (map fst (filter (fun e => negb (has2 far (fst e)) || existsb (wrong d) (snd e)) rows)).

  (* Checks one state. If the state is far, some hop leads to the destination or to a state with a smaller
     number. Otherwise all its hops lead to other endpoints or to states that are not far. If the state is
     bad, it is not far, or some hop leads to another endpoint or to a bad state with a smaller number.
     Otherwise all its hops lead to the destination or to states that are not bad. *)
  Definition nearer (m : pmap Z) (k : Z) (t : state) : bool :=
    negb (ejection r (fst t)) && match get2 m t with Some j => j <? k | None => false end.

  Definition row_ok (d : Z) (far bad : pmap Z) (e : row) : bool :=
    match get2 far (fst e) with
    | Some k => (0 <=? k) && existsb (fun t => target r d (fst t) || nearer far k t) (snd e)
    | None => negb (target r d (fst (fst e))) &&
        forallb (fun t => negb (target r d (fst t)) && (ejection r (fst t) || negb (has2 far t))) (snd e)
    end &&
    match get2 bad (fst e) with
    | Some k => (0 <=? k) && (negb (has2 far (fst e)) || existsb (fun t => wrong d t || nearer bad k t) (snd e))
    | None => has2 far (fst e) &&
        forallb (fun t => if ejection r (fst t) then target r d (fst t) else negb (has2 bad t)) (snd e)
    end.

  Definition told_apart (d : Z) (rows : list row) : bool :=
    let far := distances r d rows in
    let bad := lost d far rows in
    forallb (row_ok d far bad) rows.

  (* By source: the source has a class, and no packet of its classes begins in a bad state. *)
  Definition safe (d : Z) (rows : list row) : Z -> bool :=
    let bad := lost d (distances r d rows) rows in
    let senders := firsts (sends r d) in
    let losers := firsts (filter (fun ek => has2 bad (entry r (fst ek), snd ek)) (sends r d)) in
    fun e => has senders e && negb (has losers e).

  Definition losses (d : Z) (rows : list row) : Z :=
    let good := safe d rows in Zlength (filter (fun e => negb (good e)) (sources r d)).

  Section One.
    Variables (d : Z) (rows : list row).
    Hypothesis found : explored r d = Some rows.
    Hypothesis ok : told_apart d rows = true.
    Let far := distances r d rows.
    Let bad := lost d far rows.

    Lemma row_fine s : In (s, hops r d s) rows -> row_ok d far bad (s, hops r d s) = true.
    Proof. intro i. unfold told_apart in ok. cbv zeta in ok. rewrite forallb_forall in ok. exact (ok _ i). Qed.

    Lemma stays s t : In (s, hops r d s) rows -> In t (hops r d s) -> ejection r (fst t) = true \/ In (t, hops r d t) rows.
    Proof.
      intros i j. destruct (explored_spec r d (ends d) rows found) as (_ & b & _).
      destruct (b _ _ i) as (_ & _ & next). destruct (next t j) as [|[_ k]]; auto.
    Qed.

    (* From a far state a path leads to the destination. *)
    Lemma far_way : forall n s k, In (s, hops r d s) rows -> get2 far s = Some k -> k <= Z.of_nat n ->
      exists t, way r d s t /\ target r d (fst t) = true.
    Proof.
      induction n as [n IH] using lt_wf_ind. intros s k i e le. assert (H := row_fine s i). unfold row_ok in H.
      cbn [fst snd] in H. rewrite e in H. rewrite !andb_true_iff in H. destruct H as ((pos & near) & _).
      apply Z.leb_le in pos. apply existsb_exists in near. destruct near as (t & j & near).
      destruct (target r d (fst t)) eqn:tar; [exists t; split; trivial; eapply onward; [apply here|trivial]|].
      simpl in near. unfold nearer in near. apply andb_true_iff in near. destruct near as [inside lt].
      destruct (get2 far t) as [l|] eqn:el; [|discriminate]. apply Z.ltb_lt in lt.
      destruct (stays s t i j) as [out|it]; [now rewrite out in inside|].
      assert (G := row_fine t it). unfold row_ok in G. cbn [fst snd] in G. rewrite el in G. rewrite !andb_true_iff in G.
      destruct G as ((posl & _) & _). apply Z.leb_le in posl.
      destruct (IH (Z.to_nat l)) with (s := t) (k := l) as (u & w & tu); trivial; [lia|lia|].
      exists u. split; trivial. eapply way_trans; [|exact w]. eapply onward; [apply here|trivial].
    Qed.

    (* From a state that is not far no path leads to the destination. *)
    Lemma no_way s : In (s, hops r d s) rows -> get2 far s = None -> forall u, way r d s u -> target r d (fst u) = false.
    Proof.
      intros i e u w. enough (target r d (fst u) = false /\ (ejection r (fst u) = true \/
        In (u, hops r d u) rows /\ get2 far u = None)) as H by apply H.
      induction w as [|x y w IH j].
      - split; [|now right]. assert (H := row_fine s i). unfold row_ok in H. cbn [fst snd] in H. rewrite e in H.
        rewrite !andb_true_iff in H. now destruct H as ((H%negb_true_iff & _) & _).
      - destruct IH as [_ [out|[ix ex]]]; [now rewrite ends in j|]. assert (H := row_fine x ix). unfold row_ok in H.
        cbn [fst snd] in H. rewrite ex in H. rewrite !andb_true_iff in H. destruct H as ((_ & H) & _).
        rewrite forallb_forall in H. specialize (H y j). apply andb_true_iff in H. destruct H as [H1%negb_true_iff H2].
        split; trivial. destruct (stays x y ix j) as [|iy]; [now left|].
        destruct (ejection r (fst y)); [now left|right]. split; trivial. simpl in H2.
        unfold has2 in H2. now destruct (get2 far y).
    Qed.

    Lemma lost_way : forall n s k, In (s, hops r d s) rows -> get2 bad s = Some k -> k <= Z.of_nat n ->
      exists t, way r d s t /\ forall u, way r d t u -> target r d (fst u) = false.
    Proof.
      induction n as [n IH] using lt_wf_ind. intros s k i e le. assert (H := row_fine s i). unfold row_ok in H.
      cbn [fst snd] in H. rewrite e in H. apply andb_true_iff in H. destruct H as [_ H].
      apply andb_true_iff in H. destruct H as [pos H]. apply Z.leb_le in pos. apply orb_true_iff in H.
      destruct H as [H|H].
      - exists s. split; [apply here|]. apply no_way; trivial. unfold has2 in H. now destruct (get2 far s).
      - apply existsb_exists in H. destruct H as (t & j & H). apply orb_true_iff in H. destruct H as [H|H].
        + unfold wrong in H. apply andb_true_iff in H. destruct H as [out no%negb_true_iff].
          exists t. split; [eapply onward; [apply here|trivial]|]. intros u w.
          enough (u = t) by congruence. induction w as [|x y _ E l]; trivial. subst. now rewrite ends in l.
        + unfold nearer in H. apply andb_true_iff in H. destruct H as [inside lt].
          destruct (get2 bad t) as [l|] eqn:el; [|discriminate]. apply Z.ltb_lt in lt.
          destruct (stays s t i j) as [out|it]; [now rewrite out in inside|].
          assert (G := row_fine t it). unfold row_ok in G. cbn [fst snd] in G. rewrite el in G.
          apply andb_true_iff in G. destruct G as [_ G]. apply andb_true_iff in G. destruct G as [posl%Z.leb_le _].
          destruct (IH (Z.to_nat l)) with (s := t) (k := l) as (u & w & no); trivial; [lia|lia|].
          exists u. split; trivial. eapply way_trans; [|exact w]. eapply onward; [apply here|trivial].
    Qed.

    Lemma good_way s u : In (s, hops r d s) rows -> get2 bad s = None -> way r d s u ->
      exists t, way r d u t /\ target r d (fst t) = true.
    Proof.
      intros i e w. assert (ejection r (fst u) = true /\ target r d (fst u) = true \/
        In (u, hops r d u) rows /\ get2 bad u = None) as [[_ tar]|[iu eu]].
      { induction w as [|x y w IH j]; [now right|]. destruct IH as [[out _]|[ix ex]]; [now rewrite ends in j|].
        assert (H := row_fine x ix). unfold row_ok in H. cbn [fst snd] in H. rewrite ex in H. rewrite !andb_true_iff in H.
        destruct H as (_ & (_ & H)). rewrite forallb_forall in H. specialize (H y j).
        destruct (stays x y ix j) as [out|iy].
        - rewrite out in H. now left.
        - destruct (ejection r (fst y)) eqn:out; [left; auto|right]. split; trivial. unfold has2 in H. now destruct (get2 bad y). }
      - exists u. split; [apply here|trivial].
      - assert (H := row_fine u iu). unfold row_ok in H. cbn [fst snd] in H. rewrite eu in H. rewrite !andb_true_iff in H.
        destruct H as (H0 & H1 & _). unfold has2 in H1. destruct (get2 far u) as [k|] eqn:ek; [|discriminate].
        apply andb_true_iff in H0. destruct H0 as [pos%Z.leb_le _].
        now apply (far_way (Z.to_nat k) u k); [|trivial|lia].
    Qed.

    Theorem safe_spec e : safe d rows e = true <-> pair_connected r e d.
    Proof.
      destruct (explored_spec r d (ends d) rows found) as (_ & _ & begun).
      unfold safe. cbv zeta. fold far. fold bad. rewrite andb_true_iff, negb_true_iff, firsts_spec. split.
      - intros [sender clean]. split; trivial. intros k s i w. apply (good_way (entry r e, k)); auto.
        destruct (get2 bad (entry r e, k)) eqn:b; trivial. exfalso.
        assert (has (firsts (filter (fun ek => has2 bad (entry r (fst ek), snd ek)) (sends r d))) e = true) as H; [|congruence].
        apply firsts_spec. exists k. apply filter_In. split; trivial. unfold has2. simpl. now rewrite b.
      - intros [sender all]. split; trivial. destruct (has _ e) eqn:h; trivial. exfalso. apply firsts_spec in h.
        destruct h as [k h]. apply filter_In in h. destruct h as [i h]. unfold has2 in h. simpl in h.
        destruct (get2 bad (entry r e, k)) as [j|] eqn:b; [|discriminate].
        assert (start := begun e k i). assert (G := row_fine _ start). unfold row_ok in G. cbn [fst snd] in G. rewrite b in G.
        apply andb_true_iff in G. destruct G as [_ G]. apply andb_true_iff in G. destruct G as [pos%Z.leb_le _].
        destruct (lost_way (Z.to_nat j) (entry r e, k) j start b) as (t & w & no); [lia|].
        destruct (all k t i w) as (u & v & yes). rewrite (no u v) in yes. discriminate.
    Qed.
  End One.
End Losses.
