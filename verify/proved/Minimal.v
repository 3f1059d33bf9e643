(* This file proves the claim minimal: the path of each packet is a shortest path. The distance of two places is the sum over the dimensions
   of the distances in them (Every.v). *)

From Coq Require Import ZArith List Bool Arith Lia.
From Proved Require Import Arrays Routing Formulas Sizes Networks Invariants Rising SameHops Every.
Import ListNotations.
Open Scope Z_scope.

Section Minimal.
  Variable p : program.
  Variable s : nat -> Z.

  (* A path of channels that work, from a place to a place. *)
  Inductive joins : place -> place -> nat -> Prop :=
  | stays_at h : joins h h 0
  | goes_by h x t k : In x (ports p s) -> leaves p s h x = true -> joins (forward p s h x) t k -> joins h t (S k).

  (* A packet from h to t passes at most one switch more than their distance. *)
  Definition at_most_distance (r : routing) : Prop :=
    forall d l t h k, Routing.passes r d l -> place_at p s d = Some t -> In h (places p s) -> hd_error l = Some (number_of p s (Inject h), k) ->
      Z.of_nat (length l) <= 1 + distance p s h t.
  (* No path is shorter than the distance. *)
  Definition distance_least : Prop := forall h t k, In h (places p s) -> In t (places p s) -> joins h t k -> distance p s h t <= Z.of_nat k.
  Definition shortest (r : routing) : Prop := at_most_distance r /\ distance_least.

  (* The distance of a packet on a VC. *)
  Definition far (t : place) (v : vc) : Z :=
    match v with Inject h => distance p s h t | Link h x _ => distance p s (forward p s h x) t | Eject _ => 0 end.
  Definition far_at (d : Z) (a : state) : Z := match place_at p s d, vc_at p s (fst a) with Some t, Some v => far t v | _, _ => 0 end.
  Definition hops_nearer (r : routing) : Prop :=
    forall d a b, reachable r d a -> In b (hops r d a) -> ejection r (fst b) = false -> 0 <= far_at d b < far_at d a.

  Lemma nearer_walk r : hops_nearer r -> forall d l, walk r d l -> Forall (fun a => ejection r (fst a) = false) l -> forall a m, l = a :: m ->
    reachable r d a -> 0 <= far_at d a -> Z.of_nat (length l) <= 1 + far_at d a.
  Proof.
    intros near d l wk. induction wk as [a|a b l i wk IH]; intros no a' m eq_ rs pos; injection eq_ as <- <-; [cbn [length]; lia|].
    inversion no as [|? ? _ no']; subst. inversion no' as [|? ? eb _]; subst. destruct (near d a b rs i eb) as [lo lt].
    specialize (IH no' b l eq_refl (hop _ _ _ _ rs i) lo). change (length (a :: b :: l)) with (S (length (b :: l))). lia.
  Qed.

  (* A hop changes the distance by at most one. *)
  Hypothesis flat : has_axes p = false.
  Notation n := (dims p).

  Lemma hop_apart h x t d : (d < n)%nat -> d <> fst (toward x) -> apart p s d (forward p s h x) t = apart p s d h t.
  Proof.
    intros lt ne. unfold apart. rewrite forward_at by exact lt. unfold go. rewrite flat. destruct (Nat.eqb_spec d (fst (toward x))); [easy|].
    now destruct (complete p).
  Qed.

  Lemma hop_apart_own h x t : In h (places p s) -> In t (places p s) -> In x (ports p s) -> leaves p s h x = true -> let d := fst (toward x) in
    (d < n)%nat /\ apart p s d h t <= 1 + apart p s d (forward p s h x) t.
  Proof.
    intros ih it ix lv d. assert (d < n)%nat as lt by (apply port_axis in ix; unfold axis_count in ix; unfold has_axes in flat; now destruct (axes p)).
    split; [exact lt|]. apply places_spec in ih, it. destruct ih as [_ ih], it as [_ it]. specialize (ih d lt). specialize (it d lt).
    apply andb_true_iff in lv. destruct lv as [lv _]. unfold inside in lv. rewrite flat in lv. unfold apart. rewrite forward_at by exact lt.
    unfold go. rewrite flat. fold d in lv |- *. rewrite Nat.eqb_refl. destruct (complete p).
    - destruct (coordinate h d =? coordinate t d), (goal x =? coordinate t d); lia.
    - unfold wraps, next_coordinate. fold d. destruct (ring p d); cbn [andb orb] in *.
      + destruct (snd (toward x)).
        * destruct (Z.eqb_spec (coordinate h d) (side_length p s d - 1));
            repeat match goal with |- context [?a <? ?b] => destruct (Z.ltb_spec a b) end; lia.
        * destruct (Z.eqb_spec (coordinate h d) 0);
            repeat match goal with |- context [?a <? ?b] => destruct (Z.ltb_spec a b) end; lia.
      + destruct (snd (toward x)); lia.
  Qed.

  Lemma total_close f g d l : NoDup l -> In d l -> (forall c, In c l -> c <> d -> f c = g c) -> f d <= 1 + g d -> total f l <= 1 + total g l.
  Proof.
    intros nd i same le. induction l as [|c l IH]; [destruct i|]. inversion nd as [|? ? ni nd']; subst. cbn [total fold_right].
    destruct (Nat.eq_dec c d) as [->|ne].
    - assert (total f l = total g l) as e.
      { clear -same ni. induction l as [|c l IH]; trivial. cbn [total fold_right]. rewrite (same c); [|right; now left|intros ->; apply ni; now left].
        f_equal. apply IH; [intros b ib nb; apply same; trivial; destruct ib; [now left|right; now right]|intro; apply ni; now right]. }
      unfold total in *. lia.
    - destruct i as [->|i]; [easy|]. rewrite (same c) by (trivial; now left).
      assert (total f l <= 1 + total g l) by (apply IH; trivial; intros b ib; apply same; now right). unfold total in *. lia.
  Qed.

  Variable e : evidence.
  Hypothesis wf : well_formed p e = true.

  Lemma leaves_in h x : In h (places p s) -> In x (ports p s) -> leaves p s h x = true -> In (forward p s h x) (places p s).
  Proof.
    intros ih ix lv. pose proof (port_axis p s x ix) as lt. eapply forward_in; eauto. now apply leaves_tail.
  Qed.

  Theorem distance_is_least : distance_least.
  Proof.
    intros h t k ih it j. induction j as [h|h x t k ix lv _ IH].
    - enough (forall l, (forall d, In d l -> (d < n)%nat) -> total (fun d => apart p s d h h) l = 0) as zero.
      { unfold distance. rewrite zero; [lia|]. intros d i. apply in_seq in i. lia. }
      induction l as [|d l IH]; intro all; trivial. cbn [total fold_right]. unfold total in IH. rewrite IH by (intros; apply all; now right).
      unfold apart. rewrite Z.eqb_refl, Z.sub_diag. destruct (complete p); trivial. apply places_spec in it. destruct it as [_ it].
      specialize (it d (all d ltac:(now left))). destruct (Z.ltb_spec (side_length p s d) (Z.abs 0 + Z.abs 0)); [lia|]. rewrite andb_false_r. lia.
    - specialize (IH (leaves_in h x ih ix lv) it). destruct (hop_apart_own h x t ih it ix lv) as [lt le].
      assert (distance p s h t <= 1 + distance p s (forward p s h x) t); [|lia]. unfold distance.
      apply total_close with (fst (toward x)); trivial; [apply seq_NoDup|apply in_seq; lia|].
      intros c ic ne. apply in_seq in ic. symmetry. apply hop_apart; trivial; lia.
  Qed.
End Minimal.

Section Nearer.
  Variable p : program.
  Variable s : nat -> Z.
  Variable e : evidence.
  Hypothesis wf : well_formed p e = true.
  Hypothesis none : forall f, In f (obligations p e) -> forall x, ~ holds x f.
  Hypothesis big : allowed p s.
  Hypothesis claimed : minimal e = true.
  Notation r := (routing_of p s).

  Theorem near_hops : hops_nearer p s r.
  Proof.
    intros d a b rs i eb. destruct (all_good p s e wf none big d a rs) as (t & v & et & ev & g).
    destruct (hops_inv p s d a t v b et ev i) as (h & from & st & c).
    assert (In t (places p s)) as it by now apply (place_at_in p s d).
    pose proof (standing_in p s e t v (snd a) h from it g st) as ih.
    assert (far p s t v = distance p s h t) as fv by (destruct v; simpl in st; try discriminate; injection st as <- <-; reflexivity).
    unfold far_at. rewrite et, ev, fv.
    destruct c as [[_ ->]|(no & q & run & [[_ ->]|(o & z & io & iz & ->)])];
      try (cbn [home fst ejection routing_of] in eb; rewrite eject_vc in eb by trivial; discriminate).
    cbn [onto fst]. destruct (output_tail p s e wf none big t v (snd a) h from q it g st no run o z io iz) as (ipz & rg & tl).
    pose proof (port_axis p s z ipz) as lt. rewrite link_vc by trivial. cbn [far].
    pose proof (output_good p s e wf none big t v (snd a) h from q it g st no run o z io iz) as (_ & _ & _ & _ & _ & x & fb & _).
    assert (In (forward p s h z) (places p s)) as ih' by (eapply forward_in; eauto).
    split; [now apply distance_bounds|].
    set (y := {| v_old := old_of v; v_onto := goal z; v_far := 0 |}).
    pose proof (output_step p s e wf none big t v (snd a) h from q it g st no run o z io iz y h outputs eq_refl io) as step.
    pose proof (good_known p s e wf big t v (snd a) h from it g st no y h eq_refl) as kn.
    pose proof (output_moves p s e wf none t v (snd a) h from q it g st no run o z io iz) as mv.
    unfold moves in mv. unfold target_class in *. rewrite fb, claimed in mv. rewrite !heading_at in mv.
    apply (nearer p s e wf) with y h; trivial. intro bad. eapply mv with (x := at_hop p s y h t h).
    - right. apply in_or_app. left. left. reflexivity.
    - apply conj_holds. intros f [<-|[<-|[<-|[]]]]; trivial.
  Qed.

  Theorem alike_near q : alike r q -> hops_nearer p s q.
  Proof.
    intros like d a b rs i eb. destruct (alike_hops r q like d a b rs i) as [rs' i'].
    apply (near_hops d a b rs' i'). now rewrite <- (same_ejection r q like).
  Qed.

  Theorem near_at_most q : hops_nearer p s q -> (forall k, Routing.entry q k = Routing.entry r k) -> at_most_distance p s q.
  Proof.
    intros near en d l t h k (wk & no & e0 & k0 & hd_ & sent) et ih eh. rewrite eh in hd_. injection hd_ as e1 <-.
    destruct l as [|a m]; [discriminate|]. cbn [hd_error] in eh. injection eh as ->.
    assert (far_at p s d (number_of p s (Inject h), k) = distance p s h t) as f.
    { unfold far_at. cbn [fst]. now rewrite et, inject_vc. }
    rewrite <- f. apply (nearer_walk p s q near d _ wk no _ m eq_refl).
    - rewrite e1. now apply begin.
    - rewrite f. apply distance_bounds; trivial. now apply (place_at_in p s d).
  Qed.
End Nearer.
