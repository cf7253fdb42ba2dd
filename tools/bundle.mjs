// Bundles each service into its `dist`: a file per program (`main.js`, `migrate.js`, ...), per thread, and per part that is
// loaded on first use. Loading a service from thousands of modules would take four times the CPU.
//
//   node tools/bundle.mjs                    all services
//   node tools/bundle.mjs events gateway     only these

import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import { outside } from './bundle/external-packages.mjs'
import { filesBesideCode } from './bundle/files-beside-code.mjs'
import { listLicences } from './bundle/licences-of-packages.mjs'
import { prismaCompiler } from './bundle/prisma-compiler.mjs'
import { shrinkSourceMap } from './bundle/shrink-source-map.mjs'
import { unusedParts } from './bundle/unused-parts.mjs'
import { workspaceSources } from './bundle/workspace-sources.mjs'
import { serviceNames } from './service-names.mjs'

const repoRoot = fileURLToPath(new URL('..', import.meta.url))
/** Programs that a service may have, and `config`, which tools and tests import. */
const PROGRAMS = ['main', 'migrate', 'after-restore', 'end-queues', 'config']
/** Functions that only declare something: unused declarations are removed. */
const PURE_FUNCTIONS = ['z', 'endpoint', 'internalEndpoint', 'domainEvent', 'clientEvent']
/** Output of the compiler in `dist`. */
const COMPILER_OUTPUT = new Set(['types', 'tsconfig.tsbuildinfo'])

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
  // Separate bundles: a thread loads no code that only the program needs.
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
    // Modules of the workspace have no side effects when loaded.
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
    // White space and comments would take memory, twice as much if any character isn't ASCII. Names stay, for profiles.
    minify: { compress: false, mangle: false, codegen: { removeWhitespace: true, asciiOnly: true } },
  })
  await started.close()
  return output
}

function clean(dist) {
  mkdirSync(dist, { recursive: true })
  for (const name of readdirSync(dist).filter((each) => !COMPILER_OUTPUT.has(each)))
    rmSync(join(dist, name), { recursive: true })
}

function write(dist, { type, fileName, code, map, source }) {
  const path = join(dist, fileName)
  mkdirSync(dirname(path), { recursive: true })
  if (type === 'chunk') {
    writeFileSync(path, code)
    // A file that only re-exports has no map.
    if (map) writeFileSync(`${path}.map`, shrinkSourceMap(map))
  } else if (!fileName.endsWith('.map')) writeFileSync(path, source)
}
