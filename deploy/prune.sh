#!/bin/sh
# Removes files for building and reading from deployed packages (folders as arguments), and resets dates and notes of the
# build: the same sources give the same files, to the date.
set -eu
for folder in "$@"; do
  # Sources and build settings of our own packages. Source maps stay, so that stack traces name the sources.
  for package in "$folder" "$folder"/node_modules/.pnpm/@tms+*/node_modules/@tms/*; do
    # Skips links to the package's dependencies, which are handled in their own folders.
    if [ -d "$package" ] && [ ! -L "$package" ]; then
      (cd "$package" && rm -rf src prisma README.md tsconfig.json dist/tsconfig.tsbuildinfo dist/types)
    fi
  done
  find "$folder" -type f \( -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' -o -name '*.d.ts.map' \) -delete
  find "$folder" -type f -name '*.map' ! -path "$folder/dist/*" ! -path '*/@tms/*' -delete
  # pnpm's records of the installation contain its time.
  rm -f "$folder"/node_modules/.modules.yaml "$folder"/node_modules/.pnpm-workspace-state*.json
  find "$folder" -exec touch --no-dereference --date='2000-01-01 UTC' {} +
done
