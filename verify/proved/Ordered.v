(* This file proves that a routing that corrects one dimension after another (Dimensions.v) is right on networks of every number of
   dimensions, if the program is right in one dimension: deadlock-free, connected, with finite paths.

   The level of a VC is that in its dimension, plus a multiple of the dimension. Within a dimension the hops of a packet are those of a packet
   in one dimension. Later it goes to a higher dimension, because the dimensions before stay aligned. *)

From Coq Require Import ZArith List Bool Arith Lia Relations.
From Proved Require Import Arrays Routing Queues Worms Formulas Sizes Networks Language Meaning Rising SameHops Every Climbing Dimensions Lines.
Import ListNotations.
Open Scope Z_scope.

(* A choice for each of finitely many numbers. *)
Lemma finite_choice {A} (x0 : A) (P : nat -> A -> Prop) n : (forall i, (i < n)%nat -> exists x, P i x) -> exists f, forall i, (i < n)%nat -> P i (f i).
Proof.
  induction n as [|n IH]; intro h; [exists (fun _ => x0); lia|].
  destruct IH as [f all]; [intros; apply h; lia|]. destruct (h n) as [x px]; [lia|].
  exists (fun i => if Nat.eqb i n then x else f i). intros i lt. destruct (Nat.eqb_spec i n) as [->|]; trivial. apply all. lia.
Qed.

Lemma reachable_begin r d a : reachable r d a -> exists e k, In (e, k) (sends r d) /\ way r d (Routing.entry r e, k) a.
Proof.
  induction 1 as [e k i|u v _ (e & k & i & wy) j].
  - exists e, k. split; [exact i|apply Routing.here].
  - exists e, k. split; [exact i|]. now apply onward with u.
Qed.

Lemma way_first r d a c : way r d a c -> a = c \/ exists x, In x (hops r d a).
Proof. induction 1 as [|t u _ IH i]; [now left|]. right. destruct IH as [->|x]; [now exists u|exact x]. Qed.

(* Each pair has a packet. *)
Lemma ordered_sent w n z r : destinations r = destinations (routing_of (wide w n) z) -> Routing.sources r = Routing.sources (routing_of (wide w n) z) ->
  sends r = sends_ordered w n z -> forall k d, In (k, d) (pairs r) -> exists j, In (k, j) (sends r d).
Proof.
  intros ed es ew k d i. unfold pairs in i. rewrite ed, es in i. apply in_flat_map in i. destruct i as (d' & _ & i). apply in_map_iff in i.
  destruct i as (k' & e0 & i). injection e0 as <- <-. cbn [Routing.sources routing_of] in i. rewrite ew. unfold sends_ordered.
  destruct (place_at (wide w n) z d') as [t|]; [|destruct i]. apply filter_In in i. destruct i as [ik i]. exists 0. apply in_flat_map. exists k'.
  split; [exact ik|]. destruct (place_at (wide w n) z k') as [h|]; [|discriminate]. apply negb_true_iff in i. rewrite i. now left.
Qed.

Section Ordered.
  Variable w : world.
  Variable n : nat.
  Variable z : nat -> Z.
  Notation b := (base w).
  Notation p := (wide w n).
  Notation line := (fun i => meaning w (line_sizes z i)).
  Notation sz := (line_sizes z).
  Notation spot := line_place.
  Notation places := (places p z).
  Notation forward := (forward p z).
  Notation leaves := (leaves p z).
  Notation r := (ordered w n z).

  Hypothesis is_line_ : is_line w = true.
  (* What is known of each dimension. *)
  Variable level : nat -> Z -> Z.
  Variable most : nat -> Z.
  Hypothesis level_most : forall i, (i < n)%nat -> forall v, level i v <= most i.
  Hypothesis rising : forall i, (i < n)%nat -> forall d a c, reachable (line i) d a -> In c (hops (line i) d a) -> level i (fst a) < level i (fst c).
  Hypothesis staying : forall i, (i < n)%nat -> forall d a c, reachable (line i) d a -> In c (hops (line i) d a) ->
    link (line i) (fst c) = true \/ ejection (line i) (fst c) = true.
  Hypothesis arriving : forall i, (i < n)%nat -> connected (line i).
  Hypothesis running : forall i, (i < n)%nat -> never_wrong w (sz i).


  (* The lemmas of Lines.v. *)
  Let line_facts_ := Lines.line_facts w is_line_.
  Let dims_wide_ := Lines.dims_wide w n.
  Let wide_places_ := Lines.wide_places w n z.
  Let spot_in_ := Lines.spot_in w n z is_line_.
  Let delivered_line_ := Lines.delivered_line w is_line_.
  Let line_axis_ := Lines.line_axis w z is_line_.
  Let ports_wide_ := Lines.ports_wide w n z is_line_.
  Let leaves_wide_ := Lines.leaves_wide w n z is_line_.
  Let forward_other_ := Lines.forward_other w n z.
  Let forward_spot_ := Lines.forward_spot w n z is_line_.
  Let forward_places_ := Lines.forward_places w n z is_line_.
  Let delivered_wide_ := Lines.delivered_wide w n.
  Let first_off_spec_ := Lines.first_off_spec n.

  (* What holds for each packet that is reached. *)
  Definition good (t : place) (v : vc) (k : Z) : Prop :=
    match v with
    | Inject h => In h places /\ delivered p h t = false
    | Link h x c => In h places /\ exists i x1 d, x = widen i x1 /\ (i < n)%nat /\ In x1 (ports b (sz i)) /\ 0 <= c < lanes b /\
        Networks.leaves b (sz i) (spot i h) x1 = true /\ (forall j, (j < i)%nat -> coordinate h j = coordinate t j) /\
        place_at b (sz i) d = Some (spot i t) /\ reachable (line i) d (number_of b (sz i) (Link (spot i h) x1 c), k)
    | Eject h => h = t /\ In h places
    end.

  Lemma standing_in t v k h from : good t v k -> standing p z v = Some (h, from) -> In h places.
  Proof.
    destruct v as [h0|h0 x c|h0]; cbn [good standing]; intros g st; [| |discriminate].
    - injection st as <- _. apply g.
    - injection st as <- _. destruct g as (ih & i & x1 & d & -> & lt & ip & _ & lv & _). pose proof (line_axis_ i x1 ip) as zero.
      apply forward_places_; trivial. now rewrite leaves_wide_.
  Qed.

  (* A packet of one dimension that sees what this packet sees in the first dimension in which it is not aligned. *)
  Definition seen (i : nat) (t h : place) (v : vc) (from : origin) (k d : Z) (a : state) (u : vc) : Prop :=
    place_at b (sz i) d = Some (spot i t) /\ reachable (line i) d a /\ (fst a = number_of b (sz i) u /\ vc_at b (sz i) (fst a) = Some u) /\
    standing b (sz i) u = Some (spot i h, view i from) /\ snd a = header_in i from k /\
    match v with Link h0 x c => (fst (toward x) <= i)%nat /\ (fst (toward x) = i -> u = Link (spot i h0) (narrow x) c) | _ => True end.

  Lemma begins i t h : (i < n)%nat -> In h places -> In t places -> coordinate h i <> coordinate t i ->
    exists d, place_at b (sz i) d = Some (spot i t) /\ reachable (line i) d (number_of b (sz i) (Inject (spot i h)), 0) /\
      vc_at b (sz i) (number_of b (sz i) (Inject (spot i h))) = Some (Inject (spot i h)).
  Proof.
    intros lt ih it ne. pose proof (spot_in_ i h lt ih) as sh. pose proof (spot_in_ i t lt it) as st.
    destruct (place_number _ _ _ st) as (d & _ & ed). destruct (place_number _ _ _ sh) as (e & ie & ee). exists d. split; [exact ed|]. split.
    - assert (In (e, 0) (sends (line i) d)) as sent.
      { cbn [sends meaning]. unfold sends_meant. rewrite ed. apply in_flat_map. exists e. split; [exact ie|]. rewrite ee, delivered_line_.
        destruct (Z.eqb_spec (coordinate h i) (coordinate t i)); [easy|]. unfold headers_meant, inject_run.
        destruct line_facts_ as (_ & _ & _ & _ & ->). cbn [result_at map]. now left. }
      pose proof (begin _ _ _ _ sent) as rs. cbn [Routing.entry meaning routing_of] in rs. now rewrite ee in rs.
    - now apply inject_vc.
  Qed.

  Lemma sees t v k h from i : In t places -> good t v k -> standing p z v = Some (h, from) -> first_off n h t = Some i ->
    exists d a u, seen i t h v from k d a u.
  Proof.
    intros it g st f. pose proof (standing_in t v k h from g st) as ih. destruct (first_off_spec_ h t i f) as (lt & ne & eq_).
    destruct (begins i t h lt ih it ne) as (d0 & ed0 & rs0 & ev0).
    assert (view i from = None -> match v with Link h0 x c => (fst (toward x) <= i)%nat /\ (fst (toward x) = i -> False) | _ => True end ->
      exists d a u, seen i t h v from k d a u) as new.
    { intros nv rel. exists d0, (number_of b (sz i) (Inject (spot i h)), 0), (Inject (spot i h)). unfold seen. cbn [fst snd standing]. rewrite nv.
      unfold header_in. rewrite nv. repeat split; trivial. destruct v; trivial. split; [easy|]. intro same. now elim (proj2 rel). }
    destruct v as [h0|h0 x c|h0]; cbn [standing] in st; [| |discriminate].
    - injection st as <- <-. now apply new.
    - injection st as <- <-. destruct g as (ih0 & j & x1 & d & -> & lj & ip & rg & lv & al & ed & rs). pose proof (line_axis_ j x1 ip) as zero.
      assert (j <= i)%nat as le.
      { destruct (Nat.le_gt_cases j i) as [|gt]; trivial. elim ne. rewrite forward_other_ by lia. now apply al. }
      destruct (Nat.eq_dec j i) as [->|other].
      + exists d, (number_of b (sz i) (Link (spot i h0) x1 c), k), (Link (spot i h0) x1 c). unfold seen. cbn [fst snd standing].
        split; [exact ed|]. split; [exact rs|]. split; [split; [trivial|]; apply link_vc; trivial; now apply spot_in_|].
        unfold header_in, view. cbn [toward widen fst snd]. rewrite Nat.eqb_refl. rewrite forward_spot_ by trivial.
        replace (toward x1) with (0%nat, snd (toward x1)) by (destruct x1 as [[? ?] ?]; cbn [toward fst snd] in *; now rewrite zero).
        repeat split; trivial. cbn [toward widen fst] in *. now rewrite narrow_widen.
      + apply new; cbn [view toward widen fst].
        * destruct (Nat.eqb_spec j i); [easy|trivial].
        * split; [exact le|exact other].
  Qed.

  Section Packet.
    Variables (t : place) (v : vc) (k : Z) (h : place) (from : origin) (i : nat) (d : Z) (a : state) (u : vc).
    Hypothesis it : In t places.
    Hypothesis gd : good t v k.
    Hypothesis st : standing p z v = Some (h, from).
    Hypothesis fo : first_off n h t = Some i.
    Hypothesis sn : seen i t h v from k d a u.

    Lemma packet_result : exists y, line_result w z i h t from k = Some y /\
      hops (line i) d a = all_onto b (sz i) (spot i h) (spot i t) (hops_to y) ++ if delivers y then [home b (sz i) (spot i h)] else [].
    Proof.
      destruct sn as (ed & rs & [_ eu] & su & ek & _). destruct (first_off_spec_ h t i fo) as (lt & ne & _).
      assert (delivered b (spot i h) (spot i t) = false) as no by (rewrite delivered_line_; now apply Z.eqb_neq).
      destruct (running i lt) as [_ run]. specialize (run d a (spot i t) u (spot i h) (view i from) rs ed eu su no).
      unfold line_result. rewrite <- ek. destruct (permitted w (sz i) (spot i h) (spot i t) (view i from) (snd a)) as [y|] eqn:ey; [|easy].
      exists y. split; [trivial|]. cbn [hops meaning]. unfold hops_meant. now rewrite ed, eu, su, no, ey.
    Qed.

    (* The destination of one dimension is an endpoint of it. *)
    Lemma arrives s : reachable (line i) d s -> exists c, way (line i) d s c /\ target (line i) d (fst c) = true.
    Proof.
      intro rs. destruct (first_off_spec_ h t i fo) as (lt & _ & _). destruct (reachable_begin _ _ _ rs) as (e & j & sent & wy).
      refine (proj2 (arriving i lt e d _) j s sent wy).
      cbn [sends meaning] in sent. unfold sends_meant in sent. unfold pairs. apply in_flat_map. exists d.
        destruct sn as (ed & _). rewrite ed in sent. apply in_flat_map in sent. destruct sent as (e' & ie & sent).
        destruct (place_at b (sz i) e') as [h'|] eqn:eh; [|destruct sent]. destruct (delivered b h' (spot i t)) eqn:no; [destruct sent|].
        apply in_map_iff in sent. destruct sent as (j' & eq_ & _). injection eq_ as <- <-. split.
        + cbn [destinations meaning routing_of]. apply range_spec. unfold place_at in ed. destruct (Z.ltb_spec d 0); [discriminate|].
          assert (Z.to_nat d < length (Networks.places b (sz i)))%nat by (apply nth_error_Some; congruence). lia.
        + apply in_map_iff. exists e'. split; [trivial|]. cbn [Routing.sources meaning routing_of]. rewrite ed. apply filter_In. split; [exact ie|].
          now rewrite eh, no.
    Qed.

    Lemma never_delivers y : line_result w z i h t from k = Some y -> delivers y = false.
    Proof.
      intro ey. destruct (delivers y) eqn:dy; trivial. exfalso. destruct packet_result as (y' & ey' & eh). rewrite ey in ey'. injection ey' as <-.
      rewrite dy in eh. destruct sn as (ed & rs & _). destruct (first_off_spec_ h t i fo) as (lt & ne & _).
      assert (In (home b (sz i) (spot i h)) (hops (line i) d a)) as ih by (rewrite eh; apply in_or_app; right; now left).
      destruct (arrives _ (hop _ _ _ _ rs ih)) as (c & wy & tg). pose proof (spot_in_ i h lt (standing_in t v k h from gd st)) as sh.
      destruct (way_first _ _ _ _ wy) as [<-|[x ix]].
      - cbn [target meaning routing_of home fst] in tg. rewrite ed, eject_vc in tg by exact sh.
        destruct (place_dec (spot i h) (spot i t)) as [e|]; [|discriminate].
        unfold line_place in e. injection e. exact ne.
      - cbn [hops meaning] in ix. unfold hops_meant in ix. cbn [home fst] in ix. rewrite ed, eject_vc in ix by exact sh. destruct ix.
    Qed.

    Lemma packet_goes_on y : line_result w z i h t from k = Some y -> line_hops w n z i h t y <> [].
    Proof.
      intros ey nil_. destruct packet_result as (y' & ey' & eh). rewrite ey in ey'. injection ey' as <-.
      pose proof (never_delivers y ey) as dy. rewrite dy, app_nil_r in eh. unfold line_hops in nil_. rewrite dy, app_nil_r in nil_.
      destruct sn as (ed & rs & [_ eu] & su & _). destruct (arrives a rs) as (c & wy & tg). destruct (way_first _ _ _ _ wy) as [<-|[x ix]].
      - cbn [target meaning routing_of] in tg. rewrite ed, eu in tg. destruct u; try discriminate.
      - rewrite eh in ix. apply in_all_onto in ix. destruct ix as (o & x1 & io & ix & _).
        match type of nil_ with ?l = [] =>
          assert (In (number_of p z (Link h (widen i x1) (to_vc o)), to_header o) l) as bad; [|rewrite nil_ in bad; destruct bad] end.
        apply in_flat_map. exists o. split; [exact io|]. now apply (in_map (fun x => (number_of p z (Link h (widen i x) (to_vc o)), to_header o))).
    Qed.

    (* The hops of the packet are those of the packet in one dimension. *)
    Lemma packet_hop y c : line_result w z i h t from k = Some y -> In c (line_hops w n z i h t y) -> exists x1 j e,
      c = (number_of p z (Link h (widen i x1) j), e) /\ In x1 (ports b (sz i)) /\ 0 <= j < lanes b /\
      Networks.leaves b (sz i) (spot i h) x1 = true /\ In (number_of b (sz i) (Link (spot i h) x1 j), e) (hops (line i) d a).
    Proof.
      intros ey ic. destruct packet_result as (y' & ey' & eh). rewrite ey in ey'. injection ey' as <-. unfold line_hops in ic.
      rewrite (never_delivers y ey) in eh, ic. rewrite app_nil_r in eh, ic. apply in_flat_map in ic. destruct ic as (o & io & ic).
      apply in_map_iff in ic. destruct ic as (x1 & <- & ix). destruct (first_off_spec_ h t i fo) as (lt & _).
      assert (In (number_of b (sz i) (Link (spot i h) x1 (to_vc o)), to_header o) (hops (line i) d a)) as ih.
      { rewrite eh. apply in_all_onto. now exists o, x1. }
      exists x1, (to_vc o), (to_header o). split; [trivial|]. destruct sn as (_ & rs & _). pose proof (staying i lt d a _ rs ih) as stay.
      cbn [link ejection meaning routing_of fst] in stay.
      destruct (vc_at b (sz i) (number_of b (sz i) (Link (spot i h) x1 (to_vc o)))) as [v'|] eqn:ev; [|destruct stay; discriminate].
      apply number_vc in ev. destruct ev as [-> iv]. destruct stay as [stay|stay]; [|discriminate]. apply in_app_or in iv.
      destruct iv as [iv|iv]; [apply in_map_iff in iv; destruct iv as (? & ? & _); discriminate|]. apply in_app_or in iv.
      destruct iv as [iv|iv]; [|apply in_map_iff in iv; destruct iv as (? & ? & _); discriminate].
      unfold links in iv. apply in_flat_map in iv. destruct iv as (h' & _ & iv). apply in_flat_map in iv. destruct iv as (x' & ix' & iv).
      apply in_map_iff in iv. destruct iv as (j & e & ij). apply range_spec in ij.
      injection e as _ ex ej. rewrite ex in ix'. rewrite ej in ij. split; [exact ix'|]. split; [exact ij|]. split; [exact stay|exact ih].
    Qed.
  End Packet.

  (* Levels. *)
  Definition low (i : nat) : Z := fold_right Z.min (most i) (map (level i) (range (Z.of_nat (length (all_vcs b (sz i)))))).
  Fixpoint below (i : nat) : Z := match i with O => 0 | S i => below i + (1 + (most i - low i)) end.
  Definition level_of (v : vc) : Z :=
    match v with
    | Inject _ => -1
    | Link h x c => let i := fst (toward x) in below i + (level i (number_of b (sz i) (Link (spot i h) (narrow x) c)) - low i)
    | Eject _ => below n
    end.
  Definition height (k : Z) : Z := match vc_at p z k with Some v => level_of v | None => -1 end.

  Lemma least_le (f : Z -> Z) m l : fold_right Z.min m (map f l) <= m /\ forall x, In x l -> fold_right Z.min m (map f l) <= f x.
  Proof.
    induction l as [|y l [IH all]]; cbn [map fold_right]; [split; [lia|easy]|]. split; [lia|]. intros x [<-|i]; [lia|]. specialize (all x i). lia.
  Qed.

  Lemma low_most i : low i <= most i.
  Proof. apply least_le. Qed.

  Lemma low_level i v : In v (all_vcs b (sz i)) -> low i <= level i (number_of b (sz i) v).
  Proof.
    intro iv. apply least_le. apply range_spec. unfold number_of.
    assert (index v (all_vcs b (sz i)) < length (all_vcs b (sz i)))%nat by (apply nth_error_Some; rewrite index_spec; congruence). lia.
  Qed.

  Lemma below_up i j : (i < j)%nat -> below i + (most i - low i) < below j.
  Proof. induction 1 as [|j _ IH]; cbn [below]; [lia|]. pose proof (low_most j). lia. Qed.

  Lemma below_positive i : 0 <= below i.
  Proof. induction i as [|i IH]; cbn [below]; [lia|]. pose proof (low_most i). lia. Qed.

  Lemma height_top k : height k <= below n.
  Proof.
    unfold height. destruct (vc_at p z k) as [v|] eqn:ev; [|pose proof (below_positive n); lia].
    destruct v as [h|h x c|h]; cbn [level_of]; [pose proof (below_positive n); lia| |lia].
    unfold vc_at in ev. destruct (k <? 0); [discriminate|]. apply nth_error_In in ev. apply in_app_or in ev.
    destruct ev as [ev|ev]; [apply in_map_iff in ev; destruct ev as (? & ? & _); discriminate|]. apply in_app_or in ev.
    destruct ev as [ev|ev]; [|apply in_map_iff in ev; destruct ev as (? & ? & _); discriminate].
    unfold links in ev. apply in_flat_map in ev. destruct ev as (h' & _ & ev). apply in_flat_map in ev. destruct ev as (x' & ix' & ev).
    apply in_map_iff in ev. destruct ev as (j & e & _). injection e as <- <- <-. apply port_axis in ix'. unfold axis_count in ix'. cbn [axes wide] in ix'.
    rewrite dims_wide_ in ix'. pose proof (below_up _ _ ix').
    pose proof (level_most _ ix' (number_of b (sz (fst (toward x'))) (Link (spot (fst (toward x')) h') (narrow x') j))).
    lia.
  Qed.

  Theorem hop_well d a t v c : place_at p z d = Some t -> vc_at p z (fst a) = Some v -> good t v (snd a) -> In c (hops r d a) ->
    exists u, vc_at p z (fst c) = Some u /\ good t u (snd c) /\ level_of v < level_of u /\ 0 <= level_of u /\
      (link r (fst c) = true \/ ejection r (fst c) = true).
  Proof.
    intros et ev g ic. assert (In t places) as it by now apply (place_at_in p z d).
    cbn [hops ordered] in ic. unfold hops_ordered in ic. rewrite et, ev in ic. destruct (standing p z v) as [[h from]|] eqn:st; [|destruct ic].
    pose proof (standing_in t v (snd a) h from g st) as ih.
    assert (forall i x1 j, (i < n)%nat -> In x1 (ports b (sz i)) -> 0 <= j < lanes b -> forall h, In h places -> 0 <= level_of (Link h (widen i x1) j) /\
      level_of (Link h (widen i x1) j) < below n /\
      level_of (Link h (widen i x1) j) = below i + (level i (number_of b (sz i) (Link (spot i h) x1 j)) - low i)) as lv.
    { intros i x1 j lt ip rg h' ih'. cbn [level_of toward widen fst]. rewrite narrow_widen by now apply line_axis_ with i.
      pose proof (level_most i lt (number_of b (sz i) (Link (spot i h') x1 j))). pose proof (below_up i n lt). pose proof (below_positive i).
      pose proof (low_level i (Link (spot i h') x1 j)) as lo.
          specialize (lo ltac:(apply in_or_app; right; apply in_or_app; left; apply link_in; trivial; now apply spot_in_)).
      repeat split; lia. }
    assert (level_of v < below n /\ -1 <= level_of v) as [top_ least_].
    { pose proof (below_positive n). destruct v as [h0|h0 x j|h0]; [cbn [level_of]; lia| |discriminate].
      destruct g as (ih0 & i & x1 & d1 & -> & lt & ip & rg & _). destruct (lv i x1 j lt ip rg h0 ih0) as (one & two & _). lia. }
    unfold out_ordered in ic. destruct (delivered p h t) eqn:no.
    - destruct ic as [<-|[]]. exists (Eject h). cbn [home fst snd]. rewrite eject_vc by exact ih. split; [trivial|].
      split; [split; [now apply (Invariants.delivered_same p)|exact ih]|]. cbn [level_of]. split; [exact top_|].
      split; [apply below_positive|]. right. cbn [ejection ordered routing_of]. now rewrite eject_vc.
    - destruct (first_off n h t) as [i|] eqn:fo; [|destruct ic]. destruct (sees t v (snd a) h from i it g st fo) as (d1 & a1 & u1 & sn).
      destruct (first_off_spec_ h t i fo) as (lt & ne & al). destruct (line_result w z i h t from (snd a)) as [y|] eqn:ey; [|destruct ic].
      destruct (packet_hop t v (snd a) h from i d1 a1 u1 g st fo sn y c ey ic) as (x1 & j & e & -> & ip & rg & lvs & ih1).
      pose proof (line_axis_ i x1 ip) as zero. exists (Link h (widen i x1) j). cbn [fst snd].
      assert (vc_at p z (number_of p z (Link h (widen i x1) j)) = Some (Link h (widen i x1) j)) as evc by (apply link_vc; trivial; now apply ports_wide_).
      split; [exact evc|]. destruct sn as (ed & rs & [nu eu] & su & ek & rel). destruct (lv i x1 j lt ip rg h ih) as (pos & _ & val). split; [|split; [|split]].
      + split; [exact ih|]. exists i, x1, d1. repeat split; trivial; try lia. now apply hop with a1.
      + destruct v as [h0|h0 x c0|h0]; [cbn [level_of] in *; lia| |discriminate].
        destruct g as (ih0 & i0 & x0 & d0 & -> & lt0 & ip0 & rg0 & _). destruct (lv i0 x0 c0 lt0 ip0 rg0 h0 ih0) as (_ & _ & val0).
        cbn [toward widen fst] in rel. destruct rel as [le same]. rewrite val, val0. destruct (Nat.eq_dec i0 i) as [->|other].
        * specialize (same eq_refl). rewrite narrow_widen in same by now apply line_axis_ with i. subst u1.
          pose proof (rising i lt d1 a1 _ rs ih1) as up_. cbn [fst] in up_.
          rewrite nu in up_. lia.
        * pose proof (below_up i0 i ltac:(lia)).
          pose proof (level_most i0 lt0 (number_of b (sz i0) (Link (spot i0 h0) x0 c0))).
          pose proof (low_level i (Link (spot i h) x1 j)) as lo.
          specialize (lo ltac:(apply in_or_app; right; apply in_or_app; left; apply link_in; trivial; now apply spot_in_)).
          lia.
      + exact pos.
      + left. cbn [link ordered routing_of]. rewrite evc. now rewrite leaves_wide_.
  Qed.

  Theorem reached_good d a : reachable r d a -> exists t v, place_at p z d = Some t /\ vc_at p z (fst a) = Some v /\ good t v (snd a).
  Proof.
    induction 1 as [e k i|a c rs (t & v & et & ev & g) i].
    - cbn [sends ordered] in i. unfold sends_ordered in i. destruct (place_at p z d) as [t|] eqn:et; [|destruct i].
      apply in_flat_map in i. destruct i as (e' & _ & i). destruct (place_at p z e') as [h|] eqn:eh; [|destruct i].
      destruct (delivered p h t) eqn:no; [destruct i|]. destruct i as [i|[]]. injection i as <- <-. exists t, (Inject h). split; [trivial|].
      cbn [Routing.entry ordered routing_of fst]. rewrite eh. assert (In h places) as ih by now apply (place_at_in p z e'). split; [now apply inject_vc|].
      now split.
    - destruct (hop_well d a t v c et ev g i) as (u & eu & gu & _). now exists t, u.
  Qed.

  Lemma height_at k v : vc_at p z k = Some v -> height k = level_of v.
  Proof. unfold height. now intros ->. Qed.

  Theorem hop_rises d a c : reachable r d a -> In c (hops r d a) -> height (fst a) < height (fst c) /\ 0 <= height (fst c) /\
    (link r (fst c) = true \/ ejection r (fst c) = true).
  Proof.
    intros rs i. destruct (reached_good d a rs) as (t & v & et & ev & g). destruct (hop_well d a t v c et ev g i) as (u & eu & _ & lt & pos & stay).
    rewrite (height_at _ _ ev), (height_at _ _ eu). now repeat split.
  Qed.

  Lemma height_least d a : reachable r d a -> -1 <= height (fst a).
  Proof.
    intro rs. destruct rs as [e k i|a c rs i].
    - destruct (reached_good _ _ (begin _ _ _ _ i)) as (t & v & et & ev & g). cbn [Routing.entry ordered routing_of fst] in *.
      cbn [sends ordered] in i. unfold sends_ordered in i. rewrite et in i. apply in_flat_map in i. destruct i as (e' & _ & i).
      destruct (place_at p z e') as [h|] eqn:eh; [|destruct i]. destruct (delivered p h t); [destruct i|]. destruct i as [i|[]]. injection i as <- <-.
      rewrite eh in *. rewrite (height_at _ (Inject h)) by (apply inject_vc; now apply (place_at_in p z e')). cbn [level_of]. lia.
    - destruct (hop_rises d a c rs i) as (_ & pos & _). lia.
  Qed.

  Theorem ordered_shown wormhole : shown wormhole true true true r.
  Proof.
    apply climbing_shown with height (below n).
    - pose proof (below_positive n). lia.
    - exact height_top.
    - exact height_least.
    - exact hop_rises.
  Qed.

  Theorem ordered_runs : ordered_never_wrong w n z.
  Proof.
    intros d a t v h from i rs et ev st no fo. destruct (reached_good d a rs) as (t' & v' & et' & ev' & g).
    replace t' with t in * by congruence. replace v' with v in * by congruence. assert (In t places) as it by now apply (place_at_in p z d).
    destruct (sees t v (snd a) h from i it g st fo) as (d1 & a1 & u1 & sn).
    destruct (packet_result t v (snd a) h from i d1 a1 u1 fo sn) as (y & -> & _). discriminate.
  Qed.

  Lemma ordered_goes_on d a : reachable r d a -> ejection r (fst a) = false -> hops r d a <> [].
  Proof.
    intros rs ej. destruct (reached_good d a rs) as (t & v & et & ev & g). assert (In t places) as it by now apply (place_at_in p z d).
    cbn [ejection ordered routing_of] in ej. rewrite ev in ej. cbn [hops ordered]. unfold hops_ordered. rewrite et, ev.
    destruct (standing p z v) as [[h from]|] eqn:st; [|destruct v; discriminate]. unfold out_ordered. destruct (delivered p h t) eqn:no; [discriminate|].
    pose proof (standing_in t v (snd a) h from g st) as ih. apply wide_places_ in ih as ih'. apply wide_places_ in it as it'.
    destruct (delivered_wide_ h t (proj1 ih') (proj1 it') no) as [i fo]. rewrite fo. destruct (sees t v (snd a) h from i it g st fo) as (d1 & a1 & u1 & sn).
    destruct (packet_result t v (snd a) h from i d1 a1 u1 fo sn) as (y & ey & _). rewrite ey.
    exact (packet_goes_on t v (snd a) h from i d1 a1 u1 g st fo sn y ey).
  Qed.

  Theorem ordered_connected : connected r.
  Proof.
    apply climbing_connected with height (below n).
    - exact height_top.
    - exact hop_rises.
    - exact ordered_goes_on.
    - intros d a rs ej. destruct (reached_good d a rs) as (t & v & et & ev & g). cbn [ejection target ordered routing_of] in ej |- *. rewrite et, ev in *.
      destruct v; try discriminate. destruct g as [-> _]. now destruct (place_dec t t).
    - exact (ordered_sent w n z r eq_refl eq_refl eq_refl).
  Qed.
End Ordered.
