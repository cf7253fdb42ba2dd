// Bundles each service into its `dist`: one file per program (`main.js`, `migrate.js`, ...) and per thread, and one for
// each part that is loaded when it is first needed. Loading a service from thousands of modules takes four times the CPU.
//
//   node tools/bundle.mjs                    all services
//   node tools/bundle.mjs events gateway     only these

import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import { filesBesideCode } from './bundle/files-beside-code.mjs'
import { listLicences } from './bundle/licences-of-packages.mjs'
import { outside } from './bundle/outside.mjs'
import { prismaCompiler } from './bundle/prisma-compiler.mjs'
import { smallMap } from './bundle/small-source-maps.mjs'
import { unusedParts } from './bundle/unused-parts.mjs'
import { workspaceSources } from './bundle/workspace-sources.mjs'
import { serviceNames } from './service-names.mjs'

const repoRoot = fileURLToPath(new URL('..', import.meta.url))
/** Programs of a service, where it has them; what tools and tests read of it is one more. */
const PROGRAMS = ['main', 'migrate', 'after-restore', 'end-queues', 'config']
/** What declares something, and is left out where nobody uses what it declares. */
const PURE_FUNCTIONS = ['z', 'endpoint', 'internalEndpoint', 'domainEvent', 'clientEvent']
/** What the compiler leaves in `dist`. */
const OF_COMPILER = new Set(['types', 'tsconfig.tsbuildinfo'])

const chosen = process.argv.slice(2)
await Promise.all((chosen.length > 0 ? chosen : serviceNames).map(bundle))

async function bundle(service) {
  const folder = join(repoRoot, 'services', service)
  const dist = join(folder, 'dist')
  const programs = PROGRAMS.map((name) => [name, join(folder, 'src', `${name}.ts`)])
  const threads = new Map()
  const output = await build(
    folder,
    Object.fromEntries(programs.filter(([, path]) => existsSync(path))),
    threads,
  )
  // By themselves: a thread loads nothing that only the other code needs.
  for (const [name, path] of threads) output.push(...(await build(folder, { [name]: path }, threads)))
  clean(dist)
  for (const file of output) write(dist, file)
  writeFileSync(join(dist, 'package.json'), '{ "type": "commonjs" }\n')
  const modules = output.flatMap((file) => (file.type === 'chunk' ? Object.keys(file.modules) : []))
  writeFileSync(join(dist, 'licences.txt'), listLicences(modules))
}

async function build(folder, input, threads) {
  const started = await rolldown({
    cwd: folder,
    input,
    platform: 'node',
    external: outside,
    plugins: [workspaceSources(repoRoot), filesBesideCode(folder, threads), prismaCompiler(), unusedParts()],
    // A module of the workspace is only there for what it exports.
    treeshake: {
      moduleSideEffects: [{ test: /^(?!.*\/node_modules\/)/, sideEffects: false }],
      manualPureFunctions: PURE_FUNCTIONS,
    },
  })
  const { output } = await started.generate({
    dir: join(folder, 'dist'),
    format: 'cjs',
    sourcemap: true,
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
    // Log lines name errors by their classes.
    keepNames: true,
    // White space and comments would be held in memory, twice as much where one character isn't ASCII. Names stay, for profiles.
    minify: { compress: false, mangle: false, codegen: { removeWhitespace: true, asciiOnly: true } },
  })
  await started.close()
  return output
}

function clean(dist) {
  mkdirSync(dist, { recursive: true })
  for (const name of readdirSync(dist).filter((each) => !OF_COMPILER.has(each)))
    rmSync(join(dist, name), { recursive: true })
}

function write(dist, { type, fileName, code, map, source }) {
  const path = join(dist, fileName)
  mkdirSync(dirname(path), { recursive: true })
  if (type === 'chunk') {
    writeFileSync(path, code)
    // None where a file only passes on what others export.
    if (map) writeFileSync(`${path}.map`, smallMap(map))
  } else if (!fileName.endsWith('.map')) writeFileSync(path, source)
}
