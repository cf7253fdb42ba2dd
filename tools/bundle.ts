// Bundles each service into its `dist`: a file per program (`main.js`, `migrate.js`, ...), per thread, and per part that is
// loaded on first use. Loading a service from thousands of modules would take four times the CPU.
//
//   node tools/bundle.ts                    all services
//   node tools/bundle.ts events gateway     only these

import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type OutputAsset, type OutputChunk, rolldown } from 'rolldown'
import { outside } from './bundle/external-packages.ts'
import { filesBesideCode } from './bundle/files-beside-code.ts'
import { listLicences } from './bundle/licences-of-packages.ts'
import { isMapped, mappedStacks, writeEntry } from './bundle/mapped-stacks.ts'
import { prismaCompiler } from './bundle/prisma-compiler.ts'
import { shrinkSourceMap } from './bundle/shrink-source-map.ts'
import { unusedParts } from './bundle/unused-parts.ts'
import { workspaceSources } from './bundle/workspace-sources.ts'
import { repoRoot } from './repo-root.ts'
import { serviceNames } from './service-names.ts'

/** Programs that a service may have, and `config`, which tools and tests import. */
const PROGRAMS = ['main', 'migrate', 'after-restore', 'end-queues', 'config']
/** Functions that only declare something: unused declarations are removed. */
const PURE_FUNCTIONS = ['z', 'endpoint', 'internalEndpoint', 'domainEvent', 'clientEvent']
/** Output of the compiler in `dist`. */
const COMPILER_OUTPUT = new Set(['types', 'tsconfig.tsbuildinfo'])

const chosen = process.argv.slice(2)
await Promise.all((chosen.length > 0 ? chosen : serviceNames).map(bundle))

async function bundle(service: string): Promise<void> {
  const folder = join(repoRoot, 'services', service)
  const dist = join(folder, 'dist')
  const programs = PROGRAMS.map((name) => [name, join(folder, 'src', `${name}.ts`)] as const)
  const threads = new Map<string, string>()
  const output = await build(
    folder,
    Object.fromEntries(programs.filter(([, path]) => existsSync(path))),
    threads,
  )
  // Separate bundles: a thread loads no code that only the program needs.
  for (const [name, path] of threads) output.push(...(await build(folder, { [name]: path }, threads)))
  output.push(...(await build(folder, mappedStacks(repoRoot), threads)))
  clean(dist)
  for (const file of output) write(dist, file)
  for (const file of output)
    if (file.type === 'chunk' && file.isEntry && isMapped(file.name)) writeEntry(dist, file)
  writeFileSync(join(dist, 'package.json'), '{ "type": "commonjs" }\n')
  const modules = output.flatMap((file) => (file.type === 'chunk' ? Object.keys(file.modules) : []))
  writeFileSync(join(dist, 'licences.txt'), listLicences(modules))
}

async function build(
  folder: string,
  input: Record<string, string>,
  threads: Map<string, string>,
): Promise<(OutputAsset | OutputChunk)[]> {
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
    entryFileNames: ({ name }) => (isMapped(name) ? '[name].code.js' : '[name].js'),
    chunkFileNames: '[name]-[hash].js',
    // Log lines name errors by their classes.
    keepNames: true,
    // White space and comments would take memory, twice as much if any character isn't ASCII. Names stay, for profiles.
    minify: { compress: false, mangle: false, codegen: { removeWhitespace: true, asciiOnly: true } },
  })
  await started.close()
  return output
}

function clean(dist: string): void {
  mkdirSync(dist, { recursive: true })
  for (const name of readdirSync(dist).filter((each) => !COMPILER_OUTPUT.has(each)))
    rmSync(join(dist, name), { recursive: true })
}

function write(dist: string, file: OutputAsset | OutputChunk): void {
  const path = join(dist, file.fileName)
  mkdirSync(dirname(path), { recursive: true })
  if (file.type === 'chunk') {
    writeFileSync(path, file.code)
    // A file that only re-exports has no map.
    if (file.map) writeFileSync(`${path}.map`, shrinkSourceMap(file.map))
  } else if (!file.fileName.endsWith('.map')) writeFileSync(path, file.source)
}
