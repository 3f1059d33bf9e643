(* This file defines the meaning of claims, and judges a certificate. Sound.v proves that accepted claims are
   true. *)

From Coq Require Import ZArith List Bool Lia.
From Proved Require Import Arrays Certificate Network Routing Table Relation Queues Worms Explore Ranks Escape Ways Losses Witness Deadlocks Subject.
Import ListNotations.
Open Scope Z_scope.

(* The meaning of claims. It uses only the numbers of the evidence. *)
Definition deadlock_free (how : switching) (r : routing) : Prop :=
  match how with Wormhole => worms_free r | _ => queues_free r end.

(* A deadlock: packets that never move again, each of which reaches its place alone. It does not say that they
   reach their places together. Under wormhole switching each packet is a worm that arises alone from the
   empty network. *)
Definition deadlock (how : switching) (r : routing) : Prop :=
  match how with Wormhole => worms_deadlock r | _ => queues_deadlock r end.

(* No routing is both deadlock-free and deadlocked. *)
Theorem never_both how r : deadlock_free how r -> ~ deadlock how r.
Proof. destruct how; simpl; [intros [no _] [yes _]|intros [no _] [yes _]|intros [_ no] yes]; now apply no. Qed.

Definition holds (how : switching) (r : routing) (c : claim) : Prop :=
  match c with
  | Numbering _ => acyclic r
  | Acyclic | Elimination _ | Escape _ _ => deadlock_free how r
  | Walk n => connected r /\ n = Zlength (pairs r)
  | Longest n => livelock_free r n
  | Cycle _ => ~ acyclic r
  | Configuration _ | Worms _ _ => deadlock how r
  | Lost n u _ _ => n = Zlength (pairs r) /\ (exists e d, In (e, d) (pairs r) /\ ~ pair_connected r e d) /\
      exists f, (forall e d, In (e, d) (pairs r) -> (f (e, d) = true <-> ~ pair_connected r e d)) /\
        u = Zlength (filter f (pairs r))
  | Loop _ => goes_round r
  end.

(* Claims whose lists have become arrays. *)
Inductive prepared :=
| Ranked (every : bool) (ranks : zmap Z)
| Escaping (ranks flags : zmap Z)
| Walking
| Losing
| Ending (n : Z)
| Elsewhere.

Definition prepare (c : claim) : prepared :=
  match c with
  | Numbering l => Ranked true (of_list l)
  | Elimination l => Ranked false (of_list l)
  | Escape l f => Escaping (of_list l) (of_list f)
  | Walk _ => Walking
  | Lost _ _ _ _ => Losing
  | Longest n => Ending n
  | _ => Elsewhere
  end.

Definition at_destination (s : subject) (p : prepared) (d : Z) (rows : list row) : bool :=
  match p with
  | Ranked true a => numbered (routes s) (number s) a rows
  | Ranked false a => eliminates (routes s) (number s) a rows
  | Escaping a f => escapes_ok (routes s) (number s) a f (first_hop s) d rows
  | Walking => arrive (routes s) d rows
  | Losing => told_apart (routes s) d rows
  | Ending n => ending (routes s) n d rows
  | Elsewhere => true
  end.

(* Results for one destination: the claims that fail, the most switches that a packet passes, and the number
   of sources that may lose packets. *)
Record local := { fail : list claim; deepest : Z; missed : Z }.

Definition is_longest (c : claim) : bool := match c with Longest _ => true | _ => false end.

Definition is_lost (c : claim) : bool := match c with Lost _ _ _ _ => true | _ => false end.

Definition locally (s : subject) (ps : list (claim * prepared)) (d : Z) : option local :=
  match explored (routes s) d with
  | None => None
  | Some rows =>
      if exact s d (map fst rows) then Some {|
        fail := map fst (filter (fun cp => negb (at_destination s (snd cp) d rows)) ps);
        deepest := if existsb (fun cp => is_longest (fst cp)) ps then longest (routes s) d rows else 0;
        missed := if existsb (fun cp => is_lost (fst cp)) ps then losses (routes s) d rows else 0 |}
      else None
  end.

Fixpoint whole {A} (l : list (option A)) : option (list A) :=
  match l with
  | [] => Some []
  | None :: _ => None
  | Some x :: l => match whole l with Some l => Some (x :: l) | None => None end
  end.

(* permutation: the list is a permutation of 0..n-1. partial: n numbers, each -1 or one of 0..k-1, and each of
   0..k-1 once. *)
Definition distinct (l : list Z) : bool :=
  snd (fold_left (fun a i => (set (fst a) i tt, snd a && negb (has (fst a) i))) l (empty, true)).
Definition permutation (n : Z) (l : list Z) : bool := (Zlength l =? n) && all_in n l && distinct l.
Definition partial (n : Z) (l : list Z) : bool :=
  let given := filter (fun i => negb (i =? -1)) l in (Zlength l =? n) && permutation (Zlength given) given.

(* The flags are 0 or 1, one for each listed next hop. Hops with flag 1 lead to ranked VCs, and each ranked VC
   is reached by one of them. *)
Definition flags_ok (s : subject) (ranks flags : list Z) (es : list entry_of) : bool :=
  let a := of_list ranks in let f := of_list flags in
  let flag i := match get f i with Some x => x | None => -1 end in
  let ranked v := match get a v with Some k => negb (k =? -1) | None => false end in
  let hops := flat_map (fun e => map (fun t => fst t) (next e)) (rev es) in
  let flagged := fold_left (fun m vf => if snd vf =? 1 then set m (fst vf) tt else m) (combine hops flags) empty in
  (Zlength flags =? Zlength hops) && all_in 2 flags &&
  forallb (fun vf => (snd vf =? 0) || ranked (fst vf) && link (routes s) (fst vf)) (combine hops flags) &&
  forallb (fun v => negb (ranked v) || has flagged v) (range (number s)).

Definition pairs_sum (r : routing) : Z := fold_left (fun n d => n + Zlength (sources r d)) (destinations r) 0.

(* The part of a claim that concerns all destinations together. *)
Definition overall (c : certificate) (s : subject) (ls : list local) (cl : claim) : bool :=
  match cl with
  | Numbering l => permutation (number s) l
  | Acyclic => existsb (fun x => match x with Numbering _ => true | _ => false end) (claims c)
  | Elimination l => permutation (number s) l && match switched c with Wormhole => false | _ => true end
  | Escape l f => partial (number s) l && match written s with Some es => flags_ok s l f es | None => false end
  | Walk n => n =? pairs_sum (routes s)
  | Longest n => n =? fold_left (fun m l => Z.max m (deepest l)) ls 0
  | Cycle ps => cycle_ok (routes s) ps
  | Configuration ps => match one_each (routes s) ps with Some l => deadlocked (routes s) l | None => false end
  | Worms ps ks => match switched c, so_many (routes s) ps ks with Wormhole, Some l => deadlocked (routes s) l | _, _ => false end
  | Lost n u p how => (n =? pairs_sum (routes s)) && (u =? fold_left (fun n l => n + missed l) ls 0) && lost_ok (routes s) p how
  | Loop p => loop_ok (routes s) p
  end.

Inductive verdict := Accepted | Rejected (because : option claim). (* None: the subject is wrong *)

Definition decide (c : certificate) : verdict :=
  match subject_of c with
  | None => Rejected None
  | Some s =>
      let ps := map (fun cl => (cl, prepare cl)) (claims c) in
      match whole (map (locally s ps) (destinations (routes s))) with
      | None => Rejected None
      | Some ls =>
          match flat_map fail ls ++ filter (fun cl => negb (overall c s ls cl)) (claims c) with
          | [] => Accepted
          | cl :: _ => Rejected (Some cl)
          end
      end
  end.
