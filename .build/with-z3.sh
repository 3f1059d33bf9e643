#!/bin/sh
# Runs a command such that go builds with Z3, if Z3 is installed: it sets the tag z3 in
# GOFLAGS and the flags for the library. Otherwise it runs the command unchanged.
#
#	sh .build/with-z3.sh go test ./...
. "$(dirname "$0")/find-z3.sh"

if find_z3; then
	GOFLAGS=$(go env GOFLAGS)
	case " $GOFLAGS" in
	*' -tags='*) GOFLAGS=$(echo "$GOFLAGS" | sed 's/-tags=\([^ ]*\)/-tags=z3,\1/') ;;
	*) GOFLAGS="$GOFLAGS -tags=z3" ;;
	esac
	export GOFLAGS
	if [ -n "$z3_cflags$z3_ldflags" ]; then
		CGO_CFLAGS="$(go env CGO_CFLAGS) $z3_cflags"
		CGO_LDFLAGS="$(go env CGO_LDFLAGS) $z3_ldflags"
		export CGO_CFLAGS CGO_LDFLAGS
	fi
fi
exec "$@"
