(* This file decides whether a program corrects one dimension after another (docs/theorems/every-dimension.md). Its function route is

     for d in range(len(cur)):
         BODY
     return []

   BODY looks only at cur[d], dst[d], functions of dimension d, and whether the packet arrived in dimension d, inp.dim == d. It uses
   inp.vc and inp.wrap only where this is known. It keeps no value for the next dimension. If cur[d] == dst[d], it does not
   return, whatever the answers to its questions are.

   The rules are those of verify/cert/everysize/dimensions.go. *)

From Coq Require Import ZArith List Bool Arith String.
From Proved Require Import Formulas Sizes Language Paths.
Import ListNotations.
Open Scope Z_scope.

Definition among (x : string) (l : list string) : bool := existsb (String.eqb x) l.
Definition reserved : list string := map fst constants ++ map fst letters ++ map fst builtins.

Fixpoint distinct_names (l : list string) : bool :=
  match l with [] => true | x :: l => negb (among x reserved) && negb (among x l) && distinct_names l end.

Definition is_name (x : expr) (a : string) : bool := match x with Name b => String.eqb b a | _ => false end.

(* What a program says about one dimension: that of the name dim, or that of the hop of a name. No name is empty, so an empty text stands for no name. *)
Section Uniform.
  Variables cur dst inp dim hop : string.

  Definition is_dim (x : expr) : bool := is_name x dim || match x with Dot y a => is_name y hop && String.eqb a "dim" | _ => false end.
  Definition is_input (x : expr) : bool := is_name x inp.

  (* x compares inp.dim with the dimension. *)
  Definition is_arrival (o : operator) (x : expr) : bool :=
    let same_operator a b := match a, b with Equal, Equal | Differ, Differ => true | _, _ => false end in
    let arrival y := match y with Dot z a => is_input z && String.eqb a "dim" | _ => false end in
    match x with Operate q y z => same_operator q o && (arrival y && is_dim z || arrival z && is_dim y) | _ => false end.
  (* If x is true, the packet arrived in the dimension. *)
  Fixpoint arrived (x : expr) : bool :=
    is_arrival Equal x || match x with Both y z => arrived y || arrived z | _ => false end.

  (* The first arguments of functions: c for cur, t for dst, d for the dimension. Others are values of the dimension. *)
  Inductive argument := Is_cur | Is_dst | Is_dim.
  Definition first_arguments (f : string) : option (list argument) :=
    let is_ l := among f l in
    if is_ ["towards"; "ahead"; "delta"]%string then Some [Is_cur; Is_dst; Is_dim]
    else if is_ ["side"; "ring"; "plus"; "minus"; "others"; "deroutes"; "to"]%string then Some [Is_dim]
    else if is_ ["wraps"]%string then Some [Is_cur]
    else if is_ ["crosses_dateline"]%string then Some [Is_cur; Is_dst]
    else if is_ ["abs"; "bool"; "min"; "max"]%string then Some []
    else None.
  Definition is_argument (a : argument) (x : expr) : bool :=
    match a with Is_cur => is_name x cur | Is_dst => is_name x dst | Is_dim => is_dim x end.

  (* known: names that have a value of this dimension. within: the packet is known to have arrived in it. *)
  Fixpoint uniform (known : list string) (within : bool) (x : expr) : bool :=
    match x with
    | Number _ => true
    | Name a => among a known || String.eqb a hop || among a ["None"; "True"; "False"]%string
    | Item y z => (is_name y cur || is_name y dst) && is_dim z
    | Dot y a => is_input y && (String.eqb a "vc" || String.eqb a "wrap") && within || String.eqb a "sign" && uniform known within y
    | Both y z => uniform known within y && uniform known (within || arrived y) z
    | If_else c y z => uniform known within c && uniform known (within || arrived c) y && uniform known (within || is_arrival Differ c) z
    | Operate o y z =>
        match o with
        | Inside | Outside => false
        | Equal | Differ => is_arrival o x || uniform known within y && uniform known within z
        | _ => uniform known within y && uniform known within z
        end
    | Either y z => uniform known within y && uniform known within z
    | Negate y | Negative y | Positive y => uniform known within y
    | Tuple_of l | List_of l => forallb (uniform known within) l
    | Call (Name f) l =>
        match first_arguments f with
        | Some first =>
            (fix go (first : list argument) (l : list expr) : bool :=
               match first, l with
               | a :: first, y :: l => is_argument a y && go first l
               | _ :: _, [] => false
               | [], y :: l => uniform known within y && go [] l
               | [], [] => true
               end) first l
        | None => false
        end
    | _ => false
    end.

  (* Judges statements. Names that they assign have a value for the statements after them. *)
  Fixpoint uniform_statement (known : list string) (within : bool) (x : stmt) : option (list string) :=
    let block := fix block (known : list string) (within : bool) (l : list stmt) : bool :=
      match l with
      | [] => true
      | y :: l => match uniform_statement known within y with Some known => block known within l | None => false end
      end in
    match x with
    | Pass => Some known
    | Return (Some y) => if uniform known within y then Some known else None
    | Assign (To_name a) y => if negb (among a (reserved ++ [cur; dst; inp; dim; hop])) && uniform known within y then Some (a :: known) else None
    | If c body other =>
        if uniform known within c && block known (within || arrived c) body && block known (within || is_arrival Differ c) other then Some known else None
    | _ => None
    end.
  Fixpoint uniform_block (known : list string) (within : bool) (l : list stmt) : bool :=
    match l with
    | [] => true
    | y :: l => match uniform_statement known within y with Some known => uniform_block known within l | None => false end
    end.
End Uniform.

(* A statement of the top level that says the same in each number of dimensions. *)
Fixpoint is_literal (x : expr) : bool :=
  match x with
  | Number _ | Text _ => true
  | Negative (Number _) => true
  | Tuple_of l | List_of l => forallb is_literal l
  | _ => false
  end.
Definition is_fixed (x : stmt) : bool :=
  match x with Define _ _ _ | Pass => true | Assign (To_name _) y => is_literal y | _ => false end.

(* Whether statements go on, for all answers to their questions. *)
Section Aligned.
  Variable w : world.
  Notation p := (base w).

  Definition answers (q : question) : nat := List.length (ways w q).
  Fixpoint goes_on_always (r : run signal) (n : seen) : bool :=
    match r with
    | Done Goes_on => true
    | Done _ | Mistake | Beyond => false
    | Ask q next => forallb (fun i => goes_on_always (next i) n) (seq 0 (answers q))
    | Ask_direction next =>
        match saw_direction n with
        | Some d => goes_on_always (next d) n
        | None => forallb (fun d => goes_on_always (next d) (see_direction n d)) (lists_directions w n)
        end
    | Ask_vc next =>
        match saw_vc n with
        | Some k => goes_on_always (next k) n
        | None =>
            if (lanes p =? 1) || match saw_direction n with Some None => true | _ => false end then goes_on_always (next 0) n
            else forallb (fun k => goes_on_always (next k) (see_vc n k)) (map Z.of_nat (seq 0 (Z.to_nat (lanes p))))
        end
    | Ask_header next => goes_on_always (next 0) n
    end.

  (* A run of the body of the loop, if both coordinates are the same. *)
  Definition body_run (parameters names : list string) (dim : string) (body : list stmt) : run signal :=
    let here_ := coordinates w here in
    let m : M signal :=
      load w;;
      let* s := get in
      with_scopes [{| bound := names; vals := combine parameters [here_; here_; V_input] |}; last (scopes s) {| bound := []; vals := [] |}];;
      assign_name dim (integer 0);;
      execute w deepest body in
    bind (m fresh) (fun x => Done (fst x)).
End Aligned.

(* The name of the sizes in a family for any number of dimensions, and whether it is the number of dimensions. *)
Definition any_name (w : world) : option (string * bool) :=
  match size_names w with
  | [(a, V_tuple _)] => Some (a, false)
  | [(a, V_number x)] => match known_number x with Some _ => Some (a, true) | None => None end
  | _ => None
  end.

(* The number of dimensions. *)
Definition is_dimensions (any : string) (is_number : bool) (cur : string) (local : list string) (x : expr) : bool :=
  match x with Call (Name g) [z] => String.eqb g "len" && is_name z cur | _ => false end || is_number && is_name x any && negb (among any local).
Definition is_all_dimensions (any : string) (is_number : bool) (cur : string) (local : list string) (x : expr) : bool :=
  match x with Call (Name f) [y] => String.eqb f "range" && is_dimensions any is_number cur local y | _ => false end.

Definition find_route (l : list stmt) : option (list string * list stmt) :=
  match find (fun x => match x with Define f _ _ => String.eqb f "route" | _ => false end) l with
  | Some (Define _ parameters body) => Some (parameters, body)
  | _ => None
  end.

(* Outside of functions nothing depends on the number of dimensions, and no name hides it. *)
Definition fixed_outside (w : world) : bool :=
  forallb (fun x => negb (among x (reserved ++ map fst (size_names w)))) (flat_map binds (top_level w)) && forallb is_fixed (top_level w).

Definition in_order (w : world) : bool :=
  fixed_outside w &&
  match any_name w, find_route (top_level w) with
  | Some (any, is_number), Some ([cur; dst; inp] as parameters, For (To_name dim) over body :: rest) =>
      let names := parameters ++ flat_map binds (For (To_name dim) over body :: rest) in
      match rest with [] | [Return (Some (List_of []))] => true | _ => false end &&
      is_all_dimensions any is_number cur names over && negb (String.eqb dim any) &&
      distinct_names [cur; dst; inp; dim] &&
      uniform_block cur dst inp dim "" [] false body && negb (among any (flat_map binds body)) &&
      goes_on_always w (body_run w parameters names dim body) nothing_seen
  | _, _ => false
  end.
