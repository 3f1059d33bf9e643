# Reads lines "PACKAGE DEPENDENCY...", including indirect dependencies, and
# reports those that ARCHITECTURE.md does not allow. The order is
# model <- cdg <- verify <- synth <- cmd; engine and verify/cert have their own rules.

BEGIN {
	module = "^github\\.com/turnproof/turnproof/"
	# may[FOLDER]: our packages, besides internal, that packages in FOLDER may import.
	may["model"] = "^model(/|$)"
	may["cdg"] = "^(model|cdg)(/|$)"
	may["verify"] = "^(model|cdg|verify)(/|$)"
	may["synth"] = "^(model|cdg|verify|synth)(/|$)"
	may["engine"] = "^(model|engine)(/|$)"
	may["internal"] = "^internal(/|$)"
	# only[FOLDER]: the same for a subfolder. Packages in verify/cert may otherwise import the standard library only.
	only["verify/cert"] = "^verify/cert(/|$)"
	only["cmd/turnproof-check"] = "^verify/cert(/|$)"
	only["synth/sat"] = "^synth/sat(/|$)"
	only["internal/wording"] = "^model(/|$)"
	only["internal/modeltest"] = "^model(/|$)"
	only["internal/formattest"] = "^model(/|$)"
	only["internal/arithmetic"] = "^(verify/cert)(/|$)"
	only["internal/encode"] = "^(model|cdg|verify/cert)(/|$)"
	only["cmd/turnproof/cli"] = "^$"
	only["cmd/turnproof/confirm"] = "^(model|cdg|verify|engine)(/|$)"
	# Packages below cmd/turnproof that commands share. All others are commands,
	# and no command imports another.
	split("cli say input judging demand verdict confirm confirm/changes picture engines rows simrun turnset machines mending quality states", list, " ")
	for (i in list) shared["cmd/turnproof/" list[i]] = 1
}

{
	package = $1
	sub(module, "", package)
	folder = package
	sub(/\/.*/, "", folder)
	rule = may[folder]
	for (f in only)
		if (package == f || index(package, f "/") == 1) rule = only[f]
	for (i = 2; i <= NF; i++) {
		if ($i ~ module && rule != "") {
			other = $i
			sub(module, "", other)
			if (other !~ rule && (other !~ /^internal\// || rule ~ /^\^verify\/cert/)) report(package " imports " other)
		}
		other = $i
		sub(module, "", other)
		if (package ~ /^cmd\/turnproof\// && other ~ /^cmd\/turnproof\// && !(other in shared)) report(package " imports the command " other)
		if (rule ~ /^\^verify\/cert/ && $i ~ /^[^\/]*\./ && $i !~ module) report(package " imports " $i ", which is not of the standard library")
	}
}

function report(what) {
	print what
	found = 1
}

END { exit found }
