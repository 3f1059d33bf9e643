# shellcheck shell=sh
# Sourced by other scripts. Finds Z3 and the flags that it needs.

# find_z3 succeeds if a C program compiles and links with Z3, and sets
# z3_cflags and z3_ldflags to the flags needed in addition to those of go env.
# It keeps no result between calls, because a stored result could become wrong.
find_z3() {
	z3_cflags='' z3_ldflags=''
	[ "$(go env CGO_ENABLED)" = 1 ] && compiles '' || return 1
	uses_z3 && return
	if z3_cflags=$(pkg-config --cflags z3 2>/dev/null) && z3_ldflags=$(pkg-config --libs z3 2>/dev/null); then
		uses_z3 && return
	fi
	if prefix=$(brew --prefix z3 2>/dev/null); then
		z3_cflags="-I$prefix/include" z3_ldflags="-L$prefix/lib"
		uses_z3 && return
	fi
	z3_cflags='-I/usr/include/z3' z3_ldflags='' # Fedora
	uses_z3
}

# uses_z3 succeeds if Z3 works with the flags z3_cflags and z3_ldflags.
uses_z3() {
	compiles '#include <z3.h>' 'unsigned v; Z3_get_version(&v, &v, &v, &v);' -lz3
}

# compiles INCLUDES [STATEMENTS [LIBRARY]] compiles and links a C program with
# the compiler and flags of go env.
compiles() {
	dir=$(mktemp -d) || return 1
	printf '%s\nint main(void) { %s return 0; }\n' "$1" "${2:-}" >"$dir/try.c"
	# The flags are lists of words, which the shell splits.
	# shellcheck disable=SC2046,SC2086
	$(go env CC) $(go env CGO_CFLAGS) $z3_cflags -o "$dir/try" "$dir/try.c" \
		$(go env CGO_LDFLAGS) $z3_ldflags ${3:-} >/dev/null 2>&1
	status=$?
	rm -rf "$dir"
	return $status
}
