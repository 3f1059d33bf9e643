(* This file parses the text of a routing program into the syntax tree that Coq judges (Language.v). *)

open Form
open Scan

let char_of c =
  let b i = Char.code c land (1 lsl i) <> 0 in
  C.Ascii (b 0, b 1, b 2, b 3, b 4, b 5, b 6, b 7)

let string_of s = String.fold_right (fun c r -> C.String (char_of c, r)) s C.EmptyString

let most_nested = 100
let enter depth = if depth >= most_nested then malformed "nested too deeply" else depth + 1

let operators =
  [ ("+", C.Plus); ("-", C.Minus); ("*", C.Times); ("//", C.Quotient); ("%", C.Remainder); ("==", C.Equal); ("!=", C.Differ); ("<", C.Less);
    (">", C.More); ("<=", C.At_most); (">=", C.Not_less); ("in", C.Inside); ("not in", C.Outside) ]

(* Binary operators by precedence, weak ones first. Level 2 is the prefix "not". *)
let levels = [| [ "or" ]; [ "and" ]; []; [ "=="; "!="; "<"; "<="; ">"; ">="; "in"; "not" ]; [ "+"; "-" ]; [ "*"; "//"; "%" ] |]

let rec to_pattern = function
  | C.Name x -> C.To_name x
  | C.Tuple_of (_ :: _ as l) | C.List_of (_ :: _ as l) -> C.To_names (List.map to_pattern l)
  | _ -> malformed "want names"

(* An expression. *)
let rec test depth r =
  let depth = enter depth in
  let x = binary depth 0 r in
  if not (take r "if") then x
  else begin
    let c = binary depth 0 r in
    want r "else";
    let y = test depth r in
    C.If_else (c, x, y)
  end

and binary depth level r =
  if level = Array.length levels then unary depth r
  else if level = 2 then if take r "not" then C.Negate (binary (enter depth) 2 r) else binary depth 3 r
  else begin
    let rec more count x =
      match peek r with
      | Sign s when List.mem s levels.(level) ->
          if level = 3 && count > 0 then malformed "two comparisons in a row";
          ignore (next r);
          let s = if s = "not" then (want r "in"; "not in") else s in
          let y = binary depth (level + 1) r in
          more (count + 1)
            (match s with "or" -> C.Either (x, y) | "and" -> C.Both (x, y) | s -> C.Operate (List.assoc s operators, x, y))
      | _ -> x
    in
    more 0 (binary depth (level + 1) r)
  end

and unary depth r =
  if take r "-" then C.Negative (unary (enter depth) r) else if take r "+" then C.Positive (unary (enter depth) r) else primary depth r

and primary depth r =
  let rec more x =
    if take r "(" then more (C.Call (x, items depth r ")"))
    else if take r "[" then (let i = test depth r in want r "]"; more (C.Item (x, i)))
    else if take r "." then more (C.Dot (x, string_of (word r)))
    else x
  in
  more (operand depth r)

(* Expressions up to a closing bracket. *)
and items depth r close =
  if take r close then []
  else begin
    let x = test depth r in
    if not (at r close) then want r ",";
    x :: items depth r close
  end

and operand depth r =
  let depth = enter depth in
  match next r with
  | Word w -> C.Name (string_of w)
  | Int k -> C.Number (z k)
  | String s -> C.Text (string_of s)
  | Sign "(" ->
      if take r ")" then C.Tuple_of []
      else begin
        let first = test depth r in
        if take r ")" then first else (want r ","; C.Tuple_of (first :: items depth r ")"))
      end
  | Sign "[" ->
      if take r "]" then C.List_of []
      else begin
        let first = test depth r in
        if at r "for" then C.Each (first, clauses depth r)
        else begin
          if not (at r "]") then want r ",";
          C.List_of (first :: items depth r "]")
        end
      end
  | _ -> malformed "outside the language"

and clauses depth r =
  if take r "]" then []
  else if take r "if" then (let c = binary depth 0 r in (None, c) :: clauses depth r)
  else begin
    want r "for";
    let t = pattern depth r in
    want r "in";
    let from = binary depth 0 r in
    (Some t, from) :: clauses depth r
  end

(* The names of a loop. *)
and pattern depth r =
  let one () = to_pattern (primary depth r) in
  let first = one () in
  let rec more l = if take r "," then more (one () :: l) else List.rev l in
  if at r "," then C.To_names (more [ first ]) else first

(* An expression, or a tuple without brackets. *)
let listed depth r =
  let x = test depth r in
  let rec more l = if take r "," then more (test depth r :: l) else List.rev l in
  if at r "," then C.Tuple_of (more [ x ]) else x

type place = { depth : int; loops : int; nested : int }

(* A statement of one line. *)
let simple p r =
  let loop s x = if take r s then (if p.loops = 0 then malformed (s ^ " outside a loop") else Some x) else None in
  match loop "break" C.Break with
  | Some x -> x
  | None -> (
      match loop "continue" C.Continue with
      | Some x -> x
      | None ->
          if take r "pass" then C.Pass
          else if take r "return" then
            if p.nested = 0 then malformed "return outside a function"
            else if peek r = Line || at r ";" then C.Return None
            else C.Return (Some (listed p.depth r))
          else begin
            let x = listed p.depth r in
            let x =
              match peek r with
              | Sign "=" -> (
                  ignore (next r);
                  let v = listed p.depth r in
                  match x with C.Item (l, i) -> C.Set_item (l, i, v) | x -> C.Assign (to_pattern x, v))
              | Sign (("+=" | "-=" | "*=" | "//=" | "%=") as s) -> (
                  ignore (next r);
                  let v = listed p.depth r in
                  let op = List.assoc (String.sub s 0 (String.length s - 1)) operators in
                  match x with C.Name x -> C.Change (x, op, v) | _ -> malformed "an assignment")
              | _ -> C.Do x
            in
            if at r "=" then malformed "two assignments";
            x
          end)

let rec statement p r =
  let p = { p with depth = enter p.depth } in
  if take r "def" then [ define p r ]
  else if at r "if" || at r "for" then begin
    if p.nested = 0 then malformed "a statement outside a function";
    if take r "if" then [ branch p r ]
    else begin
      want r "for";
      let t = pattern p.depth r in
      want r "in";
      let over = listed p.depth r in
      let body = block { p with loops = p.loops + 1 } r in
      [ C.For (t, over, body) ]
    end
  end
  else begin
    let rec more l =
      let l = simple p r :: l in
      if take r ";" && peek r <> Line then more l else List.rev l
    in
    let l = more [] in
    if next r <> Line then malformed "the line does not end";
    l
  end

and branch p r =
  let p = { p with depth = enter p.depth } in
  let c = test p.depth r in
  let body = block p r in
  let other = if take r "elif" then [ branch p r ] else if take r "else" then block p r else [] in
  C.If (c, body, other)

and block p r =
  want r ":";
  if peek r <> Line then
    if at r "def" || at r "if" || at r "for" then malformed "want a simple statement" else statement p r
  else begin
    ignore (next r);
    if next r <> Indent then malformed "want a block";
    let rec more l = if peek r = Dedent then List.rev l else more (List.rev_append (statement p r) l) in
    let l = more [] in
    ignore (next r);
    l
  end

and define p r =
  let f = word r in
  want r "(";
  let rec parameters l =
    if take r ")" then List.rev l
    else begin
      let x = word r in
      if List.mem x l then malformed "a parameter twice";
      if not (at r ")") then want r ",";
      parameters (x :: l)
    end
  in
  let l = parameters [] in
  let body = block { p with loops = 0; nested = p.nested + 1 } r in
  C.Define (string_of f, List.map string_of l, body)

let program text =
  let r = { rest = scan text } in
  let rec all l = if peek r = End then List.rev l else all (List.rev_append (statement { depth = 0; loops = 0; nested = 0 } r) l) in
  all []
