#!/bin/sh
# Removes from deployed packages (folders as arguments) what only building and reading them needs, and whatever tells when
# they were built: the same sources give the same files, to the date.
set -eu
for folder in "$@"; do
  # Of our own packages: sources and the build's settings. Source maps stay, so that stack traces name the sources.
  for package in "$folder" "$folder"/node_modules/.pnpm/@tms+*/node_modules/@tms/*; do
    # Beside a package lie links to those it depends on, which have their turn.
    if [ -d "$package" ] && [ ! -L "$package" ]; then
      (cd "$package" && rm -rf src prisma README.md tsconfig.json dist/tsconfig.tsbuildinfo dist/types)
    fi
  done
  find "$folder" -type f \( -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' -o -name '*.d.ts.map' \) -delete
  find "$folder" -type f -name '*.map' ! -path "$folder/dist/*" ! -path '*/@tms/*' -delete
  # pnpm notes here when it installed what.
  rm -f "$folder"/node_modules/.modules.yaml "$folder"/node_modules/.pnpm-workspace-state*.json
  find "$folder" -exec touch --no-dereference --date='2000-01-01 UTC' {} +
done
