(* This file defines the meaning of a certificate in which packets wait for one next hop, and judges it.

   A packet in a state that commits chooses one of its next hops when it arrives, and waits for this hop only.
   It may choose any of them. By definition the claims are about the expansion of the relation. There, each
   state that commits is replaced by one state for each of its next hops, with this hop alone. The class of an
   expanded state is class * most + choice, where most is the greatest number of choices.

   decide_waiting applies decide to the expanded certificate. Accepted claims are true of the expanded
   relation (decide_waiting_sound). The definition of the expansion must be trusted. *)

From Coq Require Import ZArith List Bool.
From Proved Require Import Arrays Certificate Network Routing Table Relation Witness Subject Decide Sound.
Import ListNotations.
Open Scope Z_scope.

Inductive waiting :=
| For_any                   (* a packet waits for all its next hops *)
| For_one                   (* in every state a packet waits for one *)
| For_either (flags : list Z). (* by state, in the order of the certificate: 1 if a packet waits for one, 0 for all *)

Record waiting_certificate := {
  plain : certificate;
  waited : waiting;
  chosen : option (list Z) (* by packet of the deadlock: the VC that it chose, or -1 if it waits for all *)
}.

Section Expand.
  Variable w : relation_view.          (* the relation as listed *)
  Variable commits : Z -> state -> bool.
  Variable most : Z.                   (* the greatest number of choices of a state *)

  (* The number of expanded states of a state. *)
  Definition choices (d : Z) (s : state) : Z :=
    match find w d s with
    | Some e => if commits d s && (1 <? Zlength (next e)) then Zlength (next e) else 1
    | None => 1
    end.

  Definition with_choice (s : state) (i : Z) : state := (fst s, snd s * most + i).
  Definition expanded_states (d : Z) (s : state) : list state := map (with_choice s) (range (choices d s)).

  (* The members of a list with their indices. *)
  Fixpoint placed {A} (i : Z) (l : list A) : list (Z * A) :=
    match l with [] => [] | a :: l => (i, a) :: placed (i + 1) l end.

  (* The next hops of the expanded states of an entry. Each has the index of the listed hop that it comes
     from. *)
  Definition expanded_hops (d : Z) (hops : list (Z * state)) : list (Z * state) :=
    flat_map (fun it => map (fun t => (fst it, t)) (expanded_states d (snd it))) hops.
  Definition expanded_entry (e : entry_of) : list (state * list (Z * state)) :=
    let d := toward e in let hops := placed (first e) (next e) in
    if choices d (held e) =? 1 then [(with_choice (held e) 0, expanded_hops d hops)]
    else map (fun it => (with_choice (held e) (fst it - first e), expanded_hops d [it])) hops.

  Definition numbers_of (d : Z) (sh : state * list (Z * state)) : list Z :=
    d :: fst (fst sh) :: snd (fst sh) :: Zlength (snd sh) :: flat_map (fun it => [fst (snd it); snd (snd it)]) (snd sh).

  (* es: the entries in the order of the certificate. *)
  Definition expanded_relation (r : relation) (v : view) (es : list entry_of) : relation :=
    {| r_classes := r_classes r * most; r_sources := r_sources r; r_destinations := r_destinations r;
       inject := flat_map (fun t => match t with (e, d, k) =>
         flat_map (fun s => [e; d; snd s]) (expanded_states d (injection v e, k)) end) (threes (inject r));
       states := flat_map (fun e => flat_map (numbers_of (toward e)) (expanded_entry e)) es |}.

  (* Flags of hops: each expanded hop has the flag of the listed hop that it comes from. *)
  Definition expanded_flags (es : list entry_of) (flags : list Z) : list Z :=
    let a := of_list flags in
    let total := fold_left (fun n e => n + Zlength (next e)) es 0 in
    if Zlength flags =? total then
      flat_map (fun e => flat_map (fun sh => map (fun it => match get a (fst it) with Some f => f | None => -1 end) (snd sh))
        (expanded_entry e)) es
    else [-1].

  Fixpoint place_in (t : state) (i : Z) (l : list state) : Z :=
    match l with [] => 0 | a :: l => if same a t then i else place_in t (i + 1) l end.

  (* The choice of a packet that goes from state s to t. *)
  Definition choice_to (d : Z) (s t : state) : Z :=
    if choices d s =? 1 then 0 else match find w d s with Some e => place_in t 0 (next e) | None => 0 end.

  (* The expanded states of a path. last is the choice in its last state. *)
  Fixpoint expanded_path (d : Z) (last : Z) (l : list state) : list state :=
    match l with
    | [] => []
    | s :: rest =>
        match rest with [] => [with_choice s last] | t :: _ => with_choice s (choice_to d s t) :: expanded_path d last rest end
    end.

  Definition numbers (l : list state) : list Z := flat_map (fun s => [fst s; snd s]) l.

  (* The expanded packet. A packet with a malformed path is returned unchanged. *)
  Definition expanded_shown (last : Z) (p : shown) : shown :=
    let l := twos (path p) in
    if (Zlength (path p) mod 2 =? 0) then
      match expanded_path (destination p) last l, l with
      | s :: rest, t :: _ => {| source := source p; destination := destination p;
          class := if class p =? snd t then snd s else -1; path := numbers (s :: rest) |}
      | _, _ => p
      end
    else p.

  Fixpoint last_of (l : list state) : option state :=
    match l with [] => None | s :: l => match l with [] => Some s | _ => last_of l end end.

  (* The choice of a packet of a deadlock, or None if the packet cannot have chosen the VC. *)
  Definition choice_for (d : Z) (s : state) (vc : Z) : option Z :=
    if commits d s then
      match find w d s with
      | None => None
      | Some e =>
          match filter (fun it => fst (snd it) =? vc) (placed 0 (next e)) with
          | [] => None
          | it :: _ => Some (if choices d s =? 1 then 0 else fst it)
          end
      end
    else if vc =? -1 then Some 0 else None.

  Definition no_packet : shown := {| source := -1; destination := -1; class := -1; path := [] |}.

  Definition with_chosen (pc : shown * Z) : shown :=
    let p := fst pc in
    match last_of (twos (path p)) with
    | None => no_packet
    | Some s => match choice_for (destination p) s (snd pc) with
                | Some i => expanded_shown i p
                | None => no_packet
                end
    end.

  Definition all_chosen (l : option (list Z)) (ps : list shown) : list shown :=
    match l with
    | Some l => if Zlength l =? Zlength ps then map with_chosen (combine ps l) else [no_packet]
    | None => [no_packet]
    end.

  (* The choice that a path made when it was in state s earlier. *)
  Fixpoint earlier_choice (d : Z) (s : state) (l : list state) : Z :=
    match l with
    | [] => 0
    | a :: rest => match rest with
                   | [] => 0
                   | b :: _ => if same a s then choice_to d a b else earlier_choice d s rest
                   end
    end.

  Definition expanded_loop (p : shown) : shown :=
    let l := twos (path p) in
    match last_of l with
    | Some s => expanded_shown (earlier_choice (destination p) s l) p
    | None => p
    end.

  Definition expanded_claim (es : list entry_of) (ch : option (list Z)) (c : claim) : claim :=
    match c with
    | Escape ranks flags => Escape ranks (expanded_flags es flags)
    | Cycle ps => Cycle (map (expanded_shown 0) ps)
    | Configuration ps => Configuration (all_chosen ch ps)
    | Worms ps ks => Worms (all_chosen ch ps) ks
    | Lost n u p how => Lost n u (expanded_shown 0 p) how
    | Loop p => Loop (expanded_loop p)
    | Numbering _ | Acyclic | Elimination _ | Walk _ | Longest _ => c
    end.
End Expand.

(* The states that commit, or None if the flags are not valid. States with fewer than two next hops have flag
   0. Of the other states, some have flag 0 and some have flag 1. *)
Definition flagged (flags : list Z) (es : list entry_of) : option (Z -> state -> bool) :=
  let l := combine es flags in
  let several ef := 1 <? Zlength (next (fst ef)) in
  if (Zlength flags =? Zlength es) && all_in 2 flags &&
     forallb (fun ef => (snd ef =? 0) || several ef) l &&
     existsb (fun ef => (snd ef =? 0) && several ef) l && existsb (fun ef => snd ef =? 1) l
  then
    let m := fold_left (fun m ef => if snd ef =? 1 then set m (toward (fst ef)) (set2 (at_ m empty (toward (fst ef))) (held (fst ef)) tt)
                                    else m) l empty in
    Some (fun d s => match get m d with Some n => has2 n s | None => false end)
  else None.

Definition greatest (es : list entry_of) : Z := fold_left (fun n e => Z.max n (Zlength (next e))) es 1.

(* The expanded certificate, or None if the subject is not valid. *)
Definition expanded (c : waiting_certificate) : option certificate :=
  match waited c with
  | For_any => match chosen c with None => Some (plain c) | Some _ => None end
  | kind =>
      match routed (plain c) with
      | By_table _ => None
      | By_relation r =>
          match read (states r) None 0 [] with
          | None => None
          | Some back =>
              let es := rev back in
              let commits := match kind with For_either flags => flagged flags es | _ => Some (fun _ _ => true) end in
              match commits with
              | None => None
              | Some f =>
                  let w := look_relation r es in let v := look (net (plain c)) in let most := greatest es in
                  if relation_ok v r back then Some {|
                    switched := switched (plain c); net := net (plain c);
                    routed := By_relation (expanded_relation w f most r v es);
                    claims := map (expanded_claim w f most es (chosen c)) (claims (plain c)) |}
                  else None
              end
          end
      end
  end.

Definition decide_waiting (c : waiting_certificate) : verdict :=
  match expanded c with None => Rejected None | Some x => decide x end.

(* Accepted claims are true of the expanded relation. *)
Theorem decide_waiting_sound c : decide_waiting c = Accepted ->
  exists x s, expanded c = Some x /\ subject_of x = Some s /\
    forall cl, In cl (claims x) -> holds (switched x) (routes s) cl.
Proof.
  unfold decide_waiting. destruct (expanded c) as [x|]; [|discriminate]. intro ok.
  destruct (decide_sound x ok) as (s & is & all). exists x, s. auto.
Qed.

(* If packets wait for any next hop, the certificate does not change. *)
Theorem any_is_plain c x : waited c = For_any -> expanded c = Some x -> x = plain c.
Proof. unfold expanded. intros ->. destruct (chosen c); congruence. Qed.

(* An expanded state of a state that commits and has several next hops has exactly one of them. *)
Theorem one_hop_alone w f most e sh : 1 < choices w f (toward e) (held e) -> In sh (expanded_entry w f most e) ->
  exists t, In t (next e) /\ forall it, In it (snd sh) -> In (snd it) (expanded_states w f most (toward e) t).
Proof.
  unfold expanded_entry. intro several. destruct (Z.eqb_spec (choices w f (toward e) (held e)) 1) as [h|_].
  { rewrite h in several. discriminate. }
  intro i. apply in_map_iff in i. destruct i as ([k t] & <- & i). exists t. split.
  - clear -i. revert i. generalize (first e). induction (next e) as [|a l IH]; simpl; intros z i; [destruct i|].
    destruct i as [h|i]; [injection h as _ ->; now left|right; eauto].
  - unfold expanded_hops. cbn [flat_map fst snd]. rewrite app_nil_r. intros it j. apply in_map_iff in j.
    now destruct j as (u & <- & j).
Qed.
