#!/usr/bin/env bash
# Soaks: the example soak, on one engine after another, again and again, with a new seed each time.
#
#   scripts/soak.sh [-e ENGINES] [-d DURATION] [-r RATE] [-n RUNS] [-s SEED] [-o DIR]
#
#   -e ENGINES   engines, with commas between (default: jetstream,redis,kafka)
#   -d DURATION  of each run, as Go writes it (default: 60s)
#   -r RATE      events a second (default: 300)
#   -n RUNS      runs of each engine (default: 10)
#   -s SEED      the same seed for all runs (default: a random one for each)
#   -o DIR       where to write what each run prints (default: a new folder for temporary files)
#
# For example, half an hour of each engine:  scripts/soak.sh -d 30m -n 1
#
# All runs are made, whatever fails. The exit status is 0 if all passed, 1 if not, 2 for a wrong command line.
set -u
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1

usage() { sed -n '2,/^set/s/^# \{0,1\}//p' "scripts/soak.sh" | sed '/^set/d'; }
engines=jetstream,redis,kafka duration=60s rate=300 runs=10 seed='' out=''
while getopts ':e:d:r:n:s:o:h' option; do
  case $option in
    e) engines=$OPTARG ;;
    d) duration=$OPTARG ;;
    r) rate=$OPTARG ;;
    n) runs=$OPTARG ;;
    s) seed=$OPTARG ;;
    o) out=$OPTARG ;;
    h) usage; exit 0 ;;
    *) echo "soak.sh: -$OPTARG is not an option, or lacks its value (-h shows how to use it)" >&2; exit 2 ;;
  esac
done
shift $((OPTIND - 1))
[ $# = 0 ] || { echo "soak.sh: \"$1\" is not an option (-h shows how to use it)" >&2; exit 2; }
[[ $runs =~ ^[1-9][0-9]*$ ]] || { echo "soak.sh: -n $runs is not a number of runs (-h shows how to use it)" >&2; exit 2; }

[ -n "$out" ] || out=$(mktemp -d)
mkdir -p "$out" || exit 1
go -C examples build -o "$out/soak" ./soak || exit 1

failed=0 wrong=0
for ((run = 1; run <= runs && !wrong; run++)); do
  for engine in ${engines//,/ }; do
    log=$out/$engine-$run.txt
    "$out/soak" -engine "$engine" -duration "$duration" -rate "$rate" ${seed:+-seed "$seed"} >"$log" 2>&1
    status=$?
    if [ $status = 2 ]; then
      cat "$log" >&2
      wrong=1
      break
    fi
    verdict=passed
    [ $status = 0 ] || { verdict=FAILED failed=1; }
    echo "$engine $run/$runs $verdict: $(sed -n '1s/;.*//p' "$log"); $(sed -n 's/^handled: //p' "$log")"
    [ $status = 0 ] || grep -E '^ *FAIL|^soak:|are kept in' "$log"
  done
done
echo "what the runs printed is in $out"
[ $wrong = 0 ] || exit 2
exit $failed
