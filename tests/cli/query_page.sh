# Results as pages: written beside clip pages, and opened by the system's browser, or their path is printed.
. "$TESTS/show.sh"
mkdir takes tools
cp "$TESTS/squat.bvh" takes/slow.bvh
kane batch --contact-method none takes -o out 2>/dev/null
echo '<!DOCTYPE html><script id="data">@KANE-DATA@</script>' >page.html
show 'kane query out/index.db @hardest --page page.html -o answer.html && head -c 15 answer.html'
show 'kane query out/index.db "fps < 0" --page page.html -o none.html; ls none.html'
show 'kane query out/index.db @nonsense --page page.html -o wrong.html; ls wrong.html'
show 'kane query out/index.db @hardest --page page.html -o answer.csv'
show 'kane query out/index.db @hardest --page page.html -o takes/slow.bvh'
show 'kane query out/index.db @hardest --page out/slow.bvh.h5 -o answer.html'
# A browser that records its argument, one that fails, none.
printf '#!/bin/sh\nbasename "$1" >opened\necho words\n' >tools/xdg-open
chmod +x tools/xdg-open
show 'PATH=$PWD/tools:$PATH kane query out/index.db @hardest --page page.html -o answer.html --open; cat opened'
show 'TMPDIR=$PWD PATH=$PWD/tools:$PATH kane query out/index.db @hardest --page page.html --open; cmp answer.html kane-*/answer.html'
printf '#!/bin/sh\nexit 3\n' >tools/xdg-open
show 'PATH=$PWD/tools:$PATH kane query out/index.db @hardest --page page.html -o answer.html --open'
show 'TMPDIR=/dev/null kane query out/index.db @hardest --page page.html --open 2>&1 | sed "s/-[A-Za-z0-9]*:/-?:/"'
