(* This file defines formulas of linear arithmetic over integers, and functions that build them.

   A form is a constant, then the coefficient of each variable. A missing coefficient is 0. A point gives the value of
   each variable. Formulas have no negations; neg returns the negation of a formula.

   Promise: each function returns a formula that holds at the points at which it should (the lemmas NAME_spec). The
   functions return the same formulas as verify/cert/everysize/formula.go, because proofs name their parts by number. *)

From Coq Require Import ZArith List Bool Lia.
Import ListNotations.
Open Scope Z_scope.

Definition form := list Z.
Definition point := nat -> Z.

Fixpoint dot (l : list Z) (p : point) : Z :=
  match l with [] => 0 | c :: l => c * p O + dot l (fun v => p (S v)) end.

(* The constant is the coefficient of a variable that is 1. *)
Definition with_one (p : point) : point := fun v => match v with O => 1 | S v => p v end.
Definition value (f : form) (p : point) : Z := dot f (with_one p).

Lemma dot_ext l : forall p q, (forall v, (v < length l)%nat -> p v = q v) -> dot l p = dot l q.
Proof.
  induction l as [|c l IH]; simpl; intros p q h; trivial. rewrite (h O) by lia. f_equal. apply IH.
  intros v i. apply h. lia.
Qed.

Lemma value_ext f p q : (forall v, (S v < length f)%nat -> p v = q v) -> value f p = value f q.
Proof. intro h. apply dot_ext. intros [|v] i; simpl; auto. Qed.

(* f + k*g *)
Fixpoint plus (f g : form) (k : Z) {struct g} : form :=
  match g, f with
  | [], _ => f
  | c :: g, [] => k * c :: plus [] g k
  | c :: g, a :: f => a + k * c :: plus f g k
  end.

Lemma dot_plus g : forall f k p, dot (plus f g k) p = dot f p + k * dot g p.
Proof.
  induction g as [|c g IH]; intros [|a f] k p; simpl; rewrite ?IH; simpl; ring.
Qed.

Lemma plus_spec f g k p : value (plus f g k) p = value f p + k * value g p.
Proof. apply dot_plus. Qed.

Lemma plus_length g : forall f k n, (length f <= n)%nat -> (length g <= n)%nat -> (length (plus f g k) <= n)%nat.
Proof.
  induction g as [|c g IH]; intros [|a f] k [|n] hf hg; simpl in *; try lia; apply le_n_S, IH; simpl; lia.
Qed.

Definition number (k : Z) : form := [k].
Definition variable (v : nat) : form := repeat 0 (S v) ++ [1].
Definition shift (f : form) (k : Z) : form := plus f [k] 1.

Lemma number_spec k p : value (number k) p = k.
Proof. unfold value, number. cbn [dot with_one]. ring. Qed.

Lemma dot_unit v : forall p, dot (repeat 0 v ++ [1]) p = p v.
Proof. induction v as [|v IH]; intro p; cbn [dot repeat app]; rewrite ?IH; ring. Qed.

Lemma variable_spec v p : value (variable v) p = p v.
Proof. exact (dot_unit (S v) (with_one p)). Qed.

Lemma variable_length v : length (variable v) = S (S v).
Proof. unfold variable. rewrite app_length, repeat_length. simpl. lia. Qed.

Lemma shift_spec f k p : value (shift f k) p = value f p + k.
Proof. unfold shift. rewrite plus_spec. change [k] with (number k). rewrite number_spec. lia. Qed.

Definition is_constant (f : form) : bool := forallb (Z.eqb 0) (tl f).

Lemma is_constant_spec f p : is_constant f = true -> value f p = hd 0 f.
Proof.
  destruct f as [|k l]; trivial. unfold is_constant, value. cbn [tl hd dot with_one]. intro h.
  enough (forall q, dot l q = 0) as z by (rewrite z; lia). clear p.
  induction l as [|c l IH]; trivial. cbn [forallb] in h. apply andb_true_iff in h. destruct h as [e h]. intro q.
  apply Z.eqb_eq in e. cbn [dot]. rewrite IH by trivial. lia.
Qed.

(* Replaces each variable v by a form. *)
Fixpoint move_from (l : list Z) (v : nat) (sub : nat -> form) (h : form) : form :=
  match l with [] => h | c :: l => move_from l (S v) sub (if c =? 0 then h else plus h (sub v) c) end.
Definition move_form (sub : nat -> form) (f : form) : form := move_from (tl f) O sub (number (hd 0 f)).

(* The point of the replaced variables. *)
Definition moved (sub : nat -> form) (p : point) : point := fun v => value (sub v) p.

Lemma move_from_spec sub p l : forall v h, value (move_from l v sub h) p = value h p + dot l (fun u => moved sub p (v + u)%nat).
Proof.
  induction l as [|c l IH]; simpl; intros v h; [lia|]. rewrite IH, Nat.add_0_r.
  assert (dot l (fun u => moved sub p (S v + u)%nat) = dot l (fun u => moved sub p (v + S u)%nat)) as ->.
  { apply dot_ext. intros u _. f_equal. lia. }
  destruct (Z.eqb_spec c 0) as [->|]; [lia|]. rewrite plus_spec. unfold moved at 2. lia.
Qed.

Lemma move_form_spec sub f p : value (move_form sub f) p = value f (moved sub p).
Proof.
  unfold move_form. rewrite move_from_spec, number_spec. destruct f as [|k l]; [reflexivity|].
  unfold value at 1. cbn [hd tl dot with_one]. rewrite Z.mul_1_r. f_equal.
Qed.

Inductive formula :=
| All (l : list formula)          (* with none: true *)
| Any (l : list formula)          (* with none: false *)
| At_least (f : form)             (* f >= 0 *)
| Divides (m : Z) (f : form).     (* m divides f *)

Section Induction.
  Variable P : formula -> Prop.
  Hypothesis all : forall l, (forall x, In x l -> P x) -> P (All l).
  Hypothesis any : forall l, (forall x, In x l -> P x) -> P (Any l).
  Hypothesis at_least : forall f, P (At_least f).
  Hypothesis divides : forall m f, P (Divides m f).

  Fixpoint formula_induction (f : formula) : P f :=
    let each := fix each (l : list formula) : forall x, In x l -> P x :=
      match l with
      | [] => fun x h => match h with end
      | y :: l => fun x h => match h with
          | or_introl e => eq_ind y P (formula_induction y) x e
          | or_intror h => each l x h
          end
      end in
    match f with
    | All l => all l (each l)
    | Any l => any l (each l)
    | At_least f => at_least f
    | Divides m f => divides m f
    end.
End Induction.

Fixpoint holds (p : point) (f : formula) : Prop :=
  match f with
  | All l => fold_right (fun x q => holds p x /\ q) True l
  | Any l => fold_right (fun x q => holds p x \/ q) False l
  | At_least f => 0 <= value f p
  | Divides m f => (m | value f p)
  end.

Lemma holds_all p l : holds p (All l) <-> forall x, In x l -> holds p x.
Proof.
  induction l as [|y l IH]; [simpl; split; [intros _ x []|trivial]|].
  change (holds p (All (y :: l))) with (holds p y /\ holds p (All l)). rewrite IH. simpl.
  split; [intros [a b] x [<-|i]; auto|intro h; split; [apply h; now left|auto]].
Qed.

Lemma holds_any p l : holds p (Any l) <-> exists x, In x l /\ holds p x.
Proof.
  induction l as [|y l IH]; [simpl; split; [intros []|intros (x & [] & _)]|].
  change (holds p (Any (y :: l))) with (holds p y \/ holds p (Any l)). rewrite IH. simpl.
  split; [intros [a|(x & i & h)]; eauto|intros (x & [<-|i] & h); eauto].
Qed.

Definition always : formula := All [].
Definition never : formula := Any [].
Definition is_true (f : formula) : bool := match f with All [] => true | _ => false end.
Definition is_false (f : formula) : bool := match f with Any [] => true | _ => false end.
Definition truth (b : bool) : formula := if b then always else never.

Lemma truth_spec p b : holds p (truth b) <-> b = true.
Proof. destruct b; simpl; split; easy. Qed.

Lemma is_false_spec p f : is_false f = true -> ~ holds p f.
Proof. destruct f as [|[|]| |]; simpl; try discriminate. auto. Qed.

Lemma is_true_spec p f : is_true f = true -> holds p f.
Proof. destruct f as [[|]| | |]; simpl; try discriminate. auto. Qed.

Definition at_least (f : form) : formula := if is_constant f then truth (0 <=? hd 0 f) else At_least f.

Lemma at_least_spec p f : holds p (at_least f) <-> 0 <= value f p.
Proof.
  unfold at_least. destruct (is_constant f) eqn:c; [|reflexivity]. rewrite truth_spec, (is_constant_spec f p c). lia.
Qed.

Definition at_most (a b : form) : formula := at_least (plus b a (-1)).
Definition less_than (a b : form) : formula := at_least (shift (plus b a (-1)) (-1)).

Lemma at_most_spec p a b : holds p (at_most a b) <-> value a p <= value b p.
Proof. unfold at_most. rewrite at_least_spec, plus_spec. lia. Qed.

Lemma less_than_spec p a b : holds p (less_than a b) <-> value a p < value b p.
Proof. unfold less_than. rewrite at_least_spec, shift_spec, plus_spec. lia. Qed.

Definition divides (m : Z) (f : form) : formula :=
  if m =? 1 then always
  else if is_constant f && (0 <? m) then truth (hd 0 f mod m =? 0)
  else Divides m f.

Lemma divides_spec p m f : holds p (divides m f) <-> (m | value f p).
Proof.
  unfold divides. destruct (Z.eqb_spec m 1) as [->|]; [simpl; split; auto using Z.divide_1_l|].
  destruct (is_constant f) eqn:c; [|reflexivity]. destruct (Z.ltb_spec 0 m); [|reflexivity].
  simpl andb. rewrite truth_spec, (is_constant_spec f p c), Z.eqb_eq. apply Z.mod_divide. lia.
Qed.

Definition conj (l : list formula) : formula :=
  if existsb is_false l then never
  else match flat_map (fun f => match f with All l => l | _ => [f] end) l with [x] => x | l => All l end.

Lemma conj_spec p l : holds p (conj l) <-> forall x, In x l -> holds p x.
Proof.
  unfold conj. destruct (existsb is_false l) eqn:no.
  { apply existsb_exists in no. destruct no as (x & i & no). split; [intros []|].
    intro h. exfalso. exact (is_false_spec p x no (h x i)). }
  set (m := flat_map _ l). transitivity (holds p (All m)).
  { destruct m as [|x [|y m]]; try reflexivity. simpl. tauto. }
  rewrite holds_all. unfold m. split; intros h x i.
  - destruct x as [k| | |]; try (apply h, in_flat_map; eexists; split; [exact i|now left]).
    rewrite holds_all. intros y j. apply h, in_flat_map. exists (All k). now split.
  - apply in_flat_map in i. destruct i as (y & i & j). specialize (h y i).
    destruct y as [k| | |]; try (destruct j as [<-|[]]; exact h). rewrite holds_all in h. auto.
Qed.

Definition disj (l : list formula) : formula :=
  if existsb is_true l then always
  else match flat_map (fun f => match f with Any l => l | _ => [f] end) l with [x] => x | l => Any l end.

Lemma disj_spec p l : holds p (disj l) <-> exists x, In x l /\ holds p x.
Proof.
  unfold disj. destruct (existsb is_true l) eqn:yes.
  { apply existsb_exists in yes. destruct yes as (x & i & yes). split; [|easy]. intros _. exists x.
    split; [exact i|now apply is_true_spec]. }
  set (m := flat_map _ l). transitivity (holds p (Any m)).
  { destruct m as [|x [|y m]]; try reflexivity. simpl. tauto. }
  rewrite holds_any. unfold m. split; intros (x & i & h).
  - apply in_flat_map in i. destruct i as (y & i & j). exists y. split; [exact i|].
    destruct y as [|k| |]; try (destruct j as [<-|[]]; exact h). rewrite holds_any. eauto.
  - destruct x as [|k| |]; try (eexists; split; [apply in_flat_map; eexists; split; [exact i|now left]|exact h]).
    rewrite holds_any in h. destruct h as (y & j & h). exists y. split; [|exact h].
    apply in_flat_map. exists (Any k). now split.
Qed.

Lemma conj_two p f g : holds p (conj [f; g]) <-> holds p f /\ holds p g.
Proof. rewrite conj_spec. simpl. split; [auto|intros [a b] x [<-|[<-|[]]]; trivial]. Qed.

Lemma disj_two p f g : holds p (disj [f; g]) <-> holds p f \/ holds p g.
Proof. rewrite disj_spec. simpl. split; [intros (x & [<-|[<-|[]]] & h); auto|intros [h|h]; eauto]. Qed.

Definition equal (a b : form) : formula := conj [at_most a b; at_most b a].
Definition differ (a b : form) : formula := disj [less_than a b; less_than b a].

Lemma equal_spec p a b : holds p (equal a b) <-> value a p = value b p.
Proof. unfold equal. rewrite conj_two, !at_most_spec. lia. Qed.

Lemma differ_spec p a b : holds p (differ a b) <-> value a p <> value b p.
Proof. unfold differ. rewrite disj_two, !less_than_spec. lia. Qed.

(* The negation: m does not divide f if it divides f-1, or f-2, and so on. *)
Fixpoint remainders (n : nat) (m : Z) (f : form) : list formula :=
  match n with O => [] | S n => let f := shift f (-1) in divides m f :: remainders n m f end.

Lemma remainders_spec p m n : forall f k, 1 <= k <= Z.of_nat n -> (m | value f p - k) ->
  exists x, In x (remainders n m f) /\ holds p x.
Proof.
  induction n as [|n IH]; intros f k r d; [lia|]. simpl. destruct (Z.eq_dec k 1) as [->|].
  - exists (divides m (shift f (-1))). split; [now left|]. rewrite divides_spec, shift_spec. exact d.
  - destruct (IH (shift f (-1)) (k - 1)) as (x & i & h); [lia| |eauto].
    rewrite shift_spec. now replace (value f p + -1 - (k - 1)) with (value f p - k) by lia.
Qed.

Fixpoint neg (f : formula) : formula :=
  match f with
  | All l => disj (map neg l)
  | Any l => conj (map neg l)
  | At_least f => at_least (plus [-1] f (-1))
  | Divides m f => if 0 <? m then disj (remainders (Z.to_nat (m - 1)) m f) else always
  end.

Lemma neg_spec p f : holds p f \/ holds p (neg f).
Proof.
  induction f as [l IH|l IH|f|m f] using formula_induction; cbn [neg].
  - rewrite holds_all, disj_spec. induction l as [|y l IHl]; [left; intros x []|].
    destruct (IH y) as [a|a]; [now left| |right; exists (neg y); split; [now left|exact a]].
    destruct IHl as [b|(x & i & h)]; [intros; apply IH; now right| |right; exists x; split; [now right|exact h]].
    left. intros x [<-|i]; auto.
  - rewrite holds_any, conj_spec. induction l as [|y l IHl]; [right; intros x []|].
    destruct (IH y) as [a|a]; [now left|left; exists y; split; [now left|exact a]|].
    destruct IHl as [(x & i & h)|b]; [intros; apply IH; now right|left; exists x; split; [now right|exact h]|].
    right. intros x [<-|i]; auto.
  - rewrite at_least_spec, plus_spec. change [-1] with (number (-1)). rewrite number_spec. cbn [holds]. lia.
  - destruct (Z.ltb_spec 0 m) as [up|]; [|now right].
    destruct (Z.eq_dec (value f p mod m) 0) as [z|z].
    { left. simpl. apply Z.mod_divide; lia. }
    right. apply disj_spec, remainders_spec with (value f p mod m).
    + pose proof (Z.mod_pos_bound (value f p) m up). lia.
    + exists (value f p / m). pose proof (Z.div_mod (value f p) m). lia.
Qed.

(* Without divisibility the negation is exact. *)
Fixpoint is_plain (f : formula) : bool :=
  match f with All l => forallb is_plain l | Any l => forallb is_plain l | At_least _ => true | Divides _ _ => false end.

Lemma neg_never p f : is_plain f = true -> holds p f -> ~ holds p (neg f).
Proof.
  induction f as [l IH|l IH|f|m f] using formula_induction; cbn [is_plain neg]; intros pl h no.
  - rewrite forallb_forall in pl. rewrite holds_all in h. rewrite disj_spec in no. destruct no as (x & i & no).
    apply in_map_iff in i. destruct i as (y & <- & i). apply (IH y i); auto.
  - rewrite forallb_forall in pl. rewrite holds_any in h. rewrite conj_spec in no. destruct h as (x & i & h).
    apply (IH x i); auto. apply no. now apply in_map.
  - simpl in h. rewrite at_least_spec, plus_spec in no. change [-1] with (number (-1)) in no. rewrite number_spec in no. lia.
  - discriminate.
Qed.

Lemma at_least_plain f : is_plain (at_least f) = true.
Proof. unfold at_least. destruct (is_constant f); trivial. now destruct (0 <=? hd 0 f). Qed.

Lemma joined_plain (l : list formula) : Forall (fun f => is_plain f = true) l ->
  is_plain (match flat_map (fun f => match f with All l => l | _ => [f] end) l with [x] => x | l => All l end) = true.
Proof.
  intro h. assert (forallb is_plain (flat_map (fun f => match f with All l => l | _ => [f] end) l) = true) as all.
  { apply forallb_forall. intros x i. apply in_flat_map in i. destruct i as (y & i & j). rewrite Forall_forall in h. specialize (h y i).
    destruct y; try (destruct j as [<-|[]]; exact h). simpl in h. rewrite forallb_forall in h. auto. }
  destruct (flat_map _ l) as [|x [|y m]]; trivial. simpl in all. now rewrite andb_true_r in all.
Qed.

Lemma conj_plain l : Forall (fun f => is_plain f = true) l -> is_plain (conj l) = true.
Proof. intro h. unfold conj. destruct (existsb is_false l); trivial. now apply joined_plain. Qed.

(* Replaces variables in a formula. *)
Fixpoint move (sub : nat -> form) (f : formula) : formula :=
  match f with
  | All l => conj (map (move sub) l)
  | Any l => disj (map (move sub) l)
  | At_least f => at_least (move_form sub f)
  | Divides m f => divides m (move_form sub f)
  end.

Lemma move_spec sub p f : holds p (move sub f) <-> holds (moved sub p) f.
Proof.
  induction f as [l IH|l IH|f|m f] using formula_induction; cbn [move].
  - rewrite conj_spec, holds_all. split; intros h x i.
    + apply IH; trivial. apply h. now apply in_map.
    + apply in_map_iff in i. destruct i as (y & <- & i). apply IH; auto.
  - rewrite disj_spec, holds_any. split; intros (x & i & h).
    + apply in_map_iff in i. destruct i as (y & <- & i). exists y. split; trivial. now apply IH.
    + exists (move sub x). split; [now apply in_map|now apply IH].
  - rewrite at_least_spec. simpl. now rewrite move_form_spec.
  - rewrite divides_spec. simpl. now rewrite move_form_spec.
Qed.

(* A formula has variables below n only. *)
Definition short (n : nat) (f : form) : bool := Nat.leb (length f) (S n).
Fixpoint within (n : nat) (f : formula) : bool :=
  match f with All l => forallb (within n) l | Any l => forallb (within n) l | At_least f => short n f | Divides _ f => short n f end.

Lemma short_ext n f p q : short n f = true -> (forall v, (v < n)%nat -> p v = q v) -> value f p = value f q.
Proof. unfold short. rewrite Nat.leb_le. intros s h. apply value_ext. intros v i. apply h. lia. Qed.

Lemma within_ext n f p q : within n f = true -> (forall v, (v < n)%nat -> p v = q v) -> holds p f <-> holds q f.
Proof.
  intros s h. revert s. induction f as [l IH|l IH|f|m f] using formula_induction; simpl within; intro s.
  - rewrite forallb_forall in s. rewrite !holds_all. split; intros a x i; apply IH; auto.
  - rewrite forallb_forall in s. rewrite !holds_any. split; intros (x & i & a); exists x; split; trivial; apply IH; auto.
  - simpl. now rewrite (short_ext n f p q).
  - simpl. now rewrite (short_ext n f p q).
Qed.

Lemma within_more n m f : (n <= m)%nat -> within n f = true -> within m f = true.
Proof.
  intro le. induction f as [l IH|l IH|f|k f] using formula_induction; simpl; rewrite ?forallb_forall; auto;
    unfold short; rewrite !Nat.leb_le; lia.
Qed.
