# Common functions of all stories; each run.sh reads this file with ". story.sh". It sets
# here (the story's folder) and out (the folder for output), and defines say and expect.
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "${1:-$here/out}"
out=$(cd "${1:-$here/out}" && pwd)

log=$(mktemp)
trap 'rm -f "$log"' EXIT

say() { printf '\n== %s\n' "$*"; }

# expect STATUS COMMAND... runs the command and prints the command and its output, without
# folders of this machine and times. It fails if the exit status differs.
expect() { expect_part p "$@"; }

# expect_part LINES STATUS COMMAND... does the same, but prints only the lines of sed -n LINES.
expect_part() {
  part=$1 want=$2; shift 2
  printf '$ %s\n' "$(echo "$*" | sed "s|$out/||g;s|$here/||g")"
  status=0
  "$@" > "$log" || status=$?
  sed -n "$part" "$log" | sed "s|$out/||g;s|, [0-9.]* s\$||;s|^[0-9.]* s\$||"
  [ "$status" = "$want" ] || { echo "exit status $status, want $want" >&2; exit 1; }
}
