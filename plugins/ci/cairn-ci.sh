#!/bin/sh
# For any other CI: cairn-ci.sh CMD ARGS... runs CMD by "cairn ci" and leaves a report for each of the common readers in
# $CAIRN_REPORTS (cairn-report). Where cairn is not installed, CMD runs all the same. The status is CMD's.
if ! command -v cairn >/dev/null; then
	echo "cairn-ci: cairn is not installed, so this run is not recorded" >&2
	exec "$@"
fi
dir=${CAIRN_REPORTS:-cairn-report}
mkdir -p "$dir" || exit
exec cairn ci --report "junit=$dir/junit.xml" --report "sarif=$dir/cairn.sarif" --report "markdown=$dir/summary.md" -- "$@"
