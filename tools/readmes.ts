// Writes into the README of each service what it serves, calls, emits and consumes, from the contracts and the code. Build first. Remarks
// in parentheses after an item are written by hand and stay. With --check it writes nothing, and fails if a README is out of date.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { updateReadme } from './readmes/update-readme.ts'
import { repoRoot } from './repo-root.ts'
import { serviceNames } from './service-names.ts'

for (const service of serviceNames) {
  const path = `services/${service}/README.md`
  const file = join(repoRoot, path)
  const current = readFileSync(file, 'utf8')
  const updated = updateReadme(service, current)
  if (!process.argv.includes('--check')) writeFileSync(file, updated)
  else if (updated !== current) {
    console.error(`${path} is out of date: run node tools/readmes.ts`)
    process.exitCode = 1
  }
}
