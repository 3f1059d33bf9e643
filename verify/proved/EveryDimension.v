(* This file decides certificates of programs for every number of dimensions, without an escape. The evidence is about
   one dimension.

   Promise (judge_every_sound): if a certificate is accepted, the routing of its form (Dimensions.v, Phases.v)
   is deadlock-free, connected and livelock-free on the networks of every number of dimensions and all sizes of the family. *)

From Coq Require Import ZArith List Bool Arith Lia.
From Proved Require Import Arrays Routing Formulas Sizes Networks Language Meaning Paths SameHops Programs Dimensions Ordered Phases Uniform Turns.
Import ListNotations.
Open Scope Z_scope.

Definition judge_every (wormhole : bool) (w : world) (e : evidence) (t : list Z) : verdict :=
  if negb (is_line w) || of_packets e then Rejects else
  match judge_case wormhole w e t with
  | Found [] =>
      if with_escape e then Outside_language else
      match in_phases w with Some _ => Accepts | None => if in_order w then Accepts else Rejects end
  | Not_covered => Outside_language
  | _ => Rejects
  end.

(* The certificate of a program in one dimension, without an escape, is one for every number of dimensions. *)
Theorem judge_case_every wormhole w e t v : judge_case wormhole w e t = Found v -> is_line w = true -> with_escape e = false ->
  of_packets e = false -> forall n z, each_allowed w n z ->
  right wormhole true true true (ordered w n z) /\ connected (ordered w n z) /\ ordered_never_wrong w n z.
Proof.
  intros j il we rk n z all. assert (forall i, (i < n)%nat -> exists x : (Z -> Z) * Z, let r := meaning w (line_sizes z i) in
    (forall v, fst x v <= snd x) /\ (forall d a c, reachable r d a -> In c (hops r d a) -> fst x (fst a) < fst x (fst c)) /\
    (forall d a c, reachable r d a -> In c (hops r d a) -> link r (fst c) = true \/ ejection r (fst c) = true) /\ connected r /\
    never_wrong w (line_sizes z i)) as one.
  { intros i lt. destruct (judge_case_shown wormhole w e t v j (line_sizes z i) (all i lt)) as (sh & cn & nw & _). rewrite we, rk in sh.
    destruct sh as (level & top & _ & _ & _ & bounded & _ & _ & up_ & stay & _). exists (level, top). cbn [fst snd].
    split; [exact bounded|]. split; [exact (up_ eq_refl eq_refl)|]. split; [exact stay|]. split; [exact cn|exact nw]. }
  destruct (finite_choice (fun _ => 0, 0) _ n one) as [f each].
  pose (level := fun i => fst (f i)). pose (most := fun i => snd (f i)).
  assert (forall i, (i < n)%nat -> forall v, level i v <= most i) as h1 by (intros i lt; apply (each i lt)).
  assert (forall i, (i < n)%nat -> forall d a c, reachable (meaning w (line_sizes z i)) d a -> In c (hops (meaning w (line_sizes z i)) d a) ->
    level i (fst a) < level i (fst c)) as h2 by (intros i lt; apply (each i lt)).
  assert (forall i, (i < n)%nat -> forall d a c, reachable (meaning w (line_sizes z i)) d a -> In c (hops (meaning w (line_sizes z i)) d a) ->
    link (meaning w (line_sizes z i)) (fst c) = true \/ ejection (meaning w (line_sizes z i)) (fst c) = true) as h3 by (intros i lt; apply (each i lt)).
  assert (forall i, (i < n)%nat -> connected (meaning w (line_sizes z i))) as h4 by (intros i lt; apply (each i lt)).
  assert (forall i, (i < n)%nat -> never_wrong w (line_sizes z i)) as h5 by (intros i lt; apply (each i lt)).
  split; [apply shown_right; now apply ordered_shown with level most|]. split; [now apply ordered_connected with level most|].
  now apply ordered_runs with level most.
Qed.

(* The VCs of each hop of a turn model exist. *)
Definition vcs_exist (w : world) (vcs : place -> place -> direction -> list Z) : Prop :=
  forall h t x, vcs h t x <> [] /\ forall c, In c (vcs h t x) -> 0 <= c < lanes (base w).

Theorem judge_every_sound wormhole w e t : judge_every wormhole w e t = Accepts ->
  (in_order w = true /\ forall n z, each_allowed w n z ->
    right wormhole true true true (ordered w n z) /\ connected (ordered w n z) /\ ordered_never_wrong w n z) \/
  exists sign all, in_phases w = Some (sign, all) /\ forall n z vcs, vcs_exist w vcs -> let r := phases w n (if all then n else pred n) z sign vcs in
    right wormhole true true true r /\ connected r.
Proof.
  unfold judge_every. destruct (is_line w) eqn:il; [|discriminate]. destruct (of_packets e) eqn:rk; [discriminate|]. cbn [negb orb].
  destruct (judge_case wormhole w e t) as [[|k v]| |] eqn:j; try discriminate. destruct (with_escape e) eqn:we; [discriminate|].
  destruct (in_phases w) as [[sign all]|] eqn:ip.
  - intros _. right. exists sign, all. split; [trivial|]. intros n z vcs ex. apply phases_right; trivial.
    + unfold in_phases in ip. destruct (negb (fixed_outside w) || complete (base w) || has_rings w || ring (base w) 0) eqn:no; [discriminate|].
      rewrite !orb_false_iff in no. now destruct no as [[[_ cp] _] rg].
    + destruct all; lia.
    + intros h u x. apply ex.
    + intros h u x. apply ex.
  - destruct (in_order w) eqn:io; [|discriminate]. intros _. left. split; [trivial|]. now apply (judge_case_every wormhole w e t []).
Qed.
