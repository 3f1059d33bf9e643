(* This file proves that the invariants of a certificate hold for all packets that are reached, on every network of the
   family, if no obligation holds at any point. *)

From Coq Require Import ZArith List Bool Arith Lia.
From Proved Require Import Arrays Routing Formulas Refute Sizes Networks.
Import ListNotations.
Open Scope Z_scope.

(* The part of a channel: bit i tells whether its tail satisfies the condition of split i. *)
Fixpoint bits (l : list (formula * list (direction * Z))) (y : direction * Z) (x : point) : Z :=
  match l with [] => 0 | a :: l => (if listed y (snd a) && test x (fst a) then 1 else 0) + 2 * bits l y x end.

Lemma bits_odd (b : bool) r : Z.odd ((if b then 1 else 0) + 2 * r) = b.
Proof. rewrite Z.odd_add_mul_2. now destruct b. Qed.

Lemma bits_half (b : bool) r : Z.div2 ((if b then 1 else 0) + 2 * r) = r.
Proof.
  rewrite Z.div2_div. replace ((if b then 1 else 0) + 2 * r) with (r * 2 + (if b then 1 else 0)) by lia.
  rewrite Z.div_add_l by lia. destruct b; [change (1 / 2) with 0|change (0 / 2) with 0]; lia.
Qed.

Lemma in_part_holds l y x x' : (forall a, In a l -> holds x (fst a) <-> holds x' (fst a)) ->
  forall f, In f (in_part_of l y (bits l y x)) -> holds x' f.
Proof.
  induction l as [|a l IH]; intros same f i; [destruct i|]. cbn [in_part_of bits] in i. rewrite bits_half in i.
  apply in_app_or in i. destruct i as [i|i]; [|apply IH; trivial; intros; apply same; now right].
  destruct (listed y (snd a)); [|destruct i]. destruct i as [<-|[]]. cbn [andb]. rewrite bits_odd.
  destruct (test x (fst a)) eqn:h.
  - apply same; [now left|]. now apply test_spec.
  - destruct (neg_spec x' (fst a)) as [h'|]; trivial. apply same in h'; [|now left]. apply test_spec in h'. congruence.
Qed.

Lemma parts_in l y x : In (bits l y x) (parts l y).
Proof.
  induction l as [|a l IH]; [now left|]. cbn [bits parts].
  assert (In (2 * bits l y x) (map (fun k => 2 * k) (parts l y))) as i by now apply (in_map (fun k => 2 * k)).
  destruct (listed y (snd a)); cbn [andb]; [apply in_or_app; destruct (test x (fst a))|]; rewrite ?Z.add_0_l; auto.
  right. apply in_map_iff. exists (2 * bits l y x). split; [lia|trivial].
Qed.

Lemma same_direction_spec x y : same_direction x y = true <-> x = y.
Proof.
  destruct x as [a b], y as [c d]. unfold same_direction. simpl. rewrite andb_true_iff, Nat.eqb_eq, eqb_true_iff.
  split; [intros [-> ->]; trivial|intro e; injection e; auto].
Qed.

Lemma same_channel_spec a b : same_channel a b = true <->
  heading a = heading b /\ lane a = lane b /\ wrap a = wrap b /\ part a = part b.
Proof.
  unfold same_channel, heading. rewrite !andb_true_iff, Nat.eqb_eq, !eqb_true_iff, !Z.eqb_eq.
  split; [intros ((((-> & ->) & ->) & ->) & ->); auto|intros (h & -> & -> & ->); injection h; auto].
Qed.

Lemma same_class_spec a b : same_class a b = true <-> a = b.
Proof.
  unfold same_class. rewrite andb_true_iff, same_channel_spec, Z.eqb_eq.
  destruct a, b. unfold heading. simpl. split; [intros ((h & -> & -> & ->) & ->); injection h as -> ->; trivial|].
  intro h. injection h as -> -> -> -> -> ->. auto.
Qed.

Lemma insert_in a b l : a = b \/ In a l -> In a (insert b l).
Proof.
  induction l as [|c l IH]; cbn [insert]; intro h; [destruct h as [->|[]]; now left|].
  destruct (same_class b c) eqn:e.
  - apply same_class_spec in e. subst c. destruct h as [->|h]; [now left|exact h].
  - destruct (compare_keys (sort_key b) (sort_key c)); cbn [In] in *; destruct h as [<-|[h|h]]; auto.
Qed.

Lemma refute_all_sound n l : forall t rest, refute_all n l t = Some rest -> forall f, In f l -> forall x, ~ holds x f.
Proof.
  induction l as [|g l IH]; intros t rest h f i; [destruct i|]. cbn [refute_all] in h. destruct (is_false g) eqn:no.
  - destruct i as [<-|i]; [intro x; now apply is_false_spec|eauto].
  - destruct (refute n g t) as [u|] eqn:r; [|discriminate]. destruct i as [<-|i]; [eapply refute_sound; eauto|eauto].
Qed.

Section Invariants.
  Variable p : program.
  Variable s : nat -> Z.
  Variable e : evidence.
  Hypothesis wf : well_formed p e = true.
  Hypothesis none : forall f, In f (obligations p e) -> forall x, ~ holds x f.
  Hypothesis big : allowed p s.
  Notation n := (dims p).
  Notation env := (env p s).
  Notation at_places := (at_places p s).
  Notation at_hop := (at_hop p s).
  Notation side_length := (side_length p s).
  Notation places := (places p s).
  Notation wraps := (wraps p s).
  Notation forward := (forward p s).
  Notation delivered := (delivered p).

  (* What well_formed says. *)
  Lemma paths_fine q : In q (paths p) -> of_packet p (guard q) = true /\
    forall o, In o (outputs q) -> (fst (out_dir o) < axis_count p)%nat /\ 0 <= to_vc o < lanes p /\ aim_fine p o = true.
  Proof.
    intro i. unfold well_formed in wf. rewrite !andb_true_iff in wf. destruct wf as (((((((_ & a) & _) & _) & _) & _) & _) & _).
    rewrite forallb_forall in a. specialize (a q i). apply andb_true_iff in a. destruct a as [a b]. split; trivial.
    rewrite forallb_forall in b. intros o j. specialize (b o j). rewrite !andb_true_iff, Nat.ltb_lt in b. intuition lia.
  Qed.

  Lemma axes_plain : has_axes p || complete p = true -> (forall d, ring p d = false) /\ broken p = Nothing.
  Proof.
    intro ax. unfold well_formed in wf. rewrite !andb_true_iff in wf. destruct wf as (((((((a & _) & _) & _) & _) & _) & _) & _).
    unfold axes_fine in a. rewrite ax in a. cbn [negb orb] in a. apply andb_true_iff in a. destruct a as [_ a].
    apply andb_true_iff in a. destruct a as [a b]. split.
    - intro d. unfold ring. destruct (nth_in_or_default d (rings p) false) as [i|]; trivial. rewrite forallb_forall in a.
      specialize (a _ i). now apply negb_true_iff in a.
    - destruct (broken p); trivial; discriminate.
  Qed.

  Lemma complete_axes : complete p = true -> has_axes p = false.
  Proof.
    intro c. unfold well_formed in wf. rewrite !andb_true_iff in wf. destruct wf as (((((((a & _) & _) & _) & _) & _) & _) & _).
    unfold axes_fine in a. rewrite c in a. apply andb_true_iff in a. destruct a as [a _]. now destruct (has_axes p).
  Qed.

  Lemma failing_plain : broken p <> Nothing -> complete p = false /\ has_axes p = false.
  Proof.
    intro br. destruct (has_axes p || complete p) eqn:ax; [elim br; now apply axes_plain|]. apply orb_false_iff in ax. tauto.
  Qed.

  Lemma count_dims : has_axes p = false -> axis_count p = n.
  Proof. unfold has_axes, axis_count. destruct (axes p); [trivial|discriminate]. Qed.

  Lemma no_wraps h x : has_axes p || complete p = true -> wraps h x = false.
  Proof. intro ax. unfold Networks.wraps. now rewrite (proj1 (axes_plain ax)). Qed.

  Lemma injects_fine x : In x (injects p) -> of_packet p (fst x) = true.
  Proof.
    unfold well_formed in wf. rewrite !andb_true_iff in wf. destruct wf as ((((((_ & a) & _) & _) & _) & _) & _).
    rewrite forallb_forall in a. apply a.
  Qed.

  Lemma splits_fine x : In x (splits e) -> of_place p (fst x) = true.
  Proof.
    unfold well_formed in wf. rewrite !andb_true_iff in wf. destruct wf as ((((((_ & _) & _) & a) & _) & _) & _).
    rewrite forallb_forall in a. apply a.
  Qed.

  Lemma reached_fine x : In x (reached e) -> of_packet p (kept x) = true.
  Proof.
    unfold well_formed in wf. rewrite !andb_true_iff in wf. destruct wf as ((((((_ & _) & _) & _) & a) & _) & _).
    rewrite forallb_forall in a. apply a.
  Qed.

  Lemma ranks_fine x : In x (ranks e) -> of_channel p (rank_when x) = true /\
    forall f, In f (rank_forms x) -> form_of_channel p f = true.
  Proof.
    intro i. unfold well_formed in wf. rewrite !andb_true_iff in wf. destruct wf as ((((((_ & _) & _) & _) & _) & a) & _).
    rewrite forallb_forall in a. specialize (a x i). apply andb_true_iff in a. destruct a as [a b].
    split; trivial. now apply forallb_forall.
  Qed.

  (* Conditions on a place, and on a packet. *)
  Lemma no_hop_same f y y' h t o : no_hop p f = true -> holds (env y h t o) f <-> holds (env y' h t o) f.
  Proof.
    intro a. apply (avoids_holds _ _ _ _ _ a). intros v r. apply env_values. intros _ i ->. unfold hop_value.
    destruct i as [|[|[|i]]]; trivial; lia.
  Qed.

  Lemma place_same f y h t o y' h' t' o' : of_place p f = true -> (forall d, (d < n)%nat -> h d = h' d) ->
    holds (env y h t o) f <-> holds (env y' h' t' o') f.
  Proof.
    intros a same. apply andb_true_iff in a. destruct a as [a b]. rewrite (no_hop_same f y y') by exact b.
    apply (avoids_holds _ _ _ _ _ a). intros v r. apply env_ext; trivial; lia.
  Qed.

  Lemma packet_same f y y' h t o o' : of_packet p f = true -> holds (env y h t o) f <-> holds (env y' h t o') f.
  Proof.
    intros a. apply andb_true_iff in a. destruct a as [a b]. rewrite (no_hop_same f y y') by exact b.
    apply (avoids_holds _ _ _ _ _ a). intros v r. apply env_ext; trivial; lia.
  Qed.

  (* The formulas of Sizes.v at a point. *)
  Definition on_axis (h : nat -> Z) (x : direction) : Prop :=
    (forall d, (d < n)%nat -> step_of p x d <> 0 -> 0 <= h d + step_of p x d < side_length d) /\
    (modulus (axis_at p x) = 0 \/ (modulus (axis_at p x) | axis_sum p h x)).
  Definition tail_at (h : nat -> Z) (g : port) (w : bool) : Prop :=
    let x := toward g in
    if complete p then 0 <= goal g < side_length (fst x) /\ goal g <> h (fst x) else
    if has_axes p then on_axis h x else
    match w, snd x with
    | true, true => h (fst x) = side_length (fst x) - 1
    | true, false => h (fst x) = 0
    | false, true => h (fst x) < side_length (fst x) - 1
    | false, false => 0 < h (fst x)
    end.

  Lemma value_along y h t o x d : (d < n)%nat -> value (along p x d) (env y h t o) = h d + step_of p x d.
  Proof. intro lt. unfold along. now rewrite shift_spec, value_here. Qed.

  Lemma axis_sum_value (y : hop_values) (h t o : nat -> Z) (x : direction) : forall (l : list nat) (f : form) (z : Z), (forall d, In d l -> (d < n)%nat) ->
    value f (env y h t o) = z ->
    value (fold_left (fun f d => plus f (if snd x then here d else along p x d) (nth d (sums (axis_at p x)) 0)) l f) (env y h t o) =
    fold_left (fun z d => z + nth d (sums (axis_at p x)) 0 * (if snd x then h d else h d + step_of p x d)) l z.
  Proof.
    induction l as [|d l IH]; intros f z all e0; [exact e0|]. cbn [fold_left]. apply IH; [intros; apply all; now right|].
    assert (d < n)%nat as lt by (apply all; now left). rewrite plus_spec, e0. destruct (snd x); [now rewrite value_here|now rewrite value_along].
  Qed.

  Lemma axis_sum_ext (h g : nat -> Z) (x y : direction) : axis_at p x = axis_at p y ->
    (forall d, (d < n)%nat -> (if snd x then h d else h d + step_of p x d) = (if snd y then g d else g d + step_of p y d)) ->
    axis_sum p h x = axis_sum p g y.
  Proof.
    intros a same. unfold axis_sum. rewrite a.
    enough (forall l z, (forall d, In d l -> (d < n)%nat) ->
      fold_left (fun z d => z + nth d (sums (axis_at p y)) 0 * (if snd x then h d else h d + step_of p x d)) l z =
      fold_left (fun z d => z + nth d (sums (axis_at p y)) 0 * (if snd y then g d else g d + step_of p y d)) l z) as all.
    { apply all. intros d i. apply in_seq in i. lia. }
    induction l as [|d l IH]; intros z all; [trivial|]. cbn [fold_left].
    rewrite (same d) by (apply all; now left). apply IH. intros c i. apply all. now right.
  Qed.

  Lemma axis_tail_spec y h t o x : holds (env y h t o) (axis_tail p x) <-> on_axis h x.
  Proof.
    assert (value (fold_left (fun f d => plus f (if snd x then here d else along p x d) (nth d (sums (axis_at p x)) 0)) (seq 0 n) (number 0)) (env y h t o) =
      axis_sum p h x) as sum.
    { unfold axis_sum. apply axis_sum_value; [intros d i; apply in_seq in i; lia|apply number_spec]. }
    unfold axis_tail, on_axis. rewrite conj_spec. split.
    - intro all. split.
      + intros d lt no. assert (forall f, In f [at_least (along p x d); less_than (along p x d) (side_of p d)] -> holds (env y h t o) f) as two.
        { intros f i. apply all, in_or_app. left. apply in_flat_map. exists d. split; [apply in_seq; lia|].
          destruct (Z.eqb_spec (step_of p x d) 0); [easy|exact i]. }
        pose proof (two _ (or_introl eq_refl)) as a. pose proof (two _ (or_intror (or_introl eq_refl))) as b.
        rewrite at_least_spec, value_along in a by exact lt. rewrite less_than_spec, value_along, value_side in b by exact lt. lia.
      + destruct (Z.eqb_spec (modulus (axis_at p x)) 0) as [|no]; [now left|]. right. rewrite <- sum. rewrite <- divides_spec.
        apply all, in_or_app. right. destruct (Z.eqb_spec (modulus (axis_at p x)) 0); [easy|now left].
    - intros [inr dv] f i. apply in_app_or in i. destruct i as [i|i].
      + apply in_flat_map in i. destruct i as (d & i & j). apply in_seq in i. destruct (Z.eqb_spec (step_of p x d) 0) as [|no]; [destruct j|].
        specialize (inr d ltac:(lia) no). destruct j as [<-|[<-|[]]].
        * rewrite at_least_spec, value_along by lia. lia.
        * rewrite less_than_spec, value_along, value_side by lia. lia.
      + destruct (Z.eqb_spec (modulus (axis_at p x)) 0) as [|no]; [destruct i|]. destruct i as [<-|[]]. rewrite divides_spec, sum.
        destruct dv; [easy|trivial].
  Qed.

  Lemma in_line_spec y h t o f d : holds (env y h t o) (in_line p f d) <-> 0 <= value f (env y h t o) < side_length d.
  Proof. unfold in_line. rewrite conj_two, at_least_spec, less_than_spec, value_side. lia. Qed.

  Lemma is_tail_spec y h t o x w : complete p = false -> (fst (toward x) < axis_count p)%nat ->
    holds (env y h t o) (is_tail p (toward x) w) <-> tail_at h x w.
  Proof.
    intros cp lt. unfold is_tail, tail_at. rewrite cp. destruct (has_axes p) eqn:ax; [apply axis_tail_spec|]. rewrite (count_dims ax) in lt.
    destruct w, (snd (toward x)); rewrite ?equal_spec, ?less_than_spec, ?shift_spec, ?number_spec, ?value_side, ?value_here by trivial; lia.
  Qed.

  Lemma is_tail_holds y h t o x w : (fst (toward x) < axis_count p)%nat -> v_onto y = goal x -> tail_at h x w -> holds (env y h t o) (is_tail p (toward x) w).
  Proof.
    intros lt on tl. destruct (complete p) eqn:cp; [|now apply is_tail_spec]. unfold is_tail. unfold tail_at in tl. rewrite cp in *.
    apply in_line_spec. rewrite value_onto, on by exact cp. apply tl.
  Qed.

  Lemma on_grid_spec x f : (forall d, value (side_of p d) x = side_length d) ->
    holds x (on_grid p f) <-> forall d, (d < n)%nat -> 0 <= value (f d) x < side_length d.
  Proof.
    intro sides_. unfold on_grid. rewrite conj_spec. split.
    - intros h d lt. assert (holds x (at_least (f d)) /\ holds x (less_than (f d) (side_of p d))) as [a b].
      { split; apply h, in_flat_map; exists d; (split; [apply in_seq; lia|]); simpl; auto. }
      rewrite at_least_spec in a. rewrite less_than_spec, sides_ in b. lia.
    - intros h g i. apply in_flat_map in i. destruct i as (d & i & j). apply in_seq in i. specialize (h d ltac:(lia)).
      destruct j as [<-|[<-|[]]]; [rewrite at_least_spec|rewrite less_than_spec, sides_]; lia.
  Qed.

  Lemma size_holds y h t o f : In f (failure_place p :: sizes_when p) -> holds (env y h t o) f.
  Proof.
    intros i. unfold well_formed in wf. rewrite !andb_true_iff in wf. destruct wf as ((((((_ & _) & a) & _) & _) & _) & _).
    rewrite forallb_forall in a. specialize (a f i). apply andb_true_iff in a. destruct a as [a b].
    rewrite (no_hop_same f y no_values) by exact b. specialize (big f i). revert big. apply (avoids_holds _ _ _ _ _ a).
    intros v r. unfold Networks.env.
    destruct (Nat.ltb_spec v n), (Nat.ltb_spec v (2 * n)), (Nat.ltb_spec v (3 * n)); try lia; trivial.
  Qed.

  Lemma sizes_hold y h t o : holds (env y h t o) (conj (sizes_when p)).
  Proof. rewrite conj_spec. intros f i. apply size_holds. now right. Qed.

  Lemma value_failed y h t o d : complete p = false -> value (failed p d) (env y h t o) = s (sizes p - n + d)%nat.
  Proof. intro cp. unfold failed. rewrite variable_spec. apply env_size. now left. Qed.

  (* A place that is not that of the failure. *)
  Lemma not_failed h x (f : nat -> form) : is_failure p s h = false -> (forall d, value (failed p d) x = s (sizes p - n + d)%nat) ->
    (forall d, (d < n)%nat -> value (f d) x = coordinate h d) -> holds x (neg (is_failed p f)).
  Proof.
    intros no at_ same. destruct (neg_spec x (is_failed p f)) as [y|]; trivial. exfalso.
    assert (is_failure p s h = true) as yes; [|congruence]. apply forallb_forall. intros d i. apply in_seq in i. apply Z.eqb_eq.
    unfold is_failed in y. rewrite conj_spec in y. specialize (y (equal (f d) (failed p d))). rewrite equal_spec, at_, same in y by lia.
    apply y, in_map_iff. exists d. split; [trivial|apply in_seq; lia].
  Qed.

  Lemma failed_place h x (f : nat -> form) : holds x (neg (is_failed p f)) -> (forall d, value (failed p d) x = s (sizes p - n + d)%nat) ->
    (forall d, (d < n)%nat -> value (f d) x = coordinate h d) -> is_failure p s h = false.
  Proof.
    intros no at_ same. destruct (is_failure p s h) eqn:yes; trivial. exfalso. unfold is_failure in yes. rewrite forallb_forall in yes.
    revert no. apply neg_never.
    - unfold is_failed, equal. apply conj_plain, Forall_forall. intros g i. apply in_map_iff in i. destruct i as (d & <- & _).
      apply conj_plain. repeat constructor; apply at_least_plain.
    - unfold is_failed. rewrite conj_spec. intros g i. apply in_map_iff in i. destruct i as (d & <- & i). pose proof i as i'. apply in_seq in i'.
      rewrite equal_spec, at_, same by lia. apply Z.eqb_eq. now apply yes.
  Qed.

  Lemma away_holds y h t o : length h = n -> length t = n -> h <> t -> holds (at_hop y h t o) (away p).
  Proof.
    intros a b no. destruct (test (at_hop y h t o) (away p)) eqn:yes; [now apply test_spec|].
    elim no. apply nth_ext with 0 0; [congruence|]. intros d lt.
    destruct (Z.eq_dec (coordinate h d) (coordinate t d)) as [same|differs]; trivial.
    assert (test (at_hop y h t o) (away p) = true); [|congruence]. apply test_spec. unfold away. rewrite disj_spec.
    exists (differ (here d) (there p d)). split.
    - apply in_map_iff. exists d. split; trivial. apply in_seq. lia.
    - rewrite differ_spec. unfold Networks.at_hop. rewrite value_here, value_there by lia. exact differs.
  Qed.

  Lemma undelivered_holds y h t o : length h = n -> length t = n -> delivered h t = false -> holds (at_hop y h t o) (undelivered p).
  Proof.
    intros a b no. unfold undelivered. unfold Networks.delivered in no. destruct (Sizes.passes p); [simpl; trivial|].
    apply away_holds; trivial. destruct (place_dec h t); [discriminate|trivial].
  Qed.

  Lemma place_length h : In h places -> length h = n.
  Proof. intro i. apply places_spec in i. apply i. Qed.

  Lemma on_grid_here y h t o : In h places -> holds (at_hop y h t o) (on_grid p here).
  Proof.
    intro i. apply places_spec in i. destruct i as [_ i]. apply on_grid_spec; [intro; apply value_side|].
    intros d lt. unfold Networks.at_hop. rewrite value_here by trivial. now apply i.
  Qed.

  Lemma on_grid_there y h t o : In t places -> holds (at_hop y h t o) (on_grid p (there p)).
  Proof.
    intro i. apply places_spec in i. destruct i as [_ i]. apply on_grid_spec; [intro; apply value_side|].
    intros d lt. unfold Networks.at_hop. rewrite value_there by trivial. now apply i.
  Qed.

  Lemma on_grid_other y h t o : In o places -> holds (at_hop y h t o) (on_grid p (other p)).
  Proof.
    intro i. apply places_spec in i. destruct i as [_ i]. apply on_grid_spec; [intro; apply value_side|].
    intros d lt. unfold Networks.at_hop. rewrite value_other by trivial. now apply i.
  Qed.

  Lemma failure_domain_holds y h t o : In h places -> In t places -> holds (at_hop y h t o) (failure_domain p).
  Proof.
    intros a b. pose proof (size_holds y (coordinate h) (coordinate t) (coordinate o) (failure_place p) (or_introl eq_refl)) as f.
    apply places_spec in a, b. destruct a as [[_ a] _], b as [[_ b] _]. unfold failure_domain, alive in *.
    destruct (broken p) eqn:br; trivial. unfold failure_place in f. rewrite br in f. apply negb_true_iff in a, b.
    destruct failing_plain as [cp _]; [now rewrite br|].
    rewrite conj_spec. intros g [<-|[<-|[<-|[]]]]; trivial.
    - apply not_failed with h; trivial; [intro; now apply value_failed|]. intros d lt. now apply value_here.
    - apply not_failed with t; trivial; [intro; now apply value_failed|]. intros d lt. now apply value_there.
  Qed.

  Lemma domain_holds y h t o : In h places -> In t places -> delivered h t = false -> holds (at_hop y h t o) (domain p).
  Proof.
    intros a b no. unfold domain. rewrite conj_spec. intros f [<-|[<-|[<-|[<-|[<-|[]]]]]].
    - apply sizes_hold.
    - now apply on_grid_here.
    - now apply on_grid_there.
    - now apply failure_domain_holds.
    - apply undelivered_holds; trivial; now apply place_length.
  Qed.

  (* Moves of the place. *)
  Lemma step_back x d : step_of p (back x) d = - step_of p x d.
  Proof. unfold step_of, back, axis_at. cbn [fst snd]. destruct (snd x); cbn [negb]; lia. Qed.

  (* The port of the way back from the head of a channel. *)
  Definition reverse (h : place) (x : port) : port :=
    if complete p then {| toward := toward x; goal := coordinate h (fst (toward x)) |} else {| toward := back (toward x); goal := 0 |}.
  (* The values after a hop, and before it. *)
  Definition after (y : hop_values) (h : nat -> Z) (x : port) : hop_values := {| v_old := h (fst (toward x)); v_onto := v_onto y; v_far := v_far y |}.
  Definition before (y : hop_values) (x : port) : hop_values := {| v_old := v_old y; v_onto := goal x; v_far := v_far y |}.

  Lemma moved_head y h t o x w v : (fst (toward x) < axis_count p)%nat -> v_onto y = goal x ->
    moved (to_head p (toward x) w) (env y h t o) v = env (after y h x) (go p s h x w) t o v.
  Proof.
    intros lt on. unfold moved, to_head, go. destruct (complete p) eqn:cp.
    { pose proof (count_dims (complete_axes cp)) as cn. rewrite cn in lt. destruct (Nat.eqb_spec v (fst (toward x))) as [->|no].
      - rewrite env_here, Nat.eqb_refl by exact lt. now rewrite value_onto.
      - destruct (Nat.eqb_spec v (hop_variable p)) as [->|no'].
        + rewrite value_here by exact lt. rewrite <- (Nat.add_0_r (hop_variable p)). now rewrite env_hop.
        + rewrite variable_spec. rewrite (env_values p s y (after y h x)).
          * unfold Networks.env. destruct (Nat.ltb_spec v n); trivial. now destruct (Nat.eqb_spec v (fst (toward x))).
          * intros _ [|[|[|i]]] ->; trivial. lia. }
    rewrite (env_values p s (after y h x) y) by (intro bad; congruence). destruct (has_axes p) eqn:ax.
    - destruct (Nat.ltb_spec v n) as [dn|dn]; cbn [andb].
      + rewrite env_here by exact dn. destruct (Z.eqb_spec (step_of p (toward x) v) 0) as [z|]; cbn [negb].
        * rewrite variable_spec, env_here by exact dn. lia.
        * now apply value_along.
      + rewrite variable_spec. unfold Networks.env. now destruct (Nat.ltb_spec v n); [lia|].
    - rewrite (count_dims ax) in lt. destruct (Nat.eqb_spec v (fst (toward x))) as [->|no].
      + rewrite env_here, Nat.eqb_refl by trivial. unfold next, next_coordinate.
        destruct w, (snd (toward x)); rewrite ?shift_spec, ?number_spec, ?value_side, ?value_here by trivial; lia.
      + rewrite variable_spec. unfold Networks.env. destruct (Nat.ltb_spec v n); trivial.
        now destruct (Nat.eqb_spec v (fst (toward x))).
  Qed.

  (* A channel leaves the place, and has not failed. *)
  Definition open_at (h : place) (x : port) : Prop := tail_at (coordinate h) x (wraps h x) /\ working p s h x = true.

  Lemma go_back h x d : open_at h x -> (d < n)%nat ->
    go p s (coordinate (forward h x)) (reverse h x) (wraps h x) d = coordinate h d.
  Proof.
    intros [tl _] lt. unfold go at 1, reverse. unfold tail_at in tl. destruct (complete p) eqn:cp; cbn [toward goal].
    { destruct (Nat.eqb_spec d (fst (toward x))) as [->|no]; trivial. rewrite forward_at by exact lt. unfold go. rewrite cp.
      now destruct (Nat.eqb_spec d (fst (toward x))). }
    destruct (has_axes p) eqn:ax.
    { rewrite forward_at, step_back by exact lt. unfold go. rewrite cp, ax. lia. }
    unfold back. cbn [fst]. destruct (Nat.eqb_spec d (fst (toward x))) as [->|no].
    - unfold next_coordinate. cbn [fst snd].
      destruct (wraps h x) eqn:w, (snd (toward x)) eqn:u; cbn [negb]; try lia;
        rewrite forward_at by trivial; unfold go; rewrite cp, ax, Nat.eqb_refl, w; unfold next_coordinate; rewrite u; lia.
    - rewrite forward_at by trivial. unfold go. rewrite cp, ax. now destruct (Nat.eqb_spec d (fst (toward x))).
  Qed.

  Lemma moved_back y h t o x v : (fst (toward x) < axis_count p)%nat -> open_at h x -> v_old y = coordinate h (fst (toward x)) ->
    moved (to_tail p (toward x) (wraps h x)) (env y (coordinate (forward h x)) t o) v = env (before y x) (coordinate h) t o v.
  Proof.
    intros lt tl old. destruct (complete p) eqn:cp.
    - pose proof (count_dims (complete_axes cp)) as cn. rewrite cn in lt. unfold moved, to_tail. rewrite cp.
      destruct (Nat.eqb_spec v (fst (toward x))) as [->|no].
      + now rewrite value_old, env_here.
      + destruct (Nat.eqb_spec v (S (hop_variable p))) as [->|no'].
        * rewrite value_here, forward_at by exact lt. unfold go. rewrite cp, Nat.eqb_refl, <- Nat.add_1_r. now rewrite env_hop.
        * rewrite variable_spec. rewrite (env_values p s y (before y x)).
          -- unfold Networks.env. destruct (Nat.ltb_spec v n) as [vn|]; trivial. rewrite forward_at by exact vn. unfold go. rewrite cp.
             now destruct (Nat.eqb_spec v (fst (toward x))).
          -- intros _ [|[|[|i]]] ->; trivial. lia.
    - rewrite (env_values p s (before y x) y) by (intro bad; congruence).
      transitivity (moved (to_head p (toward (reverse h x)) (wraps h x)) (env y (coordinate (forward h x)) t o) v).
      { unfold moved, to_tail, reverse. now rewrite cp. }
      set (y' := {| v_old := 0; v_onto := goal (reverse h x); v_far := 0 |}).
      transitivity (moved (to_head p (toward (reverse h x)) (wraps h x)) (env y' (coordinate (forward h x)) t o) v).
      { unfold moved. apply value_ext. intros u _. apply env_values. intro bad; congruence. }
      rewrite moved_head; [|unfold reverse; now rewrite cp|reflexivity].
      rewrite (env_values p s _ y) by (intro bad; congruence). apply env_ext; trivial. intros d dn. now apply go_back.
  Qed.

  Lemma moved_forward y h t o x v : (fst (toward x) < axis_count p)%nat -> v_onto y = goal x ->
    moved (to_head p (toward x) (wraps h x)) (env y (coordinate h) t o) v = env (after y (coordinate h) x) (coordinate (forward h x)) t o v.
  Proof.
    intros lt on. rewrite moved_head by assumption. apply env_ext; trivial. intros d dn. now rewrite forward_at.
  Qed.

  Lemma head_at h x : complete p = false -> In h places -> (fst (toward x) < axis_count p)%nat -> open_at h x ->
    tail_at (coordinate (forward h x)) (reverse h x) (wraps h x).
  Proof.
    intros cp i lt [tl _]. apply places_spec in i. destruct i as [_ i]. unfold tail_at, reverse in *. rewrite cp in *. cbn [toward goal].
    destruct (has_axes p) eqn:ax.
    - destruct tl as [_ dv]. split.
      + intros d dn _. rewrite forward_at, step_back by exact dn. unfold go. rewrite cp, ax. specialize (i d dn). lia.
      + change (axis_at p (back (toward x))) with (axis_at p (toward x)). destruct dv as [|dv]; [now left|right].
        replace (axis_sum p (coordinate (forward h x)) (back (toward x))) with (axis_sum p (coordinate h) (toward x)); [exact dv|].
        apply axis_sum_ext; [reflexivity|]. intros d dn. rewrite forward_at, step_back by exact dn. unfold go. rewrite cp, ax.
        unfold back. cbn [snd]. destruct (snd (toward x)); cbn [negb]; lia.
    - rewrite (count_dims ax) in lt. specialize (i _ lt). unfold back in *. cbn [fst snd].
      rewrite forward_at by trivial. unfold go. rewrite cp, ax, Nat.eqb_refl. unfold next_coordinate.
      destruct (wraps h x), (snd (toward x)); cbn [negb]; lia.
  Qed.

  Lemma is_head_holds y h t o x : In h places -> (fst (toward x) < axis_count p)%nat -> open_at h x -> v_old y = coordinate h (fst (toward x)) ->
    holds (env y (coordinate (forward h x)) t o) (is_head p (toward x) (wraps h x)).
  Proof.
    intros ih lt op old. unfold is_head. destruct (complete p) eqn:cp.
    - pose proof (count_dims (complete_axes cp)) as cn. rewrite cn in lt. apply in_line_spec. rewrite value_old, old by exact cp.
      apply places_spec in ih. now apply ih.
    - pose proof (head_at h x cp ih lt op) as hd. replace (back (toward x)) with (toward (reverse h x)) by (unfold reverse; now rewrite cp).
      apply is_tail_spec; trivial. unfold reverse. now rewrite cp.
  Qed.

  Lemma forward_in h x : In h places -> (fst (toward x) < axis_count p)%nat -> open_at h x -> In (forward h x) places.
  Proof.
    intros i lt [tl wk]. apply places_spec in i. destruct i as [_ i]. apply places_spec. split.
    - split; [unfold Networks.forward; now rewrite map_length, seq_length|]. unfold working, alive in *. now destruct (broken p).
    - intros d dn. rewrite forward_at by trivial. unfold go. unfold tail_at in tl. destruct (complete p) eqn:cp.
      { destruct (Nat.eqb_spec d (fst (toward x))) as [->|]; [apply tl|now apply i]. }
      destruct (has_axes p) eqn:ax.
      + destruct tl as [inr _]. specialize (i d dn). specialize (inr d dn). destruct (Z.eq_dec (step_of p (toward x) d) 0); lia.
      + destruct (Nat.eqb_spec d (fst (toward x))) as [->|]; [|now apply i].
        specialize (i _ dn). unfold next_coordinate in *. destruct (wraps h x), (snd (toward x)); lia.
  Qed.

  Lemma inside_tail h x : In h places -> (fst (toward x) < axis_count p)%nat -> inside p s h x = true <-> tail_at (coordinate h) x (wraps h x).
  Proof.
    intros i lt. apply places_spec in i. destruct i as [_ i]. unfold inside, tail_at. destruct (complete p) eqn:cp.
    { rewrite !andb_true_iff, negb_true_iff, Z.eqb_neq. intuition lia. }
    destruct (has_axes p) eqn:ax.
    - unfold joined, on_axis. rewrite andb_true_iff, forallb_forall, orb_true_iff, !Z.eqb_eq. split.
      + intros [a b]. split.
        * intros d dn _. specialize (a d ltac:(apply in_seq; lia)). lia.
        * destruct b as [b|b]; [now left|]. destruct (Z.eq_dec (modulus (axis_at p (toward x))) 0) as [|no]; [now left|right]. now apply Z.mod_divide.
      + intros [a b]. split.
        * intros d j. apply in_seq in j. specialize (i d ltac:(lia)). specialize (a d ltac:(lia)). destruct (Z.eq_dec (step_of p (toward x) d) 0); lia.
        * destruct (Z.eq_dec (modulus (axis_at p (toward x))) 0) as [|no]; [now left|right]. apply Z.mod_divide; trivial. now destruct b.
    - rewrite (count_dims ax) in lt. specialize (i _ lt). unfold Networks.wraps.
      destruct (ring p (fst (toward x))); cbn [orb andb].
      + split; trivial. intros _. destruct (snd (toward x)).
        * destruct (Z.eqb_spec (coordinate h (fst (toward x))) (side_length (fst (toward x)) - 1)); lia.
        * destruct (Z.eqb_spec (coordinate h (fst (toward x))) 0); lia.
      + destruct (snd (toward x)); lia.
  Qed.

  Lemma leaves_tail h x : In h places -> (fst (toward x) < axis_count p)%nat -> leaves p s h x = true <-> open_at h x.
  Proof. intros i lt. unfold leaves, open_at. now rewrite andb_true_iff, inside_tail. Qed.

  Lemma is_working_spec h t o x : complete p = false -> has_axes p = false -> In h places -> (fst (toward x) < n)%nat ->
    holds (at_places h t o) (is_working p here (toward x)) ->
    inside p s h x = true /\ working p s h x = true.
  Proof.
    intros cp ax ih lt y. unfold is_working in y. rewrite conj_two, disj_spec in y. destruct y as (_ & g & ig & hg).
    apply in_map_iff in ig. destruct ig as ([c next_] & <- & ib). cbn [fst snd] in hg. rewrite conj_two in hg. destruct hg as [hc hf].
    set (at_ := at_places h t o) in *.
    assert (holds at_ c -> inside p s h x = true /\ forall d, (d < n)%nat -> value (next_ d) at_ = coordinate (forward h x) d) as [ins nx].
    { intro hc'. apply places_spec in ih. destruct ih as [_ ih]. specialize (ih _ lt). unfold beyond in ib. destruct ib as [ib|ib].
      - injection ib as <- <-. rewrite differ_spec in hc'. unfold at_, Networks.at_places in hc'.
        rewrite value_here in hc' by exact lt.
        assert (wraps h x = false) as wr.
        { unfold Networks.wraps. destruct (snd (toward x)) in *; rewrite ?shift_spec, ?value_side, ?number_spec in hc';
            [destruct (Z.eqb_spec (coordinate h (fst (toward x))) (side_length (fst (toward x)) - 1))|destruct (Z.eqb_spec (coordinate h (fst (toward x))) 0)];
            try lia; now rewrite andb_false_r. }
        split.
        + unfold inside. rewrite cp, ax. destruct (ring p (fst (toward x))); trivial. cbn [orb]. destruct (snd (toward x));
          rewrite ?shift_spec, ?value_side, ?number_spec in hc'; lia.
        + intros d dn. rewrite forward_at by exact dn. unfold go. rewrite cp, ax, wr. unfold at_, Networks.at_places.
          destruct (Nat.eqb_spec d (fst (toward x))) as [->|]; [|now rewrite value_here].
          rewrite shift_spec, value_here by exact lt. unfold next_coordinate. destruct (snd (toward x)); lia.
      - destruct (ring p (fst (toward x))) eqn:r; [|destruct ib]. destruct ib as [ib|[]]. injection ib as <- <-.
        rewrite equal_spec in hc'. unfold at_, Networks.at_places in hc'. rewrite value_here in hc' by exact lt.
        assert (wraps h x = true) as wr.
        { unfold Networks.wraps. rewrite r. cbn [andb]. destruct (snd (toward x)); rewrite ?shift_spec, ?value_side, ?number_spec in hc'; lia. }
        split.
        + unfold inside. now rewrite cp, ax, r.
        + intros d dn. rewrite forward_at by exact dn. unfold go. rewrite cp, ax, wr. unfold at_, Networks.at_places.
          destruct (Nat.eqb_spec d (fst (toward x))) as [->|]; [|now rewrite value_here].
          unfold next_coordinate. destruct (snd (toward x)); rewrite ?shift_spec, ?value_side, ?number_spec; lia. }
    { exact hc. }
    split; [exact ins|]. unfold working, alive. destruct (broken p) as [|d|]; trivial.
    - destruct (Nat.eqb d (fst (toward x))); trivial. cbn [andb]. apply negb_true_iff. destruct (snd (toward x)).
      + apply (failed_place h at_ here hf); [intro; now apply value_failed|]. intros d0 dn. now apply value_here.
      + apply (failed_place (forward h x) at_ next_ hf); [intro; now apply value_failed|exact nx].
    - rewrite conj_two in hf. apply negb_true_iff. apply (failed_place (forward h x) at_ next_ (proj2 hf)); [intro; now apply value_failed|exact nx].
  Qed.

  (* The formula of a channel that may be used. *)
  Lemma may_leave_open h t o x : complete p = false -> In h places -> (fst (toward x) < axis_count p)%nat ->
    holds (at_places h t o) (may_leave p (toward x)) -> leaves p s h x = true.
  Proof.
    intros cp ih lt y. unfold may_leave in y. destruct (has_axes p) eqn:ax.
    - assert (has_axes p || complete p = true) as ax' by (now rewrite ax). destruct (axes_plain ax') as [nr br].
      rewrite br, nr in y. apply leaves_tail; trivial. apply is_tail_spec in y; [|exact cp|exact lt].
      split; [now rewrite no_wraps|]. unfold working. now rewrite br.
    - pose proof lt as lt'. rewrite (count_dims ax) in lt'. unfold leaves. apply andb_true_iff. destruct (broken p) eqn:br.
      + unfold working. rewrite br. split; trivial. unfold inside. rewrite cp, ax. destruct (ring p (fst (toward x))); trivial. cbn [orb].
        apply is_tail_spec in y; [|exact cp|exact lt]. unfold tail_at in y. rewrite cp, ax in y. destruct (snd (toward x)); lia.
      + now apply (is_working_spec h t o x).
      + now apply (is_working_spec h t o x).
  Qed.

  (* The hops that an output permits. *)
  Lemma reaches_spec y h t o' o x : aim_fine p o = true -> (fst (out_dir o) < axis_count p)%nat -> In x (ports_of p s h t o) -> v_onto y = goal x ->
    holds (at_hop y h t o') (reaches p o).
  Proof.
    intros fine lt i on. unfold ports_of in i. apply in_map_iff in i. destruct i as (g & <- & i). cbn [goal] in on. unfold reaches, aim_fine in *.
    destruct (complete p) eqn:cp; [|destruct (out_aim o); try discriminate; simpl; trivial]. rewrite (count_dims (complete_axes cp)) in lt.
    apply andb_true_iff in fine. destruct fine as [_ fine]. unfold Networks.at_hop. destruct (out_aim o) as [|f| |]; [discriminate| | |].
    - destruct i as [<-|[]]. rewrite equal_spec, value_onto, on by exact cp. apply andb_true_iff in fine. destruct fine as [a b].
      transitivity (value f (env no_values (coordinate h) (coordinate t) (coordinate o'))).
      + apply (avoids_form_value _ _ f _ _ a). intros v r. apply env_ext; trivial; lia.
      + apply (avoids_form_value _ _ f _ _ b). intros v r. apply env_values. intros _ [|[|[|k]]] ->; trivial; lia.
    - apply filter_In in i. destruct i as [_ i]. apply negb_true_iff, Z.eqb_neq in i.
      rewrite differ_spec, value_onto, value_here, on by trivial. exact i.
    - apply filter_In in i. destruct i as [_ i]. apply andb_true_iff in i. destruct i as [i j]. apply negb_true_iff, Z.eqb_neq in i, j.
      rewrite conj_two, !differ_spec, value_onto, value_here, value_there, on by trivial. now split.
  Qed.

  Lemma not_barren y h t o' o : In h places -> In t places -> (fst (out_dir o) < axis_count p)%nat -> aim_fine p o = true ->
    ~ holds (at_hop y h t o') (barren p o) -> exists x, In x (ports_of p s h t o).
  Proof.
    intros ih it lt fine no. enough (ports_of p s h t o <> []) as some.
    { destruct (ports_of p s h t o) as [|x l]; [easy|]. exists x. now left. }
    unfold ports_of, barren, aim_fine in *. destruct (out_aim o) as [|f| |]; try (intro bad; discriminate);
      (destruct (complete p) eqn:cp; [|discriminate]); rewrite (count_dims (complete_axes cp)) in lt;
      unfold Networks.at_hop in no; apply places_spec in ih, it; destruct ih as [_ ih], it as [_ it]; specialize (ih _ lt); specialize (it _ lt);
      set (d := fst (out_dir o)) in *; set (a := coordinate h d) in *; set (c := coordinate t d) in *; intro bad; apply map_eq_nil in bad.
    - rewrite at_most_spec, value_side, number_spec in no.
      assert (forall g, 0 <= g < side_length d -> g = a) as all.
      { intros g r. destruct (Z.eq_dec g a) as [|ne]; trivial. exfalso. apply (in_nil (a := g)). rewrite <- bad. apply filter_In.
        split; [now apply range_spec|]. now apply negb_true_iff, Z.eqb_neq. }
      pose proof (all 0 ltac:(lia)). pose proof (all 1 ltac:(lia)). lia.
    - rewrite disj_two, conj_two, !at_most_spec, value_side, !number_spec, differ_spec, value_here, value_there in no by exact lt.
      fold d a c in no.
      assert (forall g, 0 <= g < side_length d -> g = a \/ g = c) as all.
      { intros g r. destruct (Z.eq_dec g a) as [|ne]; [now left|]. destruct (Z.eq_dec g c) as [|ne']; [now right|].
        exfalso. apply (in_nil (a := g)). rewrite <- bad. apply filter_In.
        split; [now apply range_spec|]. apply andb_true_iff. split; now apply negb_true_iff, Z.eqb_neq. }
      pose proof (all 0 ltac:(lia)). pose proof (all 1 ltac:(lia)). destruct (Z.le_gt_cases (side_length d) 2).
      + assert (a = c) by (destruct (Z.eq_dec a c); trivial; exfalso; apply no; right; lia). lia.
      + pose proof (all 2 ltac:(lia)). lia.
  Qed.

  (* The class of a packet on a channel. *)
  Definition class_at (h : place) (y : port) (k j : Z) : class :=
    let x := toward y in
    {| axis := fst x; up := snd x; lane := k; wrap := wraps h y; part := bits (splits e) (x, k) (at_places h h h); header := j |}.

  Lemma heading_at h x k j : heading (class_at h x k j) = toward x.
  Proof. unfold heading. simpl. now destruct (toward x). Qed.

  Lemma in_part_at y h t o x k j : holds (at_hop y h t o) (in_part e (class_at h x k j)).
  Proof.
    unfold in_part. rewrite conj_spec, heading_at. intros f i. revert f i. apply in_part_holds.
    intros a i. apply place_same; trivial. now apply splits_fine.
  Qed.

  Lemma at_tail_at y h t o x k j : (fst (toward x) < axis_count p)%nat -> v_onto y = goal x -> open_at h x ->
    holds (at_hop y h t o) (at_tail p e (class_at h x k j)).
  Proof.
    intros lt on tl. unfold at_tail. rewrite conj_two, heading_at. split; [apply is_tail_holds; [exact lt|exact on|apply tl]|apply in_part_at].
  Qed.

  Lemma class_listed h x m k j : In (class_at h x k j) (classes_of p e {| out_dir := toward x; out_aim := m; to_vc := k; to_header := j |}).
  Proof.
    unfold classes_of. apply in_flat_map. exists (bits (splits e) (toward x, k) (at_places h h h)). split; [apply parts_in|].
    apply in_map_iff. exists (wraps h x). split; trivial. unfold Networks.wraps. cbn [out_dir]. destruct (ring p (fst (toward x))); [|now left].
    cbn [andb]. destruct (if snd (toward x) then _ else _); simpl; auto.
  Qed.

  Lemma leads_to_spec b o : leads_to b o = true <-> out_dir o = heading b /\ to_vc o = lane b /\ to_header o = header b.
  Proof. unfold leads_to. rewrite !andb_true_iff, same_direction_spec, !Z.eqb_eq. tauto. Qed.

  Lemma leads_spec l b : leads l b = true <-> exists o, In o l /\ out_dir o = heading b /\ to_vc o = lane b /\ to_header o = header b.
  Proof. unfold leads. rewrite existsb_exists. split; intros (o & i & h); exists o; (split; [exact i|]); now apply leads_to_spec. Qed.

  Lemma hop_by_holds x l b o : In o l -> leads_to b o = true -> holds x (reaches p o) -> holds x (hop_by p l b).
  Proof.
    intros i ld h. unfold hop_by. apply disj_spec. exists (reaches p o). split; [|exact h]. apply in_map_iff. exists o. split; [trivial|].
    now apply filter_In.
  Qed.

  Lemma marked q a : In q (paths p) -> In (accepts p q a, q) (combine (marks p a) (paths p)).
  Proof. unfold marks. induction (paths p) as [|y l IH]; [intros []|]. simpl. intros [->|i]; auto. Qed.

  Lemma taken_holds x a q fits : In q (paths p) -> accepts p q a = true -> fits q = true -> holds x (guard q) -> holds x (taken p a fits).
  Proof.
    intros i ac fi h. unfold taken, taken_by. apply disj_spec. exists (guard q). split; [|exact h].
    apply in_flat_map. exists (true, q). split; [rewrite <- ac; now apply marked|]. simpl. rewrite fi. now left.
  Qed.

  Lemma chosen_holds x a q under f : In q (paths p) -> accepts p q a = true -> under q = Some f -> holds x (guard q) -> holds x f ->
    holds x (chosen p (marks p a) under).
  Proof.
    intros i ac un h hf. unfold chosen. apply disj_spec. exists (conj [guard q; f]). split; [|now apply conj_two].
    apply in_flat_map. exists (true, q). split; [rewrite <- ac; now apply marked|]. simpl. rewrite un. now left.
  Qed.

  (* What holds for each packet that is reached, by its VC: k is its header state, t its destination. *)
  Definition good (t : place) (v : vc) (j : Z) : Prop :=
    match v with
    | Inject h => In h places /\ delivered h t = false /\ In j (starts p)
    | Link h x k =>
        In h places /\ In x (ports p s) /\ 0 <= k < lanes p /\ open_at h x /\ delivered h t = false /\
        exists a, find_entry e (class_at h x k j) = Some a /\
          (exists q, In q (paths p) /\ leads (outputs q) (class_at h x k j) = true /\ existsb (accepts p q) (Sizes.sources e) = true /\
            holds (at_places h t h) (guard q) /\ forall y o, v_onto y = goal x -> holds (at_hop y h t o) (hop_by p (outputs q) (class_at h x k j))) /\
          (delivered (forward h x) t = false -> forall y o, holds (at_hop y (forward h x) t o) (kept a))
    | Eject h => h = t /\ In h places
    end.

  Lemma find_entry_spec b a : find_entry e b = Some a -> In a (reached e) /\ packets a = b.
  Proof. unfold find_entry. intro f. apply find_some in f. destruct f as [i f]. now apply same_class_spec in f. Qed.

  (* The class of a packet. *)
  Definition entry_of (v : vc) (j : Z) : option Sizes.entry :=
    match v with Link h x k => find_entry e (class_at h x k j) | _ => None end.

  Lemma entry_listed v j : In (entry_of v j) (None :: map Some (reached e)).
  Proof.
    destruct v as [h|h x k|h]; [now left| |now left]. simpl entry_of. destruct (find_entry e _) as [a|] eqn:f; [|now left].
    right. apply in_map. now apply find_entry_spec in f.
  Qed.

  (* What the last hop of a packet replaced. *)
  Definition old_of (v : vc) : Z := match v with Link h x _ => coordinate h (fst (toward x)) | _ => 0 end.

  Lemma good_invariant t v j h from : In t places -> good t v j -> standing p s v = Some (h, from) -> delivered h t = false ->
    In h places /\ (forall y o, v_old y = old_of v -> holds (at_hop y h t o) (invariant p e (entry_of v j))) /\
    (forall q, takes q from j = true -> accepts p q (class_of (entry_of v j)) = true) /\
    (forall k x, from = Some (x, k) -> entry_of v j <> None).
  Proof.
    intros it g st no. destruct v as [h0|h0 x k|h0]; simpl in st; [| |discriminate]; injection st as <- <-.
    - destruct g as (i & d & ij). split; [exact i|]. split; [intros; simpl; trivial|]. split; [|discriminate].
      intros q tk. simpl. unfold takes in tk. unfold accepts. rewrite !andb_true_iff in *.
      destruct tk as [[a b] c]. repeat split.
      + destruct (from_dir q) as [[|]|]; trivial.
      + exact b.
      + destruct (from_header q) as [k|].
        * apply existsb_exists. exists j. apply Z.eqb_eq in c. subst k. split; [exact ij|apply Z.eqb_refl].
        * destruct (starts p); [destruct ij|trivial].
    - destruct g as (i & ix & rg & tl & d & a & f & (q & iq & ld & src & hg & hb) & kp). simpl entry_of. rewrite f. simpl old_of.
      pose proof (port_axis p s x ix) as lt. destruct (find_entry_spec _ _ f) as [ia ea]. split; [now apply forward_in|]. split; [|split].
      + intros y o old. unfold invariant. rewrite ea, heading_at. rewrite conj_spec. intros g [<-|[<-|[<-|[]]]].
        * now apply is_head_holds.
        * now apply kp.
        * apply move_spec.
          apply (holds_ext _ (at_hop (before y x) h0 t o)); [intro; now apply moved_back|].
          rewrite conj_spec. intros g [<-|[<-|[<-|[]]]].
          -- apply in_part_at.
          -- apply undelivered_holds; trivial; now apply place_length.
          -- apply disj_spec. exists (conj [guard q; hop_by p (outputs q) (class_at h0 x k j)]). split.
             ++ apply in_flat_map. exists q. split; [exact iq|]. rewrite ld, src. now left.
             ++ apply conj_two. split; [eapply packet_same; [apply paths_fine; exact iq|exact hg]|now apply hb].
      + intros r tk. simpl. rewrite ea. unfold takes in tk. unfold accepts. rewrite !andb_true_iff in *.
        destruct tk as [[tk1 tk2] tk3]. repeat split.
        * destruct (from_dir r) as [[y|]|]; trivial.
        * exact tk2.
        * exact tk3.
      + intros _ _ _. discriminate.
  Qed.

  Lemma good_known t v j h from : In t places -> good t v j -> standing p s v = Some (h, from) -> delivered h t = false ->
    forall y o, v_old y = old_of v -> holds (at_hop y h t o) (known_of p e (entry_of v j)).
  Proof.
    intros it g st no y o old. destruct (good_invariant t v j h from it g st no) as (i & inv & _).
    unfold known_of. rewrite conj_two. split; [now apply domain_holds|now apply inv].
  Qed.

  Lemma hop_obligation a f : In a (None :: map Some (reached e)) -> In f (hop_obligations p e a) -> forall x, ~ holds x f.
  Proof.
    intros i j. apply none. unfold obligations, route_obligations. apply in_or_app. right. apply in_or_app. left. apply in_flat_map.
    exists a. now split.
  Qed.

  Lemma conj_holds x l : (forall f, In f l -> holds x f) -> holds x (conj l).
  Proof. intro h. now apply conj_spec. Qed.

  (* A packet that is not at its destination takes a path. *)
  Section Hop.
    Variables (t : place) (v : vc) (j : Z) (h : place) (from : origin) (q : path).
    Hypothesis it : In t places.
    Hypothesis gd : good t v j.
    Hypothesis st : standing p s v = Some (h, from).
    Hypothesis no : delivered h t = false.
    Hypothesis run : In q (runs p s h t from j).

    (* The values of a hop to a value. *)
    Definition values_of (g : Z) : hop_values := {| v_old := old_of v; v_onto := g; v_far := 0 |}.

    Lemma run_parts : In q (paths p) /\ takes q from j = true /\ forall y o, holds (at_hop y h t o) (guard q).
    Proof.
      unfold runs in run. apply filter_In in run. destruct run as [i b]. apply andb_true_iff in b. destruct b as [a b].
      split; [exact i|]. split; [exact a|]. intros y o. apply test_spec in b. eapply packet_same; [now apply paths_fine|exact b].
    Qed.

    Lemma run_taken y o fits : fits q = true -> holds (at_hop y h t o) (taken p (class_of (entry_of v j)) fits).
    Proof.
      intro fi. destruct run_parts as (i & tk & hg). apply taken_holds with q; trivial.
      now apply (good_invariant t v j h from it gd st no).
    Qed.

    Lemma run_chosen y o under f : under q = Some f -> holds (at_hop y h t o) f -> holds (at_hop y h t o) (chosen p (marks p (class_of (entry_of v j))) under).
    Proof.
      intros un hf. destruct run_parts as (i & tk & hg). apply chosen_holds with q f; trivial.
      now apply (good_invariant t v j h from it gd st no).
    Qed.

    (* Outputs that are not barren permit a hop. *)
    Lemma some_port y o l : (forall m, In m l -> In m (outputs q)) -> (holds (at_hop y h t o) (bare p l) -> False) ->
      exists m x, In m l /\ In x (ports_of p s h t m).
    Proof.
      intros sub no_. destruct (existsb (fun m => negb (test (at_hop y h t o) (barren p m))) l) eqn:ex.
      - apply existsb_exists in ex. destruct ex as (m & im & tm). apply negb_true_iff in tm. exists m.
        destruct run_parts as (i & _). destruct (paths_fine q i) as [_ fine]. destruct (fine m (sub m im)) as (lt & _ & af).
        destruct (not_barren y h t o m) as (x & ix); trivial; [apply (good_invariant t v j h from it gd st no)| |now exists x].
        intro bad. apply test_spec in bad. congruence.
      - exfalso. apply no_. unfold bare. apply conj_spec. intros f i. apply in_map_iff in i. destruct i as (m & <- & im).
        destruct (test (at_hop y h t o) (barren p m)) eqn:tm; [now apply test_spec|].
        assert (existsb (fun m => negb (test (at_hop y h t o) (barren p m))) l = true); [|congruence].
        apply existsb_exists. exists m. split; [exact im|]. now rewrite tm.
    Qed.

    Lemma run_ends : fails q = false /\ ((exists o x, In o (outputs q) /\ In x (ports_of p s h t o)) \/ ejects q = true) /\ (ejects q = true -> h = t).
    Proof.
      set (a := entry_of v j). set (y := values_of 0).
      assert (forall x, ~ holds x (conj [known_of p e a; disj [disj [taken p (class_of a) fails; without p (class_of a) outputs];
        conj [taken p (class_of a) ejects; away p]]])) as ob.
      { apply (hop_obligation a); [apply entry_listed|]. unfold hop_obligations. now left. }
      specialize (ob (at_hop y h t h)). rewrite conj_two, !disj_two in ob.
      pose proof (good_known t v j h from it gd st no y h eq_refl) as kn. fold a in kn.
      destruct (fails q) eqn:fl.
      { elim ob. split; [exact kn|]. left. left. now apply run_taken. }
      split; [trivial|]. split.
      - destruct (ejects q) eqn:ej; [now right|left]. apply (some_port y h (outputs q)); trivial. intro bad.
        elim ob. split; [exact kn|]. left. right. unfold without. apply run_chosen with (bare p (outputs q)); [|exact bad]. now rewrite fl, ej.
      - intro ej. destruct (place_dec h t) as [|differ]; trivial. elim ob. split; [exact kn|]. right. apply conj_two. split.
        + now apply run_taken.
        + apply away_holds; trivial; apply place_length; trivial. apply (good_invariant t v j h from it gd st no).
    Qed.

    Lemma run_escape : (forall o, In o (escape_of e q) -> In o (outputs q)) -> with_escape e = true ->
      ejects q = true \/ exists o x, In o (escape_of e q) /\ In x (ports_of p s h t o).
    Proof.
      intros sub we. set (a := entry_of v j).
      destruct (ejects q) eqn:ej; [now left|right]. apply (some_port (values_of 0) h (escape_of e q)); trivial. intro bad.
      apply (hop_obligation a (conj [known_of p e a; without p (class_of a) (escape_of e)])
        (entry_listed v j)) with (x := at_hop (values_of 0) h t h).
      - unfold hop_obligations. apply in_or_app. right. apply in_or_app. right. apply in_or_app. left. rewrite we. now left.
      - apply conj_two. split; [now apply (good_known t v j h from)|]. apply run_chosen with (bare p (escape_of e q)); [|exact bad].
        destruct run_ends as (fl & _). now rewrite fl, ej.
    Qed.

    Variable o : output.
    Variable x : port.
    Hypothesis io : In o (outputs q).
    Hypothesis ix : In x (ports_of p s h t o).

    Lemma output_tail : In x (ports p s) /\ 0 <= to_vc o < lanes p /\ open_at h x.
    Proof.
      destruct run_parts as (i & tk & hg). destruct (paths_fine q i) as [_ fine]. destruct (fine o io) as (lt & rg & af).
      destruct (good_invariant t v j h from it gd st no) as (ih & _). set (a := entry_of v j).
      pose proof (ports_way p s h t o x ix) as wx. destruct (complete p) eqn:cp.
      - pose proof (count_dims (complete_axes cp)) as cn.
        assert (0 <= goal x < side_length (fst (toward x)) /\ goal x <> coordinate h (fst (toward x))) as gx.
        { rewrite wx. unfold aim_fine in af. rewrite cp in af. apply andb_true_iff in af. destruct af as [_ af].
          pose proof ix as ix'. unfold ports_of in ix'. apply in_map_iff in ix'. destruct ix' as (g & <- & ig). cbn [goal].
          destruct (out_aim o) as [|f| |] eqn:ea; [discriminate| | |].
          - destruct ig as [<-|[]].
            destruct (test (at_hop no_values h t h) (missing p o)) eqn:ms.
            + exfalso. apply test_spec in ms.
              apply (hop_obligation a (conj [known_of p e a; astray p (class_of a)]) (entry_listed v j)) with (x := at_hop (values_of 0) h t h).
              * unfold hop_obligations. apply in_or_app. right. apply in_or_app. left. rewrite cp. now left.
              * apply conj_two. split; [now apply (good_known t v j h from)|]. unfold astray. apply disj_spec.
                exists (conj [guard q; missing p o]). split.
                -- apply in_flat_map. exists (true, q). split.
                   ++ replace true with (accepts p q (class_of a)); [now apply marked|]. now apply (good_invariant t v j h from it gd st no).
                   ++ simpl. now apply (in_map (fun o => conj [guard q; missing p o])).
                -- apply conj_two. split; [apply hg|]. revert ms. unfold missing. rewrite ea.
                   apply andb_true_iff in af. destruct af as [_ b].
                   assert (value f (at_hop no_values h t h) = value f (at_hop (values_of 0) h t h)) as same.
                   { apply (avoids_form_value _ _ f _ _ b). intros u r. apply env_values. intros _ [|[|[|k]]] ->; trivial; lia. }
                   rewrite !disj_spec. unfold Networks.at_hop in same |- *.
                   intros (g & ig & hg'). exists g. split; [exact ig|]. revert hg'. destruct ig as [<-|[<-|[<-|[]]]];
                     rewrite ?less_than_spec, ?at_most_spec, ?equal_spec, ?value_side, ?number_spec, ?value_here by (now rewrite <- cn); now rewrite same.
            + assert (~ holds (at_hop no_values h t h) (missing p o)) as nm by (intro bad; apply test_spec in bad; congruence).
              unfold missing in nm. rewrite ea in nm. rewrite disj_spec in nm. rewrite cn in lt.
              assert (forall g, In g [less_than f (number 0); at_most (side_of p (fst (out_dir o))) f; equal f (here (fst (out_dir o)))] ->
                ~ holds (at_hop no_values h t h) g) as each by (intros g ig bad; apply nm; now exists g).
              pose proof (each _ (or_introl eq_refl)) as one. pose proof (each _ (or_intror (or_introl eq_refl))) as two.
              pose proof (each _ (or_intror (or_intror (or_introl eq_refl)))) as three.
              unfold Networks.at_hop in one, two, three. rewrite less_than_spec, number_spec in one. rewrite at_most_spec, value_side in two.
              rewrite equal_spec, value_here in three by exact lt. unfold Networks.at_places. split; [lia|exact three].
          - apply filter_In in ig. destruct ig as [r ig]. apply range_spec in r. split; [exact r|]. now apply negb_true_iff, Z.eqb_neq in ig.
          - apply filter_In in ig. destruct ig as [r ig]. apply range_spec in r. split; [exact r|]. apply andb_true_iff in ig. destruct ig as [ig _].
            now apply negb_true_iff, Z.eqb_neq in ig. }
        assert (snd (out_dir o) = true) as up_ by (unfold aim_fine in af; rewrite cp in af; now apply andb_true_iff in af).
        split; [|split; [exact rg|]].
        + apply ports_spec. rewrite wx. split; [apply directions_spec; now split|]. unfold goals. rewrite cp. apply range_spec. rewrite <- wx. apply gx.
        + apply leaves_tail; [exact ih|now rewrite wx|]. unfold leaves, inside. rewrite cp. rewrite !andb_true_iff, negb_true_iff, Z.eqb_neq.
          split; [lia|]. unfold working. assert (has_axes p || complete p = true) as ax by (rewrite cp; apply orb_true_r).
          now rewrite (proj2 (axes_plain ax)).
      - assert (goal x = 0) as gx.
        { unfold aim_fine in af. rewrite cp in af. unfold ports_of in ix. destruct (out_aim o); try discriminate.
          destruct ix as [<-|[]]. reflexivity. }
        split; [|split; [exact rg|]].
        + apply ports_spec. rewrite wx, gx. split; [apply directions_spec; split; [exact lt|congruence]|]. unfold goals. rewrite cp. now left.
        + apply leaves_tail; [exact ih|now rewrite wx|].
          destruct (neg_spec (at_places h t h) (may_leave p (toward x))) as [y|y]; [apply (may_leave_open h t h); trivial; now rewrite wx|].
          exfalso. apply (hop_obligation a (conj [known_of p e a; taken p (class_of a)
              (fun q => existsb (fun o => same_direction (out_dir o) (toward x)) (outputs q)); neg (may_leave p (toward x))]) (entry_listed v j))
              with (x := at_places h t h).
          * unfold hop_obligations. apply in_or_app. right. apply in_or_app. left. rewrite cp. apply in_map_iff. exists (toward x).
            split; trivial. apply directions_spec. rewrite wx. split; [exact lt|congruence].
          * apply conj_holds. intros f [<-|[<-|[<-|[]]]]; trivial.
            -- apply (holds_ext _ (at_hop (values_of 0) h t h)); [intro; apply env_values; congruence|]. now apply (good_known t v j h from).
            -- apply (run_taken no_values). apply existsb_exists. exists o. split; [exact io|now apply same_direction_spec].
    Qed.

    Definition target_class : class := class_at h x (to_vc o) (to_header o).

    Lemma output_leads : leads_to target_class o = true.
    Proof. apply leads_to_spec. unfold target_class. rewrite heading_at, (ports_way p s h t o x ix). auto. Qed.

    Lemma output_reaches y o' : v_onto y = goal x -> holds (at_hop y h t o') (reaches p o).
    Proof.
      intro on. destruct run_parts as (i & _). destruct (paths_fine q i) as [_ fine]. destruct (fine o io) as (lt & _ & af).
      now apply (reaches_spec y h t o' o x).
    Qed.

    Lemma output_step y o' some : v_onto y = goal x -> In o (some q) ->
      holds (at_hop y h t o') (step_by p e (marks p (class_of (entry_of v j))) target_class some).
    Proof.
      intros on isome. unfold step_by. rewrite conj_two. split.
      - assert (leads (some q) target_class = true) as ld by (apply existsb_exists; exists o; split; [exact isome|exact output_leads]).
        apply run_chosen with (hop_by p (some q) target_class); [now rewrite ld|].
        apply hop_by_holds with o; trivial; [exact output_leads|now apply output_reaches].
      - destruct output_tail as (ip & _ & op). apply at_tail_at; trivial. now apply (port_axis p s).
    Qed.

    Lemma output_target : In target_class (targets p e (class_of (entry_of v j))).
    Proof.
      destruct run_parts as (i & tk & hg). unfold targets.
      assert (forall a l, In a l -> In a (fold_right insert [] l)) as all.
      { intros a l. induction l as [|b l IH]; simpl; intro k; [destruct k|]. apply insert_in. destruct k; auto. }
      apply all, in_flat_map. exists q. split; [exact i|].
      replace (accepts p q _) with true by (symmetry; now apply (good_invariant t v j h from it gd st no)).
      apply in_flat_map. exists o. split; [exact io|]. unfold target_class. pose proof (ports_way p s h t o x ix) as wx.
      destruct o as [y m k i']. cbn [out_dir to_vc to_header] in *. rewrite <- wx. apply class_listed.
    Qed.

    Lemma output_moves f : In f (moves p e (entry_of v j) target_class) -> forall x, ~ holds x f.
    Proof.
      intro i. apply (hop_obligation (entry_of v j)); [apply entry_listed|]. unfold hop_obligations.
      do 3 (apply in_or_app; right). apply in_flat_map. exists target_class. split; [apply output_target|exact i].
    Qed.

    (* The hop leads to a packet that satisfies the invariants. *)
    Lemma output_good : good t (Link h x (to_vc o)) (to_header o).
    Proof.
      destruct output_tail as (ip & rg & tl). pose proof (port_axis p s x ip) as lt. destruct run_parts as (i & tk & hg).
      destruct (good_invariant t v j h from it gd st no) as (ih & _ & acc & _).
      unfold good. split; [exact ih|]. split; [exact ip|]. split; [exact rg|]. split; [exact tl|]. split; [exact no|]. fold target_class.
      set (y := values_of (goal x)).
      destruct (find_entry e target_class) as [b|] eqn:f.
      - exists b. split; [reflexivity|]. split.
        + exists q. split; [exact i|]. split; [|split; [|split; [exact (hg no_values h)|]]].
          * apply existsb_exists. exists o. split; [exact io|exact output_leads].
          * apply existsb_exists. exists (class_of (entry_of v j)). split; [|now apply acc].
            destruct (entry_listed v j) as [<-|k]; [now left|]. right. apply in_map_iff in k. destruct k as (a & <- & k).
            apply in_map_iff. exists a. now split.
          * intros z o' on. apply hop_by_holds with o; trivial; [exact output_leads|now apply output_reaches].
        + intros away_ z o'. assert (of_packet p (kept b) = true) as kf by (apply reached_fine; now apply find_entry_spec in f).
          enough (holds (at_hop (after y (coordinate h) x) (forward h x) t o') (kept b)) as h0 by (revert h0; now apply packet_same).
          destruct (neg_spec (at_hop (after y (coordinate h) x) (forward h x) t o') (kept b)) as [|bad]; trivial. exfalso.
          apply (output_moves (conj [known_of p e (entry_of v j); step_by p e (marks p (class_of (entry_of v j))) target_class outputs;
            move (to_head p (heading target_class) (wrap target_class)) (undelivered p);
            move (to_head p (heading target_class) (wrap target_class)) (neg (kept b))])) with (x := at_hop y h t o').
          * unfold moves. rewrite f. now left.
          * assert (heading target_class = toward x) as hd by apply heading_at. rewrite hd.
            change (wrap target_class) with (wraps h x).
            apply conj_holds. intros g [<-|[<-|[<-|[<-|[]]]]].
            -- now apply (good_known t v j h from).
            -- now apply output_step.
            -- apply move_spec. apply (holds_ext _ (at_hop (after y (coordinate h) x) (forward h x) t o')); [intro; now apply moved_forward|].
               apply undelivered_holds; trivial; apply place_length; trivial. now apply forward_in.
            -- apply move_spec. apply (holds_ext _ (at_hop (after y (coordinate h) x) (forward h x) t o')); [intro; now apply moved_forward|exact bad].
      - exfalso. apply (output_moves (conj [known_of p e (entry_of v j); step_by p e (marks p (class_of (entry_of v j))) target_class outputs]))
          with (x := at_hop y h t h).
        + unfold moves. rewrite f. now left.
        + apply conj_two. split; [now apply (good_known t v j h from)|now apply output_step].
    Qed.
  End Hop.

  Notation r := (routing_of p s).

  (* All packets that are reached are good. *)
  Definition good_state (d : Z) (a : state) : Prop :=
    exists t v, place_at p s d = Some t /\ vc_at p s (fst a) = Some v /\ good t v (snd a).

  Lemma hops_inv d a t v b : place_at p s d = Some t -> vc_at p s (fst a) = Some v -> In b (hops r d a) ->
    exists h from, standing p s v = Some (h, from) /\
      ((delivered h t = true /\ b = home p s h) \/
       (delivered h t = false /\ exists q, In q (runs p s h t from (snd a)) /\
         ((ejects q = true /\ b = home p s h) \/ exists o x, In o (outputs q) /\ In x (ports_of p s h t o) /\ b = onto p s h o x))).
  Proof.
    intros et ev i. cbn in i. unfold hops_by in i. rewrite et, ev in i. destruct (standing p s v) as [[h from]|]; [|destruct i].
    exists h, from. split; trivial. unfold out_of in i. destruct (delivered h t).
    - left. split; trivial. destruct i as [<-|[]]. trivial.
    - right. split; trivial. apply in_flat_map in i. destruct i as (q & iq & i). exists q. split; [exact iq|].
      apply in_app_or in i. destruct i as [i|i].
      + right. now apply in_all_onto in i.
      + left. destruct (ejects q); [|destruct i]. destruct i as [<-|[]]. auto.
  Qed.

  Lemma delivered_same h t : delivered h t = true -> h = t.
  Proof. unfold Networks.delivered. destruct (place_dec h t); trivial. rewrite andb_false_r. discriminate. Qed.

  Lemma good_home h t : In h places -> h = t -> vc_at p s (fst (home p s h)) = Some (Eject h) /\ good t (Eject h) (snd (home p s h)).
  Proof. intros i e0. split; [now apply eject_vc|]. split; trivial. Qed.

  Lemma standing_in t v j h from : In t places -> good t v j -> standing p s v = Some (h, from) -> In h places.
  Proof.
    intros it g st. destruct v as [h0|h0 x k|]; simpl in st; [| |discriminate]; injection st as <- <-; [apply g|].
    destruct g as (i & ix & _ & tl & _). apply forward_in; trivial. now apply (port_axis p s).
  Qed.

  Lemma good_hop d a b : good_state d a -> In b (hops r d a) -> good_state d b.
  Proof.
    intros (t & v & et & ev & g) i. destruct (hops_inv d a t v b et ev i) as (h & from & st & H).
    assert (In t places) as it by now apply (place_at_in p s d).
    assert (In h places) as ih by now apply (standing_in t v (snd a) h from).
    exists t. destruct H as [[yes ->]|(no & q & run & [[ej ->]|(o & x & io & ix & ->)])].
    - exists (Eject h). split; [exact et|]. apply good_home; trivial. now apply delivered_same.
    - exists (Eject h). split; [exact et|]. apply good_home; trivial. now apply (run_ends t v (snd a) h from q).
    - destruct (output_tail t v (snd a) h from q it g st no run o x io ix) as (lt & rg & _).
      exists (Link h x (to_vc o)). split; [exact et|]. split; [now apply link_vc|].
      now apply (output_good t v (snd a) h from q it g st no run o x io ix).
  Qed.

  Theorem all_good d a : reachable r d a -> good_state d a.
  Proof.
    intro rs. induction rs as [k j i|a b _ IH i]; [|now apply good_hop with a].
    cbn in i. destruct (place_at p s d) as [t|] eqn:et; [|destruct i]. apply in_flat_map in i. destruct i as (k' & _ & i).
    cbn [Routing.entry routing_of]. destruct (place_at p s k') as [h|] eqn:eh; [|destruct i].
    destruct (delivered h t) eqn:no; [destruct i|]. apply in_map_iff in i. destruct i as (j' & e0 & i). injection e0 as <- <-.
    assert (In h places) as ih by now apply (place_at_in p s k').
    exists t, (Inject h). split; [exact et|]. cbn. rewrite eh. split; [now apply inject_vc|]. cbn. split; [exact ih|]. split; [exact no|].
    unfold starts. unfold headers in i. apply in_flat_map in i. destruct i as (x & ix & i). apply in_flat_map. exists x.
    split; [exact ix|]. destruct (test _ (fst x)); [exact i|destruct i].
  Qed.
End Invariants.
