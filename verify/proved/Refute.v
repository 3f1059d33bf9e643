(* This file judges proofs that a formula holds at no point. verify/cert/everysize/proof.go defines their form: a list of
   numbers that describes a tree.

   Promise (refute_sound): if refute accepts, the formula holds at no point of integers. Whether it accepts depends on
   the order in which it adds inequalities and disjunctions, which is the order of proof.go.

   Source: A. Schrijver, Theory of Linear and Integer Programming, 1986: 7.8 (Farkas), 23.1 (cutting planes). *)

From Coq Require Import ZArith List Bool Lia.
From Proved Require Import Arrays Formulas.
Import ListNotations.
Open Scope Z_scope.

(* What is known at a node: inequalities, and disjunctions, both by number. *)
Record known := { rows : zmap form; height : Z; cases : zmap (list formula); count : Z; variables : nat }.

Definition nothing_known (n : nat) : known := {| rows := empty; height := 0; cases := empty; count := 0; variables := n |}.

Definition add_row (f : form) (s : known) : known :=
  {| rows := set (rows s) (height s) f; height := height s + 1; cases := cases s; count := count s; variables := variables s |}.
Definition add_cases (l : list formula) (s : known) : known :=
  {| rows := rows s; height := height s; cases := set (cases s) (count s) l; count := count s + 1; variables := variables s |}.
Definition add_variable (s : known) : known :=
  {| rows := rows s; height := height s; cases := cases s; count := count s; variables := S (variables s) |}.

(* Divisibility by m adds a variable q, and form = m*q as two inequalities. *)
Fixpoint add (f : formula) (s : known) : known :=
  match f with
  | All l => fold_left (fun s x => add x s) l s
  | Any l => add_cases l s
  | At_least f => add_row f s
  | Divides m f =>
      let d := plus f (variable (variables s)) (- m) in
      add_row (plus [0] d (-1)) (add_row d (add_variable s))
  end.

(* Reads k pairs of a number of an inequality and a multiplier, and returns the sum of the inequalities. *)
Fixpoint sum (s : known) (k : Z) (f : form) (t : list Z) {struct t} : option (form * list Z) :=
  if k <=? 0 then Some (f, t) else
  match t with
  | i :: m :: t =>
      match get (rows s) i with
      | Some r => if 1 <=? m then sum s (k - 1) (plus f r m) t else None
      | None => None
      end
  | _ => None
  end.

(* Reads k pairs of a variable and a coefficient. *)
Fixpoint terms (n : Z) (k : Z) (f : form) (t : list Z) {struct t} : option (form * list Z) :=
  if k <=? 0 then Some (f, t) else
  match t with
  | v :: a :: t => if (0 <=? v) && (v <? n) then terms n (k - 1) (plus f (variable (Z.to_nat v)) a) t else None
  | _ => None
  end.

Definition divisor (l : list Z) : Z := fold_left Z.gcd l 0.

(* The form, divided by the greatest common divisor of its coefficients, and rounded. *)
Definition cut (f : form) : option form :=
  let g := divisor (tl f) in
  if (2 <=? g) && forallb (fun c => c mod g =? 0) (tl f) then Some (hd 0 f / g :: map (fun c => c / g) (tl f)) else None.

(* Checks one proof, at most n nodes deep, and returns the numbers after it. *)
Fixpoint node (n : nat) (s : known) (t : list Z) : option (list Z) :=
  match n with
  | O => None
  | S n =>
      match t with
      | 0 :: k :: t =>
          match sum s k [0] t with
          | Some (f, t) => if is_constant f && (hd 0 f <? 0) then Some t else None
          | None => None
          end
      | 1 :: k :: t =>
          match sum s k [0] t with
          | Some (f, t) => match cut f with Some f => node n (add_row f s) t | None => None end
          | None => None
          end
      | 2 :: j :: t =>
          match get (cases s) j with
          | Some l => fold_left (fun o f => match o with Some t => node n (add f s) t | None => None end) l (Some t)
          | None => None
          end
      | 3 :: k :: c :: t =>
          match terms (Z.of_nat (variables s)) k [c] t with
          | Some (f, t) =>
              match node n (add_row f s) t with Some t => node n (add_row (plus [-1] f (-1)) s) t | None => None end
          | None => None
          end
      | _ => None
      end
  end.

Definition deepest : nat := Z.to_nat 2001.

(* Checks the first proof of a list: that a formula with n variables holds at no point. Returns the numbers after it. *)
Definition refute (n : nat) (f : formula) (t : list Z) : option (list Z) :=
  if within n f then node deepest (add f (nothing_known n)) t else None.

(* A point satisfies all that is known. *)
Definition satisfies (p : point) (s : known) : Prop :=
  (forall i f, get (rows s) i = Some f -> short (variables s) f = true /\ 0 <= value f p) /\
  (forall i l, get (cases s) i = Some l -> within (variables s) (Any l) = true /\ holds p (Any l)).

Lemma short_more n m f : (n <= m)%nat -> short n f = true -> short m f = true.
Proof. unfold short. rewrite !Nat.leb_le. lia. Qed.

Lemma satisfies_row p s f : satisfies p s -> short (variables s) f = true -> 0 <= value f p -> satisfies p (add_row f s).
Proof.
  intros [a b] w h. split; [|exact b]. intros i g. simpl. rewrite get_set. destruct (height s =? i).
  - intro e. injection e as <-. now split.
  - apply a.
Qed.

Lemma satisfies_cases p s l : satisfies p s -> within (variables s) (Any l) = true -> holds p (Any l) -> satisfies p (add_cases l s).
Proof.
  intros [a b] w h. split; [exact a|]. intros i m. simpl. rewrite get_set. destruct (count s =? i).
  - intro e. injection e as <-. now split.
  - apply b.
Qed.

(* The same point, except for one variable. *)
Definition change (p : point) (v : nat) (x : Z) : point := fun u => if Nat.eqb u v then x else p u.

Lemma change_low p v x u : (u < v)%nat -> change p v x u = p u.
Proof. unfold change. destruct (Nat.eqb_spec u v); [lia|trivial]. Qed.

Lemma satisfies_variable p s x : satisfies p s -> satisfies (change p (variables s) x) (add_variable s).
Proof.
  intros [a b]. split; simpl.
  - intros i f e. destruct (a i f e) as [w h]. split; [eapply short_more; [|exact w]; lia|].
    rewrite (short_ext (variables s) f _ p); trivial. intros. now apply change_low.
  - intros i l e. destruct (b i l e) as [w h]. split; [apply (within_more (variables s) _ (Any l)); [lia|exact w]|].
    apply (within_ext (variables s) (Any l) p); trivial. intros. symmetry. now apply change_low.
Qed.

Lemma add_spec f : forall p s, satisfies p s -> within (variables s) f = true -> holds p f ->
  exists q, satisfies q (add f s) /\ (forall v, (v < variables s)%nat -> q v = p v) /\ (variables s <= variables (add f s))%nat.
Proof.
  induction f as [l IH|l IH|f|m f] using formula_induction; intros p s ok w h; cbn [add].
  - cbn [within] in w. rewrite forallb_forall in w. rewrite holds_all in h. revert p s ok w h.
    induction l as [|x l IHl]; intros p s ok w h; simpl fold_left; [now exists p|].
    destruct (IH x (or_introl eq_refl) p s ok) as (q & okq & same & up).
    { apply w. now left. } { apply h. now left. }
    destruct (IHl (fun y i => IH y (or_intror i)) q (add x s) okq) as (r & okr & same' & up').
    + intros y i. apply within_more with (variables s); [exact up|]. apply w. now right.
    + intros y i. apply (within_ext (variables s) y p); [apply w; now right| |apply h; now right].
      intros v lt. now rewrite same.
    + exists r. split; [exact okr|]. split; [|lia]. intros v lt. rewrite same', same by lia. trivial.
  - exists p. split; [now apply satisfies_cases|]. split; trivial.
  - exists p. split; [now apply satisfies_row|]. split; trivial.
  - destruct h as [x e]. set (q := change p (variables s) x).
    set (d := plus f (variable (variables s)) (- m)).
    assert (short (S (variables s)) d = true) as wd.
    { unfold short, d in *. apply Nat.leb_le. apply Nat.leb_le in w. apply plus_length; [lia|]. rewrite variable_length. lia. }
    assert (value d q = 0) as z.
    { unfold d. rewrite plus_spec, variable_spec.
      rewrite (short_ext (variables s) f q p); [|exact w|intros; now apply change_low].
      unfold q, change. rewrite Nat.eqb_refl. lia. }
    exists q. split; [|split; [intros; now apply change_low|simpl; lia]].
    apply satisfies_row; [apply satisfies_row; [now apply satisfies_variable|exact wd|lia]| |].
    + simpl variables. unfold short in *. apply Nat.leb_le. apply Nat.leb_le in wd. apply plus_length; [simpl; lia|exact wd].
    + rewrite plus_spec, z. reflexivity.
Qed.

Lemma sum_spec p s : satisfies p s -> forall t k f g u, sum s k f t = Some (g, u) ->
  short (variables s) f = true -> 0 <= value f p -> short (variables s) g = true /\ 0 <= value g p.
Proof.
  intros [ok _] t. induction t as [t IH] using (induction_ltof1 _ (@length Z)). unfold ltof in IH.
  intros k f g u e w h. destruct t as [|i [|m t]]; cbn [sum] in e; destruct (k <=? 0); try discriminate;
    try (injection e as <- <-; now split).
  destruct (get (rows s) i) as [r|] eqn:er; [|discriminate]. destruct (Z.leb_spec 1 m); [|discriminate].
  destruct (ok _ _ er) as [wr hr]. apply (IH t) in e; trivial.
  - simpl. lia.
  - unfold short in *. apply Nat.leb_le. apply Nat.leb_le in w, wr. now apply plus_length.
  - rewrite plus_spec. nia.
Qed.

Lemma terms_short n t : forall k f g u, terms (Z.of_nat n) k f t = Some (g, u) -> short n f = true -> short n g = true.
Proof.
  induction t as [t IH] using (induction_ltof1 _ (@length Z)). unfold ltof in IH.
  intros k f g u e w. destruct t as [|v [|a t]]; cbn [terms] in e; destruct (k <=? 0); try discriminate;
    try (injection e as <- <-; exact w).
  destruct (Z.leb_spec 0 v), (Z.ltb_spec v (Z.of_nat n)); try discriminate. cbn [andb] in e. apply (IH t) in e; trivial.
  - simpl. lia.
  - unfold short in *. apply Nat.leb_le. apply Nat.leb_le in w. apply plus_length; trivial.
    rewrite variable_length. lia.
Qed.

Lemma dot_cut g l p : 0 < g -> forallb (fun c => c mod g =? 0) l = true -> dot l p = g * dot (map (fun c => c / g) l) p.
Proof.
  intros up. revert p. induction l as [|c l IH]; simpl; intros p h; [lia|]. apply andb_true_iff in h. destruct h as [e h].
  rewrite (IH _ h). pose proof (Z.div_mod c g). nia.
Qed.

Lemma cut_spec f g n p : cut f = Some g -> short n f = true -> 0 <= value f p -> short n g = true /\ 0 <= value g p.
Proof.
  unfold cut. set (d := divisor (tl f)). destruct (Z.leb_spec 2 d); [|discriminate].
  destruct (forallb _ (tl f)) eqn:all; [|discriminate]. simpl. intros e w h. injection e as <-. split.
  - unfold short in *. apply Nat.leb_le. apply Nat.leb_le in w. simpl. rewrite map_length. destruct f; simpl in *; lia.
  - destruct f as [|k l].
    { unfold value. cbn [hd tl map dot with_one]. rewrite Z.div_0_l by lia. lia. }
    unfold value in *. cbn [dot hd tl] in *. rewrite (dot_cut d l _ ltac:(lia) all) in h. cbn [with_one] in *.
    pose proof (Z.div_mod k d ltac:(lia)). pose proof (Z.mod_pos_bound k d ltac:(lia)). nia.
Qed.

Lemma node_sound n : forall s t u, node n s t = Some u -> forall p, ~ satisfies p s.
Proof.
  induction n as [|n IH]; intros s t u e p ok; [discriminate|]. cbn [node] in e.
  assert (short (variables s) [0] = true) as w0 by (unfold short; apply Nat.leb_le; simpl; lia).
  assert (0 <= value [0] p) as h0 by (unfold value; simpl; lia).
  destruct t as [|[|[b|b|]|b] t]; try discriminate.
  - destruct t as [|k t]; [discriminate|]. destruct (sum s k [0] t) as [[f t']|] eqn:es; [|discriminate].
    destruct (sum_spec p s ok _ _ _ _ _ es w0 h0) as [_ h].
    destruct (is_constant f) eqn:c; [|discriminate]. rewrite (is_constant_spec f p c) in h.
    destruct (Z.ltb_spec (hd 0 f) 0); [lia|discriminate].
  - destruct b; try discriminate. destruct t as [|k [|c t]]; try discriminate.
    destruct (terms _ k [c] t) as [[f t']|] eqn:et; [|discriminate].
    assert (short (variables s) f = true) as w.
    { apply (terms_short _ _ _ _ _ _ et). unfold short. apply Nat.leb_le. simpl. lia. }
    destruct (node n (add_row f s) t') as [t2|] eqn:e2; [|discriminate].
    destruct (Z.le_gt_cases 0 (value f p)) as [h|h].
    + apply (IH _ _ _ e2 p). now apply satisfies_row.
    + apply (IH _ _ _ e p). apply satisfies_row; trivial.
      * unfold short in *. apply Nat.leb_le. apply Nat.leb_le in w. apply plus_length; [simpl; lia|exact w].
      * rewrite plus_spec. change [-1] with (number (-1)). rewrite number_spec. lia.
  - destruct b; try discriminate. destruct t as [|j t]; [discriminate|].
    destruct (get (cases s) j) as [l|] eqn:ec; [|discriminate].
    destruct (proj2 ok _ _ ec) as [w h]. rewrite holds_any in h. destruct h as (x & i & h).
    cbn [within] in w. rewrite forallb_forall in w.
    assert (forall l t u, In x l -> fold_left (fun o f => match o with Some t => node n (add f s) t | None => None end) l (Some t) = Some u ->
      exists t u, node n (add x s) t = Some u) as find.
    { clear - IH. intro l. assert (forall l, fold_left (fun o f => match o with Some t => node n (add f s) t | None => None end) l None = None) as none.
      { induction l0; trivial. }
      induction l as [|y l IHl]; intros t u i e; [destruct i|]. simpl in e. destruct (node n (add y s) t) as [t'|] eqn:en.
      - destruct i as [->|i]; eauto.
      - rewrite none in e. discriminate. }
    destruct (find l t u i e) as (t1 & u1 & en).
    destruct (add_spec x p s ok (w x i) h) as (q & okq & _). now apply (IH _ _ _ en q).
  - destruct t as [|k t]; [discriminate|]. destruct (sum s k [0] t) as [[f t']|] eqn:es; [|discriminate].
    destruct (sum_spec p s ok _ _ _ _ _ es w0 h0) as [w h].
    destruct (cut f) as [g|] eqn:ec; [|discriminate].
    destruct (cut_spec f g (variables s) p ec w h) as [wg hg]. apply (IH _ _ _ e p). now apply satisfies_row.
Qed.

Theorem refute_sound n f t u : refute n f t = Some u -> forall p, ~ holds p f.
Proof.
  unfold refute. destruct (within n f) eqn:w; [|discriminate]. intros e p h.
  destruct (add_spec f p (nothing_known n)) as (q & ok & _); trivial.
  - split; simpl; intros i x; rewrite get_empty; discriminate.
  - exact (node_sound _ _ _ _ e q ok).
Qed.
