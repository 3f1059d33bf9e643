(* This file defines turn models of two phases on meshes and hypercubes of any number of dimensions, and proves that they are right
   (C. J. Glass and L. M. Ni, ISCA 1992).

   A packet first makes the hops in one direction that it needs in the first m dimensions, in any order, then the others. m is the number of
   dimensions, or one less. The VCs of a hop are any function of the place, the destination and the direction.

   These triples rise along dependencies: the phase; the sum of the first m coordinates, with the sign of the phase; in the last dimension
   the coordinate with the sign of the direction, otherwise infinity. *)

From Coq Require Import ZArith List Bool Arith Lia.
From Proved Require Import Arrays Routing Queues Worms Formulas Sizes Networks Language SameHops Every Climbing Dimensions Lines Ordered.
Import ListNotations.
Open Scope Z_scope.

Section Phases.
  Variable w : world.
  Variables n m : nat.
  Variable z : nat -> Z.
  Variable sign : bool. (* the direction of the first phase: true for plus *)
  Variable vcs : place -> place -> direction -> list Z.
  Notation b := (base w).
  Notation p := (wide w n).
  Notation places := (places p z).
  Notation forward := (forward p z).

  Definition needs (h t : place) (x : direction) : bool :=
    if snd x then coordinate h (fst x) <? coordinate t (fst x) else coordinate t (fst x) <? coordinate h (fst x).
  Definition first_phase (h t : place) : list direction := filter (needs h t) (map (fun i => (i, sign)) (seq 0 m)).
  Definition all_needed (h t : place) : list direction := filter (needs h t) (flat_map (fun i => [(i, true); (i, false)]) (seq 0 n)).
  Definition phase_ways (h t : place) : list direction := match first_phase h t with [] => all_needed h t | l => l end.

  Definition way_port (x : direction) : port := {| toward := x; goal := 0 |}.
  Definition out_phases (h t : place) : list state :=
    if delivered p h t then [home p z h]
    else flat_map (fun x => map (fun c => (number_of p z (Link h (way_port x) c), 0)) (vcs h t x)) (phase_ways h t).
  Definition hops_phases (d : Z) (a : state) : list state :=
    match place_at p z d, vc_at p z (fst a) with
    | Some t, Some v => match standing p z v with Some (h, _) => out_phases h t | None => [] end
    | _, _ => []
    end.
  Definition phases : routing :=
    let r := routing_of p z in
    {| link := link r; ejection := ejection r; Routing.entry := Routing.entry r; destinations := destinations r;
       Routing.sources := Routing.sources r; target := target r; sends := sends_ordered w n z; hops := hops_phases |}.
  Notation r := phases.

  Hypothesis line_ : is_line w = true.
  Hypothesis mesh : complete b = false /\ ring b 0 = false.
  Hypothesis last_ : m = n \/ S m = n.
  Hypothesis some_vc : forall h t x, vcs h t x <> [].
  Hypothesis vc_range : forall h t x c, In c (vcs h t x) -> 0 <= c < lanes b.

  Let dims_wide_ := dims_wide w n.
  Let wide_places_ := wide_places w n z.

  Lemma way_needed h t x : In x (phase_ways h t) -> needs h t x = true /\ (fst x < n)%nat /\ (first_phase h t = [] \/ (fst x < m)%nat /\ snd x = sign).
  Proof.
    unfold phase_ways. destruct (first_phase h t) as [|y l] eqn:f; intro i.
    - apply filter_In in i. destruct i as [i ne]. apply in_flat_map in i. destruct i as (j & ij & i). apply in_seq in ij.
      split; [exact ne|]. split; [|now left]. destruct i as [<-|[<-|[]]]; simpl; lia.
    - rewrite <- f in i. apply filter_In in i. destruct i as [i ne]. apply in_map_iff in i. destruct i as (j & <- & ij). apply in_seq in ij.
      split; [exact ne|]. simpl. split; [lia|]. right. split; [lia|trivial].
  Qed.

  Lemma some_way h t : In h places -> In t places -> delivered p h t = false -> phase_ways h t <> [].
  Proof.
    intros ih it no nil_. unfold phase_ways in nil_. destruct (first_phase h t) as [|x l]; [|discriminate].
    apply wide_places_ in ih, it. destruct (delivered_wide w n h t (proj1 ih) (proj1 it) no) as [i fo].
    apply first_off_spec in fo. destruct fo as (lt & ne & _).
    assert (In (i, coordinate h i <? coordinate t i) (all_needed h t)) as bad.
    { apply filter_In. split.
      - apply in_flat_map. exists i. split; [apply in_seq; lia|]. destruct (coordinate h i <? coordinate t i); [now left|right; now left].
      - unfold needs. cbn [fst snd]. destruct (Z.ltb_spec (coordinate h i) (coordinate t i)); [reflexivity|apply Z.ltb_lt; lia]. }
    unfold all_needed in *. rewrite nil_ in bad. destruct bad.
  Qed.

  Definition delta_of (x : direction) : Z := if snd x then 1 else -1.

  Lemma forward_way h x d : (d < n)%nat -> coordinate (forward h (way_port x)) d = coordinate h d + if Nat.eqb d (fst x) then delta_of x else 0.
  Proof.
    intro lt. destruct mesh as [cp rg]. rewrite forward_at by now rewrite dims_wide_. unfold go. cbn [complete has_axes axes wide toward way_port]. rewrite cp.
    destruct (Nat.eqb_spec d (fst x)) as [->|]; [|lia]. unfold wraps. cbn [toward way_port]. rewrite (ring_wide w n) by exact lt. rewrite rg.
    unfold next_coordinate, delta_of. cbn [andb]. destruct (snd x); lia.
  Qed.

  (* The needs of a packet after a hop. *)
  Lemma needs_after h t x y : needs h t x = true -> (fst y < n)%nat -> needs (forward h (way_port x)) t y = true -> needs h t y = true.
  Proof.
    unfold needs. intros nx lt ny. rewrite forward_way in ny by exact lt. unfold delta_of in ny.
    destruct (Nat.eqb_spec (fst y) (fst x)) as [e|]; [rewrite e in *|]; destruct (snd x), (snd y); rewrite ?Z.ltb_lt in *; lia.
  Qed.

  Lemma way_leaves h t x : In h places -> In t places -> (fst x < n)%nat -> needs h t x = true ->
    In (way_port x) (ports p z) /\ leaves p z h (way_port x) = true /\ In (forward h (way_port x)) places.
  Proof.
    intros ih it lt nx. destruct mesh as [cp rg]. apply wide_places_ in ih, it. destruct ih as [lh ih], it as [_ it].
    unfold needs in nx. pose proof (ih _ lt) as ih'. pose proof (it _ lt) as it'. split; [|split].
    - apply ports_spec. cbn [toward goal way_port]. split.
      + apply directions_spec. cbn [complete wide]. split; [|congruence]. unfold axis_count. cbn [axes wide]. now rewrite dims_wide_.
      + unfold goals. cbn [complete wide]. rewrite cp. now left.
    - unfold Networks.leaves, Networks.inside, working. cbn [complete has_axes axes wide toward way_port broken].
      rewrite cp, (ring_wide w n), (side_wide w n) by exact lt. rewrite rg.
      cbn [orb]. rewrite andb_true_r. destruct (snd x); rewrite Z.ltb_lt in *; lia.
    - apply wide_places_. split; [unfold Networks.forward; now rewrite map_length, seq_length, dims_wide_|]. intros d ld. rewrite forward_way by exact ld.
      specialize (ih d ld). unfold delta_of. destruct (Nat.eqb_spec d (fst x)) as [->|]; [|lia]. destruct (snd x); rewrite Z.ltb_lt in *; lia.
  Qed.

  (* Levels. *)
  Definition sum_of (h : place) : Z := total (coordinate h) (seq 0 m).
  Definition widest : Z := total (fun i => side_length b (line_sizes z i) 0) (seq 0 m).
  Definition signed : Z := if sign then 1 else -1.
  Definition last_side : Z := Z.max 0 (side_length b (line_sizes z m) 0).
  Definition is_first (x : direction) : bool := Nat.ltb (fst x) m && Bool.eqb (snd x) sign.
  Definition third (h : place) (x : direction) : Z :=
    if Nat.ltb (fst x) m then last_side + 1 else if snd x then coordinate h (fst x) else last_side - coordinate h (fst x).
  Definition last_level : Z := 3 * widest + 1 + (2 * widest) * (last_side + 2) + last_side + 2.
  Definition level_of (v : vc) : Z :=
    match v with
    | Inject _ => -1
    | Link h x _ =>
        if is_first (toward x) then signed * sum_of h + widest
        else 3 * widest + 1 + (widest - signed * sum_of h) * (last_side + 2) + third h (toward x)
    | Eject _ => last_level
    end.

  Lemma sum_bounds h : In h places -> 0 <= sum_of h <= widest.
  Proof.
    intro ih. apply wide_places_ in ih. destruct ih as [_ ih]. assert (m <= n)%nat as le by lia. unfold sum_of, widest. split.
    - replace 0 with (total (fun _ => 0) (seq 0 m)) by (induction (seq 0 m) as [|x l IH]; simpl; trivial; rewrite IH; reflexivity).
      apply total_le. intros d i. apply in_seq in i. apply ih. lia.
    - apply total_le. intros d i. apply in_seq in i. specialize (ih d ltac:(lia)). lia.
  Qed.

  Lemma sum_hop h x : (fst x < n)%nat -> sum_of (forward h (way_port x)) = sum_of h + if Nat.ltb (fst x) m then delta_of x else 0.
  Proof.
    intro lt. unfold sum_of. assert (forall l k, (k + l <= n)%nat -> total (coordinate (forward h (way_port x))) (seq k l) =
      total (coordinate h) (seq k l) + if Nat.leb k (fst x) && Nat.ltb (fst x) (k + l) then delta_of x else 0) as all.
    { induction l as [|l IH]; intros k le; cbn [seq total fold_right].
      - destruct (Nat.leb_spec k (fst x)), (Nat.ltb_spec (fst x) (k + 0)); cbn [andb]; lia.
      - specialize (IH (S k) ltac:(lia)). unfold total in IH. rewrite IH, forward_way by lia.
        destruct (Nat.eqb_spec k (fst x)), (Nat.leb_spec (S k) (fst x)), (Nat.ltb_spec (fst x) (S k + l)), (Nat.leb_spec k (fst x)),
          (Nat.ltb_spec (fst x) (k + S l)); cbn [andb]; lia. }
    rewrite all by lia. destruct (Nat.ltb_spec (fst x) m); cbn [Nat.leb andb plus]; destruct (Nat.ltb_spec (fst x) (0 + m)); lia.
  Qed.

  Lemma third_bounds h x : In h places -> (fst x < n)%nat -> 0 <= third h x <= last_side + 1.
  Proof.
    intros ih lt. apply wide_places_ in ih. destruct ih as [_ ih]. unfold third, last_side. destruct (Nat.ltb_spec (fst x) m); [lia|].
    assert (fst x = m) as -> by lia. specialize (ih m ltac:(lia)). destruct (snd x); lia.
  Qed.

  Lemma level_bounds h x c : In h places -> (fst (toward x) < n)%nat -> 0 <= level_of (Link h x c) < last_level.
  Proof.
    intros ih lt. pose proof (sum_bounds h ih). pose proof (third_bounds h (toward x) ih lt). assert (0 <= last_side) by (unfold last_side; lia).
    unfold level_of, last_level, signed. destruct (is_first (toward x)), sign; nia.
  Qed.

  (* What holds for each packet that is reached. *)
  Definition good (t : place) (v : vc) : Prop :=
    match v with
    | Inject h => In h places /\ delivered p h t = false
    | Link h x c => exists y, x = way_port y /\ In h places /\ (fst y < n)%nat /\ 0 <= c < lanes b /\ needs h t y = true /\
        (is_first y = true \/ first_phase h t = [])
    | Eject h => h = t /\ In h places
    end.

  Lemma stands_in t v h from : In t places -> good t v -> standing p z v = Some (h, from) -> In h places.
  Proof.
    intros it g st. destruct v as [h0|h0 x c|h0]; cbn [standing] in st; [| |discriminate]; injection st as <- _.
    - apply g.
    - destruct g as (y & -> & ih & lt & _ & ny & _). now apply (way_leaves h0 t y).
  Qed.

  Lemma none_first h t y : first_phase h t = [] -> needs h t y = true -> is_first y = false.
  Proof.
    intros f ny. unfold is_first. destruct (Nat.ltb_spec (fst y) m) as [lt|]; [|trivial]. cbn [andb]. destruct (Bool.eqb (snd y) sign) eqn:e; trivial.
    apply eqb_prop in e. assert (In y (first_phase h t)) as bad; [|rewrite f in bad; destruct bad]. apply filter_In. split; [|exact ny].
    apply in_map_iff. exists (fst y). split; [rewrite <- e; now destruct y|apply in_seq; lia].
  Qed.

  Lemma first_stays h t x : (fst x < n)%nat -> needs h t x = true -> first_phase h t = [] -> first_phase (forward h (way_port x)) t = [].
  Proof.
    intros lt nx f. destruct (first_phase (forward h (way_port x)) t) as [|y l] eqn:g; trivial. exfalso.
    assert (In y (first_phase (forward h (way_port x)) t)) as i by (rewrite g; now left). apply filter_In in i. destruct i as [i ny].
    assert (In y (first_phase h t)) as bad; [|rewrite f in bad; destruct bad]. apply filter_In. split; [exact i|].
    apply in_map_iff in i. destruct i as (j & <- & ij). apply in_seq in ij. apply (needs_after h t x); trivial. simpl. lia.
  Qed.

  Lemma level_hop t h x c y k : In h places -> In t places -> (fst x < n)%nat -> needs h t x = true -> is_first x = true \/ first_phase h t = [] ->
    let g := forward h (way_port x) in (fst y < n)%nat -> needs g t y = true -> first_phase g t = [] \/ (fst y < m)%nat /\ snd y = sign ->
    level_of (Link h (way_port x) c) < level_of (Link g (way_port y) k).
  Proof.
    intros ih it lt nx or_ g ly ny way_. destruct (way_leaves h t x ih it lt nx) as (_ & _ & ig). fold g in ig.
    pose proof (sum_bounds h ih) as sh. pose proof (sum_bounds g ig) as sg. pose proof (third_bounds g y ig ly) as tg.
    pose proof (third_bounds h x ih lt) as th.
    pose proof (sum_hop h x lt) as sx. fold g in sx. assert (0 <= last_side) as ls by (unfold last_side; lia).
    cbn [level_of toward way_port]. destruct (is_first x) eqn:fx.
    - unfold is_first in fx. apply andb_true_iff in fx. destruct fx as [fm fs]. rewrite fm in sx. apply eqb_prop in fs. unfold delta_of in sx. rewrite fs in sx.
      destruct (is_first y); unfold signed; destruct sign; nia.
    - destruct or_ as [|f]; [discriminate|]. pose proof (first_stays h t x lt nx f) as f'. fold g in f'. rewrite (none_first g t y f' ny).
      unfold is_first in fx. destruct (Nat.ltb_spec (fst x) m) as [xm|xm]; cbn [andb] in fx.
      + assert (third h x = last_side + 1) as -> by (unfold third; destruct (Nat.ltb_spec (fst x) m); lia).
        apply eqb_false_iff in fx. unfold delta_of in sx. unfold signed. destruct (snd x), sign; try (now elim fx); nia.
      + rewrite sx, Z.add_0_r. enough (third h x < third g y) by lia. assert (fst x = m) as xm' by lia. unfold third.
        destruct (Nat.ltb_spec (fst x) m); [lia|]. pose proof ih as ih'. apply wide_places_ in ih'. destruct ih' as [_ ih']. specialize (ih' m ltac:(lia)).
        destruct (Nat.ltb_spec (fst y) m); [unfold last_side; rewrite xm'; destruct (snd x); lia|]. assert (fst y = m) as ym by lia.
        unfold needs in nx, ny. rewrite xm' in *. rewrite ym in *. unfold g in *. rewrite forward_way in * by lia. rewrite xm' in *.
        rewrite Nat.eqb_refl in *. unfold delta_of in *. destruct (snd x), (snd y); rewrite ?Z.ltb_lt in *; lia.
  Qed.

  Definition height (k : Z) : Z := match vc_at p z k with Some v => level_of v | None => -1 end.

  Definition top : Z := Z.max 0 last_level.

  Lemma height_at k v : vc_at p z k = Some v -> height k = level_of v.
  Proof. unfold height. now intros ->. Qed.

  Lemma height_top k : height k <= top.
  Proof.
    unfold height, top. destruct (vc_at p z k) as [v|] eqn:ev; [|lia]. destruct v as [h|h x c|h]; [cbn [level_of]; lia| |cbn [level_of]; lia].
    unfold vc_at in ev. destruct (k <? 0); [discriminate|]. apply nth_error_In in ev. apply in_app_or in ev.
    destruct ev as [ev|ev]; [apply in_map_iff in ev; destruct ev as (? & ? & _); discriminate|]. apply in_app_or in ev.
    destruct ev as [ev|ev]; [|apply in_map_iff in ev; destruct ev as (? & ? & _); discriminate].
    unfold links in ev. apply in_flat_map in ev. destruct ev as (h' & ih & ev). apply in_flat_map in ev. destruct ev as (x' & ix' & ev).
    apply in_map_iff in ev. destruct ev as (j & e & _). injection e as <- <- <-. apply port_axis in ix'. unfold axis_count in ix'. cbn [axes wide] in ix'.
    rewrite dims_wide_ in ix'. pose proof (level_bounds h' x' j ih ix'). lia.
  Qed.

  Theorem hop_well d a t v c : place_at p z d = Some t -> vc_at p z (fst a) = Some v -> good t v -> In c (hops r d a) ->
    exists u, vc_at p z (fst c) = Some u /\ good t u /\ level_of v < level_of u /\ 0 <= level_of u /\
      (link r (fst c) = true \/ ejection r (fst c) = true).
  Proof.
    intros et ev g ic. assert (In t places) as it by now apply (place_at_in p z d).
    cbn [hops phases] in ic. unfold hops_phases in ic. rewrite et, ev in ic. destruct (standing p z v) as [[h from]|] eqn:st; [|destruct ic].
    pose proof (stands_in t v h from it g st) as ih. unfold out_phases in ic. destruct (delivered p h t) eqn:no.
    - destruct ic as [<-|[]]. exists (Eject h). cbn [home fst]. rewrite eject_vc by exact ih. split; [trivial|].
      split; [split; [now apply (Invariants.delivered_same p)|exact ih]|]. cbn [level_of].
      assert (0 <= last_level) by (pose proof (sum_bounds h ih); unfold last_level; assert (0 <= last_side) by (unfold last_side; lia); nia).
      split; [|split; [trivial|right; cbn [ejection phases routing_of]; now rewrite eject_vc]].
      destruct v as [h0|h0 x k|h0]; [cbn [level_of]; lia| |discriminate]. destruct g as (y & -> & ih0 & lt & _).
      pose proof (level_bounds h0 (way_port y) k ih0 lt). lia.
    - apply in_flat_map in ic. destruct ic as (y & iy & ic). apply in_map_iff in ic. destruct ic as (k & <- & ik). apply vc_range in ik.
      destruct (way_needed h t y iy) as (ny & lt & fy). destruct (way_leaves h t y ih it lt ny) as (ip & lv & _).
      exists (Link h (way_port y) k). cbn [fst].
      assert (vc_at p z (number_of p z (Link h (way_port y) k)) = Some (Link h (way_port y) k)) as evc by now apply link_vc.
      split; [exact evc|]. pose proof (level_bounds h (way_port y) k ih lt) as [pos _]. split; [|split; [|split; [exact pos|]]].
      + exists y. split; [trivial|]. split; [exact ih|]. split; [exact lt|]. split; [exact ik|]. split; [exact ny|].
        destruct fy as [fy|[ym ys]]; [now right|]. left. unfold is_first. destruct (Nat.ltb_spec (fst y) m); [|lia]. rewrite ys. now rewrite eqb_reflx.
      + destruct v as [h0|h0 x c0|h0]; [cbn [level_of] in pos |- *; lia| |discriminate]. destruct g as (x0 & -> & ih0 & lt0 & _ & nx & f0).
        cbn [standing] in st. injection st as <- _. now apply level_hop with t.
      + left. cbn [link phases routing_of]. now rewrite evc.
  Qed.

  Theorem reached_good d a : reachable r d a -> exists t v, place_at p z d = Some t /\ vc_at p z (fst a) = Some v /\ good t v.
  Proof.
    induction 1 as [e k i|a c rs (t & v & et & ev & g) i].
    - cbn [sends phases] in i. unfold sends_ordered in i. destruct (place_at p z d) as [t|] eqn:et; [|destruct i].
      apply in_flat_map in i. destruct i as (e' & _ & i). destruct (place_at p z e') as [h|] eqn:eh; [|destruct i].
      destruct (delivered p h t) eqn:no; [destruct i|]. destruct i as [i|[]]. injection i as <- <-. exists t, (Inject h). split; [trivial|].
      cbn [Routing.entry phases routing_of fst]. rewrite eh. assert (In h places) as ih by now apply (place_at_in p z e'). split; [now apply inject_vc|].
      now split.
    - destruct (hop_well d a t v c et ev g i) as (u & eu & gu & _). now exists t, u.
  Qed.

  Theorem hop_rises d a c : reachable r d a -> In c (hops r d a) -> height (fst a) < height (fst c) /\ 0 <= height (fst c) /\
    (link r (fst c) = true \/ ejection r (fst c) = true).
  Proof.
    intros rs i. destruct (reached_good d a rs) as (t & v & et & ev & g). destruct (hop_well d a t v c et ev g i) as (u & eu & _ & lt & pos & stay).
    rewrite (height_at _ _ ev), (height_at _ _ eu). now repeat split.
  Qed.

  Lemma height_least d a : reachable r d a -> -1 <= height (fst a).
  Proof.
    intro rs. destruct (reached_good d a rs) as (t & v & et & ev & g). rewrite (height_at _ _ ev). destruct v as [h|h x k|h]; [cbn [level_of]; lia| |].
    - destruct g as (y & -> & ih & lt & _). pose proof (level_bounds h (way_port y) k ih lt). lia.
    - destruct g as [_ ih]. cbn [level_of]. pose proof (sum_bounds h ih). unfold last_level. assert (0 <= last_side) by (unfold last_side; lia). nia.
  Qed.

  Lemma phases_go_on d a : reachable r d a -> ejection r (fst a) = false -> hops r d a <> [].
  Proof.
    intros rs ej. destruct (reached_good d a rs) as (t & v & et & ev & g). assert (In t places) as it by now apply (place_at_in p z d).
    cbn [ejection phases routing_of] in ej. rewrite ev in ej. cbn [hops phases]. unfold hops_phases. rewrite et, ev.
    destruct (standing p z v) as [[h from]|] eqn:st; [|destruct v; discriminate]. unfold out_phases. destruct (delivered p h t) eqn:no; [discriminate|].
    pose proof (stands_in t v h from it g st) as ih. pose proof (some_way h t ih it no) as some. destruct (phase_ways h t) as [|y l]; [easy|].
    cbn [flat_map]. pose proof (some_vc h t y). destruct (vcs h t y); [easy|discriminate].
  Qed.

  Theorem phases_right wormhole : right wormhole true true true r /\ connected r.
  Proof.
    split.
    - apply shown_right, climbing_shown with height top; [unfold top; lia|exact height_top|exact height_least|exact hop_rises].
    - apply climbing_connected with height top; [exact height_top|exact hop_rises|exact phases_go_on| |exact (ordered_sent w n z r eq_refl eq_refl eq_refl)].
      intros d a rs ej. destruct (reached_good d a rs) as (t & v & et & ev & g). cbn [ejection target phases routing_of] in ej |- *. rewrite et, ev in *.
      destruct v; try discriminate. destruct g as [-> _]. now destruct (place_dec t t).
  Qed.
End Phases.
