# Writes docs/results/random.md from the lines of sets that have agreed: seed,
# programs, how many of them were searched, states of the searches.
{ sets++; programs += $2; searched += $3; states += $4 }
END {
	print "# Random programs that hand values on\n"
	print "Values of types of one to twelve words go through channels, select, maps, ranges, interfaces, calls, defer, go,"
	print "methods, generics, reflect and package sync, mostly without a variable between. Every program tells what came out,"
	print "natively and in the machine; some are searched, and must tell the same under every schedule. A set that does not"
	print "agree is not counted and makes the command fail.\n"
	printf "Made by `make random-flows FLOWS=%d` at commit %s.\n\n", sets, commit
	print "| sets | programs that agree | of which searched and verified | states |"
	print "| ---: | ---: | ---: | ---: |"
	printf "| %d | %d | %d | %d |\n", sets, programs, searched, states
}
