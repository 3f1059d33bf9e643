(* This file proves what the obligations show, for every size: all that SameHops.v: shown says about the routing of the paths of a
   program. If the paths cover all cases, all pairs are connected. *)

From Coq Require Import ZArith List Bool Arith Lia Relations.
From Proved Require Import Arrays Routing Queues Worms Formulas Refute Sizes Networks Invariants Rising Detours SameHops.
Import ListNotations.
Open Scope Z_scope.

Section Finite.
  Variable r : routing.
  Variable left_ : Z -> state -> Z.
  Hypothesis positive_ : forall d a, reachable r d a -> 0 <= left_ d a.
  Hypothesis decreases : forall d a, reachable r d a -> hops r d a <> [] -> exists b, In b (hops r d a) /\ left_ d b < left_ d a.

  (* A packet that always has a next hop until it is ejected can reach an ejection VC. *)
  Lemma ends_somewhere d : (forall a, reachable r d a -> ejection r (fst a) = false -> hops r d a <> []) ->
    forall a, reachable r d a -> exists b, way r d a b /\ reachable r d b /\ ejection r (fst b) = true.
  Proof.
    intros go_on a rs. remember (Z.to_nat (left_ d a)) as m eqn:em. revert a rs em.
    induction m as [m IH] using lt_wf_ind. intros a rs em. destruct (ejection r (fst a)) eqn:ej.
    - exists a. split; [apply Routing.here|now split].
    - destruct (decreases d a rs (go_on a rs ej)) as (b & i & less_).
      assert (reachable r d b) as rb by now apply hop with a.
      pose proof (positive_ d b rb).
      destruct (IH (Z.to_nat (left_ d b)) ltac:(lia) b rb eq_refl) as (c & w & rc & ej').
      exists c. split; [|now split]. apply way_trans with b; trivial. eapply onward; [apply Routing.here|exact i].
  Qed.
End Finite.

(* Sums over dimensions. *)
Definition total (f : nat -> Z) (l : list nat) : Z := fold_right (fun d z => f d + z) 0 l.

Lemma total_le f g l : (forall d, In d l -> f d <= g d) -> total f l <= total g l.
Proof.
  induction l as [|d l IH]; simpl; intro h; [lia|]. assert (f d <= g d) by auto. assert (total f l <= total g l) by auto.
  unfold total in *. lia.
Qed.

Lemma total_less f g l d : (forall c, In c l -> f c <= g c) -> In d l -> f d < g d -> total f l < total g l.
Proof.
  intros h i lt. induction l as [|c l IH]; [destruct i|]. simpl. assert (f c <= g c) by (apply h; now left).
  assert (total f l <= total g l) by (apply total_le; intros; apply h; now right). destruct i as [->|i].
  - unfold total in *. lia.
  - assert (total f l < total g l) by (apply IH; trivial; intros; apply h; now right). unfold total in *. lia.
Qed.

Section Every.
  Variable p : program.
  Variable s : nat -> Z.
  Variable e : evidence.
  Hypothesis wf : well_formed p e = true.
  Hypothesis none : forall f, In f (obligations p e) -> forall x, ~ holds x f.
  Hypothesis big : allowed p s.
  Notation n := (dims p).
  Notation at_places := (at_places p s).
  Notation at_hop := (at_hop p s).
  Notation places := (places p s).
  Notation side_length := (side_length p s).
  Notation forward := (forward p s).
  Notation delivered := (delivered p).
  Notation class_at := (class_at p s e).
  Notation good := (good p s e).
  Notation r := (routing_of p s).

  (* The distance in one dimension, and its sum. *)
  Definition apart (d : nat) (h t : place) : Z :=
    if complete p then (if coordinate h d =? coordinate t d then 0 else 1) else
    let k := Z.abs (coordinate t d - coordinate h d) in
    if ring p d && (side_length d <? k + k) then side_length d - k else k.
  Definition distance (h t : place) : Z := total (fun d => apart d h t) (seq 0 n).
  Definition farthest : Z := total side_length (seq 0 n).

  Lemma apart_bounds d h t : (d < n)%nat -> In h places -> In t places -> 0 <= apart d h t <= side_length d.
  Proof.
    intros lt ih it. apply places_spec in ih, it. destruct ih as [_ ih], it as [_ it]. specialize (ih d lt). specialize (it d lt).
    unfold apart. destruct (complete p); [destruct (coordinate h d =? coordinate t d); lia|]. destruct (ring p d); cbn [andb];
      [|lia]. destruct (Z.ltb_spec (side_length d) (Z.abs (coordinate t d - coordinate h d) + Z.abs (coordinate t d - coordinate h d))); lia.
  Qed.

  Lemma distance_bounds h t : In h places -> In t places -> 0 <= distance h t <= farthest.
  Proof.
    intros ih it. split.
    - replace 0 with (total (fun _ => 0) (seq 0 n)) by (induction (seq 0 n) as [|x l IH]; simpl; trivial; rewrite IH; reflexivity).
      apply total_le. intros d i. apply in_seq in i. apply apart_bounds; trivial. lia.
    - apply total_le. intros d i. apply in_seq in i. apply apart_bounds; trivial. lia.
  Qed.

  Lemma distances_spec d y h t o : complete p = false -> (d < n)%nat -> exists a, In a (distances p d) /\ holds (at_hop y h t o) (fst a) /\
    value (snd a) (at_hop y h t o) = apart d h t.
  Proof.
    intros cp lt. unfold distances, apart, Networks.at_hop. rewrite cp.
    destruct (Z.le_gt_cases (coordinate h d) (coordinate t d)) as [le|gt].
    - destruct (ring p d); cbn [flat_map app andb].
      + destruct (Z.ltb_spec (side_length d) (Z.abs (coordinate t d - coordinate h d) + Z.abs (coordinate t d - coordinate h d))).
        * eexists. split; [right; left; reflexivity|]. cbn [fst snd].
          rewrite conj_two, at_most_spec, less_than_spec, !plus_spec, !value_side, !value_here, !value_there by trivial. lia.
        * eexists. split; [left; reflexivity|]. cbn [fst snd].
          rewrite conj_two, !at_most_spec, !plus_spec, !value_side, !value_here, !value_there by trivial. lia.
      + eexists. split; [left; reflexivity|]. cbn [fst snd]. rewrite at_most_spec, !plus_spec, !value_here, !value_there by trivial. lia.
    - destruct (ring p d); cbn [flat_map app andb].
      + destruct (Z.ltb_spec (side_length d) (Z.abs (coordinate t d - coordinate h d) + Z.abs (coordinate t d - coordinate h d))).
        * eexists. split; [right; right; right; left; reflexivity|]. cbn [fst snd].
          rewrite conj_two, !less_than_spec, !plus_spec, !value_side, !value_here, !value_there by trivial. lia.
        * eexists. split; [right; right; left; reflexivity|]. cbn [fst snd].
          rewrite conj_two, less_than_spec, at_most_spec, !plus_spec, !value_side, !value_here, !value_there by trivial. lia.
      + eexists. split; [right; left; reflexivity|]. cbn [fst snd]. rewrite less_than_spec, !plus_spec, !value_here, !value_there by trivial. lia.
  Qed.

  (* Along an axis: some formula of axis_farther holds if the distances over the dimensions of l do not decrease. *)
  Lemma axis_nearer y h x t o : complete p = false -> (fst (toward x) < axis_count p)%nat -> v_onto y = goal x -> has_axes p = true ->
    forall l when before after, (forall d, In d l -> (d < n)%nat) ->
    holds (at_hop y h t o) when ->
    exists f, In f (axis_farther p (toward x) l when before after) /\
      (value before (at_hop y h t o) + total (fun d => apart d h t) l <= value after (at_hop y h t o) + total (fun d => apart d (forward h x) t) l ->
        holds (at_hop y h t o) f).
  Proof.
    intros cp lt on ax. assert (forall v, moved (to_head p (toward x) false) (at_hop y h t o) v = at_hop y (forward h x) t o v) as mv.
    { intro v. replace false with (wraps p s h x) by (apply (no_wraps p s e wf); now rewrite ax).
      etransitivity; [exact (moved_forward p s e wf y h (coordinate t) (coordinate o) x v lt on)|]. apply env_values. intro bad. congruence. }
    induction l as [|d l IH]; intros when before after all hw; cbn [axis_farther].
    - eexists. split; [now left|]. intro le. cbn [total fold_right] in le. apply conj_two. split; [exact hw|]. apply at_most_spec. lia.
    - destruct (Z.eqb_spec (step_of p (toward x) d) 0) as [z|differs].
      + destruct (IH when before after) as (f & i & hf); trivial; [intros c j; apply all; now right|]. exists f. split; [exact i|]. intro le. apply hf.
        assert (apart d (forward h x) t = apart d h t) as same.
        { unfold apart. rewrite cp, forward_at by (apply all; now left). unfold go. rewrite cp, ax, z, Z.add_0_r. reflexivity. }
        cbn [total fold_right] in le. unfold total. lia.
      + assert (d < n)%nat as dn by (apply all; now left).
        destruct (distances_spec d y h t o cp dn) as (a & ia & ha & va). destruct (distances_spec d y (forward h x) t o cp dn) as (b & ib & hb & vb).
        destruct (IH (conj [when; fst a; move (to_head p (toward x) false) (fst b)]) (plus before (snd a) 1) (plus after (move_form (to_head p (toward x)
          false) (snd b)) 1))
          as (f & i & hf).
        * intros c j. apply all. now right.
        * apply conj_holds. intros g [<-|[<-|[<-|[]]]]; trivial. apply move_spec. now apply (holds_ext _ _ _ mv).
        * exists f. split; [apply in_flat_map; exists a; split; [exact ia|]; apply in_flat_map; exists b; now split|]. intro le. apply hf.
          rewrite !plus_spec, move_form_spec, (value_ext _ _ _ (fun v _ => mv v)), va, vb. cbn [total fold_right] in le. unfold total. lia.
  Qed.

  Lemma nearer y h t x o : In h places -> (fst (toward x) < axis_count p)%nat -> v_onto y = goal x ->
    ~ holds (at_hop y h t o) (farther p (toward x) (wraps p s h x)) -> distance (forward h x) t < distance h t.
  Proof.
    intros ih lt on no. destruct (complete p) eqn:cp.
    { rewrite (count_dims p (complete_axes p e wf cp)) in lt. unfold farther in no. rewrite cp, disj_two, equal_spec, differ_spec in no.
      unfold Networks.at_hop in no. rewrite value_here, value_there, value_onto, on in no by assumption.
      unfold distance. apply total_less with (fst (toward x)); [|apply in_seq; lia|].
      - intros d i. apply in_seq in i. unfold apart. rewrite cp, forward_at by lia. unfold go. rewrite cp.
        destruct (Nat.eqb_spec d (fst (toward x))) as [->|]; [|lia].
        destruct (Z.eqb_spec (coordinate h (fst (toward x))) (coordinate t (fst (toward x)))) as [same|]; [elim no; now left|].
        destruct (Z.eqb_spec (goal x) (coordinate t (fst (toward x)))); lia.
      - unfold apart. rewrite cp, forward_at by exact lt. unfold go. rewrite cp, Nat.eqb_refl.
        destruct (Z.eqb_spec (coordinate h (fst (toward x))) (coordinate t (fst (toward x)))) as [same|]; [elim no; now left|].
        destruct (Z.eqb_spec (goal x) (coordinate t (fst (toward x)))) as [|ne]; [lia|]. elim no. now right. }
    destruct (has_axes p) eqn:ax.
    { unfold farther in no. rewrite cp, ax in no. rewrite disj_spec in no. unfold distance.
      destruct (axis_nearer y h x t o cp lt on ax (seq 0 n) always (number 0) (number 0)) as (f & i & hf).
      - intros d j. apply in_seq in j. lia.
      - simpl. trivial.
      - destruct (Z.lt_ge_cases (total (fun d => apart d (forward h x) t) (seq 0 n)) (total (fun d => apart d h t) (seq 0 n))) as [|ge]; trivial.
        elim no. exists f. split; [exact i|]. apply hf. rewrite !number_spec. lia. }
    rewrite (count_dims p ax) in lt. set (d := fst (toward x)) in *. assert (apart d (forward h x) t < apart d h t) as less_.
    { destruct (distances_spec d y h t o cp lt) as (a & ia & ha & va).
      destruct (distances_spec d y (forward h x) t o cp lt) as (b & ib & hb & vb).
      rewrite <- va, <- vb. destruct (Z.lt_ge_cases (value (snd b) (at_hop y (forward h x) t o)) (value (snd a) (at_hop y h t o))) as [|ge]; trivial.
      elim no. unfold farther. rewrite cp, ax. apply disj_spec. eexists. split.
      - apply in_flat_map. exists a. split; [exact ia|]. apply in_map_iff. exists b. split; [reflexivity|exact ib].
      - assert (forall v, moved (to_head p (toward x) (wraps p s h x)) (at_hop y h t o) v = at_hop y (forward h x) t o v) as mv.
        { intro v. assert (fst (toward x) < axis_count p)%nat as lt' by (now rewrite (count_dims p ax)).
          etransitivity; [exact (moved_forward p s e wf y h (coordinate t) (coordinate o) x v lt' on)|]. apply env_values. intro bad. congruence. }
        apply conj_holds. intros f [<-|[<-|[<-|[]]]]; trivial.
        + apply move_spec. now apply (holds_ext _ _ _ mv).
        + apply at_most_spec. rewrite move_form_spec, (value_ext _ _ _ (fun v _ => mv v)). lia. }
    unfold distance. apply total_less with d; trivial; [|apply in_seq; lia].
    intros c i. apply in_seq in i. destruct (Nat.eq_dec c d) as [->|other]; [lia|].
    unfold apart. rewrite cp, forward_at by lia. unfold go. rewrite cp, ax. fold d. destruct (Nat.eqb_spec c d); [easy|]. lia.
  Qed.

  (* With an escape: how far a packet is from its end. Classes of greater groups come later. *)
  Definition later (g : Z) : Z := Z.of_nat (length (filter (fun b => g <? group b) (reached e))).
  Definition weight : Z := 1 + farthest.
  Definition all_left : Z := 2 + Z.of_nat (length (reached e)) * weight + weight.
  Definition left_of (t : place) (v : vc) (j : Z) : Z :=
    match v with
    | Inject _ => all_left
    | Link h x k => match find_entry e (class_at h x k j) with Some a => 1 + later (group a) * weight + distance (forward h x) t | None => 0 end
    | Eject _ => 0
    end.
  Definition left_at (d : Z) (a : state) : Z :=
    match place_at p s d, vc_at p s (fst a) with Some t, Some v => left_of t v (snd a) | _, _ => 0 end.

  Lemma later_bounds g : 0 <= later g <= Z.of_nat (length (reached e)).
  Proof. unfold later. pose proof (filter_all (fun b => g <? group b) (reached e)). lia. Qed.

  Lemma left_bounds t v j h from : In t places -> good t v j -> standing p s v = Some (h, from) -> 0 < left_of t v j <= all_left.
  Proof.
    intros it g st. pose proof (standing_in p s e t v j h from it g st) as ih.
    destruct (distance_bounds h t ih it). assert (0 <= farthest) by lia. unfold all_left, weight.
    destruct v as [h0|h0 x k|]; [unfold left_of, all_left, weight; nia| |discriminate].
    destruct g as (_ & _ & _ & _ & _ & a & fa & _). simpl in st. injection st as <- <-. unfold left_of. rewrite fa.
    pose proof (later_bounds (group a)). unfold weight. nia.
  Qed.

  Lemma left_decreases d a b : needs_distance e = true -> reachable r d a -> In b (hops r d a) -> left_at d b < left_at d a.
  Proof.
    intros we rs i. destruct (all_good p s e wf none big d a rs) as (t & v & et & ev & g).
    destruct (hops_inv p s d a t v b et ev i) as (h & from & st & c).
    assert (In t places) as it by now apply (place_at_in p s d).
    pose proof (standing_in p s e t v (snd a) h from it g st) as ih.
    pose proof (left_bounds t v (snd a) h from it g st) as pos.
    unfold left_at. rewrite et, ev.
    destruct c as [[_ ->]|(no & q & run & [[_ ->]|(o & z & io & iz & ->)])]; cbn [home onto fst snd]; try (rewrite eject_vc by trivial; simpl left_of; lia).
    destruct (output_tail p s e wf none big t v (snd a) h from q it g st no run o z io iz) as (ipz & rg & tl).
    pose proof (port_axis p s z ipz) as lt.
    rewrite link_vc by trivial.
    pose proof (output_good p s e wf none big t v (snd a) h from q it g st no run o z io iz) as g'.
    assert (In (forward h z) places) as ih' by now apply forward_in.
    destruct (distance_bounds _ _ ih' it). pose proof (distance_bounds _ _ ih it).
    pose proof g' as (_ & _ & _ & _ & _ & b & fb & _). unfold left_of at 1. rewrite fb.
    pose proof (later_bounds (group b)) as lb.
    destruct v as [h0|h0 x k|]; [unfold left_of, all_left, weight in *; nia| |discriminate].
    set (y := {| v_old := coordinate h0 (fst (toward x)); v_onto := goal z; v_far := 0 |}).
    pose proof g as (i0 & lt0 & rg0 & tl0 & d0 & a0 & fa & _). unfold left_of. rewrite fa. simpl in st. injection st as <- <-.
    pose proof (output_step p s e wf none big t _ (snd a) _ _ q it g eq_refl no run o z io iz y (forward h0 x) outputs eq_refl io) as step.
    pose proof (good_known p s e wf big t _ (snd a) _ _ it g eq_refl no y (forward h0 x) eq_refl) as kn.
    pose proof (output_moves p s e wf none t _ (snd a) _ _ q it g eq_refl no run o z io iz) as mv.
    unfold target_class in *. simpl Invariants.entry_of in *. rewrite fa in *. unfold moves in mv. rewrite fb in mv. rewrite we in mv.
    cbn [negb] in mv. rewrite !heading_at in mv. destruct (find_entry_spec _ _ _ fb) as [ib _].
    destruct (Z.ltb_spec (group b) (group a0)).
    - exfalso. apply (mv (conj [known_of p e (Some a0); step_by p e (marks p (class_of (Some a0))) (class_at (forward h0 x) z (to_vc o) (to_header o)) outputs])
        ltac:(right; apply in_or_app; right; now left) (at_hop y (forward h0 x) t (forward h0 x))). apply conj_two. now split.
    - destruct (Z.eqb_spec (group b) (group a0)) as [same|].
      + rewrite same. enough (distance (forward (forward h0 x) z) t < distance (forward h0 x) t) by (unfold weight; lia).
        apply nearer with y (forward h0 x); trivial. intro bad. eapply mv with (x := at_hop y (forward h0 x) t (forward h0 x)).
        * right. apply in_or_app. right. left. reflexivity.
        * apply conj_holds. intros f [<-|[<-|[<-|[]]]]; trivial.
      + assert (later (group b) < later (group a0)).
        { unfold later. apply inj_lt. apply filter_less with b; trivial; [intros c|apply Z.ltb_irrefl|lia]. intro. lia. }
        unfold weight in *. nia.
  Qed.

  Theorem goes_on d a : covered p s -> reachable r d a -> ejection r (fst a) = false -> hops r d a <> [].
  Proof.
    intros [_ cv] rs ej. destruct (all_good p s e wf none big d a rs) as (t & v & et & ev & g).
    assert (In t places) as it by now apply (place_at_in p s d).
    cbn in ej |- *. rewrite ev in ej. unfold hops_by. rewrite et, ev.
    destruct (standing p s v) as [[h from]|] eqn:st; [|destruct v; discriminate].
    destruct (delivered h t) eqn:no; [unfold out_of; rewrite no; discriminate|].
    specialize (cv d a t v h from rs et ev st no). destruct (runs p s h t from (snd a)) as [|q l] eqn:er; [easy|].
    assert (In q (runs p s h t from (snd a))) as run by (rewrite er; now left).
    destruct (run_ends p s e wf none big t v (snd a) h from q it g st no run) as (_ & some & _).
    assert (exists b, In b (out_of p s outputs h t from (snd a))) as [b i].
    { destruct some as [some|ej'].
      - destruct some as (o & x & io & ix). exists (onto p s h o x). apply out_of_in with q; trivial. right. now exists o, x.
      - exists (home p s h). apply out_of_in with q; trivial. now left. }
    intro nil_. rewrite nil_ in i. destruct i.
  Qed.

  Theorem connects : covered p s -> forall left_, (forall d a, reachable r d a -> 0 <= left_ d a) ->
    (forall d a, reachable r d a -> hops r d a <> [] -> exists b, In b (hops r d a) /\ left_ d b < left_ d a) -> connected r.
  Proof.
    intros cv left_ pos dec k d i. unfold pairs in i. apply in_flat_map in i. destruct i as (d' & _ & i). apply in_map_iff in i.
    destruct i as (k' & e0 & i). injection e0 as <- <-. cbn in i. destruct (place_at p s d') as [t|] eqn:et; [|destruct i].
    apply filter_In in i. destruct i as [ik i]. destruct (place_at p s k') as [h|] eqn:eh; [|discriminate].
    apply negb_true_iff in i. assert (In t places) as it by now apply (place_at_in p s d').
    assert (In h places) as ih by now apply (place_at_in p s k'). split.
    - destruct (headers p s h t) as [|j l] eqn:ej; [elim (proj1 cv h t ih it i ej)|]. exists j. cbn. rewrite et. apply in_flat_map.
      exists k'. split; [exact ik|]. rewrite eh, i, ej. now left.
    - intros j b sent w. pose proof (way_reachable r d' k' j b sent w) as rb.
      destruct (ends_somewhere r left_ pos dec d' (fun a ra => goes_on d' a cv ra) b rb) as (c & w' & rc & ejc).
      exists c. split; [exact w'|]. destruct (all_good p s e wf none big d' c rc) as (t' & v & et' & ev & g).
      cbn in ejc |- *. rewrite et. rewrite et in et'. injection et' as <-. rewrite ev in *. destruct v; try discriminate.
      destruct g as [-> _]. now destruct (place_dec t t).
  Qed.

  Lemma escape_order_rises esc rank : escape_order r esc rank -> rises r rank.
  Proof.
    intros (_ & out & pos & up_) d a rs more. destruct (out d a rs more) as (b & i & es). exists b. split; [exact i|].
    destruct (Z.lt_ge_cases (rank (fst a)) 0) as [low|]; [specialize (pos d a b rs i es); lia|].
    apply (up_ d a b rs); trivial. now apply now_asks.
  Qed.

  Notation level := (level p s e).
  Notation top := (top p s).

  Lemma top_positive : 1 <= top.
  Proof. unfold Rising.top. lia. Qed.

  Theorem level_rises : of_packets e = false -> rises r level.
  Proof.
    intro rk. destruct (detour e) as [cl|] eqn:dt.
    - apply escape_order_rises with (Rising.escapes p s e). now apply (detour_order p s e wf none big rk cl).
    - now apply levels_rise.
  Qed.

  Theorem level_order : of_packets e = false -> with_escape e = false \/ detour e <> None -> exists escapes_, escape_order r escapes_ level.
  Proof.
    intros rk h. destruct (detour e) as [cl|] eqn:dt.
    - exists (Rising.escapes p s e). now apply (detour_order p s e wf none big rk cl).
    - destruct h as [we|]; [|easy]. exists (fun d a b => In b (hops r d a)).
      assert (forall d (a b : state), reachable r d a -> In b (hops r d a) -> Rising.escapes p s e d a b) as all.
      { intros d a b rs i. unfold Rising.escapes. cbn in i. unfold hops_by, out_of in *. destruct (place_at p s d); trivial.
        destruct (vc_at p s (fst a)) as [v|]; trivial. destruct (standing p s v) as [[h from]|]; trivial.
        destruct (Networks.delivered p h p0); trivial. unfold escape_of. unfold with_escape in we. destruct (escape_by e); trivial; discriminate. }
      split; [|split; [|split]].
      + intros d a b. destruct (in_dec state_dec b (hops r d a)); auto.
      + intros d a rs more. destruct (hops r d a) as [|b l]; [easy|]. exists b. split; now left.
      + intros d a b rs i _. apply (escape_level p s e wf none big d a b rs). now apply all.
      + intros d a c rs _ ask. destruct ask as [c i _|b c i nesc _]; [|now elim nesc]. now apply (all_rise p s e wf none big rk d).
  Qed.

  Lemma no_detour : with_escape e = false -> detour e = None.
  Proof.
    intro we. destruct (detour e) as [cl|] eqn:dt; trivial. pose proof (set_escape p e wf cl dt) as se. unfold with_escape in we.
    rewrite se in we. discriminate.
  Qed.

  (* A measure for finite paths. *)
  Theorem a_measure : shows_finite e = true -> exists left_ most, (forall d a, reachable r d a -> 0 <= left_ d a <= most) /\
    (forall d a b, reachable r d a -> In b (hops r d a) -> left_ d b < left_ d a).
  Proof.
    intro fin. destruct (needs_distance e) eqn:nd.
    - exists left_at, (Z.max 0 all_left). split.
      + intros d a rs. destruct (all_good p s e wf none big d a rs) as (t & v & et & ev & g).
        assert (In t places) as it by now apply (place_at_in p s d). unfold left_at. rewrite et, ev.
        destruct (standing p s v) as [[h from]|] eqn:st; [pose proof (left_bounds t v (snd a) h from it g st); lia|].
        destruct v; try discriminate. simpl. lia.
      + intros d a b. now apply left_decreases.
    - unfold needs_distance in nd. apply orb_false_iff in nd. destruct nd as [rk nd]. unfold shows_finite in fin. rewrite rk in fin.
      assert (with_escape e = false) as we by (destruct (with_escape e); [cbn [negb orb andb] in *; congruence|trivial]).
      pose proof (no_detour we) as dt.
      exists (fun _ a => top - level (fst a)), (top + 1). split.
      + intros d a rs. pose proof (level_top p s e (fst a)). split; [lia|].
        enough (-1 <= level (fst a)) by lia. unfold Rising.level. destruct (vc_at p s (fst a)) as [v|]; [|lia].
        pose proof top_positive. destruct v as [h|h x k|h]; unfold level_of; try lia. destruct (rank_of _ _ _ _); [lia|].
        destruct (is_ranked e _); lia.
      + intros d a b rs i. pose proof (all_rise p s e wf none big rk d a b we dt rs i). lia.
  Qed.

  Theorem stays d a b : reachable r d a -> In b (hops r d a) -> link r (fst b) = true \/ ejection r (fst b) = true.
  Proof.
    intros rs i. destruct (all_good p s e wf none big d b (hop _ _ _ _ rs i)) as (t & v & et & ev & g). cbn. rewrite ev.
    destruct v as [h|h x k|h]; [exfalso| |now right].
    - destruct (all_good p s e wf none big d a rs) as (t' & w & et' & ew & g').
      destruct (hops_inv p s d a t' w b et' ew i) as (h' & from & st & c).
      assert (In t' places) as it by now apply (place_at_in p s d).
      pose proof (standing_in p s e t' w (snd a) h' from it g' st) as ih.
      destruct c as [[_ ->]|(no & q & run & [[_ ->]|(o & z & io & iz & ->)])]; cbn [home onto fst] in ev;
        try (rewrite eject_vc in ev by trivial; discriminate).
      destruct (output_tail p s e wf none big t' w (snd a) h' from q it g' st no run o z io iz) as (lt & rg & _).
      rewrite link_vc in ev by trivial. discriminate.
    - left. destruct g as (ih & lt & _ & tl & _). apply leaves_tail; trivial. now apply (port_axis p s).
  Qed.

  Theorem fails_never : never_fails p s.
  Proof.
    intros d a t v h from q rs et ev st no run. destruct (all_good p s e wf none big d a rs) as (t' & v' & et' & ev' & g).
    replace t' with t in * by congruence. replace v' with v in * by congruence.
    assert (In t places) as it by now apply (place_at_in p s d).
    now apply (run_ends p s e wf none big t v (snd a) h from q it g st no run).
  Qed.

  Theorem all_shown wormhole : covers wormhole e = true -> shown wormhole (negb (with_escape e)) (negb (of_packets e)) (shows_finite e) r.
  Proof.
    intro sw. pose proof top_positive.
    assert (exists left_ most, (shows_finite e = true -> forall d a, reachable r d a -> 0 <= left_ d a <= most) /\
      (shows_finite e = true -> forall d a b, reachable r d a -> In b (hops r d a) -> left_ d b < left_ d a)) as (left_ & most & bounds & dec).
    { destruct (shows_finite e) eqn:fin.
      - destruct (a_measure fin) as (left_ & most & one & two). now exists left_, most.
      - exists (fun _ _ => 0), 0. split; discriminate. }
    exists level, top, left_, most. split; [lia|]. split; [apply level_top|]. split; [|split; [|split; [|split; [|split]]]]; trivial.
    - intro rk. apply negb_true_iff in rk. now apply level_rises.
    - intros rk ->. apply negb_true_iff in rk. apply level_order; trivial. unfold covers in sw. simpl in sw. destruct (with_escape e); [right|now left].
      destruct (detour e); [discriminate|simpl in sw; discriminate].
    - intros rk we d a b. apply negb_true_iff in rk, we. apply (all_rise p s e wf none big rk); trivial. now apply no_detour.
    - apply stays.
  Qed.

  (* Some path of each packet ends: by ranks, or because all paths are finite. *)
  Theorem connects_all : covered p s -> connected r.
  Proof.
    intro cv. destruct (of_packets e) eqn:rk.
    - destruct a_measure as (left_ & most & bounds & dec); [unfold shows_finite; now rewrite rk|]. apply (connects cv left_).
      + intros d a rs. apply (bounds d a rs).
      + intros d a rs more. destruct (hops r d a) as [|b l] eqn:eh; [easy|]. exists b. split; [now left|]. apply dec; trivial. rewrite eh. now left.
    - apply (connects cv (fun _ a => top - level (fst a))).
      + intros d a _. pose proof (level_top p s e (fst a)). lia.
      + intros d a rs more. destruct (level_rises rk d a rs more) as (b & i & lt). exists b. split; [exact i|]. lia.
  Qed.
End Every.
