(* This file decides certificates of routing programs for every size, from the syntax tree of the program.

   Promise (judge_program_sound): if a certificate is accepted, the routing that the program means (Meaning.v) is deadlock-free
   on the network of all sizes of the family, all pairs are connected, and no packet is forwarded for ever. *)

From Coq Require Import ZArith List Bool Arith Lia.
From Proved Require Import Arrays Routing Formulas Refute Sizes Networks Language Meaning Invariants Paths Rising SameHops Every Minimal.
Import ListNotations.
Open Scope Z_scope.

Definition path_of (x : track result) : path := {|
  guard := conj (when_ x);
  from_dir := saw_direction (saw x);
  from_vc := saw_vc (saw x);
  from_header := saw_header (saw x);
  outputs := match gives x with Some r => hops_to r | None => [] end;
  ejects := match gives x with Some r => delivers r | None => false end;
  fails := match gives x with Some r => is_wrong r | None => true end
|}.

Definition inject_of (x : track (option (list Z))) : formula * list Z :=
  (conj (when_ x), match gives x with Some (Some l) => l | _ => [] end).

Definition with_paths (p : program) (i : list (formula * list Z)) (l : list path) : program := {|
  axes := axes p; complete := complete p; rings := rings p; sides := sides p; sizes := sizes p; broken := broken p; sizes_when := sizes_when p;
    lanes := lanes p; passes := passes p;
  injects := i; paths := l
|}.

(* All header states exist, and inject reads nothing of a packet. *)
Definition headers_exist (w : world) (p : program) (e : evidence) : bool :=
  let fits k := (0 <=? k) && (k <? Z.of_nat (header_states w)) in
  (1 <=? lanes (base w)) && fits 0 && forallb fits (starts p) && forallb (fun a => fits (header (packets a))) (reached e).
Definition reads_nothing {A} (x : track A) : bool :=
  match saw x with {| saw_direction := None; saw_vc := None; saw_header := None |} => true | _ => false end.

(* The program with its paths, and the numbers after the proofs about them. *)
Definition program_of (w : world) (t : list Z) : found (program * list Z) :=
  match explore w (inject_run w) nothing_seen [] t with
  | Found (i, t) =>
      let p := with_paths (base w) (map inject_of i) [] in
      if negb (forallb reads_nothing i) then Not_covered else
      match refute_all (all_variables p) (inject_obligations p) t with
      | Some t =>
          match explore w (route_run w) nothing_seen [] t with
          | Found (l, t) => Found (with_paths (base w) (injects p) (map path_of l), t)
          | Wrong_proof => Wrong_proof
          | Not_covered => Not_covered
          end
      | None => Wrong_proof
      end
  | Wrong_proof => Wrong_proof
  | Not_covered => Not_covered
  end.

(* Distances are those of grids and HyperX networks. *)
Definition minimal_fine (p : program) (e : evidence) : bool := negb (minimal e) || negb (has_axes p).

(* Judges one case, and returns the numbers after its proofs. *)
Definition judge_case (wormhole : bool) (w : world) (e : evidence) (t : list Z) : found (list Z) :=
  match program_of w t with
  | Found (p, t) =>
      if well_formed p e && headers_exist w p e && covers wormhole e && minimal_fine p e then
        match refute_all (all_variables p) (route_obligations p e) t with Some t => Found t | None => Wrong_proof end
      else Wrong_proof
  | Wrong_proof => Wrong_proof
  | Not_covered => Not_covered
  end.

(* What may have failed: nothing, at most one link, or at most one switch. The coordinates of the failure are further sizes. *)
Inductive faults := No_failure | One_link | One_switch.
Definition cases (w : world) (f : faults) : list failure :=
  match f with
  | No_failure => [Nothing]
  | One_link => Nothing :: map A_link (seq 0 (dims (base w)))
  | One_switch => [Nothing; A_switch]
  end.
Definition in_case (w : world) (b : failure) : world :=
  let p := base w in
  {| base := {| axes := axes p; complete := complete p; rings := rings p; sides := sides p;
    sizes := match b with Nothing => sizes p | _ => sizes p + dims p end; broken := b;
       sizes_when := sizes_when p; lanes := lanes p; passes := passes p; injects := injects p; paths := paths p |};
     has_rings := has_rings w; size_names := size_names w; header_states := header_states w; top_level := top_level w |}.

Fixpoint judge_cases (wormhole : bool) (w : world) (l : list (failure * evidence)) (t : list Z) : found (list Z) :=
  match l with
  | [] => Found t
  | x :: l => match judge_case wormhole (in_case w (fst x)) (snd x) t with Found t => judge_cases wormhole w l t | o => o end
  end.

Inductive verdict := Accepts | Rejects | Outside_language.
Definition judge_program (wormhole : bool) (w : world) (f : faults) (l : list evidence) (t : list Z) : verdict :=
  if Nat.eqb (length l) (length (cases w f)) then
    match judge_cases wormhole w (combine (cases w f) l) t with Found [] => Accepts | Not_covered => Outside_language | _ => Rejects end
  else Rejects.

(* The lemmas. *)

Section Right.
  Variable w : world.
  Variable e : evidence.
  Variables (i : list (track (option (list Z)))) (l : list (track result)) (ti ui tl ul : list Z).
  Notation p := (with_paths (base w) (map inject_of i) (map path_of l)).
  Hypothesis ei : explore w (inject_run w) nothing_seen [] ti = Found (i, ui).
  Hypothesis el : explore w (route_run w) nothing_seen [] tl = Found (l, ul).
  Hypothesis rn : forallb reads_nothing i = true.
  Hypothesis hx : headers_exist w p e = true.
  Hypothesis wf : well_formed p e = true.
  Hypothesis none : forall f, In f (obligations p e) -> forall x, ~ holds x f.
  Variable s : nat -> Z.
  Hypothesis big : allowed p s.
  Notation at_places := (at_places p s).
  Notation places := (places p s).
  Notation r := (routing_of p s).
  Notation good := (good p s e).

  Lemma headers_fine : 1 <= lanes p /\ 0 <= 0 < Z.of_nat (header_states w) /\ (forall k, In k (starts p) -> 0 <= k < Z.of_nat (header_states w)) /\
    forall a, In a (reached e) -> 0 <= header (packets a) < Z.of_nat (header_states w).
  Proof.
    pose proof hx as h. unfold headers_exist in h. rewrite !andb_true_iff, !forallb_forall in h. destruct h as (((h & z) & st) & re).
    apply Z.leb_le in h. split; [exact h|]. split; [lia|]. split; intros a j; [specialize (st a j)|specialize (re a j)]; lia.
  Qed.

  Lemma nothing_agrees from k : agrees from k nothing_seen.
  Proof. repeat split; intros ? no; discriminate. Qed.

  Lemma takes_agrees q from k : takes (path_of q) from k = true <-> agrees from k (saw q).
  Proof.
    unfold takes, path_of, agrees. cbn [from_dir from_vc from_header]. destruct (saw q) as [d c j]. cbn [saw_direction saw_vc saw_header].
    rewrite !andb_true_iff.
    assert (match d, from with None, _ => true | Some None, None => true | Some (Some x), Some y => same_direction x (fst y) | _, _ => false end = true <->
      forall d', d = Some d' -> d' = option_map fst from) as one.
    { assert (forall o : option direction, (forall d', Some o = Some d' -> d' = option_map fst from) <-> o = option_map fst from) as some_.
      { intro o. split; [intro h; now apply h|]. intros -> d' eq. now injection eq as <-. }
      destruct d as [o|]; [|split; [intros _ d' eq; discriminate|trivial]]. rewrite some_.
      destruct o as [x|], from as [y|]; simpl; try (split; [discriminate|intro h; discriminate]); [|now split].
      rewrite same_direction_spec. split; [now intros ->|intro h; now injection h]. }
    assert (match c with None => true | Some j => j =? match from with None => 0 | Some y => snd y end end = true <-> forall c', c = Some c' ->
      c' = vc_of from) as two.
    { unfold vc_of. destruct c as [c|]; split; intro h; trivial; try discriminate.
      - intros c' eq. injection eq as <-. destruct from; lia.
      - specialize (h _ eq_refl). destruct from; lia. }
    assert (match j with None => true | Some j => j =? k end = true <-> forall j', j = Some j' -> j' = k) as three.
    { destruct j as [j|]; split; intro h; trivial; try discriminate.
      - intros j' eq. injection eq as <-. lia.
      - specialize (h _ eq_refl). lia. }
    rewrite one, two, three. tauto.
  Qed.

  Lemma conj_all x g : holds x (conj g) <-> all_hold x g.
  Proof. apply conj_spec. Qed.

  (* The paths that a packet takes have the result of the run at its place. *)
  Section Packet.
    Variables (t : place) (v : vc) (j : Z) (h : place) (from : origin).
    Hypothesis it : In t places.
    Hypothesis gd : good t v j.
    Hypothesis st : standing p s v = Some (h, from).
    Hypothesis no : delivered p h t = false.
    Notation x := (at_places h t h).

    Lemma packet_fine : holds x (domain p) /\
      (forall y c, from = Some (y, c) -> In y (directions p) /\ 0 <= c < lanes p /\ (ring p (fst y) = false -> complete p = false ->
        holds x (is_head p y false))) /\
      0 <= j < Z.of_nat (header_states w).
    Proof.
      destruct headers_fine as (_ & _ & hs & hr). assert (In h places) as ih by now apply (standing_in p s e t v j h from).
      split; [now apply (domain_holds p s e wf big)|].
      destruct v as [h0|h0 y c|h0]; simpl in st; [| |discriminate].
      - injection st as <- <-. split; [intros; discriminate|]. apply hs. apply gd.
      - destruct gd as (i0 & lt & rg & tl0 & _ & a & fa & _). destruct (find_entry_spec _ _ _ fa) as [ia ea].
        injection st as <- <-. split.
        + intros y' c' eq. injection eq as <- <-. split; [now apply ports_spec in lt|]. split; [exact rg|]. intros flat cp.
          set (z := {| v_old := coordinate h0 (fst (toward y)); v_onto := 0; v_far := 0 |}).
          pose proof (is_head_holds p s e wf z h0 (coordinate t) (coordinate (forward p s h0 y)) y i0 (port_axis p s y lt) tl0 eq_refl) as hd_.
          assert (wraps p s h0 y = false) as wr by (unfold wraps; now rewrite flat). rewrite wr in hd_.
          revert hd_. apply holds_ext. intro u. apply env_values. intro bad. congruence.
        + specialize (hr a ia). rewrite ea in hr. exact hr.
    Qed.

    Lemma explored : explored_well w x from j (route_run w) nothing_seen [] l.
    Proof.
      destruct packet_fine as (dom & ff & kf). destruct headers_fine as (sv & _).
      exact (explore_sound w x from j dom sv ff kf (route_run w) _ _ _ _ _ el).
    Qed.

    Lemma runs_tracks q : In q (runs p s h t from j) <-> exists y, q = path_of y /\ In y l /\ agrees from j (saw y) /\ all_hold x (when_ y).
    Proof.
      unfold runs. rewrite filter_In, andb_true_iff. cbn [paths with_paths]. rewrite in_map_iff. split.
      - intros ((y & <- & iy) & tk & ts). exists y. rewrite <- takes_agrees, <- conj_all. split; trivial. split; [exact iy|]. split; [exact tk|].
        now apply test_spec in ts.
      - intros (y & -> & iy & ag & hg). split; [now exists y|]. split; [now apply takes_agrees|]. apply test_spec. now apply conj_all.
    Qed.

    Lemma some_run : runs p s h t from j <> [].
    Proof.
      destruct explored as [_ some]. destruct some as (y & iy & ag & hg); [apply nothing_agrees|intros f []|].
      intro no_. assert (In (path_of y) (runs p s h t from j)) as bad; [|rewrite no_ in bad; destruct bad].
      apply runs_tracks. now exists y.
    Qed.

    (* All paths that the packet takes have one result, which is no mistake. *)
    Lemma one_result : exists y, permitted w s h t from j = Some y /\
      forall q, In q (runs p s h t from j) -> outputs q = hops_to y /\ ejects q = delivers y.
    Proof.
      destruct explored as [all _].
      assert (forall q, In q (runs p s h t from j) -> exists y, permitted w s h t from j = Some y /\ outputs q = hops_to y /\ ejects q = delivers y) as each_.
      { intros q run. destruct (run_ends p s e wf none big t v j h from q it gd st no run) as (ok & _).
        apply runs_tracks in run. destruct run as (z & -> & iz & ag & hg). destruct (all z iz ag hg) as (_ & _ & res).
        cbn [path_of fails outputs ejects] in ok |- *. unfold permitted. change (Networks.at_places (base w) s h t h) with x. rewrite <- res.
          destruct (gives z) as [y|]; [|discriminate].
        rewrite ok. now exists y. }
      destruct (runs p s h t from j) as [|q0 m] eqn:er; [elim some_run; exact er|].
      destruct (each_ q0) as (y & ey & _); [now left|]. exists y. split; [exact ey|]. intros q iq.
      destruct (each_ q iq) as (z & ez & o). congruence.
    Qed.

    Lemma out_meant b : In b (out_of p s outputs h t from j) <->
      In b match permitted w s h t from j with Some y => all_onto p s h t (hops_to y) ++ if delivers y then [home p s h] else [] | None => [] end.
    Proof.
      destruct one_result as (y & -> & all). unfold out_of. rewrite no, in_flat_map. split.
      - intros (q & iq & ib). destruct (all q iq) as [eo ee]. rewrite eo, ee in ib. exact ib.
      - intro ib. pose proof some_run as some. destruct (runs p s h t from j) as [|q m] eqn:er; [easy|]. exists q. split; [now left|].
        destruct (all q) as [-> ->]; [now left|exact ib].
    Qed.
  End Packet.

  Lemma meant_hops d a : reachable r d a -> forall b, In b (hops_meant w s d a) <-> In b (hops r d a).
  Proof.
    intros rs b. destruct (all_good p s e wf none big d a rs) as (t & v & et & ev & g). cbn [hops routing_of]. unfold hops_meant, hops_by.
    change (place_at (base w) s d) with (place_at p s d). change (vc_at (base w) s (fst a)) with (vc_at p s (fst a)). rewrite et, ev.
    change (standing (base w) s v) with (standing p s v). destruct (standing p s v) as [[h from]|] eqn:st; [|easy].
    assert (In t places) as it by now apply (place_at_in p s d).
    change (delivered (base w) h t) with (delivered p h t). destruct (delivered p h t) eqn:no.
    - unfold out_of. rewrite no. easy.
    - symmetry. now apply out_meant with v.
  Qed.

  (* The header states of created packets. *)
  Lemma meant_headers h t : In h places -> In t places -> delivered p h t = false ->
    headers_meant w s h t <> [] /\ forall k, In k (headers_meant w s h t) <-> In k (headers p s h t).
  Proof.
    intros ih it no. set (x := at_places h t h). destruct headers_fine as (sv & z & _).
    assert (holds x (domain p)) as dom by now apply (domain_holds p s e wf big).
    assert (explored_well w x None 0 (inject_run w) nothing_seen [] i) as [all some].
    { refine (explore_sound w x None 0 dom sv _ z (inject_run w) _ _ _ _ _ ei). intros; discriminate. }
    assert (forall y, In y i -> agrees None 0 (saw y)) as ag.
    { intros y iy. rewrite forallb_forall in rn. specialize (rn y iy). unfold reads_nothing in rn.
      destruct (saw y) as [[|] [|] [|]]; try discriminate. apply nothing_agrees. }
    assert (forall y, In y i -> holds x (fst (inject_of y)) -> snd (inject_of y) = headers_meant w s h t) as same.
    { intros y iy hy. apply conj_all in hy. destruct (all y iy (ag y iy) hy) as (_ & _ & res). unfold inject_of, headers_meant. cbn [snd].
      fold x. change (Networks.at_places (base w) s h t h) with x. now rewrite <- res. }
    destruct some as (y0 & iy0 & _ & hy0); [apply nothing_agrees|intros f []|]. apply conj_all in hy0.
    pose proof (same y0 iy0 hy0) as s0. split.
    - intro nil_. rewrite nil_ in s0. apply (none (conj [domain p; fst (inject_of y0)])) with x.
      + unfold obligations. apply in_or_app. left. unfold inject_obligations. cbn [injects with_paths]. apply in_flat_map. exists (inject_of y0).
        split; [now apply in_map|]. rewrite s0. now left.
      + apply conj_two. now split.
    - intro k. unfold headers. cbn [injects with_paths]. fold x. rewrite in_flat_map. split.
      + intro ik. exists (inject_of y0). split; [now apply in_map|]. assert (test x (fst (inject_of y0)) = true) as -> by now apply test_spec.
        now rewrite s0.
      + intros (z0 & iz & ik). apply in_map_iff in iz. destruct iz as (y & <- & iy). destruct (test x (fst (inject_of y))) eqn:ts; [|destruct ik].
        apply test_spec in ts. now rewrite <- (same y iy ts).
  Qed.

  Lemma meant_sends d x : In x (sends_meant w s d) <-> In x (sends r d).
  Proof.
    cbn [sends routing_of]. unfold sends_meant. change (place_at (base w) s d) with (place_at p s d). destruct (place_at p s d) as [t|] eqn:et; [|easy].
    change (endpoints (base w) s) with (endpoints p s). rewrite !in_flat_map. split; intros (k & ik & h); exists k; (split; [exact ik|]); revert h;
      change (place_at (base w) s k) with (place_at p s k); destruct (place_at p s k) as [h0|] eqn:eh; trivial;
      change (delivered (base w) h0 t) with (delivered p h0 t); destruct (delivered p h0 t) eqn:no; trivial;
      rewrite !in_map_iff; intros (j & eq & ij); exists j; (split; [exact eq|]);
      destruct (meant_headers h0 t) as [_ same]; try (now apply (place_at_in p s k)); try (now apply (place_at_in p s d)); trivial; now apply same.
  Qed.

  Theorem meaning_alike : alike r (meaning w s).
  Proof.
    split; try reflexivity.
    - intros d x. apply meant_sends.
    - intros d a rs b. now apply meant_hops.
  Qed.

  Theorem all_covered : covered p s.
  Proof.
    split.
    - intros h t ih it no nil_. destruct (meant_headers h t ih it no) as [some same]. destruct (headers_meant w s h t) as [|k m]; [easy|].
      assert (In k (headers p s h t)) as bad by (apply same; now left). rewrite nil_ in bad. destruct bad.
    - intros d a t v h from rs et ev st no. destruct (all_good p s e wf none big d a rs) as (t' & v' & et' & ev' & g).
      replace t' with t in * by congruence. replace v' with v in * by congruence.
      apply some_run with v; trivial. now apply (place_at_in p s d).
  Qed.

  Theorem all_right : never_wrong w s.
  Proof.
    split.
    - intros h t ih it no. now apply meant_headers.
    - intros d a t v h from rs et ev st no. apply (alike_reachable _ _ meaning_alike) in rs.
      destruct (all_good p s e wf none big d a rs) as (t' & v' & et' & ev' & g).
      change (place_at (base w) s d) with (place_at p s d) in et. change (vc_at (base w) s (fst a)) with (vc_at p s (fst a)) in ev.
      replace t' with t in * by congruence. replace v' with v in * by congruence.
      destruct (one_result t v (snd a) h from) as (y & -> & _); trivial; [now apply (place_at_in p s d)|discriminate].
  Qed.
End Right.

(* The sizes are those of the family. *)
Definition sizes_allowed (w : world) (s : nat -> Z) : Prop := allowed (base w) s.

Theorem judge_case_shown wormhole w e t v : judge_case wormhole w e t = Found v -> forall s, sizes_allowed w s ->
  shown wormhole (negb (with_escape e)) (negb (of_packets e)) (shows_finite e) (meaning w s) /\ connected (meaning w s) /\ never_wrong w s /\
    (minimal e = true -> shortest (base w) s (meaning w s)).
Proof.
  unfold judge_case, program_of. intros h s big.
  destruct (explore w (inject_run w) nothing_seen [] t) as [[i ui]| |] eqn:ei; try discriminate.
  destruct (forallb reads_nothing i) eqn:rn; cbn [negb] in h; [|discriminate].
  destruct (refute_all _ (inject_obligations _) ui) as [tl|] eqn:ri; [|discriminate].
  destruct (explore w (route_run w) nothing_seen [] tl) as [[l ul]| |] eqn:el; try discriminate.
  cbn [injects with_paths] in h. set (p := with_paths (base w) (map inject_of i) (map path_of l)) in *.
  destruct (well_formed p e && headers_exist w p e && covers wormhole e && minimal_fine p e) eqn:ok; [|discriminate].
  rewrite !andb_true_iff in ok. destruct ok as [[[wf hx] cv] mf].
  destruct (refute_all (all_variables p) (route_obligations p e) ul) as [vr|] eqn:rr; [|discriminate].
  assert (forall f, In f (obligations p e) -> forall x, ~ holds x f) as none.
  { intros f j. unfold obligations in j. apply in_app_or in j. destruct j as [j|j].
    - exact (refute_all_sound _ _ _ _ ri f j).
    - exact (refute_all_sound _ _ _ _ rr f j). }
  pose proof (meaning_alike w e i l t ui tl ul ei el rn hx wf none s big) as like.
  split; [|split; [|split]].
  - apply (alike_shown _ _ like). exact (all_shown p s e wf none big wormhole cv).
  - apply (alike_connected _ _ like). apply (connects_all p s e wf none big). exact (all_covered w e i l t ui tl ul ei el rn hx wf none s big).
  - exact (all_right w e i l t ui tl ul ei el rn hx wf none s big).
  - intro mn. unfold minimal_fine in mf. rewrite mn in mf. cbn [negb orb] in mf. apply negb_true_iff in mf. split.
    + apply (near_at_most p s (meaning w s)); [|reflexivity]. exact (alike_near p s e wf none big mn _ like).
    + exact (distance_is_least (base w) s mf).
Qed.

Theorem judge_case_sound wormhole w e t v : judge_case wormhole w e t = Found v -> forall s, sizes_allowed w s ->
  right wormhole (negb (with_escape e)) (negb (of_packets e)) (shows_finite e) (meaning w s) /\ connected (meaning w s) /\ never_wrong w s /\
    (minimal e = true -> shortest (base w) s (meaning w s)).
Proof. intros h s big. destruct (judge_case_shown wormhole w e t v h s big) as (sh & others). split; [now apply shown_right|exact others]. Qed.

(* In each case, and for all sizes and places of the failure. e is the evidence of the case. *)
Theorem judge_program_sound wormhole w f l t : judge_program wormhole w f l t = Accepts ->
  forall b, In b (cases w f) -> exists e, In e l /\ forall s, sizes_allowed (in_case w b) s ->
    right wormhole (negb (with_escape e)) (negb (of_packets e)) (shows_finite e) (meaning (in_case w b) s) /\ connected (meaning (in_case w b) s) /\
      never_wrong (in_case w b) s /\ (minimal e = true -> shortest (base (in_case w b)) s (meaning (in_case w b) s)).
Proof.
  unfold judge_program. intro h. destruct (Nat.eqb_spec (length l) (length (cases w f))) as [same|]; [|discriminate].
  destruct (judge_cases wormhole w (combine (cases w f) l) t) as [v| |] eqn:ej; try discriminate. clear h.
  revert l t same ej. induction (cases w f) as [|c m IH]; intros [|e l] t same ej b i; try discriminate; [destruct i|].
  cbn [combine judge_cases fst snd] in ej. destruct (judge_case wormhole (in_case w c) e t) as [u| |] eqn:ec; try discriminate.
  destruct i as [<-|i].
  - exists e. split; [now left|]. now apply judge_case_sound with t u.
  - destruct (IH l u ltac:(simpl in same; congruence) ej b i) as (e' & ie & all). exists e'. split; [now right|exact all].
Qed.
