# Writes docs/results/random.md from the lines of sets that have agreed, in the order
# of their seeds: seed, programs, how many of them were searched, states of the
# searches, commit.
{
	if (!($5 in sets)) order[++n] = $5
	sets[$5]++; programs[$5] += $2; searched[$5] += $3; states[$5] += $4
	list[$5] = list[$5] (list[$5] == "" ? "" : " ") $1
	all++; total += $2; deep += $3; seen += $4
}

# ranges shortens a list of rising numbers: 1 2 3 5 becomes 1-3, 5.
function ranges(text,    f, k, i, first, out) {
	k = split(text, f, " ")
	for (i = 1; i <= k; i++) {
		first = f[i]
		while (i < k && f[i+1] == f[i] + 1) i++
		out = out (out == "" ? "" : ", ") first (f[i] == first ? "" : "-" f[i])
	}
	return out
}

END {
	print "# Random programs that hand values on\n"
	print "Values of types of one to twelve words go through channels, select, maps, ranges, interfaces, calls, defer, go,"
	print "methods, generics, reflect and package sync, mostly without a variable between. Every program tells what came out,"
	print "natively and in the machine; some are checked, and must tell the same under every schedule. A set that does not"
	print "agree is not counted and makes the command fail.\n"
	printf "    $ make random-flows FLOWS=%d\n\n", all
	print "| sets | commit | programs that agree | of which checked and verified | states |"
	print "| --- | --- | ---: | ---: | ---: |"
	for (i = 1; i <= n; i++)
		printf "| %s | %s | %d | %d | %d |\n", ranges(list[order[i]]), order[i], programs[order[i]], searched[order[i]], states[order[i]]
	if (n > 1) printf "| all | | %d | %d | %d |\n", total, deep, seen
}
