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
expect() {
  want=$1; shift
  printf '$ %s\n' "$(echo "$*" | sed "s|$out/||g;s|$here/||g")"
  status=0
  "$@" > "$log" || status=$?
  sed "s|$out/||g;s|, [0-9.]* s\$||;s|^[0-9.]* s\$||" "$log"
  [ "$status" = "$want" ] || { echo "exit status $status, $want was expected" >&2; exit 1; }
}
