import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { EXTERNAL_PACKAGES } from '../../tools/bundle/external-packages.ts'
import { read, repoRoot, services } from './support/repository.ts'

/** Modules that a bundle imports, without those of Node. */
function importsOf(path: string): string[] {
  const names = [...read(path).matchAll(/(?:^|;)import(?:[^;"'`]*from)?\(?["'`]([@\w][^"'`]*)["'`]/gm)]
  return names
    .map(([, name]) => name ?? '')
    .filter((name) => !name.startsWith('node:') && !builtinModules.includes(name))
}

describe.each(services)('the bundles of %s', (service) => {
  const dist = `services/${service}/dist`
  const programs = readdirSync(join(repoRoot, dist)).filter((name) => name.endsWith('.js'))

  test('import from node_modules only the packages that images keep there', () => {
    const imported = programs.flatMap((name) => importsOf(`${dist}/${name}`))
    const others = imported.filter(
      (name) => !EXTERNAL_PACKAGES.some((kept) => name === kept || name.startsWith(`${kept}/`)),
    )
    expect([...new Set(others)]).toEqual([])
  })

  test('contain one byte per character, and come with the licences of their contents', () => {
    for (const name of programs) expect(read(`${dist}/${name}`)).toMatch(/^[\0-\x7f]*$/)
    expect(read(`${dist}/licences.txt`)).toMatch(/^zod [\d.]+ \(MIT\)\n\nMIT License/m)
  })
})

test('the stack trace of an error names the TypeScript file and line', () => {
  const program = `import(${JSON.stringify(join(repoRoot, 'services/messaging/dist/render-job.js'))})
    .then((job) => job.default({ content: null }))
    .catch((err) => console.log(err.stack))`
  const { stdout } = spawnSync(process.execPath, ['-e', program], { encoding: 'utf8' })
  expect(stdout).toMatch(/services\/messaging\/src\/rendering\/render-markdown\.ts:\d\d/)
  const line = Number(/render-job\.ts:(\d+)/.exec(stdout)?.[1])
  expect(read('services/messaging/src/rendering/render-job.ts').split('\n')[line - 1]).toContain(
    'renderMarkdown(content',
  )
})
