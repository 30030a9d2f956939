# Man pages and completion lists, generated from the tables of the commands.
. "$TESTS/show.sh"
show 'kane smooth --man | grep -v "^.TH"'
show 'kane run --man | grep -A 3 -e "^.SS" -e "smooth..-cutoff"'
show 'kane query --man | tail -n 12'
show 'kane --man | sed 1d | head -n 15'
show 'kane --man | tail -n 3'
show 'kane --complete | head -n 3'
show 'kane smooth --complete'
show 'kane run --complete | grep smooth'
