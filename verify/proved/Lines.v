(* This file compares the network of one dimension with that of n dimensions (Dimensions.v): their places, ports and channels. *)

From Coq Require Import ZArith List Bool Arith Lia.
From Proved Require Import Arrays Routing Formulas Sizes Networks Language Meaning Dimensions.
Import ListNotations.
Open Scope Z_scope.

Lemma index_back a l v : nth_error l (index a l) = Some v -> v = a.
Proof.
  induction l as [|x l IH]; simpl; [discriminate|]. destruct (vc_dec a x) as [->|]; simpl; [congruence|exact IH].
Qed.

Lemma number_vc p s v u : vc_at p s (number_of p s v) = Some u -> u = v /\ In v (all_vcs p s).
Proof.
  unfold vc_at, number_of. destruct (Z.ltb_spec (Z.of_nat (index v (all_vcs p s))) 0); [lia|]. rewrite Nat2Z.id. intro e.
  pose proof (index_back _ _ _ e). subst u. split; [trivial|]. now apply nth_error_In in e.
Qed.

Lemma place_number p s h : In h (places p s) -> exists k, In k (endpoints p s) /\ place_at p s k = Some h.
Proof.
  intro i. apply In_nth_error in i. destruct i as [k e]. exists (Z.of_nat k). split.
  - unfold endpoints. apply range_spec. assert (k < length (places p s))%nat by (apply nth_error_Some; congruence). lia.
  - unfold place_at. destruct (Z.ltb_spec (Z.of_nat k) 0); [lia|]. now rewrite Nat2Z.id.
Qed.

Section Lines.
  Variable w : world.
  Variable n : nat.
  Variable z : nat -> Z.
  Notation b := (base w).
  Notation p := (wide w n).
  Notation sz := (line_sizes z).
  Notation spot := line_place.
  Notation places := (places p z).
  Notation forward := (forward p z).
  Notation leaves := (leaves p z).

  Hypothesis is_line_ : is_line w = true.

  Lemma line_facts : dims b = 1%nat /\ has_axes b = false /\ broken b = Nothing /\ passes b = false /\ has_inject w = false.
  Proof.
    pose proof is_line_ as h. unfold is_line in h. rewrite !andb_true_iff in h. destruct h as (((((d & a) & k) & q) & _) & j).
    apply Nat.eqb_eq in d. apply negb_true_iff in a, q, j. repeat split; trivial. now destruct (broken b).
  Qed.

  Lemma dims_wide : dims p = n.
  Proof. unfold dims, wide. cbn [sides]. now rewrite map_length, seq_length. Qed.

  Lemma ring_wide i : (i < n)%nat -> ring p i = ring b 0.
  Proof. intro lt. unfold ring at 1. unfold wide. cbn [rings]. revert i lt.
    generalize (ring b 0). intro c. generalize n. intro m. induction m as [|m IH]; intros [|i] lt; simpl; try lia; trivial. apply IH. lia. Qed.

  Lemma side_wide i : (i < n)%nat -> side_length p z i = side_length b (sz i) 0.
  Proof.
    intro lt. unfold side_length at 1. unfold side_at, wide. cbn [sides sizes].
    rewrite (nth_indep _ _ (match side_at b 0 with Size _ => Size 0 | Length k => Length k end)) by now rewrite map_length, seq_length.
    rewrite (map_nth (fun i => match side_at b 0 with Size _ => Size i | Length k => Length k end)), seq_nth by exact lt.
    unfold side_length, line_sizes. rewrite ?Nat.add_0_l. destruct (side_at b 0) as [j|k]; [|reflexivity].
    destruct (Nat.ltb_spec i n); [reflexivity|lia].
  Qed.

  Lemma wide_places h : In h places <-> length h = n /\ forall i, (i < n)%nat -> 0 <= coordinate h i < side_length b (sz i) 0.
  Proof.
    rewrite (places_spec p z), dims_wide. unfold alive. cbn [broken wide]. split.
    - intros [[e _] all]. split; [exact e|]. intros i lt. rewrite <- side_wide by exact lt. now apply all.
    - intros [e all]. split; [now split|]. intros i lt. rewrite side_wide by exact lt. now apply all.
  Qed.

  Lemma line_places i c : In [c] (Networks.places b (sz i)) <-> 0 <= c < side_length b (sz i) 0.
  Proof.
    destruct line_facts as (d & _ & k & _). rewrite places_spec, d. unfold alive. rewrite k. split.
    - intros [_ all]. apply (all 0%nat). lia.
    - intro h. split; [now split|]. intros [|j] lt; [exact h|lia].
  Qed.

  Lemma spot_in i h : (i < n)%nat -> In h places -> In (spot i h) (Networks.places b (sz i)).
  Proof. intros lt ih. apply line_places. apply wide_places in ih. now apply ih. Qed.

  Lemma delivered_line i h t : delivered b (spot i h) (spot i t) = (coordinate h i =? coordinate t i).
  Proof.
    destruct line_facts as (_ & _ & _ & ps & _). unfold delivered. rewrite ps. cbn [negb andb]. unfold line_place.
    destruct (place_dec _ _) as [e|ne].
    - injection e as ->. now rewrite Z.eqb_refl.
    - symmetry. apply Z.eqb_neq. congruence.
  Qed.

  Lemma line_axis i x : In x (ports b (sz i)) -> fst (toward x) = 0%nat.
  Proof.
    intro h. apply port_axis in h. destruct line_facts as (d & ax & _). unfold axis_count in h. unfold has_axes in ax.
    destruct (axes b); [|discriminate]. lia.
  Qed.

  Lemma ports_wide i x : (i < n)%nat -> In x (ports b (sz i)) -> In (widen i x) (ports p z).
  Proof.
    intros lt h. pose proof (line_axis i x h) as zero. apply ports_spec in h. destruct h as [h g]. apply ports_spec.
    apply directions_spec in h. destruct h as [_ up_]. split.
    - apply directions_spec. cbn [toward widen fst snd complete wide]. split; [|exact up_]. unfold axis_count. cbn [axes wide]. now rewrite dims_wide.
    - unfold goals in *. cbn [complete wide goal widen toward fst]. destruct (complete b); [|exact g]. rewrite side_wide by exact lt.
      now rewrite zero in g.
  Qed.

  Lemma inside_wide i h x : (i < n)%nat -> fst (toward x) = 0%nat -> Networks.inside p z h (widen i x) = Networks.inside b (sz i) (spot i h) x.
  Proof.
    intros lt zero. destruct line_facts as (_ & ax & _). unfold Networks.inside. rewrite ax.
    cbn [has_axes complete wide axes toward goal widen fst snd]. rewrite zero.
    rewrite side_wide, ring_wide by exact lt. reflexivity.
  Qed.

  Lemma leaves_wide i h x : (i < n)%nat -> fst (toward x) = 0%nat -> leaves h (widen i x) = Networks.leaves b (sz i) (spot i h) x.
  Proof.
    intros lt zero. unfold Networks.leaves. rewrite inside_wide by trivial. destruct line_facts as (_ & _ & k & _). unfold working. rewrite k. reflexivity.
  Qed.

  Lemma wraps_wide i h x : (i < n)%nat -> fst (toward x) = 0%nat -> wraps p z h (widen i x) = wraps b (sz i) (spot i h) x.
  Proof.
    intros lt zero. unfold wraps. cbn [toward widen fst snd]. rewrite zero, side_wide, ring_wide by exact lt. reflexivity.
  Qed.

  Lemma forward_other i h x d : (d < n)%nat -> d <> i -> coordinate (forward h (widen i x)) d = coordinate h d.
  Proof.
    intros lt ne. rewrite forward_at by now rewrite dims_wide. unfold go. cbn [complete has_axes axes wide toward widen fst].
    destruct (Nat.eqb_spec d i); [easy|]. now destruct (complete b).
  Qed.

  Lemma forward_spot i h x : (i < n)%nat -> fst (toward x) = 0%nat -> spot i (forward h (widen i x)) = Networks.forward b (sz i) (spot i h) x.
  Proof.
    intros lt zero. destruct line_facts as (d & ax & _). unfold line_place at 1. rewrite forward_at by now rewrite dims_wide.
    unfold Networks.forward at 1. rewrite d. cbn [seq map]. f_equal. rewrite wraps_wide by trivial.
    unfold go. rewrite ax. cbn [complete has_axes axes wide toward goal widen fst snd]. rewrite zero, !Nat.eqb_refl. destruct (complete b); trivial.
    unfold next_coordinate. cbn [fst snd]. rewrite zero. rewrite side_wide by exact lt. reflexivity.
  Qed.

  Lemma forward_places i h x : (i < n)%nat -> fst (toward x) = 0%nat -> In h places -> leaves h (widen i x) = true -> In (forward h (widen i x)) places.
  Proof.
    intros lt zero ih lv. pose proof ih as ih'. apply wide_places in ih. destruct ih as [len all]. apply wide_places. split.
    { unfold Networks.forward. now rewrite map_length, seq_length, dims_wide. }
    intros d ld. destruct (Nat.eq_dec d i) as [->|ne]; [|rewrite forward_other by trivial; now apply all].
    pose proof (all i lt) as rg. rewrite forward_at by now rewrite dims_wide. unfold go. rewrite wraps_wide by trivial.
    rewrite leaves_wide in lv by trivial. unfold Networks.leaves in lv. apply andb_true_iff in lv. destruct lv as [lv _].
    destruct line_facts as (_ & ax & _). unfold Networks.inside in lv. rewrite ax, zero in lv.
    cbn [complete has_axes axes wide toward goal widen fst snd]. rewrite Nat.eqb_refl. destruct (complete b).
    - rewrite !andb_true_iff in lv. lia.
    - unfold wraps, next_coordinate. rewrite zero. cbn [fst snd]. rewrite side_wide by exact lt. unfold line_place, coordinate in *. cbn [nth] in *.
      destruct (ring b 0), (snd (toward x)); cbn [andb orb] in *;
        try (destruct (Z.eqb_spec (nth i h 0) (side_length b (sz i) 0 - 1)));
        try (destruct (Z.eqb_spec (nth i h 0) 0)); lia.
  Qed.

  Lemma narrow_widen i x : fst (toward x) = 0%nat -> narrow (widen i x) = x.
  Proof. destruct x as [[d u] g]. unfold narrow, widen. cbn [toward goal fst snd]. now intros ->. Qed.

  Lemma delivered_wide h t : length h = n -> length t = n -> delivered p h t = false -> exists i, first_off n h t = Some i.
  Proof.
    intros lh lt no. destruct (first_off n h t) as [i|] eqn:f; [now exists i|]. exfalso.
    unfold delivered in no. cbn [Sizes.passes wide negb andb] in no. destruct (place_dec h t) as [|ne]; [discriminate|]. apply ne.
    apply (nth_ext _ _ 0 0); [congruence|]. intros j lj. pose proof (find_none _ _ f j) as same. specialize (same ltac:(apply in_seq; lia)).
    apply negb_false_iff, Z.eqb_eq in same. exact same.
  Qed.

  Lemma find_seq (f : nat -> bool) m : forall from i, find f (seq from m) = Some i ->
    (from <= i < from + m)%nat /\ f i = true /\ forall j, (from <= j < i)%nat -> f j = false.
  Proof.
    induction m as [|m IH]; intros from i e; [discriminate|]. cbn [seq find] in e. destruct (f from) eqn:ff.
    - injection e as <-. repeat split; trivial; lia.
    - destruct (IH _ _ e) as (rg & fi & all). repeat split; trivial; try lia. intros j lj.
      destruct (Nat.eq_dec j from) as [->|]; trivial. apply all. lia.
  Qed.

  Lemma first_off_spec h t i : first_off n h t = Some i -> (i < n)%nat /\ coordinate h i <> coordinate t i /\
    forall j, (j < i)%nat -> coordinate h j = coordinate t j.
  Proof.
    intro f. apply find_seq in f. destruct f as (rg & fi & all). split; [lia|]. split.
    - apply negb_true_iff, Z.eqb_neq in fi. exact fi.
    - intros j lj. specialize (all j ltac:(lia)). now apply negb_false_iff, Z.eqb_eq in all.
  Qed.

End Lines.
