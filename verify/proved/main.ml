(* turnproof-proved FILE...: judges certificates by the checker that Coq has proved. For each file it prints a
   verdict, and below it a line for each claim:

     accepted              every claim is judged, and is true by the theorem decide_waiting_sound
     accepted in part      the claims listed as judged are true by the theorem; the others are not judged
     rejected: CLAIM       CLAIM is a claim, "subject" or "file"
     not judged: PART      no claim is judged, because no theorem covers this part of the subject
       judged: CLAIM VERDICT by EVIDENCE
       not judged: CLAIM VERDICT by EVIDENCE

   The theorems of routing programs for every size are judge_program_sound and judge_every_sound.

   Without arguments it reads certificates from standard input: a line with a number of bytes, then that
   many bytes, for each. It answers each with one line, the verdict. The line "accepted in part" names the
   claims that are not judged. Exit status: 0 all claims of all files accepted, 1 some rejected, 2 usage or input,
   3 some not judged. *)

let claim_name c =
  match c with
  | Judge.Numbering _ | Judge.Cycle _ -> "acyclic-cdg"
  | Judge.Acyclic | Judge.Elimination _ | Judge.Escape _ | Judge.Configuration _ | Judge.Worms _ -> "deadlock-free"
  | Judge.Walk _ | Judge.Lost _ -> "connected"
  | Judge.Longest _ | Judge.Loop _ -> "livelock-free"

(* The verdict on a file, with the judged claims and the other claims. *)
type answer = { status : int; verdict : string; judged : string list; others : string list }

let rejected what = { status = 1; verdict = "rejected: " ^ what; judged = []; others = [] }

let nothing_judged part others = { status = 3; verdict = "not judged: " ^ part; judged = []; others }

(* A certificate of a routing program for every size. *)
let answer_program file json =
  match Everysize.read file json with
  | exception Form.Malformed _ -> rejected "file"
  | exception Form.Elsewhere part -> nothing_judged part []
  | c -> (
      let verdict =
        match (c.about.every, c.cases) with
        | false, _ -> Judge.judge_program c.about.wormhole c.about.world c.about.faults c.cases c.proofs
        | true, [ evidence ] -> Judge.judge_every c.about.wormhole c.about.world evidence c.proofs
        | true, _ -> Judge.Rejects
      in
      match verdict with
      | Judge.Rejects -> rejected "deadlock-free"
      | Judge.Outside_language when c.about.every -> nothing_judged "an escape for every number of dimensions" []
      | Judge.Outside_language -> nothing_judged "a part of the language of programs" []
      | Judge.Accepts -> { status = 0; verdict = "accepted"; judged = c.proved; others = [] })

let answer_certificate file json =
  match Form.certificate file json with
  | exception Form.Malformed _ -> rejected "file"
  | Form.Nothing_judged (part, others) -> nothing_judged part others
  | Form.Judged_in_part (certificate, judged, others) -> (
      match Judge.decide_waiting certificate with
      | Judge.Rejected None -> rejected "subject"
      | Judge.Rejected (Some claim) -> rejected (claim_name claim)
      | Judge.Accepted ->
          if others = [] then { status = 0; verdict = "accepted"; judged; others }
          else if judged = [] then { status = 3; verdict = "not judged: " ^ List.hd others; judged; others }
          else { status = 3; verdict = "accepted in part"; judged; others })

let answer file =
  match Form.json_of file with
  | exception Form.Malformed _ -> rejected "file"
  | json -> if Everysize.is_program json then answer_program file json else answer_certificate file json

let read name =
  let channel = open_in_bin name in
  Fun.protect ~finally:(fun () -> close_in channel) (fun () -> really_input_string channel (in_channel_length channel))

let worst = ref 0
let count a = if !worst <> 1 && a.status <> 0 then worst := a.status

let tell prefix file =
  let a = answer file in
  count a;
  print_endline (prefix ^ a.verdict);
  List.iter (fun claim -> print_endline ("  judged: " ^ claim)) a.judged;
  List.iter (fun claim -> print_endline ("  not judged: " ^ claim)) a.others

let stream () =
  set_binary_mode_in stdin true;
  try
    while true do
      let n = int_of_string (input_line stdin) in
      let a = answer (really_input_string stdin n) in
      count a;
      print_endline (if a.verdict = "accepted in part" then a.verdict ^ ", not judged: " ^ String.concat "; " a.others else a.verdict)
    done
  with End_of_file -> ()

let () =
  Gc.set { (Gc.get ()) with minor_heap_size = 4_000_000 }; (* in words; most allocated values are short-lived *)
  match List.tl (Array.to_list Sys.argv) with
  | [] -> stream (); exit !worst
  | files ->
      (try
         List.iter
           (fun name ->
             let file = read name in
             tell (if List.length files = 1 then "" else String.escaped name ^ ": ") file)
           files
       with Sys_error why -> prerr_endline ("turnproof-proved: " ^ why); exit 2);
      exit !worst
