// Runs while the image is built: creates the servers' data and migrates the databases, so that containers needn't. Running
// everything once also fills NODE_COMPILE_CACHE.
import { readdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { markSeed } from './seed.ts'
import { readPaths } from './settings.ts'
import { type Parts, startParts } from './start-parts.ts'

const paths = readPaths(process.env)
const parts: Parts = {}
try {
  await startParts(
    {
      paths,
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
for (const name of readdirSync(paths.dataDir)) {
  renameSync(join(paths.dataDir, name), join(paths.seedDir, name))
}
markSeed(paths)
