(* This file rebuilds a network from a certificate: the switch that a channel enters, the channel that leaves
   by a port, and the cables of a switch in the order of ports.

   Let there be L links and E endpoints. Channel 2l leads from A to B of link l, and 2l+1 leads back. Channel
   2L+e leads from endpoint e to its switch, and 2L+E+e leads from the switch to e. The VC of index i on
   channel c is c * vcs + i. A cable meets a switch at an end. The ends are those of the links, then those of
   the endpoints. One channel leaves by each end (out), and one enters (into). *)

From Coq Require Import ZArith List Bool.
From Proved Require Import Arrays Certificate.
Import ListNotations.
Open Scope Z_scope.

Fixpoint twos (l : list Z) : list (Z * Z) :=
  match l with a :: b :: l => (a, b) :: twos l | _ => [] end.

Record cable := { at_switch : Z; at_port : Z; out : Z; into : Z }.

Fixpoint cables_from (l : list (Z * Z)) (i : Z) (make : Z -> Z -> Z -> cable) : list cable :=
  match l with [] => [] | (u, p) :: l => make i u p :: cables_from l (i + 1) make end.

Definition link_channels (n : network) : Z := 2 * (Zlength (links n) / 4).

Definition cables (n : network) : list cable :=
  let l := link_channels n in
  cables_from (twos (links n)) 0 (fun i u p =>
    {| at_switch := u; at_port := p; out := i; into := if Z.even i then i + 1 else i - 1 |}) ++
  cables_from (twos (attach n)) 0 (fun e u p =>
    {| at_switch := u; at_port := p; out := l + endpoints n + e; into := l + e |}).

(* The maps of a network. *)
Record view := {
  per_channel : Z; nodes : Z; between : Z; ends : Z; computers : Z; (* VCs, switches, 2L, E, hosts *)
  enters : zmap (Z * Z);    (* by channel: the switch that it enters, and the index of its cable there *)
  leaves : zmap Z;          (* by channel: the switch that it leaves *)
  plugged : pmap (Z * Z);   (* by switch and port: the channel out, and the index of the cable *)
  corner : zmap (Z * Z)     (* by switch: the first index of its pairs of cables, and its number of cables *)
}.

Definition ports_of (l : list cable) : zmap (list Z) :=
  fold_left (fun m c => set m (at_switch c) (at_port c :: match get m (at_switch c) with Some l => l | None => [] end)) l empty.

Definition ports_at (m : zmap (list Z)) u : list Z := match get m u with Some l => l | None => [] end.

(* The index of a cable at its switch: the number of cables with a smaller port. *)
Definition place (m : zmap (list Z)) (c : cable) : Z :=
  Zlength (filter (fun p => p <? at_port c) (ports_at m (at_switch c))).

Definition corners (m : zmap (list Z)) (switches : Z) : zmap (Z * Z) :=
  snd (fold_left (fun a u => let degree := Zlength (ports_at m u) in
    (fst a + degree * degree, set (snd a) u (fst a, degree))) (range switches) (0, empty)).

Definition look (n : network) : view :=
  let all := cables n in
  let m := ports_of all in
  {| per_channel := vcs n; nodes := switches n; between := link_channels n; ends := endpoints n; computers := hosts n;
     enters := fold_left (fun a c => set a (into c) (at_switch c, place m c)) all empty;
     leaves := fold_left (fun a c => set a (out c) (at_switch c)) all empty;
     plugged := fold_left (fun a c => set2 a (at_switch c, at_port c) (out c, place m c)) all empty;
     corner := corners m (switches n) |}.

(* Kinds of VCs. *)
Definition link_vcs (v : view) : Z := between v * per_channel v.
Definition is_link (v : view) (vc : Z) : bool := (0 <=? vc) && (vc <? link_vcs v).
Definition is_ejection (v : view) (vc : Z) : bool := (between v + ends v) * per_channel v <=? vc.
Definition injection (v : view) (e : Z) : Z := (between v + e) * per_channel v.
Definition ejects_to (v : view) (e vc : Z) : bool := vc / per_channel v =? between v + ends v + e.

(* A valid network: all numbers are in range, no port has two cables, and no link connects a switch with
   itself. *)
Definition most : Z := 2147483647.

Definition once (l : list cable) : bool :=
  snd (fold_left (fun a c => let at_ := (at_switch c, at_port c) in
    (set2 (fst a) at_ tt, snd a && negb (has2 (fst a) at_))) l (empty, true)).

Fixpoint apart (l : list (Z * Z)) : bool :=
  match l with (u, _) :: (v, _) :: l => negb (u =? v) && apart l | _ => true end.

Definition in_range (n i : Z) : bool := (0 <=? i) && (i <? n).

Definition network_ok (n : network) : bool :=
  (Zlength (links n) mod 4 =? 0) && (Zlength (attach n) =? 2 * endpoints n) &&
  (0 <=? hosts n) && (hosts n <=? endpoints n) && (switches n <=? most) &&
  (1 <=? vcs n) && (vcs n <=? most) &&
  (link_channels n + 2 * endpoints n <=? most / vcs n) &&
  forallb (fun c => in_range (switches n) (at_switch c) && (0 <=? at_port c)) (cables n) &&
  apart (twos (links n)) && once (cables n).

(* Maps that are filled from a list. Each entry of the map comes from the list. If the keys differ, each
   member of the list is in the map. *)
Lemma filled {A B} (f : A -> Z * Z) (g : A -> B) l : forall m k x,
  get2 (fold_left (fun m c => set2 m (f c) (g c)) l m) k = Some x -> get2 m k = Some x \/ exists c, In c l /\ f c = k /\ g c = x.
Proof.
  induction l as [|a l IH]; simpl; intros m k x h; auto. destruct (IH _ _ _ h) as [e|(c & i & e)]; [|right; exists c; tauto].
  rewrite get2_set2 in e. destruct (same_spec (f a) k) as [<-|]; [|now left]. injection e as <-. right. exists a. auto.
Qed.

Lemma filled_all {A B} (f : A -> Z * Z) (g : A -> B) l : NoDup (List.map f l) -> forall m c, In c l ->
  get2 (fold_left (fun m c => set2 m (f c) (g c)) l m) (f c) = Some (g c).
Proof.
  assert (forall l m k, ~ In k (List.map f l) -> get2 (fold_left (fun m c => set2 m (f c) (g c)) l m) k = get2 m k) as rest.
  { clear. induction l as [|a l IH]; simpl; intros m k no; trivial. rewrite IH by tauto. rewrite get2_set2.
    destruct (same_spec (f a) k); tauto. }
  induction l as [|a l IH]; simpl; intros nd m c i; [easy|]. inversion nd as [|? ? no nd']; subst.
  destruct i as [->|i]; [|now apply IH]. rewrite rest by trivial. rewrite get2_set2. now destruct (same_spec (f c) (f c)).
Qed.

Lemma once_spec l : once l = true -> NoDup (List.map (fun c => (at_switch c, at_port c)) l).
Proof.
  unfold once. enough (forall m b, snd (fold_left (fun a c => let at_ := (at_switch c, at_port c) in
      (set2 (fst a) at_ tt, snd a && negb (has2 (fst a) at_))) l (m, b)) = true ->
    b = true /\ NoDup (List.map (fun c => (at_switch c, at_port c)) l) /\
    forall k, In k (List.map (fun c => (at_switch c, at_port c)) l) -> has2 m k = false) as H.
  { intro h. destruct (H _ _ h) as (_ & nd & _). exact nd. }
  induction l as [|a l IH]; cbn [fold_left List.map]; intros m b h; [simpl in h; subst; repeat split; [constructor|easy]|].
  cbn [fst snd] in h. destruct (IH _ _ h) as (e & nd & new). apply andb_true_iff in e. destruct e as [-> e%negb_true_iff].
  split; [trivial|]. split.
  - constructor; trivial. intro i. specialize (new _ i). unfold has2 in new. rewrite get2_set2 in new.
    now destruct (same_spec (at_switch a, at_port a) (at_switch a, at_port a)).
  - intros k [<-|i]; trivial. specialize (new _ i). unfold has2 in *. rewrite get2_set2 in new.
    now destruct (same_spec (at_switch a, at_port a) k).
Qed.

(* A port has the cable that the certificate names, with its index, and no other cable. *)
Theorem plugged_spec n u p b k : network_ok n = true ->
  (get2 (plugged (look n)) (u, p) = Some (b, k) <->
   exists c, In c (cables n) /\ at_switch c = u /\ at_port c = p /\ out c = b /\ place (ports_of (cables n)) c = k).
Proof.
  intro ok. unfold network_ok in ok. apply andb_true_iff in ok. destruct ok as [_ ok]. apply once_spec in ok.
  unfold look. cbv zeta. cbn [plugged]. split.
  - intro h. apply (filled (fun c => (at_switch c, at_port c)) (fun c => (out c, place (ports_of (cables n)) c))) in h.
    rewrite get2_empty in h. destruct h as [h|(c & i & e & e')]; [discriminate|]. exists c. now inversion e; inversion e'.
  - intros (c & i & <- & <- & <- & <-).
    exact (filled_all (fun c => (at_switch c, at_port c)) (fun c => (out c, place (ports_of (cables n)) c)) (cables n) ok empty c i).
Qed.
