(* This file decides certificates of programs that correct one dimension after another, for every number of dimensions. The evidence is about
   one dimension.

   Promise (judge_every_sound): if a certificate is accepted, the routing that corrects one dimension after another as the program does in one dimension
   (Dimensions.v) is deadlock-free, connected and livelock-free on the networks of every number of dimensions and all sizes of the family. *)

From Coq Require Import ZArith List Bool Arith Lia.
From Proved Require Import Arrays Routing Formulas Sizes Networks Language Meaning Paths SameHops Programs Dimensions Ordered Uniform.
Import ListNotations.
Open Scope Z_scope.

Definition starts_with_loop (w : world) : bool :=
  match find_route (top_level w) with Some (_, For _ _ _ :: _) => true | _ => false end.

(* Programs without a loop have one of the other forms of docs/theorems/every-dimension.md, or none. *)
Definition judge_every (wormhole : bool) (w : world) (e : evidence) (t : list Z) : verdict :=
  if negb (is_line w) || of_packets e then Rejects else
  match judge_case wormhole w e t with
  | Found [] => if with_escape e || negb (starts_with_loop w) then Outside_language else if in_order w then Accepts else Rejects
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

Theorem judge_every_sound wormhole w e t : judge_every wormhole w e t = Accepts -> in_order w = true /\ forall n z, each_allowed w n z ->
  right wormhole true true true (ordered w n z) /\ connected (ordered w n z) /\ ordered_never_wrong w n z.
Proof.
  unfold judge_every. destruct (is_line w) eqn:il; [|discriminate]. destruct (of_packets e) eqn:rk; [discriminate|]. cbn [negb orb].
  destruct (judge_case wormhole w e t) as [[|k v]| |] eqn:j; try discriminate. destruct (with_escape e) eqn:we; [discriminate|].
  destruct (starts_with_loop w); [|discriminate]. cbn [negb orb]. destruct (in_order w) eqn:io; [|discriminate]. intros _. split; [trivial|].
  now apply (judge_case_every wormhole w e t []).
Qed.
