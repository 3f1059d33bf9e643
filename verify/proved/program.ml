(* This file reads what a routing program declares: its family, the conditions on the sizes, its VCs and header states.

   Sizes are variables after the coordinates of three places (Sizes.v). *)

open Form
open Scan

(* The line that declares the family, and the text without it. *)
let cut_family s =
  let lines = String.split_on_char '\n' s in
  let is_head line =
    match scan line with
    | Word "family" :: Sign "=" :: _ :: _ -> true
    | _ -> false
    | exception Malformed _ -> false
  in
  match List.filter is_head lines with
  | [ head ] -> (head, String.concat "\n" (List.map (fun l -> if is_head l then "" else l) lines))
  | _ -> malformed "not one line that declares a family"

type family = {
  kind : string;
  names : string list;          (* of sizes; those of an open number of dimensions have no name of their own *)
  sides : (int, int) Either.t list; (* the number of a size, or a length *)
  any : string option;          (* n in mesh( *n), d in hypercube(d) *)
  wrap : int list option;       (* the dimensions with wraparound; if None, all *)
  interval : int option;        (* the length of express links *)
}

let is_ring_family f = f.kind = "torus" || f.kind = "ring"
let has_ring f d = is_ring_family f && match f.wrap with None -> true | Some l -> List.mem d l

(* Families with other links than those of a mesh, the greatest length of express links, and the names that their programs may not use. *)
let with_axes = [ "hexgrid"; "brickwall"; "express" ]
let most_interval = 1 lsl 10
let unknown_on_axes = [ "ahead"; "crosses_dateline"; "distance"; "productive"; "ring"; "works"; "wraps" ]

(* The axes of directions. A link leads from a place x to x + shifts, from places where modulus divides the sum of x times sums. *)
let axes f dims =
  let unit d k = List.init dims (fun e -> z (if e = d then k else 0)) in
  let plain d = { C.shifts = unit d 1; sums = []; modulus = z 0 } in
  match (f.kind, f.interval) with
  | "hexgrid", _ -> [ plain 0; plain 1; { C.shifts = [ z (-1); z 1 ]; sums = []; modulus = z 0 } ]
  | "brickwall", _ -> [ plain 0; { (plain 1) with C.sums = [ z 1; z 1 ]; modulus = z 2 } ]
  | "express", Some k -> List.init dims plain @ List.init dims (fun d -> { C.shifts = unit d k; sums = unit d 1; modulus = z k })
  | _ -> []

let reserved =
  [ "None"; "True"; "False"; "EJECT"; "E"; "W"; "N"; "S"; "U"; "D"; "abs"; "all"; "any"; "bool"; "enumerate"; "fail"; "len"; "list"; "max"; "min";
    "range"; "reversed"; "tuple"; "zip"; "ahead"; "crosses_dateline"; "delta"; "deroutes"; "distance"; "minus"; "others"; "plus"; "productive";
    "ring"; "side"; "to"; "towards"; "works"; "wraps" ]

let wrapped dims letters =
  let dim c = match String.index_opt "xyz3456789" c with Some d when d < dims -> d | _ -> malformed "wrap" in
  let l = List.map dim (List.of_seq (String.to_seq letters)) in
  if List.length (List.sort_uniq compare l) <> List.length l then malformed "wrap";
  l

let family dims line =
  let r = { rest = scan line } in
  ignore (next r); ignore (next r);
  let kind = word r in
  if not (List.mem kind ([ "mesh"; "torus"; "ring"; "line"; "hypercube"; "hyperx" ] @ with_axes)) then raise (Elsewhere ("family " ^ kind));
  want r "(";
  let rec sides f =
    if take r ")" then f
    else begin
      let star = take r "*" in
      let f =
        match next r with
        | Word "wrap" when (not star) && at r "=" -> (
            ignore (next r);
            match next r with
            | String letters when f.wrap = None && kind = "torus" && f.any = None -> { f with wrap = Some (wrapped dims letters) }
            | _ -> malformed "wrap")
        | Word "interval" when (not star) && at r "=" -> (
            ignore (next r);
            match next r with
            | Int k when f.interval = None && k >= 2 && k <= most_interval -> { f with interval = Some k }
            | _ -> malformed "interval")
        | Word w when star || kind = "hypercube" -> if f.any <> None || f.sides <> [] then malformed "sides" else { f with any = Some w }
        | Word w ->
            let names = if List.mem w f.names then f.names else f.names @ [ w ] in
            let rec index i = function x :: l -> if x = w then i else index (i + 1) l | [] -> malformed "sides" in
            { f with names; sides = f.sides @ [ Either.Left (index 0 names) ] }
        | Int k when (not star) && kind <> "hypercube" -> { f with sides = f.sides @ [ Either.Right k ] }
        | _ -> malformed "sides"
      in
      if not (at r ")") then want r ",";
      sides f
    end
  in
  let f = sides { kind; names = []; sides = []; any = None; wrap = None; interval = None } in
  if r.rest <> [ Line; End ] then malformed "the family";
  if (f.interval <> None) <> (kind = "express") then malformed "interval";
  let f =
    match f.any with
    | None -> if kind = "hypercube" then malformed "sides" else f
    | Some any ->
        if kind = "ring" || kind = "line" || List.mem kind with_axes || f.sides <> [] || f.wrap <> None then malformed "sides";
        let each g = List.init dims g in
        if kind = "hypercube" then { f with sides = each (fun _ -> Either.Right 2) }
        else { f with names = each (fun d -> Printf.sprintf "%s[%d]" any d); sides = each (fun d -> Either.Left d) }
  in
  if List.mem kind [ "hexgrid"; "brickwall" ] && dims <> 2 then malformed "the number of dimensions";
  if List.length f.sides <> dims || ((kind = "ring" || kind = "line") && dims <> 1) then malformed "the number of dimensions";
  List.iteri (fun d -> function Either.Right k ->
    if k < 1 || k > 1 lsl 20 || (has_ring f d && k < 3) || (kind = "hyperx" && k < 2) then malformed "a side" | Either.Left _ -> ()) f.sides;
  if not (List.exists (function Either.Right k -> k > 1 | Either.Left _ -> true) f.sides) then malformed "networks of one switch";
  if List.exists (fun w -> List.mem w reserved) (f.names @ Option.to_list f.any) then malformed "the name of a size";
  f

(* Conditions on the sizes: forms are a constant, then the coefficient of each size. *)

type condition = Positive of int array | Multiple of int * int array

let most_factor = 1 lsl 20

(* The text of a string of Coq. *)
let rec text_of = function
  | C.EmptyString -> ""
  | C.String (C.Ascii (a, b, c, d, e, f, g, h), s) ->
      let bit b i = if b then 1 lsl i else 0 in
      String.make 1 (Char.chr (bit a 0 + bit b 1 + bit c 2 + bit d 3 + bit e 4 + bit f 5 + bit g 6 + bit h 7)) ^ text_of s

let rec int_of_positive = function C.XH -> 1 | C.XO p -> 2 * int_of_positive p | C.XI p -> (2 * int_of_positive p) + 1
let int_of = function C.Z0 -> 0 | C.Zpos p -> int_of_positive p | C.Zneg p -> -int_of_positive p

let is_constant a = Array.for_all (( = ) 0) (Array.sub a 1 (Array.length a - 1))

(* A sum of sizes and numbers. In a family for any number of dimensions the name of the sides is side d. *)
let rec sum f d x =
  let n = List.length f.names in
  let unit i = Array.init (1 + n) (fun v -> if v = 1 + i then 1 else 0) in
  let scaled k a = Array.map (( * ) k) a in
  let bounded a = if Array.exists (fun c -> abs c > most_factor) a then malformed "a condition" else a in
  match x with
  | C.Number k -> bounded (Array.init (1 + n) (fun v -> if v = 0 then int_of k else 0))
  | C.Name w -> (
      let w = text_of w in
      match f.any with
      | Some any -> if any = w && f.kind <> "hypercube" then unit d else malformed "a condition"
      | None ->
          let rec index i = function x :: l -> if x = w then i else index (i + 1) l | [] -> malformed "a condition" in
          unit (index 0 f.names))
  | C.Operate (op, x, y) ->
      let a = sum f d x and b = sum f d y in
      bounded
        (match op with
        | C.Plus -> Array.map2 ( + ) a b
        | C.Minus -> Array.map2 ( - ) a b
        | C.Times -> if is_constant b then scaled b.(0) a else if is_constant a then scaled a.(0) b else malformed "a condition"
        | _ -> malformed "a condition")
  | _ -> malformed "a condition"

let condition f d x =
  let minus a b k = let c = Array.map2 ( - ) a b in c.(0) <- c.(0) - k; c in
  match x with
  | C.Operate (C.Equal, C.Operate (C.Remainder, x, m), y) -> (
      let m = sum f d m and b = sum f d y in
      match (is_constant m, is_constant b) with
      | true, true when m.(0) >= 2 -> [ Multiple (m.(0), minus (sum f d x) b 0) ]
      | _ -> malformed "a condition")
  | C.Operate (op, x, y) -> (
      let a = sum f d x and b = sum f d y in
      match op with
      | C.Not_less -> [ Positive (minus a b 0) ]
      | C.More -> [ Positive (minus a b 1) ]
      | C.At_most -> [ Positive (minus b a 0) ]
      | C.Less -> [ Positive (minus b a 1) ]
      | C.Equal -> [ Positive (minus b a 0); Positive (minus a b 0) ]
      | _ -> malformed "a condition")
  | _ -> malformed "a condition"

let conditions f dims = function
  | C.List_of l when List.length l <= 32 ->
      let each = match f.any with None -> [ 0 ] | Some _ -> List.init dims Fun.id in
      List.concat_map (fun x -> List.map (fun d -> condition f d x) each) l
  | _ -> malformed "where"

(* The smallest value of a size. A condition of the form size >= number replaces the usual bound. *)
let least f where i =
  let on_ring = List.exists Fun.id (List.mapi (fun d s -> s = Either.Left i && has_ring f d) f.sides) in
  let bound = function
    | [ Positive a ] when a.(1 + i) = 1 && List.for_all (fun v -> v = i || a.(1 + v) = 0) (List.init (Array.length a - 1) Fun.id) -> Some (-a.(0))
    | _ -> None
  in
  match List.filter_map bound where with
  | [] -> if on_ring then 3 else 2
  | l ->
      let k = List.fold_left max 0 l in
      if k < (if on_ring || f.kind = "hyperx" then 2 else 1) then malformed "the bound of a size" else k

let rec int_of_nat = function C.O -> 0 | C.S n -> 1 + int_of_nat n
let rec nat i = if i <= 0 then C.O else C.S (nat (i - 1))

(* A form on the sizes as one on all variables. *)
let on_variables dims a = z a.(0) :: (List.init (3 * dims) (fun _ -> C.Z0) @ List.map z (List.tl (Array.to_list a)))

let formula dims l =
  C.conj (List.map (function Positive a -> C.at_least (on_variables dims a) | Multiple (m, a) -> C.divides (z m) (on_variables dims a)) l)

let literal most = function
  | C.Assign (C.To_name _, C.Number k) when int_of k >= 1 && int_of k <= most -> int_of k
  | _ -> malformed "want a number"

(* Reads the text for a number of dimensions. *)
let world text dims =
  if String.length text > 1 lsl 16 then malformed "a long program";
  if dims < 1 || dims > 16 then malformed "the number of dimensions";
  let head, rest = cut_family text in
  let f = family dims head in
  if List.mem f.kind with_axes && List.exists (function Word w -> List.mem w unknown_on_axes | _ -> false) (scan text) then
    malformed "a function about distances or rings of a mesh or torus";
  let statements = List.map (fun s -> (List.map text_of (C.binds s), s)) (Parse.program rest) in
  let names = List.concat_map fst statements in
  if List.length (List.sort_uniq compare names) <> List.length names || List.mem "family" names then malformed "a name that is defined twice";
  let defined name = List.find_map (fun (l, s) -> if List.mem name l then Some s else None) statements in
  let where = match defined "where" with None -> [] | Some (C.Assign (C.To_name _, x)) -> conditions f dims x | Some _ -> malformed "where" in
  List.iter (function _, C.Change _ -> malformed "an assignment to a global name" | _ -> ()) statements;
  let vcs = match defined "vcs" with None -> 1 | Some s -> literal 64 s in
  let states = match defined "states" with None -> 1 | Some s -> literal 256 s in
  (match defined "route" with
  | Some (C.Define (_, l, _)) when List.length l = 4 || (List.length l = 3 && states = 1) -> ()
  | _ -> malformed "no function route");
  (match defined "inject" with None -> () | Some (C.Define (_, l, _)) when List.length l = 2 -> () | Some _ -> malformed "inject");
  let size i = C.variable (nat ((3 * dims) + i)) in
  let number f = C.V_number { C.num = f; den = z 1 } in
  let sizes = List.length f.names in
  let bounds = List.init sizes (fun i -> Positive (Array.init (1 + sizes) (fun v -> if v = 0 then -least f where i else if v = 1 + i then 1 else 0))) in
  let size_names =
    match f.any with
    | None -> List.mapi (fun i w -> (Parse.string_of w, number (size i))) f.names
    | Some any when f.kind = "hypercube" -> [ (Parse.string_of any, C.integer (z dims)) ]
    | Some any -> [ (Parse.string_of any, C.V_tuple (List.init dims (fun d -> number (size d)))) ]
  in
  { C.base =
      { C.axes = axes f dims;
        complete = f.kind = "hyperx";
        rings = List.init dims (has_ring f);
        sides = List.map (function Either.Left i -> C.Size (nat i) | Either.Right k -> C.Length (z k)) f.sides;
        sizes = nat sizes; broken = C.Nothing;
        sizes_when = List.map (fun c -> formula dims [ c ]) bounds @ List.map (formula dims) where;
        lanes = z vcs;
        passes = List.mem (Word "EJECT") (scan text);
        injects = []; paths = [] };
    has_rings = is_ring_family f; size_names; header_states = nat states;
    top_level = List.filter_map (fun (l, s) -> if List.mem "where" l then None else Some s) statements }
