(* This file proves that accepted claims are true (decide_sound). *)

From Coq Require Import ZArith List Bool Lia.
From Proved Require Import Arrays Certificate Network Routing Table Relation Queues Worms Explore Ranks Escape Ways Losses Witness Deadlocks Subject Decide.
Import ListNotations.
Open Scope Z_scope.

Lemma whole_spec {A B} (f : A -> option B) l ls : whole (map f l) = Some ls ->
  (forall x, In x l -> exists y, f x = Some y /\ In y ls) /\ (forall y, In y ls -> exists x, In x l /\ f x = Some y).
Proof.
  revert ls. induction l as [|a l IH]; simpl; intros ls h.
  - injection h as <-. easy.
  - destruct (f a) as [b|] eqn:e; [|discriminate]. destruct (whole (map f l)) as [l'|]; [|discriminate].
    injection h as <-. destruct (IH l' eq_refl) as [one two]. split.
    + intros x [<-|i]; [exists b; split; [trivial|now left]|]. destruct (one x i) as (y & ey & iy). exists y. split; [trivial|now right].
    + intros y [<-|i]; [exists a; auto|]. destruct (two y i) as (x & ix & ex). eauto.
Qed.

Lemma whole_map {A} (m : list (option A)) : forall ls, whole m = Some ls -> m = map Some ls.
Proof.
  induction m as [|[x|] m IH]; simpl; intros ls h; try discriminate; [now injection h as <-|].
  destruct (whole m) as [l|]; [|discriminate]. injection h as <-. simpl. f_equal. now apply IH.
Qed.

Lemma filter_none {A} (f : A -> bool) l : filter f l = [] -> forall x, In x l -> f x = false.
Proof.
  induction l as [|a l IH]; simpl; [easy|]. destruct (f a) eqn:e; [discriminate|]. intros h x [<-|i]; auto.
Qed.

Lemma pairs_length r : pairs_sum r = Zlength (pairs r).
Proof.
  unfold pairs_sum, pairs. enough (forall l n, fold_left (fun n d => n + Zlength (sources r d)) l n =
    n + Zlength (flat_map (fun d => map (fun e => (e, d)) (sources r d)) l)) as H by apply H.
  induction l as [|d l IH]; simpl; intro n; [rewrite Zlength_nil; lia|].
  rewrite IH, !Zlength_correct, app_length, map_length, Nat2Z.inj_add. symmetry. apply Z.add_assoc.
Qed.

Lemma max_in {A} (f : A -> Z) l : forall m n, n = fold_left (fun m x => Z.max m (f x)) l m -> n = m \/ exists x, In x l /\ f x = n.
Proof.
  induction l as [|a l IH]; simpl; intros m n h; auto. destruct (IH _ _ h) as [e|(x & i & e)]; eauto.
  destruct (Z.max_spec m (f a)) as [[_ e']|[_ e']]; rewrite e' in e; eauto.
Qed.

Lemma link_vcs_positive n : 1 <= vcs n -> 0 <= link_vcs (look n).
Proof.
  intro one. unfold link_vcs, look, link_channels, between, per_channel. rewrite Zlength_correct.
  apply Z.mul_nonneg_nonneg; [|lia]. apply Z.mul_nonneg_nonneg; [lia|]. apply Z.div_pos; [apply Nat2Z.is_nonneg|reflexivity].
Qed.

Section Sound.
  Variables (c : certificate) (s : subject).
  Hypothesis is : subject_of c = Some s.
  Hypothesis ok : decide c = Accepted.

  Lemma judged : exists ls,
    (forall d cl, In d (destinations (routes s)) -> In cl (claims c) ->
      exists rows, explored (routes s) d = Some rows /\ at_destination s (prepare cl) d rows = true) /\
    (forall l, In l ls -> exists d rows, explored (routes s) d = Some rows /\
      (forall cl, In cl (claims c) -> at_destination s (prepare cl) d rows = true) /\
      (deepest l = 0 \/ deepest l = longest (routes s) d rows)) /\
    (map (locally s (map (fun cl => (cl, prepare cl)) (claims c))) (destinations (routes s)) = map Some ls) /\
    forall cl, In cl (claims c) -> overall c s ls cl = true.
  Proof.
    unfold decide in ok. rewrite is in ok. cbv zeta in ok.
    destruct (whole _) as [ls|] eqn:w; [|discriminate].
    destruct (flat_map fail ls ++ _) eqn:e; [|discriminate]. apply app_eq_nil in e. destruct e as [none all].
    destruct (whole_spec _ _ _ w) as [one two].
    assert (forall d l, In l ls -> locally s (map (fun cl => (cl, prepare cl)) (claims c)) d = Some l ->
      exists rows, explored (routes s) d = Some rows /\
        (forall cl, In cl (claims c) -> at_destination s (prepare cl) d rows = true) /\
        (deepest l = 0 \/ deepest l = longest (routes s) d rows)) as H.
    { intros d l i h. unfold locally in h. destruct (explored (routes s) d) as [rows|] eqn:found; [|discriminate].
      destruct (exact s d (map fst rows)); [|discriminate]. injection h as <-. exists rows. repeat split; trivial.
      - intros cl icl. assert (In (cl, prepare cl) (map (fun cl => (cl, prepare cl)) (claims c))) as ip.
        { apply in_map_iff. now exists cl. }
        destruct (at_destination s (prepare cl) d rows) eqn:a; trivial. exfalso.
        assert (In cl (flat_map fail ls)) as bad; [|rewrite none in bad; destruct bad].
        apply in_flat_map. eexists. split; [exact i|]. simpl. apply in_map_iff. exists (cl, prepare cl). split; trivial.
        apply filter_In. split; trivial. simpl. now rewrite a.
      - simpl. destruct (existsb _ _); auto. }
    exists ls. repeat split.
    - intros d cl id icl. destruct (one d id) as (l & el & il). destruct (H d l il el) as (rows & found & a & _). eauto.
    - intros l il. destruct (two l il) as (d & id & el). destruct (H d l il el) as (rows & found & a & b). eauto.
    - now apply whole_map.
    - intros cl icl. assert (f := filter_none _ _ all cl icl). now apply negb_false_iff in f.
  Qed.

  Lemma everywhere cl check : In cl (claims c) -> (forall d rows, at_destination s (prepare cl) d rows = check d rows) ->
    for_all (routes s) check.
  Proof.
    intros icl eq d. destruct judged as (ls & at_ & _). destruct (subject_sends c s is d) as [id|none]; [left|now right].
    destruct (at_ d cl id icl) as (rows & found & a). exists rows. split; trivial. now rewrite <- eq.
  Qed.

  Lemma number_positive : 0 <= number s.
  Proof.
    unfold subject_of in is. destruct (network_ok (net c)) eqn:n; [|discriminate].
    assert (0 <= link_vcs (look (net c))) as H.
    { apply link_vcs_positive. unfold network_ok in n. rewrite !andb_true_iff in n.
      repeat match goal with h : _ /\ _ |- _ => destruct h end. apply Z.leb_le. assumption. }
    destruct (routed c) as [t|r].
    - destruct (table_ok _ t); [|discriminate]. now injection is as <-.
    - destruct (read (states r) None 0 []) as [es|]; [|discriminate].
      destruct (relation_ok _ r es); [|discriminate]. now injection is as <-.
  Qed.

  (* Sources that may lose packets, by destination. *)
  Definition loses (ed : Z * Z) : bool :=
    match explored (routes s) (snd ed) with Some rows => negb (safe (routes s) (snd ed) rows (fst ed)) | None => true end.

  Lemma missed_sum ps ls n : existsb (fun cp => is_lost (fst cp)) ps = true -> forall ds,
    map (locally s ps) ds = map Some ls ->
    fold_left (fun n l => n + missed l) ls n =
    n + Zlength (filter loses (flat_map (fun d => map (fun e => (e, d)) (sources (routes s) d)) ds)).
  Proof.
    intro some. revert n. induction ls as [|l ls IH]; intros n [|d ds] h; try discriminate.
    - simpl. symmetry. apply Z.add_0_r.
    - injection h as hl h. cbn [fold_left flat_map]. rewrite (IH _ ds h).
      rewrite filter_app, !Zlength_correct, app_length, Nat2Z.inj_add, Z.add_assoc. f_equal. f_equal.
      unfold locally in hl. destruct (explored (routes s) d) as [rows|] eqn:found; [|discriminate].
      destruct (exact s d (map fst rows)); [|discriminate]. injection hl as <-. cbn [missed]. rewrite some.
      unfold losses. cbv zeta. rewrite Zlength_correct. f_equal.
      induction (sources (routes s) d) as [|e es IHe]; trivial. cbn [map filter].
      unfold loses at 1. cbn [fst snd]. rewrite found. destruct (negb (safe (routes s) d rows e)); simpl; now rewrite IHe.
  Qed.

  Theorem sound cl : In cl (claims c) -> holds (switched c) (routes s) cl.
  Proof.
    intro i. destruct judged as (ls & at_ & per & order & all). assert (o := all cl i). pose proof number_positive as pos.
    pose proof (subject_ends c s is) as ends. destruct cl; simpl in o; simpl.
    - (* numbering *)
      eapply numbered_acyclic; eauto. exact (everywhere _ (fun _ => _) i (fun _ _ => eq_refl)).
    - (* cycle *)
      eapply cycle_sound; eauto.
    - (* acyclic *)
      apply existsb_exists in o. destruct o as (x & ix & is_numbering). destruct x; try discriminate.
      destruct (numbered_free (routes s) ends (number s) pos (of_list ranks)) as [q w].
      + exact (everywhere _ (fun _ => _) ix (fun _ _ => eq_refl)).
      + now destruct (switched c).
    - (* elimination *)
      apply andb_true_iff in o. destruct o as [_ o].
      assert (queues_free (routes s)) as q.
      { eapply eliminates_free; eauto. exact (everywhere _ (fun _ => _) i (fun _ _ => eq_refl)). }
      destruct (switched c); trivial. discriminate.
    - (* escape *)
      destruct (escape_free (routes s) ends (number s) pos (of_list ranks) (of_list flags) (first_hop s)) as [q w].
      + exact (everywhere _ _ i (fun _ _ => eq_refl)).
      + now destruct (switched c).
    - (* configuration *)
      destruct (one_each (routes s) packets) as [l|] eqn:e; [|discriminate].
      pose proof (one_each_honest _ _ _ e) as real.
      assert (forall wk, In wk l -> snd wk = 1) as ones.
      { intros wk j. unfold one_each in e. destruct (all_some _ _); [|discriminate]. injection e as <-.
        apply in_map_iff in j. now destruct j as (w & <- & _). }
      destruct (switched c); [| |now apply (worms_dead (routes s) l)];
        (split; [now apply (held_configuration (routes s) l)|]);
        intros room roomy; exists (queue_of l room); now apply (queues_dead (routes s)).
    - (* worms *)
      destruct (switched c); try discriminate. destruct (so_many (routes s) packets held) as [l|] eqn:e; [|discriminate].
      apply (worms_dead (routes s) l); trivial. eapply so_many_honest; eauto.
    - (* walk *)
      split; [|rewrite <- pairs_length; lia]. apply all_connected; trivial. intros d id.
      destruct (at_ d _ id i) as (rows & found & a). eauto.
    - (* lost *)
      rewrite !andb_true_iff in o. destruct o as ((o & u) & l). split; [rewrite <- pairs_length; lia|].
      split; [exists (source packet), (destination packet); eapply lost_sound; eauto|].
      exists loses. split.
      + intros e d ip. unfold Routing.pairs in ip. apply in_flat_map in ip. destruct ip as (d' & id & ip).
        apply in_map_iff in ip. destruct ip as (e' & eq & _). injection eq as -> ->.
        destruct (at_ d _ id i) as (rows & found & a). unfold loses. cbn [fst snd]. rewrite found, negb_true_iff.
        pose proof (safe_spec (routes s) ends d rows found a e) as [one two].
        destruct (safe (routes s) d rows e); split; trivial.
        * discriminate.
        * intro no. now elim no; apply one.
        * intros _ yes. specialize (two yes). discriminate.
      + apply Z.eqb_eq in u. rewrite u. erewrite missed_sum; [apply Z.add_0_l| |exact order].
        apply existsb_exists. eexists. split; [apply in_map_iff; eexists; split; [reflexivity|exact i]|reflexivity].
    - (* longest *)
      split.
      + intros d l p. destruct (subject_sends c s is d) as [id|none].
        * destruct (at_ d _ id i) as (rows & found & a). eapply bounded_walks; eauto.
        * destruct p as (_ & _ & e & k & _ & j). rewrite none in j. destruct j.
      + apply Z.eqb_eq in o. destruct (max_in deepest ls 0 most o) as [|(l & il & dl)]; [now left|].
        destruct (per l il) as (d & rows & found & a & [z|eq]); [left; congruence|].
        destruct (max_in (fun e : row => match get2 (depths (routes s) rows) (fst e) with Some k => k + 1 | None => 0 end)
          rows 0 most) as [|([x hs] & ix & ex)]; [rewrite <- dl, eq; reflexivity|now left|].
        right. specialize (a _ i). simpl in a.
        destruct (attained (routes s) ends most d rows found a x hs ix) as (w & p & dw). simpl in ex. rewrite dw in ex.
        exists d, (w ++ [x]). split; trivial. rewrite app_length. simpl length. lia.
    - (* loop *)
      eapply loop_sound; eauto.
  Qed.
End Sound.

Theorem decide_sound c : decide c = Accepted ->
  exists s, subject_of c = Some s /\ forall cl, In cl (claims c) -> holds (switched c) (routes s) cl.
Proof.
  intro ok. destruct (subject_of c) as [s|] eqn:is.
  - exists s. split; trivial. intros cl i. now apply sound.
  - unfold decide in ok. rewrite is in ok. discriminate.
Qed.
