// Generates the TypeScript client, and the Prisma client of each service with a prisma/schema.prisma, if the schema or the
// version of Prisma has changed. Downloads nothing: `generate` doesn't need the schema engine, and naming any executable in
// its place keeps Prisma from fetching it.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { generateClient } from './generate-client.ts'
import { markCommonJs } from './published-packages.ts'
import { serviceNames } from './service-names.ts'

const services = fileURLToPath(new URL('../services', import.meta.url))

for (const service of serviceNames) {
  const folder = join(services, service)
  const schema = join(folder, 'prisma', 'schema.prisma')
  if (existsSync(schema) && !generate(service, folder, schema)) process.exitCode = 1
}

await generateClient()
markCommonJs()

function generate(service: string, folder: string, schema: string): boolean {
  const prisma = createRequire(join(folder, 'package.json')).resolve('prisma/package.json')
  const { version, bin }: { version: string; bin: { prisma: string } } = JSON.parse(
    readFileSync(prisma, 'utf8'),
  )
  const output = join(folder, 'src', 'generated', 'prisma')
  const stampFile = join(output, '.generated-from')
  const stamp = createHash('sha256').update(version).update(readFileSync(schema)).digest('hex')
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp) return true

  const run = spawnSync(
    process.execPath,
    [join(dirname(prisma), bin.prisma), 'generate', '--schema', schema],
    {
      cwd: folder,
      encoding: 'utf8',
      env: {
        ...process.env,
        PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
        PRISMA_HIDE_UPDATE_MESSAGE: '1',
        CHECKPOINT_DISABLE: '1',
      },
    },
  )
  if (run.status !== 0) {
    console.error(`The Prisma client of ${service} could not be generated:`)
    console.error(run.error?.message ?? `${run.stdout}${run.stderr}`)
    return false
  }
  writeFileSync(stampFile, stamp)
  return true
}
