(* This file splits the text of a routing program into tokens, and reads their sequence.

   The syntax is the part of Starlark that verify/cert/everysize reads. Any other text is malformed: this file must not
   read a text in another sense than Starlark does. *)

open Form

type token = Word of string | Int of int | String of string | Sign of string | Line | Indent | Dedent | End

let keywords =
  [ "and"; "break"; "continue"; "def"; "elif"; "else"; "for"; "if"; "in"; "lambda"; "load"; "not"; "or"; "pass"; "return"; "while"; "as";
    "assert"; "class"; "del"; "except"; "finally"; "from"; "global"; "import"; "is"; "nonlocal"; "raise"; "try"; "with"; "yield" ]

(* Operators and brackets, long ones first. *)
let signs =
  [ "//="; "=="; "!="; "<="; ">="; "//"; "+="; "-="; "*="; "%="; "+"; "-"; "*"; "%"; "<"; ">"; "="; "("; ")"; "["; "]"; ","; ":"; "."; ";" ]

let is_letter c = c = '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')
let is_digit c = c >= '0' && c <= '9'

(* The first place from i on whose character does not fit. *)
let rec while_ fits s i = if i < String.length s && fits s.[i] then while_ fits s (i + 1) else i

(* Bytes above ASCII occur in comments only, and control characters not at all. *)
let check_bytes s =
  let comment = ref false in
  String.iter
    (fun c ->
      if c = '\n' then comment := false
      else if c < ' ' || (c >= '\x80' && not !comment) then malformed "a byte outside the language"
      else if c = '#' then comment := true)
    s

(* A name, number, string or sign at i, and the place after it. *)
let one s i =
  let c = s.[i] in
  if is_letter c then begin
    let j = while_ (fun c -> is_letter c || is_digit c) s i in
    if j < String.length s && (s.[j] = '"' || s.[j] = '\'') then malformed "a string with a prefix";
    let word = String.sub s i (j - i) in
    ((if List.mem word keywords then Sign word else Word word), j)
  end
  else if is_digit c then begin
    let j = while_ (fun c -> is_letter c || is_digit c || c = '.') s i in
    let digits = String.sub s i (j - i) in
    if (not (String.for_all is_digit digits)) || String.length digits > 13 || (c = '0' && digits <> "0") then malformed "a number";
    let k = int_of_string digits in
    if k > 1 lsl 40 then malformed "a number";
    (Int k, j)
  end
  else if c = '"' || c = '\'' then begin
    let j = while_ (fun x -> x <> c && x <> '\\' && x <> '\n') s (i + 1) in
    if j >= String.length s || s.[j] <> c then malformed "a string";
    if i + 2 < String.length s && s.[i + 1] = c && s.[i + 2] = c then malformed "a string";
    (String (String.sub s (i + 1) (j - i - 1)), j + 1)
  end
  else
    match List.find_opt (fun sign -> i + String.length sign <= String.length s && String.sub s i (String.length sign) = sign) signs with
    | Some sign -> (Sign sign, i + String.length sign)
    | None -> malformed "a character outside the language"

(* Skips blank lines and lines of comments from the start of a line at i. Returns the width of the next line, and where it
   begins; at the end of the text there is none. *)
let rec next_line s i =
  let j = while_ (fun c -> c = ' ') s i in
  let blank = j >= String.length s || s.[j] = '\n' || s.[j] = '#' in
  if not blank then Some (j - i, j)
  else
    let k = while_ (fun c -> c <> '\n') s j in
    if k >= String.length s then None else next_line s (k + 1)

let scan s =
  check_bytes s;
  let tokens = ref [] and levels = ref [ 0 ] and depth = ref 0 in
  let add t = tokens := t :: !tokens in
  let indent width =
    if width > List.hd !levels then (levels := width :: !levels; add Indent);
    while width < List.hd !levels do levels := List.tl !levels; add Dedent done;
    if width <> List.hd !levels then malformed "an indentation"
  in
  let rec go fresh i =
    if fresh && !depth = 0 then match next_line s i with None -> true | Some (width, j) -> indent width; go false j
    else if i >= String.length s then fresh
    else
      match s.[i] with
      | '\n' -> if !depth = 0 then (add Line; go true (i + 1)) else go fresh (i + 1)
      | ' ' -> go fresh (i + 1)
      | '#' -> go fresh (while_ (fun c -> c <> '\n') s i)
      | _ ->
          let token, j = one s i in
          add token;
          (match token with
          | Sign ("(" | "[") -> incr depth
          | Sign (")" | "]") -> decr depth; if !depth < 0 then malformed "a bracket closes nothing"
          | _ -> ());
          go fresh j
  in
  let fresh = go true 0 in
  if !depth <> 0 then malformed "a bracket is not closed";
  if not fresh then add Line;
  List.iter (fun width -> if width > 0 then add Dedent) !levels;
  add End;
  List.rev !tokens

(* A sequence of tokens that is read from the front. *)
type reader = { mutable rest : token list }

let peek r = List.hd r.rest
let next r = let t = peek r in (match r.rest with [ End ] -> () | _ -> r.rest <- List.tl r.rest); t
let at r sign = peek r = Sign sign
let take r sign = at r sign && (ignore (next r); true)
let want r sign = if not (take r sign) then malformed ("want " ^ sign)
let word r = match next r with Word w -> w | _ -> malformed "want a name"
