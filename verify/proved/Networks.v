(* This file defines the routing of a program on the network of given sizes.

   A place is a list of coordinates. A VC injects at a place, leaves a place in a direction, or ejects at a place. Each
   place has one endpoint, which is both a source and a destination. The number of a VC is its index in all_vcs. *)

From Coq Require Import ZArith List Bool Arith Lia.
From Proved Require Import Arrays Routing Formulas Refute Sizes.
Import ListNotations.
Open Scope Z_scope.

(* Whether a formula holds at a point. *)
Fixpoint test (x : point) (f : formula) : bool :=
  match f with
  | All l => forallb (test x) l
  | Any l => existsb (test x) l
  | At_least f => 0 <=? value f x
  | Divides m f => if m =? 0 then value f x =? 0 else value f x mod m =? 0
  end.

Lemma test_spec x f : test x f = true <-> holds x f.
Proof.
  induction f as [l IH|l IH|f|m f] using formula_induction; cbn [test].
  - rewrite forallb_forall, holds_all. split; intros h y i; apply IH; auto.
  - rewrite existsb_exists, holds_any. split; intros (y & i & h); exists y; split; trivial; now apply IH.
  - simpl. lia.
  - simpl. destruct (Z.eqb_spec m 0) as [->|]; rewrite Z.eqb_eq.
    + split; [intros ->; apply Z.divide_0_r|apply Z.divide_0_l].
    + now apply Z.mod_divide.
Qed.

Definition place := list Z.
Definition coordinate (h : place) (d : nat) : Z := nth d h 0.

Fixpoint grid (l : list Z) : list place :=
  match l with [] => [[]] | k :: l => flat_map (fun x => map (cons x) (grid l)) (range k) end.

(* A direction, and the value that a hop in a HyperX network sets the coordinate to. *)
Record port := { toward : direction; goal : Z }.

Inductive vc := Inject (h : place) | Link (h : place) (x : port) (k : Z) | Eject (h : place).

(* The values of the variables about hops in HyperX networks. *)
Record hop_values := { v_old : Z; v_onto : Z; v_far : Z }.
Definition hop_value (y : hop_values) (i : nat) : Z := match i with 0%nat => v_old y | 1%nat => v_onto y | 2%nat => v_far y | _ => 0 end.
Definition no_values : hop_values := {| v_old := 0; v_onto := 0; v_far := 0 |}.

Definition vc_dec (a b : vc) : {a = b} + {a <> b}.
Proof. repeat decide equality. Defined.

Definition place_dec : forall a b : place, {a = b} + {a <> b} := list_eq_dec Z.eq_dec.

Fixpoint index (a : vc) (l : list vc) : nat :=
  match l with [] => O | b :: l => if vc_dec a b then O else S (index a l) end.

Lemma index_spec a l : In a l -> nth_error l (index a l) = Some a.
Proof.
  induction l as [|b l IH]; simpl; intros h; [destruct h|]. destruct (vc_dec a b) as [->|no]; trivial.
  simpl. apply IH. destruct h; congruence.
Qed.

(* Where a packet comes from: None if it has just been created, else a direction and a VC. *)
Definition origin := option (direction * Z).

Section Networks.
  Variable p : program.
  Variable s : nat -> Z. (* the sizes *)
  Notation n := (dims p).

  Definition side_length (d : nat) : Z := match side_at p d with Size i => s i | Length k => k end.

  (* A switch that has failed is no place. *)
  Definition is_failure (h : place) : bool := forallb (fun d => coordinate h d =? s (sizes p - n + d)%nat) (seq 0 n).
  Definition alive (h : place) : bool := match broken p with A_switch => negb (is_failure h) | _ => true end.
  Definition places : list place := filter alive (grid (map side_length (seq 0 n))).

  (* The values of the variables for a place, a destination and another place. *)
  Definition env (y : hop_values) (h t o : nat -> Z) : point := fun v =>
    if Nat.ltb v n then h v
    else if Nat.ltb v (2 * n) then t (v - n)%nat
    else if Nat.ltb v (3 * n) then o (v - 2 * n)%nat
    else if complete p && Nat.leb (hop_variable p) v then hop_value y (v - hop_variable p)
    else s (v - 3 * n)%nat.
  Definition at_hop (y : hop_values) (h t o : place) : point := env y (coordinate h) (coordinate t) (coordinate o).
  Definition at_places (h t o : place) : point := env no_values (coordinate h) (coordinate t) (coordinate o).

  Definition delivered (h t : place) : bool := negb (Sizes.passes p) && if place_dec h t then true else false.

  (* Whether the channel of a direction that leaves a place wraps around, and where it leads. *)
  Definition wraps (h : place) (y : port) : bool :=
    let x := toward y in
    ring p (fst x) && if snd x then coordinate h (fst x) =? side_length (fst x) - 1 else coordinate h (fst x) =? 0.
  Definition next_coordinate (h : nat -> Z) (x : direction) (w : bool) : Z :=
    match w, snd x with
    | true, true => 0
    | true, false => side_length (fst x) - 1
    | false, true => h (fst x) + 1
    | false, false => h (fst x) - 1
    end.
  Definition go (h : nat -> Z) (y : port) (w : bool) (d : nat) : Z :=
    let x := toward y in
    if complete p then (if Nat.eqb d (fst x) then goal y else h d)
    else if has_axes p then h d + step_of p x d else if Nat.eqb d (fst x) then next_coordinate h x w else h d.
  Definition forward (h : place) (x : port) : place := map (go (coordinate h) x (wraps h x)) (seq 0 n).
  (* A channel along an axis leads from a place on the grid to one on the grid, from places that have the link, or to these. *)
  Definition axis_sum (h : nat -> Z) (x : direction) : Z :=
    fold_left (fun z d => z + nth d (sums (axis_at p x)) 0 * (if snd x then h d else h d + step_of p x d)) (seq 0 n) 0.
  Definition joined (h : place) (x : direction) : bool :=
    forallb (fun d => (0 <=? coordinate h d + step_of p x d) && (coordinate h d + step_of p x d <? side_length d)) (seq 0 n) &&
    ((modulus (axis_at p x) =? 0) || (axis_sum (coordinate h) x mod modulus (axis_at p x) =? 0)).
  (* Without wraparound no channel leads over the edge. *)
  Definition inside (h : place) (y : port) : bool :=
    let x := toward y in
    if complete p then (0 <=? goal y) && (goal y <? side_length (fst x)) && negb (goal y =? coordinate h (fst x))
    else if has_axes p then joined h x else ring p (fst x) || if snd x then coordinate h (fst x) <? side_length (fst x) - 1 else 0 <? coordinate h (fst x).
  (* Neither the channel nor the switch to which it leads has failed. *)
  Definition working (h : place) (x : port) : bool :=
    match broken p with
    | Nothing => true
    | A_switch => alive (forward h x)
    | A_link d => negb (Nat.eqb d (fst (toward x)) && is_failure (if snd (toward x) then h else forward h x))
    end.
  Definition leaves (h : place) (x : port) : bool := inside h x && working h x.

  Definition goals (x : direction) : list Z := if complete p then range (side_length (fst x)) else [0].
  Definition ports : list port := flat_map (fun x => map (fun g => {| toward := x; goal := g |}) (goals x)) (directions p).
  Definition links : list vc :=
    flat_map (fun h => flat_map (fun x => map (Link h x) (range (lanes p))) ports) places.
  Definition all_vcs : list vc := map Inject places ++ links ++ map Eject places.
  Definition number_of (v : vc) : Z := Z.of_nat (index v all_vcs).
  Definition vc_at (k : Z) : option vc := if k <? 0 then None else nth_error all_vcs (Z.to_nat k).
  Definition place_at (k : Z) : option place := if k <? 0 then None else nth_error places (Z.to_nat k).
  Definition endpoints : list Z := range (Z.of_nat (length places)).

  (* The paths that a packet takes at a place. *)
  Definition takes (q : path) (from : origin) (k : Z) : bool :=
    match from_dir q, from with None, _ => true | Some None, None => true | Some (Some x), Some y => same_direction x (fst y) | _, _ => false end &&
    match from_vc q with None => true | Some j => j =? match from with None => 0 | Some y => snd y end end &&
    match from_header q with None => true | Some j => j =? k end.
  Definition runs (h t : place) (from : origin) (k : Z) : list path :=
    filter (fun q => takes q from k && test (at_places h t h) (guard q)) (paths p).

  (* The hops that an output permits. *)
  Definition ports_of (h t : place) (o : output) : list port :=
    let d := fst (out_dir o) in
    map (fun g => {| toward := out_dir o; goal := g |})
      match out_aim o with
      | On_grid => [0]
      | To_value f => [value f (at_places h t h)]
      | To_others => filter (fun g => negb (g =? coordinate h d)) (range (side_length d))
      | To_deroutes => filter (fun g => negb (g =? coordinate h d) && negb (g =? coordinate t d)) (range (side_length d))
      end.
  Definition onto (h : place) (o : output) (x : port) : state := (number_of (Link h x (to_vc o)), to_header o).
  Definition all_onto (h t : place) (l : list output) : list state := flat_map (fun o => map (onto h o) (ports_of h t o)) l.
  (* The next hops: the outputs of these paths, and ejection. some selects outputs. *)
  Definition home (h : place) : state := (number_of (Eject h), 0).
  Definition out_of (some : path -> list output) (h t : place) (from : origin) (k : Z) : list state :=
    if delivered h t then [home h]
    else flat_map (fun q => all_onto h t (some q) ++ if ejects q then [home h] else []) (runs h t from k).

  Definition standing (v : vc) : option (place * origin) :=
    match v with Inject h => Some (h, None) | Link h x k => Some (forward h x, Some (toward x, k)) | Eject _ => None end.
  Definition hops_by (some : path -> list output) (d : Z) (a : state) : list state :=
    match place_at d, vc_at (fst a) with
    | Some t, Some v => match standing v with Some (h, from) => out_of some h t from (snd a) | None => [] end
    | _, _ => []
    end.

  Definition headers (h t : place) : list Z :=
    flat_map (fun x => if test (at_places h t h) (fst x) then snd x else []) (injects p).

  Definition routing_of : routing := {|
    link := fun k => match vc_at k with Some (Link h x _) => leaves h x | _ => false end;
    ejection := fun k => match vc_at k with Some (Eject _) => true | _ => false end;
    Routing.entry := fun k => match place_at k with Some h => number_of (Inject h) | None => -1 end;
    destinations := endpoints;
    Routing.sources := fun d => match place_at d with
      | Some t => filter (fun k => match place_at k with Some h => negb (delivered h t) | None => false end) endpoints
      | None => []
      end;
    target := fun d k => match place_at d, vc_at k with Some t, Some (Eject h) => if place_dec h t then true else false | _, _ => false end;
    sends := fun d => match place_at d with
      | Some t => flat_map (fun k => match place_at k with
          | Some h => if delivered h t then [] else map (fun j => (k, j)) (headers h t)
          | None => []
          end) endpoints
      | None => []
      end;
    hops := hops_by outputs
  |}.

  (* The sizes are those of the family, and a failure has a place on the network. *)
  Definition allowed : Prop := forall f, In f (failure_place p :: sizes_when p) -> holds (env no_values (fun _ => 0) (fun _ => 0) (fun _ => 0)) f.

  (* The paths cover all cases: each pair has a header state, and each packet that is reached takes a path. *)
  Definition covered : Prop :=
    (forall h t, In h places -> In t places -> delivered h t = false -> headers h t <> []) /\
    (forall d a t v h from, reachable routing_of d a -> place_at d = Some t -> vc_at (fst a) = Some v ->
      standing v = Some (h, from) -> delivered h t = false -> runs h t from (snd a) <> []).

  (* No packet takes a path that fails. *)
  Definition never_fails : Prop :=
    forall d a t v h from q, reachable routing_of d a -> place_at d = Some t -> vc_at (fst a) = Some v ->
      standing v = Some (h, from) -> delivered h t = false -> In q (runs h t from (snd a)) -> fails q = false.

  (* The lemmas about these definitions. *)

  Lemma grid_spec l : forall h, In h (grid l) <-> length h = length l /\ forall d, (d < length l)%nat -> 0 <= coordinate h d < nth d l 0.
  Proof.
    unfold coordinate. induction l as [|k l IH]; simpl; intro h.
    - split; [intros [<-|[]]; split; [trivial|lia]|]. intros [e _]. left. now destruct h.
    - rewrite in_flat_map. split.
      + intros (x & i & j). apply range_spec in i. apply in_map_iff in j. destruct j as (g & <- & j).
        apply IH in j. destruct j as [e all]. split; [simpl; lia|]. intros [|d] lt; [exact i|]. apply all. lia.
      + intros [e all]. destruct h as [|x h]; [discriminate|]. exists x. split.
        * apply range_spec. apply (all O). lia.
        * apply in_map, IH. split; [simpl in e; lia|]. intros d lt. apply (all (S d)). lia.
  Qed.

  Lemma places_spec h : In h places <-> (length h = n /\ alive h = true) /\ forall d, (d < n)%nat -> 0 <= coordinate h d < side_length d.
  Proof.
    unfold places. rewrite filter_In, grid_spec, map_length, seq_length.
    assert (forall d, (d < n)%nat -> nth d (map side_length (seq 0 n)) 0 = side_length d) as same.
    { intros d lt. rewrite (nth_indep _ _ (side_length 0)), map_nth, seq_nth; rewrite ?map_length, ?seq_length; trivial. }
    split.
    - intros [[e all] a]. split; [now split|]. intros d lt. specialize (all d lt). now rewrite same in all.
    - intros [[e a] all]. split; [split; trivial|exact a]. intros d lt. rewrite same by trivial. now apply all.
  Qed.

  Lemma vc_at_number v : In v all_vcs -> vc_at (number_of v) = Some v.
  Proof.
    intro i. unfold vc_at, number_of. destruct (Z.ltb_spec (Z.of_nat (index v all_vcs)) 0); [lia|].
    rewrite Nat2Z.id. now apply index_spec.
  Qed.

  Lemma place_at_in k h : place_at k = Some h -> In h places.
  Proof. unfold place_at. destruct (k <? 0); [discriminate|]. apply nth_error_In. Qed.

  Lemma directions_spec x : In x (directions p) <-> (fst x < axis_count p)%nat /\ (complete p = true -> snd x = true).
  Proof.
    unfold directions. rewrite in_flat_map. destruct x as [d b]. simpl. split.
    - intros (c & i & j). apply in_seq in i. destruct (complete p); simpl in j.
      + destruct j as [j|[]]. injection j as <- <-. split; [lia|trivial].
      + destruct j as [j|[j|[]]]; injection j as <- <-; split; try lia; discriminate.
    - intros [lt up_]. exists d. split; [apply in_seq; lia|]. destruct (complete p); [rewrite up_ by trivial; now left|]. destruct b; simpl; auto.
  Qed.

  Lemma ports_spec x : In x ports <-> In (toward x) (directions p) /\ In (goal x) (goals (toward x)).
  Proof.
    unfold ports. rewrite in_flat_map. destruct x as [y g]. split.
    - intros (z & i & j). apply in_map_iff in j. destruct j as (k & e & j). injection e as <- <-. now split.
    - intros [i j]. exists y. split; [exact i|]. now apply (in_map (fun g => {| toward := y; goal := g |})).
  Qed.

  Lemma port_axis x : In x ports -> (fst (toward x) < axis_count p)%nat.
  Proof. intro i. apply ports_spec in i. destruct i as [i _]. now apply directions_spec in i. Qed.

  Lemma link_in h x k : In h places -> In x ports -> 0 <= k < lanes p -> In (Link h x k) links.
  Proof.
    intros a b c. apply in_flat_map. exists h. split; [exact a|]. apply in_flat_map. exists x.
    split; [exact b|]. apply in_map. now apply range_spec.
  Qed.

  Lemma link_vc h x k : In h places -> In x ports -> 0 <= k < lanes p -> vc_at (number_of (Link h x k)) = Some (Link h x k).
  Proof. intros. apply vc_at_number. apply in_or_app. right. apply in_or_app. left. now apply link_in. Qed.

  Lemma inject_vc h : In h places -> vc_at (number_of (Inject h)) = Some (Inject h).
  Proof. intros. apply vc_at_number. apply in_or_app. left. now apply in_map. Qed.

  Lemma eject_vc h : In h places -> vc_at (number_of (Eject h)) = Some (Eject h).
  Proof. intros. apply vc_at_number. apply in_or_app. right. apply in_or_app. right. now apply in_map. Qed.

  Lemma in_all_onto h t l b : In b (all_onto h t l) <-> exists o x, In o l /\ In x (ports_of h t o) /\ b = onto h o x.
  Proof.
    unfold all_onto. rewrite in_flat_map. split.
    - intros (o & io & i). apply in_map_iff in i. destruct i as (x & <- & ix). now exists o, x.
    - intros (o & x & io & ix & ->). exists o. split; [exact io|]. now apply in_map.
  Qed.

  Lemma ports_way h t o x : In x (ports_of h t o) -> toward x = out_dir o.
  Proof. unfold ports_of. intro i. apply in_map_iff in i. now destruct i as (g & <- & _). Qed.

  Lemma env_here y h t o d : (d < n)%nat -> env y h t o d = h d.
  Proof. unfold env. intro lt. now destruct (Nat.ltb_spec d n); [|lia]. Qed.

  Lemma env_there y h t o d : (d < n)%nat -> env y h t o (n + d)%nat = t d.
  Proof.
    unfold env. intro lt. destruct (Nat.ltb_spec (n + d) n); [lia|]. destruct (Nat.ltb_spec (n + d) (2 * n)); [|lia].
    f_equal. lia.
  Qed.

  Lemma env_other y h t o d : (d < n)%nat -> env y h t o (2 * n + d)%nat = o d.
  Proof.
    unfold env. intro lt. destruct (Nat.ltb_spec (2 * n + d) n); [lia|]. destruct (Nat.ltb_spec (2 * n + d) (2 * n)); [lia|].
    destruct (Nat.ltb_spec (2 * n + d) (3 * n)); [|lia]. f_equal. lia.
  Qed.

  Lemma env_size y h t o i : complete p = false \/ (i < sizes p)%nat -> env y h t o (3 * n + i)%nat = s i.
  Proof.
    unfold env, hop_variable. intro c. destruct (Nat.ltb_spec (3 * n + i) n); [lia|]. destruct (Nat.ltb_spec (3 * n + i) (2 * n)); [lia|].
    destruct (Nat.ltb_spec (3 * n + i) (3 * n)); [lia|].
    assert (complete p && Nat.leb (3 * n + sizes p) (3 * n + i) = false) as ->.
    { destruct c as [->|c]; [reflexivity|]. destruct (Nat.leb_spec (3 * n + sizes p) (3 * n + i)); [lia|]. apply andb_false_r. }
    f_equal. lia.
  Qed.

  Lemma env_hop y h t o i : complete p = true -> env y h t o (hop_variable p + i)%nat = hop_value y i.
  Proof.
    unfold env, hop_variable. intros ->. destruct (Nat.ltb_spec (3 * n + sizes p + i) n); [lia|].
    destruct (Nat.ltb_spec (3 * n + sizes p + i) (2 * n)); [lia|]. destruct (Nat.ltb_spec (3 * n + sizes p + i) (3 * n)); [lia|].
    destruct (Nat.leb_spec (3 * n + sizes p) (3 * n + sizes p + i)); [|lia]. cbn [andb]. f_equal. lia.
  Qed.

  (* Points with the same coordinates of the place, and if needed of the other places. *)
  Lemma env_ext y h t o h' t' o' v :
    (forall d, (d < n)%nat -> h d = h' d) ->
    ((n <= v < 2 * n)%nat -> forall d, (d < n)%nat -> t d = t' d) ->
    ((2 * n <= v < 3 * n)%nat -> forall d, (d < n)%nat -> o d = o' d) ->
    env y h t o v = env y h' t' o' v.
  Proof.
    intros a b c. unfold env. destruct (Nat.ltb_spec v n); [now apply a|].
    destruct (Nat.ltb_spec v (2 * n)); [apply b; lia|]. destruct (Nat.ltb_spec v (3 * n)); [apply c; lia|trivial].
  Qed.

  (* The values of hops matter in HyperX networks only. *)
  Lemma env_values y y' h t o v : (complete p = true -> forall i, v = (hop_variable p + i)%nat -> hop_value y i = hop_value y' i) ->
    env y h t o v = env y' h t o v.
  Proof.
    intro same. unfold env. destruct (Nat.ltb v n); trivial. destruct (Nat.ltb v (2 * n)); trivial. destruct (Nat.ltb v (3 * n)); trivial.
    destruct (complete p); trivial. destruct (Nat.leb_spec (hop_variable p) v); trivial. cbn [andb]. apply same; trivial. lia.
  Qed.

  Lemma value_here y h t o d : (d < n)%nat -> value (here d) (env y h t o) = h d.
  Proof. intro lt. unfold here. now rewrite variable_spec, env_here. Qed.
  Lemma value_there y h t o d : (d < n)%nat -> value (there p d) (env y h t o) = t d.
  Proof. intro lt. unfold there. now rewrite variable_spec, env_there. Qed.
  Lemma value_other y h t o d : (d < n)%nat -> value (other p d) (env y h t o) = o d.
  Proof. intro lt. unfold other. now rewrite variable_spec, env_other. Qed.
  Lemma value_side y h t o d : value (side_of p d) (env y h t o) = side_length d.
  Proof.
    unfold side_of, side_length, side_at. destruct (nth d (sides p) (Length 0)) as [i|]; [|apply number_spec].
    destruct (Nat.ltb_spec i (sizes p)); [|apply number_spec]. rewrite variable_spec. apply env_size. now right.
  Qed.
  Lemma value_old y h t o : complete p = true -> value (hop_old p) (env y h t o) = v_old y.
  Proof. intro c. unfold hop_old. rewrite variable_spec, <- (Nat.add_0_r (hop_variable p)). now apply env_hop. Qed.
  Lemma value_onto y h t o : complete p = true -> value (hop_onto p) (env y h t o) = v_onto y.
  Proof. intro c. unfold hop_onto. rewrite variable_spec, <- Nat.add_1_r. now apply env_hop. Qed.
  Lemma value_far y h t o : complete p = true -> value (hop_far p) (env y h t o) = v_far y.
  Proof. intro c. unfold hop_far. rewrite variable_spec. replace (S (S (hop_variable p))) with (hop_variable p + 2)%nat by lia. now apply env_hop. Qed.

  Lemma coordinate_map (f : nat -> Z) d : (d < n)%nat -> coordinate (map f (seq 0 n)) d = f d.
  Proof.
    intro lt. unfold coordinate. rewrite (nth_indep _ _ (f O)), map_nth, seq_nth; trivial.
    now rewrite map_length, seq_length.
  Qed.

  Lemma forward_at h x d : (d < n)%nat -> coordinate (forward h x) d = go (coordinate h) x (wraps h x) d.
  Proof. apply coordinate_map. Qed.
End Networks.

(* Forms and formulas that do not use some variables. *)
Lemma dot_avoids l : forall x y, (forall v, nth v l 0 = 0 \/ x v = y v) -> dot l x = dot l y.
Proof.
  induction l as [|c l IH]; intros x y h; trivial. cbn [dot]. rewrite (IH _ (fun v => y (S v))).
  - destruct (h O) as [z|z]; simpl in z; rewrite z; lia.
  - intro v. destruct (h (S v)); auto.
Qed.

Lemma avoids_form_value i j f x y : avoids_form i j f = true -> (forall v, (v < i \/ j <= v)%nat -> x v = y v) -> value f x = value f y.
Proof.
  unfold avoids_form. rewrite forallb_forall. intros all h. apply dot_avoids. intros [|v]; [now right|]. simpl with_one.
  destruct (Nat.lt_ge_cases v i); [right; apply h; lia|]. destruct (Nat.le_gt_cases j v); [right; apply h; lia|].
  left. specialize (all v). rewrite Z.eqb_eq in all. apply all, in_seq. lia.
Qed.

Lemma avoids_holds i j f x y : avoids i j f = true -> (forall v, (v < i \/ j <= v)%nat -> x v = y v) -> holds x f <-> holds y f.
Proof.
  intros a h. revert a. induction f as [l IH|l IH|f|m f] using formula_induction; cbn [avoids]; intro a.
  - rewrite forallb_forall in a. rewrite !holds_all. split; intros b z i'; apply IH; auto.
  - rewrite forallb_forall in a. rewrite !holds_any. split; intros (z & i' & b); exists z; split; trivial; apply IH; auto.
  - simpl. now rewrite (avoids_form_value i j f x y).
  - simpl. now rewrite (avoids_form_value i j f x y).
Qed.

Lemma holds_ext x y f : (forall v, x v = y v) -> holds x f <-> holds y f.
Proof.
  intro h. induction f as [l IH|l IH|f|m f] using formula_induction.
  - rewrite !holds_all. split; intros b z i; apply IH; auto.
  - rewrite !holds_any. split; intros (z & i & b); exists z; split; trivial; apply IH; auto.
  - simpl. now rewrite (value_ext f x y).
  - simpl. now rewrite (value_ext f x y).
Qed.
