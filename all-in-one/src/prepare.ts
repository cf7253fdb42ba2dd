// Run while the image is built: makes the servers' data and migrates the databases, so that containers needn't, and runs
// everything once, which also leaves compiled code in NODE_COMPILE_CACHE.
import { readdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { markSeed } from './seed.ts'
import { readPlaces } from './settings.ts'
import { type Parts, startParts } from './start-parts.ts'

const places = readPlaces(process.env)
const parts: Parts = {}
try {
  await startParts(
    {
      places,
      env: process.env,
      logLevel: 'warn',
      isMigrated: false,
      signal: new AbortController().signal,
      onLine: (line) => console.log(line),
      onEnd: (name, how, lastLines) => console.error([`${name} ended (${how})`, ...lastLines].join('\n')),
    },
    parts,
  )
} catch (err) {
  console.error(err)
  process.exitCode = 1
}
await parts.system?.stop()
await parts.servers?.stop()
for (const name of readdirSync(places.dataDir)) {
  renameSync(join(places.dataDir, name), join(places.seedDir, name))
}
markSeed(places)
