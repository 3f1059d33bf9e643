# What every story begins with; run.sh reads it with ". story.sh". Sets here (the
# story's folder) and out (the folder for what it writes), and defines say and expect.
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "${1:-$here/out}"
out=$(cd "${1:-$here/out}" && pwd)

log=$(mktemp)
trap 'rm -f "$log"' EXIT

say() { printf '\n== %s\n' "$*"; }

# expect STATUS COMMAND... shows the command and what it prints, without folders of this
# machine and bare times, and fails unless it exits with that status.
expect() { expect_part p "$@"; }

# expect_part LINES STATUS COMMAND... shows only the lines that sed -n LINES prints.
expect_part() {
  part=$1 want=$2; shift 2
  printf '$ %s\n' "$(echo "$*" | sed "s|$out/||g;s|$here/||g")"
  status=0
  "$@" > "$log" || status=$?
  sed -n "$part" "$log" | sed "s|$out/||g;s|, [0-9.]* s\$||;s|^[0-9.]* s\$||"
  [ "$status" = "$want" ] || { echo "exit status $status, $want was expected" >&2; exit 1; }
}
